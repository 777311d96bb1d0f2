/**
 * Restores a whole submission that was read from a daily archive of EDGAR. At the address of the filing, EDGAR serves
 * the same documents under another header, so the documents that were left out are taken from that address.
 */

import type { StoredSubmission } from '../declare/ports.ts'
import { Pieces } from '../read/pieces.ts'
import { type DocumentEntry, readSubmission } from '../read/sgml/submission.ts'
import { CorruptEntry, type Store } from './store.ts'

/**
 * Puts the whole submission into the cache, under the digest with which it was read.
 *
 * @param whole digest of the cached bytes that EDGAR serves at the address of the filing
 * @returns false if the submission cannot be restored from those bytes, for example because they have other documents
 */
export async function recompose(
  { store, cache }: { store: Store; cache: Store },
  stored: StoredSubmission,
  whole: string,
): Promise<boolean> {
  try {
    const { documents } = await readSubmission(cache.read(whole))
    const holes = stored.documents
      .filter(({ seq }) => stored.dropped.includes(seq))
      .map((hole) => ({ hole, from: documents.find((other) => isAlike(hole, other)) }))
    if (stored.kept === null || !holes.every((one): one is Hole => one.from !== undefined)) return false
    const { sha256 } = await cache.put(woven(store.read(stored.kept), cache.read(whole), holes))
    if (sha256 === stored.sha256) return true
    await cache.remove(sha256)
    return false
  } catch (error) {
    // The cache may have been emptied, or the archive may be damaged. The caller then fetches the submission again.
    if (error instanceof CorruptEntry || error instanceof Otherwise) return false
    throw error
  }
}

interface Hole {
  hole: DocumentEntry
  from: DocumentEntry
}

class Otherwise extends Error {}

const isAlike = (one: DocumentEntry, other: DocumentEntry) =>
  one.seq === other.seq &&
  one.type === other.type &&
  one.filename === other.filename &&
  one.end - one.start === other.end - other.start

/** Merges the archived documents with those that were left out. The documents are in the same order in both streams. */
async function* woven(kept: AsyncIterable<Buffer>, whole: AsyncIterable<Buffer>, holes: readonly Hole[]) {
  const cut = () => new Otherwise('it has fewer bytes')
  const own = new Pieces(kept, cut)
  const other = new Pieces(whole, cut)
  let [at, otherAt] = [0, 0]
  try {
    for (const { hole, from } of holes.toSorted((a, b) => a.hole.start - b.hole.start)) {
      if (from.start < otherAt) throw new Otherwise('its documents have another order')
      yield* own.next(hole.start - at)
      await other.skip(from.start - otherAt)
      yield* other.next(from.end - from.start)
      ;[at, otherAt] = [hole.end, from.end]
    }
    yield* own.rest()
  } finally {
    await Promise.all([own.close(), other.close()])
  }
}
