import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { filingOf } from '../../../test/support/filing-made.ts'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse as parseXml } from '../../read/xml.ts'
import { parse } from './parse.ts'

const document = readFileSync(new URL('fixtures/9000000001-09-000002/primary_doc.xml', import.meta.url), 'utf8')

/** Reads the rows, by table, of the fixture with parts replaced. */
function read(...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  return { ...found, offering: found.of('offering')[0]! }
}

test('an indefinite amount is null with its flag, never 0', () => {
  const { offering, problems } = read(
    ['<totalOfferingAmount>20000000', '<totalOfferingAmount>Indefinite'],
    ['<totalRemaining>8500000', '<totalRemaining>0'],
  )
  assert.equal(offering.total_offered, null)
  assert.equal(offering.total_offered_indefinite, true)
  assert.equal(offering.total_remaining, '0')
  assert.equal(offering.total_remaining_indefinite, false)
  assert.deepEqual(problems, [])
})

test('an invalid amount is null and reported', () => {
  const { offering, problems } = read(['<totalAmountSold>11500000', '<totalAmountSold>some'])
  assert.equal(offering.total_sold, null)
  assert.equal(problems.length, 1)
  assert.match(problems[0]!.path, /totalAmountSold$/)
})

const placeholders = `<salesCompensationList><recipient>
  <recipientName>None</recipientName><recipientCRDNumber>None</recipientCRDNumber>
  <associatedBDName>NONE</associatedBDName><associatedBDCRDNumber>000000000</associatedBDCRDNumber>
  <recipientAddress><street1>NONE</street1><city>NONE</city><stateOrCountry>XX</stateOrCountry>
  <stateOrCountryDescription>Unknown</stateOrCountryDescription><zipCode>None</zipCode></recipientAddress>
  <statesOfSolicitationList><value>All States</value></statesOfSolicitationList>
</recipient></salesCompensationList>`

test('the words None and N/A, the state XX and a CRD of zeros are read as null', () => {
  const { of, unread, problems } = read(['<salesCompensationList/>', placeholders])
  const { position, all_states, states, ...rest } = of('recipient')[0]!
  assert.deepEqual({ position, all_states, states }, { position: 0, all_states: true, states: [] })
  assert.deepEqual(new Set(Object.values(rest)), new Set([null]))
  assert.equal(of('person')[0]!.first_name, null)
  assert.deepEqual(of('issuer')[0]!.previous_names, [])
  assert.deepEqual([unread, problems], [[], []])
})

test('previous names are read from both elements that may have them, and None is not a name', () => {
  const { of } = read([
    '<issuerPreviousNameList><value>None</value>',
    '<issuerPreviousNameList><previousName>Old One LP</previousName><previousName>None</previousName>',
  ])
  assert.deepEqual(of('issuer')[0]!.previous_names, ['Old One LP'])
})

test('a previous accession gets its leading zeros, an empty one is null, and any other text is null and reported', () => {
  const part = '<previousAccessionNumber>9000000001-09-000001<'
  assert.equal(read([part, '<previousAccessionNumber>12345-8-77<']).offering.previous_accession, '0000012345-08-000077')
  assert.equal(read([part, '<previousAccessionNumber><']).offering.previous_accession, null)
  const wrong = read([part, '<previousAccessionNumber>the one of May<'])
  assert.equal(wrong.offering.previous_accession, null)
  assert.equal(wrong.problems.length, 1)
})

test('a year of incorporation is read only with the choice “within the last five years”', () => {
  const part = '<withinFiveYears>true</withinFiveYears><value>2008</value>'
  const { of } = read([part, '<yetToBeFormed>true</yetToBeFormed>'])
  assert.equal(of('issuer')[0]!.incorporated, 'yet_to_be_formed')
  assert.equal(of('issuer')[0]!.year_incorporated, null)
})

test('a count of investors beyond 2^31 is kept', () => {
  const { offering } = read(['<totalNumberAlreadyInvested>19<', '<totalNumberAlreadyInvested>999999999999<'])
  assert.equal(offering.investor_count, '999999999999')
})

