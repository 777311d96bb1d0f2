import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { effortOf } from '../../../test/support/effort.ts'
import { filingOf } from '../../../test/support/filing-made.ts'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse as parseXml } from '../../read/xml.ts'
import { parse } from './parse.ts'

const fixture = (accession: string) =>
  readFileSync(new URL(`fixtures/${accession}/primary_doc.xml`, import.meta.url), 'utf8')
const UPDATE = fixture('9000000020-16-000003')

/** Returns the rows, by table, of the progress update with some parts replaced. */
const read = (...changes: Change[]) => readFrom(UPDATE, ...changes)

function readFrom(document: string, ...changes: Change[]) {
  const found = rowsRead(parse, document, changes)
  const problems = found.problems.map(({ path, value }) => [path.split('/').at(-1), value])
  return { ...found, submission: found.of('submission')[0]!, problems }
}

const PROGRESS = 'The issuer has raised a total of $212,500.00, more than its target of $50,000.'

test('the amount raised is read from the text of a progress update', () => {
  const raised = (progress: string) => read([PROGRESS, progress]).submission.raised
  for (const [progress, amount] of [
    ['The Company raised $107,000.', '107000'],
    ['Total raised: $345,222.18', '345222.18'],
    ['$62,000 of securities have been sold; $62,000.00 raised', '62000'],
    ['We have received gross proceeds of $ 9,999.50 to date', '9999.5'],
  ] as const)
    assert.equal(raised(progress), amount, progress)
})

test('the amount raised is null if a progress update states none or several', () => {
  for (const progress of [
    '50% and 100% of Target Reached',
    'Reached its target of $50,000',
    'Raised more than $50,000',
    'Raised $1.2 million',
    'Sold 5,000 shares at $10 each',
    'Sold $5 per share',
    'The issuer has not yet raised $50,000',
    'Raised $10,000 online and raised $20,000 offline',
    'Raised $10,00,0',
    'N/A',
  ]) {
    const { submission, problems } = read([PROGRESS, progress])
    assert.deepEqual([submission.progress, submission.raised, problems], [progress, null, []], progress)
  }
  assert.equal(read([PROGRESS, '']).submission.progress, null)
})

test('a progress update of a million characters is read within five seconds', async () => {
  for (const text of [`$${'1'.repeat(1_000_000)}x`, 'raised a '.repeat(120_000), '$1 of '.repeat(170_000)]) {
    const ms = await effortOf(() => assert.equal(read([PROGRESS, text]).submission.raised, null))
    assert.ok(ms < 5000, `${ms} ms`)
  }
})

test('an amount that is not a number is null; it is reported unless a word says that it is unknown; .00 and negative amounts are kept', () => {
  const { submission, of, problems } = read(
    ['<offeringAmount>50000.00', '<offeringAmount>N/A'],
    ['<maximumOfferingAmount>400000.00', '<maximumOfferingAmount>Indefinite'],
    ['<price>2.50000', '<price>two dollars'],
    ['<noOfSecurityOffered>20000', '<noOfSecurityOffered>20000.5'],
    ['<totalAssetMostRecentFiscalYear>180000.00', '<totalAssetMostRecentFiscalYear>.00'],
    ['<taxPaidMostRecentFiscalYear>1200.00', '<taxPaidMostRecentFiscalYear>-12.5'],
    ['<currentEmployees>4.50', '<currentEmployees>'],
  )
  const { target_amount, maximum_amount, price, security_count } = submission
  assert.deepEqual([target_amount, maximum_amount, price, security_count], [null, null, null, null])
  const { total_assets, taxes_paid, current_employees } = of('financial')[0]!
  assert.deepEqual([total_assets, taxes_paid, current_employees], ['0', '-12.5', null])
  assert.deepEqual(problems, [
    ['noOfSecurityOffered', '20000.5'],
    ['price', 'two dollars'],
  ])
})

test('an absent figure is null, not 0', () => {
  const { of, problems } = read(['<revenuePriorFiscalYear>288000.00</revenuePriorFiscalYear>', ''])
  assert.deepEqual([of('financial')[0]!.revenue, of('financial')[0]!.revenue_prior], ['410000', null])
  assert.deepEqual(problems, [])
})

test('dates begin with the month; a date in another order is null and reported, a deadline in the past is kept', () => {
  const { submission, of, problems } = read(
    ['<deadlineDate>12-31-2016', '<deadlineDate>31-12-2024'],
    ['<dateIncorporation>03-14-2014', '<dateIncorporation>2014-03-14'],
    ['<signatureDate>08-15-2016', '<signatureDate>8-2-2016'],
  )
  assert.deepEqual([submission.deadline, submission.incorporated], [null, null])
  assert.equal(of('signature')[1]!.signed, '2016-08-02')
  assert.deepEqual(problems, [
    ['dateIncorporation', '2014-03-14'],
    ['deadlineDate', '31-12-2024'],
  ])
  assert.equal(read(['<deadlineDate>12-31-2016', '<deadlineDate>01-01-1999']).submission.deadline, '1999-01-01')
})

test('a CRD number or CIK of zeros is null, CRD numbers lose their leading zeros, an invalid number is reported', () => {
  const crd = (by: string) => read(['<crdNumber>000999999', `<crdNumber>${by}`])
  assert.deepEqual([crd('000000000').submission.intermediary_crd, crd('000000000').problems], [null, []])
  assert.equal(crd('000300634').submission.intermediary_crd, '300634')
  assert.deepEqual(
    [crd('CRD 12').submission.intermediary_crd, crd('CRD 12').problems],
    [null, [['crdNumber', 'CRD 12']]],
  )
  const cik = (by: string) => read(['<commissionCik>9000000021', `<commissionCik>${by}`])
  assert.equal(cik('1670254').submission.intermediary_cik, '0001670254')
  for (const none of ['0000000000', 'none']) {
    assert.deepEqual([cik(none).submission.intermediary_cik, cik(none).problems], [null, []])
  }
  const wrong = '12345678901'
  assert.deepEqual([cik(wrong).submission.intermediary_cik, cik(wrong).problems], [null, [['commissionCik', wrong]]])
})

