/**
 * One edition into its dataset, in one transaction. What an edition says of a record is compared by digest with what was
 * known: a day on which nothing changed costs its parse and no writing.
 */
import { hash } from 'node:crypto'
import type { BulkDataset } from '../dataset.ts'
import type { Transaction } from '../db.ts'
import { copy } from '../load.ts'
import { dataChanged } from '../meta.ts'
import { collecting, pairOf, remember } from './history.ts'
import { type BulkFile, type Fragment, type Notes, notes, read } from './read.ts'
import type { Edition, Series } from './series.ts'
import { ANALYZE_MIN, stage } from './stage.ts'

export interface LoadResult {
  records: number
  added: number
  changed: number
  back: number
  gone: number
  refused: number
  notes: Notes
}

/** A record as it was known before the edition. */
interface Known {
  digest: string
  edition: string
  to: string
  isGone: boolean
}

/** A record as the edition has it. */
interface Seen {
  digest: string
  version: string
  /** Number within the edition, 0 where lines of many members make a record. */
  record: number
}

/** One load of a series at a time. */
const SERIES_LOCK = 4_713_010

/** More gone at once than this share is not believed: a feed cut in half at its publisher is well-formed too. */
const GONE_SHARE_MAX = 0.25
const GONE_MIN = 100

/**
 * Loads an edition: rows of new and changed records replaced, records that a snapshot lacks marked gone, those that a
 * period no longer has removed, the log of changes written, rollups refreshed.
 *
 * @param acceptGone takes even an edition for true that lacks a quarter of what was known
 * @throws Error naming the file and place; then nothing of the edition is stored
 */
export async function loadEdition(
  tx: Transaction,
  dataset: BulkDataset,
  edition: Edition,
  files: readonly BulkFile[],
  { acceptGone = false }: { acceptGone?: boolean } = {},
): Promise<LoadResult> {
  const series = dataset.source.series[edition.series]!
  await tx`select pg_advisory_xact_lock(${SERIES_LOCK}, hashtext(${edition.series}))`
  const known = await knownRecords(tx, edition.series)
  const isFirst = known.size === 0
  const staged = await stage(tx, dataset, dataset.slug, series)
  const remembered = collecting(series, staged.add)
  const found = notes()
  const seen = await readInto(remembered.add, series, read(series, files, found), (key, digest) => {
    const before = known.get(key)
    return before !== undefined && !before.isGone && before.digest === digest
  })
  const refused = new Set(found.refusals.map(({ key }) => key))
  if (seen.size === 0) throw new Error(`${edition.name} has no record that can be read`)

  const touched = new Map<string, { what: 'new' | 'changed' | 'back'; seen: Seen }>()
  const held: string[] = []
  for (const [key, now] of seen) {
    const before = known.get(key)
    if (!before) touched.set(key, { what: 'new', seen: now })
    else if (before.to > edition.to && series.kind === 'period') continue
    else if (before.isGone) touched.set(key, { what: 'back', seen: now })
    else if (before.digest !== now.digest) touched.set(key, { what: 'changed', seen: now })
    else if (before.edition !== edition.name && series.kind === 'period') held.push(key)
  }
  const missing = [...known].flatMap(([key, before]) => {
    const covered = series.kind === 'snapshot' ? !before.isGone : before.edition === edition.name
    return covered && !seen.has(key) && !refused.has(key) ? [key] : []
  })
  // Records that could not even be told apart may be any of the missing ones.
  const gone = found.keyless > 0 || found.refused > found.refusals.length ? [] : missing
  const present = [...known.values()].filter(({ isGone }) => !isGone).length
  if (!acceptGone && series.kind === 'snapshot' && gone.length > Math.max(GONE_MIN, present * GONE_SHARE_MAX)) {
    throw new Error(
      `${edition.name} lacks ${gone.length} of ${present} known records: not believed without --accept-gone`,
    )
  }
  // A filing may stand in two months: the newer one holds it, so that the older may be restated without it.
  if (held.length > 0) {
    await tx`
      update bulk.record set edition = ${edition.name} where series = ${edition.series} and key = any(${held}::text[])`
  }
  const keys = [...touched.keys(), ...gone]
  // A new day without changes still moves what counts by days: months of headcounts, what is kept for ten years.
  if (keys.length > 0 || (series.kind === 'snapshot' && !(await isLoaded(tx, edition)))) {
    const removed = series.kind === 'period' ? gone : []
    await staged.move(new Map([...touched].map(([key, { seen }]) => [key, seen.record])), removed)
    await record(tx, edition, touched, gone, series.kind === 'period', isFirst)
    const said = [...touched].flatMap(([key, { seen }]) => pairOf(key, remembered.values.get(seen.record)))
    await remember(tx, { name: edition.series, series, day: edition.to }, said)
    await dataChanged(tx)
    await dataset.refresh?.(tx, { series: edition.series, edition, keys })
  }
  const count = (what: string) => [...touched.values()].filter((t) => t.what === what).length
  return {
    records: seen.size,
    added: count('new'),
    changed: count('changed'),
    back: count('back'),
    gone: gone.length,
    refused: found.refused,
    notes: found,
  }
}

