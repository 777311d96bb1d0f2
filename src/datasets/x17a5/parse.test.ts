import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { filingOf } from '../../../test/support/filing-made.ts'
import { type Change, rowsRead } from '../../../test/support/rows-read.ts'
import { parse as parseXml } from '../../read/xml.ts'
import { parse } from './parse.ts'

const fixture = (accession: string) =>
  readFileSync(new URL(`fixtures/${accession}/primary_doc.xml`, import.meta.url), 'utf8')
const amendment = fixture('9000000017-24-000002')

/** Reads the row of the amendment's cover with parts replaced. */
function read(...changes: Change[]) {
  const { rows, unread, problems } = rowsRead(parse, amendment, changes)
  const [[, report] = assert.fail('no row')] = rows
  return { report, unread, problems: problems.map(({ path, value }) => [path, value]) }
}

const INFORMATION = '/edgarSubmission/formData/submissionInformation'

test('dates are read month first', () => {
  const { report } = read(['<periodBegin>01-01-2022', '<periodBegin>02-03-2022'])
  assert.equal(report.period_begin, '2022-02-03')
})

test('the type of registrant is read in both layouts', () => {
  const older = parseXml(fixture('0000200403-20-000002'))
  assert.deepEqual([...parse(filingOf(older))][0]![1].registrant_types, ['Broker-dealer'])
  const boxes = '<typeOfSDRegistrant>Major security-based swap participant</typeOfSDRegistrant></typeOfRegistrant>'
  const { report } = read(['</typeOfRegistrant>', boxes])
  assert.deepEqual(report.registrant_types, ['Broker-dealer', 'Major security-based swap participant'])
})

test('a period in the wrong order is kept as filed and reported', () => {
  const { report, problems } = read(
    ['<periodBegin>01-01-2022', '<periodBegin>12-31-2022'],
    ['<periodEnd>12-31-2022', '<periodEnd>01-01-2022'],
  )
  assert.deepEqual([report.period_begin, report.period_end], ['2022-12-31', '2022-01-01'])
  assert.deepEqual(problems, [[`${INFORMATION}/periodEnd`, '2022-01-01']])
})

test('a date or a box that says N/A is null and reported, never false', () => {
  const { report, problems } = read(
    ['<periodEnd>12-31-2022', '<periodEnd>N/A'],
    ['<materialWeakness>N', '<materialWeakness>N/A'],
  )
  assert.equal(report.period_end, null)
  assert.equal(report.material_weakness, null)
  assert.deepEqual(problems, [
    [`${INFORMATION}/periodEnd`, 'N/A'],
    [`${INFORMATION}/materialWeakness`, 'N/A'],
  ])
})

test('the words None and N/A and the state XX are read as null', () => {
  const { report, problems } = read(
    ['<contactPersonName>Sam Specimen', '<contactPersonName>N/A'],
    ['<accountantName>Example &amp; Partners LLP', '<accountantName>NONE'],
    ['<ns1:stateOrCountry>NY', '<ns1:stateOrCountry>XX'],
  )
  assert.deepEqual([report.contact_name, report.auditor, report.auditor_key, report.state], [null, null, null, null])
  assert.equal(report.auditor_state, 'NY')
  assert.deepEqual(problems, [])
})

const CREDENTIALS = '<filerCredentials><filerCik>9000000017</filerCik><filerCcc>XXXXXXXX</filerCcc></filerCredentials>'

test('the first of several filers is the broker, and a different second filer is reported', () => {
  const again = `${CREDENTIALS}</filer><filer>${CREDENTIALS}</filer><filer>${CREDENTIALS.replace('9000000017', '77')}`
  const { report, unread, problems } = read([CREDENTIALS, again])
  assert.equal(report.cik, '9000000017')
  assert.deepEqual(unread, [])
  assert.deepEqual(problems, [['/edgarSubmission/headerData/filerInfo/filer', '0000000077']])
})

test('an invalid CIK is null and reported', () => {
  const { report, problems } = read(['<filerCik>9000000017', '<filerCik>unknown'])
  assert.equal(report.cik, null)
  assert.deepEqual(problems, [['/edgarSubmission/headerData/filerInfo/filer/filerCredentials/filerCik', 'unknown']])
})

test('file numbers for confirming copies are read from all three elements that may have them', () => {
  const numbers = `<confirmingCopyNumber>008-50074</confirmingCopyNumber><confirming008CopyNumber>008-1</confirming008CopyNumber>
    <confirming026CopyNumber>026-2</confirming026CopyNumber></filer>`
  assert.deepEqual(read(['</filer>', numbers]).report.file_numbers, ['008-50074', '008-1', '026-2'])
})

test('every element of the schema is read or ignored by name', () => {
  const document = `<documents><ns1:document><ns1:conformedName>a.pdf</ns1:conformedName>
    <ns1:conformedDocumentType>FULL</ns1:conformedDocumentType><ns1:contents>QQ==</ns1:contents>
    <ns1:confidentiality>true</ns1:confidentiality></ns1:document></documents></edgarSubmission>`
  const contact = `</flags><contact><contactName>A</contactName><contactPhone>1</contactPhone><contactEmail>a@b.example</contactEmail></contact>
    <notifications><notificationEmail>a@b.example</notificationEmail></notifications>`
  const { report, unread, problems } = read(
    ['</flags>', contact],
    ['</edgarSubmission>', document],
    ['</signDate>', '</signDate><explanation>One exception</explanation>'],
    [
      '</typeOfRegistrant>',
      '</typeOfRegistrant><subTypeOfBDRegistrant>OTC derivatives dealer</subTypeOfBDRegistrant><subTypeOfSDRegistrant>Other</subTypeOfSDRegistrant>',
    ],
  )
  assert.deepEqual([unread, problems], [[], []])
  assert.equal(report.exceptions, 'One exception')
  assert.deepEqual(report.registrant_subtypes, ['OTC derivatives dealer', 'Other'])
})

test('a cover without accountant and oath is read', () => {
  const text = amendment
    .replace(/<accountantIdentification>[\s\S]*<\/accountantIdentification>/, '')
    .replace(/<oathSignature>[\s\S]*<\/oathSignature>/, '')
  const [[, report] = assert.fail('no row')] = [...parse(filingOf(parseXml(text)))]
  assert.deepEqual([report.auditor, report.signed, report.notarized], [null, null, null])
})

test('a document of another form is refused, and the error names the form', () => {
  const other = '<edgarSubmission><headerData><submissionType>CFPORTAL</submissionType></headerData></edgarSubmission>'
  assert.throws(
    () => [...parse(filingOf(parseXml(other)))],
    /not an X-17A-5: <edgarSubmission> with submissionType CFPORTAL/,
  )
  assert.throws(() => [...parse(filingOf(parseXml('<ownershipDocument/>')))], /not an X-17A-5: <ownershipDocument>/)
})

test('a cover without the name of its broker is an error', () => {
  const named = '<brokerDealerName>OpenFilings Specimen Securities LLC</brokerDealerName>'
  assert.throws(() => read([named, '']), /brokerDealerName is missing/)
})
