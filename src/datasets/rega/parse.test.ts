import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { filingOf } from '../../../test/support/filing-made.ts'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse as parseXml } from '../../read/xml.ts'
import { parse } from './parse.ts'

const fixture = (accession: string) =>
  readFileSync(new URL(`fixtures/${accession}/primary_doc.xml`, import.meta.url), 'utf8')
const bank = fixture('9000000101-16-000002')
const annual = fixture('0001104659-23-053330')
const exit = fixture('0001104659-23-098411')

/** Reads the rows, by table, of a document with parts replaced. */
function read(document: string, ...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  return { ...found, submission: found.of('submission')[0]! }
}

test('a form under another namespace and any prefix gives the same rows', () => {
  const prefixed = annual.replace(/<(\/?)(?=[a-z])/g, '<$1ns1:').replace('xmlns=', 'xmlns:ns1=')
  const other = annual.replace('rega/onekfiler', 'another')
  assert.deepEqual(read(prefixed).rows, read(annual).rows)
  assert.deepEqual(read(other).rows, read(annual).rows)
})

test('an amount in words is null with its reason, never 0; a stated .00 is 0', () => {
  const { submission, of, problems } = read(
    bank,
    ['<totalAggregateOffering>16250000.00', '<totalAggregateOffering>Indefinite'],
    ['<netIncome>1250000.00', '<netIncome>N/A'],
    ['<cashEquivalents>4100000.00', '<cashEquivalents>.00'],
  )
  assert.equal(submission.total_offered, null)
  assert.equal(of('financials')[0]!.net_income, null)
  assert.equal(of('financials')[0]!.cash, '0')
  assert.deepEqual(
    problems.map(({ value }) => value),
    ['Indefinite', 'N/A'],
  )
})

test('an amount that is not stated is null, not 0', () => {
  const { submission, of, problems } = read(bank, ['<totalAggregateOffering>16250000.00</totalAggregateOffering>', ''])
  assert.equal(submission.total_offered, null)
  assert.equal(of('financials')[0]!.revenues, null)
  assert.deepEqual(problems, [])
})

test('negative equity, income and earnings are kept', () => {
  const { of } = read(
    bank,
    ['<totalStockholderEquity>16000000.25', '<totalStockholderEquity>-1072013.00'],
    ['<earningsPerShareBasic>0.78', '<earningsPerShareBasic>-.13'],
  )
  assert.equal(of('financials')[0]!.equity, '-1072013')
  assert.equal(of('financials')[0]!.eps_basic, '-0.13')
})

test('the items of the insurers’ layout are read', () => {
  const { of, unread } = read(
    bank,
    ['<industryGroup>Banking', '<industryGroup>Insurance'],
    ['<loans>141200000.50</loans>', '<totalInvestments>141200000.50</totalInvestments>'],
    [
      '<deposits>150500000.25</deposits>',
      '<policyLiabilitiesAndAccruals>150500000.25</policyLiabilitiesAndAccruals><accountsReceivable>7.00</accountsReceivable>',
    ],
    ['<totalInterestIncome>8700000.00</totalInterestIncome>', '<totalRevenues>8700000.00</totalRevenues>'],
    [
      '<totalInterestExpenses>2900000.00</totalInterestExpenses>',
      '<costAndExpensesApplToRevenues>2900000.00</costAndExpensesApplToRevenues>',
    ],
  )
  const { layout, total_investments, policy_liabilities, revenues, costs_and_expenses, loans } = of('financials')[0]!
  assert.deepEqual(
    [layout, total_investments, policy_liabilities, revenues, costs_and_expenses, loans],
    ['Insurance', '141200000.5', '150500000.25', '8700000', '2900000', null],
  )
  assert.deepEqual(unread, [])
})

test('a CUSIP of zeros or of words that mean "none" is null, and an invalid CUSIP is reported', () => {
  const cusip = (text: string) => {
    const { of, problems } = read(bank, ['<commonCusipEquity>000000000', `<commonCusipEquity>${text}`])
    return [of('security_class')[0]!.cusip, problems.length]
  }
  for (const none of ['000000000', '0', '0000000', '00000NONE', '00000None', 'N/A', 'NA', 'n/a', 'None']) {
    assert.deepEqual(cusip(none), [null, 0], none)
  }
  assert.deepEqual(cusip('742717309'), ['742717309', 0])
  assert.deepEqual(cusip('g2345a109'), ['G2345A109', 0])
  assert.deepEqual(cusip('3,869,565'), [null, 1])
})

test('a CRD number of zeros is null, leading zeros are dropped, nonsense is reported', () => {
  const crd = (text: string) => {
    const { of, problems } = read(annual, ['<crdNumberBrokerDealer>136352', `<crdNumberBrokerDealer>${text}`])
    return [of('sale')[0]!.broker_crd, problems.length]
  }
  assert.deepEqual(['000000000', '0', 'N/A'].map(crd), [
    [null, 0],
    [null, 0],
    [null, 0],
  ])
  assert.deepEqual(crd('000304537'), ['304537', 0])
  assert.deepEqual(crd('see text'), [null, 1])
})

