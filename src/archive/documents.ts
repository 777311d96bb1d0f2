/** Documents of archived submissions: their bytes out of the archive, else out of the cache; and their text. */
import { createHash } from 'node:crypto'
import { HttpError } from '../declare/errors.ts'
import { type DocumentText, READERS } from '../read/readable.ts'
import { type DocumentEntry, decodeDocument } from '../read/sgml/submission.ts'
import { digestOfCode } from '../store/code.ts'
import { queue } from './in-turn.ts'
import { placeOf } from './keep.ts'
import { CorruptEntry, type Store } from './store.ts'
import type { StoredSubmission } from './submissions.ts'

/** A larger document is made text while no other large one is: as text it takes some times its bytes. */
const LARGE = 4 * 1024 * 1024

/** Digest of the code that makes text of documents: what other code made is made again. */
export const textVersion = () =>
  (version ??= createHash('sha256').update(READERS.map(digestOfCode).join()).digest('hex'))
let version: string | undefined

/** Another process may empty the cache between the fetch and the first byte; more often than this it is too small. */
const TRIES = 3

interface Places {
  store: Store
  /** Whole submissions; null where nothing is ever left out of the archive. */
  cache: Store | null
  /** Fetches the whole submission into the cache. @throws HttpError 503 where EDGAR serves another one by now */
  fetchAgain: (submission: StoredSubmission) => Promise<void>
}

export interface Documents {
  /** Fetches a document that is neither in the archive nor in the cache, so that it can be read. */
  bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void>
  /** Decoded bytes of one document; `unwrapped` drops the XML or XBRL tags around it. */
  document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options?: { unwrapped?: boolean },
  ): AsyncGenerator<Buffer>
  /** One document as text, made once and kept beside the archive. `bring` may be another than ours. */
  text(submission: StoredSubmission, entry: DocumentEntry, bring?: Documents['bring']): Promise<DocumentText>
}

export function documents({ store, cache, fetchAgain }: Places): Documents {
  const inTurn = queue()

  async function bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void> {
    if (placeOf(submission, entry) !== null) return
    if (!(await cache!.has(submission.sha256))) await fetchAgain(submission)
  }

  async function* document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options: { unwrapped?: boolean } = {},
  ): AsyncGenerator<Buffer> {
    const place = placeOf(submission, entry)
    if (place === null) return yield* decodeDocument(fetched(submission, entry), entry, options)
    const held = submission.kept ?? submission.sha256
    try {
      yield* decodeDocument(store.read(held, place), entry, options)
    } catch (error) {
      if (error instanceof CorruptEntry) await store.quarantine(held)
      throw error
    }
  }

  /** The bytes of a document that the archive left out. */
  async function* fetched(submission: StoredSubmission, entry: DocumentEntry): AsyncGenerator<Buffer> {
    for (let tries = 1; ; tries++) {
      await bring(submission, entry)
      let isBegun = false
      try {
        for await (const chunk of cache!.read(submission.sha256, { start: entry.start, end: entry.end })) {
          isBegun = true
          yield chunk
        }
        return
      } catch (error) {
        if (!(error instanceof CorruptEntry)) throw error
        await cache!.quarantine(submission.sha256)
        if (isBegun || tries === TRIES) throw error
      }
    }
  }

  async function text(
    submission: StoredSubmission,
    entry: DocumentEntry,
    brought: Documents['bring'] = bring,
  ): Promise<DocumentText> {
    const key = { sha256: submission.sha256, name: `text-${entry.seq}`, version: textVersion() }
    return store.derived.get(key, async () => {
      await brought(submission, entry)
      const read = async () => {
        // 19 MB of memory that an ingest of tables does not need.
        const { readText } = await import('../read/document-text.ts')
        return readText(entry, document(submission, entry, { unwrapped: true }))
      }
      return entry.size > LARGE ? inTurn(read) : read()
    })
  }

  return { bring, document, text }
}

/** EDGAR serves another submission than the one that was read: what is known of it is read anew. */
export class Replaced extends HttpError {
  constructor(accession: string) {
    super(503, `EDGAR serves ${accession} otherwise than when it was read; ask again`, { 'retry-after': '1' })
  }
}
