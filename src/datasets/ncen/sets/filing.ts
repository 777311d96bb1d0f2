/** Reads one Form N-CEN from a quarterly set: rebuilds the parts of the form, and parses them like the submission. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import type { CsvRow } from '../../../read/csv.ts'
import { type Branch, grow, grown, Lines, Made, problemsOf } from '../../../read/made.ts'
import { Reading } from '../reading.ts'
import { ACCESSION, ADVISER_TYPES, answered, FUND_ID, kindOf, PARTS, plan } from './map.ts'

type Part = readonly [part: Made, row: CsvRow]

const USED_TWICE = 'is the id of another fund too; the lines with this id are stored for that fund'
const ANSWERED_TWICE =
  'answers part D, but another fund of the filing answered it first, and only the first answers count'

/**
 * Yields the rows of one filing. Holds all lines of the filing in memory, but elements of only one fund at a time.
 * Long: it yields the parts of the form in their order. Branches: most are members that a set may lack.
 *
 * @throws Error if the filing is not an N-CEN, or the set lacks a part that every N-CEN has: one registrant, and a fund
 *   or a trust
 */
export async function* parseSet({ lines, records, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const { answers, closedAnswers, fund, closedEnd, trust: ofTrust, ...form } = plan()
  const registrants = lines.get('REGISTRANT') ?? []
  if (registrants.length !== 1) throw new Error(`has ${registrants.length} lines in REGISTRANT instead of one`)
  // Some quarters list notices of late reports as N-CEN. Such notices have no lines about a fund.
  if (records === null && !form.telling.some((member) => lines.has(member)))
    throw new Error('has neither a fund nor a trust')
  const own = new Lines(kindsOf(lines))
  const submission = own.one('SUBMISSION')
  const reading = new Reading('set')

  function* read([part, row]: Part): Generator<ParsedRow> {
    const element = part.element()
    yield* reading.read(element)
    tell({ problems: problemsOf(element, row) })
  }
  const made = (name: string, row: CsvRow, branches: readonly Branch[]): Part => [grown(name, branches, own), row]
  const firstOf = (branches: readonly Branch[]) => branches.flatMap(({ member }) => own.of(member))[0]

  yield* read(made('headerData', submission, form.header))
  yield* read(made('generalInfo', submission, form.general))
  yield* read(made('registrantInfo', own.one('REGISTRANT'), form.registrant))
  const known = new Set<string | null>()
  let closed: Part | null = null
  for await (const { row } of records ?? []) {
    row.ignore(ACCESSION)
    const id = row.text(FUND_ID)
    const [part, partD] = [Made.root('managementInvestmentQuestion'), Made.root('closedEndManagementInvestment')]
    let isFund = answered(part, row, answers)
    if (known.has(id)) row.problem(FUND_ID, id ?? '', USED_TWICE)
    else {
      const before = own.placed.size
      grow(part, fund, own, [FUND_ID, id])
      isFund ||= own.placed.size > before
    }
    known.add(id)
    if (isFund) yield* read([part, row])
    if (answered(partD, row, closedAnswers)) {
      if (closed) row.problem(FUND_ID, id ?? '', ANSWERED_TWICE)
      else closed = [partD, row]
    }
    tell({ problems: row.problems() })
  }
  const first = closed?.[1] ?? firstOf(closedEnd)
  if (first) {
    const part = closed?.[0] ?? Made.root('closedEndManagementInvestment')
    grow(part, closedEnd, own)
    yield* read([part, first])
  }
  for (const row of own.of('ETF')) yield* read([etfOf(row, own), row])
  const trust = firstOf(ofTrust)
  if (trust) yield* read(made('unitInvestmentTrust', trust, ofTrust))
  yield* read(made('attachmentsTab', submission, form.attachments))
  yield* read(made('signature', submission, form.signature))
  for (const [member, rows] of lines) for (const row of rows) tellIfLost(member, row, own)
  yield* reading.end()
}

/**
 * Rebuilds an exchange-traded fund. If a filing has only one such fund, all participants and listings belong to it,
 * whatever id they have. In the filing of a unit investment trust, they name the fund by its position among the funds.
 */
function etfOf(row: CsvRow, own: Lines): Made {
  const { etf, ofEtf } = plan()
  const part = Made.root('exchangeTradedFund').fill(row, etf)
  const id = row.text(FUND_ID)
  own.placed.add(row)
  if (own.of('ETF').length === 1) grow(part, ofEtf, own)
  else if (own.where('ETF', FUND_ID, id)[0] === row) grow(part, ofEtf, own, [FUND_ID, id])
  else row.problem(FUND_ID, id ?? '', USED_TWICE)
  return part
}

/**
 * Splits some members into separate members: one for the lines of each part of the form, and for advisers one for each
 * part and role.
 */
function kindsOf(lines: SetParts['lines']): Map<string, readonly CsvRow[]> {
  const kinds = new Map(lines)
  for (const member of ['ADVISER', 'TRANSFER_AGENT', 'CUSTODIAN']) {
    kinds.delete(member)
    const found = Map.groupBy(lines.get(member) ?? [], (row) => {
      const part = wordOf(row, 'SOURCE', PARTS)
      const role = member === 'ADVISER' ? wordOf(row, 'ADVISER_TYPE', ADVISER_TYPES) : undefined
      return part === null || role === null ? null : kindOf(member, part, role)
    })
    for (const [kind, rows] of found) if (kind !== null) kinds.set(kind, rows)
  }
  return kinds
}

const wordOf = <T>(row: CsvRow, column: string, words: Readonly<Record<string, T>>): T | null =>
  row.value(column, (text) => words[text.toUpperCase()] ?? null, `is not one of ${Object.keys(words).join(', ')}`)

/** Records a problem for a line that belongs to no part, unless the line has a problem already. */
function tellIfLost(member: string, row: CsvRow, own: Lines): void {
  if (own.placed.has(row) || row.problems().length > 0) return
  row.problem(
    FUND_ID,
    row.text(FUND_ID) ?? '',
    `matches no part of its filing, so this line of ${member} is not stored`,
  )
}
