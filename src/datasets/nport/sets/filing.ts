/**
 * Reads one Form N-PORT from a quarterly set: rebuilds the elements of the form, and parses them like the submission.
 */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts, SetRecord } from '../../../declare/sets.ts'
import { grown, Lines, problemsOf } from '../../../read/made.ts'
import { fundRows, parseFund, parseGeneral, parseHeader, parseNotes, parseSignature } from '../parse/head.ts'
import { parseLine } from '../parse/line.ts'
import { nothingFound, Reading } from '../reading.ts'
import { fundBranches } from './fund.ts'
import { holdingRead, OF_HOLDING } from './holding.ts'

const BY_ACCESSION = [
  'INTEREST_RATE_RISK',
  'BORROWER',
  'BORROW_AGGREGATE',
  'MONTHLY_TOTAL_RETURN',
  'MONTHLY_RETURN_CAT_INSTRUMENT',
  'FUND_VAR_INFO',
  'EXPLANATORY_NOTE',
] as const

/** Members whose lines have the number of a holding instead of an accession; the holding has the accession. */
export const OF_HOLDINGS = Object.keys(OF_HOLDING)

/** All members, each with its required columns: keys, and columns that every report fills. */
export const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  SUBMISSION: ['ACCESSION_NUMBER', 'FILING_DATE', 'SUB_TYPE', 'REPORT_ENDING_PERIOD', 'REPORT_DATE'],
  REGISTRANT: ['ACCESSION_NUMBER', 'CIK', 'REGISTRANT_NAME', 'FILE_NUM'],
  FUND_REPORTED_INFO: ['ACCESSION_NUMBER', 'SERIES_NAME', 'SERIES_ID', 'TOTAL_ASSETS', 'TOTAL_LIABILITIES', 'NET_ASSETS'], // biome-ignore format: a table
  ...Object.fromEntries(BY_ACCESSION.map((member) => [member, ['ACCESSION_NUMBER']])),
  FUND_REPORTED_HOLDING: [
    ...[
      'ACCESSION_NUMBER',
      'HOLDING_ID',
      'ISSUER_NAME',
      'ISSUER_LEI',
      'ISSUER_TITLE',
      'ISSUER_CUSIP',
      'BALANCE',
      'UNIT',
    ],
    ...['CURRENCY_CODE', 'CURRENCY_VALUE', 'PERCENTAGE', 'ASSET_CAT', 'ISSUER_TYPE', 'IS_RESTRICTED_SECURITY'],
  ],
  ...Object.fromEntries(OF_HOLDINGS.map((member) => [member, ['HOLDING_ID']])),
  IDENTIFIERS: ['HOLDING_ID', 'IDENTIFIER_ISIN', 'IDENTIFIER_TICKER', 'OTHER_IDENTIFIER'],
  DEBT_SECURITY: ['HOLDING_ID', 'MATURITY_DATE', 'COUPON_TYPE', 'ANNUALIZED_RATE'],
}

/** Members about rare parts of the form, which a set may lack. */
export const OPTIONAL = [...BY_ACCESSION, ...OF_HOLDINGS].filter(
  (member) => member !== 'IDENTIFIERS' && member !== 'DEBT_SECURITY',
)

/** @throws Error if the set lacks a part of the filing that every report has */
export function parseSet({ lines, records, tell }: SetParts): Iterable<ParsedRow> | AsyncIterable<ParsedRow> {
  const own = new Lines(lines)
  const submission = own.one('SUBMISSION')
  for (const member of ['REGISTRANT', 'FUND_REPORTED_INFO']) {
    if (own.of(member).length !== 1) throw new Error(`has ${own.of(member).length} lines in ${member} instead of one`)
  }
  const document = grown('edgarSubmission', fundBranches(), own).element()
  const header = parseHeader(document.one('headerData'))
  const outside = { form: submission.text('SUB_TYPE') ?? '', cik: null }
  const general = parseGeneral(document.one('formData/genInfo'), header, outside)
  const info = document.maybe('formData/fundInfo')
  const reading = new Reading({ ...general, ...parseFund(info) }, 'set')
  const found = nothingFound()

  function* fund(): Generator<ParsedRow> {
    if (info) yield* fundRows(info)
    const notes = document.maybe('formData/explntrNotes')
    if (notes) yield* parseNotes(notes)
    tell({ problems: problemsOf(document, submission) })
  }
  function holding(record: SetRecord): ParsedRow[] {
    const line = holdingRead(record, parseLine, (problems) => tell({ problems }))
    found.lines++
    found.read++
    return reading.take(line) as unknown as ParsedRow[]
  }
  const end = () => reading.end(found, parseSignature(null)) as unknown as ParsedRow[]

  function* held(some: Iterable<SetRecord>): Generator<ParsedRow> {
    yield* fund()
    for (const record of some) yield* holding(record)
    yield* end()
  }
  async function* paged(some: AsyncIterable<SetRecord>): AsyncGenerator<ParsedRow> {
    yield* fund()
    for await (const record of some) yield* holding(record)
    yield* end()
  }
  return records && Symbol.asyncIterator in records ? paged(records) : held(records ?? [])
}
