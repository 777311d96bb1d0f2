/** Tagged fees, with invented series and classes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../test/support/effort.ts'
import type { InlineFact } from '../../read/ixbrl.ts'
import { taggedFees } from './fees.ts'

function fact(series: number, of: number, name: string, value = '0.01'): InlineFact {
  const id = (letter: string, number: number) => `x:${letter}${String(number).padStart(9, '0')}Member`
  const members = { 'dei:LegalEntityAxis': id('S', series), 'oef:ProspectusShareClassAxis': id('C', of) }
  // The reader of fees needs nothing else of a fact.
  return { name: `oef:${name}`, value, reason: null, context: { members } } as unknown as InlineFact
}

test('each series has a table and each class a column, in their order; a waiver is compared with the first total', () => {
  const fees = taggedFees([
    fact(7, 71, 'ExpensesOverAssets', '0.02'),
    fact(7, 72, 'ExpensesOverAssets', '0.03'),
    fact(3, 31, 'ExpensesOverAssets', '0.04'),
    fact(7, 71, 'FeeWaiverOrReimbursementOverAssets', '0.005'),
    fact(7, 71, 'NetExpensesOverAssets', '0.015'),
    fact(7, 71, 'NetExpensesOverAssets', '0.025'),
  ])
  assert.deepEqual(
    fees.map(({ table, column, item, value }) => [table, column, item, Number(value)]),
    [
      [1, 1, 'total', 2],
      [1, 2, 'total', 3],
      [2, 1, 'total', 4],
      [1, 1, 'waiver', -0.5],
      [1, 1, 'net', 1.5],
      [1, 1, 'net', 2.5],
    ],
  )
})

test('fees of many series, of many classes and of many waivers are read quickly', async () => {
  const SHAPES: [what: string, made: (n: number) => InlineFact][] = [
    ['series', (n) => fact(n, n, 'ManagementFeesOverAssets')],
    ['classes', (n) => fact(1, n, 'ManagementFeesOverAssets')],
    ['waivers', (n) => fact(1, 1, 'FeeWaiverOrReimbursementOverAssets', String(n / 1e6))],
  ]
  // When all pairs were compared, 30,000 series took 18 s.
  for (const [what, made] of SHAPES) {
    const facts = Array.from({ length: 30_000 }, (_, n) => made(n))
    await assertQuick(what, () => assert.equal(taggedFees(facts).length, facts.length))
  }
})
