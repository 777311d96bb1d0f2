/** The sections of the bench, and a run of some of them. */
import { checked, type Row } from './report.ts'
import type { Scope } from './scope.ts'

/** Each is a module `<name>.ts` that exports a `Section`. */
export const SECTIONS = [
  'xml',
  'forms',
  'html',
  'sgml',
  'index',
  'startup',
  'http',
  'mcp',
  'places',
  'files',
  'clients',
  'filings',
  'offerings',
  'insiders',
  'schedules',
  'lists',
  'eightk',
  'follow',
  'streams',
  'searches',
  'adv',
  'names',
  'search',
  'textsearch',
  'thirteenf',
  'fundsets',
  'nport',
  'holdings',
  'securities',
  'prices',
  'export',
  'season',
  'pages',
  'pdf',
] as const

/** Separate programs `<name>.ts`: they print their results, and have no rows. Only a smoke run runs them. */
export const STANDING = ['textsearch-kept', 'large', 'rebuild', 'before', 'widely-held'] as const

export interface Section {
  /**
   * Measures.
   *
   * @param share how much of the section's data, requests and time is used, above 0 and at most 1: see share.ts
   * @param pdfs a folder of PDFs; used only by `pdf`
   */
  rows(scope: Scope, share: number, pdfs?: string): Promise<Row[]>
}

/**
 * A job for a separate process: one section.
 *
 * @throws Error if there is no row, or a row lacks a number
 */
export async function measured(scope: Scope, name: string, share: number, pdfs?: string): Promise<Row[]> {
  const section = (await import(`./${name}.ts`)) as Section
  return checked(name, await section.rows(scope, share, pdfs))
}

export interface Ran {
  found: Row[]
  /** Sections that failed. */
  failed: string[]
}

/**
 * Runs sections; a failed one does not stop the others.
 *
 * @param run measures one
 * @param report receives a line about each finished section
 * @param atOnce more than one only if nobody uses the figures
 */
export async function runSections(
  names: readonly string[],
  run: (name: string) => Promise<Row[]>,
  report: (line: string) => void,
  atOnce = 1,
): Promise<Ran> {
  const found = new Map<string, Row[]>()
  const failed = new Set<string>()
  const waiting = names.values()
  async function some(): Promise<void> {
    for (const name of waiting) {
      const begun = performance.now()
      const took = () => `${((performance.now() - begun) / 1000).toFixed(1)} s`
      try {
        const rows = await run(name)
        found.set(name, rows)
        report([`${name} took ${took()}`, ...lacking(rows)].join('; '))
      } catch (error) {
        failed.add(name)
        report(`${name} FAILED after ${took()}: ${(error as Error).message}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, some))
  return { found: names.flatMap((name) => found.get(name) ?? []), failed: names.filter((name) => failed.has(name)) }
}

/** Returns the notes of rows about missing peers. */
const lacking = (rows: readonly Row[]): string[] => [
  ...new Set(rows.flatMap(({ note }) => note.match(/(?:no [\w-]+ is|[\w-]+ is not) installed[^;]*/)?.[0] ?? [])),
]
