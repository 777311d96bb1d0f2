/** Forms 3, 4 and 5: values at the limits of their schema. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { CODES } from './codes.ts'
import { parse } from './parse.ts'

const document = readFileSync(new URL('fixtures/0001127602-19-027011/form4.xml', import.meta.url), 'utf8')

function read(...changes: Change[]) {
  const found = rowsRead(parse, document, changes, { form: '4' })
  const problems = found.problems.map(({ path, value }) => [path.split('/').at(-1), value])
  return { ...found, problems, report: found.of('report')[0]!, line: found.of('security')[0]! }
}

test('a transaction code in small letters or with blanks is the same code', () => {
  for (const code of ['m', ' M ', '\n m']) {
    const { line, problems } = read(['<transactionCode>M<', `<transactionCode>${code}<`])
    assert.deepEqual([line.code, problems], ['M', []], code)
  }
})

test('every code that has a meaning is read without a problem', () => {
  for (const code of CODES) {
    const { line, problems } = read(['<transactionCode>M<', `<transactionCode>${code}<`])
    assert.deepEqual([line.code, problems], [code, []])
  }
})

test('a transaction code that the form does not define is kept as filed and reported', () => {
  for (const code of ['Q', 'MM', '7']) {
    const { line, problems } = read(['<transactionCode>M<', `<transactionCode>${code}<`])
    assert.deepEqual([line.code, problems], [code, [['transactionCode', code]]])
  }
})

test('a direction in small letters is read, and an unknown one is null and reported', () => {
  const part = '<transactionAcquiredDisposedCode><value>A'
  assert.equal(read([part, '<transactionAcquiredDisposedCode><value>d']).line.acquired_disposed, 'D')
  const { line, problems } = read([part, '<transactionAcquiredDisposedCode><value>X'])
  assert.deepEqual([line.acquired_disposed, problems.length], [null, 1])
})

test('the day 0001-01-01 is null and reported; a day with a time zone is read without it', () => {
  const { line, problems } = read(['<value>2019-08-15</value>', '<value>0001-01-01</value>'])
  assert.deepEqual([line.transaction_date, problems.map(([, value]) => value)], [null, ['0001-01-01']])
  assert.equal(
    read(['<value>2019-08-15</value>', '<value>2019-08-15-04:00</value>']).line.transaction_date,
    '2019-08-15',
  )
})

test('a relationship box that is neither true nor false is null and reported, and an absent box is false', () => {
  const { of, problems } = read(['<isDirector>1', '<isDirector>maybe'])
  const { is_director, is_officer, is_other } = of('owner')[0]!
  assert.deepEqual([is_director, is_officer, is_other], [null, true, false])
  assert.deepEqual(problems, [['isDirector', 'maybe']])
})

test('numbers with thousands separators, exponents and signs are exact', () => {
  for (const [filed, shares] of [
    ['1,000', '1000'],
    ['1e3', '1000'],
    ['-2.50', '-2.5'],
    ['2.5e-3', '0.0025'],
    ['.5', '0.5'],
    ['12345678901234567890.123', '12345678901234567890.123'],
  ] as const) {
    const { line, problems } = read(['<value>2731</value>', `<value>${filed}</value>`])
    assert.deepEqual([line.shares, problems], [shares, []], filed)
  }
})

test('a value that is nil or a footnote alone is null without a problem, and the footnote stays with its column', () => {
  const { line, problems, unread } = read([
    '<transactionShares><value>2731</value></transactionShares>',
    '<transactionShares><value xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="true"/><footnoteId id="F2"/></transactionShares>',
  ])
  assert.deepEqual([line.shares, problems, unread], [null, [], []])
  assert.deepEqual(line.footnote_refs, [
    { column: 'shares', ids: ['F2'] },
    { column: 'price', ids: ['F1'] },
  ])
})

test('an unknown element of a line, of a table or of an owner is unread and shifts no other value', () => {
  const { line, of, unread } = read(
    ['<transactionAmounts>', '<transactionAmounts><transactionFee><value>5</value></transactionFee>'],
    ['<nonDerivativeTable>', '<nonDerivativeTable><nonDerivativeNote>x</nonDerivativeNote>'],
    ['<isDirector>', '<isFounder>1</isFounder><isDirector>'],
  )
  assert.deepEqual([line.line, line.shares, of('security').length], [1, '2731', 3])
  assert.deepEqual(
    unread.map((path) => path.split('/').slice(-2).join('/')),
    ['nonDerivativeTable/nonDerivativeNote', 'transactionFee/value', 'reportingOwnerRelationship/isFounder'],
  )
})

test('several owners keep their order, and CIKs without leading zeros are completed', () => {
  const owner = (cik: string, name: string) =>
    `<reportingOwner><reportingOwnerId><rptOwnerCik>${cik}</rptOwnerCik><rptOwnerName>${name}</rptOwnerName></reportingOwnerId></reportingOwner>`
  const { of, report } = read([
    '  <nonDerivativeTable>',
    `${owner('99', 'B FUND LP')}${owner('0000000098', 'A GP LLC')}<nonDerivativeTable>`,
  ])
  assert.deepEqual(
    of('owner').map(({ cik, name, is_director }) => [cik, name, is_director]),
    [
      ['0001218363', 'SWAN ROBERT HOLMES', true],
      ['0000000099', 'B FUND LP', false],
      ['0000000098', 'A GP LLC', false],
    ],
  )
  assert.deepEqual(report.owner_ciks, ['0000000098', '0000000099', '0001218363'])
})

test('empty tables and an empty signature yield no rows', () => {
  const { of, problems } = read(
    [/<derivativeTable>[\s\S]*<\/derivativeTable>/, '<derivativeTable/>'],
    [/<ownerSignature>[\s\S]*<\/ownerSignature>/, '<ownerSignature/>'],
  )
  assert.deepEqual([of('derivative').length, of('signature').length], [0, 0])
  assert.deepEqual(problems, [])
})
