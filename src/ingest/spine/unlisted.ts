/**
 * Handles known filings that a whole index does not list. EDGAR dates some forms to the day before it disseminates them
 * (43 EFFECT and QUALIF on 2025-12-12). Indexes also come late, cut short or from a cache. So an index can only prove
 * the removal of filings that were known before it was made. A filing is removed if a second index lacks it too, and
 * that second index was made later and read at least a day later.
 */
import type { Catalog } from '../../declare/catalog.ts'
import type { Transaction } from '../../store/db.ts'
import type { LoggedChange } from '../../store/events.ts'
import { remove } from './changes.ts'
import { type IndexLoad, lastDay, madeAt, onlyAdds } from './edition.ts'

/**
 * An index counts as damaged if the filings that it lacks are more than this share of the filings that it lists. One
 * real quarter lost only a handful of its 193,299 filings.
 */
const UNLISTED_SHARE_MAX = 0.01
const UNLISTED_FEW = 10

/** Whether an index counts as damaged, because it lacks too many of the known entries that it should list. */
export const isTooMany = (lacking: number, listed: number): boolean =>
  lacking > UNLISTED_FEW && lacking > UNLISTED_SHARE_MAX * listed

/** Minimum time between the readings of the two indexes that lack a filing. */
export const APART = '1 day'

/**
 * A filing counts as missing in an index only if it was known this long before the index was made. Filings enter
 * indexes some minutes after their dissemination, and clocks differ.
 */
export const BEFORE_MADE = '1 hour'

/** Number of days after which an index has all filings that were backdated to its last day. */
const SETTLED_DAYS = 3

/** Maximum number of days by which a corrected date moves a filing over the end of a quarter. */
const EDGE_DAYS = 14

const DAY_MS = 86_400_000

export interface Unlisted {
  removed: number
  /** Number of filings that this index lacks and that no earlier index lacked. */
  suspected: number
  rowless: LoggedChange[]
  /**
   * Reason why nothing was removed or suspected although the index was compared; null if the index may prove removals.
   */
  withheld: string | null
}

const NONE: Unlisted = { removed: 0, suspected: 0, rowless: [], withheld: null }

/**
 * Compares the index of a whole quarter with the known filings of that quarter. If a second index lacks a filing, the
 * filing is removed. If this index is the first that lacks the filing, the filing is recorded as suspected. If the
 * index lists a suspected filing, the record of the suspicion is deleted.
 */
export async function compare(tx: Transaction, catalog: Catalog, index: IndexLoad): Promise<Unlisted> {
  await clear(tx, index)
  const { wholeFrom, reader } = index
  if (wholeFrom === undefined || !(await hasRead(tx, index))) return NONE
  const withheld = (why: string) => ({ ...NONE, withheld: why })
  const made = madeAt(index)
  const through = lastDay(index)
  if (!made || through === null) return withheld('the index does not state its last day, so it cannot prove a removal')
  const { found, listed } = await find(tx, index, { made, through })
  if (found === 0) return NONE
  if (reader.unplaced > 0) return withheld('the index has lines that cannot be read and name no accession')
  if (isTooMany(found, listed)) {
    const reason = `lists ${listed} filings and lacks ${found} known ones: it may be cut short, so nothing was removed`
    reader.problems.unshift({ line: 0, content: '', reason })
    reader.problemCount++
    return withheld(`it ${reason}`)
  }
  await choose(tx, index, made)
  const { removed, rowless } = await remove(tx, catalog, { url: index.url, made })
  const suspected = await suspect(tx, index, made)
  return { removed, suspected, rowless, withheld: null }
}

/**
 * Deletes the records of suspected filings that this index lists. The index of a quarter does this in any case. The
 * index of a day does it only if it was made after the index that lacked the filing.
 */
async function clear(tx: Transaction, index: IndexLoad): Promise<void> {
  const made = onlyAdds(index) ? null : madeAt(index)
  const isLater = index.wholeFrom !== undefined ? tx`true` : tx`u.made_at < ${made}::timestamptz`
  await tx`
    delete from edgar.unlisted u
    where ${isLater} and exists (select from incoming_filing i where i.accession = u.accession)`
}

/**
 * Fills the temporary table `missing` with the known filings that the index should list but does not.
 *
 * @returns the number of filings in that table, and the number of filings that the index lists
 */
