/**
 * Reads `primary_doc.xml` of Form N-PX: the reporting person, the period, and the persons that report together with it.
 */
import type { Rows } from '../../declare/table.ts'
import { foldedKey } from '../../read/fold.ts'
import { seriesAt } from '../../read/fund.ts'
import { address, stated } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { wordsOfNames } from '../../stored-names.ts'
import type * as tables from './tables.ts'

/** Values of EDGAR's header. */
export interface Header {
  form: string
  cik: string | null
  name: string | null
  period: string | null
}

/**
 * Returns the report without its votes, and the rows of its lists.
 *
 * @throws Error if the document is not a Form N-PX
 */
export function coverRows(doc: Element, header: Header) {
  const submissionType = doc.text('headerData/submissionType')
  if (doc.name !== 'edgarSubmission' || submissionType === null || !/^N-PX(\/A)?$/.test(submissionType)) {
    throw new Error(`not a Form N-PX: <${doc.name}> with submissionType ${submissionType}`)
  }
  if (submissionType !== header.form) doc.problem(submissionType, `differs from the form of the filing, ${header.form}`)
  // The envelope: instructions to EDGAR for the transmission, and attachments that it publishes as separate documents.
  doc.ignore('headerData/filerInfo/liveTestFlag', 'headerData/filerInfo/contact', 'headerData/filerInfo/flags')
  doc.ignore('headerData/filerInfo/filer/issuerCredentials/ccc', 'headerData/filerInfo/notifications', 'documents')
  doc.ignore('schemaVersion')
  // The filer's file number in EDGAR's header; the cover has the file number of this form.
  doc.ignore('headerData/filerInfo/filer/fileNumber')
  // The series in EDGAR's header; the report lists its series on its series page.
  doc.ignore('headerData/seriesClass')
  const data = doc.one('formData')
  return { report: report(doc, data, header), rows: [...managers(data), ...series(data), ...cosigners(data)] }
}

function report(doc: Element, data: Element, { form, cik, period }: Header) {
  const cover = data.one('coverPage')
  const amendment = cover.maybe('amendmentInfo')
  const isAmendment = amendment?.flag('isAmendment') ?? null
  if (isAmendment !== null && isAmendment !== form.endsWith('/A')) {
    cover.problem(String(isAmendment), `isAmendment contradicts the form, ${form}`)
  }
  // The flag adds nothing to the explanation itself.
  cover.ignore('explanatoryInformation/explanatoryChoice')
  const signature = data.maybe('signaturePage')
  return {
    ...kindOf(form),
    source: 'xml',
    cik: doc.cik('headerData/filerInfo/filer/issuerCredentials/cik') ?? cik,
    registrant_type: doc.text('headerData/filerInfo/registrantType'),
    investment_company_type: doc.text('headerData/filerInfo/investmentCompanyType'),
    period: doc.date('headerData/filerInfo/periodOfReport', 'mdy') ?? period,
    ...yearOf(cover),
    ...person(cover.text('reportingPerson/name')),
    phone: cover.text('reportingPerson/phoneNumber'),
    ...address((part) => cover.text(`reportingPerson/address/${part}`)),
    agent_name: cover.text('agentForService/name'),
    ...agentAddress(cover),
    report_type: cover.text('reportInfo/reportType'),
    notice_explanation: cover.text('reportInfo/noticeExplanation'),
    confidential_treatment: cover.flag('reportInfo/confidentialTreatment'),
    file_number: cover.text('fileNumber'),
    crd: cover.crd('reportingCrdNumber'),
    sec_file_number: cover.text('reportingSecFileNumber'),
    lei: stated(cover.text('leiNumber')),
    explanatory_notes: cover.text('explanatoryInformation/explanatoryNotes'),
    amendment_number: amendment?.count('amendmentNo') ?? null,
    amendment_type: amendment?.text('amendmentType') ?? null,
    confidential_denied: amendment?.flag('confDeniedExpired') ?? null,
    denied_date: amendment?.date('dateExpiredDenied', 'mdy') ?? null,
    nonconfidentiality_reason: amendment?.text('reasonForNonConfidentiality') ?? null,
    first_reported: amendment?.date('dateReported', 'mdy') ?? null,
    included_managers: data.count('summaryPage/otherIncludedManagersCount'),
    series_count: data.count('seriesPage/seriesCount'),
    signed_for: signature?.text('reportingPerson') ?? null,
    signature: signature?.text('txSignature') ?? null,
    signed_name: signature?.text('txPrintedSignature') ?? null,
    signed_title: signature?.text('txTitle') ?? null,
    signed: signature?.date('txAsOfDate', 'mdy') ?? null,
  }
}

