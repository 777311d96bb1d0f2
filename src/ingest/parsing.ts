/** Reads one filing in a separate process: documents in, rows out. */
import type { FilingsSource, ParsedRow } from '../declare/dataset.ts'
import type { FiledDocument, FilingHeader, Reader, Tell } from '../declare/documents.ts'
import type { Caller } from '../read/apart/call.ts'
import { makeText, type ToMake } from '../read/document-made.ts'
import { NOTHING, Source } from '../read/encoding.ts'
import { pack, unpack } from '../read/packed.ts'
import type { DocumentText } from '../read/readable.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import { Element, type Limits, type Problem, parseStream, parse as parseXml } from '../read/xml.ts'

const MB = 1024 * 1024

/**
 * Limits of a document that is read whole; larger documents must be read record by record. The document with the most
 * nodes among the real documents of all forms, an N-CEN, has 24,000 nodes.
 */
const LIMITS: Limits = { sizeMax: 16 * MB, nodesMax: 100_000 }

/** A document as its reader receives it. */
export interface Given {
  role: string
  entry: DocumentEntry
  /** The content of a small document; for a larger document this is missing, and its content is requested. */
  bytes?: Uint8Array
  /**
   * JSON of the document's text, if the text is stored and small: requesting such a text would take as long as reading
   * it.
   */
  json?: Uint8Array
}

export interface ParseJob {
  /** The parser: a module and the name of its export. */
  parser: { module: string; name: string }
  header: FilingHeader
  /** All roles that the dataset declares, with the reader of each. */
  roles: Readonly<Record<string, Reader>>
  /** The documents of the filing, in the order of the roles. */
  documents: readonly Given[]
}

/** Requests to the calling process. Documents are identified by their index in the job. */
export type Question =
  /** Opens a document; the answer is the number of the opened stream. */
  | { open: number }
  /** Requests the next bytes of a stream; the answer is null at its end. */
  | { chunk: number }
  /** Requests the text of a document; the answer may instead be the source from which the text must be made. */
  | { text: number }
  /** Delivers the extracted text, packed. */
  | { made: number; packed: Uint8Array }
  | { rows: ParsedRow[] }

/** A large text in packed form, the JSON of a smaller text, or the source from which the text must be extracted. */
export type TextAnswer = { packed: Uint8Array } | { json: Uint8Array } | { make: ToMake }

/** The notes that a reading returns in addition to its rows, and those rows that have not been sent before. */
export interface ReadFiling {
  rows: ParsedRow[]
  unreadPaths: string[]
  problems: Problem[]
}

/** An error in one of several documents. The message names the document. */
export class InDocument extends Error {}

export const nameOf = (entry: DocumentEntry): string => entry.filename ?? `document ${entry.seq}`

/** Number of rows that are sent in one piece. 500 lines of a portfolio take half a megabyte. */
const ROWS = 500
/** Maximum number of problems that are kept of a filing. Further problems would add no information. */
const PROBLEMS_MAX = 1_000

/** Reads a filing. The rows are sent in pieces while the filing is read; the last piece is in the result. */
export async function parseFiling(job: ParseJob, caller: Caller): Promise<ReadFiling> {
  const reading: ReadFiling = { rows: [], unreadPaths: [], problems: [] }
  const parse = (await caller.load(job.parser.module, job.parser.name)) as FilingsSource['parse']
  let given: Promise<unknown> = Promise.resolve()
  for await (const row of rowsOf(job, parse, reading, caller)) {
    reading.rows.push(row)
    if (reading.rows.length < ROWS) continue
    // One piece is being sent while the next piece is read.
    await given
    given = caller.request({ rows: reading.rows } satisfies Question)
    given.catch(() => {})
    reading.rows = []
  }
  await given
  return reading
}