test('N/A and None are null as names and websites, but are kept as answers in free text', () => {
  const { submission } = read(
    ['https://bakery.example', 'N/A'],
    ['OpenFilings Specimen Portal, LLC', 'None'],
    ['2 percent of the securities sold', 'None'],
    ['Set by the board', 'N/A'],
    ['<com:stateOrCountry>IL', '<com:stateOrCountry>XX'],
  )
  assert.deepEqual([submission.website, submission.intermediary_name, submission.state], [null, null, null])
  assert.deepEqual([submission.financial_interest, submission.price_method], ['None', 'N/A'])
})

const FILER = /<filer>[\s\S]*<\/filer>/.exec(UPDATE)![0]

test('a filer that is named twice counts once, and a second, different filer is reported and left out', () => {
  const twice = read([FILER, FILER + FILER])
  assert.deepEqual(
    [twice.submission.cik, twice.submission.file_number, twice.problems],
    ['9000000020', '020-99999', []],
  )
  const other = read([FILER, FILER + FILER.replace('9000000020', '77')])
  assert.deepEqual([other.submission.cik, other.problems, other.unread], ['9000000020', [['filer', '0000000077']], []])
})

test('an amendment whose material-amendment box is not ticked is recognized by its form type', () => {
  const { submission } = readFrom(fixture('0001669191-25-000007'))
  assert.deepEqual([submission.submission_type, submission.material_amendment], ['C/A', false])
})

test('any prefix of the XML namespace is accepted', () => {
  const { submission, unread } = readFrom(UPDATE.replaceAll('com:', 'x:').replace('xmlns:com', 'xmlns:x'))
  assert.deepEqual([submission.city, unread], ['Springfield', []])
})

test('every element of the schema is read or ignored by name', () => {
  const { of, submission, unread, problems } = read(
    ['<headerData>', '<schemaVersion>X0101</schemaVersion><headerData>'],
    [
      '</flags>',
      `</flags><contact><contactName>A</contactName><contactPhone>1</contactPhone><contactEmail>a@b.example</contactEmail></contact>
       <notifications><notificationEmail>a@b.example</notificationEmail></notifications>`,
    ],
    ['<liveTestFlag>', '<period>12-31-2023</period><liveTestFlag>'],
    ['<progressUpdate>', '<isAmendment>true</isAmendment><natureOfAmendment>Price</natureOfAmendment><progressUpdate>'],
    ['</legalStatusForm>', '</legalStatusForm><legalStatusOtherDesc>Benefit corporation</legalStatusOtherDesc>'],
    ['</com:street1>', '</com:street1><com:street2>Floor 2</com:street2>'],
    [
      '<isCoIssuer>N</isCoIssuer>',
      `<isCoIssuer>Y</isCoIssuer><coIssuers><coIssuerInfo>
        <isEdgarFiler>EdgarFiler</isEdgarFiler><coIssuerCik>1161103</coIssuerCik><nameOfCoIssuer>Second, LLC</nameOfCoIssuer>
        <coIssuerLegalStatus><legalStatusForm>Other</legalStatusForm><legalStatusOtherDesc>Series</legalStatusOtherDesc>
        <jurisdictionOrganization>DC</jurisdictionOrganization><dateIncorporation>04-20-2021</dateIncorporation></coIssuerLegalStatus>
        <coIssuerAddress><com:street1>1 A</com:street1><com:city>B</com:city><com:stateOrCountry>DC</com:stateOrCountry><com:zipCode>20549</com:zipCode></coIssuerAddress>
        <coIssuerWebsite>second.example</coIssuerWebsite></coIssuerInfo></coIssuers>`,
    ],
    ['</securityOfferedType>', '</securityOfferedType><securityOfferedOtherDesc>Units</securityOfferedOtherDesc>'],
    [
      '</overSubscriptionAllocationType>',
      '</overSubscriptionAllocationType><descOverSubscription>By lot</descOverSubscription>',
    ],
    [
      '</formData>',
      '</formData><documents><com:document><com:conformedName>a.pdf</com:conformedName><com:contents>JVBERi0=</com:contents></com:document></documents>',
    ],
  )
  assert.deepEqual([unread, problems], [[], []])
  const [other] = of('co_issuer')
  assert.deepEqual([other!.cik, other!.is_edgar_filer, other!.legal_form_other], ['0001161103', true, 'Series'])
  assert.deepEqual([submission.period, submission.over_subscription_note], ['2023-12-31', 'By lot'])
})

test('a document of another form is refused, and the error names the form', () => {
  const other = (type: string) =>
    `<edgarSubmission><headerData><submissionType>${type}</submissionType></headerData></edgarSubmission>`
  for (const type of ['D', 'CFPORTAL', 'C-X', 'CB']) {
    assert.throws(
      () => [...parse(filingOf(parseXml(other(type))))],
      new RegExp(`not a Form C: <edgarSubmission> .* ${type}$`),
    )
  }
  assert.throws(() => [...parse(filingOf(parseXml('<ownershipDocument/>')))], /not a Form C: <ownershipDocument>/)
})

test('a filing without the name of its issuer is an error', () => {
  assert.throws(
    () => read(['<nameOfIssuer>OpenFilings Specimen Bakery, Inc.</nameOfIssuer>', '']),
    /nameOfIssuer is missing/,
  )
})
