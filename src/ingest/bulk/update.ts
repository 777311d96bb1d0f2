/**
 * Loads an edition of kind `update`, which replaces the records that it contains. Such an edition is a zip with up to a
 * million files of companies, the file of one company, a zip of brochures, or one brochure. Each batch of records is a
 * transaction, so a load that was killed can continue: stored records are recognised by their digest and not parsed
 * again.
 */
import { SPINE } from '../../declare/catalog.ts'
import type { BulkDataset, Slice } from '../../declare/dataset.ts'
import type { Edition, UpdateSeries } from '../../declare/series.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import type { LoggedChange } from '../../store/events.ts'
import { mark, type Touched, touch } from '../marks.ts'
import { type Notes, notes, refuse } from '../notes.ts'
import { fillFrom } from '../spine-hints.ts'
import type { LoadResult } from './edition.ts'
import { SERIES_LOCK } from './load.ts'
import { type BulkFile, endOf, type Fragment } from './read.ts'
import { type Member, membersOf, parsed } from './read-json.ts'
import { converted, type PdfMember, pdfsOf, type Reading, withoutMark } from './read-pdf.ts'
import { stage, stagedName } from './stage.ts'

export interface UpdateOptions {
  slices: readonly Slice[]
  /** Reads every record again, even if its digest is stored. */
  again: boolean
  /** The archive in which PDFs are stored, and the current time. */
  reading: Reading
  signal?: AbortSignal | undefined
  /** Runs the batch in a transaction, and logs its changes in the same transaction. */
  store: (batch: (tx: Transaction) => Promise<BatchResult>) => Promise<BatchResult>
}

export interface BatchResult {
  isNews: boolean
  added: number
  changed: number
  /** The slug of the spine, if the load changed the spine too. */
  also?: readonly string[]
  unlisted: number
  logged: LoggedChange[]
}

/**
 * Maximum number of files in one transaction, and maximum number of their bytes. A PDF takes a second, and a process
 * that is killed loses the results that are not stored.
 */
const BATCH_RECORDS = { json: 2_000, pdf: 20 }
const BATCH_SIZE = 16 * 1024 ** 2
/** Number of PDFs that are read at the same time, each in a separate process. */
const READERS = 2

/**
 * Loads an update, batch by batch. Long: reading and storing take turns, and share the records that wait.
 *
 * @throws Error for a file that cannot be read, or in which no record can be read; the signal's reason. Batches that
 *   were stored before stay
 */
export async function loadUpdate(
  sql: Sql,
  dataset: BulkDataset,
  edition: Edition,
  files: readonly BulkFile[],
  { slices, again, reading, signal, store }: UpdateOptions,
): Promise<LoadResult> {
  const series = dataset.source.series[edition.series] as UpdateSeries
  const found = notes()
  const result = {
    isNews: false,
    records: 0,
    added: 0,
    changed: 0,
    back: 0,
    gone: 0,
    unlisted: 0,
    logged: [] as LoggedChange[],
  }
  const [loaded] = await sql<{ some: boolean }[]>`
    select exists (select from bulk.edition where series = ${edition.series} and state = 'done') as some`
  const isFirst = !loaded!.some
  let batch: AnyMember[] = []
  let size = 0
  /**
   * How many of the members that `result.records` counts were refused. A member that cannot be unpacked is refused too,
   * but neither `refused` nor `result.records` counts it.
   */
  let refused = 0
  async function settle(): Promise<void> {
    const members = batch
    const before = found.refused
    batch = []
    size = 0
    const read = readerOf(series, found, reading)
    if (series.format === 'pdf') await readAhead(sql, edition, members, { again, read, signal })
    const { isNews, added, changed, unlisted } = await store((tx) =>
      loadBatch(tx, dataset, edition, members, { slices, again, isFirst, read, found }),
    )
    result.isNews ||= isNews
    result.added += added
    result.changed += changed
    result.unlisted += unlisted
    refused += found.refused - before
  }
  for (const file of files) {
    try {
      for await (const member of series.format === 'pdf'
        ? pdfsOf(series, file, found)
        : membersOf(series, file, found)) {
        signal?.throwIfAborted()
        result.records++
        batch.push(member)
        size += member.bytes.length
        if (batch.length >= BATCH_RECORDS[series.format] || size >= BATCH_SIZE) await settle()
      }
    } catch (cause) {
      throw endOf(signal, file, cause)
    }
  }
  if (batch.length > 0) await settle()
  const first = found.refusals[0] && `${found.refusals[0].place}: ${found.refusals[0].reason}`
  if (result.records === 0)
    throw new Error(`${edition.name} has no record that can be read${first ? `: ${first}` : ''}`)
  // If no member of a zip can be read, the zip has the wrong content. A single file has only one record, so the same
  // test is used for it.
  if (result.records === refused) throw new Error(first)
  return { ...result, refused: found.refused, notes: found }
}

