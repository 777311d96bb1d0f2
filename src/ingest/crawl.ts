/**
 * Chooses the indexes to read: full-index for quarters (each is the whole index of its quarter), daily-index for the
 * days after them.
 */
import type { Catalog } from '../declare/catalog.ts'
import type { EdgarClient, EdgarResponse } from '../fetch/client.ts'
import { readIndex } from '../read/master-index.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { type Refreshing, refreshing } from './refresh.ts'
import { type IndexResult, loadIndex } from './spine.ts'

interface CrawlOptions extends Pick<Refreshing, 'onRefused' | 'onMaking'> {
  sql: Sql
  catalog: Catalog
  client: EdgarClient
  /** First and last day wanted, `YYYY-MM-DD`. */
  from: string
  to: string
  now: Date
  /** Whether to read indexes again that the watermark marks as read. */
  again?: boolean
  /** Called in the transaction of each index that has entries, before anything is stored. */
  claim?: (tx: Transaction) => Promise<boolean>
  /**
   * Called with the indexes of whole quarters that are to be requested.
   *
   * @returns whether to request them
   */
  onPlan?: (paths: readonly string[]) => Promise<boolean>
  /**
   * Called before each index is requested. After the whole index of a quarter was read, `total` grows by the daily
   * indexes of that quarter.
   */
  onNext?: (path: string, done: number, total: number) => void
  onIndex?: (result: IndexResult) => void
  /** Aborting the signal ends every wait. Indexes that were read stay read. */
  signal?: AbortSignal | undefined
}

interface Quarter {
  year: number
  quarter: number
  first: string
  last: string
}

/**
 * Age in days after which a recent quarter's index is read again. EDGAR rebuilds the whole index on Saturdays, with
 * corrections and removals.
 */
const REREAD_DAYS = 7

/**
 * Reads every index of the wanted days into the spine. EDGAR has no index for a weekend, a holiday or a future quarter;
 * that is not an error. At the end, this function refreshes the rollups of filings that the indexes removed.
 *
 * @returns one result for each index that was read, in order
 * @throws EdgarError, and the signal's reason
 */
export async function crawl(options: CrawlOptions): Promise<IndexResult[]> {
  const { slices } = options.catalog
  return refreshing({ ...options, slices }, () => readIndexes(options))
}

/** Reads the indexes that are due. Branches: each branch is a reason to read an index again, or not to read it. */
async function readIndexes(options: CrawlOptions): Promise<IndexResult[]> {
  const results: IndexResult[] = []
  const recent = recentFrom(options.now)
  const wanted = quarters(options.from, options.to)
  if (options.onPlan) {
    const paths: string[] = []
    for (const quarter of wanted) {
      const path = wholeIndex(quarter)
      if (options.again || !isSettled(quarter, await watermark(options, path), options.now)) paths.push(path)
    }
    if (!(await options.onPlan(paths))) return results
  }
  const progress = { done: 0, total: wanted.length }
  const next = (path: string) => options.onNext?.(path, progress.done++, progress.total)
  for (const quarter of wanted) {
    const path = wholeIndex(quarter)
    const mark = await watermark(options, path)
    const settled = isSettled(quarter, mark, options.now)
    // The days that the former whole index covered are not read again, even if the whole index is now missing, is an
    // older edition, or is replaced by a page of HTML.
    let through = mark?.through ?? null
    if (settled && !options.again) progress.done++
    else {
      next(path)
      const result = await read(options, path, quarter)
      if (result) results.push(result)
      if (result && !result.isOlder) through = result.through ?? through
    }
    // An old quarter without a whole index has no daily indexes either.
    if (through === null && quarter.last < recent) continue
    const start = max(through ? shift(through, 1) : quarter.first, options.from)
    const end = min(quarter.last, options.to, lastPublished(options.now))
    if (start <= end) progress.total += ageDays(start, new Date(end)) + 1
    for (let day = start; day <= end; day = shift(day, 1)) {
      const daily = `/Archives/edgar/daily-index/${quarter.year}/QTR${quarter.quarter}/master.${day.replaceAll('-', '')}.idx`
      if ((await watermark(options, daily)) && !options.again) {
        progress.done++
        continue
      }
      next(daily)
      const result = await read(options, daily, { first: day, last: day })
      if (result) results.push(result)
    }
  }
  return results
}