async function isLoaded(tx: Transaction, { series, name }: Edition): Promise<boolean> {
  const rows = await tx`select from bulk.edition where series = ${series} and name = ${name} and state = 'done'`
  return rows.length > 0
}

/**
 * Stages fragments and adds up what each record is.
 *
 * @param isKnown whether a record is stored as it stands: then its rows need no staging. Only asked where one fragment is
 *   a whole record
 */
export async function readInto(
  add: (record: number, rows: Fragment['rows']) => Promise<void>,
  series: Series,
  fragments: AsyncIterable<Fragment>,
  isKnown: (key: string, digest: string) => boolean,
): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>()
  let number = 0
  for await (const { key, version, rows } of fragments) {
    const before = seen.get(key)
    const content = JSON.stringify(rows)
    if (series.format === 'csv') {
      // A line without rows says nothing of its record.
      if (rows.length === 0) continue
      seen.set(key, { digest: digestOf((before?.digest ?? '') + content), version, record: 0 })
      await add(0, rows)
      continue
    }
    number++
    if (before && before.version >= version) continue
    const digest = digestOf(content)
    seen.set(key, { digest, version, record: number })
    if (!isKnown(key, digest)) await add(number, rows)
  }
  return seen
}

/** 90 bits: among a million records no two different ones are ever likely to share it. */
const digestOf = (content: string) => hash('sha1', content, 'base64url').slice(0, 15)

async function knownRecords(tx: Transaction, series: string): Promise<Map<string, Known>> {
  const known = new Map<string, Known>()
  const rows = tx<(Known & { key: string })[]>`
    select r.key, r.digest, r.edition, e.to_day as to, r.gone_day is not null as "isGone"
    from bulk.record r join bulk.edition e on e.series = r.series and e.name = r.edition
    where r.series = ${series}`.cursor(10_000)
  for await (const batch of rows) for (const { key, ...row } of batch) known.set(key, row)
  return known
}

/** Writes what became of the records; of a period the missing ones are forgotten, as a correction. */
async function record(
  tx: Transaction,
  { series, name, to }: Edition,
  touched: ReadonlyMap<string, { what: string; seen: Seen }>,
  gone: readonly string[],
  forget: boolean,
  isFirst: boolean,
): Promise<void> {
  await tx`drop table if exists pg_temp.touched`
  await tx`
    create temporary table touched (
      key text collate "C" primary key, what text collate "C", digest text collate "C") on commit drop`
  function* rows() {
    yield [...touched].map(([key, { what, seen }]) => [key, what, seen.digest])
    yield gone.map((key) => [key, 'gone', null])
  }
  await copy(tx, 'touched', ['key', 'what', 'digest'], rows())
  // Without these the planner takes half a million new rows for one, and looks through all of them for each.
  await tx`analyze touched`
  await tx`
    insert into bulk.record (series, key, digest, edition, first_day, changed_day)
    select ${series}, key, digest, ${name}, ${to}, ${to} from touched where what <> 'gone'
    on conflict (series, key) do update
    set digest = excluded.digest, edition = excluded.edition, changed_day = excluded.changed_day, gone_day = null`
  if (touched.size > ANALYZE_MIN) await tx`analyze bulk.record`
  if (gone.length > 0 && forget) {
    await tx`delete from bulk.record r using touched t where t.what = 'gone' and r.series = ${series} and r.key = t.key`
  } else if (gone.length > 0) {
    await tx`
      update bulk.record r set gone_day = ${to} from touched t
      where t.what = 'gone' and r.series = ${series} and r.key = t.key`
  }
  if (isFirst) return
  await tx`
    insert into bulk.change (series, key, day, what) select ${series}, key, ${to}, what from touched
    on conflict do nothing`
}