type AnyMember = Member | PdfMember
type Reader = (member: AnyMember) => Promise<Fragment | null>

/** Makes a reader that reads each member once. */
function readerOf(series: UpdateSeries, found: Notes, reading: Reading): Reader {
  if (series.format === 'json') return async (member) => parsed(series, member, found)
  const read = new Map<AnyMember, Promise<Fragment>>()
  return (member) => {
    const fragment = read.get(member) ?? converted(series, member as PdfMember, found, reading)
    read.set(member, fragment)
    return fragment
  }
}

/** Reads the PDFs of a batch that are new or changed, before the transaction of the batch locks anything. */
async function readAhead(
  sql: Sql,
  edition: Edition,
  members: readonly AnyMember[],
  { again, read, signal }: { again: boolean; read: Reader; signal: AbortSignal | undefined },
): Promise<void> {
  const known = await knownOf(sql, edition, members)
  const waiting = members.filter(({ key, digest }) => again || known.get(key)?.digest !== digest)
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      signal?.throwIfAborted()
      await read(next)
    }
  }
  await Promise.all(Array.from({ length: READERS }, worker))
}

interface Known {
  key: string
  digest: string
  /** The edition that holds the record. */
  edition: string
  /** Whether the record is from an edition of a later day. */
  is_newer: boolean
}

