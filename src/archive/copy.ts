/** Copies an archive between its folder and a bucket, and compares entries with their digests. */
import path from 'node:path'
import { BucketError, DiskError, messageOf } from '../declare/errors.ts'
import { entriesOf, faultOf, fetchInto, nameOf, putFile } from './bucket.ts'
import type { Objects } from './objects.ts'
import { CorruptEntry, diskStore, type Store, type StoredEntry } from './store.ts'

/** The outcome for one entry. */
export interface Handled {
  sha256: string
  size: number
  state: 'copied' | 'present' | 'sound' | 'failed'
  /** Why the entry failed; null if it did not fail. */
  reason: string | null
}

/**
 * Number of entries that are handled at once. The time for a small entry is the wait for its requests, and several
 * entries can wait at the same time.
 */
const AT_ONCE = 8

/**
 * Copies the entries of a folder that the bucket lacks, or has with another size. Each entry is compared with its
 * digest before it is put into the bucket. Afterwards it is read from the bucket and compared again.
 *
 * @param archive the folder
 */
export async function* copyToBucket(archive: string, objects: Objects): AsyncGenerator<Handled> {
  const disk = diskStore(archive)
  let folder = ''
  let listed: Promise<Map<string, number>>
  // `entries` yields one folder after the other, so one list of the bucket serves all entries of a folder.
  const isPresent = async ({ sha256, size }: StoredEntry) => {
    const own = `${sha256.slice(0, 2)}/`
    if (own !== folder) listed = sizesBelow(objects, own)
    folder = own
    return (await listed).get(nameOf(sha256)) === size
  }
  const copy = async (sha256: string) => {
    for await (const _ of disk.read(sha256)) {
      // `read` compares the digest after the last chunk.
    }
    await putFile(objects, sha256, path.join(archive, nameOf(sha256)))
    const fault = await faultOf(objects, sha256)
    if (fault !== null) throw new Error(`${objects.address}${nameOf(sha256)} was not stored correctly: ${fault}`)
  }
  yield* each(disk.entries(), async (entry) => {
    if (await isPresent(entry)) return 'present'
    await copy(entry.sha256)
    return 'copied'
  })
}

async function sizesBelow(objects: Objects, folder: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { name, size } of objects.list(folder)) sizes.set(name, size)
  return sizes
}

/**
 * Copies the entries of a bucket that a folder lacks. They do not go through the cache of the bucket, which would need
 * the same room once more.
 *
 * @throws DiskError if the folder cannot be written: the next entry could not be written either
 */
export async function* copyFromBucket(objects: Objects, archive: string): AsyncGenerator<Handled> {
  const disk = diskStore(archive)
  const copy = async ({ sha256 }: StoredEntry) => {
    if (await disk.has(sha256)) return 'present'
    const wrong = await fetchInto(disk, objects, sha256)
    if (wrong !== null) throw new CorruptEntry(sha256, `${objects.address}${nameOf(sha256)}`, wrong)
    return 'copied'
  }
  yield* each(entriesOf(objects), copy, (error) => error instanceof DiskError)
}

/**
 * Reads every entry of the archive, and compares it with its digest. An archive in a bucket is read from the bucket
 * itself, and not from the cache.
 */
export async function* verify(store: Store, objects: Objects | null): AsyncGenerator<Handled> {
  yield* each(store.entries(), async ({ sha256 }) => {
    if (objects === null) {
      for await (const _ of store.read(sha256)) {
        // `read` compares the digest after the last chunk.
      }
      return 'sound'
    }
    const fault = await faultOf(objects, sha256)
    if (fault !== null) throw new CorruptEntry(sha256, `${objects.address}${nameOf(sha256)}`, fault)
    return 'sound'
  })
}

/**
 * Handles several entries at once, and yields each when it is done. If one entry fails, the others are still handled.
 *
 * @param isLast whether an error of one entry ends the work
 * @throws BucketError if the bucket refuses us, and errors for which `isLast` is true
 */
async function* each(
  entries: AsyncIterable<StoredEntry>,
  handle: (entry: StoredEntry) => Promise<Exclude<Handled['state'], 'failed'>>,
  isLast: (error: unknown) => boolean = () => false,
): AsyncGenerator<Handled> {
  const running = new Map<string, Promise<Handled>>()
  const next = async () => {
    const done = await Promise.race(running.values())
    running.delete(done.sha256)
    return done
  }
  try {
    for await (const entry of entries) {
      const { sha256, size } = entry
      const handled = handle(entry).then(
        (state) => ({ sha256, size, state, reason: null }),
        (error): Handled => {
          if ((error instanceof BucketError && !error.isPassing) || isLast(error)) throw error
          return { sha256, size, state: 'failed', reason: messageOf(error) }
        },
      )
      // If the promise of one entry rejects, the loop ends before the others are awaited. A rejection of these must not
      // end the process.
      handled.catch(() => {})
      running.set(sha256, handled)
      if (running.size >= AT_ONCE) yield await next()
    }
    while (running.size > 0) yield await next()
  } catch (error) {
    // The others remove their temporary files when they fail.
    await Promise.allSettled(running.values())
    throw error
  }
}
