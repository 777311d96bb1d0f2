/** Regulation A: values at the limits of its schemas. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse } from './parse.ts'

const fixture = (accession: string) =>
  readFileSync(new URL(`fixtures/${accession}/primary_doc.xml`, import.meta.url), 'utf8')
const STATEMENT = fixture('9000000101-16-000002')
const ANNUAL = fixture('0001104659-23-053330')

function read(document: string, ...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  const problems = found.problems.map(({ path, value }) => [path.split('/').at(-1), value])
  return { ...found, problems, submission: found.of('submission')[0]! }
}

test('the type of a security is recognized in capitals and small letters and with any blanks; another type is kept as filed and reported', () => {
  const type = '<securitiesOfferedTypes>Equity (common or preferred stock)<'
  for (const words of ['EQUITY (COMMON OR PREFERRED STOCK)', 'Equity (common\n  or preferred stock)']) {
    const { of, problems } = read(STATEMENT, [type, `<securitiesOfferedTypes>${words}<`])
    assert.deepEqual([of('offering')[0]!.security_types[0], problems], ['equity', []], words)
  }
  const { of, problems } = read(STATEMENT, [type, '<securitiesOfferedTypes>Tokens<'])
  assert.deepEqual(of('offering')[0]!.security_types, ['Tokens', 'option', 'other'])
  assert.deepEqual(problems, [['securitiesOfferedTypes', 'Tokens']])
})

test('days are read with dashes and slashes; 01-01-0001 is null and reported', () => {
  for (const day of ['12-31-2022', '12/31/2022']) {
    const { submission, problems } = read(ANNUAL, ['<fiscalYearEnd>12-31-2022', `<fiscalYearEnd>${day}`])
    assert.deepEqual([submission.fiscal_year_end, problems], ['2022-12-31', []], day)
  }
  const { submission, problems } = read(ANNUAL, ['<fiscalYearEnd>12-31-2022', '<fiscalYearEnd>01-01-0001'])
  assert.deepEqual([submission.fiscal_year_end, problems], [null, [['fiscalYearEnd', '01-01-0001']]])
})

test('an empty element of a list is not a row', () => {
  const { of } = read(
    STATEMENT,
    ['<commonEquity>', '<commonEquity/><commonEquity>'],
    ['<securitiesIssued>', '<securitiesIssued> </securitiesIssued><securitiesIssued>'],
  )
  assert.deepEqual(
    [of('security_class').filter(({ kind }) => kind === 'common').length, of('unregistered').length],
    [1, 1],
  )
  const annual = read(ANNUAL, ['</formData>', '<certificationSuspension/><signatureTab/></formData>'])
  assert.deepEqual([annual.of('suspension').length, annual.of('signature').length], [0, 0])
})

test('amounts with signs, exponents and many digits are exact', () => {
  for (const [filed, amount] of [
    ['-17.25', '-17.25'],
    ['1.5e-3', '0.0015'],
    ['98765432109876543210.01', '98765432109876543210.01'],
    ['$ 1,072,044', '1072044'],
  ] as const) {
    const { of, problems } = read(ANNUAL, ['<issuerNetProceeds>937968.32', `<issuerNetProceeds>${filed}`])
    assert.deepEqual([of('sale')[0]!.net_proceeds, problems], [amount, []], filed)
  }
})

test('a number of securities that its column cannot hold is null and reported', () => {
  for (const number of ['268011.5', '98765432109876543210']) {
    const { of, problems } = read(ANNUAL, ['<offeringSecuritiesSold>268011', `<offeringSecuritiesSold>${number}`])
    assert.deepEqual([of('sale')[0]!.securities_sold, problems], [null, [['offeringSecuritiesSold', number]]])
  }
})

test('if the proceeds are blank, they are null, and so is the amount raised', () => {
  const { of, submission } = read(
    ANNUAL,
    ['<aggregrateOfferingPrice>1072044.00', '<aggregrateOfferingPrice> '],
    ['<aggregrateOfferingPriceHolders>0.00', '<aggregrateOfferingPriceHolders>'],
  )
  assert.deepEqual(
    [of('sale')[0]!.sold_for_issuer, of('sale')[0]!.sold_for_holders, submission.raised],
    [null, null, null],
  )
})

test('a CUSIP of nine characters is in capitals, and any other text is null and reported', () => {
  for (const [filed, cusip, reported] of [
    ['03783310a', '03783310A', []],
    ['N/A', null, []],
    ['03783310', null, [['commonCusipEquity', '03783310']]],
  ] as const) {
    const { of, problems } = read(STATEMENT, ['<commonCusipEquity>000000000', `<commonCusipEquity>${filed}`])
    assert.deepEqual([of('security_class')[0]!.cusip, problems], [cusip, reported], filed)
  }
})

test('an unknown element within a known part is unread and changes no other value', () => {
  const { submission, unread } = read(ANNUAL, ['<fiscalYearEnd>', '<isShell>Y</isShell><fiscalYearEnd>'])
  assert.deepEqual([submission.fiscal_year_end, unread], ['2022-12-31', ['/edgarSubmission/formData/item1/isShell']])
})
