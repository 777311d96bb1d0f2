/** @alone the memory of its process is measured */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryInUse } from '../../test/support/memory.ts'
import { REFUSED } from '../../test/support/xml/refused.ts'
import { type Element, each, type Limits, parse, parseStream, XmlError } from './xml.ts'

/** The bytes of a text, one for each character, so that tests can write any bytes. */
const bytes = (latin1: string) => Buffer.from(latin1, 'latin1')

async function* chunks(source: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < source.length; at += size) yield source.slice(at, at + size)
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

function fault(run: () => unknown): XmlError {
  try {
    run()
  } catch (error) {
    assert(error instanceof XmlError, String(error))
    return error
  }
  return assert.fail('no error')
}

test('names are local names whatever prefix the root has', () => {
  for (const [prefix, declaration] of [
    ['', 'xmlns="http://www.sec.gov/edgar/rega/oneafiler"'],
    ['n1:', 'xmlns:n1="http://www.sec.gov/edgar/rega/oneafiler"'],
  ]) {
    const root = parse(
      `<${prefix}edgarSubmission ${declaration}><${prefix}cik>1</${prefix}cik></${prefix}edgarSubmission>`,
    )
    assert.equal(root.name, 'edgarSubmission')
    assert.equal(root.one('cik').path, '/edgarSubmission/cik')
    assert.deepEqual(root.unread(), ['/edgarSubmission/cik'])
  }
})

test('`one`, `maybe`, `all` and `texts` follow relative paths through every list', () => {
  const root = parse('<r><list><item>1</item><item> </item></list><list><item>3</item></list><only><x>9</x></only></r>')
  assert.deepEqual(
    root.all('list/item').map((item) => item.text()),
    ['1', null, '3'],
  )
  assert.deepEqual(root.texts('list/item'), ['1', '3'])
  assert.equal(root.one('only').one('x').text(), '9')
  assert.equal(root.text('only/x'), '9')
  assert.equal(root.maybe('none/x'), null)
  assert.deepEqual(root.all('x'), [], 'a path is not searched for further down')
})

test('texts of several paths come path by path, whatever their order in the document', () => {
  const root = parse('<r><b>1</b><a x="2"/><b>3</b><a><c>4</c></a><a> </a></r>')
  assert.deepEqual(root.texts('a/c', 'none', 'b', 'a/@x'), ['4', '1', '3', '2'])
  assert.deepEqual(root.texts('none', 'none/x'), [])
})

test('a path leads to one element even if a step occurs several times, and to no element if no occurrence of a step has the next step', () => {
  const root = parse('<r><a><b>1</b></a><a/><a/></r>')
  assert.deepEqual([root.text('a/b'), root.text('a/c'), root.all('a/b').length], ['1', null, 1])
  assert.match(fault(() => root.text('a')).message, /there are 3/)
})

test('a missing or repeated element is an error that names path, parent and count', () => {
  const root = parse('<r><a><b/><b/></a></r>')
  assert.match(fault(() => root.one('c/d')).message, /one c\/d .* under \/r, there are 0/)
  for (const run of [() => root.one('a/b'), () => root.maybe('a/b'), () => root.text('a/b'), () => root.money('a/b')]) {
    const error = fault(run)
    assert.match(error.message, /one a\/b .* under \/r, there are 2/)
    assert.deepEqual([error.offset, error.line, error.column], [0, 0, 0])
  }
})

test('text is trimmed, and null when absent or blank', () => {
  const root = parse('<r><a>\n  one\n  two </a><b> \u00a0 </b><c/></r>')
  assert.equal(root.text('a'), 'one\n  two')
  assert.deepEqual([root.text('b'), root.text('c'), root.text('d')], [null, null, null])
})

test('text next to child elements stays with the element that contains it, and counts as unread', () => {
  const root = parse('<r><a>before <b>inner</b> after</a></r>')
  assert.deepEqual(root.unread(), ['/r/a', '/r/a/b'])
  assert.equal(root.text('a'), 'before  after')
  assert.deepEqual(root.unread(), ['/r/a/b'])
})

test('blanks between tags are kept if they follow other text of their element, and are dropped otherwise', async () => {
  // The declared encoding is searched for in the first 1,024 bytes; the text after them comes in pieces.
  const text = `<!--${' '.repeat(1_024)}--><r> \n<a>x<b/> \t<b/>\n<b/>y</a> <c> <b/> z<b/> </c>\n<d> <b/>\n </d></r>`
  for (const size of [1, 2, 3, 5_000]) {
    const root = await parseStream(chunks(bytes(text), size))
    assert.deepEqual(
      ['a', 'c', 'd'].map((name) => root.text(name)),
      ['x \t\ny', 'z', null],
      `pieces of ${size}`,
    )
    assert.deepEqual([root.text(), root.unread()], [null, []])
  }
})

