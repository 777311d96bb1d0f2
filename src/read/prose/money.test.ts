/** Amounts of US dollars, numbers of securities, and amounts that are not certain. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { amountFor, amountsIn, declaredIn, inDollars, isBound, othersIn, rangesWhole, sharesIn } from './money.ts'

const values = (text: string) => amountsIn(text).map(({ value }) => value)
const anywhere = (text: string, options = {}) => amountFor(text, () => true, options)

test('reads amounts with their scale as decimals without an exponent', () => {
  assert.deepEqual(values('It paid $1,250,000, $2.5 million, US$3 billion and $40 thousand.'), [
    '1250000',
    '2500000',
    '3000000000',
    '40000',
  ])
})

test('a rate, the price of one security, and an amount of another currency are not amounts', () => {
  const others = ['$5.00 per share', 'C$5 million', '$40 million Canadian', 'each share is converted into $12.50']
  for (const text of others) assert.deepEqual(values(text), [], text)
  assert.equal(othersIn('It paid €25 million and RMB 3,000.').length, 2)
})

test('one exact amount is read; several amounts, a range or a bound are left out with their reason', () => {
  assert.deepEqual(anywhere('for $5 million in cash'), { value: '5000000', reason: null })
  assert.deepEqual(anywhere('for $5 million and $6 million'), {
    value: null,
    reason: 'the words state several amounts',
  })
  assert.deepEqual(anywhere('of $5 million to $7 million'), { value: null, reason: 'the words state a range' })
  assert.deepEqual(anywhere('of up to $5 million'), {
    value: null,
    reason: 'the words state only the most or the least',
  })
  assert.deepEqual(anywhere('of up to $5 million', { takesMost: true }), { value: '5000000', reason: null })
  assert.deepEqual(anywhere('$5 million, that is $5,000,000', { takesEqual: true }).value, '5000000')
  assert.deepEqual(anywhere('for €5 million'), { value: null, reason: 'the words state an amount in another currency' })
  assert.deepEqual(anywhere('for cash'), { value: null, reason: null })
})

test('a range and a converted amount are rewritten, so that each amount is in dollars and has its scale', () => {
  assert.equal(rangesWhole('from $5 to $7 million'), 'from $5 million to $7 million')
  assert.equal(inDollars('€25 million (approximately $29 million)'), '$29 million')
  assert.equal(inDollars('forty million dollars ($40,000,000)'), '$40,000,000')
})

test('if a text declares another currency, each dollar sign without a country is marked with this currency', () => {
  const mark = declaredIn('All dollar amounts are in Canadian dollars.')
  assert.equal(mark?.('$5 million and US$6 million'), 'C$5 million and US$6 million')
  assert.equal(declaredIn('All amounts are in thousands.'), null)
})

test('reads numbers of securities, and says why a number is not exact', () => {
  assert.deepEqual(
    sharesIn('It sold 1,500,000 shares, 2.5 million units and up to 300 warrants.').map(({ value, unit, doubt }) => [
      value,
      unit,
      doubt,
    ]),
    [
      ['1500000', 'shares', null],
      ['2500000', 'units', null],
      ['300', 'warrants', 'the words state only the most or the least'],
    ],
  )
  assert.ok(isBound('not to exceed ') && !isBound('of '))
})
