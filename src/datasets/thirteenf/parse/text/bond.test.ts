import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainJoin, joined, joins } from './bond.ts'

test('explainJoin names the signal that decides whether a name continues on the next line', () => {
  const explained = (first: string, next: string) => [joins(first, next), explainJoin(first, next)?.name]
  assert.deepEqual(explained('INTERNATIONAL BUSINESS &', 'MACHINES'), [2, 'ends within a name'])
  assert.deepEqual(explained('GENERAL MOTORS', 'Corp'), [2, 'begins within a name, or with a legal form'])
  assert.deepEqual(explained('ADVANCED MICRO', 'Technologies New'), [1, 'has only words that continue a name'])
  assert.deepEqual(explained('GENERAL MOTORS CORP', 'GENERAL MILLS'), [-2, 'ends with a legal form'])
  assert.deepEqual(explained('GENERAL', ''), [0, 'one of them is empty'])
  assert.deepEqual(explained('GENERAL', 'MOTORS'), [0, undefined])
})

test('a word that is divided at the end of a line has no hyphen, and a compound name keeps its hyphen', () => {
  // 0000950150-00-000753, and a later report of the same manager.
  assert.equal(joined(['Shaw Communi-', 'cations Inc.']), 'Shaw Communications Inc.')
  assert.equal(joined(['Mobile Telecommuni-', 'cations Technologies']), 'Mobile Telecommunications Technologies')
  assert.equal(joined(['American Inter-', 'national Group']), 'American International Group')
  assert.equal(joined(['Outback Steak-', 'house Inc.']), 'Outback Steakhouse Inc.')
  for (const [first, next] of [
    ['Coca-', 'Cola Co'],
    ['Coca-', 'cola Co'],
    ['Wal-', 'mart Stores'],
    ['Georgia-', 'pacific Corp'],
    ['Tele-', 'communications Inc'],
    ['Warner-', 'lambert Co'],
    ['Schering-', 'plough Corp'],
    ['Mcgraw-', 'hill Cos'],
    ['Ingersoll-', 'rand Co'],
    ['Kerr-', 'mcgee Corp'],
    ['Alberto-', 'culver Co'],
    ['Rhone-', 'poulenc'],
    // Capitals do not show whether the hyphen belongs to the name.
    ['SHAW COMMUNI-', 'CATIONS INC'],
    ['SCHERING-', 'PLOUGH'],
  ])
    assert.equal(joined([first!, next!]), `${first}${next}`)
  assert.equal(joined(['Sun Trusts', 'Banks Inc.']), 'Sun Trusts Banks Inc.')
})