test('text, CDATA and references are joined into one text, without the comments', () => {
  const root = parse('<r><a>x <!-- no --><![CDATA[<&> ]]>&amp;&#65;&#x2014;&lt;<?pi no?> z</a></r>')
  assert.equal(root.text('a'), 'x <&> &A—< z')
})

test('a reference to a C1 control is the cp1252 character that was meant', () => {
  const root = parse('<r a="&#150;"><t>Smith&#146;s &#x93;A&#x94;</t></r>')
  assert.equal(root.text('t'), 'Smith’s “A”')
  assert.equal(root.attribute('a'), '–')
})

test('attributes are read by local name, as the last step of a path too', () => {
  const root = parse('<r xmlns:x="u" x:kind=" A "><c curCd="EUR" exchangeRt="1.0850"/></r>')
  assert.equal(root.attribute('kind'), 'A')
  assert.equal(root.attribute('none'), null)
  assert.equal(root.text('c/@curCd'), 'EUR')
  assert.equal(root.money('c/@exchangeRt'), '1.085')
  assert.deepEqual(root.texts('c/@curCd'), ['EUR'])
  assert.deepEqual(root.unread(), [])
})

test('attributes() returns the attributes that are not blank, and null if all are blank; of two attributes with one local name it returns the first', () => {
  const root = parse(
    '<r xmlns:x="u"><i b=" 2 " x:a="1" a="3" e=" "/><i a="4" x:a="5"/><i e=""/><i/><i xmlns:y="v"/><i x:constructor="6"/></r>',
  )
  const found = root.all('i').map((element) => element.attributes())
  assert.deepEqual(found.slice(0, 5), [{ b: '2', a: '1' }, { a: '4' }, null, null, null])
  assert.deepEqual(Object.keys(found[0]!), ['b', 'a'], 'the members have the order of the document')
  assert.deepEqual(
    Object.entries(found[5]!),
    [['constructor', '6']],
    'every object of JavaScript has a member of this name',
  )
  assert.deepEqual(root.unread(), [])
})

test('reading attributes of an element does not mark the same attributes of another element as read', () => {
  const root = parse('<r><i a="1" b="2"/><i a="3" b="4"/><i a="5" b="6"/></r>')
  const [first, second, third] = root.all('i')
  assert.deepEqual([first!.attribute('b'), second!.attributes(), first!.attribute('b')], ['2', { a: '3', b: '4' }, '2'])
  assert.deepEqual([first!.unread(), second!.unread(), third!.unread()], [['/r/i/@a'], [], ['/r/i/@a', '/r/i/@b']])
  root.ignore('i')
  assert.deepEqual(root.unread(), [])
})

test('`maybeEach` returns the result of `maybe` for each name, and throws the same error if an element is repeated', () => {
  const names = ['c', 'none', 'a']
  const root = parse('<r><a n="1"/><x/><x/><c n="2"/><b/></r>')
  const found = root.maybeEach(names)
  assert.deepEqual(
    found.map((element) => element?.attribute('n') ?? null),
    ['2', null, '1'],
  )
  found[0]!.problem('2', 'is none')
  assert.equal(root.problems().length, 1, 'a record shares the list of problems with its document')
  const twice = parse('<r><a/><c/><a/><a/></r>')
  assert.throws(
    () => twice.maybeEach(names),
    errorOf(() => twice.maybe('a')),
  )
})

function errorOf(work: () => unknown): Error {
  try {
    work()
  } catch (error) {
    return error as Error
  }
  return assert.fail('nothing was thrown')
}

test('`unread` lists the distinct paths of texts and attributes that were neither read nor ignored, sorted', () => {
  const source = `<r xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns="u" xsi:schemaLocation="u u.xsd">
    <z>1</z><b id="7"><c>1</c></b><b id="8"><c>2</c></b><blank> </blank><nil xsi:nil="true"/><empty e=""/>
    <sig><name>N</name><more at="x"><deep>d</deep></more></sig></r>`
  const all = ['/r/b/@id', '/r/b/c', '/r/sig/more/@at', '/r/sig/more/deep', '/r/sig/name', '/r/z']
  const root = parse(source)
  assert.deepEqual(root.unread(), all)
  assert.deepEqual(root.all('b')[1]!.unread(), ['/r/b/@id', '/r/b/c'])
  root.ignore('sig', 'absent/path', 'b/@id')
  assert.deepEqual(root.unread(), ['/r/b/c', '/r/z'])
  root.all('b')[0]!.text('c')
  assert.deepEqual(root.unread(), ['/r/b/c', '/r/z'], 'the second c is still unread')
  root.texts('b/c')
  root.text('z')
  assert.deepEqual(root.unread(), [])
})

