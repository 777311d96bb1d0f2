/**
 * Rebuilds a bulk dataset from the archive: reads into a shadow schema the editions that hold the dataset's records.
 */

import type { Store } from '../../archive/store.ts'
import type { BulkDataset } from '../../declare/dataset.ts'
import type { Transaction } from '../../store/db.ts'
import { notes } from '../notes.ts'
import { type Rebuilding, rebuildInShadow } from '../rebuild/rebuilding.ts'
import { filledThrough, shadowOf } from '../rebuild/shadow.ts'
import { editionsOf, type StoredEdition } from './edition.ts'
import { correct, lacksHistory, remember } from './history.ts'
import { readInto } from './load.ts'
import { forgetLost, type Lost, noteLost, removeTooLong } from './lost.ts'
import { read } from './read.ts'
import { newestOf } from './release.ts'
import { stage } from './stage.ts'

interface BulkRebuildResult {
  editions: number
  records: number
  /**
   * Records that are lost: the current parsers cannot read them, the database refuses them, or their edition no longer
   * contains them. The tables have no rows of these records.
   */
  lost: number
}

/**
 * Rebuilds the dataset. Loads of the dataset wait for the rebuild; requests read the old tables meanwhile. Each edition
 * is committed in a transaction of its own.
 */
export async function rebuildBulk(
  {
    store,
    onProgress,
    onLost,
    ...parts
  }: Rebuilding & {
    store: Store
    onProgress?: (editions: number, total: number) => void
    /** Called for each lost record, with the name of its edition. */
    onLost?: (edition: string, lost: Lost) => void
  },
  dataset: BulkDataset,
): Promise<BulkRebuildResult> {
  const { sql, signal } = parts
  const result = { editions: 0, records: 0, lost: 0 }
  await rebuildInShadow(parts, dataset, {
    stateOf: async (tx) => ({ replayed: await withoutHistory(tx, dataset) }),
    async fill({ schema, through, state }) {
      const editions = (await editionsOf(sql, Object.keys(dataset.source.series))).filter(({ released }) => !released)
      for (const [done, edition] of editions.entries()) {
        signal?.throwIfAborted()
        onProgress?.(done, editions.length)
        const place = `${edition.to_day} ${edition.series} ${edition.name}`
        if (place <= through) continue
        const isReplayed = (state.replayed as string[]).includes(edition.series) && edition.records > 0
        const { records, lost } = await sql.begin(async (tx) => {
          const filled = await fill(tx, store, dataset, schema, edition, isReplayed)
          await filledThrough(tx, dataset, place)
          return filled
        })
        for (const each of lost) onLost?.(edition.name, each)
        if (records + lost.length === 0) continue
        result.editions++
        result.records += records
        result.lost += lost.length
      }
    },
    async refuse(tx, index) {
      const lost = await removeTooLong(tx, dataset, shadowOf(dataset), index)
      for (const { edition, ...each } of lost) onLost?.(edition, each)
      result.records -= lost.length
      result.lost += lost.length
      return lost.length
    },
  })
  return result
}

/** Returns the series whose history must be made from all their editions, because no history was recorded so far. */
async function withoutHistory(tx: Transaction, { source }: BulkDataset): Promise<string[]> {
  const lacking: string[] = []
  for (const [name, series] of Object.entries(source.series)) {
    if (await lacksHistory(tx, name, series)) lacking.push(name)
  }
  return lacking
}

/**
 * Returns a function that tests whether the edition holds a record. With this test, a rebuild parses only the records
 * that the edition holds, and not all 900,000 members of a zip.
 */
async function standingIn(tx: Transaction, { series, name }: StoredEdition): Promise<(key: string) => boolean> {
  const rows = await tx<{ key: string }[]>`select key from bulk.record where series = ${series} and edition = ${name}`
  const keys = new Set(rows.map(({ key }) => key))
  return (key) => keys.has(key)
}

/**
 * Makes the rows of the records that this edition holds, and their digests, which change with the parsers.
 *
 * @param isReplayed whether the edition's other records are entered into the history too
 */
async function fill(
  tx: Transaction,
  store: Store,
  dataset: BulkDataset,
  shadow: string,
  edition: StoredEdition,
  isReplayed: boolean,
): Promise<{ records: number; lost: readonly Lost[] }> {
  await forgetLost(tx, edition)
  // The newest edition contains the records of the released editions.
  const isNewest = (await newestOf(tx, edition.series)) === edition.name
  const isOfIt = tx`r.series = ${edition.series} and (r.edition = ${edition.name} or ${isNewest} and exists (
    select from bulk.edition e where e.series = r.series and e.name = r.edition and e.released))`
  const [standing] = await tx<{ n: number }[]>`select count(*)::int as n from bulk.record r where ${isOfIt}`
  if (standing!.n === 0 && !isReplayed) return { records: 0, lost: [] }
  const series = dataset.source.series[edition.series]!
  const found = notes()
  const staged = await stage(tx, dataset, { schema: shadow, series, found })
  const files = (edition.rest ?? edition.files).map(({ name, sha256 }) => ({ name, bytes: () => store.read(sha256) }))
  // No stored digests are passed, so every record is staged again.
  const update = series.kind === 'update' ? { isWanted: await standingIn(tx, edition), archive: store } : undefined
  await readInto(staged, series, read(series, files, found, undefined, update), async () => new Map())
  await tx`drop table if exists pg_temp.bulk_touched`
  await tx`
    create temporary table bulk_touched on commit drop as
    select row_number() over (order by s.key)::int as n, s.key, s.record, s.digest
    from bulk_standing s join bulk.record r on r.key = s.key and ${isOfIt}`
  const [touched] = await tx<{ n: number }[]>`select count(*)::int as n from bulk_touched`
  await staged.move(touched!.n)
  const stagedOf = { series: edition.series, day: edition.to_day }
  if (isReplayed) await remember(tx, dataset, { ...stagedOf, records: 'bulk_standing' })
  else await correct(tx, dataset, { ...stagedOf, records: 'bulk_touched' })
  const { count } = await tx`
    update bulk.record r set digest = b.digest from bulk_touched b where r.series = ${edition.series} and r.key = b.key`
  const missing = await tx<{ key: string }[]>`
    select r.key from bulk.record r where ${isOfIt} and not exists (select from bulk_touched b where b.key = r.key)
    order by r.key`
  const reasons = new Map(found.refusals.map(({ key, reason }) => [key, reason]))
  const lost = missing.map(({ key }) => ({ key, reason: reasons.get(key) ?? UNKNOWN }))
  await noteLost(tx, edition, lost)
  return { records: count, lost }
}

/**
 * The reason that is recorded for a lost record if the edition no longer contains the record, or if the record is not
 * among the first refusals.
 */
const UNKNOWN = 'the rebuild found no readable record with this key'