async function* rowsOf(
  job: ParseJob,
  parse: FilingsSource['parse'],
  reading: ReadFiling,
  caller: Caller,
): AsyncGenerator<ParsedRow> {
  const documents: Record<string, unknown> = {}
  const roots: Element[] = []
  for (const [role, reader] of Object.entries(job.roles)) {
    const read = await documentFor(role, reader, job, caller)
    documents[role] = read
    if (read instanceof Element) roots.push(read)
  }
  const tell = notingInto(reading)
  yield* parse({ documents, header: job.header, tell })
  for (const root of roots) tell({ problems: root.problems(), unread: root.unread() })
}

/** The parser's input for a role; null if the filing has no document for it. */
async function documentFor(role: string, reader: Reader, job: ParseJob, caller: Caller): Promise<unknown> {
  const places = job.documents.flatMap((given, at) => (given.role === role ? [at] : []))
  if (reader === 'lazy') return places.map((at) => lazyOf(job, at, caller))
  const [at] = places
  if (at === undefined) return null
  const { entry } = job.documents[at]!
  if (reader === 'stream') return named(bytesOf(job, at, caller), entry)
  return within<Element | string>(entry, () =>
    reader === 'xml' ? treeOf(job, at, caller) : textOf(bytesOf(job, at, caller), entry),
  )
}

function lazyOf(job: ParseJob, at: number, caller: Caller): FiledDocument {
  const { entry } = job.documents[at]!
  return {
    entry,
    text: () => within(entry, () => madeText(job, at, caller)),
    bytes: () => named(bytesOf(job, at, caller), entry),
  }
}

const notingInto =
  (reading: ReadFiling): Tell =>
  ({ problems = [], unread = [] }) => {
    for (const problem of problems) {
      if (reading.problems.length > PROBLEMS_MAX) break
      const isKept = reading.problems.length < PROBLEMS_MAX
      reading.problems.push(isKept ? problem : { ...problem, value: '', reason: 'and more problems from here on' })
    }
    reading.unreadPaths.push(...unread)
  }

/** Returns the stored text; if there is none, makes the text here and sends it to be stored. */
async function madeText({ documents }: ParseJob, at: number, caller: Caller): Promise<DocumentText> {
  const { json } = documents[at]!
  const answer: TextAnswer = json ? { json } : await caller.request({ text: at } satisfies Question)
  const text = await textIn(answer, caller)
  if ('make' in answer) await caller.request({ made: at, packed: pack(text) } satisfies Question)
  if (text.format === null && text.excessive) throw new Error(text.reason)
  return text
}

async function textIn(answer: TextAnswer, caller: Caller): Promise<DocumentText> {
  if ('make' in answer) return makeText(answer.make, caller)
  return 'json' in answer ? JSON.parse(bufferOf(answer.json).toString()) : unpack(answer.packed)
}

async function* bytesOf({ documents }: ParseJob, at: number, caller: Caller): AsyncGenerator<Buffer> {
  const { bytes } = documents[at]!
  if (bytes) {
    yield bufferOf(bytes)
    return
  }
  const stream = await caller.request<number>({ open: at } satisfies Question)
  for (;;) {
    const chunk = await caller.request<Uint8Array | null>({ chunk: stream } satisfies Question)
    if (chunk === null) return
    yield bufferOf(chunk)
  }
}

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)

async function treeOf(job: ParseJob, at: number, caller: Caller): Promise<Element> {
  const { bytes } = job.documents[at]!
  return bytes ? parseXml(bufferOf(bytes), LIMITS) : parseStream(bytesOf(job, at, caller), LIMITS)
}

async function textOf(bytes: AsyncIterable<Buffer>, { size }: DocumentEntry): Promise<string> {
  if (size > LIMITS.sizeMax!) throw new Error(`has ${size} bytes, more than the ${LIMITS.sizeMax} that are read whole`)
  const decoder = new Source()
  let text = ''
  for await (const piece of bytes) text += decoder.next(piece)
  return text + decoder.next(NOTHING, true)
}

async function within<T>(entry: DocumentEntry, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new InDocument(nameOf(entry), { cause: error })
  }
}

export async function* named(bytes: AsyncIterable<Buffer>, entry: DocumentEntry): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    throw new InDocument(nameOf(entry), { cause: error })
  }
}
