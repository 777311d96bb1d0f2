/** Texts of archived documents: made once in a separate process, and cached in the archive. */
import { createHash } from 'node:crypto'
import { apiError } from '../declare/api-errors.ts'
import type { LargeText, ReadSubmissions, StoredSubmission } from '../declare/ports.ts'
import type { Limits } from '../read/apart/call.ts'
import { callApart, Died } from '../read/apart/process.ts'
import { NoProcess } from '../read/apart/start.ts'
import { type Make, makeApart, readPacked } from '../read/document-text.ts'
import { type DocumentText, READERS } from '../read/readable.ts'
import type { Section } from '../read/sections.ts'
import type { ToFind } from '../read/sections-made.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import { digestOfCode } from '../store/code.ts'
import type { Packed } from './derived.ts'
import { mutex } from './mutex.ts'
import type { Store } from './store.ts'

/**
 * Documents above this size are turned into text one after the other. Each takes several times its size in memory.
 */
const LARGE = 4 * 1024 * 1024

const SECTIONS = new URL('../read/sections-made.ts', import.meta.url)

/** Digest of the code that turns documents into text. Texts that other code made are made again. */
const textVersion = () => (version ??= digestOf(READERS))
let version: string | undefined

/** Digest of the code that finds sections in texts. */
const sectionsVersion = () => (ofSections ??= digestOf([...READERS, SECTIONS]))
let ofSections: string | undefined

/** Versions of the results that this code stores for documents. */
export const textVersions = () => [textVersion(), sectionsVersion()]

const digestOf = (modules: readonly URL[]) =>
  createHash('sha256').update(modules.map(digestOfCode).join()).digest('hex')

export interface Texts extends Pick<ReadSubmissions, 'sections' | 'call'> {
  /**
   * Returns one document as text.
   *
   * @param how `bring` fetches the document if `document` cannot read it yet; `make` makes the text, by default in a
   *   process of its own
   */
  packed(
    submission: StoredSubmission,
    entry: DocumentEntry,
    how: { bring: () => Promise<void>; make?: Make | undefined },
  ): Promise<Packed>
  /** JSON of the text if it was made before and is not large, else null. */
  kept(submission: StoredSubmission, entry: DocumentEntry): Promise<Buffer | null>
}

interface Parts {
  store: Store
  document: ReadSubmissions['document']
  limits: Partial<Limits>
}

export function textsOf({ store, document, limits }: Parts): Texts {
  const exclusively = mutex()

  const packed: Texts['packed'] = (submission, entry, { bring, make = makeApart(limits) }) => {
    const key = keyOf(submission, entry)
    const read = () => readPacked(entry, document(submission, entry, { unwrapped: true }), make)
    const made = store.derived.packed(key, async () => {
      await bring()
      return entry.size > LARGE ? exclusively(read) : read()
    })
    return unlessDied(made)
  }

  const sections: Texts['sections'] = (submission, entry, read, kind) => {
    const { sha256 } = submission
    const key = { sha256, name: `sections-${kind}-${entry.seq}`, version: sectionsVersion() }
    const text = read.format === 'packed' ? { packed: read.packed } : { markdown: read.markdown }
    const input: ToFind = { ...text, kind }
    const find = () => callApart<Section[]>({ module: SECTIONS, name: 'findSections', input }, { limits })
    return unlessDied(store.derived.get(key, find))
  }

  const kept: Texts['kept'] = (submission, entry) => store.derived.json(keyOf(submission, entry))

  return { packed, kept, sections, call: (what) => unlessDied(callApart(what, { limits })) }
}

const keyOf = ({ sha256 }: StoredSubmission, { seq }: DocumentEntry) => ({
  sha256,
  name: `text-${seq}`,
  version: textVersion(),
})

/** The text in a form that the thread for requests may handle: parsed if it is small, packed if it is large. */
export function givenOf({ packed, json }: Packed): DocumentText | LargeText {
  if (json === null) return { format: 'packed', packed }
  return JSON.parse(json.toString()) as DocumentText
}

/**
 * Answers 503 if the separate process died or could not be started. The document is not necessarily unreadable: another
 * try may succeed.
 */
async function unlessDied<T>(made: Promise<T>): Promise<T> {
  return made.catch((error) => {
    const isOurs = error instanceof Died || error instanceof NoProcess
    if (!isOurs) throw error
    throw apiError('document_unreadable', { what: 'document', reason: error.message }, { 'retry-after': '5' })
  })
}
