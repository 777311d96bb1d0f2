/**
 * Finds the filers to which the entries of a watch list refer, by the SEC's lists of tickers and by the loaded data.
 */
import { UserError } from '../../declare/errors.ts'
import { chosenBefore, rememberedFiler } from '../../ingest/chosen.ts'
import { ownersOf, type TickerOwner } from '../../serve/tickers.ts'
import type { Sql } from '../../store/db.ts'
import type { Work } from '../progress/recorded.ts'
import { number } from '../progress.ts'
import { type BulkWanted, loadTickerLists } from './bulk.ts'
import type { Entry, WatchList } from './watch-list.ts'

export interface ChosenEntry {
  /** Ten digits. */
  cik: string
  /** The same text as `Entry.text`. */
  entry: string
  /** The same place as `Entry.place`. */
  place: string
}

/** The filers to which an entry refers, with a note for the operator; or the reason why the entry refers to none. */
type Resolution = { ciks: readonly string[]; note?: string } | { reason: string }

/** Number of entries without a filer that are reported one by one. */
const SHOWN = 20

/** Number of filers that an error names. */
const NAMED = 5

/**
 * The filers of a list, each once. An entry that refers to no filer, or is ambiguous, is reported and does not stop the
 * others. An old list may have the ticker of a company that no longer exists.
 *
 * @throws UserError if no entry refers to a filer
 */
export async function chooseFilers(
  work: Work,
  { option, entries, repeated }: WatchList,
  own: Pick<BulkWanted, 'claim' | 'again'>,
): Promise<ChosenEntry[]> {
  const { sql } = work.app
  if (entries.some(({ kind }) => kind !== 'cik' && kind !== 'crd')) await loadTickerLists(work, own)
  const filers = new Map<string, ChosenEntry>()
  const unknown: { entry: Entry; reason: string }[] = []
  for (const entry of entries) {
    work.signal.throwIfAborted()
    const found = await find(sql, entry)
    if ('reason' in found) {
      unknown.push({ entry, reason: found.reason })
      continue
    }
    const { text, place } = entry
    for (const cik of found.ciks) if (!filers.has(cik)) filers.set(cik, { cik, entry: text, place })
    if (found.note !== undefined)
      work.reporter.fact({ event: 'chosen', entry: text, ciks: found.ciks }, `${text}: ${found.note}`)
  }
  report(work, option, unknown)
  if (filers.size === 0) throw new UserError(`no entry of ${option} refers to a filer`)
  const twice = repeated + entries.length - unknown.length - filers.size
  const again = twice > 0 ? `; ${number(twice)} entries repeat another one` : ''
  const words = `${number(filers.size)} ${filers.size === 1 ? 'filer is' : 'filers are'} chosen${again}`
  work.reporter.note(words, { event: 'chosen_filers', filers: filers.size, unknown: unknown.length })
  return [...filers.values()]
}

function report(work: Work, option: string, unknown: readonly { entry: Entry; reason: string }[]): void {
  if (unknown.length === 0) return
  for (const { entry, reason } of unknown.slice(0, SHOWN)) {
    const { text, place } = entry
    work.reporter.problem({ event: 'unknown_entry', entry: text, place, reason }, `${place}, ${text}: ${reason}`)
  }
  const count = `${number(unknown.length)} of the entries of ${option}`
  work.skip(
    count,
    `${unknown.length === 1 ? 'it means' : 'each means'} no filer, or several; the other entries are loaded`,
  )
}

async function find(sql: Sql, entry: Entry): Promise<Resolution> {
  switch (entry.kind) {
    case 'cik':
      return { ciks: [entry.cik] }
    case 'crd':
      return findAdviser(sql, entry.crd)
    case 'series':
    case 'class':
      return findFund(sql, entry.kind, entry.id)
    case 'ticker':
      return findTicker(sql, entry)
  }
}

/**
 * Finds an adviser's filers: CIKs that the adviser states, and filers whose numbers match. A filer that only has the
 * same name is not taken.
 */
