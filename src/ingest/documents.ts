/** The documents of one filing by role, and its rows as a process of their own reads them. */

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
  type Read,
  type TextAnswer,
} from './parsing.ts'
import type { Task } from './queue.ts'

/** By role. */
export type Found = readonly (readonly [string, Role, DocumentEntry])[]

/**
 * The documents of a filing that its dataset reads, or may ask for.
 *
 * @throws Error naming the role and what it is found by, where one is missing that is not optional
 */
export function documentsOf({ documents: roles }: FilingsSource, submission: StoredSubmission): Found {
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

/** What a reading told beside its rows. */
export interface Told {
  unreadPaths: string[]
  problems: Problem[]
}

/** A filing that is to be read. */
export interface ToRead {
  task: Task
  dataset: FilingsDataset
  submission: StoredSubmission
  /** Its documents that are read, or may be asked for. */
  found: Found
  /** The bytes of those that are read are sent at once. */
  isSmall: boolean
}

interface Reading {
  submissions: Submissions
  /** Ends the reading at once. */
  signal: AbortSignal | undefined
  limits: Partial<Limits>
}

const PARSER = new URL('parsing.ts', import.meta.url)

/** Bytes of what goes with a job; null where something that is read has to be asked for. */
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
 * Rows of a filing in the order in which its parser yields them; nothing is read before the first is asked for.
 *
 * @param told is filled, completely once the rows ended
 * @param made what the process is to do, where that is known
 * @throws Error of the parser, Excessive and Died of its process, Stopped; InDocument with either
 */
export async function* rowsOf(
  wanted: ToRead,
  told: Told,
  { submissions, signal, limits }: Reading,
  made?: ParseJob,
): AsyncGenerator<ParsedRow> {
  const answers = new Answers(wanted, submissions)
  const job = made ?? (await jobOf(wanted, submissions))
  const stop = new AbortController()
  const call = callApart<Read>(
    { module: PARSER, name: 'parseFiling', input: job },
    {
      answer: (question: Question) => answers.to(question),
      signal: signal ? AbortSignal.any([signal, stop.signal]) : stop.signal,
      limits,
    },
  )
  const ended = call.then(
    (read) => {
      told.unreadPaths.push(...read.unreadPaths)
      told.problems.push(...read.problems)
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
    stop.abort(new Error('its rows are not wanted any more'))
  }
}

/** Texts go with a call where their documents have no more bytes. */
const TEXTS_MAX = 1024 * 1024

/** What a process is to do to read a filing, with the bytes or the texts of its documents where they are few. */
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

/** An error of a parser, as the class that it had there. */
export const ofFiling = (error: Thrown): Error =>
  error.kind === InDocument.name ? new InDocument(error.message) : error

/** Rows that the process has given, and what lets it go on. */
interface Piece {
  rows: ParsedRow[]
  taken: () => void
}

/** Answers what the process asks while it reads a filing. */
class Answers {
  readonly #wanted: ToRead
  readonly #submissions: Submissions
  readonly #streams: AsyncIterator<Buffer>[] = []
  /** Texts that the process makes, by the place of their document. */
  readonly #making = new Map<number, PromiseWithResolvers<Uint8Array>>()
  readonly #texts: Promise<unknown>[] = []
  #piece = Promise.withResolvers<Piece>()

  constructor(wanted: ToRead, submissions: Submissions) {
    this.#wanted = wanted
    this.#submissions = submissions
  }

  /** The next piece of rows. */
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

  /** A text that is not kept is made by the process that wants it: its bytes are sent there, and what it made is kept. */
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

  /** What a call's error says of the filing. A document whose text was being made is named, and what is excessive is kept. */
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
