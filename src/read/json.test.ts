import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Container, Numeral, parseValue, type Value } from './json/parse.ts'
import { JsonError, parseJson } from './json.ts'

const plain = (value: Value): unknown => {
  if (value instanceof Numeral) return Number(value.text)
  if (!(value instanceof Container)) return value
  const values = value.values.map(plain)
  return value.names ? Object.fromEntries(value.names.map((name, at) => [name, values[at]])) : values
}

/** Random numbers from 0 to 1; the same seed gives the same numbers. */
function randomOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

function someValue(random: () => number, depth: number): unknown {
  const kind = Math.floor(random() * (depth > 4 ? 5 : 8))
  if (kind === 0) return null
  if (kind === 1) return random() < 0.5
  if (kind === 2) return Math.round((random() - 0.5) * 1e9) / 10 ** Math.floor(random() * 12)
  if (kind <= 4) return ['', 'Ärger', '"\\/\b\n', '\u2028 😀', 'USD/shares', 'a'.repeat(40)][Math.floor(random() * 6)]
  const many = Array.from({ length: Math.floor(random() * 5) }, () => someValue(random, depth + 1))
  if (kind === 5) return many
  // Neighbouring objects of one shape, some of which lack a member.
  if (kind === 6) return many.map((value, at) => (at === 1 ? { a: value } : { a: value, b: at, c: null }))
  return Object.fromEntries(many.map((value, at) => [`k${Math.floor(random() * 3)}${at}`, value]))
}

test('every document that JSON.parse accepts is read in the same way, and every document that JSON.parse refuses is refused', () => {
  const random = randomOf(7)
  let refused = 0
  for (let round = 0; round < 3_000; round++) {
    let text = JSON.stringify(someValue(random, 0), null, round % 3)
    if (round % 2) {
      const at = Math.floor(random() * text.length)
      text =
        text.slice(0, at) +
        '{}[],:"\\ 0-1.etfn\u0001x'[Math.floor(random() * 20)] +
        text.slice(at + (round % 4 > 1 ? 1 : 0))
    }
    let expected: unknown
    try {
      expected = JSON.parse(text)
    } catch {
      refused++
      assert.throws(() => parseValue(text), JsonError, text)
      continue
    }
    try {
      assert.deepEqual(plain(parseValue(text)), expected, text)
    } catch (error) {
      // A duplicate name is the only fault that JSON.parse accepts.
      if (!(error instanceof JsonError && error.message.includes('appears twice'))) throw error
    }
  }
  assert.ok(refused > 500, `${refused} were no JSON`)
})

const fault = (source: string | Uint8Array) => {
  try {
    parseValue(source)
  } catch (error) {
    assert.ok(error instanceof JsonError)
    return error.message
  }
  return assert.fail('the text was read')
}

test('refuses invalid JSON with its line, column and byte', () => {
  assert.equal(fault('{"ä": 1,\n "b": NaN}'), 'line 2, column 7 (offset 16): not a JSON value')
  assert.equal(fault('{"a": 1, "a": 2}'), 'line 1, column 10 (offset 9): the name "a" appears twice')
  assert.equal(fault('[{"a":1,"b":2},{"a":1,"a":2}]'), 'line 1, column 23 (offset 22): the name "a" appears twice')
  assert.equal(fault('{"a": [1, 2'), 'line 1, column 12 (offset 11): a comma or ] is needed: the document is cut off')
  assert.equal(fault('{"a": "b'), 'line 1, column 9 (offset 8): a string is not closed: the document is cut off')
  assert.equal(fault(''), 'line 1, column 1 (offset 0): the document is cut off')
  assert.equal(fault('{} {}'), 'line 1, column 4 (offset 3): there is text after the end of the document')
  assert.equal(fault('<html>'), 'line 1, column 1 (offset 0): not a JSON value')
  assert.equal(fault('{"a": 01}'), 'line 1, column 8 (offset 7): a comma or } is needed')
  assert.equal(fault('["\\x41"]'), 'line 1, column 3 (offset 2): not a valid escape of JSON')
  assert.equal(fault('["a\tb"]'), 'line 1, column 4 (offset 3): a string has an unescaped control character')
  assert.equal(fault('\ufeff{}'), 'line 1, column 1 (offset 0): not a JSON value')
})

test('reads bytes that are not UTF-8 as UTF-16 or windows-1252, and records a problem of the document', () => {
  const text = '{"name": "Café – Müller"}'
  const mixed = Buffer.concat([Buffer.from('{"name": "Caf\xe9 \x96 ', 'latin1'), Buffer.from('Müller"}')])
  for (const bytes of [mixed, Buffer.from(text, 'utf16le'), Buffer.from(`\ufeff${text}`, 'utf16le').swap16()]) {
    const document = parseJson(bytes)
    assert.equal(document.text('name'), 'Café – Müller')
    assert.match(document.problems()[0]!.reason, /not UTF-8/)
  }
  for (const bytes of [Buffer.from(text), Buffer.from(`\ufeff${text}`)]) {
    const document = parseJson(bytes)
    assert.deepEqual([document.text('name'), document.problems()], ['Café – Müller', []])
  }
  assert.match(fault(Buffer.from('["é"]').subarray(0, 3)), /a string is not closed: the document is cut off$/)
})

test('refuses documents that would exhaust memory: a million names, endless levels, too many bytes', () => {
  const names = Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":0`)
  assert.match(fault(`{${names.join()}}`), /an object has more than 100000 names$/)
  assert.match(fault('['.repeat(1_000_000)), /offset 64\): more than 64 levels$/)
  assert.throws(() => parseJson('[1,2,3]', { sizeMax: 6 }), /larger than 6 bytes/)
  assert.throws(() => parseJson(Buffer.from('[1,2,3]'), { sizeMax: 6 }), /larger than 6 bytes/)
})

