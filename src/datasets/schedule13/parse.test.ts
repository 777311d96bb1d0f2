/** Traps of Schedules 13D and 13G, each in a minimal document. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse as parseXml } from '../../read/xml.ts'
import { parse } from './parse.ts'

type Row = Record<string, unknown>

interface Reading {
  form?: string
  header?: string
  cover?: string
  issuer?: string
  persons?: string
  rest?: string
}

const d = ({ form = 'SCHEDULE 13D', header = '', cover = '', issuer = '', persons = '', rest = '' }: Reading) => `
  <edgarSubmission xmlns="http://www.sec.gov/edgar/schedule13D"><headerData><submissionType>${form}</submissionType>${header}
  <filerInfo><filer><filerCredentials><cik>0000000007</cik><ccc>XXXXXXXX</ccc></filerCredentials></filer></filerInfo></headerData>
  <formData><coverPageHeader>${cover}<issuerInfo><issuerCIK>0000000009</issuerCIK>${issuer}<issuerName>Specimen Inc.</issuerName>
  </issuerInfo></coverPageHeader><reportingPersons>${persons}</reportingPersons>${rest}</formData></edgarSubmission>`

const g = ({ form = 'SCHEDULE 13G', cover = '', issuer = '', persons = '', rest = '' }: Reading) => `
  <g:edgarSubmission xmlns:g="http://www.sec.gov/edgar/schedule13g"><g:headerData><g:submissionType>${form}</g:submissionType>
  </g:headerData><g:formData><g:coverPageHeader>${cover}<g:issuerInfo><g:issuerCik>0000000009</g:issuerCik>${issuer}
  </g:issuerInfo></g:coverPageHeader>${persons}${rest}</g:formData></g:edgarSubmission>`

function read(document: string) {
  const doc = parseXml(document)
  const rows: (readonly [string, Row])[] = [...parse(doc)]
  const of = (table: string): Row[] => rows.flatMap(([name, row]) => (name === table ? [row] : []))
  return {
    report: of('report')[0] as Row,
    of,
    unread: doc.unread(),
    problems: doc.problems().map(({ value }) => value),
  }
}

const person = (shares: string, percent: string) =>
  `<reportingPersonInfo><reportingPersonName>P${shares}</reportingPersonName><aggregateAmountOwned>${shares}</aggregateAmountOwned><percentOfClass>${percent}</percentOfClass></reportingPersonInfo>`

test('facts that the two schedules name differently are read from both, with or without a prefix before the names', () => {
  const one = read(
    d({ issuer: '<issuerCUSIP>037833100</issuerCUSIP>', cover: '<dateOfEvent>05/04/2026</dateOfEvent>' }),
  )
  const other = read(
    g({
      issuer: '<g:issuerCusip>037833100</g:issuerCusip>',
      cover: '<g:eventDateRequiresFilingThisStatement>05/04/2026</g:eventDateRequiresFilingThisStatement>',
    }),
  )
  for (const { report, unread } of [one, other]) {
    assert.deepEqual([report.issuer_cik, report.cusip, report.event_date], ['0000000009', '037833100', '2026-05-04'])
    assert.deepEqual(unread, [])
  }
  assert.deepEqual([one.report.schedule, other.report.schedule], ['13D', '13G'])
})

test('CUSIPs stand alone or in a list; the first valid one is that of the class, the others are kept with the reason', () => {
  const list = ['1850532047', '0378-33 100', '037833101', '594918104'].map(
    (n) => `<issuerCusipNumber>${n}</issuerCusipNumber>`,
  )
  const { report, of } = read(d({ issuer: `<issuerCusips>${list.join('')}</issuerCusips>` }))
  assert.equal(report.cusip, '037833100')
  assert.deepEqual(
    of('security').map(({ cusip, cusip_flag }) => [cusip, cusip_flag]),
    [
      ['1850532047', 'length'],
      ['037833100', null],
      ['037833101', 'check_digit'],
      ['594918104', null],
    ],
  )
})

test('zeros, None and N/A stand for no CUSIP', () => {
  for (const none of ['000000000', 'None', 'N/A', '  ']) {
    const { report, of, problems } = read(d({ issuer: `<issuerCUSIP>${none}</issuerCUSIP>` }))
    assert.deepEqual([report.cusip, of('security'), problems], [null, [], []], none)
  }
})

test('persons of a group report the same shares: the filing has the largest amount and never the sum', () => {
  const { report, of } = read(d({ persons: person('69099348', '12.6') + person('7692307.5', '4.83%') }))
  assert.deepEqual([report.person_count, report.shares, report.percent], [2, '69099348', '12.6'])
  assert.equal(of('person')[1]!.percent, '4.83')
})

test('shares and percentages that are not valid numbers are null, and the problem has the value', () => {
  const { report, problems } = read(d({ persons: person("5'27'370", 'about 5') }))
  assert.deepEqual([report.shares, report.percent], [null, null])
  assert.deepEqual(problems, ["5'27'370", 'about 5'])
})

test('an amendment names the filing before it, and may lack items', () => {
  const { report, of, unread } = read(
    d({
      form: 'SCHEDULE 13D/A',
      header: '<previousAccessionNumber>0001193125-24-037021</previousAccessionNumber>',
      cover: '<amendmentNo>28</amendmentNo>',
      rest: '<items1To7><item5><numberOfShares>As before.</numberOfShares></item5></items1To7>',
    }),
  )
  assert.deepEqual(
    [report.is_amendment, report.amendment_number, report.previous_accession],
    [true, 28, '0001193125-24-037021'],
  )
  assert.deepEqual(
    of('item').map(({ item, what, answer }) => [item, what, answer]),
    [['5', 'numberOfShares', 'As before.']],
  )
  assert.deepEqual(unread, [])
})

test('a reporting person without a signature has a row, and each signature of a person has one', () => {
  const { of } = read(
    d({
      rest: `<signatureInfo><signaturePerson><signatureReportingPerson>A</signatureReportingPerson></signaturePerson>
        <signaturePerson><signatureReportingPerson>B</signatureReportingPerson>
        <signatureDetails><signature>/s/ B1</signature><title>T</title><date>12/26/2024</date></signatureDetails>
        <signatureDetails><signature>/s/ B2</signature></signatureDetails></signaturePerson></signatureInfo>`,
    }),
  )
  assert.deepEqual(
    of('signature').map(({ person_name, signature, signed }) => [person_name, signature, signed]),
    [
      ['A', null, null],
      ['B', '/s/ B1', '2024-12-26'],
      ['B', '/s/ B2', null],
    ],
  )
})

test('reports an element that the form does not have as unread', () => {
  assert.deepEqual(read(d({ rest: '<novelty>1</novelty>' })).unread, ['/edgarSubmission/formData/novelty'])
})

test('a document of another form, or without cover or issuer, is refused with the reason', () => {
  assert.throws(
    () => read(d({ form: 'SC 13D' })),
    /not a Schedule 13D or 13G: <edgarSubmission> with submissionType SC 13D/,
  )
  assert.throws(() => read(d({}).replace(/<coverPageHeader>.*<\/coverPageHeader>/s, '')), /coverPageHeader/)
})
