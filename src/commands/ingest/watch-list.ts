/** Reads what an operator writes to choose filers: `--cik 320193,AAPL` and the lines of `--watch FILE`. */
import { readFile, stat } from 'node:fs/promises'
import { messageOf, UserError } from '../../declare/errors.ts'
import { textOf } from '../../read/encoding.ts'
import { excerpt } from '../../read/text.ts'
import { type Ticker, tickersOf } from '../../read/ticker.ts'
import { cik, crd } from '../../read/values.ts'

/** An entry of the list: a filer as the operator writes it. The same filer may be written in several ways. */
export type Entry = {
  /** The entry in its normal spelling: `0000320193`, `AAPL`, `CRD 106482`, `S000002839`. */
  text: string
  /** The place of the entry: `line 3 of watch.txt`. */
  place: string
} & (
  | { kind: 'cik'; cik: string }
  | { kind: 'crd'; crd: string }
  | { kind: 'series' | 'class'; id: string }
  | { kind: 'ticker'; readings: readonly Ticker[] }
)

export interface WatchList {
  /** The option that gives the list. */
  option: '--cik' | '--watch'
  entries: readonly Entry[]
  /** Number of entries that repeat an earlier entry. */
  repeated: number
}

/** Maximum size of a list in bytes: a million lines of sixteen characters. */
const SIZE_MAX = 16_000_000
/** Number of lines that are named in an error. */
const SHOWN = 10

const FORMS = 'a CIK (320193), a ticker (AAPL), "CRD 106482", or the id of a fund’s series or class (S000002839)'

/**
 * Returns the list that the options give; undefined if they give none.
 *
 * @throws UserError if both are given, if the file cannot be read, if the list is empty, and for a line that cannot be
 * an entry. A typing error in a list must not cause less to be loaded than its author expects.
 */
export async function watchListOf(options: { cik?: string; watch?: string }): Promise<WatchList | undefined> {
  if (options.cik !== undefined && options.watch !== undefined)
    throw new UserError('--cik and --watch both choose filers: give only one of them')
  if (options.cik !== undefined) {
    const parts = options.cik.split(',').map((text, at) => ({ text, place: `entry ${at + 1} of --cik` }))
    return listOf('--cik', parts, '--cik')
  }
  if (options.watch === undefined) return undefined
  const lines = linesOf(await readList(options.watch))
  return listOf(
    '--watch',
    lines.map((text, at) => ({ text, place: `line ${at + 1} of ${options.watch}` })),
    options.watch,
  )
}

async function readList(file: string): Promise<string> {
  try {
    const { size } = await stat(file)
    if (size > SIZE_MAX) throw new UserError(`${file} has ${size} bytes, and a watch list may have at most ${SIZE_MAX}`)
    return textOf(await readFile(file))
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError(`the watch list ${file} cannot be read: ${messageOf(cause)}`, { cause })
  }
}

const linesOf = (text: string) => text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)

/** Reads entries. Comments begin with `#`; blank entries are skipped. */
export function listOf(
  option: WatchList['option'],
  parts: readonly { text: string; place: string }[],
  source: string,
): WatchList {
  const entries = new Map<string, Entry>()
  const wrong: string[] = []
  let read = 0
  for (const { text, place } of parts) {
    const written = text.replace(/#.*$/s, '').trim()
    if (written === '') continue
    const entry = entryOf(written, place)
    if (entry === null) wrong.push(`${place}, ${JSON.stringify(excerpt(written, 40))}`)
    else if (!entries.has(entry.text)) entries.set(entry.text, entry)
    read++
  }
  if (wrong.length > 0) {
    const more = wrong.length > SHOWN ? `; and ${wrong.length - SHOWN} more` : ''
    throw new UserError(`not a valid entry: ${wrong.slice(0, SHOWN).join('; ')}${more}; write ${FORMS}`)
  }
  if (entries.size === 0) throw new UserError(`${source} names no filer: write ${FORMS}`)
  return { option, entries: [...entries.values()], repeated: read - entries.size }
}

/** Reads one entry; returns null if the text cannot be an entry. */
export function entryOf(written: string, place: string): Entry | null {
  const [, label, digits] = /^(?:(CIK|CRD)[ :#]?\s*)?(\d+)$/i.exec(written) ?? []
  if (digits !== undefined) {
    if (label?.toUpperCase() === 'CRD') {
      const number = crd(digits)
      return number ? { kind: 'crd', crd: number, text: `CRD ${number}`, place } : null
    }
    const number = cik(digits)
    return number ? { kind: 'cik', cik: number, text: number, place } : null
  }
  const [, letter, id] = /^([SC])(\d{9})$/i.exec(written) ?? []
  if (letter !== undefined) {
    const text = `${letter.toUpperCase()}${id}`
    return { kind: letter.toUpperCase() === 'S' ? 'series' : 'class', id: text, text, place }
  }
  const readings = tickersOf(written)
  const [first] = readings
  return first && /[A-Z]/.test(first.root) ? { kind: 'ticker', readings, text: first.key, place } : null
}