test('dates are month first; a commencement before the qualification stays as stated', () => {
  const { of, problems } = read(annual, ['<offeringCommenceDate>04-08-2022', '<offeringCommenceDate>10-10-2014'])
  assert.deepEqual([of('sale')[0]!.qualified, of('sale')[0]!.commenced, problems], ['2022-04-08', '2014-10-10', []])
})

test('a date with the day first or the year first is null with its reason', () => {
  for (const wrong of ['31-12-2022', '2022-12-31']) {
    const { submission, problems } = read(annual, ['<fiscalYearEnd>12-31-2022', `<fiscalYearEnd>${wrong}`])
    assert.equal(submission.fiscal_year_end, null)
    assert.equal(problems[0]!.value, wrong)
  }
})

const second = `<summaryInfo><commissionFileNumber>024-11835</commissionFileNumber>
  <aggregrateOfferingPrice>34.3</aggregrateOfferingPrice>
  <aggregrateOfferingPriceHolders>2.005</aggregrateOfferingPriceHolders></summaryInfo>`

test('the amount raised is the exact sum over all offerings, of the issuer and of selling holders', () => {
  const { submission, of } = read(annual, ['</formData>', `${second}</formData>`])
  assert.equal(submission.raised, '1072080.305')
  assert.deepEqual(submission.file_numbers, ['024-11834', '024-11835'])
  assert.deepEqual(
    of('sale').map(({ position, sold_for_issuer }) => [position, sold_for_issuer]),
    [
      [0, '1072044'],
      [1, '34.3'],
    ],
  )
})

test('the amount raised is null if one of the offerings does not state its amount', () => {
  const silent = '<summaryInfo><commissionFileNumber>024-11835</commissionFileNumber></summaryInfo>'
  const { submission, problems } = read(annual, ['</formData>', `${silent}</formData>`])
  assert.equal(submission.raised, null)
  assert.deepEqual(problems, [])
})

test('a sum of zero for securities sold at a price is null with its reason; for shares without a price it is 0', () => {
  const nothing: Change = ['<portionSecuritiesSoldIssuer>1087040.00', '<portionSecuritiesSoldIssuer>0.00']
  const contradicted = read(exit, nothing)
  assert.equal(contradicted.submission.raised, null)
  assert.equal(contradicted.of('sale')[0]!.sold_for_issuer, '0')
  assert.match(contradicted.problems[0]!.reason, /271760 securities sold at 4$/)
  const exchanged = read(exit, nothing, ['<pricePerSecurity>4.0000', '<pricePerSecurity>0.0000'])
  assert.deepEqual([exchanged.submission.raised, exchanged.problems], ['0', []])
})

test('an empty summary is not read as a sale', () => {
  const empty = exit.replace(/<summaryInfoOffering>[\s\S]*<\/summaryInfoOffering>/, '<summaryInfoOffering/>')
  const { submission, of } = read(empty)
  assert.deepEqual([submission.raised, of('sale'), of('service')], [null, [], []])
})

const coFiler = (cik: string, number: string) =>
  `<co-filer><coIssuerCredentials><cik>${cik}</cik><ccc>XXXXXXXX</ccc></coIssuerCredentials>${number}</co-filer>`

test('a co-issuer that only the header names is one row after the others, however often the header names it', () => {
  const number = '<fileNumber>24R-00592-01</fileNumber>'
  const list = coFiler('1879249', '') + coFiler('0001879249', number) + coFiler('0001838860', '')
  const { of, unread } = read(exit, ['</headerData>', `<coIssuerInfo>${list}</coIssuerInfo></headerData>`])
  assert.deepEqual(
    of('issuer').map(({ position, cik, entity_name, file_number }) => [position, cik, entity_name, file_number]),
    [
      [0, '0001838860', 'Balanced Pharma Inc', null],
      [1, '0001879249', null, '24R-00592-01'],
    ],
  )
  assert.deepEqual(unread, [])
})

test('several service providers of one kind are kept apart, and words that mean "none" are dropped', () => {
  const { of } = read(
    annual,
    ['<legalSpName>CrowdCheck Law LLP', '<legalSpName>JDT Legal</legalSpName><legalSpName>PLLC'],
    ['<blueSkySpName>Various', '<blueSkySpName>NA'],
  )
  const namesOf = (role: string) => of('service').find((row) => row.role === role)!.names
  assert.deepEqual([namesOf('legal'), namesOf('blue_sky')], [['JDT Legal', 'PLLC'], []])
})

