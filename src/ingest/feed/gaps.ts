/**
 * Records how far the feed of current filings was read, and its gaps: periods whose entries the feed no longer had. A
 * gap is closed after the daily indexes of its days were read, since these indexes list everything that the feed had.
 */
import type { Sql, Transaction } from '../../store/db.ts'
import { areListed, eveningOf, isHoliday, shift } from './days.ts'

export interface FeedReading {
  host: string
  /** When EDGAR accepted the newest entry, ISO 8601. */
  newest_at: string
  /** When EDGAR accepted the oldest entry that was read, ISO 8601. */
  reached_at: string
}

export interface FeedGap {
  host: string
  /** Everything that was accepted up to `after_at`, or from `before_at` on, is known; ISO 8601. */
  after_at: string
  before_at: string
  noted_at: string
  /** When it was found that the indexes of all days of the gap have been read; null while filings may be missing. */
  closed_at: string | null
}

/** How many days back `listedThrough` looks for indexes that were read. */
const LOOK_BACK_DAYS = 100

/** The last reading of the host's feed that found something new; null if there was none. */
export async function lastReading(
  sql: Sql | Transaction,
  host: string,
): Promise<(FeedReading & { read_at: string }) | null> {
  const [row] = await sql<(FeedReading & { read_at: string })[]>`
    select host, newest_at, reached_at, read_at from edgar.feed where host = ${host}`
  return row ?? null
}

/**
 * Records a reading that began with the newest entry and went back without a hole.
 *
 * @param reading.isJoined whether the reading ended among known filings; if not, it must reach back to the entries that
 *   were known before
 * @returns the gap, if the reading reached neither known filings nor known entries
 */
export async function noteReading(
  tx: Transaction,
  { host, newest_at, reached_at, isJoined }: FeedReading & { isJoined: boolean },
  now: Date,
): Promise<FeedGap | null> {
  const last = await lastReading(tx, host)
  const known = isJoined ? null : latest(last?.newest_at ?? null, await listedThrough(tx, host, now))
  const newest = latest(last?.newest_at ?? null, newest_at)!
  await tx`
    insert into edgar.feed ${tx({ host, newest_at: newest, reached_at })}
    on conflict (host) do update set newest_at = excluded.newest_at, reached_at = excluded.reached_at, read_at = now()`
  if (known === null || Date.parse(reached_at) <= Date.parse(known)) return null
  const [gap] = await tx<FeedGap[]>`
    insert into edgar.feed_gap ${tx({ host, after_at: known, before_at: reached_at })}
    returning host, after_at, before_at, noted_at, closed_at`
  return gap!
}

/** The moment up to which the host's indexes list everything without a missing day; null if no index was read. */
export async function listedThrough(sql: Sql | Transaction, host: string, now: Date): Promise<string | null> {
  const today = now.toISOString().slice(0, 10)
  const { isListed, isClosed, first } = await daysOf(sql, host, shift(today, -LOOK_BACK_DAYS), today)
  if (first === null) return null
  let last = first
  for (let day = shift(first, 1); day <= today; day = shift(day, 1)) {
    if (isListed(day)) last = day
    else if (!isClosed(day)) break
  }
  return eveningOf(last)
}

/**
 * Closes those gaps of a host whose days are covered by indexes that were read. Also deletes those unreadable entries
 * of the host's feed that are not needed any more, because indexes have listed their filings since.
 *
 * @returns the gaps that were closed
 */
export async function closeGaps(sql: Sql, host: string, now: Date): Promise<FeedGap[]> {
  const open = await sql<(FeedGap & { gap_id: string })[]>`
    select gap_id, host, after_at, before_at, noted_at, closed_at from edgar.feed_gap
    where host = ${host} and closed_at is null order by gap_id`
  const unread = await sql<{ line: number; seen_at: string }[]>`
    select line, seen_at from edgar.index_problem where index_url = ${feedUrl(host)}`
  if (open.length + unread.length === 0) return []
  const from = [...open.map(({ after_at }) => after_at), ...unread.map(({ seen_at }) => daysBefore(seen_at))].sort()[0]!
  const { isListed, isClosed } = await daysOf(sql, host, shift(from.slice(0, 10), -1), now.toISOString().slice(0, 10))
  const isCovered = (after: string, before: string) => areListed({ after, before }, isListed, isClosed)
  const closed: FeedGap[] = []
  for (const { gap_id, after_at, before_at } of open) {
    if (!isCovered(after_at, before_at)) continue
    closed.push(
      ...(await sql<FeedGap[]>`
        update edgar.feed_gap set closed_at = now() where gap_id = ${gap_id} and closed_at is null
        returning host, after_at, before_at, noted_at, closed_at`),
    )
  }
  const covered = unread.filter(({ seen_at }) => isCovered(daysBefore(seen_at), seen_at)).map(({ line }) => line)
  await sql`
    delete from edgar.index_problem p where index_url = ${feedUrl(host)} and (
      line = any(${covered}::int[])
      or exists (select from edgar.filing f where f.accession = substring(p.content from ${ACCESSION})))`
  return closed
}

