/**
 * Loads one edition into its dataset, in one transaction. Compares a digest of each record with the stored digest. So
 * an edition without changes is parsed, but none of its rows are written.
 */
import { hash } from 'node:crypto'
import type { BulkDataset, Slice } from '../../declare/dataset.ts'
import type { Edition, Series } from '../../declare/series.ts'
import type { Transaction } from '../../store/db.ts'
import type { LoggedChange } from '../../store/events.ts'
import { mark, type Touched, touch } from '../marks.ts'
import { type Notes, notes } from '../notes.ts'
import { type LoadResult, partsOfNewest } from './edition.ts'
import { lacksHistory, remember } from './history.ts'
import { type BulkFile, type Fragment, read } from './read.ts'
import { releaseOlder } from './release.ts'
import { ANALYZE_MIN, type Piece, type Stage, stage } from './stage.ts'

/** Allows one load of a series at a time. */
export const SERIES_LOCK = 4_713_010

/**
 * Highest share of records that may be gone at once; an edition that lacks more is refused. A feed that its publisher
 * cut in half can still be well-formed, so only the number of records shows the cut.
 */
const GONE_SHARE_MAX = 0.25
const GONE_MIN = 100

/**
 * Loads an edition. Replaces the rows of new and changed records, and marks as gone the records that a snapshot lacks.
 * If the edition is a period, removes the records that its last version had and its new version lacks. Marks the
 * rollups that are affected.
 *
 * @param slices all slices that may follow the dataset
 * @param acceptGone also accepts an edition that lacks more than a quarter of the known records, or has fewer parts
 *   than usual
 * @throws Error that names the file and place; nothing of the edition is then stored
 */
export async function loadEdition(
  tx: Transaction,
  dataset: BulkDataset,
  edition: Edition,
  files: readonly BulkFile[],
  options: { slices: readonly Slice[]; acceptGone?: boolean; originals?: boolean; signal?: AbortSignal | undefined },
): Promise<LoadResult> {
  const { slices, acceptGone = false, originals = false, signal } = options
  const series = dataset.source.series[edition.series]!
  const isPeriod = series.kind === 'period'
  await tx`select pg_advisory_xact_lock(${SERIES_LOCK}, hashtext(${edition.series}))`
  const [known] = await tx<{ some: boolean }[]>`
    select exists (select from bulk.record where series = ${edition.series}) as some`
  const found = notes()
  const staged = await stage(tx, dataset, { schema: dataset.slug, series, found })
  const usual = series.format === 'xml' ? series.members : undefined
  const least = usual === undefined || acceptGone ? 0 : Math.max(usual, (await partsOfNewest(tx, edition.series)) ?? 0)
  const fragments = read(series, files, found, signal, { least })
  const records = await readInto(staged, series, fragments, (keys) => digestsOf(tx, edition.series, keys))
  if (records === 0) throw new Error(`${edition.name} has no record that can be read`)

  const touched = await compare(tx, edition, isPeriod)
  const gone = await findGone(tx, edition, series.kind, found)
  const [present] = await tx<{ n: number }[]>`
    select count(*)::int as n from bulk.record where series = ${edition.series} and gone_day is null`
  if (!acceptGone && !isPeriod && gone > Math.max(GONE_MIN, present!.n * GONE_SHARE_MAX)) {
    throw new Error(`${edition.name} lacks ${gone} of ${present!.n} known records: check it, then use --accept-gone`)
  }
  if (isPeriod) await hold(tx, edition)
  // A new day without changes still affects rollups by day: headcounts by month, and data that is kept for ten years.
  const isNews = touched + gone > 0 || (!isPeriod && !(await isLoaded(tx, edition)))
  if (isNews) {
    const marks: Touched = new Map()
    const records = { series: edition.series, keys: await changedKeys(tx), day: edition.to }
    await touch(tx, marks, slices, dataset, records, 'before_load')
    await staged.move(touched)
    if (isPeriod) await staged.remove()
    await record(tx, edition, isPeriod)
    await remember(tx, dataset, { series: edition.series, day: edition.to, records: 'bulk_touched' })
    await touch(tx, marks, slices, dataset, records, 'after_load')
    await mark(tx, marks)
  }
  const lets = series.kind === 'snapshot' && !originals && !(await lacksHistory(tx, edition.series, series))
  const released = lets ? await releaseOlder(tx, edition) : []
  const counts = await tx<{ what: string; n: number }[]>`
    select what, count(*)::int as n from bulk_touched group by what`
  const count = (what: string) => counts.find((row) => row.what === what)?.n ?? 0
  return {
    isNews,
    records,
    added: count('new'),
    changed: count('changed'),
    back: count('back'),
    gone,
    refused: found.refused,
    notes: found,
    released,
    logged: isNews ? await changesOf(tx, dataset, edition.series, !known!.some) : [],
  }
}

