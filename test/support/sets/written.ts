/** Writes documents of the SEC's forms as lines of its data sets, for tests: the reverse of the project's readers. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ParsedRow } from '../../../src/declare/dataset.ts'
import type { SetParts, SetRecord, SetsSource } from '../../../src/declare/sets.ts'
import { CsvHeader, CsvRow } from '../../../src/read/csv.ts'
import type { Branch } from '../../../src/read/made.ts'
import { tsvValues } from '../../../src/read/tsv-lines.ts'
import { type Element, type Problem, parse } from '../../../src/read/xml.ts'
import { corpus } from '../corpus.ts'

export type Line = Record<string, string>

/** The members of a set, each with its lines; a line has only its filled columns. */
export class Written {
  readonly members = new Map<string, Line[]>()

  add(member: string, line: Line): Line {
    const lines = this.members.get(member)
    if (lines === undefined) this.members.set(member, [line])
    else lines.push(line)
    return line
  }

  /**
   * Returns the texts of members that have lines, and of requested members without lines; all have the columns of the
   * source.
   */
  texts(source: SetsSource): Record<string, string> {
    const found: Record<string, string> = {}
    for (const member of Object.keys(source.members)) found[`${member}.tsv`] = this.text(member, source)
    return found
  }

  /** Returns the text of one member. */
  text(member: string, { members, quotes }: SetsSource): string {
    const lines = this.members.get(member) ?? []
    const columns = [...new Set([...members[member]!, ...lines.flatMap((line) => Object.keys(line))])]
    const rows = lines.map((line) => columns.map((column) => quoted(line[column] ?? '', quotes)).join('\t'))
    return `${[columns.join('\t'), ...rows].join('\n')}\n`
  }
}

/** Writes a value that contains a quotation mark as the SEC does: in quotation marks, with the inner marks doubled. */
const quoted = (value: string, isQuoted = false) =>
  isQuoted && value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/** Converts `2026-03-31` to the date style of the sets; leaves other text unchanged. */
export function setDay(text: string | null): string {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text ?? '') ?? []
  return year === undefined ? (text ?? '') : `${day}-${MONTHS[Number(month) - 1]}-${year}`
}

/**
 * Rounds an amount to two decimals as the SEC does, which always writes at least one decimal: `4.0`. Leaves other text
 * unchanged.
 */