const readings: { [R in 'money' | 'integer' | 'flag' | 'date']: [string, string | number | boolean | null][] } = {
  money: [
    ['1,000.50', '1000.5'],
    ['75000000.00', '75000000'],
    ['$5', '5'],
    ['.5', '0.5'],
    ['-3', '-3'],
    ['-$3', '-3'],
    ['$-3.10', '-3.1'],
    ['+7', '7'],
    ['007', '7'],
    ['5.', '5'],
    ['-0.00', '0'],
    ['.000000000000', '0'],
    ['12345678901234567890.12', '12345678901234567890.12'],
    ['1,234,567', '1234567'],
    ['1e3', '1000'],
    ['1E+03', null],
    ['1,5', null],
    ['12,34', null],
    ['.', null],
    ['-', null],
    ['--1', null],
    ['-$-1', null],
    ['1 000', null],
    ['N/A', null],
    ['NaN', null],
    ['Infinity', null],
    ['0x10', null],
    ['9'.repeat(65), null],
  ],
  integer: [
    ['42', 42],
    ['-1', -1],
    ['1,000', 1000],
    ['10.00', 10],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', null],
    ['1e3', 1000],
    ['1.5', null],
    ['1E+03', null],
    ['ten', null],
  ],
  flag: [
    ['true', true],
    ['TRUE', true],
    ['1', true],
    ['y', true],
    ['Yes', true],
    ['false', false],
    ['0', false],
    ['N', false],
    ['no', false],
    ['2', null],
    ['maybe', null],
  ],
  date: [
    ['2024-01-05', '2024-01-05'],
    ['2024-01-05-05:00', '2024-01-05'],
    ['2024-01-05Z', '2024-01-05'],
    ['2024-01-05T00:00:00', '2024-01-05'],
    ['2024-01-05T23:59:59.999-05:00', '2024-01-05'],
    ['2024-02-29', '2024-02-29'],
    ['2023-02-29', null],
    ['2024-04-31', null],
    ['2024-13-01', null],
    ['2024-00-10', null],
    ['0000-01-01', null],
    ['01-05-2024', null],
    ['2024-1-5', null],
    ['20240105', null],
    ['2024-01-05 or so', null],
  ],
}

for (const kind of ['money', 'integer', 'flag', 'date'] as const) {
  test(`${kind} reads unambiguous values; any other value gives null and a problem with path, value and reason`, () => {
    for (const [text, value] of readings[kind]) {
      const root = parse(`<r><v> ${text} </v><own>${text}</own></r>`)
      assert.equal(root[kind]('v'), value, text)
      assert.equal(root.one('own')[kind](), value, text)
      const problems = root.problems()
      assert.deepEqual(
        problems.map(({ path, value }) => [path, value]),
        value === null
          ? [
              ['/r/v', text],
              ['/r/own', text],
            ]
          : [],
      )
      assert(problems.every(({ reason }) => reason !== ''))
      assert.deepEqual(root.unread(), [], 'an unreadable value was read')
    }
    const root = parse('<r><v> </v></r>')
    assert.deepEqual([root[kind]('v'), root[kind]('absent'), root.problems()], [null, null, []])
  })
}

test('dates of 13F, 13D and X-17A-5 are month first, with dashes or slashes', () => {
  const read = (text: string) => parse(`<r>${text}</r>`).date(undefined, 'mdy')
  assert.deepEqual(['12-31-2025', '12/31/2025', '02-29-2024'].map(read), ['2025-12-31', '2025-12-31', '2024-02-29'])
  // The SEC's schemas allow one digit for month and day.
  assert.deepEqual(['1/5/2024', '1-15-2024'].map(read), ['2024-01-05', '2024-01-15'])
  assert.deepEqual(['31-12-2025', '02/30/2024', '12-31/2025', '2025-12-31', '1/5/24'].map(read), [
    null,
    null,
    null,
    null,
    null,
  ])
})

test('words that mean null give null without a problem, in upper and lower case', () => {
  const root = parse('<r><a>Indefinite</a><b>XXXX</b><c>n/a</c></r>')
  assert.equal(root.money('a', ['Indefinite']), null)
  assert.equal(root.money('b', ['XXXX']), null)
  assert.equal(root.integer('c', ['N/A']), null)
  assert.deepEqual(root.problems(), [])
  assert.equal(root.money('c', ['None', 'NA']), null)
  assert.deepEqual(root.problems(), [{ path: '/r/c', value: 'n/a', reason: 'not a decimal number' }])
})

test('problems are recorded anywhere in a document, as plain JSON with bounded values', () => {
  const root = parse('<r><a><b>x</b></a></r>')
  root.one('a/b').problem('y'.repeat(1_000), 'too odd')
  root.one('a').integer('b')
  assert.deepEqual(JSON.parse(JSON.stringify(root.one('a/b').problems())), [
    { path: '/r/a/b', value: 'y'.repeat(200), reason: 'too odd' },
    { path: '/r/a/b', value: 'x', reason: 'not an integer' },
  ])
})

for (const [what, source, message] of REFUSED) {
  test(`${what} is refused`, () => {
    const error = fault(() => parse(source))
    assert.match(error.message, message)
    assert(error.line >= 1 && error.offset <= source.length)
  })
}

