/** Selects the documents of one filing by role, and reads its rows in a separate process. */

import type { Submissions } from '../archive/submissions.ts'
import type { FilingsDataset, FilingsSource, ParsedRow } from '../declare/dataset.ts'
import { type FilingHeader, isNamed, isTyped, type Role } from '../declare/documents.ts'
import type { StoredSubmission } from '../declare/ports.ts'
import type { Limits } from '../read/apart/call.ts'
import { callApart, Thrown } from '../read/apart/process.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import type { Problem } from '../read/xml.ts'
import { Stopped } from './failures.ts'
import {
  type Given,
  InDocument,
  named,
  nameOf,
  type ParseJob,
  type Question,
  type ReadFiling,
  type TextAnswer,
} from './parsing.ts'
import type { Task } from './queue.ts'

/** Documents by role. */
export type RoleDocuments = readonly (readonly [string, Role, DocumentEntry])[]

/**
 * The documents of a filing that its dataset reads or may request.
 *
 * @throws Error that names the role and its rule, if a required document is missing
 */
export function documentsOf({ documents: roles }: FilingsSource, submission: StoredSubmission): RoleDocuments {
  const { documents, accession, header } = submission
  return Object.entries(roles).flatMap(([role, wanted]) => {
    if (wanted.reads) return documents.filter(wanted.reads).map((entry) => [role, wanted, entry] as const)
    const found = documents.find((entry) => isNamed(entry, wanted)) ?? documents.find((entry) => isTyped(entry, wanted))
    if (found) return [[role, wanted, found] as const]
    if (wanted.optional) return []
    const cutOff = header.cutOff ? `: ${header.cutOff}` : ''
    throw new Error(`${accession} has no document ${wanted.name ?? wanted.type} (${role})${cutOff}`)
  })
}

/** The notes that a reading returns in addition to its rows. */
export interface ReadingNotes {
  unreadPaths: string[]
  problems: Problem[]
}

/** A filing to be read. */
export interface ToRead {
  task: Task
  dataset: FilingsDataset
  submission: StoredSubmission
  /** The documents of the filing that are read or may be requested. */
  found: RoleDocuments
  /** Whether the bytes of the filing's documents are sent with the job. */
  isSmall: boolean
}

interface Reading {
  submissions: Submissions
  /** Aborting the signal ends the reading at once. */
  signal: AbortSignal | undefined
  limits: Partial<Limits>
}

const PARSER = new URL('parsing.ts', import.meta.url)

/** Number of bytes sent with a job; null if a document that is read has to be requested. */
export function sentOf({ documents }: ParseJob): number | null {
  let sum = 0
  for (const { bytes, json } of documents) {
    const sent = json ?? bytes
    if (!sent) return null
    sum += sent.length
  }
  return sum
}

/**
 * Yields the rows of a filing in the order of its parser. Reads nothing before the first row is requested.
 *
 * @param notes is filled when all rows have been read
 * @param made the job for the process, if known already
 * @throws Error of the parser; Excessive or Died of its process; Stopped. An error that concerns one of several
 *   documents is wrapped in InDocument
 */
export async function* rowsOf(
  wanted: ToRead,
  notes: ReadingNotes,
  { submissions, signal, limits }: Reading,
  made?: ParseJob,
): AsyncGenerator<ParsedRow> {
  const answers = new Answers(wanted, submissions)
  const job = made ?? (await jobOf(wanted, submissions))
  const stop = new AbortController()
  const call = callApart<ReadFiling>(
    { module: PARSER, name: 'parseFiling', input: job },
    {
      answer: (question: Question) => answers.to(question),
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      limits,
    },
  )
  const ended = call.then(
    (read) => {
      notes.unreadPaths.push(...read.unreadPaths)
      notes.problems.push(...read.problems)
      return { rows: read.rows }
    },
    async (error) => ({ error: await answers.failed(error, signal) }),
  )
  try {
    for (;;) {
      const next = await Promise.race([answers.rows(), ended])
      if ('error' in next) throw next.error
      yield* next.rows
      if (!('taken' in next)) return
      next.taken()
    }
  } finally {
    stop.abort(new Error('no more rows of the filing are needed'))
  }
}

/** Maximum total size of the texts that are sent with a job. */
const TEXTS_MAX = 1024 * 1024

/**
 * Makes the job for a process that is to read a filing, with the bytes or texts of the filing's documents if these are
 * small.
 */