export function setAmount(text: string): string {
  const [, sign, whole, part = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? []
  if (whole === undefined) return text
  const cents = String((BigInt(`${whole}${part.padEnd(3, '0').slice(0, 3)}`) + 5n) / 10n).padStart(3, '0')
  return `${sign}${cents.slice(0, -2)}.${cents.slice(-2).replace(/0$/, '')}`
}

/** Returns a value without the tabs and line ends that a column cannot hold. */
export const flat = (text: string) => text.replace(/[\t\r\n]+ */g, ' ')

/**
 * Writes the branches of an element.
 *
 * @param common columns of every line
 * @param more values by member, for a branch whose values are computed by code
 */
export function write(
  written: Written,
  element: Element,
  branches: readonly Branch[],
  common: Line,
  more: Record<string, (of: Element, line: Line) => void> = {},
  numbers: Map<string, number> = new Map(),
): void {
  for (const { member, at, texts = {}, days = {}, lists = {}, by, branches: own = [] } of branches) {
    const places = typeof at === 'string' ? { '': at } : at.paths
    const met = new Set<string>()
    for (const [statement, place] of Object.entries(places)) {
      if (met.has(place)) continue
      met.add(place)
      for (const of of place === '' ? [element] : element.all(place)) {
        const line: Line = { ...common }
        if (typeof at !== 'string') line[at.column] = statement
        for (const [path, column] of Object.entries(texts)) {
          const [text] = of.texts(path)
          if (text !== undefined) line[column] = flat(text)
        }
        for (const [path, column] of Object.entries(days)) {
          const [text] = of.texts(path)
          if (text !== undefined) line[column] = setDay(text)
        }
        for (const [path, column] of Object.entries(lists)) {
          const words = of.texts(path)
          if (words.length > 0) line[column] = words.map(flat).join(', ')
        }
        if (by !== undefined && line[by] === undefined) {
          numbers.set(by, (numbers.get(by) ?? 1_000) + 1)
          line[by] = String(numbers.get(by))
        }
        const few = Object.keys(common).length + (typeof at === 'string' ? 0 : 1)
        more[member]?.(of, line)
        const isSomething = Object.keys(line).length > few
        if (isSomething || by !== undefined) written.add(member, line)
        if (own.length > 0)
          write(written, of, own, by === undefined ? common : { ...common, [by]: line[by]! }, more, numbers)
      }
    }
  }
}

/** Returns the XML of a real submission. */
export function documentOf(file: string): Element {
  const text = readFileSync(path.resolve(corpus.folder, file), 'utf8')
  const xml = /<XML>\s*([\s\S]*?)\s*<\/XML>/.exec(text)?.[1] ?? text
  return parse(xml)
}

/** Returns rows of one filing, made by the parser of the sets from the written lines. */
export async function rowsOfSet(source: SetsSource, written: Written) {
  const headers = new Map<string, CsvHeader>()
  const lines = new Map<string, CsvRow[]>()
  // Members without lines are left out: a test of 13,148 filings would make and split 300,000 headers for nothing.
  for (const member of Object.keys(source.members).filter((name) => written.members.has(name))) {
    const [first, ...rest] = written.text(member, source).trimEnd().split('\n')
    if (rest.length === 0) continue
    const header = new CsvHeader(`${member}.tsv`, first!.split('\t'))
    header.at(source.keys?.[member] ?? source.key)
    headers.set(member, header)
    lines.set(
      member,
      rest.map((line, at) => new CsvRow(header, tsvValues(line, source.quotes ?? false), at + 1)),
    )
  }
  const ofRecords = source.ofRecords ?? []
  const grouped = new Map(
    ofRecords.map((member) => [member, Map.groupBy(lines.get(member) ?? [], (row) => row.text(source.order))]),
  )
  const records = lines.get(source.records)?.map((row): SetRecord => {
    const own = [...grouped].flatMap(([member, by]) => {
      const some = by.get(row.text(source.order))
      return some ? [[member, some] as const] : []
    })
    return { row, lines: new Map(own) }
  })
  const problems: Problem[] = []
  const small = new Map([...lines].filter(([member]) => member !== source.records && !ofRecords.includes(member)))
  const parts: SetParts = {
    lines: small,
    records: records ?? null,
    filedDate: source.filedDate(lines.get(source.head)![0]!) ?? '',
    tell: (notes) => problems.push(...(notes.problems ?? [])),
  }
  const rows: ParsedRow[] = []
  for await (const row of source.parse(parts)) rows.push(row)
  for (const row of [...small.values()].flat()) problems.push(...row.problems())
  const unread = [...headers].flatMap(([member, header]) => header.unread().map((column) => `${member}/${column}`))
  return { rows, problems, unread }
}

/** Groups rows by table, in their original order. */
export function byTable(rows: Iterable<ParsedRow>): Record<string, Record<string, unknown>[]> {
  const found: Record<string, Record<string, unknown>[]> = {}
  for (const [table, row] of rows) {
    found[table] ??= []
    // A parser may omit a column that is null.
    found[table].push(
      Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null && value !== undefined)),
    )
  }
  return found
}

/** Removes the columns, `table.column`, and the tables that sets lack. */
export function without(rows: ReturnType<typeof byTable>, columns: readonly string[]): ReturnType<typeof byTable> {
  return Object.fromEntries(
    Object.entries(rows)
      .filter(([table]) => !columns.includes(table))
      .map(([table, own]) => [
        table,
        own.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([column]) => !columns.includes(`${table}.${column}`))),
        ),
      ]),
  )
}