async function find(
  tx: Transaction,
  { wholeFrom, through: last, reader }: IndexLoad,
  { made, through }: { made: Date; through: string },
): Promise<{ found: number; listed: number }> {
  const isSettled = made.getTime() >= Date.parse(through) + SETTLED_DAYS * DAY_MS
  await tx`
    create temporary table missing on commit drop as
    select f.accession, f.filed_date from edgar.filing f
    where f.filed_date between ${wholeFrom!} and least(${through}::date, ${last}::date)
      and (${isSettled} or f.filed_date < ${through})
      and f.first_seen_at < ${made}::timestamptz - ${BEFORE_MADE}::interval
      and (f.accepted_at is null or f.accepted_at < ${made}::timestamptz - ${BEFORE_MADE}::interval)
      and not exists (select from incoming_filing i where i.accession = f.accession)
      and f.accession <> all(${[...reader.mentioned]})`
  const [count] = await tx<{ found: number; listed: number }[]>`
    select (select count(*) from missing)::int as found, (select count(*) from incoming_filing)::int as listed`
  return count!
}

/** Fills the temporary table `vanished` with the filings of `missing` that an earlier index lacked too. */
async function choose(tx: Transaction, index: IndexLoad, made: Date): Promise<void> {
  const { now } = index
  // A corrected date may have moved a filing to the next or previous quarter. So if the index of that quarter is read
  // at all, it must have been read after this filing was suspected.
  const [before, after] = neighbours(index.source)
  const isRead = (source: string) => tx`
    not exists (
      select from edgar.watermark w
      where w.host = ${index.host} and w.source = ${source} and coalesce(w.read_at, w.moved_at) < u.read_at)`
  await tx`
    create temporary table vanished on commit drop as
    select m.accession from missing m join edgar.unlisted u using (accession)
    where u.host = ${index.host} and u.made_at < ${made}::timestamptz
      and u.read_at <= ${now}::timestamptz - ${APART}::interval
      and (m.filed_date >= ${index.wholeFrom!}::date + ${EDGE_DAYS}::int or ${isRead(before)})
      and (m.filed_date <= ${index.through}::date - ${EDGE_DAYS}::int or ${isRead(after)})`
}

/** Records the filings that this index lacks and that no earlier index lacked. */
async function suspect(tx: Transaction, { host, url, now }: IndexLoad, made: Date): Promise<number> {
  // A former row is replaced if it is from another host, or if its time is in the future because the clock was set
  // back: such rows prove nothing.
  const { count } = await tx`
    insert into edgar.unlisted (accession, host, index_url, made_at, read_at)
    select m.accession, ${host}, ${url}, ${made}, ${now} from missing m
    where exists (select from edgar.filing f where f.accession = m.accession)
    on conflict (accession) do update
    set host = excluded.host, index_url = excluded.index_url, made_at = excluded.made_at, read_at = excluded.read_at
    where edgar.unlisted.host <> excluded.host or edgar.unlisted.read_at > excluded.read_at`
  return count
}

/** Paths of the whole indexes of the quarters before and after. */
function neighbours(source: string): [string, string] {
  const [, year, quarter] = /\/(\d{4})\/QTR(\d)\//.exec(source)!.map(Number)
  const at = year! * 4 + quarter! - 1
  const path = (n: number) => source.replace(/\/\d{4}\/QTR\d\//, `/${Math.floor(n / 4)}/QTR${(n % 4) + 1}/`)
  return [path(at - 1), path(at + 1)]
}

/**
 * True if any index of the quarter, whole or daily, was read from this host before. The first index of a quarter from a
 * host proves no removal: a filing that it does not list may be known from another host.
 */
export async function hasRead(tx: Transaction, { host, source }: IndexLoad): Promise<boolean> {
  const daily = `${source.replace('/full-index/', '/daily-index/').replace(/[^/]*$/, '')}%`
  const [row] = await tx<{ found: boolean }[]>`
    select exists (
      select from edgar.watermark where host = ${host} and (source = ${source} or source like ${daily})) as found`
  return row!.found
}

/**
 * Deletes from the temporary table `incoming_filing` the filings that have been removed: daily indexes and the feed
 * still list them. Two things restore a removed filing: an index that was made after the index that lacked it, or an
 * entry of the feed that was accepted after that index was made.
 *
 * @returns whether there were any such filings
 */
export async function leaveRemoved(tx: Transaction, index: IndexLoad): Promise<boolean> {
  const made = madeAt(index)
  const { count } = await tx`
    delete from incoming_filing i using edgar.tombstone t
    where t.accession = i.accession and ${
      index.current
        ? tx`not exists (
            select from unnest(${[...index.current.keys()]}::text[], ${[...index.current.values()]}::timestamptz[]) a (accession, at)
            where a.accession = i.accession and a.at > coalesce(t.index_made, t.removed_at))`
        : index.wholeFrom === undefined
          ? tx`(${made === null} or ${made}::timestamptz <= coalesce(t.index_made, t.removed_at))`
          : tx`${made}::timestamptz < t.index_made`
    }`
  return count > 0
}
