/**
 * Loads new filings from EDGAR's feed of current filings into the spine. Adds filings and never changes known filings.
 */
import type { Catalog } from '../../declare/catalog.ts'
import { type EdgarClient, EdgarError } from '../../fetch/client.ts'
import { type CurrentEntry, type CurrentPage, PAGE_LIMITS, readCurrent } from '../../read/current-feed.ts'
import type { IndexProblem, IndexReader } from '../../read/master-index.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { type IndexResult, loadIndex } from '../spine.ts'
import { type FeedGap, feedUrl, lastReading, listedThrough, noteReading } from './gaps.ts'

interface CurrentOptions {
  sql: Sql
  catalog: Catalog
  client: EdgarClient
  now: Date
  /**
   * Moment of acceptance before which no new entry can appear in the feed, as earlier polls of this process have shown.
   */
  settled?: string | null
  /**
   * If set, only filings of these filers are taken, and the reading is not recorded. The reading must reach back to
   * `since`: filings before `since` are known from the filers' profiles or the last poll.
   */
  only?: { ciks: ReadonlySet<string>; since: string } | undefined
  /** Like `claim` of an index, called in the transaction before anything is stored. */
  claim?: (tx: Transaction) => Promise<boolean>
  signal?: AbortSignal | undefined
  pageMs?: number
}

export interface PollResult extends IndexResult {
  /** How many pages were requested. */
  pages: number
  /** When EDGAR accepted the newest entry; null if no entry states this. */
  newest: string | null
  /** The period whose entries the feed had already dropped; null if there is none. */
  gap: FeedGap | null
  /** Whether the reading reached known filings or, with `only`, the moment before which all filings are known. */
  isComplete: boolean
}

/**
 * Longest time to fetch a page, which has 60 KB. If a page takes longer, the poll fails, and the next poll tries again.
 */
const PAGE_MS = 60_000

/** Number of entries of a page; EDGAR returns no more. */
const PAGE = 100

/**
 * Number of entries between the start of one page and the start of the next page. Entries move between pages while the
 * pages are read. A new entry pushes other entries to the next page. A withdrawn entry lets other entries move to the
 * previous page, which was already read. So each page must share an entry with the pages before it.
 */
const STEP = 90

/** The last start that EDGAR serves, so the feed has 5,100 entries in all. For a later start, EDGAR answers 503. */
const START_MAX = 5_000

/** Maximum number of pages that are requested, including repeats: about three times the number of pages of the feed. */
const PAGES_MAX = 180

/** Up to this long after its acceptance, an entry may be inserted below entries that were already read. */
const LATE_MS = 15 * 60_000

/**
 * A moment of acceptance is ignored if it is this far ahead of our clock and the host's clock: it would hide every
 * later gap.
 */
const AHEAD_MS = 2 * 86_400_000

/** A moment of acceptance this near to the filing's date is trusted. */
const NEAR_MS = 10 * 86_400_000

const pathOf = (start: number) =>
  `/cgi-bin/browse-edgar?action=getcurrent&type=&company=&dateb=&owner=include&start=${start}&count=${PAGE}&output=atom`

/**
 * Reads the feed from its newest entry back. Stops at the end of the feed, or at a page that has only known filings and
 * is older than any entry that may still be inserted. Stores the new filings in one transaction. A poll that breaks off
 * stores nothing, so no poll leaves a hole between known filings. If the feed ends before known filings are reached, a
 * gap is recorded.
 *
 * @returns null if the host has no feed
 * @throws EdgarError; XmlError for a page that is not a feed; the signal's reason
 */
