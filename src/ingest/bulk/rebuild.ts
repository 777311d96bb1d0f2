/** Rebuilds a bulk dataset from the archive: reads the editions in which its records stand again, into a shadow schema. */

import type { Store } from '../../archive/store.ts'
import { BULK } from '../../declare/catalog.ts'
import type { BulkDataset, Slice } from '../../declare/dataset.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { append } from '../../store/events.ts'
import { dataChanged } from '../../store/meta.ts'
import { createIndexes, createTables, createViews, definitionOf, recordDefinition } from '../../store/schema.ts'
import { makeAll } from '../refresh.ts'
import { editionsOf, type StoredEdition } from './edition.ts'
import { correct, lacksHistory, remember } from './history.ts'
import { readInto } from './load.ts'
import { notes, read } from './read.ts'
import { stage } from './stage.ts'

interface BulkRebuildResult {
  editions: number
  records: number
  /** Records that the current parsers cannot read, or that their edition no longer holds. Their rows are lost. */
  lost: number
}

/** The whole rebuild is one transaction. Loads of the dataset wait for it; requests go on reading the old tables. */
export async function rebuildBulk(
  {
    sql,
    slices,
    store,
    onProgress,
    signal,
  }: {
    sql: Sql
    slices: readonly Slice[]
    store: Store
    onProgress?: (editions: number, total: number) => void
    signal?: AbortSignal | undefined
  },
  dataset: BulkDataset,
): Promise<BulkRebuildResult> {
  const shadow = `${dataset.slug}_next`
  const definition = await definitionOf(dataset)
  const editions = await editionsOf(sql, Object.keys(dataset.source.series))
  return sql.begin(async (tx) => {
    // Every load holds this row in share mode, so none runs from here on.
    await tx`select from core.dataset where slug = ${dataset.slug} for update`
    await tx`drop schema if exists ${tx(shadow)} cascade`
    await createTables(tx, dataset, shadow)
    const result = { editions: 0, records: 0, lost: 0 }
    const replayed = await withoutHistory(tx, dataset)
    for (const [done, edition] of editions.entries()) {
      signal?.throwIfAborted()
      onProgress?.(done, editions.length)
      const isReplayed = replayed.has(edition.series) && edition.records > 0
      const { records, lost } = await fill(tx, store, dataset, shadow, edition, isReplayed)
      if (records + lost === 0) continue
      result.editions++
      result.records += records
      result.lost += lost
    }
    await createIndexes(tx, dataset, shadow)
    await tx`drop schema if exists ${tx(dataset.slug)} cascade`
    await tx`alter schema ${tx(shadow)} rename to ${tx(dataset.slug)}`
    await createViews(tx, dataset)
    await recordDefinition(tx, dataset, definition)
    await makeAll(tx, slices, dataset)
    await append(tx, [{ slug: dataset.slug, what: 'corrected', keys: null }])
    await dataChanged(tx, [dataset.slug, BULK])
    return result
  })
}

/** Series whose history is made again of all their editions, because nothing of it was kept before. */
async function withoutHistory(tx: Transaction, { source }: BulkDataset): Promise<Set<string>> {
  const lacking = new Set<string>()
  for (const [name, series] of Object.entries(source.series)) {
    if (await lacksHistory(tx, name, series)) lacking.add(name)
  }
  return lacking
}

/**
 * Makes the rows of the records that stand in this edition, and their digests, which change with the parsers.
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
): Promise<{ records: number; lost: number }> {
  const [standing] = await tx<{ n: number }[]>`
    select count(*)::int as n from bulk.record where series = ${edition.series} and edition = ${edition.name}`
  if (standing!.n === 0 && !isReplayed) return { records: 0, lost: 0 }
  const series = dataset.source.series[edition.series]!
  const found = notes()
  const staged = await stage(tx, dataset, shadow, series, found)
  const files = edition.files.map(({ name, sha256 }) => ({ name, bytes: () => store.read(sha256) }))
  // Gives no digests, so that every record is read anew.
  await readInto(staged, series, read(series, files, found), async () => new Map())
  await tx`drop table if exists pg_temp.bulk_touched`
  await tx`
    create temporary table bulk_touched on commit drop as
    select row_number() over (order by s.key)::int as n, s.key, s.record, s.digest
    from bulk_standing s
    join bulk.record r on r.series = ${edition.series} and r.key = s.key and r.edition = ${edition.name}`
  const [touched] = await tx<{ n: number }[]>`select count(*)::int as n from bulk_touched`
  await staged.move(touched!.n)
  const said = { series: edition.series, day: edition.to_day }
  if (isReplayed) await remember(tx, dataset, { ...said, records: 'bulk_standing' })
  else await correct(tx, dataset, { ...said, records: 'bulk_touched' })
  const { count } = await tx`
    update bulk.record r set digest = b.digest from bulk_touched b where r.series = ${edition.series} and r.key = b.key`
  return { records: count, lost: standing!.n - count }
}
