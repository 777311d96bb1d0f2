import assert from 'node:assert/strict'
import { test } from 'node:test'
import { numberOf } from './value.ts'

test('a number keeps its digits, has thousands separators only before the decimal point, and has its unit', () => {
  for (const [text, unit, written] of [
    ['0', 'USD', '$0'],
    ['-1234567.8901', 'USD', '-$1,234,567.8901'],
    ['123456', 'shares', '123,456'],
    ['999', 'shares', '999'],
    ['-100', 'count', '-100'],
    ['12.50', 'percent', '12.50%'],
    ['3.250423295919', 'percent', '3.2504%'],
    ['1234.99996', 'percent', '1,235%'],
    ['2024', undefined, '2024'],
    ['20240', undefined, '20240'],
    ['1234567', undefined, '1,234,567'],
    ['n/a', 'USD', 'n/a'],
  ] as const)
    assert.equal(numberOf('value', text, unit), written)
  assert.equal(numberOf('fiscal_year', '2024', 'count'), '2024')
})
