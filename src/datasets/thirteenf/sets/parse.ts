/**
 * Reads the SEC's quarterly sets of Form 13F (since 2013 Q2) into the same types as the XML. A set has seven
 * tab-separated members: one line per filing in SUBMISSION, COVERPAGE, SIGNATURE and SUMMARYPAGE, several in
 * OTHERMANAGER (cover), OTHERMANAGER2 (summary) and INFOTABLE.
 */
import type { CsvRow } from '../../../read/csv.ts'
import { sortedBy } from '../../../read/made.ts'
import { cusipFlag } from '../../../read/securityid.ts'
import { address, namedDay } from '../../../read/values.ts'
import type { Cover, Findings, Holding, OtherManager } from '../parse/types.ts'
import {
  AMENDMENT_TYPES,
  AMOUNT_DIGITS,
  DISCRETION,
  digitsOf,
  fileNumber,
  managers,
  note,
  putCall,
  REPORT_TYPES,
  whole,
  word,
} from '../parse/values.ts'

/** The lines of one accession in all members but INFOTABLE. */
interface SetRecord {
  submission: CsvRow
  cover: CsvRow
  /** Null for a notice. */
  summary: CsvRow | null
  signature: CsvRow | null
  managers: readonly CsvRow[]
  managers2: readonly CsvRow[]
}

/** Documented columns of each member. A file that lacks one of them is not a member of a set. */
export const MEMBERS = {
  SUBMISSION: ['ACCESSION_NUMBER', 'FILING_DATE', 'SUBMISSIONTYPE', 'CIK', 'PERIODOFREPORT'],
  COVERPAGE: ['ACCESSION_NUMBER', 'REPORTCALENDARORQUARTER', 'FILINGMANAGER_NAME', 'REPORTTYPE'],
  OTHERMANAGER: ['ACCESSION_NUMBER', 'OTHERMANAGER_SK', 'NAME'],
  OTHERMANAGER2: ['ACCESSION_NUMBER', 'SEQUENCENUMBER', 'NAME'],
  SIGNATURE: ['ACCESSION_NUMBER', 'NAME', 'SIGNATURE', 'SIGNATUREDATE'],
  SUMMARYPAGE: ['ACCESSION_NUMBER', 'TABLEENTRYTOTAL', 'TABLEVALUETOTAL'],
  INFOTABLE: ['ACCESSION_NUMBER', 'INFOTABLE_SK', 'NAMEOFISSUER', 'CUSIP', 'VALUE', 'SSHPRNAMT', 'SSHPRNAMTTYPE'],
} as const

/**
 * Returns what EDGAR's header would state about the filing.
 *
 * @param filedDate day of filing; the set may have another day
 */
export function parseSetHeader({ submission, cover }: SetRecord, filedDate: string) {
  submission.ignore('FILING_DATE')
  return {
    submissionType: submission.text('SUBMISSIONTYPE') ?? '',
    filedDate,
    cik: submission.cik('CIK'),
    period: dayOf(submission, 'PERIODOFREPORT'),
    name: cover.text('FILINGMANAGER_NAME'),
  }
}

/** Reads the cover of one accession. Each line collects the problems of its own values. */
export function parseSetCover({
  submission,
  cover,
  summary,
  signature,
  managers: others,
  managers2,
}: SetRecord): Cover {
  const submissionType = submission.text('SUBMISSIONTYPE') ?? ''
  cover.ignore('ISAMENDMENT')
  return {
    submissionType,
    cik: submission.cik('CIK'),
    period: dayOf(cover, 'REPORTCALENDARORQUARTER') ?? dayOf(submission, 'PERIODOFREPORT'),
    reportType: word(cover, 'REPORTTYPE', REPORT_TYPES),
    isAmendment: submissionType.endsWith('/A'),
    amendmentNo: cover.count('AMENDMENTNO'),
    amendmentType: word(cover, 'AMENDMENTTYPE', AMENDMENT_TYPES),
    confidentialEnded: cover.flag('CONFDENIEDEXPIRED'),
    dateEnded: dayOf(cover, 'DATEDENIEDEXPIRED'),
    dateReported: dayOf(cover, 'DATEREPORTED'),
    reasonEnded: cover.text('REASONFORNONCONFIDENTIALITY'),
    managerName: cover.text('FILINGMANAGER_NAME'),
    ...address((part) => cover.text(`FILINGMANAGER_${part.toUpperCase()}`)),
    ...identifiers(cover),
    instruction5: cover.flag('PROVIDEINFOFORINSTRUCTION5'),
    additionalInformation: cover.text('ADDITIONALINFORMATION'),
    signer: signature?.text('NAME') ?? null,
    signerTitle: signature?.text('TITLE') ?? null,
    signerPhone: signature?.text('PHONE') ?? null,
    signature: signature?.text('SIGNATURE') ?? null,
    signedCity: signature?.text('CITY') ?? null,
    signedState: signature?.text('STATEORCOUNTRY') ?? null,
    signed: signature === null ? null : dayOf(signature, 'SIGNATUREDATE'),
    managersCount: summary?.count('OTHERINCLUDEDMANAGERSCOUNT') ?? null,
    declaredEntries: summary?.count('TABLEENTRYTOTAL') ?? null,
    declaredValue: summary?.value('TABLEVALUETOTAL', digitsOf, 'is not a valid amount') ?? null,
    confidentialOmitted: summary?.flag('ISCONFIDENTIALOMITTED') ?? null,
    managers: [
      ...sortedBy(others, numberIn('OTHERMANAGER_SK')).map((row) => manager('reports_for_this', row, null)),
      ...sortedBy(managers2, numberIn('SEQUENCENUMBER')).map((row) =>
        manager('included_here', row, row.count('SEQUENCENUMBER')),
      ),
    ],
  }
}

