/** Names to search, in a separate database. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fold } from '../../../src/read/fold.ts'
import { copy } from '../../../src/store/copy.ts'
import type { Sql } from '../../../src/store/db.ts'
import { filerNamesFiled } from '../spine-rows.ts'

/** A thing with its name as filed. */
export interface Specimen {
  id: string
  name: string
  city: string | null
  state: string | null
  /** Assets in US dollars, or a number of filings. */
  importance: number
}

/** Adds names of filers as an index does, but without their filings. */
export async function putFilers(sql: Sql, filers: readonly Specimen[]): Promise<void> {
  await sql.begin(async (tx) => {
    const records = filers.map(({ id, name }) => [id.padStart(10, '0'), name, fold(name)])
    await copy(tx, 'edgar.filer_name', ['cik', 'name', 'name_key'], [records])
    await tx`create temporary table filed (cik text collate "C", name text collate "C", filings integer) on commit drop`
    const counts = filers.map(({ id, name, importance }) => [id.padStart(10, '0'), name, importance])
    await copy(tx, 'filed', ['cik', 'name', 'filings'], [counts])
    await filerNamesFiled(
      tx,
      tx`
        select n.name_id, n.cik, n.name, n.name_key, f.filings, '2025-12-31'::date as last_filed
        from filed f join edgar.filer_name n using (cik, name)`,
    )
  })
  await sql`vacuum (analyze) edgar.filer_search, edgar.filer_word`
}

/** A line of typed.tsv: the typed text and the intended name; no name for nonsense. */
export interface Typed {
  list: 'advisers' | 'filers'
  kind: string
  typed: string
  expected: readonly string[]
}

export function typedNames(): Typed[] {
  const [, ...lines] = readFileSync(new URL('typed.tsv', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const [list, kind, typed, expected] = line.split('\t') as [Typed['list'], string, string, string]
    return { list, kind, typed, expected: expected === '-' ? [] : expected.split(',') }
  })
}

/**
 * Selects the third of the questions that is not looked at while the search is improved. So the search is not tuned to
 * these questions.
 */
export const isHeldOut = (what: string) => createHash('sha1').update(what).digest()[0]! % 3 === 0

/** Counts the questions whose intended name is found first, and among the first three. */
class Score {
  questions = 0
  first = 0
  three = 0
  readonly missed: string[] = []

  /** @param place position of the intended name among the results; -1 if the name is not among them */
  add(place: number, question: string): void {
    this.questions++
    if (place === 0) this.first++
    if (place >= 0 && place < 3) this.three++
    else this.missed.push(question)
  }

  toString(): string {
    const share = (count: number) => `${((100 * count) / this.questions).toFixed(1)} %`
    return `${this.questions} questions, first ${share(this.first)}, in the first three ${share(this.three)}`
  }
}

/** Scores of all questions, and of the held-out ones. */
export class Scores {
  readonly all = new Score()
  readonly heldOut = new Score()

  add(place: number, question: string, isHeldOut: boolean): void {
    this.all.add(place, question)
    if (isHeldOut) this.heldOut.add(place, question)
  }
}