test('co-issuers follow the primary issuer in the order of the form', () => {
  const second = '<issuer><cik>77</cik><entityName>Second LP</entityName></issuer>'
  const third = '<issuer><cik>0000000078</cik><entityName>Third LP</entityName></issuer>'
  const { of, offering } = read([
    '</primaryIssuer>',
    `</primaryIssuer><issuerList>${second}${third}<over100IssuerFlag>true</over100IssuerFlag></issuerList>`,
  ])
  assert.deepEqual(
    of('issuer').map(({ position, cik, entity_name }) => [position, cik, entity_name]),
    [
      [0, '9000000001', 'OpenFilings Specimen Fund, L.P.'],
      [1, '0000000077', 'Second LP'],
      [2, '0000000078', 'Third LP'],
    ],
  )
  assert.equal(offering.cik, '9000000001')
  assert.equal(offering.over_100_issuers, true)
})

test('every element of the schema is read or ignored by name', () => {
  const envelope = `<returnCopy>false</returnCopy>
    <contactData><contactName>A</contactName><contactPhoneNumber>1</contactPhoneNumber><contactEmailAddress>a@b.example</contactEmailAddress></contactData>
    <notificationAddressList><notificationEmailAddress>a@b.example</notificationEmailAddress></notificationAddressList>`
  const boxes = ['Debt', 'OptionToAcquire', 'SecurityToBeAcquired', 'TenantInCommon', 'MineralProperty', 'Other']
  const { offering, of, unread, problems } = read(
    ['<testOrLive>LIVE</testOrLive>', `<testOrLive>LIVE</testOrLive>${envelope}`],
    ['</cik>', '</cik><ccc>x</ccc>'],
    ['</entityType>', '</entityType><entityTypeOtherDesc>Trust</entityTypeOtherDesc>'],
    ['</relatedPersonInfo>', '</relatedPersonInfo><over100PersonsFlag>true</over100PersonsFlag>'],
    [
      '<isEquityType>true</isEquityType>',
      `<isEquityType>true</isEquityType>${boxes.map((box) => `<is${box}Type>true</is${box}Type>`).join('')}<descriptionOfOtherType>Units</descriptionOfOtherType>`,
    ],
    [
      '<salesCompensationList/>',
      placeholders
        .replace('<value>All States</value>', '<state>GA</state><description>GEORGIA</description><state>WA</state>')
        .replace(
          '</recipient>',
          '<foreignSolicitation>true</foreignSolicitation></recipient><over100RecipientFlag>true</over100RecipientFlag>',
        ),
    ],
    [
      '<totalNumberAlreadyInvested>',
      '<numberNonAccreditedInvestors>5</numberNonAccreditedInvestors><totalNumberAlreadyInvested>',
    ],
  )
  assert.deepEqual([unread, problems], [[], []])
  assert.deepEqual(offering.security_types, [
    'equity',
    'debt',
    'option',
    'security_to_be_acquired',
    'pooled_fund',
    'tenant_in_common',
    'mineral_property',
    'other',
  ])
  assert.deepEqual(of('recipient')[0]!.states, ['GA', 'WA'])
  assert.ok(offering.over_100_persons && offering.over_100_recipients)
  assert.equal(offering.non_accredited_count, '5')
})

test('a document of another form is refused, and the error names the form', () => {
  const other = '<edgarSubmission><submissionType>C</submissionType></edgarSubmission>'
  assert.throws(() => [...parse(filingOf(parseXml(other)))], /not a Form D: <edgarSubmission> with submissionType C/)
  assert.throws(() => [...parse(filingOf(parseXml('<ownershipDocument/>')))], /not a Form D: <ownershipDocument>/)
})

test('a notice without the name of its issuer is an error', () => {
  assert.throws(() => read(['<entityName>OpenFilings Specimen Fund, L.P.</entityName>', '']), /entityName is missing/)
})
