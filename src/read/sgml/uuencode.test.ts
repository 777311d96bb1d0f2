/** @alone the memory of its process is measured */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryInUse } from '../../../test/support/memory.ts'
import { Uudecoder } from './uuencode.ts'

/** Standard uuencode with 45 bytes a line; `zero` is the character for zero. */
function uuencode(bytes: Buffer, { zero = '`', trim = false, eol = '\n' } = {}): string {
  const char = (n: number) => (n === 0 ? zero : String.fromCharCode(n + 32))
  const lines = ['begin 644 x.bin']
  for (let at = 0; at < bytes.length; at += 45) {
    const part = bytes.subarray(at, at + 45)
    let line = char(part.length)
    for (let k = 0; k < part.length; k += 3) {
      const [a = 0, b = 0, c = 0] = part.subarray(k, k + 3)
      line += char(a >> 2) + char(((a & 3) << 4) | (b >> 4)) + char(((b & 15) << 2) | (c >> 6)) + char(c & 63)
    }
    lines.push(trim ? line.trimEnd() : line)
  }
  return [...lines, trim ? '' : zero, 'end', ''].join(eol)
}

function decode(text: string, chunk = text.length): { bytes: Buffer; decoder: Uudecoder } {
  const decoder = new Uudecoder()
  const source = Buffer.from(text, 'latin1')
  const parts: Buffer[] = []
  for (let at = 0; at < source.length; at += chunk)
    parts.push(Buffer.from(decoder.feed(source.subarray(at, at + chunk))))
  parts.push(decoder.finish())
  return { bytes: Buffer.concat(parts), decoder }
}

const every = Buffer.from(Array.from({ length: 3000 }, (_, n) => (n * 7 + (n >> 8) * 31) & 255))
const zeros = Buffer.concat([every.subarray(0, 100), Buffer.alloc(200), every.subarray(0, 77)])

for (const zero of ['`', ' ']) {
  for (const eol of ['\n', '\r\n', '\r']) {
    test(`lines with zero as "${zero}" and with line ends ${JSON.stringify(eol)} decode to the same bytes`, () => {
      assert.deepEqual(decode(uuencode(every, { zero, eol })).bytes, every)
      assert.deepEqual(decode(uuencode(zeros, { zero, eol })).bytes, zeros)
    })
  }
}

test('lines whose trailing blanks were trimmed are padded to their declared length', () => {
  const text = uuencode(zeros, { zero: ' ', trim: true })
  assert.match(text, /^M$/m)
  const { bytes, decoder } = decode(text)
  assert.deepEqual(bytes, zeros)
  assert.equal(decoder.badLines, 0)
})

test('lines that consist only of trimmed zeros decode to their declared length', () => {
  const { bytes } = decode(`begin 644 z\n${'M\n'.repeat(10_000)}\nend\n`)
  assert.equal(bytes.length, 450_000)
  assert.ok(bytes.every((byte) => byte === 0))
})

test('decoding does not depend on the size of the chunks', () => {
  const text = uuencode(zeros, { zero: ' ', trim: true }) + uuencode(every)
  for (const size of [1, 2, 7, 61, 62, 63, 64]) assert.deepEqual(decode(text, size).bytes, decode(text).bytes)
})

test('does not decode text before begin and after end', () => {
  const { bytes, decoder } = decode(`<PDF>\n${uuencode(Buffer.from('cat'))}</PDF>\n#0V%T\n`)
  assert.equal(bytes.toString(), 'cat')
  assert.ok(decoder.ended)
})

test('a text without an end line is decoded, but does not count as whole', () => {
  const { bytes, decoder } = decode('begin 644 x\n#0V%T\n')
  assert.equal(bytes.toString(), 'Cat')
  assert.equal(decoder.ended, false)
})

test('ignores characters after the declared length of a line, such as checksums', () => {
  assert.equal(decode('begin 644 x\n#0V%Tz\n`\nend\n').bytes.toString(), 'Cat')
})

test('removes the second dot if mail doubled a dot at the start of a line', () => {
  const fourteen = every.subarray(0, 14)
  const text = uuencode(fourteen)
  assert.deepEqual(decode(text.replace(/^\./m, '..')).bytes, fourteen)
  const dotted = Buffer.concat([Buffer.from([0x38]), every.subarray(0, 13)])
  assert.match(uuencode(dotted), /^\.\./m)
  assert.deepEqual(decode(uuencode(dotted)).bytes, dotted, 'two dots of which one is data')
})

test('counts lines that are not valid uuencode, and does not guess', () => {
  const good = uuencode(every.subarray(0, 90)).split('\n')
  good.splice(2, 0, 'xyz', 'éclair')
  const { bytes, decoder } = decode(good.join('\n'))
  assert.deepEqual(bytes, every.subarray(0, 90))
  assert.equal(decoder.badLines, 2)
  const spoiled = uuencode(every.subarray(0, 90)).replace(/^M..../m, 'M~~~~')
  assert.equal(decode(spoiled).decoder.badLines, 1)
})

test('does not join a trimmed line with the next line, even if both together are as long as a full line', () => {
  // Each `M` line is trimmed. With its line break and the next line, it has the 61 characters of a full line.
  const line = `M${'!'.repeat(20)}`
  const filler = `I${'"'.repeat(38)}`
  const text = `begin 644 x\n${line}\n${filler}\n${line}\n${filler}\n\nend\n`
  assert.equal(text.indexOf('\n', 34), text.indexOf('M') + 61)
  assert.equal(decode(text).bytes.length, 2 * (45 + 41))
})

test('measuring gives the size that decoding gives', () => {
  for (const text of [
    uuencode(every),
    uuencode(zeros, { zero: ' ', trim: true }),
    'begin 644 x\nM\nM!\n~\n#0V%T\nend\n',
  ]) {
    const measure = new Uudecoder({ measure: true })
    measure.feed(Buffer.from(text))
    measure.finish()
    const { bytes, decoder } = decode(text)
    assert.equal(measure.size, bytes.length)
    assert.equal(measure.badLines, decoder.badLines)
  }
})

test('an endless line takes no memory', async () => {
  const decoder = new Uudecoder()
  decoder.feed(Buffer.from('begin 644 x\n'))
  const noise = Buffer.alloc(1 << 20, 'M')
  const before = await memoryInUse()
  for (let n = 0; n < 64; n++) decoder.feed(Buffer.from(noise))
  const more = (await memoryInUse()) - before
  // One piece of output has 0.8 MB; a decoder that kept the whole line would have 64 MB.
  assert.ok(more < 16e6, `${more} bytes more`)
  assert.equal(decoder.feed(Buffer.from('\n')).length, 45)
})
