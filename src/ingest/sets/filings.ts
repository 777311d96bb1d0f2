/** Filings of a batch of a set: read, and stored in savepoints, so that one that is bad fails alone. */
import type { FilingsDataset, ParsedRow } from '../../declare/dataset.ts'
import { messageOf } from '../../declare/errors.ts'
import type { SetsSource } from '../../declare/sets.ts'
import type { Transaction } from '../../store/db.ts'
import { alone } from '../alone.ts'
import { endsRun } from '../failures.ts'
import { loadRows, type Parsed } from '../load.ts'
import { refuse, type SetNotes, told } from './notes.ts'
import { ofSet } from './origin.ts'
import type { SetFiling, Staged } from './stage.ts'

/** A file that is in the archive. */
export interface SetFile {
  name: string
  sha256: string
  to: string
}

export interface Reading {
  file: SetFile
  staged: Staged
  found: SetNotes
  /** Members of which lines were parsed. */
  asked: Set<string>
  /** The shadow of a rebuild that is filled. */
  shadow?: string
}

type OfSets = FilingsDataset & { sets: SetsSource }

/**
 * A filing with more records goes into its tables while it is read, by itself. The others of a batch are read and then loaded
 * together: one by one, each took 25 statements, and half of the time went by between question and answer.
 */
const STREAMED_FROM = 5_000

/**
 * Stores the filings that have a day in `days`, which may be null for one that no index lists.
 *
 * @returns the accessions that were stored; the others are refused
 */
export async function loadFilings(
  tx: Transaction,
  dataset: OfSets,
  reading: Reading,
  batch: readonly SetFiling[],
  days: ReadonlyMap<string, string | null>,
): Promise<string[]> {
  const { found, file, shadow } = reading
  const schema = shadow ?? dataset.slug
  const stored: string[] = []
  const refused = ({ accession, place }: SetFiling, error: unknown) =>
    refuse(found, { place, key: accession, reason: messageOf(error) })
  const keep = async (sp: Transaction, accessions: readonly string[]) => {
    if (!shadow) await ofSet(sp, dataset, file, accessions)
  }
  const wanted = batch.filter(({ accession }) => days.has(accession))
  const opened = await allOf(
    wanted,
    (filing) => open(tx, dataset, reading, filing, days.get(filing.accession)!),
    refused,
  )
  const small = await allOf(
    opened.filter(({ filing }) => filing.records <= STREAMED_FROM),
    async (one) => ({ ...one, parsed: await parsed(one) }),
    ({ filing }, error) => refused(filing, error),
  )
  let done: readonly Opened[] = []
  const loadAll = async (sp: Transaction, some: readonly (Opened & { parsed: Parsed })[]) => {
    await loadRows(sp, dataset, some.map((one) => one.parsed), schema, { isBare: true }) // biome-ignore format: one line
    await keep(sp, some.map(({ filing }) => filing.accession)) // biome-ignore format: one line
    done = [...done, ...some]
  }
  await alone(tx, small, loadAll, ({ filing }, error) => refused(filing, error))
  for (const one of opened.filter(({ filing }) => filing.records > STREAMED_FROM)) {
    const { accession } = one.filing
    const load = async (sp: Transaction) => {
      await loadRows(sp, dataset, [{ accession, filedDate: one.filedDate, rows: () => one.rows(sp) }], schema, { isBare: true }) // biome-ignore format: one line
      await keep(sp, [accession])
      done = [...done, one]
    }
    await alone(tx, [one], load, ({ filing }, error) => refused(filing, error))
  }
  for (const one of done) {
    one.noted()
    stored.push(one.filing.accession)
  }
  return stored
}

/** Does the same with all side by side, which saves the time between question and answer; what fails is refused. */
async function allOf<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  refused: (item: T, error: unknown) => void,
): Promise<R[]> {
  const results = await Promise.allSettled(items.map(work))
  return results.flatMap((result, at) => {
    if (result.status === 'fulfilled') return [result.value]
    if (endsRun(result.reason)) throw result.reason
    refused(items[at]!, result.reason)
    return []
  })
}

interface Opened {
  filing: SetFiling
  filedDate: string
  /** Reads them anew each time, in the caller's savepoint if there is one. */
  rows(sp?: Transaction): AsyncGenerator<ParsedRow>
  /** Notes what was found in it. To be called when it is stored. */
  noted(): void
}

/** @throws Error for a filing that has no single line in the member of heads, or no day */
async function open(
  tx: Transaction,
  { sets }: OfSets,
  { staged, found, asked }: Reading,
  filing: SetFiling,
  listedDate: string | null,
): Promise<Opened> {
  const { accession, records } = filing
  const lines = await staged.linesOf(tx, accession)
  const heads = lines.get(sets.head)!
  if (heads.length > 1) throw new Error(`has ${heads.length} lines in ${sets.head}`)
  const filedDate = listedDate ?? sets.filedDate(heads[0]!)
  if (filedDate === null) throw new Error('has no day of filing')
  let problems: Parameters<typeof told>[1][] = []
  return {
    filing,
    filedDate,
    rows(sp = tx) {
      problems = []
      return sets.parse({
        lines,
        records: records > 0 ? staged.recordsOf(sp, accession) : null,
        tell: (more) => problems.push(more.problems ?? []),
      })
    },
    noted() {
      for (const member of [...lines.keys(), ...(records > 0 ? [sets.records] : [])]) asked.add(member)
      for (const row of [...lines.values()].flat()) told(found, row.problems())
      for (const more of problems) told(found, more)
    },
  }
}

async function parsed({ filing: { accession }, filedDate, rows }: Opened): Promise<Parsed> {
  const all: ParsedRow[] = []
  for await (const row of rows()) all.push(row)
  return { accession, filedDate, rows: all }
}
