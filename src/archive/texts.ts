/** Texts of documents in the archive: made once in a process of their own, and kept beside it. */
import { createHash } from 'node:crypto'
import { unavailable } from '../declare/errors.ts'
import type { Limits } from '../read/apart/call.ts'
import { callApart, Died } from '../read/apart/process.ts'
import { NoProcess } from '../read/apart/start.ts'
import { type Make, makeApart, readText } from '../read/document-text.ts'
import type { Markdown } from '../read/made-markdown.ts'
import { type DocumentText, READERS } from '../read/readable.ts'
import type { Section, SectionKind } from '../read/sections.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import { digestOfCode } from '../store/code.ts'
import { queue } from './in-turn.ts'
import type { Store } from './store.ts'
import type { StoredSubmission, Submissions } from './submissions.ts'

/** A larger document is made text while no other large one is: as text it takes some times its bytes. */
const LARGE = 4 * 1024 * 1024

const SECTIONS = new URL('../read/sections-made.ts', import.meta.url)

/** Digest of the code that makes text of documents: what other code made is made again. */
const textVersion = () => (version ??= digestOf(READERS))
let version: string | undefined

/** The same of the code that finds sections in texts. */
const sectionsVersion = () => (ofSections ??= digestOf([...READERS, SECTIONS]))
let ofSections: string | undefined

/** Versions of what is kept of documents, as this code makes it. */
export const textVersions = () => [textVersion(), sectionsVersion()]

const digestOf = (modules: readonly URL[]) =>
  createHash('sha256').update(modules.map(digestOfCode).join()).digest('hex')

export interface Texts {
  /**
   * One document as text.
   *
   * @param how `bring` brings it where `document` has it not; `make` makes the text, by default in a process of its own
   */
  text(
    submission: StoredSubmission,
    entry: DocumentEntry,
    how: { bring: () => Promise<void>; make?: Make | undefined },
  ): Promise<DocumentText>
  /**
   * The sections of a document's text, found once and kept as the text is.
   *
   * @throws Excessive, HttpError 503 as `text`
   */
  sections(
    submission: StoredSubmission,
    entry: DocumentEntry,
    markdown: Markdown,
    kind: SectionKind,
  ): Promise<Section[]>
}

interface Parts {
  store: Store
  document: Submissions['document']
  limits: Partial<Limits>
}

export function textsOf({ store, document, limits }: Parts): Texts {
  const inTurn = queue()

  const text: Texts['text'] = (submission, entry, { bring, make = makeApart(limits) }) => {
    const key = { sha256: submission.sha256, name: `text-${entry.seq}`, version: textVersion() }
    const read = () => readText(entry, document(submission, entry, { unwrapped: true }), make)
    const made = store.derived.get(key, async () => {
      await bring()
      return entry.size > LARGE ? inTurn(read) : read()
    })
    return unlessDied(made)
  }

  async function sections(submission: StoredSubmission, entry: DocumentEntry, markdown: Markdown, kind: SectionKind) {
    const { sha256 } = submission
    const key = { sha256, name: `sections-${kind}-${entry.seq}`, version: sectionsVersion() }
    const call = { module: SECTIONS, name: 'findSections', input: { markdown, kind } }
    const find = () => callApart<Section[]>(call, { limits })
    return unlessDied(store.derived.get(key, find))
  }

  return { text, sections }
}

/** A process that was ended from outside says nothing of what it read: another try may succeed. */
async function unlessDied<T>(made: Promise<T>): Promise<T> {
  return made.catch((error) => {
    const isOurs = error instanceof Died || error instanceof NoProcess
    throw isOurs ? unavailable(`this document cannot be read now: ${error.message}`, 5) : error
  })
}
