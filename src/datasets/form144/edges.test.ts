/** Form 144: values at the limits of its schema. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse } from './parse.ts'

const document = readFileSync(new URL('fixtures/9000000145-23-000001/primary_doc.xml', import.meta.url), 'utf8')

function read(...changes: Change[]) {
  const found = rowsRead(parse, document, changes, { form: '144' })
  const problems = found.problems.map(({ path, value }) => [path.split('/').at(-1), value])
  return { ...found, problems, notice: found.of('notice')[0]!, sale: found.of('sale')[0]! }
}

test('a day is read with dashes, slashes and without leading zeros', () => {
  for (const day of ['05/15/2023', '05-15-2023', '5/15/2023', ' 05/15/2023\n']) {
    const { sale, problems } = read(['<approxSaleDate>05/15/2023', `<approxSaleDate>${day}`])
    assert.deepEqual([sale.sale_date, problems], ['2023-05-15', []], day)
  }
})

test('a day that does not exist and the day 01/01/0001 are null and reported', () => {
  for (const day of ['02/30/2023', '15/05/2023', '01/01/0001', '05/15/23', '2023-05-15']) {
    const { sale, problems } = read(['<approxSaleDate>05/15/2023', `<approxSaleDate>${day}`])
    assert.deepEqual([sale.sale_date, problems], [null, [['approxSaleDate', day]]])
  }
})

test('a number of units that the column cannot hold is null and reported, never cut', () => {
  for (const units of ['9000.5', '99999999999999999999', 'nine']) {
    const { sale, problems } = read(['<noOfUnitsSold>9000', `<noOfUnitsSold>${units}`])
    assert.deepEqual([sale.units, problems], [null, [['noOfUnitsSold', units]]])
  }
  assert.equal(read(['<noOfUnitsSold>9000', '<noOfUnitsSold>9,000.00']).sale.units, '9000')
})

test('an empty part and an empty day of adoption are not rows', () => {
  const { of, problems } = read(
    [/<securitiesSoldInPast3Months>[\s\S]*<\/securitiesSoldInPast3Months>/, '<securitiesSoldInPast3Months/>'],
    ['<planAdoptionDate>11/15/2022</planAdoptionDate>', '<planAdoptionDate/>'],
    ['<securitiesToBeSold>', '<securitiesToBeSold> </securitiesToBeSold><securitiesToBeSold>'],
  )
  assert.deepEqual([of('past_sale').length, of('plan').length, of('acquisition').length], [0, 0, 1])
  assert.deepEqual(problems, [])
})

test('several parts of one kind keep their order', () => {
  const { of } = read([
    '</securitiesInformation>',
    '</securitiesInformation><securitiesInformation><securitiesClassTitle>Class B</securitiesClassTitle></securitiesInformation>',
  ])
  assert.deepEqual(
    of('sale').map(({ position, security_class, units }) => [position, security_class, units]),
    [
      [0, 'Common', '9000'],
      [1, 'Class B', null],
    ],
  )
})

test('a notice without its issuer keeps its sales', () => {
  const { notice, of, problems } = read([/<issuerInfo>[\s\S]*<\/issuerInfo>/, ''])
  assert.deepEqual([notice.issuer_cik, notice.seller_name, notice.relationships], [null, null, []])
  assert.deepEqual([of('sale').length, problems], [1, []])
})

test('CIKs without leading zeros are completed; words that mean "none" are null; other texts are reported', () => {
  const { notice, problems } = read(
    ['<cik>9000000145', '<cik>145'],
    ['<issuerCik>9000000144', '<issuerCik>unknown'],
    ['<ns2:stateOrCountry>DE', '<ns2:stateOrCountry>XX'],
  )
  assert.deepEqual([notice.seller_cik, notice.issuer_cik, notice.issuer_state], ['0000000145', null, null])
  assert.deepEqual(problems, [['issuerCik', 'unknown']])
})

test('an unknown element within a known part is unread and changes no other value', () => {
  const { sale, unread } = read(['<noOfUnitsSold>', '<noOfUnitsPledged>1</noOfUnitsPledged><noOfUnitsSold>'])
  assert.equal(sale.units, '9000')
  assert.deepEqual(unread, ['/edgarSubmission/formData/securitiesInformation/noOfUnitsPledged'])
})