test('a file cut off anywhere is an error with its byte offset', () => {
  const source = Buffer.from('<?xml version="1.0"?>\n<r a="é">\n <b>Müller</b><c/><!-- x --><![CDATA[y]]>\n</r>')
  for (let length = 0; length < source.length; length++) {
    const error = fault(() => parse(source.subarray(0, length)))
    assert.equal(error.offset, length, error.message)
  }
  const error = fault(() => parse(source.subarray(0, source.indexOf('ller'))))
  assert.match(error.message, /cut off.* in \/r\/b/)
  assert.deepEqual([error.line, error.column], [3, 6])
})

test('offsets are bytes in every encoding, and characters of a string', () => {
  const at = (source: string | Uint8Array) => {
    const { offset, line, column } = fault(() => parse(source))
    return [offset, line, column]
  }
  assert.deepEqual(at('<r>€😀é\x01'), [8, 1, 7])
  assert.deepEqual(at(Buffer.from('<r>€😀é\x01')), [13, 1, 7])
  assert.deepEqual(at(bytes('<r>\x80\xe9\x01')), [6, 1, 6])
  assert.deepEqual(at(bytes('<r>\x93\xe2\x82\xac\xf0\x9f\x98\x80\x94\x01')), [13, 1, 8])
  const long = `<r>${'\n<a>é</a>'.repeat(30_000)}<b></r>`
  const fine = Buffer.from(long).length
  assert.deepEqual(at(Buffer.from(long)), [fine, 30_001, 15])
})

test('a newline, white space or a BOM before the XML declaration is allowed, and counts in lines and offsets', () => {
  const cut = '<?xml version="1.0" encoding="UTF-8"?><r>\n&x;</r>'
  for (const lead of ['\n', '\r\n\r\n', '\ufeff', '\ufeff\n', ' \n\t', '\n'.repeat(900)]) {
    const lines = lead.split('\n').length
    for (const source of [lead + cut, Buffer.from(lead + cut)]) {
      assert.equal(
        parse(
          typeof source === 'string' ? source.replace('&x;', 'x') : Buffer.from(source.toString().replace('&x;', 'x')),
        ).text(),
        'x',
      )
      const error = fault(() => parse(source))
      assert.deepEqual([error.line, error.offset], [lines + 1, source.indexOf('&x;') + 3])
    }
  }
})

test('bytes that are valid UTF-8 are UTF-8, others are cp1252', () => {
  const text = (content: string, declared?: string) =>
    parse(bytes(`${declared ? `<?xml version="1.0" encoding="${declared}"?>` : ''}<r>|${content}|</r>`)).text()
  assert.equal(text('M\xc3\xbcller \xe2\x82\xac'), '|Müller €|')
  assert.equal(text('M\xfcller\x92s \x80'), '|Müller’s €|')
  assert.equal(text('M\xfcller\x92s', 'UTF-8'), '|Müller’s|', 'a wrong declaration')
  assert.equal(text('M\xc3\xbcller\x92s'), '|Müller’s|', 'a paste of both')
  assert.equal(text('M\xfcller\x92s', 'ISO-8859-1'), '|Müller’s|')
  assert.equal(text('M\xc3\xbcller', 'iso-8859-1'), '|Müller|', 'no name has "Ã¼" in it')
  assert.equal(text('\x93\x94', 'windows-1252'), '|“”|')
  for (const invalid of ['\xc0\xaf', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\xe2\x82', '\xff']) {
    assert(!text(invalid)!.includes('\ufffd'), 'no byte is replaced')
    assert.equal(text(invalid)!.length, invalid.length + 2)
  }
})

test('cp1252 has its 27 characters between 0x80 and 0x9F', () => {
  const codes = Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index)
  const wanted = new TextDecoder('windows-1252').decode(codes, { stream: true })
  assert(wanted.startsWith('€\x81‚ƒ'), 'the expected characters of the test are right')
  const source = Buffer.concat([bytes('<?xml version="1.0" encoding="ISO-8859-1"?><r>|'), codes, bytes('|</r>')])
  assert.equal(parse(source).text(), `|${wanted}|`)
})

/** Reads a document with these bytes and this declared encoding, and returns its text and its problems. */
function declared(encoding: string, content: Buffer | string) {
  const body = typeof content === 'string' ? bytes(content) : content
  const source = Buffer.concat([bytes(`<?xml version="1.0" encoding="${encoding}"?>\n<r>`), body, bytes('</r>')])
  const root = parse(source)
  return { text: root.text(), notes: root.problems().map(({ value }) => value), source }
}

