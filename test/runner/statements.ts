/**
 * Records the statements of `src` that each test file sends to the database, in the file that TEST_STATEMENTS names.
 * From these records test/on-server.ts chooses the files that run again on another server.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { checkout } from './files.ts'

export interface FileStatements {
  file: string
  /** Seconds from the file's first import to its last hook. */
  wall: number
  /** Templates of statements and of fragments, SQL files, and kinds of texts that are composed at run time. */
  parts: string[]
}

/**
 * The members of the driver's statements that this module reads. A fragment is a statement that is part of other
 * statements and is never sent by itself.
 */
interface Statement {
  strings: readonly string[] & { raw?: readonly string[] }
  args: readonly unknown[]
  handle(): Promise<void>
  resolve(rows: unknown): void
}

const seen = new Set<string>()

/** Starts to record every statement that this process sends. */
export async function noteStatements(): Promise<void> {
  if (!process.env.TEST_STATEMENTS) return
  const { Query } = (await import(new URL('query.js', import.meta.resolve('#postgres')).href)) as {
    Query: { prototype: Statement }
  }
  const { handle } = Query.prototype
  Query.prototype.handle = function (this: Statement) {
    // Each `await` of a statement asks the driver to send the statement; this includes the second and the third `await`
    // of the same statement.
    if (!noted.has(this)) note(this)
    noted.add(this)
    return handle.call(this)
  }
}
const noted = new WeakSet<Statement>()

function note(statement: Statement): void {
  const { strings } = statement
  const [text] = strings
  if (strings.raw) noteTemplates(statement)
  else if (text !== undefined) noteText(text)
  else {
    const { resolve } = statement
    statement.resolve = (rows) => {
      // The statement is a file of SQL, which the driver has read by now.
      seen.add(short(statement.strings[0]!))
      resolve.call(statement, rows)
    }
  }
}

/** Records each template of the code that is a part of a statement, for any table. */
function noteTemplates({ strings, args }: Statement): void {
  const { raw } = strings
  if (raw) {
    if (!parts.has(raw)) parts.set(raw, isTemplateOfSrc(raw) ? short(raw.join('?')) : null)
    const part = parts.get(raw)
    if (part) seen.add(part)
  }
  for (const value of args)
    if (value instanceof Promise && 'strings' in value) noteTemplates(value as Statement & Promise<unknown>)
}

/** The note of each template; null for a template of a test. */
const parts = new WeakMap<readonly string[], string | null>()

function noteText(text: string): void {
  if (!kinds.has(text)) kinds.set(text, isTextOfSrc(text) ? kindOf(text) : null)
  const kind = kinds.get(text)
  if (kind) seen.add(kind)
}
/** The note of each text; tests make several thousand texts. */
const kinds = new Map<string, string | null>()

/**
 * The kind of a statement whose text is made while the program runs, such as COPY to a table or its DDL: the first
 * words without names, lists and values. test/store/schema.test.ts tests the DDL of every table.
 */
function kindOf(text: string): string {
  let left = text.replaceAll(/--.*$/gm, '').replaceAll(/'[^']*'|"[^"]*"/g, '_')
  for (let was = ''; was !== left; ) {
    was = left
    left = left.replaceAll(/\([^()]*\)/g, ' ')
  }
  const words = left.trim().split(/[\s,;]+/)
  return words
    .filter((word) => !/[._\d]/.test(word))
    .slice(0, 6)
    .join(' ')
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length <= 200
    ? line
    : `${line.slice(0, 160)} … ${createHash('sha256').update(line).digest('hex').slice(0, 16)}`
}

/** The marks that separate the texts of template literals. */
const TEMPLATES = /`|\$\{|\}/
const LITERALS = /['"`]|\$\{|\}/

/** The texts between two marks in files of the project. */
function piecesIn(pattern: string, marks: RegExp, isWanted: (file: string) => boolean): Set<string> {
  const files = globSync(pattern, { cwd: checkout, exclude: ['**/node_modules'] }).filter(isWanted)
  return new Set(files.flatMap((file) => readFileSync(path.join(checkout, file), 'utf8').split(marks)))
}

const isTest = (file: string) => file.includes('.test.')
let ofSrc: Set<string> | undefined
/** Beginnings of texts that tests make, grouped by the first six characters. */
let ofTests: Map<string, string[]> | undefined

function isTemplateOfSrc(raw: readonly string[]): boolean {
  ofSrc ??= piecesIn('src/**/*.{ts,sql}', TEMPLATES, (file) => !isTest(file))
  const known = ofSrc
  return raw.flatMap((text) => text.split(TEMPLATES)).every((piece) => piece.trim() === '' || known.has(piece))
}

/** Whether no test makes a text with this beginning. A text alone does not show from which file it comes. */
function isTextOfSrc(text: string): boolean {
  if (!ofTests) {
    const pieces = piecesIn(
      '{test,src,bench}/**/*.{ts,mjs}',
      LITERALS,
      (file) => isTest(file) || !file.startsWith('src'),
    )
    const own = [...pieces].filter((piece) => piece.length >= HEAD && !isTemplateOfSrc([piece]))
    ofTests = Map.groupBy(own, (piece) => piece.slice(0, HEAD))
  }
  return !(ofTests.get(text.slice(0, HEAD)) ?? []).some((piece) => text.startsWith(piece))
}
const HEAD = 6

/** Must be called after each file. */
export function statementsNoted(file: string, wall: number): void {
  const to = process.env.TEST_STATEMENTS
  const parts = [...seen]
  seen.clear()
  if (to) appendFileSync(to, `${JSON.stringify({ file, wall, parts } satisfies FileStatements)}\n`)
}