async function findAdviser(sql: Sql, crd: string): Promise<Resolution> {
  const rows = await sql<{ cik: string }[]>`
    select distinct cik from pub.links_link where crd = ${crd} and method <> 'name' order by cik`
  if (rows.length > 0) return { ciks: rows.map(({ cik }) => cik), note: `the CIK of this adviser is ${listed(rows)}` }
  return {
    reason: 'no filer of EDGAR is known for this adviser: run "openfilings ingest adv" first, or write its CIK',
  }
}

async function findFund(sql: Sql, kind: 'series' | 'class', id: string): Promise<Resolution> {
  const column = kind === 'series' ? 'series_id' : 'class_id'
  const rows = await sql<{ cik: string }[]>`
    select distinct cik from pub.companies_ticker where ${sql(column)} = ${id} order by cik`
  const known = rows.length > 0 || kind === 'class' ? rows : await registrantsOf(sql, id)
  if (known.length === 0)
    return { reason: `the SEC’s list of funds does not have this ${kind}: write the CIK of its registrant` }
  // A profile does not say which series a filing is about, so all filings of the registrant are loaded.
  return { ciks: known.map(({ cik }) => cik), note: `all filings of its registrant, ${listed(known)}, are loaded` }
}

/** Finds the registrants of a series in the loaded filings, since the SEC's list has only series with tickers. */
const registrantsOf = (sql: Sql, id: string) => sql<{ cik: string }[]>`
  select cik from pub.fundreg_launch where series_id = ${id} and cik is not null
  union select cik from pub.nmfp_standing where series_id = ${id} and cik is not null order by cik`

async function findTicker(sql: Sql, { text, readings }: Extract<Entry, { kind: 'ticker' }>): Promise<Resolution> {
  const { owners } = (await ownersOf(sql, readings)) ?? { owners: [] }
  const present = presentOf(owners)
  if (present.length === 1) {
    const [{ cik }] = present as [TickerOwner]
    return { ciks: [cik], ...(await changedOf(sql, text, cik)) }
  }
  if (present.length > 1)
    return { reason: `several filers have this ticker, ${listed(present)}: write the CIK of the one that is meant` }
  // A ticker that was in the SEC's list when it was chosen, and is no longer in the list, still means the same filer.
  const remembered = await rememberedFiler(sql, text)
  if (remembered) {
    const { cik, name } = remembered
    const words = `the SEC’s lists no longer have this ticker; it still means ${listed([remembered])}${name ? `, ${name}` : ''}`
    return { ciks: [cik], note: words }
  }
  if (owners.length > 0)
    return {
      reason: `is not in the SEC’s lists of tickers; in filings it is a ticker of ${listed(owners)}: write a CIK`,
    }
  return { reason: 'is not in the SEC’s lists of tickers: write the CIK of the filer, or its present ticker' }
}

/**
 * Returns the owners that a ticker has in the SEC's lists today. If no list has the ticker, returns its owners by the
 * files of companies, which may be old.
 */
function presentOf(owners: readonly TickerOwner[]): TickerOwner[] {
  const present = owners.filter(({ state }) => state === 'listed')
  const byLists = present.filter(({ source }) => source !== 'submissions')
  return byLists.length > 0 ? byLists : present
}

/** A note if the ticker meant another filer in an earlier run. */
async function changedOf(sql: Sql, text: string, cik: string): Promise<{ note?: string }> {
  const remembered = await rememberedFiler(sql, text)
  if (!remembered || remembered.cik === cik) return {}
  const known = await chosenBefore(sql, [cik])
  if (known.has(cik)) return {}
  return {
    note: `now means ${listed([{ cik }])}, and meant ${listed([remembered])} before; write the earlier CIK to keep the filings of that filer up to date`,
  }
}

const listed = (some: readonly { cik: string }[]) => {
  const names = some.slice(0, NAMED).map(({ cik }) => cik)
  return some.length > NAMED ? `${names.join(', ')} and ${some.length - NAMED} more` : names.join(', ')
}
