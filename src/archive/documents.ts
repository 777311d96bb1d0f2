/**
 * Reads documents of archived submissions. A document that the archive left out is read from the cache of whole
 * submissions.
 */
import type { StoredSubmission } from '../declare/ports.ts'
import { type DocumentEntry, decodeDocument } from '../read/sgml/submission.ts'
import { placeOf } from './keep.ts'
import { CorruptEntry, type Store } from './store.ts'

/**
 * Maximum number of fetches for one read: another process may empty the cache between the fetch and the first byte. If
 * another process empties it every time, the cache is too small.
 */
const TRIES = 3

interface Places {
  store: Store
  /** Cache of whole submissions; null if the archive keeps everything. */
  cache: Store | null
  /** Looks up the current facts about a submission. */
  find: (accession: string) => Promise<StoredSubmission | null>
  /** Fetches the whole submission into the cache. @throws HttpError 503 if EDGAR now serves a different submission */
  fetchAgain: (submission: StoredSubmission) => Promise<void>
}

export interface Documents {
  /**
   * Makes a document readable: if it is neither in the archive nor in the cache, fetches its whole submission into the
   * cache.
   */
  bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void>
  /** Decoded bytes of one document; `unwrapped` drops the XML or XBRL tags around it. */
  document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options?: { unwrapped?: boolean },
  ): AsyncGenerator<Buffer>
}

export function documents({ store, cache, find, fetchAgain }: Places): Documents {
  async function bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void> {
    if (placeOf(submission, entry) !== null) return
    if (!(await cache!.has(submission.sha256))) await fetchAgain(submission)
  }

  async function* document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options: { unwrapped?: boolean } = {},
  ): AsyncGenerator<Buffer> {
    const bytes = placeOf(submission, entry) === null ? fetched(submission, entry) : archived(submission, entry)
    yield* decodeDocument(bytes, entry, options)
  }

  /** Yields the bytes of a document that the archive keeps. */
  async function* archived(submission: StoredSubmission, entry: DocumentEntry): AsyncGenerator<Buffer> {
    const held = submission.kept ?? submission.sha256
    let isBegun = false
    try {
      for await (const chunk of store.read(held, placeOf(submission, entry)!)) {
        isBegun = true
        yield chunk
      }
    } catch (error) {
      if (!(error instanceof CorruptEntry)) throw error
      await store.quarantine(held)
      // After `submission` was looked up, `prune` may have replaced its entry by another entry with fewer documents.
      const now = isBegun ? null : await find(submission.accession)
      if (now?.sha256 !== submission.sha256 || (now.kept ?? now.sha256) === held) throw error
      yield* placeOf(now, entry) === null ? fetched(now, entry) : archived(now, entry)
    }
  }

  /** Yields the bytes of a document that the archive left out. */
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

  return { bring, document }
}
