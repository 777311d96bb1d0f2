/**
 * Turns `primary_doc.xml` of Forms 1-A, 1-K and 1-Z into rows. This file reads what the forms share: the filer, its
 * issuers, and the data for feeds. The misspelt element names are the SEC's own.
 */

import type { Filing } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { foldedKey } from '../../read/fold.ts'
import { industryOf } from '../../read/industry.ts'
import { address } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { wordsOfNames } from '../../stored-names.ts'
import { raised, report, reportedSales } from './parse-report.ts'
import { statement } from './parse-statement.ts'
import { named, sicOf, yearOf } from './parse-values.ts'
import type * as tables from './tables.ts'

const STATEMENT = /^(1-A|DOS)(\/A)?$|^1-A POS$/
const REPORT = /^1-[KZ](\/A)?$/

/**
 * Yields the rows of one offering statement or report.
 *
 * @throws Error if the document is none of these forms, or does not name its issuer
 */
export function* parse({ documents: { form: doc } }: Filing<{ form: Element }>): Rows<typeof tables> {
  const submissionType = doc.text('headerData/submissionType') ?? ''
  const isStatement = STATEMENT.test(submissionType)
  if (doc.name !== 'edgarSubmission' || !(isStatement || REPORT.test(submissionType))) {
    throw new Error(`not a 1-A, 1-K or 1-Z: <${doc.name}> with submissionType ${submissionType}`)
  }
  // The envelope: passwords and contacts that EDGAR removes or masks, requests to EDGAR, attachments as base64.
  doc.ignore('schemaVersion', 'documents')
  const header = doc.one('headerData/filerInfo')
  header.ignore('liveTestFlag', 'filer/issuerCredentials/ccc', 'contact', 'notifications')
  header.ignore('flags/returnCopyFlag', 'flags/overrideInternetFlag', 'flags/confirmingCopyFlag')
  header.ignore('flags/sinceLastFiling')

  const form = doc.one('formData')
  const issuers = issuersOf(doc, form)
  const primary = issuers[0]
  if (!primary?.entity_name) throw new Error('the name of the issuer is missing')
  const reported = reportedSales(form)
  yield [
    'submission',
    {
      submission_type: submissionType,
      entity_name: primary.entity_name,
      name_key: foldedKey(primary.entity_name),
      name_words: wordsOfNames([primary.entity_name]),
      cik: primary.cik,
      ...contact(form.maybe(isStatement ? 'issuerInfo' : 'item1')),
      industry: industryOf(primary.sic),
      tier: form.text('summaryInfo/indicateTier1Tier2Offering'),
      total_offered: isStatement ? form.money('summaryInfo/totalAggregateOffering') : null,
      raised: isStatement ? null : raised(reported),
      file_numbers: fileNumbers(header, form),
      draft_file_number: header.text('filer/dosFileNumber'),
      successor_file_number: header.text('filer/successorFileNumber'),
      is_successor: header.flag('flags/successorFilingFlag'),
      is_shell_company: header.flag('flags/shellCompanyFlag'),
      report_type: form.text('item1/formIndication'),
      reporting_period: header.date('reportingPeriod', 'mdy'),
      fiscal_year_end: form.date('item1/fiscalYearEnd', 'mdy'),
      securities_titles: form.texts('item1/issuedSecuritiesTitle'),
      proceeds_reported_before: form.flag('item2/regArule257'),
    },
  ]
  for (const [position, row] of issuers.entries()) yield ['issuer', { ...row, position }]
  yield* isStatement ? statement(form) : report(form, reported)
}

/**
 * Returns the issuers that the form describes, then co-issuers that only the header names (a 1-Z describes one issuer).
 */
function issuersOf(doc: Element, form: Element) {
  const filer = doc.one('headerData/filerInfo/filer')
  const filers = [
    {
      cik: filer.cik('issuerCredentials/cik'),
      file_number: filer.text('offeringFileNumber') ?? filer.text('fileNumber'),
    },
    ...doc.all('headerData/coIssuerInfo/co-filer').map((element) => {
      element.ignore('coIssuerCredentials/ccc')
      const cik = element.cik('coIssuerCredentials/cik')
      return { cik, file_number: element.text('fileNumber') ?? element.text('coIssuerFileNumber') }
    }),
  ]
  const elements = [...form.all('employeesInfo'), ...form.all('item1Info')]
  const described = (elements.length > 0 ? elements : form.all('item1')).map(issuer)
  if (described[0]) described[0].cik ??= filers[0]!.cik
  const numberOf = (cik: string | null) =>
    filers.find((one) => one.cik === cik && one.file_number !== null)?.file_number ?? null
  // The same filer may occur twice.
  const ciks = [...new Set(filers.map(({ cik }) => cik))]
  const others = ciks.filter((cik) => cik !== null && !described.some((known) => known.cik === cik))
  return [...described, ...others.map((cik) => ({ ...issuer(null), cik }))].map((row) => ({
    ...row,
    file_number: numberOf(row.cik),
  }))
}

function issuer(element: Element | null) {
  return {
    cik: element?.cik('cik') ?? null,
    entity_name: element?.text('issuerName') ?? null,
    jurisdiction: element?.text('jurisdictionOrganization') ?? null,
    year_incorporated: element && yearOf(element),
    sic: element && sicOf(element),
    irs_number: element?.text('irsNum')?.replace(/^[0-]+$/, '') || null,
    full_time_employees: element?.bigint('fullTimeEmployees') ?? null,
    part_time_employees: element?.bigint('partTimeEmployees') ?? null,
  }
}

/** Reads the address of the primary issuer: under `issuerInfo` of a 1-A, under `item1` of a 1-K or 1-Z. */
function contact(element: Element | null) {
  // Addresses of the person to contact, which EDGAR does not publish.
  element?.ignore('connectionStreet1', 'connectionStreet2', 'connectionCity', 'connectionStateOrCountry')
  element?.ignore('connectionZipCode', 'connectionPhoneNumber', 'commentsEmailAddress')
  return {
    ...address((part) => element?.text(part) ?? null),
    phone: element?.text('phoneNumber') ?? element?.text('phone') ?? null,
    contact_name: named(element?.text('connectionName') ?? null),
  }
}

function fileNumbers(header: Element, form: Element): string[] {
  const found = header.texts('filer/offeringFileNumber')
  found.push(...form.texts('item1/commissionFileNumber', 'summaryInfo/commissionFileNumber'))
  return found.length < 2 ? found : [...new Set(found)]
}
