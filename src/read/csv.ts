/**
 * Reads delimited files with a header. Each line is a row that remembers which of its columns were read. `Element` does
 * the same for the parts of XML. Values are read by the same rules as in XML.
 */

import { excerpt } from './text.ts'
import { cik, count, crd, day, decimal, flag, integer, isAmong } from './values.ts'
import type { Problem } from './xml.ts'

/** The header of a file, with a record of the columns that were read in any line. */
export class CsvHeader {
  readonly file: string
  readonly columns: readonly string[]
  readonly #at: Map<string, number>
  readonly #read = new Set<string>()
  readonly #lower: Map<string, number>
  /**
   * The names that parsers request, with the position of each. This map is a cache, since the same names are requested
   * for every line.
   */
  readonly #wanted = new Map<string, number | undefined>()
  constructor(file: string, columns: readonly string[]) {
    this.file = file
    this.columns = columns
    this.#at = new Map(columns.map((name, at) => [name, at]))
    this.#lower = new Map(columns.map((name, at) => [name.toLowerCase().trim(), at]))
  }

  /**
   * Returns the position of the column. An exact match of the name takes precedence over a match that ignores case.
   */
  at(name: string): number | undefined {
    const known = this.#wanted.get(name)
    if (known !== undefined || this.#wanted.has(name)) return known
    const lower = name.toLowerCase().trim()
    this.#read.add(lower)
    const at = this.#at.get(name) ?? this.#lower.get(lower)
    this.#wanted.set(name, at)
    return at
  }

  /** Columns that no parser has read in any line. */
  unread(): string[] {
    return this.columns.filter((name) => !this.#read.has(name.toLowerCase().trim()))
  }
}

/**
 * One line. Columns are named as in the header. If the name of a column differs between years, the caller gives several
 * names, and the first existing name counts.
 */
export class CsvRow {
  /** Line number; 1 for the first line after the header. */
  readonly number: number
  readonly #header: CsvHeader
  readonly #values: readonly string[]
  readonly #problems: Problem[]
  constructor(header: CsvHeader, values: readonly string[], number: number, problems: Problem[] = []) {
    this.#header = header
    this.#values = values
    this.number = number
    this.#problems = problems
  }

  /** Name of the file, without its folder. */
  get file(): string {
    return this.#header.file
  }

  /** Trimmed text; null if it is blank or the file has no such column. */
  text(...names: [string, ...string[]]): string | null {
    for (const name of names) {
      const at = this.#header.at(name)
      if (at !== undefined) return this.#values[at]?.trim() || null
    }
    return null
  }

  /** An exact decimal. `nulls`: words that mean null, in capitals or small letters. */
  money(names: string | readonly string[], nulls: readonly string[] = []): string | null {
    return this.#typed(names, decimal, 'not a decimal number', nulls)
  }

  integer(names: string | readonly string[], nulls: readonly string[] = []): number | null {
    return this.#typed(names, integer, 'not an integer', nulls)
  }

  /** An integer that fits into an `integer` column. */
  count(names: string | readonly string[]): number | null {
    return this.#typed(names, count, 'not an integer below 2147483648')
  }

  /** Ten digits; null for zeros and for words that mean "no value". */
  cik(...names: [string, ...string[]]): string | null {
    return this.#typed(names, cik, 'is not a valid CIK')
  }

  /** Digits without leading zeros; null for zeros and for words that mean "no value". */
  crd(...names: [string, ...string[]]): string | null {
    return this.#typed(names, crd, 'is not a valid CRD number')
  }

  /**
   * Reads a value with a function that the parser passes.
   *
   * @param to returns null for a text that it cannot read (recorded as a problem with the reason), and undefined for a
   *   text that means "no value"
   */
  value<T>(name: string, to: (text: string) => T | null | undefined, reason: string): T | null {
    return this.#typed(name, to, reason)
  }

  flag(...names: [string, ...string[]]): boolean | null {
    return this.#typed(names, flag, 'neither true nor false')
  }

  /** `YYYY-MM-DD` from `MM/DD/YYYY` or ISO; a time after the date is dropped. */
  date(...names: [string, ...string[]]): string | null {
    return this.#typed(names, dayOf, 'not a valid day')
  }

  /** The values of all columns that are not blank, as filed, in the order of the header. Marks them all as read. */
  all(): Record<string, string> {
    const found: Record<string, string> = {}
    for (const [at, name] of this.#header.columns.entries()) {
      this.#header.at(name)
      const value = this.#values[at]?.trim()
      if (value) found[name] = value
    }
    return found
  }

  /** Marks columns that are not needed as read. */
  ignore(...names: string[]): void {
    for (const name of names) this.#header.at(name)
  }

  /** Records a value of this line that its parser cannot use. */
  problem(column: string, value: string, reason: string): void {
    const path = `${this.#header.file}:${this.number}/${column}`
    this.#problems.push({ path, value: excerpt(value), reason })
  }

  problems(): Problem[] {
    return [...this.#problems]
  }

  #typed<T>(
    names: string | readonly string[],
    to: (text: string) => T | null | undefined,
    reason: string,
    nulls: readonly string[] = [],
  ): T | null {
    const all = typeof names === 'string' ? [names] : names
    const text = this.text(...(all as [string, ...string[]]))
    if (text === null || isAmong(text, nulls)) return null
    const value = to(text)
    if (value === null) this.problem(all[0]!, text, reason)
    return value ?? null
  }
}

/** The forms of a day in Form ADV data files: `06/30/2026`, `06/30/2026 11:59:01 PM`, `2026-06-30 23:59:01`. */
function dayOf(text: string): string | null {
  const [first = ''] = text.split(/[ T]/)
  return day(first, first.includes('/') ? 'mdy' : 'iso')
}
