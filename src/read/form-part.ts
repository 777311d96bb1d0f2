/**
 * The questions that a parser asks about a part of a form. An element of XML answers them, and so do lines of a data set
 * for the parts whose columns are declared here: no element is built for these.
 */
import type { CsvRow } from './csv.ts'
import { isoDay, type Plan } from './made.ts'
import { excerpt } from './text.ts'
import { isAmong, count as wholeNumber } from './values.ts'
import type { Problem } from './xml.ts'

/** A part of a form, as `Element` answers for it. */
export interface FormPart {
  text(path?: string): string | null
  texts(...paths: string[]): string[]
  value<T>(path: string, to: (text: string) => T | null | undefined, reason: string): T | null
  count(path: string, nulls?: readonly string[]): number | null
  maybe(path: string): FormPart | null
  all(path: string): FormPart[]
  ignore(...paths: string[]): void
}

/** Says which columns fill a part of a form, and which parts are in it. */
export interface Columns {
  texts: Plan
  /** Columns with days in the form 31-MAR-2026. */
  days?: Plan
  /** The parts in this part, by the paths of their elements. */
  parts?: Readonly<Record<string, Columns>>
  /** The member whose lines fill the part, each line one part. Without it, the line of the outer part fills this part. */
  member?: string
  /** A line fills the part only if one of these columns has a value. */
  if?: readonly string[]
}

/** The lines that fill a part of a form, by member. */
type Lines = ReadonlyMap<string, readonly CsvRow[]>

/** A part of a form in the columns of a line. The part has the texts, and the problems, of the element that `Made` builds. */
export class LinePart implements FormPart {
  readonly #columns: Columns
  readonly #row: CsvRow
  readonly #lines: Lines
  readonly #place: string
  readonly #problems: Problem[]

  /** @param place path of the part in problems */
  constructor(columns: Columns, row: CsvRow, lines: Lines, place: string, problems: Problem[]) {
    this.#columns = columns
    this.#row = row
    this.#lines = lines
    this.#place = place
    this.#problems = problems
  }

  text(path = ''): string | null {
    const { texts, days } = this.#columns
    const column = texts[path]
    if (column !== undefined) return this.#row.text(column)
    const day = days?.[path]
    return day === undefined ? null : isoDay(this.#row.text(day))
  }

  texts(...paths: string[]): string[] {
    return paths.map((path) => this.text(path)).filter((text) => text !== null)
  }

  value<T>(path: string, to: (text: string) => T | null | undefined, reason: string): T | null {
    const text = this.text(path)
    if (text === null) return null
    const value = to(text)
    if (value === null) this.#problems.push({ path: `${this.#place}/${path}`, value: excerpt(text), reason })
    return value ?? null
  }

  count(path: string, nulls: readonly string[] = []): number | null {
    const to = (text: string) => (isAmong(text, nulls) ? undefined : wholeNumber(text))
    return this.value(path, to, 'not an integer below 2147483648')
  }

  maybe(path: string): LinePart | null {
    const columns = this.#columns.parts?.[path]
    if (columns === undefined) return null
    const [first] = this.#linesOf(columns)
    return first === undefined ? null : this.#part(path, columns, first)
  }

  all(path: string): LinePart[] {
    const columns = this.#columns.parts?.[path]
    if (columns === undefined) return []
    return this.#linesOf(columns).map((row) => this.#part(path, columns, row))
  }

  /** Does nothing: the columns of a line are ignored by their names. */
  ignore(): void {}

  #linesOf({ member, if: filled }: Columns): readonly CsvRow[] {
    const lines = member === undefined ? [this.#row] : (this.#lines.get(member) ?? NONE)
    return filled ? lines.filter((row) => filled.some((column) => row.text(column) !== null)) : lines
  }

  #part(path: string, columns: Columns, row: CsvRow): LinePart {
    return new LinePart(columns, row, this.#lines, `${this.#place}/${path}`, this.#problems)
  }
}

const NONE: readonly CsvRow[] = []
