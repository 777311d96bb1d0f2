/**
 * Texts of Item 3.01 in the wording of filers; some mention older notices in addition to the new one. Names and days are
 * made up.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../../../test/support/effort.ts'
import { factsOf } from '../facts.ts'
import { delistingOf } from './delisting.ts'

const read = (text: string) => delistingOf(factsOf('3.01', text, { start: 0, end: text.length }))

test('all rules of a list are read, but no rule of another law and no whole series of rules', () => {
  const text =
    'On May 6, 2019, Acme received a letter from Nasdaq that, because of the Chapter 11 cases and under Nasdaq Listing Rules 5101, 5110(b) and IM-5101-1, its stock will be delisted. Rule 15c2-11 of the SEC applies, as do the Nasdaq Listing Rule 5800 Series and Section 102 of the Securities Act.'
  assert.deepEqual(read(text), {
    exchange: 'Nasdaq',
    rules: ['5101', '5110(b)', 'IM-5101-1'],
    reason: 'bankruptcy',
    notice_date: '2019-05-06',
    deadline: null,
  })
  assert.deepEqual(
    read('Under Nasdaq Rule 5605(c)(4)(B), Acme has until November 3, 2025 to cure its noncompliance.').rules,
    ['5605(c)(4)(B)'],
  )
  assert.deepEqual(read('Acme is noncompliant with Section 303A.02(a) of the NYSE Listed Company Manual.').rules, [
    '303A.02(a)',
  ])
})

test('the newest notice counts, with its reason; a deadline that has passed does not', () => {
  const text =
    'As previously disclosed in the report filed on June 2, 2021, on May 28, 2021, we received a letter from Nasdaq that our stockholders’ equity was below the minimum. Nasdaq granted us until August 16, 2021 to regain compliance. On August 17, 2021, we received a notice from Nasdaq that we are still not in compliance, and that trading would be suspended on August 26, 2021.'
  assert.deepEqual(read(text), {
    exchange: 'Nasdaq',
    rules: [],
    reason: 'equity',
    notice_date: '2021-08-17',
    deadline: null,
  })
})

test('compliance regained under one rule does not hide a newer notice under another', () => {
  const bid = 'On October 9, 2023, Nasdaq notified Acme that it has regained compliance with the bid price rule.'
  const equity =
    'On October 30, 2023, Acme received a letter from Nasdaq that its stockholders’ equity is below the minimum of Listing Rule 5550(b)(1).'
  for (const text of [`${bid} ${equity}`, `${equity} ${bid}`]) {
    const { reason, notice_date } = read(text)
    assert.deepEqual({ reason, notice_date }, { reason: 'equity', notice_date: '2023-10-30' })
  }
  const { reason, notice_date } = read(bid.replace('9', '31') + ' ' + equity)
  assert.deepEqual({ reason, notice_date }, { reason: 'compliance_regained', notice_date: '2023-10-31' })
})

test('the first reason in a sentence counts; a general requirement of an exchange is not a reason', () => {
  const reason = (text: string) => read(text).reason
  assert.equal(
    reason(
      'Acme told Nasdaq that it does not comply with the rules on a majority of independent directors and on its audit committee.',
    ),
    'independent_directors',
  )
  assert.equal(
    reason('Nasdaq notified Acme that the market value of its listed securities is below the minimum.'),
    'market_value',
  )
  assert.equal(reason('The NYSE notified Acme that it has fallen below its share price rule.'), 'price')
  assert.equal(reason('The listing standards ask that an issuer have stockholders’ equity of $2.5 million.'), null)
})

test('the last day for requesting a hearing is not read as a deadline', () => {
  const text =
    'On May 6, 2024, Acme received a letter from Nasdaq that it is not in compliance with the bid price rule and may request a hearing by May 13, 2024.'
  assert.equal(read(text).deadline, null)
})

test('“NYSE” means NYSE American if the item names that exchange and not the New York Stock Exchange', () => {
  const text =
    'On May 2, 2022, Acme received notice from the NYSE that it is not in compliance with Section 1003(a)(i) of the NYSE American Company Guide. The NYSE will begin delisting.'
  assert.equal(read(text).exchange, 'NYSE American')
})

test('an item of a million characters is read in bounded time', async () => {
  for (const unit of [
    'Rules 5101, 5110(b) and ',
    'Nasdaq notified us on May 1, 2024 that ',
    'Section 802.01C ',
    'bid price $1.00 ',
  ]) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    await assertQuick(unit, () => read(text))
  }
})