test('a declared encoding that the bytes contradict is noted, and the bytes decide', () => {
  for (const name of ['UTF-16', 'utf-16le', 'UCS-2', 'ISO-10646-UCS-2', 'UTF-32', 'csUnicode']) {
    const { text, notes } = declared(name, 'Soci\xe9t\xe9 \x96 M\xc3\xbcller')
    assert.deepEqual([text, notes], ['Société – Müller', [name]])
    assert.deepEqual(declared(name, 'plain').notes, [name], 'also for a text of ASCII')
  }
  for (const name of ['UTF-8', 'utf8', 'US-ASCII', 'UTF 8']) {
    assert.deepEqual(declared(name, 'M\xfcller\x92s').text, 'Müller’s', name)
    assert.deepEqual(declared(name, 'M\xfcller').notes, [name])
    assert.deepEqual(declared(name, 'plain').notes, [])
  }
  for (const name of [
    'ISO-8859-1',
    'latin1',
    'windows-1252',
    'ISO-8859-2',
    'ISO_8859-15',
    'Windows 1250',
    'macintosh',
  ]) {
    const { text, notes } = declared(name, Buffer.from('Müller, Société, Dvořák’s Łódź – Ελλάδα, Россия, 東京 😀'))
    assert.deepEqual([text, notes], ['Müller, Société, Dvořák’s Łódź – Ελλάδα, Россия, 東京 😀', [name]])
  }
  for (const name of ['Shift_JIS', 'GBK', 'Big5', 'EUC-KR']) {
    assert.deepEqual(declared(name, Buffer.from('Müller 東京')).notes, [name])
    assert.equal(declared(name, Buffer.from('Müller 東京')).text, 'Müller 東京', name)
    assert.equal(declared(name, 'M\xff\xff\xe9').text, 'Mÿÿé', name)
  }
  for (const name of ['', ' ', 'none', 'x-user-defined', 'ISO-2022-KR', 'ISO-8859-99', 'x-user', '8859', 'UTF-7']) {
    assert.equal(declared(name, 'M\xfcller \x80').text, 'Müller €', name)
    assert.equal(declared(name, Buffer.from('Müller')).text, 'Müller', name)
    assert.deepEqual(declared(name, 'plain').notes, [])
  }
})

test('uses the declared encoding if the bytes do not decide, even if its name is misspelt', () => {
  for (const [names, content, text] of [
    [
      ['ISO-8859-1', 'latin-1', 'iso8859_1', 'cp1252', 'Windows-1252'],
      'CAF\xc9\xae NESTL\xc9\x99 \x80',
      'CAFÉ® NESTLÉ™ €',
    ],
    [
      ['ISO-8859-2', 'iso 8859 2', 'ISO8859-2', 'latin2', 'Latin-2', 'L2'],
      'Dvo\xf8\xe1k \xa3\xf3d\xbc \x96',
      'Dvořák Łódź –',
    ],
    [['ISO-8859-15', 'iso_8859_15', 'latin9', 'Latin-9'], '\xa4 \xbduvre', '€ œuvre'],
    [['ISO-8859-5'], '\xc0\xde\xe1\xe1\xd8\xef', 'Россия'],
    [['ISO-8859-7'], '\xc5\xeb\xeb\xdc\xe4\xe1', 'Ελλάδα'],
    [['ISO-8859-9'], '\xdd\xfe', 'İş'],
    [['windows-1250', 'cp1250', 'Win-1250'], 'Dvo\xf8\xe1k \x8a\x9e', 'Dvořák Šž'],
    [['windows-1251', 'CP-1251'], '\xd0\xee\xf1\xf1\xe8\xff \x96 \xc3\xbb', 'Россия – Г»'],
    [['macintosh', 'x-mac-roman', 'Mac'], 'Soci\x8et\x8e \xd0 \xdb', 'Société – €'],
    [['Shift_JIS'], '\x93\x8c\x8b\x9e', '東京'],
  ] as const) {
    for (const name of names) {
      const found = declared(name, content)
      assert.deepEqual([found.text, found.notes], [text, []], name)
    }
  }
})

test('a UTF-8 byte order mark, or ASCII letters next to a UTF-8 sequence, outweigh a declared non-Latin alphabet', () => {
  for (const name of ['ISO-8859-5', 'ISO-8859-7', 'ISO-8859-11', 'windows-1251', 'windows-1255', 'KOI8-R']) {
    for (const mark of ['', '\ufeff']) {
      const source = Buffer.from(`${mark}<?xml version="1.0" encoding="${name}"?><r><a>CAFÉ Ångström</a></r>`)
      assert.equal(parse(source).one('a').text(), 'CAFÉ Ångström', name)
    }
  }
})

