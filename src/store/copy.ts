/** Writes records into Postgres by COPY. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Transaction } from './db.ts'

/** Characters of COPY text that are gathered for one write. */
const CHUNK_SIZE = 1 << 16

/**
 * Runs `copy … from stdin` with records, given as arrays in the order of `columns`, in batches. Names must be trusted,
 * since they become part of the SQL text.
 *
 * @returns how many records were sent
 * @throws the database's error, whose `where` names line and column; the transaction then continues from its savepoint
 */
export async function copy(
  tx: Transaction,
  target: string,
  columns: readonly string[],
  batches: Iterable<readonly (readonly unknown[])[]> | AsyncIterable<readonly (readonly unknown[])[]>,
): Promise<number> {
  let count = 0
  async function* chunks() {
    let text = ''
    for await (const batch of batches) {
      for (const record of batch) {
        text += copyLine(record)
        count++
        if (text.length < CHUNK_SIZE) continue
        yield text
        text = ''
      }
    }
    if (text !== '') yield text
  }
  const source = chunks()
  // Opening COPY without a record costs a round trip per table, and most filings fill few of their dataset's tables.
  const first = await source.next()
  if (first.done) return 0
  async function* all() {
    yield first.value as string
    yield* source
  }
  const sink = await tx.unsafe(`copy ${target} (${columns.join(', ')}) from stdin`).writable()
  if (sink.errored) throw sink.errored
  await pipeline(Readable.from(all()), sink)
  return count
}

/** Does the same as `copy` with lines that `copyLine` made. Each text of `lines` has one or more such lines. */
export async function copyLines(
  tx: Transaction,
  target: string,
  columns: readonly string[],
  lines: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  const sink = await tx.unsafe(`copy ${target} (${columns.join(', ')}) from stdin`).writable()
  if (sink.errored) throw sink.errored
  await pipeline(Readable.from(lines), sink)
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
// Few texts have a character that must be escaped: testing for such a character first takes a quarter less time for a
// line.
const escaped = (text: string) => (/[\\\n\r\t]/.test(text) ? text.replace(/[\\\n\r\t]/g, (c) => escapes[c]!) : text)

/** One record in COPY's text format. */
export function copyLine(record: readonly unknown[]): string {
  return `${record.map(copyField).join('\t')}\n`
}

/** One value of a record in COPY's text format. */
export function copyField(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return escaped(arrayLiteral(value))
  throw new TypeError(`COPY cannot hold a ${typeof value}: pass JSON as text`)
}

const arrayLiteral = (values: readonly string[]) =>
  `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
