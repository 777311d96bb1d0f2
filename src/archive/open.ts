/** Opens the store of the archive: its folder, or a bucket with a bounded cache in the folder. */
import path from 'node:path'
import { derivedIn } from './derived.ts'
import { cacheOf, hasEntries, type Place } from './place.ts'
import { DERIVED } from './size.ts'
import { diskStore, type Store } from './store.ts'

export interface Stores {
  /** For loading: a call to a bucket is tried five times, with growing waits. */
  store: Store
  /** For requests: a client does not wait long for a bucket that is unavailable. */
  forRequests: Store
  close(): void
}

/**
 * A request waits at most 10.5 seconds for the first byte of a bucket: 5 seconds in each of two attempts, and half a
 * second between them.
 */
const IMPATIENT = { attempts: 2, timeoutMs: 5_000 }

/**
 * @param archive the folder of the archive
 * @param place the bucket; null if the archive is in its folder
 * @param sizeMax maximum size of the bucket's cache, in bytes
 * @throws UserError if a bucket is named and the client of S3 is not installed
 */
export async function openStores(archive: string, place: Place | null, sizeMax: number): Promise<Stores> {
  if (place === null) {
    const store = diskStore(archive)
    return { store, forRequests: store, close: () => {} }
  }
  // These modules are loaded only if there is a bucket, since most installations keep their archive in its folder.
  const [{ bucketStore }, { openObjects }] = await Promise.all([import('./bucket.ts'), import('./objects.ts')])
  const root = cacheOf(archive, place)
  const derived = derivedIn(archive, path.join(archive, DERIVED), path.join(archive, 'tmp'))
  const all = [openObjects(place), openObjects(place, IMPATIENT)] as const
  const former = hasEntries(archive) ? diskStore(archive) : null
  const [store, forRequests] = all.map((objects) => bucketStore({ objects, root, sizeMax, derived, former })) as [
    Store,
    Store,
  ]
  const close = () => {
    for (const objects of all) objects.close()
  }
  return { store, forRequests, close }
}
