/**
 * Records that a rebuild lost: an edition holds them, but the current parser cannot read them, or the database refuses
 * their rows. The edition reports them among its refused records until a rebuild or a load stores them.
 */
import type { BulkDataset } from '../../declare/dataset.ts'
import type { Series } from '../../declare/series.ts'
import type { Transaction } from '../../store/db.ts'
import { areTooLong, type RefusedIndex } from '../rebuild/shadow.ts'
import { FAILED } from './read-pdf.ts'
import { newestOf } from './release.ts'
import { scoped } from './stage.ts'

export interface Lost {
  key: string
  reason: string
}

interface EditionId {
  series: string
  name: string
}

/** Maximum number of refusals that are kept for an edition: those of its loads and of rebuilds together. */
const KEPT_MAX = 1_000

/** Deletes what an earlier rebuild recorded about lost records of the edition. */
export async function forgetLost(tx: Transaction, { series, name }: EditionId): Promise<void> {
  await tx`
    update bulk.edition e set
      refused = greatest(0, refused - (
        select sum((each ->> 'lost')::int) from jsonb_array_elements(refusals) each where each ? 'lost')::int),
      refusals = jsonb_path_query_array(refusals, '$[*] ? (!exists(@.lost))')
    where series = ${series} and name = ${name} and refusals @? '$[*].lost'`
}

/**
 * Records lost records as refused. Their digests are marked, so the next load that has these records does not take them
 * for unchanged.
 */
export async function noteLost(tx: Transaction, { series, name }: EditionId, lost: readonly Lost[]): Promise<void> {
  if (lost.length === 0) return
  const keys = lost.map(({ key }) => key)
  await tx`
    update bulk.record set digest = rtrim(digest, ${FAILED}) || ${FAILED} where series = ${series} and key = any(${keys})`
  const kept = lost.slice(0, KEPT_MAX)
  // The numbers in `lost` add up to the number of lost records, although not every record has an entry.
  const refusals = kept.map(({ key, reason }, at) => ({
    place: `record ${key}`,
    key,
    reason,
    lost: at === kept.length - 1 ? lost.length - at : 1,
  }))
  await tx`
    update bulk.edition set refused = refused + ${lost.length},
      refusals = jsonb_path_query_array(${tx.json(refusals as never)}::jsonb || refusals, ${`$[0 to ${KEPT_MAX - 1}]`})
    where series = ${series} and name = ${name}`
}

/**
 * Removes from the shadow the records that have a text that is too long for this index.
 *
 * @returns the removed records, each with the name of its edition
 */
export async function removeTooLong(
  tx: Transaction,
  { source, tables }: BulkDataset,
  shadow: string,
  index: RefusedIndex,
): Promise<(Lost & { edition: string })[]> {
  const reason = `${index.why} (index of ${index.table.name})`
  const all: (Lost & { edition: string })[] = []
  for (const [name, series] of Object.entries(source.series)) {
    if (!series.tables.some((key) => tables[key]!.id === index.table.id)) continue
    const { id } = index.table
    const { record } = Object.values(tables).find((table) => table.id === id)!
    const rows = await tx<{ key: string }[]>`
      select distinct t.${tx(record)} as key from ${tx(shadow)}.${tx(index.table.name)} t
      where ${areTooLong(tx, index)} ${scoped(tx, series.scope ?? {})}`
    const keys = rows.map(({ key }) => key)
    if (keys.length === 0) continue
    await removeRows(tx, series, { tables, shadow, keys })
    const newest = await newestOf(tx, name)
    const held = await tx<{ key: string; edition: string }[]>`
      select r.key, case when e.released then ${newest} else r.edition end as edition
      from bulk.record r join bulk.edition e on e.series = r.series and e.name = r.edition
      where r.series = ${name} and r.key = any(${keys}) order by r.key`
    for (const [edition, some] of Map.groupBy(held, (row) => row.edition)) {
      const lost = some.map(({ key }) => ({ key, reason, edition }))
      await noteLost(tx, { series: name, name: edition }, lost)
      all.push(...lost)
    }
  }
  return all
}

async function removeRows(
  tx: Transaction,
  series: Series,
  { tables, shadow, keys }: { tables: BulkDataset['tables']; shadow: string; keys: readonly string[] },
): Promise<void> {
  for (const key of series.tables) {
    const { name, record } = tables[key]!
    await tx`
      delete from ${tx(shadow)}.${tx(name)} t
      where t.${tx(record)} = any(${keys as string[]}) ${scoped(tx, series.scope ?? {})}`
  }
}