/**
 * Compares bulk_standing with the known records, and fills bulk_touched with the records to write.
 *
 * @returns the number of records to write
 */
async function compare(tx: Transaction, { series, to }: Edition, isPeriod: boolean): Promise<number> {
  await tx`drop table if exists pg_temp.bulk_touched`
  // If two periods have the same record, the newer period holds it.
  await tx`
    create temporary table bulk_touched on commit drop as
    select row_number() over (order by s.key)::int as n, s.key, s.record, s.digest,
      case when r.key is null then 'new' when r.gone_day is not null then 'back' else 'changed' end as what
    from bulk_standing s
    left join bulk.record r on r.series = ${series} and r.key = s.key
    left join bulk.edition e on e.series = r.series and e.name = r.edition
    where r.key is null
       or not (${isPeriod} and e.to_day > ${to}) and (r.gone_day is not null or r.digest <> s.digest)`
  const [count] = await tx<{ n: number }[]>`select count(*)::int as n from bulk_touched`
  return count!.n
}

/**
 * Fills bulk_gone with the known records that the edition should have and lacks.
 *
 * @returns the number of these records
 */
async function findGone(
  tx: Transaction,
  { series, name }: Edition,
  kind: Series['kind'],
  found: Notes,
): Promise<number> {
  const refused = found.refusals.flatMap(({ key }) => key ?? [])
  // A record whose key could not be read may be any of the missing records. If there is such a record, no record counts
  // as gone.
  const isComplete = found.keyless === 0 && found.refused === found.refusals.length
  await tx`drop table if exists pg_temp.bulk_gone`
  await tx`
    create temporary table bulk_gone on commit drop as
    select r.key from bulk.record r
    where r.series = ${series} and ${isComplete}
      and ${kind === 'snapshot' ? tx`r.gone_day is null` : tx`r.edition = ${name}`}
      and not exists (select from bulk_standing s where s.key = r.key) and r.key <> all(${refused}::text[])`
  const [count] = await tx<{ n: number }[]>`select count(*)::int as n from bulk_gone`
  return count!.n
}

/**
 * If a filing is in the files of two months, assigns it to the newer month. The older month may then be published again
 * without the filing.
 */
async function hold(tx: Transaction, { series, name, to }: Edition): Promise<void> {
  await tx`
    update bulk.record r set edition = ${name} from bulk_standing s, bulk.edition e
    where r.series = ${series} and r.key = s.key and r.digest = s.digest and r.gone_day is null and r.edition <> ${name}
      and e.series = r.series and e.name = r.edition and e.to_day <= ${to}`
}

async function isLoaded(tx: Transaction, { series, name }: Edition): Promise<boolean> {
  const rows = await tx`select from bulk.edition where series = ${series} and name = ${name} and state = 'done'`
  return rows.length > 0
}

async function changedKeys(tx: Transaction): Promise<string[]> {
  const rows = await tx<{ key: string }[]>`select key from bulk_touched union all select key from bulk_gone`
  return rows.map(({ key }) => key)
}

/** Returns the stored digests of the given records. Records that are not stored or are gone have no digest. */
async function digestsOf(tx: Transaction, series: string, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx<{ key: string; digest: string }[]>`
    select key, digest from bulk.record where series = ${series} and key = any(${keys as string[]}) and gone_day is null`
  return new Map(rows.map(({ key, digest }) => [key, digest]))
}

