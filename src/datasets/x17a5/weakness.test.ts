/** Sentences that do or do not disclose a material weakness. All are made up in the style of auditors and brokers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import { type Reading, weaknessSentences } from './weakness.ts'

const SENTENCES: Record<Reading, string[]> = {
  disclosed: [
    'Management identified a material weakness in the Company’s internal control over compliance as of June 30, 2024.',
    'During our audit we noted a material weakness in the custody of customer securities.',
    'The Firm’s internal control over compliance was not effective at year end because of a material weakness in its possession count.',
    'The Partnership did not reconcile its bank accounts for four months, which we consider to be a material weakness.',
    'A material weakness existed in the computation of the reserve formula from May to August.',
    'The following material weaknesses were identified in the course of the engagement.',
    'We believe that the deficiency described above constitutes a material weakness.',
    'The material weakness described in the next paragraph led to a hindsight deficiency in the reserve account.',
    'Because of the material weaknesses in its access controls, the broker-dealer restated its March computation.',
    'There was a material weakness in the supervision of the cashier’s department.',
    'We identified certain deficiencies in internal control that we consider to be material weaknesses.',
    'The Company had one material inadequacy in its procedures for quarterly securities examinations.',
    'The lack of a second signature was deemed a material weakness by the board.',
    'The prior year’s opinion was clean, but in the current year the Company reported a material weakness.',
    'The Company did not maintain effective controls over journal entries, and this represents a material weakness.',
    'The previously reported material weakness has not been remediated and was again identified this year: the firm had a material weakness.',
  ],
  denied: [
    'We did not identify any deficiencies in internal control that we consider to be material weaknesses.',
    'No material weaknesses were noted during the year.',
    'The Company has not identified any material weakness in its internal control over compliance.',
    'There were no material weaknesses or instances of non-compliance.',
    'The Company had no known material weakness at any time in the fiscal year.',
    'We noted no matters involving internal control that we consider to be material weaknesses as defined above.',
    'The matter is not a material weakness.',
    'Such a lapse does not constitute a material weakness in our judgment.',
    'The Firm operated without material weaknesses for the whole period.',
    'Neither the review nor the audit showed any material inadequacy.',
    'The Company is not aware of material weaknesses in its controls.',
    'None of these observations was a material weakness.',
    'We found no condition that was a material inadequacy as of the date of our study.',
  ],
  former: [
    'The material weakness that was identified in the prior year has been remediated.',
    'The previously reported material weakness was corrected in February.',
  ],
  mentioned: [
    'A material weakness is a deficiency, or a combination of deficiencies, in internal control, such that a misstatement may not be prevented.',
    'A material weakness in internal control over compliance means a deficiency or several that make it reasonably possible that a rule is broken.',
    'Our consideration was for a limited purpose and would not necessarily disclose all matters that might be material weaknesses.',
    'A significant deficiency is less severe than a material weakness, yet important enough to merit attention.',
    'Our procedures include assessing the risk that a material weakness exists.',
    'We planned the examination to learn whether there were material weaknesses at the end of the year.',
    '(o) A report describing any material inadequacies found to exist or found to have existed since the date of the previous audit.',
    'If a material weakness is found, the firm must tell its designated examining authority within one day.',
    'Each material weakness is to be described in the compliance report.',
    'A control that fails could be a material weakness.',
    'Report on Material Weakness',
  ],
}

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
