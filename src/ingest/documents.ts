/** The documents of one filing by role, and its rows as they are read. */
import type { StoredSubmission, Submissions } from '../archive/submissions.ts'
import type { EveryDocument, ParsedRow, SeveralDocuments } from '../declare/dataset.ts'
import type { About, Parts, Role } from '../declare/documents.ts'
import { isNamed, isTyped } from '../declare/kept.ts'
import { NOTHING, Source } from '../read/encoding.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import { Element, type Limits, type Problem, parseStream } from '../read/xml.ts'
import type { Task } from './queue.ts'

const MB = 1024 * 1024

/** Larger forms are to be read record by record; the richest real document of any form, an N-CEN, has 24,000 nodes. */
export const LIMITS: Limits = { sizeMax: 16 * MB, nodesMax: 100_000 }

/** By role. */
type Found = readonly (readonly [string, Role, DocumentEntry])[]

/**
 * The documents of a filing that its dataset reads.
 *
 * @throws Error naming the role and what it is found by, where one is missing that is not optional
 */
export function documentsOf({ documents: roles }: SeveralDocuments, submission: StoredSubmission): Found {
  const { documents, accession, header } = submission
  return Object.entries(roles).flatMap(([role, wanted]) => {
    const found = documents.find((entry) => isNamed(entry, wanted)) ?? documents.find((entry) => isTyped(entry, wanted))
    if (found) return [[role, wanted, found] as const]
    if (wanted.optional) return []
    const cutOff = header.cutOff ? `: ${header.cutOff}` : ''
    throw new Error(`${accession} has no document ${wanted.name ?? wanted.type} (${role})${cutOff}`)
  })
}

export const nameOf = (entry: DocumentEntry): string => entry.filename ?? `document ${entry.seq}`

/** What a reading told beside its rows. */
export interface Told {
  unreadPaths: string[]
  problems: Problem[]
}

/** More than this many of one filing say nothing new. */
const TOLD_MAX = 1_000

/**
 * Rows of a filing in the order in which its parser yields them; nothing is read before the first is asked for.
 *
 * @param told is filled, completely once the rows ended
 */
export async function* rowsOf(
  task: Task,
  source: SeveralDocuments,
  { submission, found, told }: { submission: StoredSubmission; found: Found; told: Told },
  submissions: Submissions,
): AsyncGenerator<ParsedRow> {
  const roots: Element[] = []
  const documents: Record<string, unknown> = Object.fromEntries(
    Object.keys(source.documents).map((role) => [role, null]),
  )
  for (const [role, { reader }, entry] of found) {
    const bytes = submissions.document(submission, entry, { unwrapped: true })
    if (reader === 'stream') documents[role] = named(bytes, entry)
    else {
      const read: Element | string = await within(entry, async () =>
        reader === 'xml' ? parseStream(bytes, LIMITS) : textOf(bytes, entry),
      )
      documents[role] = read
      if (read instanceof Element) roots.push(read)
    }
  }
  const about = aboutOf(task, submission, told)
  yield* source.parse({ ...about, documents: documents as Parts['documents'] })
  for (const root of roots) about.tell({ problems: root.problems(), unread: root.unread() })
}

/** As `rowsOf`, of a dataset that reads whatever documents there are. */
export async function* rowsOfEvery(
  task: Task,
  source: EveryDocument,
  { submission, told }: { submission: StoredSubmission; told: Told },
  submissions: Submissions,
): AsyncGenerator<ParsedRow> {
  const documents = submission.documents.map((entry) => ({
    entry,
    text: () => within(entry, () => submissions.text(submission, entry)),
    bytes: () => named(submissions.document(submission, entry, { unwrapped: true }), entry),
  }))
  const { accession, form_type: form } = task
  const { header } = submission
  const family = source.familyOf(form)
  yield* source.parseEvery({ ...aboutOf(task, submission, told), accession, family, header, documents })
}

function aboutOf(task: Task, { header }: StoredSubmission, told: Told): About {
  const [filer] = header.filers
  return {
    form: task.form_type,
    filedDate: task.filed_date,
    cik: filer?.cik ?? null,
    name: filer?.name ?? null,
    period: header.periodOfReport,
    tell: ({ problems = [], unread = [] }) => {
      told.problems.push(...[...problems].slice(0, TOLD_MAX))
      told.unreadPaths.push(...unread)
    },
  }
}

/** What went wrong in one document of several, which its message names. */
export class InDocument extends Error {}

async function within<T>(entry: DocumentEntry, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    throw new InDocument(nameOf(entry), { cause: error })
  }
}

async function* named(bytes: AsyncIterable<Buffer>, entry: DocumentEntry): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    throw new InDocument(nameOf(entry), { cause: error })
  }
}

async function textOf(bytes: AsyncIterable<Buffer>, { size }: DocumentEntry): Promise<string> {
  if (size > LIMITS.sizeMax!) throw new Error(`has ${size} bytes, more than the ${LIMITS.sizeMax} that are read whole`)
  const decoder = new Source()
  let text = ''
  for await (const piece of bytes) text += decoder.next(piece)
  return text + decoder.next(NOTHING, true)
}