/** Whether the whole index of a quarter was read, and need not be read again yet. */
function isSettled(quarter: Quarter, mark: { read_at: string } | undefined, now: Date): boolean {
  if (!mark) return false
  // If the time of reading is more than a day in the future, the clock was set back since then, and the index is read
  // again.
  const age = ageDays(mark.read_at, now)
  return quarter.last < recentFrom(now) || (age > -1 && age < REREAD_DAYS)
}

async function read(
  { sql, catalog, client, now, onIndex, claim, signal }: CrawlOptions,
  path: string,
  covers: Quarter | { first: string; last: string },
): Promise<IndexResult | null> {
  const whole = 'quarter' in covers
  const load = ({ body, url, modifiedAt }: EdgarResponse) =>
    loadIndex(sql, catalog, {
      url,
      reader: readIndex(body),
      host: client.baseUrl,
      source: path,
      through: covers.last,
      ...{ modifiedAt, now },
      ...(whole ? { wholeFrom: covers.first } : {}),
      ...(claim ? { claim } : {}),
    })
  const result = await client.get(path, load, { signal })
  if (result) onIndex?.(result)
  return result
}

async function watermark({ sql, client }: CrawlOptions, source: string) {
  const [row] = await sql<{ through: string; read_at: string }[]>`
    select through, coalesce(read_at, moved_at) as read_at from edgar.watermark where host = ${client.baseUrl} and source = ${source}`
  return row
}

/**
 * Returns the first day of a run without `--from`. This is the first day of the quarter of this host's newest
 * watermark. Without a watermark, it is the first day of the current quarter. The quarter before is included too if it
 * is recent and its whole index was read. Corrections and removals come after the last day of a quarter, and a
 * corrected date moves filings between quarters. The sample's watermarks do not count, since the sample has a host of
 * its own.
 */
export async function resumeFrom(sql: Sql, { baseUrl }: EdgarClient, now: Date): Promise<string> {
  const [row] = await sql<{ through: string | null }[]>`
    select max(through) as through from edgar.watermark where host = ${baseUrl}`
  const newest = quarterOf(min(row?.through ?? dayIn(now), dayIn(now)))
  const before = quarterOf(shift(newest.first, -1))
  if (before.last < recentFrom(now)) return newest.first
  const whole = await sql`
    select from edgar.watermark where host = ${baseUrl} and source = ${wholeIndex(before)}`
  return whole.length > 0 ? before.first : newest.first
}

const wholeIndex = ({ year, quarter }: Quarter) => `/Archives/edgar/full-index/${year}/QTR${quarter}/master.idx`

/** Whole indexes of quarters before this day are read only once. */
const recentFrom = (now: Date) => quarterOf(shift(dayIn(now), -95)).first

/**
 * Returns the last day whose index is complete. The index of a day is complete from 06:00 New York time on the next
 * day.
 */
export function lastPublished(now: Date): string {
  return shift(dayIn(new Date(now.getTime() - 6 * 3_600_000)), -1)
}

/** Today's date in New York, by which EDGAR dates filings. */
function dayIn(now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(now)
}

function shift(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

const ageDays = (moment: string, now: Date) => (now.getTime() - Date.parse(moment)) / 86_400_000
const max = (a: string, b: string) => (a > b ? a : b)
const min = (...days: string[]) => days.reduce((a, b) => (a < b ? a : b))

function quarterOf(day: string): Quarter {
  const year = Number(day.slice(0, 4))
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3)
  const first = `${year}-${String(quarter * 3 - 2).padStart(2, '0')}-01`
  const next = quarter === 4 ? `${year + 1}-01-01` : `${year}-${String(quarter * 3 + 1).padStart(2, '0')}-01`
  return { year, quarter, first, last: shift(next, -1) }
}

function quarters(from: string, to: string): Quarter[] {
  const all: Quarter[] = []
  for (let quarter = quarterOf(from); quarter.first <= to; quarter = quarterOf(shift(quarter.last, 1)))
    all.push(quarter)
  return all
}
