/** New filings from EDGAR's feed of current filings into the spine. It adds what it names and changes nothing that is known. */
import type { Catalog } from '../declare/catalog.ts'
import type { EdgarClient } from '../fetch/client.ts'
import { type CurrentEntry, PAGE_LIMITS, readCurrent } from '../read/current-feed.ts'
import type { IndexProblem, IndexReader } from '../read/master-index.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { type IndexResult, loadIndex } from './spine.ts'

interface CurrentOptions {
  sql: Sql
  catalog: Catalog
  client: EdgarClient
  now: Date
  /** Called in the transaction before anything is stored, as of an index. */
  claim?: (tx: Transaction) => Promise<boolean>
  signal?: AbortSignal | undefined
  pageMs?: number
}

/** Longest that a page may take: it has 60 KB, and the next turn asks again. */
const PAGE_MS = 60_000

/** Entries of a page: EDGAR gives no more. */
const PAGE = 100

/** EDGAR's feed has about two thousand entries. What is older is in the daily index. */
const PAGES_MAX = 25

const pathOf = (start: number) =>
  `/cgi-bin/browse-edgar?action=getcurrent&type=&company=&dateb=&owner=include&start=${start}&count=${PAGE}&output=atom`

/**
 * Reads the feed back to a page of which every filing is known, and stores what is new in one transaction. A poll that
 * breaks off has stored nothing, so the next one finds the same filings unknown: what is known has no hole that a poll
 * left. What the feed drops comes with the daily index.
 *
 * @returns null where the host has no feed
 * @throws EdgarError; XmlError for a page that is no feed; the signal's reason
 */
export async function pollCurrent(options: CurrentOptions): Promise<IndexResult | null> {
  const { sql, catalog, client, now, claim, signal, pageMs = PAGE_MS } = options
  const entries = new Map<string, CurrentEntry>()
  const problems: IndexProblem[] = []
  let isNew = false
  for (let at = 0; at < PAGES_MAX; at++) {
    const { sizeMax } = PAGE_LIMITS
    const page = await client.get(pathOf(at * PAGE), ({ body }) => readCurrent(body), {
      sizeMax,
      totalMs: pageMs,
      signal,
    })
    if (!page && at === 0) return null
    if (!page) break
    problems.push(...page.problems)
    // A filing of many filers goes on over the next page, and filings that came meanwhile push entries there again.
    for (const entry of page.entries) entries.set(`${entry.accession} ${entry.cik}`, entry)
    if (page.listed === 0) break
    const unknown = await hasUnknown(sql, page.entries)
    isNew ||= unknown
    if (!unknown && page.entries.length > 0) break
  }
  const url = `${client.baseUrl}/cgi-bin/browse-edgar?action=getcurrent`
  const told = { url, unseen: 0, lastReceived: null, problems: problems.length }
  if (!isNew && problems.length === 0) {
    const nothing = { lines: 0, filings: 0, added: 0, restored: 0, changed: 0, removed: 0, suspected: 0 }
    return { ...told, ...nothing, withheld: null, isOlder: false }
  }
  const current = new Map(
    [...entries.values()].flatMap(({ accession, acceptedAt }) => (acceptedAt ? [[accession, acceptedAt]] : [])),
  )
  const reader = readerOf([...entries.values()], problems)
  const source = '/cgi-bin/browse-edgar?action=getcurrent'
  const through = now.toISOString().slice(0, 10)
  return loadIndex(sql, catalog, {
    ...{ url, reader, host: client.baseUrl, source, through, current, now },
    ...(claim ? { claim } : {}),
  })
}

/** Entries in the order of an index, by CIK as text: the path of a filing is that of its first filer. */
function readerOf(entries: CurrentEntry[], problems: IndexProblem[]): IndexReader {
  const keyOf = ({ path, formType, companyName }: CurrentEntry) => `${path.split('/')[2]}|${companyName}|${formType}`
  const sorted = entries.map((entry) => ({ entry, key: keyOf(entry) })).sort((a, b) => (a.key < b.key ? -1 : 1))
  async function* batches() {
    yield sorted.map(({ entry }) => entry)
  }
  const told = { problems, problemCount: problems.length, lastReceived: null, begun: true }
  return { entries: batches(), ...told, mentioned: new Set(), unplaced: 0 }
}

async function hasUnknown(sql: Sql, entries: readonly CurrentEntry[]): Promise<boolean> {
  const accessions = [...new Set(entries.map(({ accession }) => accession))]
  const [row] = await sql<{ known: number }[]>`
    select count(*)::int as known from (
      select accession from edgar.filing where accession = any(${accessions})
      -- The feed goes on listing what EDGAR has removed since.
      union select accession from edgar.tombstone where accession = any(${accessions})
    ) k`
  return row!.known < accessions.length
}
