/** Headline figures of releases, in words that filers use for them; the releases are made up. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Period, spanIn } from './earnings.ts'
import { headlinesOf } from './headlines.ts'

const read = (text: string, period: Period | null = 'quarter') =>
  Object.fromEntries(headlinesOf(text, period).map(({ name, value }) => [name, value]))

const SAID: [text: string, figures: Record<string, string>][] = [
  ['For the first quarter of 2007 revenues were $15.3 million, the highest in its history.', { revenue: '15300000' }],
  ['Net sales were $21.1 million in the quarter, a decrease of $2.2 million.', { revenue: '21100000' }],
  ['- Total quarterly revenue of $104.8 million, up 16%', { revenue: '104800000' }],
  ['Acme reported revenue of $1.25 billion and net income of $96 million, or $0.41 per diluted share, for the second quarter.', { revenue: '1250000000', net_income: '96000000', eps_diluted: '0.41' }],
  ['Net income and basic and diluted earnings per share for the first quarter were $0.5 million and $0.01, respectively.', { net_income: '500000', eps_diluted: '0.01' }],
  ['Net income and basic and diluted earnings per share for the third quarter were $6.2 million and $0.09, respectively.', { net_income: '6200000', eps_diluted: '0.09' }],
  ['Net loss for the third quarter was $2.3 million, or $0.04 per share on a basic and diluted basis.', { net_income: '-2300000', eps_diluted: '-0.04' }],
  ['# Acme Reports Revenue of $25.9 Million', { revenue: '25900000' }],
  ['Third-quarter net sales were US$12,345,678.', { revenue: '12345678' }],
] // biome-ignore format: one line

test('figures that a release states in words are read in whole dollars', () => {
  for (const [text, figures] of SAID) assert.deepEqual(read(text), figures, text)
})

test('a figure of another period than that of the release is none', () => {
  assert.deepEqual(read('Revenues for the first half of 2009 were $46.4 million.'), {})
  assert.deepEqual(read('Full year revenue of $420 million, up 22%.'), {})
  assert.deepEqual(read('Revenue for 2006 was a record $67.7 million.'), {})
  assert.deepEqual(read('Revenue for 2006 was a record $67.7 million.', 'year'), { revenue: '67700000' })
  const both = 'Revenues for the second quarter were $21.8 million. Revenues for the first half were $46.4 million.'
  assert.deepEqual(read(both), { revenue: '21800000' })
})

test('a figure of a part of the company, of another kind or of what is expected is none', () => {
  for (const text of [
    'International revenue was $24 million.',
    'Cloud segment revenue was $26 million.',
    'Non-GAAP net income was $5.0 million, or $0.20 per diluted share.',
    'The company expects revenue of $480 million.',
    'The new product generated $3.7 million of sales during the quarter.',
    'Revenue was $15.3.',
  ]) {
    assert.deepEqual(read(text), {}, text)
  }
})

test('the text counts before its title, which rounds', () => {
  const text = '# Acme Reports Revenue of $105 million\n\nTotal revenue was $104.8 million in the third quarter.'
  assert.deepEqual(read(text), { revenue: '104800000' })
})

test('a release that names no day has its span of time alone', () => {
  const span = (text: string) => spanIn(text, { start: 0, end: text.length }).map(({ name, value }) => [name, value])
  assert.deepEqual(span('Acme today announced financial results for the third quarter of 2010.'), [['period', 'quarter']]) // biome-ignore format: one line
  assert.deepEqual(span('# Acme Announces Full-Year Results'), [['period', 'year']])
  assert.deepEqual(span('Acme announced a new product.'), [])
})