test('reads UTF-16 with and without a byte order mark, whatever is declared, and skips an invalid mark', async () => {
  const text = '<?xml version="1.0" encoding="UTF-8"?>\r\n<r><a>Müller – Ł 😀</a></r>'
  const little = Buffer.from(text, 'utf16le')
  const big = Buffer.from(little).swap16()
  const mark = Buffer.from([0xff, 0xfe])
  for (const source of [Buffer.concat([mark, little]), little, big, Buffer.concat([Buffer.from(mark).swap16(), big])]) {
    const root = parse(source)
    assert.equal(root.one('a').text(), 'Müller – Ł 😀')
    assert.deepEqual(
      root.problems().map(({ value }) => value),
      ['UTF-8'],
    )
    for (const size of [1, 3, 64]) {
      const [a] = await collect(each(chunks(source, size), 'a'))
      assert.deepEqual([a!.text(), a!.problems().length], ['Müller – Ł 😀', 1], `chunks of ${size}`)
    }
  }
  for (const wrong of [mark, Buffer.from(mark).swap16()]) {
    assert.equal(parse(Buffer.concat([wrong, bytes('<r>M\xfcller</r>')])).text(), 'Müller')
    assert.equal(parse(Buffer.concat([wrong, Buffer.from('<r>Müller</r>')])).text(), 'Müller')
  }
  assert.equal(parse(Buffer.concat([Buffer.from('\ufeff'), bytes('<r>M\xfcller</r>')])).text(), 'Müller')
  const half = Buffer.concat([Buffer.from('<r>', 'utf16le'), Buffer.from([0x3d, 0xd8]), Buffer.from('</r>', 'utf16le')])
  assert.equal(parse(half).text(), '\ufffd')
  const error = fault(() => parse(Buffer.from('<r>\n&x;</r>', 'utf16le')))
  assert.deepEqual([error.line, error.offset], [2, 14])
})

test('UTF-32 is refused, and the error names it', () => {
  const wide = (text: string) => Buffer.concat([...text].map((char) => Buffer.from([char.charCodeAt(0), 0, 0, 0])))
  assert.match(fault(() => parse(wide('<r/>'))).message, /UTF-32/)
  assert.match(
    fault(() => parse(Buffer.concat([Buffer.from([0, 0, 0xfe, 0xff]), wide('<r/>').swap32()]))).message,
    /UTF-32/,
  )
})

test('records in a declared encoding are the same wherever chunks end, and a contradiction by the bytes is reported once', async () => {
  const head = '<?xml version="1.0" encoding="ISO-8859-2"?><t><a>plain</a>'
  const source = Buffer.concat([bytes(head), Buffer.from('<a>Ελλάδα Müller</a>'), bytes('<a>Dvo\xf8\xe1k</a></t>')])
  for (const size of [1, 2, 5, 33, source.length]) {
    const records = await collect(each(chunks(source, size), 'a'))
    assert.deepEqual(
      records.map((a) => a.text()),
      ['plain', 'Ελλάδα Müller', 'Dvořák'],
    )
    assert.equal(records.flatMap((a) => a.problems()).length, 1)
  }
  const long = Buffer.concat([
    bytes('<?xml version="1.0" encoding="ISO-8859-5"?><r>'),
    Buffer.alloc(5_000, 0xd0),
    bytes('</r>'),
  ])
  for (const size of [1, 100, 3_000]) {
    const [root] = await collect(each(chunks(long, size), 'r'))
    assert.equal(root!.text(), 'а'.repeat(5_000))
  }
})

test('depth and size have limits', async () => {
  const nested = (depth: number) => '<a>'.repeat(depth) + '</a>'.repeat(depth)
  assert.equal(parse(nested(100)).name, 'a')
  assert.match(fault(() => parse(nested(101))).message, /more than 100 deep/)
  assert.equal(parse(nested(300), { depthMax: 300 }).name, 'a')
  const source = Buffer.from('<r><a/><a/></r>')
  const limits: Limits = { sizeMax: source.length }
  assert.equal(parse(source, limits).all('a').length, 2)
  assert.match(fault(() => parse(source, { sizeMax: source.length - 1 })).message, /larger than 14 bytes/)
  const longTag = `<r a="${'x'.repeat(1_100_000)}"/>`
  for (const whole of [longTag, Buffer.from(longTag)]) assert.match(fault(() => parse(whole)).message, /tag is longer/)
  await assert.rejects(collect(each(chunks(source, 4), 'a', { sizeMax: 14 })), /larger than 14 bytes/)
  await assert.rejects(collect(each(chunks(Buffer.from(nested(101)), 9), 'none')), /more than 100 deep/)
})

/** All facts that an element gives, in one value. */
const tree = (element: Element, names: string[]): unknown => [
  element.path,
  element.text(),
  element.unread(),
  names.map((name) => element.attribute(name)),
  names.map((name) => element.all(name).map((child) => tree(child, names))),
]

const TABLE = `\n<?xml version="1.0" encoding="UTF-8"?>\r\n<n:t xmlns:n="u" xmlns:xsi="v" xsi:schemaLocation="u">
 <head>Müller &amp; Söhne</head>
 ${['Ü', '€uro', '😀 &#8364;', 'a]]&gt;b', '<![CDATA[<c>&é]]>', 'two\r\nlines']
   .map(
     (name, index) =>
       `<n:item id="${index}é"><name>${name}</name><!-- – --><sub><item>${index}</item></sub></n:item>\r\n`,
   )
   .join('')}<tail/></n:t>\n`

