/** Sentences that do or do not disclose a material weakness. All are made up in the style of auditors and brokers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import { type Reading, weaknessSentences } from './weakness.ts'

// Each key of the file is a `Reading`; with any other key a test fails.
const SENTENCES = JSON.parse(
  readFileSync(new URL('../../../test/datasets/x17a5/x17a5-sentences.json', import.meta.url), 'utf8'),
) as Record<Reading, string[]>

for (const [reading, sentences] of Object.entries(SENTENCES)) {
  test(`each of ${sentences.length} sentences is read as ${reading}`, () => {
    const read = sentences.map((sentence) => [sentence, weaknessSentences(sentence).map((one) => one.reading)])
    assert.deepEqual(
      read,
      sentences.map((sentence) => [sentence, [reading]]),
    )
  })
}

test('a sentence is cut out of its paragraph, and its place is its offset in the text', () => {
  const own =
    'In March the Company, a subsidiary of Specimen Holdings Inc. of New York, identified a\nmaterial weakness in its reserve computation.'
  const text = `# Report\n\nThe year was quiet. ${own} It was told to the regulator on April 2.\n\n- Material weakness: none of it`
  const [first, second] = weaknessSentences(text)
  assert.deepEqual(first, {
    start: text.indexOf('In March'),
    end: text.indexOf(' It was told'),
    sentence: own,
    reading: 'disclosed',
  })
  assert.deepEqual([second!.sentence, second!.reading], ['Material weakness: none of it', 'mentioned'])
})

test('a sentence with the word twice counts once, and a heading is not part of the paragraph below it', () => {
  const text = '## Material weakness\n\nA material weakness existed, and that material weakness was serious.'
  assert.deepEqual(
    weaknessSentences(text).map(({ sentence, reading }) => [sentence, reading]),
    [
      ['Material weakness', 'mentioned'],
      ['A material weakness existed, and that material weakness was serious.', 'disclosed'],
    ],
  )
})

test('a text with the term a hundred thousand times, and a sentence without an end, are read in bounded time', async () => {
  await assertQuick('sentences', () => {
    assert.equal(weaknessSentences('We noted a material weakness. '.repeat(100_000)).length, 200)
    const [endless] = weaknessSentences(
      `${'not any of the '.repeat(200_000)} material weakness ${'and so on '.repeat(200_000)}`,
    )
    assert.ok(endless!.sentence.length <= 3_000)
  })
})