/** Number of records that are compared with stored records at a time. */
const CHUNK = 500
const CHUNK_SIZE = 1024 * 1024

/**
 * Maximum number of records that are made of lines of many members. Each record is tracked here until the last line is
 * read, and takes about 100 bytes.
 */
const LINED_RECORDS_MAX = 2_000_000

/**
 * Stages the fragments. At the end, the temporary table bulk_standing has one row for each record.
 *
 * @param known returns the stored digests of records. If the stored digest of a record is the same, its rows need no
 *   staging. `known` is called only if each fragment is a whole record
 * @returns the number of records
 */
export async function readInto(
  staged: Stage,
  series: Series,
  fragments: AsyncIterable<Fragment>,
  known: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<number> {
  const lined = new Map<string, string>()
  let chunk: (Piece & { digest: string })[] = []
  let size = 0
  let record = 0
  async function settle(): Promise<void> {
    const stored = await known(chunk.map(({ key }) => key))
    for (const piece of chunk) {
      const isKnown = stored.get(piece.key) === piece.digest
      await staged.add(isKnown ? { ...piece, rows: [], size: 0 } : piece)
    }
    chunk = []
    size = 0
  }
  for await (const { key, version, rows, place, bytes } of fragments) {
    const content = bytes ? '' : JSON.stringify(rows)
    if (series.format === 'csv') {
      // A line without rows adds nothing to its record.
      if (rows.length === 0) continue
      lined.set(key, digestOf((lined.get(key) ?? '') + content))
      if (lined.size > LINED_RECORDS_MAX) throw new Error(`more than ${LINED_RECORDS_MAX} records`)
      await staged.add({ key, version, digest: null, record: 0, rows, place, size: content.length })
      continue
    }
    const { digest, length } = bytes ?? { digest: digestOf(content), length: content.length }
    chunk.push({ key, version, digest, record: ++record, rows, place, size: length })
    size += length
    if (chunk.length >= CHUNK || size >= CHUNK_SIZE) await settle()
  }
  if (chunk.length > 0) await settle()
  return staged.stand(lined)
}

/** A digest of 90 bits: even among a million records, two different records practically never have the same digest. */
const digestOf = (content: string) => hash('sha1', content, 'base64url').slice(0, 15)

/**
 * Updates bulk.record. If the edition is a period, deletes the records that it no longer has: the publisher corrected
 * the period.
 */
async function record(tx: Transaction, { series, name, to }: Edition, isPeriod: boolean): Promise<void> {
  const { count } = await tx`
    insert into bulk.record (series, key, digest, edition, first_day, changed_day)
    select ${series}, key, digest, ${name}, ${to}, ${to} from bulk_touched
    on conflict (series, key) do update
    set digest = excluded.digest, edition = excluded.edition, changed_day = excluded.changed_day, gone_day = null`
  if (count > ANALYZE_MIN) await tx`analyze bulk.record`
  if (isPeriod) await tx`delete from bulk.record r using bulk_gone g where r.series = ${series} and r.key = g.key`
  else await tx`update bulk.record r set gone_day = ${to} from bulk_gone g where r.series = ${series} and r.key = g.key`
}

/** Returns the changes for the log of events. For the first load of a series, the changes do not name the records. */
async function changesOf(
  tx: Transaction,
  { slug }: BulkDataset,
  series: string,
  isFirst: boolean,
): Promise<LoggedChange[]> {
  if (isFirst) return [{ slug, what: 'added', keys: null }]
  const rows = await tx<{ key: string; what: LoggedChange['what'] }[]>`
    select ${series} || '/' || key as key, what
    from (
      select key, case what when 'changed' then 'corrected' else 'added' end as what from bulk_touched
      union all select key, 'removed' from bulk_gone
    ) c
    order by key`
  const kinds = Map.groupBy(rows, ({ what }) => what)
  return [...kinds].map(([what, some]) => ({ slug, what, keys: some.map(({ key }) => key) }))
}
