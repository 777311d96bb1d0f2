/** Form D: values at the limits of its schema. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { filingOf } from '../../../test/support/filing-made.ts'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse as parseXml } from '../../read/xml.ts'
import { parse } from './parse.ts'

const document = readFileSync(new URL('fixtures/9000000001-09-000002/primary_doc.xml', import.meta.url), 'utf8')

function read(...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  const problems = found.problems.map(({ path, value }) => [path.split('/').at(-1), value])
  return { ...found, problems, offering: found.of('offering')[0]! }
}

test('the word "Indefinite" in place of an amount is recognized in capitals and small letters', () => {
  for (const word of ['Indefinite', 'INDEFINITE', 'indefinite']) {
    const { offering, problems } = read(
      ['<totalOfferingAmount>20000000', `<totalOfferingAmount>${word}`],
      ['<totalRemaining>8500000', `<totalRemaining> ${word} `],
    )
    assert.deepEqual([offering.total_offered, offering.total_offered_indefinite], [null, true], word)
    assert.deepEqual([offering.total_remaining, offering.total_remaining_indefinite], [null, true], word)
    assert.deepEqual(problems, [])
  }
})

const recipient = (states: string) =>
  `<salesCompensationList><recipient><recipientName>A</recipientName><statesOfSolicitationList>${states}</statesOfSolicitationList></recipient></salesCompensationList>`

test('the words "All States" are read in capitals and small letters, and any other words in their place are reported', () => {
  for (const word of ['All States', 'ALL STATES', 'All  states']) {
    const { of, problems } = read(['<salesCompensationList/>', recipient(`<value>${word}</value>`)])
    assert.deepEqual([of('recipient')[0]!.all_states, problems], [true, []], word)
  }
  const other = read(['<salesCompensationList/>', recipient('<value>Western States</value><state>CA</state>')])
  assert.deepEqual([other.of('recipient')[0]!.all_states, other.of('recipient')[0]!.states], [false, ['CA']])
  assert.deepEqual(other.problems, [['value', 'Western States']])
})

test('a year of incorporation that no column can hold is null and reported', () => {
  const { of, problems } = read(['<value>2008</value>', '<value>20080000000</value>'])
  assert.deepEqual([of('issuer')[0]!.year_incorporated, problems], [null, [['value', '20080000000']]])
})

test('if two boxes for the year of incorporation are ticked, neither is believed', () => {
  const { of, problems } = read([
    '<withinFiveYears>true</withinFiveYears>',
    '<overFiveYears>true</overFiveYears><withinFiveYears>true</withinFiveYears>',
  ])
  assert.equal(of('issuer')[0]!.incorporated, null)
  assert.equal(problems.length, 1)
})

test('the day 0001-01-01, with which programs fill an empty field, is null and reported', () => {
  const { offering, problems } = read(['<value>2009-01-05</value>', '<value>0001-01-01</value>'])
  assert.deepEqual([offering.first_sale, problems], [null, [['value', '0001-01-01']]])
})

test('a day with a time zone is read without the zone, whatever the zone is', () => {
  for (const day of ['2009-01-05Z', '2009-01-05-05:00', '2009-01-05+14:00', '2009-01-05T23:59:59.999-08:00']) {
    const { offering, problems } = read(['<value>2009-01-05</value>', `<value>${day}</value>`])
    assert.deepEqual([offering.first_sale, problems], ['2009-01-05', []], day)
  }
})

test('comments, CDATA, entities and prefixes do not change a value', () => {
  const { offering, of, unread, problems } = read(
    ['<totalAmountSold>11500000', '<totalAmountSold>115<!-- cents follow -->00000'],
    ['<minimumInvestmentAccepted>50000<', '<minimumInvestmentAccepted><![CDATA[ 50000 ]]><'],
    ['<lastName>OpenFilings Specimen GP, LLC', '<lastName>A &amp; B &#38; C&#x2019;s'],
    ['<edgarSubmission>', '<d:edgarSubmission xmlns:d="urn:d">'],
    ['</edgarSubmission>', '</d:edgarSubmission>'],
  )
  assert.deepEqual([offering.total_sold, offering.minimum_investment], ['11500000', '50000'])
  assert.equal(of('person')[0]!.last_name, 'A & B & C’s')
  assert.deepEqual([unread, problems], [[], []])
})

test('a document in UTF-16 with a byte order mark is read like one in UTF-8', () => {
  const text = document.replace('Specimen Signer', 'Spécimen Signer')
  const inUtf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
  assert.deepEqual([...parse(filingOf(parseXml(inUtf16)))], [...parse(filingOf(parseXml(Buffer.from(text))))])
})

test('an unknown element within a known one is unread, and its neighbours keep their values', () => {
  const { offering, unread } = read(
    ['<totalAmountSold>', '<totalAmountPledged>7</totalAmountPledged><totalAmountSold>'],
    ['<isEquityType>true</isEquityType>', '<isEquityType>true</isEquityType><isTokenType>true</isTokenType>'],
  )
  assert.deepEqual([offering.total_sold, offering.security_types], ['11500000', ['equity', 'pooled_fund']])
  assert.deepEqual(
    unread.map((path) => path.split('/').at(-1)),
    ['totalAmountPledged', 'isTokenType'],
  )
})

test('a box that is neither true nor false is reported, and does not tick the type of security', () => {
  const { offering, problems } = read(['<isEquityType>true', '<isEquityType>perhaps'])
  assert.deepEqual([offering.security_types, problems], [['pooled_fund'], [['isEquityType', 'perhaps']]])
})

test('an empty element of a list is not a row', () => {
  const { of } = read(
    ['<salesCompensationList/>', '<salesCompensationList><recipient/></salesCompensationList>'],
    ['</relatedPersonsList>', '<relatedPersonInfo/></relatedPersonsList>'],
  )
  assert.deepEqual([of('recipient').length, of('person').length], [0, 1])
})
