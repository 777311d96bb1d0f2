/**
 * Makes the rows of one filing from what the parser of XML, of text or of the quarterly sets read. Lines stream
 * through: only the first lines wait until the scale of the filing is decided.
 */
import type { z } from 'zod'
import { storedQuarter } from '../../declare/quarter.ts'
import { foldedKey } from '../../read/fold.ts'
import { fileNumberKey } from '../../read/values.ts'
import { storedName } from '../../stored-names.ts'
import { MANAGERS_AND_VOTES } from './parse/text/half.ts'
import type { Cover, Findings, Holding } from './parse/types.ts'
import { DOLLARS_SINCE, decideScale, SCALE_SAMPLE, type Scale } from './report/scale.ts'
import { securityKey } from './report/security.ts'
import { add, addPrice, isPlaceholder, NO_SUMS, notesOfAmounts, type Sums } from './report/sums.ts'
import type * as tables from './tables.ts'

type Tables = typeof tables
type RowOf<K extends keyof Tables> = z.infer<Tables[K]['parsed']>

/** A table's name and a row of it. */
export type Row = { [K in keyof Tables]: readonly [K, RowOf<K>] }[keyof Tables]

export interface Filing {
  /** Facts about the filing from EDGAR's header, in case the cover lacks them. */
  header: { submissionType: string; filedDate: string; cik: string | null; period: string | null; name: string | null }
  /** Null if there is a table but no readable cover. */
  cover: Cover | null
  /** Null if there is no table. */
  holdings: AsyncIterable<Holding> | Iterable<Holding> | null
  found: Findings
  source: 'xml' | 'text' | 'set'
  /** False if there is a table that could not be read. */
  isTableRead?: boolean
}

/**
 * Yields positions and securities in the order of the table, then the other managers, then the report and its quality.
 */
export async function* rowsOf(filing: Filing): AsyncGenerator<Row> {
  const reading = new Reading(filing)
  if (filing.holdings !== null) {
    const lines = new Waiting(filing.holdings)
    reading.decide(await lines.first(SCALE_SAMPLE))
    for await (const line of lines) yield* reading.take(line)
  }
  yield* reading.end()
}

/** Does the same as `rowsOf` without waiting, for a table in memory. */
export function* heldRowsOf(filing: Filing & { holdings: Iterable<Holding> | null }): Generator<Row> {
  const reading = new Reading(filing)
  if (filing.holdings !== null) {
    const lines = filing.holdings[Symbol.iterator]()
    const first: Holding[] = []
    for (let next = lines.next(); !next.done; next = lines.next()) {
      if (first.push(next.value) === SCALE_SAMPLE) break
    }
    reading.decide(first)
    for (const line of first) yield* reading.take(line)
    for (let next = lines.next(); !next.done; next = lines.next()) yield* reading.take(next.value)
  }
  yield* reading.end()
}

/** Collects facts about a filing while its lines stream through. */
class Reading {
  readonly #filing: Filing
  readonly #keys: { cik: string | null; period: string | null }
  readonly #placed: { cik: string | null; quarter: string }
  readonly #sums: Sums = { ...NO_SUMS }
  readonly #known = new Set<string>()
  #scale: Scale | null = null

  constructor(filing: Filing) {
    const { cover, header } = filing
    this.#filing = filing
    this.#keys = { cik: cover?.cik ?? header.cik, period: cover?.period ?? header.period }
    this.#placed = { cik: this.#keys.cik, quarter: storedQuarter(this.#keys.period) }
  }

  /** @param lines the first lines */
  decide(lines: readonly Holding[]): void {
    this.#scale = decideScale(lines, this.#filing.header.filedDate)
  }

