/**
 * Writes rows as NDJSON, with the types of the API's answers: decimals and integers beyond 2^31 are strings. The lines
 * are made here from COPY's text. A row of 16 columns takes 0.7 µs in the server and then 0.8 µs here. With
 * `row_to_json`, it would take 3.4 µs in the server.
 */
import { type Columns, columnType } from '../declare/table.ts'
import { eachCell, NULL, unescaped } from './copy-text.ts'

/** The type in JSON of a cell that is not null. */
type Kind = 'text' | 'number' | 'boolean' | 'json'

/** Matches characters that JSON or COPY escapes, but not COPY's nulls. */
const SPECIAL = /["\x00-\x08\x0b-\x1f]|\\[^N]/
const ESCAPED = /["\\\x00-\x1f]/

/** @returns a function that makes lines from whole rows in COPY's text format */
export function ndjsonOf(columns: Columns): (rows: Buffer) => string {
  const kinds = Object.values(columns).map((type): Kind => {
    const { kind, postgres } = columnType(type)!
    if (kind === 'list' || kind === 'json') return 'json'
    return postgres === 'integer' || postgres === 'double precision'
      ? 'number'
      : kind === 'boolean'
        ? 'boolean'
        : 'text'
  })
  const names = Object.keys(columns).map((name, place) => `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`)
  const width = names.length
  const hasJson = kinds.includes('json')
  return (rows) => {
    const text = rows.toString()
    // Most rows have nothing to escape, so rows are searched once as a whole and not cell by cell.
    const isPlain = !hasJson && !SPECIAL.test(text)
    let out = ''
    eachCell(text, width, (place, cell) => {
      out += names[place]! + (cell === NULL ? 'null' : jsonOf(kinds[place]!, cell, isPlain))
      if (place === width - 1) out += '}\n'
    })
    return out
  }
}

function jsonOf(kind: Kind, cell: string, isPlain: boolean): string {
  if (kind === 'text') return isPlain || !ESCAPED.test(cell) ? `"${cell}"` : JSON.stringify(unescaped(cell))
  if (kind === 'boolean') return cell === 't' ? 'true' : 'false'
  return kind === 'json' ? unescaped(cell) : cell
}