/** Reads the number by which the lines are ordered, since the lines of a set are in no order. */
const numberIn = (column: string) => (row: CsvRow) => row.integer(column) ?? 0

const identifiers = (row: CsvRow) => ({
  fileNumber: fileNumber(row.text('FORM13FFILENUMBER')),
  crd: row.crd('CRDNUMBER'),
  secFileNumber: fileNumber(row.text('SECFILENUMBER')),
})

const manager = (list: OtherManager['list'], row: CsvRow, sequence: number | null): OtherManager => ({
  list,
  sequence,
  cik: row.cik('CIK'),
  ...identifiers(row),
  name: row.text('NAME'),
})

/**
 * Reads one line of INFOTABLE. The number of the line gives its place in the filing; the order in the set may differ.
 */
export function parseSetLine(
  row: CsvRow,
  found: Findings,
): { accession: string | null; order: number; holding: Holding } {
  found.looked++
  found.read++
  const tell = (column: string, value: string | null, reason: string) =>
    note(found, `${row.file}:${row.number}/${column}`, value, reason)
  const number = (column: string, isNeeded = false, digitsMax?: number): string | null => {
    const text = row.text(column)
    if (text === null) {
      if (isNeeded) tell(column, null, 'is missing')
      return null
    }
    const read = whole(text, digitsMax)
    if ('digits' in read) return read.digits
    tell(column, text, read.reason)
    return null
  }
  const known = <T>(column: string, words: ReadonlyMap<string, T>, reason: string): T | null => {
    const text = row.text(column)
    const value = words.get(text?.toUpperCase() ?? '')
    if (value === undefined) tell(column, text, reason)
    return value ?? null
  }
  const cusip = row.text('CUSIP')
  const option = putCall(row.text('PUTCALL'))
  if (option !== null && option !== 'Put' && option !== 'Call') tell('PUTCALL', option, 'neither Put nor Call')
  return {
    accession: row.text('ACCESSION_NUMBER'),
    order: row.integer('INFOTABLE_SK') ?? 0,
    holding: {
      issuer: row.text('NAMEOFISSUER'),
      title: row.text('TITLEOFCLASS'),
      cusip,
      cusipFlag: cusipFlag(cusip),
      figi: row.text('FIGI'),
      value: number('VALUE', true),
      amount: number('SSHPRNAMT', true, AMOUNT_DIGITS),
      kind: known('SSHPRNAMTTYPE', KINDS, 'neither SH nor PRN'),
      putCall: option,
      discretion: known('INVESTMENTDISCRETION', DISCRETION, 'not one of SOLE, DFND, OTR'),
      managers: managers(row.text('OTHERMANAGER')),
      sole: number('VOTING_AUTH_SOLE'),
      shared: number('VOTING_AUTH_SHARED'),
      none: number('VOTING_AUTH_NONE'),
    },
  }
}

const KINDS: ReadonlyMap<string, 'SH' | 'PRN'> = new Map([
  ['SH', 'SH'],
  ['PRN', 'PRN'],
])

/** Reads `31-MAR-2013` as a day. */
export function dayOf(row: CsvRow, column: string): string | null {
  const read = (text: string) => {
    const [, day, month, year] = /^(\d\d)-([A-Z]{3})-(\d{4})$/i.exec(text) ?? []
    return namedDay(year, month, day)
  }
  return row.value(column, read, 'not a day written as DD-MON-YYYY')
}