  take(line: Holding): Row[] {
    if (isPlaceholder(line)) {
      this.#sums.placeholders++
      return []
    }
    add(this.#sums, line)
    addPrice(this.#sums, line, this.#scale!.factor)
    const security = securityKey(line)
    const n = this.#sums.lines + this.#sums.placeholders
    const position: Row = ['position', positionRow(n, this.#placed, security, line, this.#scale!.factor)]
    if (this.#known.has(security)) return [position]
    // Bounds the memory. The loader skips securities that exist, so a repeated security changes nothing.
    if (this.#known.size >= SECURITIES_MAX) this.#known.clear()
    this.#known.add(security)
    return [['security', securityRow(security, line)], position]
  }

  /** @throws Error if the summary declares lines of a table and none was read */
  *end(): Generator<Row> {
    const { cover, holdings, found, source, isTableRead } = this.#filing
    const declared = cover?.declaredEntries ?? 0
    const isUnread = isTableRead === false || (source === 'xml' && holdings !== null)
    if (declared > 0 && this.#sums.lines + this.#sums.placeholders === 0 && isUnread) {
      const reason = found.cutOff ?? found.problems.at(-1)?.reason
      throw new Error(
        `the summary declares ${declared} lines, and none of the table could be read${reason ? `: ${reason}` : ''}`,
      )
    }
    const managers = this.#filing.cover?.managers ?? []
    for (const [position, other] of managers.entries()) yield ['manager', managerRow(position, other)]
    // If no line of the table was read, and the summary does not say that it has none, the report is stored without a
    // table: its total is unknown, not 0 (0001095811-01-001489).
    const isMissing = isTableMissing(this.#filing, this.#sums)
    const filing = isMissing ? { ...this.#filing, holdings: null } : this.#filing
    const scale = isMissing ? null : this.#scale
    yield ['report', reportRow(filing, this.#keys, scale, this.#sums)]
    yield ['quality', qualityRow(filing, scale, this.#sums)]
  }
}

const SECURITIES_MAX = 50_000

/** A stream of lines whose first lines can be read in advance. */
class Waiting implements AsyncIterable<Holding> {
  readonly #from: AsyncIterator<Holding> | Iterator<Holding>
  readonly #held: Holding[] = []
  constructor(source: AsyncIterable<Holding> | Iterable<Holding>) {
    this.#from = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  }

  async first(count: number): Promise<readonly Holding[]> {
    while (this.#held.length < count) {
      const next = await this.#from.next()
      if (next.done) break
      this.#held.push(next.value)
    }
    return this.#held
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Holding> {
    try {
      yield* this.#held
      this.#held.length = 0
      for (let next = await this.#from.next(); !next.done; next = await this.#from.next()) yield next.value
    } finally {
      await this.#from.return?.()
    }
  }
}

/** Multiplies digits by 1 or 1000. */
const dollars = (value: string | null, factor: number): string | null =>
  value === null || value === '0' || factor === 1 ? value : `${value}000`

const securityRow = (security: string, line: Holding): RowOf<'security'> => ({
  security,
  cusip: line.cusip,
  issuer_name: line.issuer,
  title_of_class: line.title,
  figi: line.figi,
})

const positionRow = (
  n: number,
  placed: { cik: string | null; quarter: string },
  security: string,
  line: Holding,
  factor: number,
): RowOf<'position'> => ({
  n,
  ...placed,
  cusip: line.cusip,
  cusip_flag: line.cusipFlag,
  security,
  value: dollars(line.value, factor),
  amount: line.amount,
  kind: line.kind,
  put_call: line.putCall,
  discretion: line.discretion,
  manager_numbers: line.managers,
  votes_sole: line.sole,
  votes_shared: line.shared,
  votes_none: line.none,
})

const managerRow = (position: number, other: Cover['managers'][number]): RowOf<'manager'> => ({
  position,
  list: other.list,
  sequence: other.sequence,
  cik: other.cik,
  file_number: other.fileNumber,
  crd: other.crd,
  sec_file_number: other.secFileNumber,
  name: other.name,
})

/** Branches: nearly all are values that a cover may lack. */
function reportRow(
  { header, cover, holdings }: Filing,
  keys: { cik: string | null; period: string | null },
  scale: Scale | null,
  sums: Sums,
): RowOf<'report'> {
  const name = cover?.managerName ?? header.name
  const submissionType = cover?.submissionType ?? header.submissionType
  return {
    submission_type: submissionType,
    ...keys,
    report_type: cover?.reportType ?? null,
    is_amendment: submissionType.endsWith('/A'),
    amendment_number: cover?.amendmentNo ?? null,
    amendment_type: cover?.amendmentType ?? null,
    confidential_ended: cover?.confidentialEnded ?? null,
    confidential_ended_on: cover?.dateEnded ?? null,
    confidential_reported_on: cover?.dateReported ?? null,
    confidential_reason: cover?.reasonEnded ?? null,
    confidential_omitted: cover?.confidentialOmitted ?? null,
    manager_name: name,
    name_key: name === null ? null : foldedKey(name),
    name_words: name === null ? null : storedName(name).words,
    street1: cover?.street1 ?? null,
    street2: cover?.street2 ?? null,
    city: cover?.city ?? null,
    state: cover?.state ?? null,
    zip: cover?.zip ?? null,
    file_number: cover?.fileNumber ?? null,
    crd: cover?.crd ?? null,
    sec_file_number: cover?.secFileNumber ?? null,
    number_key: fileNumberKey(cover?.secFileNumber ?? null),
    instruction5: cover?.instruction5 ?? null,
    additional_information: cover?.additionalInformation ?? null,
    signer: cover?.signer ?? null,
    signer_title: cover?.signerTitle ?? null,
    signer_phone: cover?.signerPhone ?? null,
    signature: cover?.signature ?? null,
    signed_city: cover?.signedCity ?? null,
    signed_state: cover?.signedState ?? null,
    signed: cover?.signed ?? null,
    managers_count: cover?.managersCount ?? null,
    value: scale === null ? null : String(sums.value * BigInt(scale.factor)),
    position_count: holdings === null ? null : sums.lines,
    scale: scale?.factor ?? null,
    scale_reason: scale?.reason ?? null,
  }
}

const isNotice = ({ header, cover }: Filing) => /^13F-NT/.test(cover?.submissionType ?? header.submissionType)

/** Tests whether no line of a table was read, and the summary does not say that there are no lines. */
const isTableMissing = (filing: Filing, { lines, placeholders }: Sums): boolean => {
  const entries = filing.cover?.declaredEntries ?? null
  return lines + placeholders === 0 && (entries === null ? !isNotice(filing) : entries > 0)
}

/** Tests whether a difference exceeds half of a step, so that rounding to multiples of the step does not explain it. */
const isMore = (difference: bigint, step: number): boolean => sizeOf(difference) * 2n > BigInt(Math.max(step, 1))

/**
 * Returns the number of lines minus the declared number. A summary may count placeholders or leave them out, so the
 * result is 0 for the number with placeholders, for the number without them, and for numbers between the two.
 */
const differenceOf = ({ lines, placeholders }: Sums, entries: number): number =>
  entries >= lines && entries <= lines + placeholders ? 0 : lines + placeholders - entries

/**
 * Returns the sum of the values minus the declared total. Text may state the total in dollars and the lines in
 * thousands, or the reverse: then the two agree except for the rounding of each line.
 */
function inUnit({ value, lines }: Sums, declared: bigint, source: Filing['source']): bigint {
  const [inDollars, inThousands] = [value * 1000n - declared, value - declared * 1000n]
  if (source !== 'text' || value === declared) return value - declared
  if (sizeOf(inDollars) <= 500n * BigInt(lines)) return 0n
  return sizeOf(inThousands) <= 500n ? 0n : value - declared
}

const sizeOf = (difference: bigint): bigint => (difference < 0n ? -difference : difference)

/** Branches: nearly all are values that a filing may lack. */
function qualityRow(filing: Filing, scale: Scale | null, sums: Sums): RowOf<'quality'> {
  const { header, cover, holdings, found, source } = filing
  const entries = cover?.declaredEntries ?? null
  const value = cover?.declaredValue ?? null
  const hasTable = holdings !== null
  const entriesDiffer = entries === null || !hasTable ? null : differenceOf(sums, entries)
  const valueDiffers = value === null || !hasTable ? null : inUnit(sums, BigInt(value), source)
  const byDate = header.filedDate < DOLLARS_SINCE ? 1000 : 1
  const notes: [string, boolean][] = [
    ['table_missing', isTableMissing(filing, sums)],
    ['table_unexpected', isNotice(filing) && sums.lines > 0],
    ['table_cut_off', found.cutOff !== null],
    ['lines_unread', found.read < found.looked],
    ['votes_unread', found.problems.some(({ path }) => path === MANAGERS_AND_VOTES)],
    ['entries_differ', entriesDiffer !== null && entriesDiffer !== 0],
    ['value_differs', valueDiffers !== null && isMore(valueDiffers, cover?.declaredStep ?? 1)],
    ...notesOfAmounts(sums),
    ['scale_unusual', scale !== null && scale.factor !== byDate],
    ['scale_unsure', sums.lines > 0 && scale !== null && scale.reason.startsWith('filing date')],
  ]
  return {
    source: hasTable || found.looked > 0 ? source : 'none',
    line_count: found.looked,
    lines_read: found.read,
    cut_off: found.cutOff,
    declared_entries: entries,
    declared_value: value,
    parsed_value: hasTable ? String(sums.value) : null,
    entries_differ: entriesDiffer,
    value_differs: valueDiffers === null ? null : String(valueDiffers),
    scale_compared: scale?.compared ?? 0,
    scale_agreed: scale?.agreed ?? 0,
    cusips_flagged: sums.cusipsFlagged,
    options: sums.options,
    principal_count: sums.principal,
    kind_unknown: sums.kindUnknown,
    notes: notes.filter(([, holds]) => holds).map(([what]) => what),
  }
}