/**
 * Reads the year. Its element has one name in a report on a whole year, and another in a report on a part of a year.
 */
const yearOf = (cover: Element) => ({
  is_year: wordOf(cover),
  report_year: cover.count('reportCalendarYear') ?? cover.count('reportQuarterYear'),
})

function wordOf(cover: Element): boolean | null {
  const word = cover.text('yearOrQuarter')?.toUpperCase() ?? null
  if (word === 'YEAR') return true
  if (word === 'QUARTER') return false
  if (word !== null) cover.problem(word, 'neither YEAR nor QUARTER')
  return null
}

function person(name: string | null) {
  return { person_name: name, name_key: name && foldedKey(name), name_words: name && wordsOfNames([name]) }
}

function agentAddress(cover: Element | null) {
  const parts = address((part) => cover?.text(`agentForService/address/${part}`) ?? null)
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [`agent_${name}`, value])) as {
    [K in keyof typeof parts as `agent_${K}`]: string | null
  }
}

function* managers(data: Element): Rows<typeof tables> {
  let position = 0
  for (const each of data.filled('coverPage/otherManagersInfo/otherManager')) {
    yield [
      'manager',
      manager(each, {
        position: position++,
        list: 'reports_votes',
        number: null,
        name: each.text('managerName'),
        file_number: each.text('icaOr13FFileNumber'),
        other_file_number: each.text('otherFileNumber'),
        sec_file_number: null,
      }),
    ]
  }
  for (const each of data.filled('summaryPage/otherManagers2/investmentManagers')) {
    yield [
      'manager',
      manager(each, {
        position: position++,
        list: 'included',
        number: each.count('serialNo'),
        name: each.text('name'),
        file_number: each.text('form13FFileNumber'),
        other_file_number: null,
        sec_file_number: each.text('secFileNumber'),
      }),
    ]
  }
}

const manager = <R extends object>(each: Element, row: R) => ({
  ...row,
  crd: each.crd('crdNumber'),
  // The two lists of managers have different names for the LEI.
  lei: stated(each.text('leiNumber') ?? each.text('leiNumberOM')),
})

function* series(data: Element): Rows<typeof tables> {
  for (const [position, each] of data.filled('seriesPage/seriesDetails/seriesReports').entries()) {
    yield [
      'series',
      {
        position,
        series_id: seriesAt(each, 'idOfSeries').id,
        name: each.text('nameOfSeries'),
        lei: stated(each.text('leiOfSeries')),
      },
    ]
  }
}

function* cosigners(data: Element): Rows<typeof tables> {
  for (const [position, each] of data.filled('signaturePage/secondaryRecords/secondaryRecord').entries()) {
    const [signature, name, title] = ['txSignature', 'printedSign', 'txTitle'].map((part) => each.text(part))
    yield [
      'cosigner',
      { position, signature: signature!, name: name!, title: title!, signed: each.date('txAsOfDate', 'mdy') },
    ]
  }
}

const kindOf = (form: string) => ({ submission_type: form, is_amendment: form.endsWith('/A') })

/** Makes the row of a report without XML, from EDGAR's header. */
export function textOnly({ form, cik, name, period }: Header) {
  return {
    ...kindOf(form),
    source: 'text',
    cik,
    period,
    ...person(name),
    ...NOT_READ,
    ...address(() => null),
    ...agentAddress(null),
  }
}

const NOT_READ = {
  registrant_type: null,
  investment_company_type: null,
  is_year: null,
  report_year: null,
  phone: null,
  agent_name: null,
  report_type: null,
  notice_explanation: null,
  confidential_treatment: null,
  file_number: null,
  crd: null,
  sec_file_number: null,
  lei: null,
  explanatory_notes: null,
  amendment_number: null,
  amendment_type: null,
  confidential_denied: null,
  denied_date: null,
  nonconfidentiality_reason: null,
  first_reported: null,
  included_managers: null,
  series_count: null,
  signed_for: null,
  signature: null,
  signed_name: null,
  signed_title: null,
  signed: null,
  vote_count: null,
  cut_off: null,
}