test('`each` gives the same elements as `parse`, whatever the chunk boundaries are', async () => {
  const names = ['id', 'name', 'sub', 'item']
  const cp1252 = bytes(
    TABLE.normalize('NFC')
      .replace(/[^\x00-\xff]/g, '\x80')
      .replace('UTF-8', 'ISO-8859-1'),
  )
  const mixed = Buffer.concat([Buffer.from(TABLE.slice(0, -'</n:t>\n'.length)), bytes('<x>\x93\xc3\x94</x></n:t>')])
  for (const source of [Buffer.from(TABLE), cp1252, mixed]) {
    const wanted = parse(source).all('item')
    const expected = JSON.stringify(wanted.map((item) => tree(item, names)))
    assert.equal(wanted.length, 6)
    for (const size of [1, 2, 3, 5, 7, 64, 1_000, source.length]) {
      const records = await collect(each(chunks(source, size), 'item'))
      assert.equal(JSON.stringify(records.map((item) => tree(item, names))), expected, `chunks of ${size}`)
    }
    for (let cut = 1; cut < source.length; cut++) {
      const halves = async function* () {
        yield source.subarray(0, cut)
        yield source.subarray(cut)
      }
      const texts = (await collect(each(halves(), 'name'))).map((name) => name.text())
      assert.deepEqual(
        texts,
        wanted.map((item) => item.text('name')),
        `cut at ${cut}`,
      )
    }
  }
})

test('`each` yields the outermost of nested records, and no record if the document has none', async () => {
  const source = Buffer.from('<a><a><b>1</b></a></a>')
  const [record, ...rest] = await collect(each(chunks(source, 3), 'a'))
  assert.deepEqual([record!.path, rest.length, record!.text('a/b')], ['/a', 0, '1'])
  assert.deepEqual(await collect(each(chunks(source, 3), 'c')), [])
})

test('`each` yields the records before an error in the document, then throws the error with its byte offset', async () => {
  const source = Buffer.from('<t><r>é</r><r>2</r><r>3</t>')
  for (const size of [1, 4, source.length]) {
    const seen: (string | null)[] = []
    await assert.rejects(
      async () => {
        for await (const record of each(chunks(source, size), 'r')) seen.push(record.text())
      },
      (error) => error instanceof XmlError && error.offset === source.length,
    )
    assert.deepEqual(seen.slice(0, 2), ['é', '2'])
  }
  await assert.rejects(collect(each(chunks(source.subarray(0, 15), 4), 'r')), { name: 'XmlError', offset: 15 })
})

test('the records that `each` yields keep their own problems', async () => {
  const records = await collect(each(chunks(Buffer.from('<t><r>x</r><r>1</r></t>'), 5), 'r'))
  assert.deepEqual(
    records.map((record) => [record.integer(), record.problems().length]),
    [
      [null, 1],
      [1, 0],
    ],
  )
})

test('`each` accepts several names, and collects the paths of texts and attributes outside the elements', async () => {
  const source =
    '<t a="1" xmlns:p="urn:p"><head>x</head>\n <list p:b=""><r>1</r><r><head>in</head></r> lost </list><new c="2"><d>y</d></new></t>'
  for (const size of [1, 7, 1_000]) {
    const outside = new Set<string>()
    const found = await collect(each(chunks(Buffer.from(source), size), ['head', 'r'], { outside }))
    assert.deepEqual(
      found.map((record) => [record.path, record.text() ?? record.text('head')]),
      [
        ['/t/head', 'x'],
        ['/t/list/r', '1'],
        ['/t/list/r', 'in'],
      ],
    )
    assert.deepEqual([...outside].sort(), ['/t/@a', '/t/list', '/t/new/@c', '/t/new/d'])
  }
})

test('`each` closes its stream when the code that reads the records stops early', async () => {
  let closed = false
  async function* stream() {
    try {
      for (;;) yield Buffer.from(closed ? '' : '<t><r/><r/>')
    } finally {
      closed = true
    }
  }
  for await (const record of each(stream(), 'r')) {
    assert.equal(record.name, 'r')
    break
  }
  assert(closed)
})

test('keeps names of a document for the next document, but not the texts from which they were cut', async () => {
  const before = await memoryInUse()
  for (let at = 0; at < 500; at++) {
    const name = `aNameOfMoreThanAFewLetters${at}`
    parse(`<r><${name} ${name}="1">${'x'.repeat(60_000)}</${name}></r>`)
  }
  const kept = (await memoryInUse()) - before
  assert(kept < 4e6, `${kept} bytes are kept of 30,000,000`)
})