/** Accession at the start of a stored entry, if the entry names one. */
const ACCESSION = '^(\\d{10}-\\d{2}-\\d{6})'

/** The feed has entries of at most three days, so an unreadable entry is no older than that. */
const FEED_MS = 3 * 86_400_000
const daysBefore = (moment: string) => new Date(Date.parse(moment) - FEED_MS).toISOString()

/** The address under which unreadable entries of a host's feed are stored. */
export const feedUrl = (host: string): string => `${host}/cgi-bin/browse-edgar?action=getcurrent`

/** Returns the days of a span for which indexes of the host were read, and the days that have no index. */
async function daysOf(sql: Sql | Transaction, host: string, from: string, to: string) {
  const marks = await sql<{ source: string; through: string }[]>`
    select source, through from edgar.watermark where host = ${host} and through >= ${from}`
  const days = new Set<string>()
  /** Last day of the whole index of a quarter, by its folder: `2026/QTR4`. */
  const quarters = new Map<string, string>()
  for (const { source, through } of marks) {
    const whole = /\/full-index\/(\d{4}\/QTR[1-4])\//.exec(source)?.[1]
    if (whole) quarters.set(whole, through)
    const [, year, month, date] = /\/daily-index\/\d{4}\/QTR[1-4]\/master\.(\d{4})(\d\d)(\d\d)\.idx$/.exec(source) ?? []
    if (date) days.add(`${year}-${month}-${date}`)
  }
  const free: string[] = []
  for (let day = from; day <= to; day = shift(day, 1)) if (isHoliday(day)) free.push(day)
  // A day that the calendar counts as a holiday may be a business day. If a filing has that date, an index of the day
  // is expected.
  const worked = await sql<{ day: string }[]>`
    select d as day from unnest(${free}::date[]) d where exists (select from edgar.filing where filed_date = d)`
  const closed = new Set(free)
  for (const { day } of worked) closed.delete(day)
  const wholes = [...quarters.values()].sort()
  return {
    isListed: (day: string) => days.has(day) || day <= (quarters.get(quarterOf(day)) ?? ''),
    isClosed: (day: string) => closed.has(day),
    /**
     * The first day to check: the last day of the newest whole index. Without a whole index, it is the first day that
     * has a daily index.
     */
    first: wholes.at(-1) ?? [...days].sort()[0] ?? null,
  }
}

const quarterOf = (day: string) => `${day.slice(0, 4)}/QTR${Math.ceil(Number(day.slice(5, 7)) / 3)}`

const latest = (...moments: (string | null)[]): string | null =>
  moments
    .filter((one) => one !== null)
    .reduce<string | null>((a, b) => (a && Date.parse(a) >= Date.parse(b) ? a : b), null)

/** The state of the feed, for monitoring. */
export interface FeedState {
  /** The last reading that found something new, for the host that was read last; null if no feed was read. */
  reading: (FeedReading & { read_at: string }) | null
  /** Open gaps and the latest closed gaps, newest first. */
  gaps: FeedGap[]
  /** How many gaps are open. */
  open: number
  /** Number of entries that could not be read and that no index has listed since then. */
  unread: number
}

const GAPS_SHOWN = 20

export async function feedState(sql: Sql): Promise<FeedState> {
  const [reading] = await sql<(FeedReading & { read_at: string })[]>`
    select host, newest_at, reached_at, read_at from edgar.feed order by read_at desc, host limit 1`
  const gaps = await sql<FeedGap[]>`
    select host, after_at, before_at, noted_at, closed_at from edgar.feed_gap
    order by closed_at is null desc, gap_id desc limit ${GAPS_SHOWN}`
  const [counts] = await sql<{ open: number; unread: number }[]>`
    select (select count(*)::int from edgar.feed_gap where closed_at is null) as open,
      (select count(*)::int from edgar.index_problem where index_url like '%/cgi-bin/browse-edgar?action=getcurrent') as unread`
  return { reading: reading ?? null, gaps: [...gaps], ...counts! }
}
