/**
 * Loads the filings of one set into the tables that their submissions fill, in batches that are committed one by one. A
 * filing whose submission was read stays as it is. A load that was cut off goes on behind its last batch.
 */
import type { FilingsDataset, ParsedRow, Slice } from '../../declare/dataset.ts'
import { messageOf } from '../../declare/errors.ts'
import type { SetsSource } from '../../declare/sets.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { dataChanged } from '../../store/meta.ts'
import { alone } from '../alone.ts'
import { ddlHashes, holdDefinitions } from '../ingest.ts'
import { closeDictionaries, loadStream, openDictionaries } from '../load.ts'
import { mark, type Touched, touch } from '../marks.ts'
import { INDEX_LOCK } from '../spine.ts'
import { refuse, type SetNotes, told, unread } from './notes.ts'
import { drop, type SetFiling, type Staged, stage } from './stage.ts'

/** A file that is in the archive. */
export interface SetFile {
  name: string
  sha256: string
  to: string
}

interface SetOptions {
  sql: Sql
  /** All that may follow the dataset. */
  slices: readonly Slice[]
  /** May be asked for once. */
  bytes: () => AsyncIterable<Uint8Array>
  /** Loads again what this very file filled before. */
  again?: boolean
  /** Fills the shadow of a rebuild with the filings that this file filled before. */
  shadow?: string
  /** Called in the transaction of each batch, before anything of it is stored. */
  claim?: ((tx: Transaction) => Promise<void>) | undefined
  onBatch?: ((done: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface SetResult {
  /** Filings of the set. */
  filings: number
  /** Of those, the ones whose rows were stored now. */
  loaded: number
}

/** One set at a time: their lines wait in one table. */
const SETS_LOCK = 4_713_022

/** Filings and lines of a batch, of which one filing may have more. */
const FILINGS_MAX = 50
const LINES_MAX = 20_000

/**
 * @param found collects what was refused, unread or unreadable
 * @throws Error for a set that cannot be read as a whole, what `endsRun`, and the signal's reason between two batches
 */
export async function loadSet(
  options: SetOptions,
  dataset: FilingsDataset & { sets: SetsSource },
  file: SetFile,
  found: SetNotes,
): Promise<SetResult> {
  const { sql, bytes, shadow, onBatch, signal } = options
  const definitions = shadow ? new Map<string, string>() : await ddlHashes([dataset])
  // In a transaction of its own, so that the lock ends with it whatever happens.
  return sql.begin(async (lock) => {
    await lock`select pg_advisory_xact_lock(${SETS_LOCK})`
    const staged = await sql.begin((tx) => stage(tx, dataset.sets, bytes(), found))
    const result = { filings: 0, loaded: 0 }
    const asked = new Set<string>()
    for (const batch of batchesOf(staged, found)) {
      signal?.throwIfAborted()
      result.loaded += await sql.begin(async (tx) => {
        // An index that adds or removes a filing of the batch comes before it or after it.
        await tx`select pg_advisory_xact_lock_shared(${INDEX_LOCK})`
        await holdDefinitions(tx, definitions)
        await options.claim?.(tx)
        return loadBatch(tx, dataset, { ...options, file, staged, found, asked }, batch)
      })
      result.filings += batch.length
      onBatch?.(result.filings, staged.filings.length)
    }
    for (const member of asked) {
      for (const column of staged.headers.get(member)!.unread()) unread(found, `${member}.tsv/${column}`)
    }
    await sql.begin(drop)
    return result
  })
}

/** Filings that can be loaded; the others are refused. */
function* batchesOf({ filings, damaged }: Staged, found: SetNotes): Generator<SetFiling[]> {
  let batch: SetFiling[] = []
  let lines = 0
  for (const filing of filings) {
    const { accession, place } = filing
    const reason = filing.hasHead
      ? damaged.get(accession)
      : `${filing.lines} lines of a filing that the set does not list`
    if (reason !== undefined) {
      refuse(found, { place, key: accession, reason })
      continue
    }
    batch.push(filing)
    lines += filing.lines
    if (batch.length < FILINGS_MAX && lines < LINES_MAX) continue
    yield batch
    batch = []
    lines = 0
  }
  if (batch.length > 0) yield batch
}

interface BatchOptions extends SetOptions {
  file: SetFile
  staged: Staged
  found: SetNotes
  /** Members of which lines were parsed. */
  asked: Set<string>
}

/** @returns how many filings were stored */
async function loadBatch(
  tx: Transaction,
  dataset: FilingsDataset & { sets: SetsSource },
  options: BatchOptions,
  batch: readonly SetFiling[],
): Promise<number> {
  const { shadow, slices, found } = options
  const schema = shadow ?? dataset.slug
  const days = await wanted(tx, dataset, options, batch)
  const stored = new Set(batch.filter(({ accession }) => days.has(accession)))
  if (stored.size === 0) return 0
  const records = { series: null, keys: [...days.keys()], day: null }
  const touched: Touched = new Map()
  if (!shadow) await touch(tx, touched, slices, dataset, records)
  await openDictionaries(tx, dataset, schema)
  for (const filing of [...stored]) {
    await alone(
      tx,
      [filing],
      (sp) => loadOne(sp, dataset, options, filing, days.get(filing.accession)!),
      (_, error) => {
        refuse(found, { place: filing.place, key: filing.accession, reason: messageOf(error) })
        stored.delete(filing)
      },
    )
  }
  await closeDictionaries(tx, dataset, schema)
  if (shadow) return stored.size
  await touch(tx, touched, slices, dataset, records)
  await mark(tx, touched)
  if (stored.size > 0) await dataChanged(tx)
  return stored.size
}

/**
 * The filings of the batch that are to be stored, with the day of filing where an index said it. Their tasks are held: who
 * reads one from its submission finishes first, and what is read from then on replaces what is stored here.
 */
async function wanted(
  tx: Transaction,
  { slug, family }: FilingsDataset,
  { shadow, again = false, file: { sha256, to } }: BatchOptions,
  batch: readonly SetFiling[],
): Promise<Map<string, string | null>> {
  const accessions = batch.map(({ accession }) => accession)
  if (!shadow) {
    await tx`
      select from edgar.task where dataset = ${slug} and accession = any(${accessions}) order by accession for update`
  }
  const isWanted = shadow
    ? tx`s.sha256 = ${sha256} and r.accession is null`
    : tx`(r.accession is null and s.accession is null) or (s.to_day <= ${to} and (s.sha256 <> ${sha256} or ${again}))`
  const rows = await tx<{ accession: string; filed_date: string | null }[]>`
    select a.accession, f.filed_date
    from unnest(${accessions}::text[]) a (accession)
    left join edgar.filing f on f.accession = a.accession
    left join bulk.set_filing s on s.dataset = ${slug} and s.accession = a.accession
    left join ${tx(shadow ?? slug)}.${tx(family.table)} r on r.accession = a.accession
    where ${isWanted}`
  return new Map(rows.map((row) => [row.accession, row.filed_date]))
}

/** @throws Error when the filing cannot be read or stored; then nothing of it is */
async function loadOne(
  sp: Transaction,
  dataset: FilingsDataset & { sets: SetsSource },
  { staged, file: { name, sha256, to }, found, asked, shadow }: BatchOptions,
  { accession, records }: SetFiling,
  listedDate: string | null,
): Promise<void> {
  const { sets, slug } = dataset
  const lines = await staged.linesOf(sp, accession)
  const heads = lines.get(sets.head)!
  if (heads.length > 1) throw new Error(`has ${heads.length} lines in ${sets.head}`)
  const filedDate = listedDate ?? sets.filedDate(heads[0]!)
  if (filedDate === null) throw new Error('has no day of filing')
  const problems: Parameters<typeof told>[1][] = []
  const rows = (): AsyncGenerator<ParsedRow> =>
    sets.parse({
      lines,
      records: records > 0 ? staged.recordsOf(sp, accession) : null,
      tell: (more) => problems.push(more.problems ?? []),
    })
  await loadStream(sp, dataset, { accession, filedDate, rows }, shadow ?? slug)
  if (!shadow) {
    const row = { dataset: slug, accession, name, to_day: to, sha256 }
    await sp`
      insert into bulk.set_filing ${sp(row)}
      on conflict (dataset, accession) do update set ${sp(row, 'name', 'to_day', 'sha256')}`
  }
  for (const member of [...lines.keys(), ...(records > 0 ? [sets.records] : [])]) asked.add(member)
  for (const row of [...lines.values()].flat()) told(found, row.problems())
  for (const more of problems) told(found, more)
}
