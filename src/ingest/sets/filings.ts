/** Reads the filings of a batch of a set and stores them in savepoints, so that a bad filing fails alone. */
import type { FilingsDataset } from '../../declare/dataset.ts'
import { messageOf } from '../../declare/errors.ts'
import type { SetsSource } from '../../declare/sets.ts'
import type { CsvRow } from '../../read/csv.ts'
import type { Problem } from '../../read/xml.ts'
import type { Transaction } from '../../store/db.ts'
import type { Partitions } from '../../store/partitions.ts'
import { bisect } from '../bisect.ts'
import { type Entries, type FilingRows, loadRows } from '../load.ts'
import { type Notes, noteProblems, refuse } from '../notes.ts'
import { ofSet, refusedBySet } from './origin.ts'
import type { FilingLines, SetFiling, StagedSet } from './staged.ts'

/** A file in the archive. */
export interface SetFile {
  name: string
  sha256: string
  to: string
}

export interface Reading {
  file: SetFile
  staged: StagedSet
  found: Notes
  /** Members whose lines were parsed. */
  parsedMembers: Set<string>
  /** Schema of the shadow to fill, if a rebuild calls this. */
  shadow?: string
  partitions: Partitions
  /** The dictionary entries that the batches of this transaction have stored. */
  entries: Entries
}

type OfSets = FilingsDataset & { sets: SetsSource }

/**
 * Stores the filings that have an entry in `days`, which maps each filing to its filing date. The date is null if no
 * index lists the filing.
 *
 * @returns the accessions that were stored; the others were refused
 */
export async function loadFilings(
  tx: Transaction,
  dataset: OfSets,
  reading: Reading,
  batch: readonly SetFiling[],
  days: ReadonlyMap<string, string | null>,
): Promise<string[]> {
  const { found, file, staged, shadow, partitions, entries } = reading
  const into = { schema: shadow ?? dataset.slug, partitions, entries }
  const refused = ({ accession, place }: SetFiling, error: unknown) =>
    refuse(found, { place, key: accession, reason: messageOf(error) })
  const wanted = batch.filter(({ accession }) => days.has(accession))
  const lines = await staged.linesOf(wanted)
  const opened: Opened[] = []
  for (const filing of wanted) {
    const { accession } = filing
    try {
      opened.push(open(dataset, reading, filing, lines.get(accession)!, days.get(accession)!))
    } catch (error) {
      refused(filing, error)
    }
  }
  let done: readonly Opened[] = []
  const load = async (sp: Transaction, some: readonly Opened[]) => {
    await loadRows(sp, dataset, some, into)
    if (!shadow)
      await ofSet(
        sp,
        dataset,
        { ...file, suffices: staged.isWhole },
        some.map(({ accession }) => accession),
      )
    entries.keep()
    done = [...done, ...some]
  }
  await bisect(tx, opened, load, ({ filing }, error) => refused(filing, error))
  for (const one of done) one.noted()
  const stored = done.map(({ accession }) => accession)
  const others = new Set(days.keys()).difference(new Set(stored))
  if (!shadow) await refusedBySet(tx, dataset, file, [...others])
  return stored
}

interface Opened extends FilingRows {
  filing: SetFiling
  /** Records the notes about the filing. Must be called when the filing is stored. */
  noted(): void
}

/**
 * Opens a filing.
 *
 * @throws Error for a filing that has several lines in the member that `sets.head` names, or no filing date
 */
function open(
  { sets }: OfSets,
  { found, parsedMembers }: Reading,
  filing: SetFiling,
  own: FilingLines,
  listedDate: string | null,
): Opened {
  const { accession, records, members } = filing
  let lines: ReadonlyMap<string, readonly CsvRow[]> = own.lines()
  const heads = lines.get(sets.head)!
  if (heads.length > 1) throw new Error(`has ${heads.length} lines in ${sets.head} instead of one`)
  const filedDate = listedDate ?? sets.filedDate(heads[0]!)
  if (filedDate === null) throw new Error(['has no filing date', ...heads[0]!.problems().map(unreadText)].join(': '))
  let problems: Problem[] = []
  return {
    filing,
    accession,
    filedDate,
    rows() {
      problems = []
      lines = own.lines()
      return sets.parse({
        lines,
        records: records > 0 ? own.records() : null,
        filedDate,
        tell: (more) => problems.push(...(more.problems ?? [])),
      })
    },
    noted() {
      for (const member of members) parsedMembers.add(member)
      for (const row of [...lines.values()].flat()) noteProblems(found, row.problems())
      noteProblems(found, problems)
    },
  }
}

const unreadText = ({ value, reason }: Problem) => `${JSON.stringify(value)} is ${reason}`
