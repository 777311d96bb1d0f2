/** Form N-CEN: values at the limits of its schema. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readNcen, xmlOf } from '../../../test/support/ncen/made.ts'

const A = 'S000000001'

async function read(fund: string, change: (text: string) => string = (text) => text) {
  const made = { accession: '0000000700-24-000001', filed: '2024-03-10', period: '2023-12-31' }
  const { rows, problems, unread } = await readNcen(change(xmlOf({ ...made, funds: [{ series: A, more: fund }] })))
  const of = (table: string) => rows.filter(([name]) => name === table).map(([, row]) => row as Record<string, unknown>)
  return { of, unread, problems: problems.map(({ path, value }) => [path.split('/').at(-1), value]) }
}

const line = (inner: string) =>
  `<lineOfCredit hasLineOfCredit="Y"><lineOfCreditDetails><lineOfCreditDetail>${inner}</lineOfCreditDetail></lineOfCreditDetails></lineOfCredit>`

test('a word of the form is recognized in capitals and small letters, and any other word is null and reported', async () => {
  const { of, problems } = await read(
    line('<isCreditLineCommitted>COMMITTED</isCreditLineCommitted><sharedCreditType creditType="shared"/>'),
  )
  assert.deepEqual([of('credit_line')[0]!.is_committed, of('credit_line')[0]!.is_shared, problems], [true, true, []])
  const other = await read(
    line('<isCreditLineCommitted>mostly</isCreditLineCommitted><sharedCreditType creditType="lent"/>'),
  )
  assert.deepEqual([other.of('credit_line')[0]!.is_committed, other.of('credit_line')[0]!.is_shared], [null, null])
  assert.deepEqual(other.problems.map(([, value]) => value).sort(), ['lent', 'mostly'])
})

test('a type of fund is recognized in capitals and small letters, and an unknown type is kept and reported', async () => {
  const { of, problems } = await read(
    '<fundTypes><fundType>INDEX FUND</fundType><fundType>Crypto Fund</fundType></fundTypes>',
  )
  assert.deepEqual([of('fund')[0]!.is_index, of('fund')[0]!.fund_types], [true, ['Index Fund', 'Crypto Fund']])
  assert.deepEqual(
    problems.map(([, value]) => value),
    ['Crypto Fund'],
  )
})

test('a country and a state in small letters are read, and other texts are null and reported', async () => {
  const custodian = (place: string) =>
    `<custodians><custodian><custodianName>B</custodianName>${place}</custodian></custodians>`
  const { of, problems } = await read(
    custodian('<custodianStateCountry custodianState="us-ny" custodianCountry="us"/>'),
  )
  assert.deepEqual([of('provider')[0]!.state, of('provider')[0]!.country, problems], ['NY', 'US', []])
  const other = await read(custodian('<custodianCountry>France</custodianCountry>'))
  assert.deepEqual([other.of('provider')[0]!.country, other.problems.map(([, value]) => value)], [null, ['France']])
})

test('amounts with exponents and signs are exact, and N/A is null in capitals and small letters', async () => {
  for (const [filed, amount] of [
    ['1.5e-3', '0.0015'],
    ['-7.50', '-7.5'],
    ['n/a', null],
    ['1,000', '1000'],
  ] as const) {
    const { of, problems } = await read(`<mnthlyAvgNetAssets>${filed}</mnthlyAvgNetAssets>`)
    assert.deepEqual([of('fund')[0]!.monthly_avg_net_assets, problems], [amount, []], filed)
  }
})

test('the day 0001-01-01 is null and reported, and a day of one digit is read', async () => {
  const { of, problems } = await read('', (text) => text.replace('"2023-12-31"', '"0001-01-01"'))
  assert.deepEqual([of('report')[0]!.period, problems.map(([, value]) => value)], [null, ['0001-01-01']])
  const short = await read('', (text) => text.replace('"2023-12-31"', '"2023-9-5"'))
  assert.equal(short.of('report')[0]!.period, '2023-09-05')
})

test('an empty element of a list is not a row', async () => {
  const { of } = await read(
    '<sharesOutstandings><sharesOutstanding/></sharesOutstandings><foreignInvestments><foreignInvestment/></foreignInvestments><custodians><custodian/></custodians>',
    (text) =>
      text.replace(
        '<terminatedSeries>',
        '<directors><director/></directors><locationBooksRecords><locationBooksRecord/></locationBooksRecords><terminatedSeries><terminatedSeriesInfo/>',
      ),
  )
  assert.deepEqual(
    ['share_class', 'foreign_subsidiary', 'provider', 'person', 'office', 'terminated_series'].map(
      (table) => of(table).length,
    ),
    [0, 0, 0, 0, 0, 0],
  )
})

test('numbers that are too long or have letters are null and reported, and zeros mean no number', async () => {
  const custodian = (numbers: string) =>
    `<custodians><custodian><custodianName>B</custodianName>${numbers}</custodian></custodians>`
  const { of, problems } = await read(
    custodian('<custodianLei>5493 00ABC</custodianLei><custodianRssdId>12a</custodianRssdId>'),
  )
  assert.equal(of('provider')[0]!.rssd_id, null)
  assert.ok(problems.some(([, value]) => value === '12a'))
  const zeros = await read(
    custodian('<custodianLei>00000000000000000000</custodianLei><custodianRssdId>0</custodianRssdId>'),
  )
  assert.deepEqual([zeros.of('provider')[0]!.lei, zeros.of('provider')[0]!.rssd_id, zeros.problems], [null, null, []])
})

test('an unknown element or attribute of a fund is unread', async () => {
  const { unread } = await read(
    '<isTokenized>Y</isTokenized><sharesOutstandings><sharesOutstanding sharesOutstandingClassName="A" fee="1"/></sharesOutstandings>',
  )
  assert.deepEqual(unread.map((path) => path.split('/').at(-1)).sort(), ['@fee', 'isTokenized'])
})
