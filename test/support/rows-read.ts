/** Returns a parser's rows of a document after replacing some of its parts. */
import assert from 'node:assert/strict'
import type { Filing, FilingHeader } from '../../src/declare/documents.ts'
import { type Element, parse as parseXml } from '../../src/read/xml.ts'
import { filingOf } from './filing-made.ts'

/** A part of a document; its first occurrence is replaced. */
export type Change = readonly [part: string | RegExp, by: string]

type Row = readonly [table: string, row: object]

/** Returns the rows of a document after some changes. Each replaced part must exist. */
export function rowsRead<R extends Row>(
  parse: (filing: Filing<{ form: Element }>) => Iterable<R>,
  document: string,
  changes: readonly Change[] = [],
  header: Partial<FilingHeader> = {},
) {
  let text = document
  for (const [part, by] of changes) {
    assert.ok(typeof part === 'string' ? text.includes(part) : part.test(text), String(part))
    text = text.replace(part, by)
  }
  const doc = parseXml(text)
  const rows = [...parse(filingOf(doc, header))]
  const of = <K extends R[0]>(table: K) =>
    rows.filter(([name]) => name === table).map(([, row]) => row as Extract<R, readonly [K, unknown]>[1])
  return { rows, of, unread: doc.unread(), problems: doc.problems() }
}