test('`each` keeps only a bounded part of a large document in memory, whatever the chunks are', async () => {
  const record = `<r id="1"><name>${'A Long Name of an Issuer '.repeat(4)}</name><value>1234567</value></r>\n`
  const count = 100_000
  const source = Buffer.from(`<t>${record.repeat(count)}</t>`)
  for (const size of [100_000, source.length]) {
    let records = 0
    let most = 0
    const before = await memoryInUse()
    for await (const element of each(chunks(source, size), 'r')) {
      records += element.integer('value') === 1_234_567 ? 1 : 0
      if (records % 20_000 === 1) most = Math.max(most, (await memoryInUse()) - before)
    }
    assert.equal(records, count)
    // 0.6 MB were measured; the text that must not be kept has 15 MB.
    assert(most < 5e6, `${most} bytes were held of ${source.length}`)
  }
})

test('a document of ever new names is refused before it fills the memory', async () => {
  async function* stream(tags: (index: number) => string) {
    yield Buffer.from('<t>')
    for (let at = 0; ; at += 500) {
      yield Buffer.from(Array.from({ length: 500 }, (_, index) => tags(at + index)).join(''))
    }
  }
  await assert.rejects(
    collect(
      each(
        stream((index) => `<a${index}/>`),
        'r',
      ),
    ),
    /more than 10000 paths/,
  )
  await assert.rejects(
    collect(
      each(
        stream((index) => `<a b${index}=""/>`),
        'r',
      ),
    ),
    /more than 10000 paths/,
  )
})

test('a document is read or refused in the same way, whatever is read before it or at the same time', async () => {
  const many = (count: number) => `<t>${Array.from({ length: count }, (_, index) => `<a${index}/>`).join('')}</t>`
  for (let time = 0; time < 3; time++) {
    assert.equal(parse(many(9_999)).name, 't')
    assert.match(fault(() => parse(many(10_000))).message, /more than 10000 paths/)
    assert.match(fault(() => parse('<r><a:b/></r>')).message, /unbound prefix a/)
    assert.equal(parse('<r xmlns:a="u"><a:b x="1">2</a:b></r>').text('b'), '2')
    assert.match(fault(() => parse('<r><a:b x="1"/></r>')).message, /unbound prefix a/)
  }
  const record = (index: number) => `<a:r n="${index}"><v>${index}</v></a:r>`
  const source = (root: string) =>
    Buffer.from(`${root}${Array.from({ length: 500 }, (_, n) => record(n)).join('')}</t>`)
  const good = each(chunks(source('<t xmlns:a="u">'), 100), 'r')
  const bad = each(chunks(source('<t>'), 100), 'r')
  await assert.rejects(bad.next(), /unbound prefix a/)
  const other = each(chunks(source('<t xmlns:a="v">'), 70), 'r')
  for (let at = 0; at < 500; at++) {
    for (const stream of [good, other]) {
      const { value } = await stream.next()
      assert.deepEqual([value.integer('v'), value.integer('@n'), value.path], [at, at, '/t/r'])
    }
  }
})

test('lines and columns are the same in whatever pieces a document comes', async () => {
  const head = `<!-- ${'x'.repeat(1_100)}\r\n-->\r<r a="1\r\n2\r3"\r\n>\r\r\n\n<![CDATA[\r\nc\r]]>t\r\nu\rv<?p \r\n?></r\r\n>`
  for (const tail of ['\r\nx', '\rx', '\n\r\r\nx', '<x/>']) {
    const source = Buffer.from(head + tail)
    const { line, column } = fault(() => parse(source))
    const wanted = (head + tail.slice(0, -1)).split(/\r\n?|\n/)
    assert.equal(line, wanted.length, tail)
    for (const size of [1, 2, 3, 5, 64]) {
      await assert.rejects(collect(each(chunks(source, size), 'none')), { line, column })
    }
  }
})

test('`filled` leaves out elements that have no text and no attribute at any depth, also if they are nil', () => {
  const list = parse(
    `<list xmlns:x="http://www.w3.org/2001/XMLSchema-instance"><one/><one> <part> </part></one><one a=" "/><one x:nil="true"/>
     <one><part><leaf>1</leaf></part></one><one a="2"/><one x:nil="true" b="3"/><one>4</one></list>`,
  )
  assert.equal(list.all('one').length, 8)
  assert.deepEqual(
    list.filled('one').map((one) => one.text('part/leaf') ?? one.text('@a') ?? one.text('@b') ?? one.text()),
    ['1', '2', '3', '4'],
  )
  assert.deepEqual([list.isBlank(), list.all('one')[1]!.isBlank()], [false, true])
})

test('a box that is absent or blank is not ticked, and one that is neither true nor false is null and reported', () => {
  const form = parse('<form><yes>1</yes><no>N</no><blank> </blank><wrong>maybe</wrong></form>')
  assert.deepEqual(
    ['yes', 'no', 'blank', 'absent', 'wrong'].map((path) => form.ticked(path)),
    [true, false, false, false, null],
  )
  assert.deepEqual(form.problems(), [{ path: '/form/wrong', value: 'maybe', reason: 'neither true nor false' }])
})
