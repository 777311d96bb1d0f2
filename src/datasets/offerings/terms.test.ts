/** Facts of covers, and facts left out because they are uncertain. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import { knownNames } from './terms/underwriters.ts'
import { relatesTo, termsOf } from './terms.ts'

const END = '\n\nAny representation to the contrary is a criminal offense.\n\n'
const cover = (...paragraphs: string[]) =>
  `**Subject to completion, dated today**\n\n${paragraphs.join('\n\n')}${END}${'The date is today. '.repeat(20)}\n\n## TABLE OF CONTENTS\n`
const factsOf = (...paragraphs: string[]) =>
  termsOf(cover(...paragraphs), 'S-1')!.facts.map(({ name, value }) => `${name} ${value}`)

test('two prices that disagree are both left out, and `left_out` names the fact', () => {
  const { facts, leftOut } = termsOf(
    cover('The public offering price is $10.00 per share.', 'The initial public offering price is $11.00 per share.'),
    'S-1',
  )!
  assert.deepEqual(facts, [])
  assert.deepEqual(leftOut, ['price'])
})

test('a price that is only expected or assumed is left out, and blanks yield no fact', () => {
  assert.deepEqual(factsOf('We assume that the public offering price is $10.00 per share.'), [])
  assert.deepEqual(
    factsOf('The price is expected to be between $ and $ per share.', '| Public offering price | $ | $ |'),
    [],
  )
})

test('dollars of other countries are not read as those of the United States', () => {
  assert.deepEqual(factsOf('The price is expected to be between C$8.00 and C$10.00 per share.'), [])
  assert.deepEqual(factsOf('The price is expected to be between US$8.00 and US$10.00 per ADS.'), [
    'price_low 8.00',
    'price_high 10.00',
  ])
})

test('separates names of underwriters if every word belongs to a known name, else leaves them out and reports them', () => {
  assert.deepEqual(knownNames('J.P. Morgan Goldman Sachs & Co. LLC KKR'), [
    'J.P. Morgan',
    'Goldman Sachs & Co. LLC',
    'KKR',
  ])
  assert.equal(knownNames('J.P. Morgan Nobody Securities'), null)
  const unknown = termsOf(cover('*Joint Book-Running Managers*', 'Nobody Securities Nowhere Capital'), 'S-1')!
  assert.deepEqual([unknown.facts, unknown.leftOut], [[], ['underwriter']])
  assert.deepEqual(factsOf('*Sole Underwriter*', 'Nobody Securities'), ['underwriter Nobody Securities'])
})

test('a company that is to be listed is not read as listed yet, and if it names two exchanges, neither is read', () => {
  const listed = factsOf('Our stock is listed on the Nasdaq Global Market under the symbol “ABC.”')
  assert.deepEqual(listed, ['exchange Nasdaq', 'ticker ABC', 'listed Nasdaq'])
  assert.deepEqual(factsOf('Our stock will be listed on the NYSE under the symbol “ABC.”'), [
    'exchange NYSE',
    'ticker ABC',
  ])
  assert.deepEqual(factsOf('We applied to Nasdaq and the NYSE under the symbol “ABC.”'), ['ticker ABC'])
})

test('a parent’s or an affiliate’s listing is read neither as exchange nor as ticker of the issuer', () => {
  for (const sentence of [
    'Our parent’s common stock is listed on the New York Stock Exchange under the symbol “PAR.”',
    'Sample Holdings, whose shares are traded on the NYSE under the symbol “PAR,” owns most of our stock.',
  ]) {
    assert.deepEqual(factsOf(sentence, 'We applied to list our stock on Nasdaq under the symbol “ABC.”'), [
      'exchange Nasdaq',
      'ticker ABC',
    ])
  }
  const own = 'Our parent sells shares of our stock, and our stock is listed on Nasdaq under the symbol “ABC.”'
  assert.deepEqual(factsOf(own), ['exchange Nasdaq', 'ticker ABC', 'listed Nasdaq'])
})

test('a document without a prospectus has no cover', () => {
  assert.equal(termsOf('A letter about nothing.', 'S-1'), null)
})

test('hostile covers are read in bounded time', async () => {
  const hostile = [
    `${'1'.repeat(20_000)} shares`,
    `per share ${' '.repeat(20_000)}$`,
    `price ${'between '.repeat(4_000)}`,
    'symbol “'.repeat(4_000),
    '| '.repeat(15_000),
    'J.P. '.repeat(6_000),
    `offering price ${'per '.repeat(7_000)}`,
    '1,111,'.repeat(5_000),
    'is a blank-'.repeat(3_000),
    `symbol${' '.repeat(29_000)}`,
    `| | per ${' '.repeat(20_000)}| Total |`,
    `| | ${'per '.repeat(7_000)}| Total |`,
  ]
  const readings = [
    ...hostile.map(
      (text) => [text, () => termsOf(`Subject to completion\n\n${text}\n\n## TABLE OF CONTENTS\n`, 'S-1')] as const,
    ),
    ['a Form 8-A', () => relatesTo(`file number to which this form relates${' '.repeat(79_000)}`)] as const,
  ]
  for (const [text, read] of readings) {
    await assertQuick(text, read)
  }
})
