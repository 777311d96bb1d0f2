/** Helpers for decimals of the TypeScript client. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as decimals from '../../clients/typescript/src/decimals.ts'

const { compareDecimals, decimalToNumber, formatDecimal, parseDecimal, sumDecimals } = decimals

test('sums keep every digit, and ignore nulls', () => {
  assert.equal(sumDecimals(['0.1', '0.2']), '0.3')
  assert.equal(sumDecimals(['90071992547409930', '0.01', null, undefined, '-1']), '90071992547409929.01')
  assert.equal(sumDecimals([]), '0')
  assert.equal(sumDecimals(['-0.05', '0.5']), '0.45')
})

test('decimals are ordered by value and not by text', () => {
  assert.deepEqual(['10', '9.5', '-3', '9.50', '0', '-10.25'].sort(compareDecimals), [
    '-10.25',
    '-3',
    '0',
    '9.5',
    '9.50',
    '10',
  ])
  assert.equal(compareDecimals('1.0', '1'), 0)
})

test('reading and writing a decimal does not change it', () => {
  for (const text of ['0', '-0.01', '12345678901234567890.123456789', '0.50', '100'])
    assert.equal(formatDecimal(parseDecimal(text)), text)
  assert.equal(decimalToNumber('1234.5'), 1234.5)
})

test('text that is not a decimal is refused', () => {
  for (const text of ['', '1e5', '.5', '5.', '+1', '0x10', ' 1', '1,000', 'NaN', '9'.repeat(2_000)]) {
    assert.throws(() => parseDecimal(text), { code: 'invalid_option' })
    assert.throws(() => decimalToNumber(text), { code: 'invalid_option' })
  }
})
