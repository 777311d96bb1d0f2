/**
 * The map of the SEC's data sets of Form C (since 2016 Q2). `offering.tsv` next to this file maps each column to an
 * element of the form. The code here covers what the TSV file cannot express.
 *
 * The SEC's description of these sets was not at hand. The map has the columns that several public programs read. A set
 * may lack a column whose name is not confirmed. The member FORM_C_COISSUER_INFORMATION, which half of the sets have,
 * is not read. A load reports this member as unread, and `source` of a row shows that its co-issuers are unknown.
 */
import { readFileSync } from 'node:fs'
import type { CsvRow } from '../../../read/csv.ts'
import { isoDay, type Made } from '../../../read/made.ts'
import { once, SetMap } from '../../../read/set-map.ts'

const FILE = new URL('offering.tsv', import.meta.url)
export const ROOT = 'edgarSubmission'

/** Forms that do not state the number of their offering. */
const WITHOUT_NUMBER = ['C', 'C-AR', 'C-TR']
/** Members that every set has. Some filings have no line in them. */
const NEEDED = ['FORM_C_SUBMISSION', 'FORM_C_ISSUER_INFORMATION', 'FORM_C_DISCLOSURE', 'FORM_C_ISSUER_JURISDICTIONS']

/** Columns with days, by member and by path in the form. */
export const DAYS = {
  FORM_C_SUBMISSION: ['PERIOD', 'filerInfo/period'],
  FORM_C_ISSUER_INFORMATION: ['DATEINCORPORATION', 'issuerInfo/legalStatus/dateIncorporation'],
  FORM_C_DISCLOSURE: ['DEADLINEDATE', 'offeringInformation/deadlineDate'],
  FORM_C_SIGNATURE: ['SIGNATUREDATE', 'signatureDate'],
} as const

/** The branches of the form, and the columns that each member must have. They are read when a set is first needed. */
export const plan = once(() => {
  const map = new SetMap([['crowdfunding/sets/offering.tsv', readFileSync(FILE, 'utf8')]])
  const members = map.members()
  return {
    branches: map.branches(ROOT, {
      FORM_C_SUBMISSION(made, row) {
        putDay(made, row, 'FORM_C_SUBMISSION')
        const number = row.text('FILE_NUMBER')
        if (!WITHOUT_NUMBER.includes(row.text('SUBMISSION_TYPE') ?? '')) made.put('filerInfo/filer/fileNumber', number)
      },
      FORM_C_ISSUER_INFORMATION: (made, row) => putDay(made, row, 'FORM_C_ISSUER_INFORMATION'),
      FORM_C_DISCLOSURE: (made, row) => putDay(made, row, 'FORM_C_DISCLOSURE'),
      FORM_C_SIGNATURE: (made, row) => putDay(made, row, 'FORM_C_SIGNATURE'),
      FORM_C_ISSUER_JURISDICTIONS: (made, row) => made.setText(row.text('STATEORPROVINCE')),
    }),
    members,
    optional: Object.keys(members).filter((member) => !NEEDED.includes(member)),
  }
})

function putDay(made: Made, row: CsvRow, member: keyof typeof DAYS): void {
  const [column, path] = DAYS[member]
  made.put(path, formDay(row.text(column)))
}

/** Rewrites a day as the form writes it, MM-DD-YYYY. Any other text stays as it is, and the parser refuses it. */
function formDay(text: string | null): string | null {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(isoDay(compactDay(text)) ?? '') ?? []
  return year === undefined ? text : `${month}-${day}-${year}`
}

/** Rewrites `20240131` as `2024-01-31`, and a day with a time as the day alone. Any other text stays as it is. */
export const compactDay = (text: string | null): string | null =>
  text?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3').replace(/^(\d{4}-\d\d-\d\d)[T ].*$/, '$1') ?? null