/** Stores one batch. Long: it shows the order of the statements of one transaction. */
async function loadBatch(
  tx: Transaction,
  dataset: BulkDataset,
  edition: Edition,
  all: readonly AnyMember[],
  {
    slices,
    again,
    isFirst,
    read,
    found,
  }: { slices: readonly Slice[]; again: boolean; isFirst: boolean; read: Reader; found: Notes },
): Promise<BatchResult> {
  const series = dataset.source.series[edition.series] as UpdateSeries
  await tx`select pg_advisory_xact_lock(${SERIES_LOCK}, hashtext(${edition.series}))`
  const known = await knownOf(tx, edition, all)
  const members = onceEach(all, known, edition, found)
  const same = members.filter(({ key, digest }) => !again && known.get(key)?.digest === digest)
  await hold(tx, edition, same)
  const others = members.filter((member) => !known.get(member.key)?.is_newer && (again || !same.includes(member)))
  const nothing = { isNews: false, added: 0, changed: 0, unlisted: 0, logged: [] }
  if (others.length === 0) return nothing

  const staged = await stage(tx, dataset, { schema: dataset.slug, series, found })
  for (const [at, member] of others.entries()) {
    const fragment = await read(member)
    if (!fragment) continue
    const { key, version, place, rows, bytes } = fragment
    const { digest, length: size } = bytes!
    await staged.add({ key, version, digest, record: at + 1, rows, place, size })
  }
  await staged.stand(new Map())
  await tx`drop table if exists pg_temp.bulk_touched`
  await tx`
    create temporary table bulk_touched on commit drop as
    select row_number() over (order by s.key)::int as n, s.key, s.record, s.digest
    from bulk_standing s`
  const keys = (await tx<{ key: string }[]>`select key from bulk_touched`).map(({ key }) => key)
  if (keys.length === 0) return nothing

  const marks: Touched = new Map()
  const records = { series: edition.series, keys, day: edition.to }
  await touch(tx, marks, slices, dataset, records, 'before_load')
  await staged.move(keys.length)
  const stored = await tx<{ key: string }[]>`
    insert into bulk.record (series, key, digest, edition, first_day, changed_day)
    select ${edition.series}, key, digest, ${edition.name}, ${edition.to}, ${edition.to} from bulk_touched
    on conflict (series, key) do update
    set changed_day = case when record.digest = excluded.digest then record.changed_day else excluded.changed_day end,
      digest = excluded.digest, edition = excluded.edition, gone_day = null
    returning key`
  await touch(tx, marks, slices, dataset, records, 'after_load')
  await mark(tx, marks)
  const added = stored.filter(({ key }) => !known.has(key)).map(({ key }) => `${edition.series}/${key}`)
  const changed = stored.filter(({ key }) => known.has(key)).map(({ key }) => `${edition.series}/${key}`)
  const { slug } = dataset
  // Even at the first load, which has some thousands of brochures, the events name each brochure. A saved search of
  // text needs this: it finds a brochure by the event that names it.
  const logged: LoggedChange[] =
    isFirst && series.format === 'json'
      ? [{ slug, what: 'added', keys: null }]
      : [
          { slug, what: 'added' as const, keys: added },
          { slug, what: 'corrected' as const, keys: changed },
        ].filter(({ keys: some }) => some.length > 0)
  const counts = { isNews: stored.length > 0, added: added.length, changed: changed.length }
  const hinting = series.format === 'json' && series.spineHints ? dataset.tables[series.spineHints]! : null
  if (hinting === null) return { ...counts, unlisted: 0, logged }
  const filled = await fillFrom(tx, hinting.id, stagedName(hinting), { isFirst })
  const also = filled.filled > 0 ? [SPINE] : []
  return { ...counts, also, unlisted: filled.unlisted, logged: [...logged, ...filled.logged] }
}

/**
 * If two members have the same name, the first counts and the second is refused; otherwise the result would depend on
 * where a batch ends. An edition is identified by its bytes. So if the edition already holds the record with another
 * digest, an earlier batch has stored another member with the same name.
 */
function onceEach(
  members: readonly AnyMember[],
  known: ReadonlyMap<string, Known>,
  edition: Edition,
  found: Notes,
): AnyMember[] {
  const keys = new Set<string>()
  return members.filter(({ name, key, digest }) => {
    const stored = known.get(key)
    const isSecond = keys.has(key) || (stored?.edition === edition.name && withoutMark(stored.digest) !== digest)
    keys.add(key)
    if (isSecond) refuse(found, { place: name, key, reason: `the file of ${key} occurs twice` })
    return !isSecond
  })
}

async function knownOf(
  tx: Sql | Transaction,
  { series, to }: Edition,
  members: readonly AnyMember[],
): Promise<Map<string, Known>> {
  const keys = members.map(({ key }) => key)
  const rows = await tx<Known[]>`
    select r.key, r.digest, r.edition, coalesce(e.to_day > ${to}, false) as is_newer
    from bulk.record r left join bulk.edition e on e.series = r.series and e.name = r.edition
    where r.series = ${series} and r.key = any(${keys})`
  return new Map(rows.map((row) => [row.key, row]))
}

/**
 * Assigns the records to this edition, which is the newest edition that has them. So a rebuild reads one zip and not
 * all earlier zips.
 */
async function hold(tx: Transaction, { series, name, to }: Edition, members: readonly AnyMember[]): Promise<void> {
  const keys = members.map(({ key }) => key)
  await tx`
    update bulk.record r set edition = ${name} from bulk.edition e
    where r.series = ${series} and r.key = any(${keys}) and r.edition <> ${name}
      and e.series = r.series and e.name = r.edition and e.to_day <= ${to}`
}
