/** The limit of PDFium's memory, and the texts for its character codes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLibrary } from './library.ts'
import { isBlank, symbolOf } from './symbols.ts'

test('PDFium gets no more memory than its limit, and the library reports a refused request', async () => {
  const pdf = await openLibrary(40_000_000)
  const at = pdf.put(new Uint8Array(1_000_000))
  assert.equal(pdf.refused(), false)
  assert.throws(() => pdf.put(new Uint8Array(60_000_000)), /^Error: there is not enough memory for the file$/)
  assert.equal(pdf.refused(), true)
  assert.ok(pdf.held() <= 40_000_000)
  pdf.free(at)
})

test('makes new views of the memory after the memory has grown', async () => {
  const pdf = await openLibrary(200_000_000)
  const [floats, doubles] = [pdf.allFloats(), pdf.allDoubles()]
  pdf.put(new Uint8Array(60_000_000))
  assert.equal(floats.length, 0)
  assert.equal(doubles.length, 0)
  assert.equal(pdf.allFloats().byteLength, pdf.held())
  assert.equal(pdf.allDoubles().byteLength, pdf.held())
})

test('codes of symbol fonts become the characters that they draw', () => {
  assert.deepEqual(
    [0xf0b7, 0xf0a7, 0xf0d8, 0xf0fe].map((code) => symbolOf(code, 'Wingdings')),
    ['•', '▪', '➢', '☑'],
  )
  assert.deepEqual(
    [0xf0b7, 0xf0b3, 0xf041, 0xf099].map((code) => symbolOf(code, 'Symbol')),
    ['•', '≥', 'A', '•'],
  )
  assert.equal(symbolOf(0xfc, 'Wingdings-Regular'), '✓')
  assert.equal(symbolOf(0xfc, 'Arial'), 'ü')
})

test('distinguishes hyphens at the ends of lines, ligatures, and codes without a letter', () => {
  assert.deepEqual(
    [0xfffe, 0x02, 0xad].map((code) => symbolOf(code, 'Arial')),
    ['-', '-', '-'],
  )
  assert.equal(symbolOf(0xfb01, 'Arial'), 'fi')
  for (const code of [0x01, 0x85, 0xe000, 0xfffd, 0xd800, 0x110000]) assert.equal(symbolOf(code, 'Arial'), null)
  for (const code of [0x20, 0x0d, 0xa0, 0x2003, 0x200b, 0x202f, 0x3000, 0xfeff]) assert.ok(isBlank(code))
  for (const code of [0x21, 0x2010, 0x2022, 0x2030]) assert.ok(!isBlank(code))
})
