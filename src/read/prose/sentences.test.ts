/** Sentences of Markdown, around a position and in order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceAt, sentencesOf } from './sentences.ts'

const at = (text: string, word: string) => {
  const { start, end } = sentenceAt(text, text.indexOf(word))
  return text.slice(start, end)
}
const all = (markdown: string, options = {}) =>
  sentencesOf(markdown, { start: 0, end: markdown.length }, options).sentences.map(({ start, end, isFirst }) => [
    markdown.slice(start, end),
    isFirst,
  ])

test('a full stop ends a sentence, but the full stop of an abbreviation, an initial or a degree does not', () => {
  const text =
    'It met. Mr. J. Sample of Sample Inc. and Col. Vane (Ret.) spoke at 9 a.m. The Board agreed! Did it? It did.'
  assert.equal(at(text, 'met'), 'It met.')
  assert.equal(at(text, 'spoke'), 'Mr. J. Sample of Sample Inc. and Col. Vane (Ret.) spoke at 9 a.m. The Board agreed!')
  assert.equal(at(text, 'Did'), 'Did it?')
})

test('the full stop of an abbreviated given name or of a saint ends no sentence', () => {
  const text = 'It met. Robt. Sample, Sgt. Vane and Jane Sto. Domingo spoke. It closed.'
  assert.equal(at(text, 'spoke'), 'Robt. Sample, Sgt. Vane and Jane Sto. Domingo spoke.')
})

test('an empty line, a heading, a point of a list and a row of a table end a sentence', () => {
  assert.equal(at('# A title\n\n- the point without a stop\n- another', 'point'), 'the point without a stop')
  assert.equal(at('words above\n| a cell | b |\n', 'cell'), 'a cell | b |')
})

test('a text without a full stop gives at most the characters around the position', () => {
  const { start, end } = sentenceAt('word '.repeat(10_000), 25_000)
  assert.ok(start >= 23_500 && end <= 26_500 && end - start > 2_900)
})

test('sentences come in order, with their offsets and without headings and footnotes, unless headings are wanted', () => {
  const markdown = '## Departure of a Director\n\nAda *Sample* resigned.1 The Board met.\n\nIt elected nobody.'
  const found = [
    ['Ada *Sample* resigned.', true],
    ['The Board met.', false],
    ['It elected nobody.', true],
  ]
  assert.deepEqual(all(markdown), found)
  assert.deepEqual(all(markdown, { headings: true }), [['## Departure of a Director', true], ...found])
})

test('emphasis and the characters of placeholders become blanks, so that offsets stay those of the document', () => {
  const { text, sentences } = sentencesOf('Ada *Sample*\uE000 met.', { start: 0, end: 18 })
  assert.equal(text, 'Ada  Sample   met.')
  assert.deepEqual(sentences, [{ text, start: 0, end: 18, isFirst: true }])
})

test('a list of persons belongs to the sentence that introduces it', () => {
  const markdown = 'The holders elected the following directors:\n\n- Ada Sample\n- Ben Sample\n\nThe meeting closed.'
  assert.deepEqual(all(markdown), [
    ['The holders elected the following directors:\n\n- Ada Sample\n- Ben Sample', true],
    ['The meeting closed.', true],
  ])
})

test('reads at most 40,000 characters and 800 sentences', () => {
  assert.equal(all('It met. '.repeat(1_000)).length, 800)
  assert.equal(all(`${' '.repeat(50_000)}It met.`).length, 0)
})