test('a SIC code outside every group has no industry, a code of zeros is null, an impossible year is reported', () => {
  const { submission, of, problems } = read(
    bank,
    ['<sicCode>6022', '<sicCode>0'],
    ['<yearIncorporation>2010', '<yearIncorporation>99999999999'],
    ['<nameAuditor>Specimen Audit LLP', '<nameAuditor>Not Applicable'],
  )
  assert.deepEqual([submission.industry, of('issuer')[0]!.sic, of('financials')[0]!.auditor], [null, null, null])
  assert.equal(of('issuer')[0]!.year_incorporated, null)
  assert.deepEqual(
    problems.map(({ value }) => value),
    ['99999999999'],
  )
  assert.equal(read(bank, ['<sicCode>6022', '<sicCode>6622']).submission.industry, null)
  assert.equal(read(bank, ['<sicCode>6022', '<sicCode>100']).of('issuer')[0]!.sic, '0100')
})

test('every element of the schemas is read or ignored by name', () => {
  const contacts = `<contact><contactName>A</contactName><contactPhoneNumber>1</contactPhoneNumber><contactPhone>1</contactPhone></contact>
    <notifications><notificationEmailAddress>a@b.example</notificationEmailAddress></notifications>`
  const flags = `<confirmingCopyFlag>true</confirmingCopyFlag><overrideInternetFlag>true</overrideInternetFlag>`
  const attachment = '<documents><document><contents>eA==</contents></document></documents></edgarSubmission>'
  const statement = read(
    bank,
    ['</filerInfo>', `${contacts}</filerInfo>`],
    ['<flags>', `<flags>${flags}`],
    ['</offeringFileNumber>', '</offeringFileNumber><dosFileNumber>367-00001</dosFileNumber>'],
    ['</edgarSubmission>', attachment],
    [
      '</headerData>',
      `<coIssuerInfo>${coFiler('7', '<coIssuerFileNumber>024-1</coIssuerFileNumber>')}</coIssuerInfo></headerData>`,
    ],
    [
      '</connectionName>',
      `</connectionName><connectionStreet1>A</connectionStreet1><connectionStreet2>B</connectionStreet2><connectionCity>C</connectionCity>
      <connectionStateOrCountry>VT</connectionStateOrCountry><connectionZipCode>1</connectionZipCode>
      <connectionPhoneNumber>1</connectionPhoneNumber><commentsEmailAddress>a@b.example</commentsEmailAddress>`,
    ],
    [
      '</underwritersFees>',
      '</underwritersFees><finderFeesFee>1.00</finderFeesFee><promotersFees>1.00</promotersFees>',
    ],
    [
      '</legalFees>',
      '</legalFees><blueSkyServiceProviderName>B</blueSkyServiceProviderName><blueSkyFees>1.00</blueSkyFees>',
    ],
    ['<issueJuridication', '<jurisdictionsOfSecOfferedNone>false</jurisdictionsOfSecOfferedNone><issueJuridication'],
  )
  assert.deepEqual([statement.unread, statement.problems], [[], []])
  assert.equal(statement.submission.draft_file_number, '367-00001')
  const report = read(
    annual,
    ['</filerInfo>', `${contacts}</filerInfo>`],
    ['<flags>', `<flags>${flags}<returnCopyFlag>true</returnCopyFlag>`],
    ['</filer>', '<fileNumber>24R-00006</fileNumber><successorFileNumber>024-2</successorFileNumber></filer>'],
    ['<auditorSpName>', '<findersSpName>F</findersSpName><findersFees>1.00</findersFees><auditorSpName>'],
    ['<blueSkySpName>', '<promoterSpName>P</promoterSpName><promotersFees>1.00</promotersFees><blueSkySpName>'],
    ['</summaryInfo>', '<clarificationResponses>N</clarificationResponses></summaryInfo>'],
  )
  assert.deepEqual([report.unread, report.problems], [[], []])
  assert.equal(report.submission.successor_file_number, '024-2')
  assert.equal(report.of('issuer')[0]!.file_number, '24R-00006')
})

test('an element that no schema has is reported as unread', () => {
  assert.deepEqual(read(annual, ['</item2>', '<newItem>1</newItem></item2>']).unread, [
    '/edgarSubmission/formData/item2/newItem',
  ])
})

test('a document of another form, or without the name of its issuer, is refused', () => {
  const other = '<edgarSubmission><headerData><submissionType>C</submissionType></headerData></edgarSubmission>'
  assert.throws(
    () => [...parse(filingOf(parseXml(other)))],
    /not a 1-A, 1-K or 1-Z: <edgarSubmission> with submissionType C/,
  )
  assert.throws(
    () => [...parse(filingOf(parseXml('<ownershipDocument/>')))],
    /not a 1-A, 1-K or 1-Z: <ownershipDocument>/,
  )
  assert.throws(() => read(exit, ['<issuerName>Balanced Pharma Inc</issuerName>', '']), /name of the issuer is missing/)
})

test('amendments and drafts of an offering statement are offering statements', () => {
  for (const form of ['1-A', '1-A/A', '1-A POS', 'DOS', 'DOS/A']) {
    const { submission, of } = read(bank, ['<submissionType>1-A/A', `<submissionType>${form}`])
    assert.deepEqual([submission.submission_type, of('offering').length], [form, 1])
  }
})
