/** Tagged expense examples, with invented series and classes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import type { InlineFact } from '../../read/ixbrl.ts'
import { isExampleTag, taggedExamples } from './examples.ts'

interface Made {
  series?: number
  of?: number | string
  value?: string | null
  reason?: string | null
}

function fact(name: string, { series, of, value = '100', reason = null }: Made): InlineFact {
  const id = (letter: string, number: number) => `x:${letter}${String(number).padStart(9, '0')}Member`
  const members = {
    ...(series === undefined ? {} : { 'dei:LegalEntityAxis': id('S', series) }),
    ...(of === undefined ? {} : { 'oef:ProspectusShareClassAxis': typeof of === 'string' ? of : id('C', of) }),
  }
  // The reader of examples needs nothing else of a fact.
  return { name, value, reason, context: { members } } as unknown as InlineFact
}

test('tagged amounts have their series, class, period and case, and the investment that the text of their series states', () => {
  const examples = taggedExamples([
    fact('oef:ExpenseExampleNarrativeTextBlock', {
      series: 7,
      value: 'It supposes that you invest $10,000 in the fund.',
    }),
    fact('oef:ExpenseExampleYear01', { series: 7, of: 71, value: '296' }),
    fact('oef:ExpenseExampleYear10', { series: 7, of: 71, value: '2254' }),
    fact('oef:ExpenseExampleNoRedemptionYear01', { series: 7, of: 71, value: '196' }),
    fact('rr:ExpenseExampleYear03', { series: 3, of: 31, value: '606' }),
    fact('oef:ManagementFeesOverAssets', { series: 7, of: 71, value: '0.01' }),
  ])
  assert.deepEqual(
    examples.map(({ table, series_id, class_id, years, is_redeemed, value, investment }) =>
      [table, series_id, class_id, years, is_redeemed, value, investment].join(' '),
    ),
    [
      '1 S000000007 C000000071 1 true 296 10000',
      '1 S000000007 C000000071 10 true 2254 10000',
      '1 S000000007 C000000071 1 false 196 10000',
      '2 S000000003 C000000031 3 true 606 ',
    ],
  )
})

test('whether shares are redeemed is null in examples of closed-end funds, unless the member of the fact says it', () => {
  const examples = taggedExamples([
    fact('cef:ExpenseExampleTableTextBlock', { value: 'The following expenses on a $1,000 investment:' }),
    fact('cef:ExpenseExampleYears1to3', { of: 'x:ClassIMember' }),
    fact('cef:ExpenseExampleYears1to5', { of: 'x:ClassISharesRepurchasedMember' }),
  ])
  assert.deepEqual(
    examples.map(({ class_name, years, is_redeemed, investment }) => [class_name, years, is_redeemed, investment]),
    [
      ['Class I', 3, null, '1000'],
      ['Class IShares Repurchased', 5, true, '1000'],
    ],
  )
})

test('a tagged amount that is nil, or no number, is null with the reason', () => {
  const examples = taggedExamples([
    fact('oef:ExpenseExampleYear05', { value: null }),
    fact('oef:ExpenseExampleYear10', { value: null, reason: 'is not a number' }),
  ])
  assert.deepEqual(
    examples.map(({ value, stated, reason }) => [value, stated, reason]),
    [
      [null, '', 'tagged as nil'],
      [null, '', 'is not a number'],
    ],
  )
})

test('only the tags of examples are read from a prospectus', () => {
  for (const name of [
    'rr:ExpenseExampleYear01',
    'oef:ExpenseExampleNoRedemptionYear10',
    'cef:ExpenseExampleYears1to10',
  ])
    assert.ok(isExampleTag(name), name)
  for (const name of ['cef:ExpenseExampleYear10', 'rr:ExpenseExampleHeading', 'x:ExpenseExampleYear01'])
    assert.ok(!isExampleTag(name), name)
})

test('examples of many series are read quickly', async () => {
  const facts = Array.from({ length: 30_000 }, (_, n) => fact('oef:ExpenseExampleYear01', { series: n, of: n }))
  await assertQuick('series', () => assert.equal(taggedExamples(facts).length, facts.length))
})
