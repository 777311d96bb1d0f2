/** Words in the form in which the full-text search compares them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuick } from '../../test/support/effort.ts'
import { singular, wordsOf, wordsOfMarkdown } from './words.ts'

const keys = (text: string) => [...wordsOf(text)].map(({ key }) => key)

test('case, accents and the plural do not count', () => {
  assert.deepEqual(keys('Material Weaknesses in Société Générale’s subsidiaries'), [
    ...['material', 'weakness', 'in', 'societe', 'generale', 'subsidiary'],
  ])
  assert.deepEqual(keys('the boxes, taxes, losses, branches, statuses and analysis of the business'), [
    ...['the', 'box', 'tax', 'loss', 'branch', 'statuse', 'and', 'analysis', 'of', 'the', 'business'],
  ])
  assert.deepEqual(keys('Straße STRASSE ﬁnancial'), ['strasse', 'strasse', 'financial'])
})

test('tickers and other short words keep their s', () => {
  assert.deepEqual(keys('CVS GAS MS US'), ['cvs', 'gas', 'ms', 'us'])
  for (const word of ['as', 'was', 'bus', 'basis', 'press', 'a1s', '2020s']) assert.equal(singular(word), word)
})

test('a number is one word, with or without its commas; a CUSIP is one word', () => {
  assert.deepEqual(keys('$1,234,567.89 (1,234,567.89) 1234567.89'), ['1234567.89', '1234567.89', '1234567.89'])
  assert.deepEqual(keys('37.5% of 12,000 shares, CUSIP 037833100, 1,2345'), [
    ...['37.5', 'of', '12000', 'share', 'cusip', '037833100', '1', '2345'],
  ])
  assert.deepEqual(keys('Item 1A.01 of 2024.'), ['item', '1a', '01', 'of', '2024'])
})

test('any character between words separates them, except an apostrophe', () => {
  assert.deepEqual(keys("AT&T 10-K O'Neil’s don't | Companies' **bold** a\\_b"), [
    ...['at', 't', '10', 'k', 'oneil', 'dont', 'company', 'bold', 'a', 'b'],
  ])
})

test('data within a text is not a word but takes a position, and each word has its offsets', () => {
  const words = [...wordsOf(`x ${'A'.repeat(41)} y`)]
  assert.deepEqual(
    words.map(({ key }) => key),
    ['x', '', 'y'],
  )
  assert.deepEqual(words[2], { key: 'y', start: 44, end: 45 })
})

test('the target of a link is not text', () => {
  const words = [...wordsOfMarkdown('[Item 1A.](#item-1a) | [Risk](x.htm) (factors) ](')]
  assert.deepEqual(
    words.map(({ key }) => key),
    ['item', '1a', 'risk', 'factor'],
  )
  assert.equal(words[2]!.start, 24)
})

test('a long text of one repeated character takes time in proportion to its length', async () => {
  for (const sign of ['1', '1,', '1.', "a'", 'é', '́', '1,234', '](', '](a']) {
    await assertQuick(sign, () => {
      let count = 0
      for (const { end } of wordsOfMarkdown(sign.repeat(300_000))) count = end
      assert.ok(count >= 0)
    })
  }
})
