/** Reads the lines between `<DOCUMENT>` and `<TEXT>`: type, sequence, file name and description of a document. */
import { excerpt, storable } from '../text.ts'
import { decodeHeader, decodeReferences, linesOf, readLine } from './line.ts'

export interface Title {
  type: string
  filename: string | null
  description: string | null
  /** The number as given; null if it is not a number from 1. */
  sequence: number | null
}

const KEYS = new Set(['TYPE', 'SEQUENCE', 'FILENAME', 'DESCRIPTION', 'FLAWED'])

/** EDGAR's own limit for a description is 255 characters. */
const VALUE_MAX = 1_000

/** @param problem is called with each fault; the message is worded to follow "document 3" */
export function readTitle(bytes: Buffer, problem: (what: string) => void): Title {
  const values: Record<string, string> = {}
  let last: string | null = null
  for (const given of linesOf(decodeHeader(bytes))) {
    const line = storable(given)
    if (line.length < given.length) problem(`: NUL removed from: ${excerpt(line.trim(), 80)}`)
    if (line.trim() === '') continue
    const read = /^\s*</.test(line) ? readLine(line) : null
    if (read && KEYS.has(read.key)) {
      last = read.key
      if (values[last] === undefined) values[last] = read.value
      else problem(`: ${last} twice, the first is kept: ${excerpt(read.value, 80)}`)
    } else if (last !== null && !read) {
      // Descriptions may continue in the next line (0000320193-97-000011).
      values[last] = `${values[last]} ${decodeReferences(line.trim())}`.trim()
    } else {
      problem(`: unknown line: ${excerpt(line.trim(), 80)}`)
    }
  }
  for (const [key, value] of Object.entries(values)) {
    if (value.length <= VALUE_MAX) continue
    values[key] = excerpt(value, VALUE_MAX)
    problem(`: ${key} of ${value.length} characters, of which ${VALUE_MAX} are kept`)
  }
  const { TYPE: type = '', SEQUENCE: given = '', FILENAME: filename, DESCRIPTION: description } = values
  if (type === '') problem(' has no type')
  const sequence = /^\d{1,6}$/.test(given) && Number(given) > 0 ? Number(given) : null
  if (sequence === null) problem(`: no sequence number: ${excerpt(given, 80)}`)
  return { type, filename: filename || null, description: description || null, sequence }
}