export async function jobOf(wanted: ToRead, submissions: Submissions): Promise<ParseJob> {
  const { dataset, submission, found, isSmall } = wanted
  const { documents: roles, parse } = dataset.source
  const [module] = [dataset.parser].flat()
  const texts = found.reduce((sum, [, { reader }, { size }]) => sum + (reader === 'lazy' ? size : 0), 0)
  const documents = await Promise.all(
    found.map(async ([role, { reader }, entry]): Promise<Given> => {
      if (reader === 'lazy') {
        const json = texts <= TEXTS_MAX ? await submissions.kept(submission, entry) : null
        return json ? { role, entry, json } : { role, entry }
      }
      if (!isSmall) return { role, entry }
      const bytes = submissions.document(submission, entry, { unwrapped: true })
      return { role, entry, bytes: Buffer.concat(await Array.fromAsync(named(bytes, entry))) }
    }),
  )
  return {
    parser: { module: module!.href, name: parse.name },
    header: headerOf(wanted),
    roles: Object.fromEntries(Object.entries(roles).map(([role, { reader }]) => [role, reader])),
    documents,
  }
}

function headerOf({ task, dataset: { slug, source }, submission: { header, accession } }: ToRead): FilingHeader {
  const { effectiveDate, items, filers, series, periodOfReport: period } = header
  const [filer] = filers
  const { form_type: form, filed_date: filedDate } = task
  const family = source.familyOf?.(form) ?? slug
  const { cik = null, name = null } = filer ?? {}
  return { accession, form, family, filedDate, cik, name, period, effectiveDate, items, filers, series }
}

/** Restores an error of a parser, with the class that it had in the process. */
export const ofFiling = (error: Thrown): Error =>
  error.kind === InDocument.name ? new InDocument(error.message) : error

/** A piece of rows from the process, and the function that lets the process continue. */
interface Piece {
  rows: ParsedRow[]
  taken: () => void
}

/** Answers the requests of the process while it reads a filing. */
class Answers {
  readonly #wanted: ToRead
  readonly #submissions: Submissions
  readonly #streams: AsyncIterator<Buffer>[] = []
  /** Texts that the process is extracting, by the index of their document. */
  readonly #making = new Map<number, PromiseWithResolvers<Uint8Array>>()
  readonly #texts: Promise<unknown>[] = []
  #piece = Promise.withResolvers<Piece>()

  constructor(wanted: ToRead, submissions: Submissions) {
    this.#wanted = wanted
    this.#submissions = submissions
  }

  /** Waits for the next piece of rows. */
  rows(): Promise<Piece> {
    return this.#piece.promise
  }

  async to(question: Question): Promise<unknown> {
    if ('rows' in question) return this.#take(question.rows)
    if ('chunk' in question) {
      const { value, done } = await this.#streams[question.chunk]!.next()
      return done ? null : value
    }
    if ('open' in question) {
      const entry = this.#entry(question.open)
      const bytes = this.#submissions.document(this.#wanted.submission, entry, { unwrapped: true })
      return this.#streams.push(named(bytes, entry)) - 1
    }
    if (!('made' in question)) return this.#text(question.text)
    this.#making.get(question.made)?.resolve(question.packed)
    this.#making.delete(question.made)
    return null
  }

  #entry(at: number): DocumentEntry {
    return this.#wanted.found[at]![2]
  }

  #take(rows: ParsedRow[]): Promise<null> {
    const { promise, resolve } = Promise.withResolvers<null>()
    const piece = this.#piece
    this.#piece = Promise.withResolvers<Piece>()
    piece.resolve({ rows, taken: () => resolve(null) })
    return promise
  }

  /**
   * Sends a stored text. A text that is not stored is extracted by the process that requested it: the process gets the
   * bytes, and the text that it extracts is stored.
   */
  #text(at: number): Promise<TextAnswer> {
    const entry = this.#entry(at)
    const answer = Promise.withResolvers<TextAnswer>()
    const text = this.#submissions.packed(this.#wanted.submission, entry, (make) => {
      const made = Promise.withResolvers<Uint8Array>()
      this.#making.set(at, made)
      answer.resolve({ make })
      return made.promise
    })
    this.#texts.push(text)
    text.then(
      ({ packed, json }) => answer.resolve(json ? { json } : { packed }),
      (error) => answer.reject(new InDocument(nameOf(entry), { cause: error })),
    )
    return answer.promise
  }

  /**
   * Converts an error of a call to an error of the filing. If the text of a document was being made, the new error
   * names this document. If that text exceeded a limit, the archive remembers this.
   */
  async failed(error: unknown, signal: AbortSignal | undefined): Promise<unknown> {
    const [making] = this.#making.keys()
    for (const made of this.#making.values()) made.reject(error)
    await Promise.allSettled(this.#texts)
    if (signal?.aborted) return new Stopped('stopped', { cause: signal.reason })
    if (error instanceof Thrown) return ofFiling(error)
    if (making === undefined) return error
    return new InDocument(nameOf(this.#entry(making)), { cause: error })
  }
}