test('a member that no element of an array read or ignored is listed once, not once for each element', () => {
  const doc = parseJson('{"a":1,"b":"","c":{"d":null,"e":[{"f":1,"g":2},{"f":3,"g":4}]},"h":[1],"i":{},"j":{"k":5}}')
  assert.deepEqual(doc.unread(), ['/a', '/c/e/*/f', '/c/e/*/g', '/h/*', '/j/k'])
  doc.integer('a')
  doc.ignore('j', 'none')
  for (const item of doc.one('c').one('e').items()) item.integer('f')
  assert.deepEqual(doc.unread(), ['/c/e/*/g', '/h/*'])
  doc.one('c').one('e').items()[0]!.integer('g')
  assert.deepEqual(doc.unread(), ['/c/e/*/g', '/h/*'], 'g of the second element is not read')
})

test('a value of another type is read as null, and a problem with its path is recorded', () => {
  const doc = parseJson('{"a":{"b/c":"12","d":12,"e":1.5,"f":"2026-02-30","g":[1],"h":"x","i":9007199254740993}}').one(
    'a',
  )
  assert.equal(doc.integer('b/c'), null)
  assert.equal(doc.text('d'), null)
  assert.equal(doc.integer('e'), null)
  assert.equal(doc.date('f'), null)
  assert.equal(doc.text('g'), null)
  assert.equal(doc.flag('h'), null)
  assert.equal(doc.integer('i'), null)
  assert.deepEqual(
    doc.problems().map(({ path, value, reason }) => `${path} ${value} ${reason}`),
    [
      '/a/b~1c 12 not an integer',
      '/a/d 12 not a text',
      '/a/e 1.5 not an integer',
      '/a/f 2026-02-30 not a day written as YYYY-MM-DD',
      '/a/g  not a text: it is an object or an array',
      '/a/h x neither true nor false',
      '/a/i 9007199254740993 not an integer',
    ],
  )
  assert.deepEqual(doc.unread(), ['/a/g/*'], 'a value that could not be read as a text still counts as unread')
  assert.throws(() => doc.one('none'), /^JsonError: \/a\/none is missing$/)
  assert.throws(() => doc.one('d'), /^JsonError: \/a\/d is neither an object nor an array$/)
  assert.throws(() => doc.one('g').names(), /^JsonError: \/a\/g is not an object$/)
  assert.throws(() => doc.items(), /^JsonError: \/a is not an array$/)
  assert.throws(() => doc.one('g').items(), /^JsonError: \/a\/g\/0 is neither an object nor an array$/)
  assert.throws(() => parseJson('[]').names(), /the document is not an object/)
})

test('amounts keep every digit', () => {
  const doc = parseJson('{"a":12345678901234567890.125,"b":-0.50,"c":1.5E3,"d":-25e-3,"e":1E999,"f":1.25e1,"g":1e2}')
  const read = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((name) => doc.money(name))
  assert.deepEqual(read, ['12345678901234567890.125', '-0.5', '1500', '-0.025', null, '12.5', '100'])
  assert.deepEqual(doc.problems(), [{ path: '/e', value: '1E999', reason: 'not a decimal number' }])
})

test('a character that the database cannot store is removed from a text, and a problem is recorded', () => {
  const doc = parseJson('{"a":"x\\u0000y","b":"\\ud800z","c":"\\ud83d\\ude00"}')
  assert.deepEqual(
    ['a', 'b', 'c'].map((name) => doc.text(name)),
    ['xy', '\ufffdz', '😀'],
  )
  assert.deepEqual(
    doc.problems().map(({ path }) => path),
    ['/a', '/b'],
  )
})

test('parallel arrays are read as lines if they have the same length', () => {
  const doc = parseJson('{"recent":{"form":["10-K","8-K"],"size":[1,2],"new":["x",null]}}')
  const lines = doc.one('recent').lines()
  assert.deepEqual(
    lines.map((line) => [line.text('form'), line.integer('size')]),
    [
      ['10-K', 1],
      ['8-K', 2],
    ],
  )
  assert.deepEqual(doc.unread(), ['/recent/*/new'])
  const cut = parseJson('{"form":["10-K"],"size":[1],"new":["x"]}')
  assert.deepEqual(cut.lines(['size', 'none'])[0]!.names(), ['form', 'new'])
  assert.deepEqual(
    cut.unread(),
    ['/*/form', '/*/new'],
    'ignored members do not count as unread, and no other member is ignored',
  )
  assert.throws(() => parseJson('{"a":[1],"b":[1,2]}').lines(['b']), /\/b has 2 values/)
  assert.throws(() => parseJson('{"a":[1],"b":[1,2]}').lines(), /^JsonError: \/b has 2 values, a has 1$/)
  assert.throws(() => parseJson('{"a":[1],"b":2}').lines(), /^JsonError: \/b is not an array$/)
  assert.deepEqual(parseJson('{}').lines(), [])
})

test('lines whose column names are in another array are read by these names', () => {
  const doc = parseJson('{"fields":["cik","name"],"data":[[1,"A"],[2,"B"]]}')
  assert.deepEqual(
    doc.table('fields', 'data').map((line) => line.cik('cik')),
    ['0000000001', '0000000002'],
  )
  assert.deepEqual(doc.unread(), ['/data/*/name'])
  assert.throws(() => parseJson('{"f":["a"],"d":[[1,2]]}').table('f', 'd'), /\/d\/0 has 2 values for 1 fields/)
  assert.throws(() => parseJson('{"f":["a","a"],"d":[]}').table('f', 'd'), /\/f has a name twice/)
})