export async function pollCurrent(options: CurrentOptions): Promise<PollResult | null> {
  const { sql, catalog, client, now, claim, only } = options
  const walked = await walk(options)
  if (!walked) return null
  const { entries, problems, isNew, isJoined, pages } = walked
  const url = feedUrl(client.baseUrl)
  const latest = now.getTime() + Math.max(0, client.stats().aheadMs ?? 0) + AHEAD_MS
  const moments = (some: readonly CurrentEntry[]) =>
    some.flatMap((entry) => (isLikely(entry, latest) ? entry.acceptedAt! : []))
  const newest = maxOf(moments(entries))
  const reached = minOf(moments(walked.last)) ?? newest
  const isBack = only !== undefined && reached !== null && Date.parse(reached) <= Date.parse(only.since)
  const isComplete = isJoined || isBack || entries.length === 0
  let gap: FeedGap | null = null
  const note = async (tx: Transaction) => {
    const reading = { host: client.baseUrl, newest_at: newest!, reached_at: reached! }
    gap = newest === null ? null : await noteReading(tx, { ...reading, isJoined }, now)
  }
  // An unreadable entry may belong to any filer. If it belongs to a chosen filer, the profile of that filer has the
  // filing. So with `only`, unreadable entries do not count as problems if other entries can be read.
  const unreadable = only && entries.length > 0 ? 0 : problems.length
  const through = now.toISOString().slice(0, 10)
  const counts = { url, unseen: 0, through, problems: unreadable, isComplete }
  if (!isNew && (only || problems.length === 0)) {
    // The first reading of the feed is noted even without new filings, because later readings go back to it.
    if (!only && newest !== null && !(await lastReading(sql, client.baseUrl))) await sql.begin(note)
    const nothing = { lines: 0, filings: 0, added: 0, restored: 0, changed: 0, removed: 0, suspected: 0 }
    return { ...counts, ...nothing, withheld: null, isOlder: false, pages, newest, gap }
  }
  const current = new Map(entries.flatMap(({ accession, acceptedAt }) => (acceptedAt ? [[accession, acceptedAt]] : [])))
  const reader = only ? readerOf(ofFilers(entries, only.ciks), []) : readerOf(entries, problems)
  const result = await loadIndex(sql, catalog, {
    ...{ url, reader, host: client.baseUrl, current, now, ...(only ? {} : { note }) },
    ...{ source: '/cgi-bin/browse-edgar?action=getcurrent', through },
    ...(claim ? { claim } : {}),
  })
  return { ...result, pages, newest, gap, isComplete }
}

interface Walked {
  entries: CurrentEntry[]
  problems: IndexProblem[]
  /** Entries of the last page that was read. */
  last: CurrentEntry[]
  /** Whether any filing is new. */
  isNew: boolean
  /** Whether the reading ended among known filings, and not at the feed's end. */
  isJoined: boolean
  pages: number
}

/**
 * Reads pages from the newest entry back.
 *
 * @returns null if the host has no feed
 */
async function walk(options: CurrentOptions): Promise<Walked | null> {
  const { sql, client, now, settled, only, signal, pageMs = PAGE_MS } = options
  const entries = new Map<string, CurrentEntry>()
  /** Keys of the entries on the pages that overlap without a hole, from the first page on. */
  const linked = new Set<string>()
  const problems = new Map<string, IndexProblem>()
  const walked = { isNew: false, isJoined: false, pages: 0, last: [] as CurrentEntry[] }
  const before = await lastReading(sql, client.baseUrl)
  /**
   * The moment up to which indexes list everything. It is looked up only if the first page is not enough, which is
   * rare.
   */
  let listed: string | null | undefined

  /**
   * Whether all entries older than this page are known. This is so if an earlier poll read them or an index lists them,
   * and no entry can still be inserted among them.
   */
  async function isBelow(page: CurrentPage, pageNumber: number): Promise<boolean> {
    const oldest = minOf(page.entries.flatMap(({ acceptedAt }) => acceptedAt ?? []))
    if (oldest === null) return true
    if (only) return Date.parse(oldest) <= Date.parse(only.since) - LATE_MS
    if ((pageNumber > 1 || !before) && listed === undefined) listed = await listedThrough(sql, client.baseUrl, now)
    const floors = [before?.newest_at, listed].flatMap((at) => (at ? [Date.parse(at) - LATE_MS] : []))
    if (settled) floors.push(Date.parse(settled))
    return floors.length === 0 || Date.parse(oldest) <= Math.max(...floors)
  }

  for (let start = 0; walked.pages < PAGES_MAX; ) {
    walked.pages++
    const page = await readPage(client, start, { sizeMax: PAGE_LIMITS.sizeMax, totalMs: pageMs, signal })
    if (!page && start === 0) return null
    if (!page) break
    for (const problem of page.problems) problems.set(`${problem.reason} ${problem.content}`, problem)
    const keys = page.entries.map(({ accession, cik }) => `${accession} ${cik}`)
    // A page with entries none of which is readable may still overlap the page before it. A page without any entries is
    // beyond the end of the feed, which has moved.
    const isLinked = start === 0 || keys.some((key) => linked.has(key)) || (keys.length === 0 && page.listed > 0)
    for (const [at, entry] of page.entries.entries()) entries.set(keys[at]!, entry)
    if (!isLinked) {
      start = Math.max(0, start - STEP)
      continue
    }
    for (const key of keys) linked.add(key)
    if (keys.length > 0) walked.last = page.entries
    const wanted = only ? ofFilers(page.entries, only.ciks) : page.entries
    const isUnknown = await hasUnknown(sql, wanted)
    walked.isNew ||= isUnknown
    walked.isJoined = !isUnknown && keys.length > 0 && (await isBelow(page, walked.pages))
    if (walked.isJoined || page.listed < PAGE || start === START_MAX) break
    start = Math.min(start + STEP, START_MAX)
  }
  return { ...walked, entries: [...entries.values()], problems: [...problems.values()] }
}

/** Reads the page of the feed that begins at this position. Returns null beyond the end of the feed. */
async function readPage(
  client: EdgarClient,
  start: number,
  limits: { sizeMax: number; totalMs: number; signal: AbortSignal | undefined },
): Promise<CurrentPage | null> {
  try {
    return await client.get(pathOf(start), ({ body }) => readCurrent(body), limits)
  } catch (error) {
    const isEnd = error instanceof EdgarError && error.kind === 'unavailable' && start > 0
    // If the feed has merely become shorter, its first page can still be read. In an outage, the first page cannot be
    // read.
    if (!isEnd || !(await client.get(pathOf(0), ({ body }) => readCurrent(body), limits))) throw error
    return null
  }
}

/** Sorts entries as in an index, by CIK as text, since a filing gets the path of its first filer. */
function readerOf(entries: CurrentEntry[], problems: IndexProblem[]): IndexReader {
  const keyOf = ({ path, formType, companyName }: CurrentEntry) => `${path.split('/')[2]}|${companyName}|${formType}`
  const sorted = entries.map((entry) => ({ entry, key: keyOf(entry) })).sort((a, b) => (a.key < b.key ? -1 : 1))
  async function* batches() {
    yield sorted.map(({ entry }) => entry)
  }
  const outcome = { problems, problemCount: problems.length, lastReceived: null, begun: true }
  return { entries: batches(), ...outcome, mentioned: new Set(), unplaced: 0 }
}

/**
 * Returns all entries of the filings that one of these filers filed, including the entries of the filings' other
 * filers.
 */
function ofFilers(entries: readonly CurrentEntry[], ciks: ReadonlySet<string>): CurrentEntry[] {
  const filings = new Set(entries.flatMap(({ accession, cik }) => (ciks.has(cik) ? [accession] : [])))
  return entries.filter(({ accession }) => filings.has(accession))
}

async function hasUnknown(sql: Sql, entries: readonly CurrentEntry[]): Promise<boolean> {
  const accessions = [...new Set(entries.map(({ accession }) => accession))]
  const [row] = await sql<{ known: number }[]>`
    select count(*)::int as known from (
      select accession from edgar.filing where accession = any(${accessions})
      -- The feed still lists filings that EDGAR has removed since.
      union select accession from edgar.tombstone where accession = any(${accessions})
    ) k`
  return row!.known < accessions.length
}

/** Whether the moment of acceptance is trusted to give the entry's position in the feed. */
const isLikely = ({ acceptedAt, filedDate }: CurrentEntry, latest: number) =>
  acceptedAt !== null &&
  Date.parse(acceptedAt) <= latest &&
  Math.abs(Date.parse(acceptedAt) - Date.parse(filedDate)) <= NEAR_MS

// The moments are ISO 8601 in UTC, so they sort as text.
const maxOf = (moments: readonly string[]) => moments.reduce<string | null>((a, b) => (a && a > b ? a : b), null)
const minOf = (moments: readonly string[]) => moments.reduce<string | null>((a, b) => (a && a < b ? a : b), null)

/**
 * Remembers the polls of this process, so that not every poll of a quiet feed has to read back a quarter of an hour.
 * Everything that was accepted before a poll is in the feed at most a quarter of an hour later. So everything that was
 * accepted before a poll has been read by any poll that begins a quarter of an hour later.
 */
export function settling(clock: () => number = () => performance.now()) {
  const polls: { at: number; newest: string }[] = []
  return {
    settled(): string | null {
      const last = polls.at(-1)
      if (!last) return null
      const old = polls.findLastIndex(({ at }) => at <= last.at - LATE_MS)
      if (old > 0) polls.splice(0, old)
      return old < 0 ? null : polls[0]!.newest
    },
    /**
     * Notes a poll.
     *
     * @param at when the poll began, by `clock`
     */
    note(newest: string | null, at: number = clock()): void {
      if (newest !== null) polls.push({ at, newest })
    },
  }
}
