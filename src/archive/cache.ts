/**
 * A store with a size limit: entries that were used longest ago are removed first. Any number of processes may share
 * it.
 */
import { lutimes, rm } from 'node:fs/promises'
import path from 'node:path'
import { mutex } from './mutex.ts'
import { isOwn } from './own.ts'
import { type DiskStore, diskStore } from './store.ts'

/** Folder of the cache in the archive. */
export const CACHE = 'cache'

/** A process examines the whole cache each time that it has written more than this share of the limit. */
const LOOK = 1 / 20
/**
 * It then removes entries until at most this share of the limit is in use. So three processes that write at once stay
 * below the limit.
 */
const FULL = 1 - 3 * LOOK

/**
 * Keeps entries as `diskStore` does. The time of a file is the time of its last use. So each process sees which files
 * the others use. A file that is removed while it is being read is still read to its end. If a file is removed before
 * it is read, the entry is missing, as any entry of a cache may be.
 *
 * @param sizeMax limit of all entries on disk, in bytes. Three processes that write at once stay below it; each further
 *   process may add a twentieth
 */
export function boundedStore(root: string, sizeMax: number, now: () => number = Date.now): DiskStore {
  const store = diskStore(root, now)
  /**
   * Number of bytes written since the cache was last examined. It is infinite at first, so that the first write
   * examines the files that other processes left.
   */
  let unseen = Number.POSITIVE_INFINITY
  const oneByOne = mutex()

  const fileOf = (sha256: string) => path.join(root, sha256.slice(0, 2), `${sha256}.zst`)

  async function use(sha256: string): Promise<boolean> {
    const at = new Date(now())
    const file = fileOf(sha256)
    return (await isOwn(root, file)) && lutimes(file, at, at).then(() => true, absent)
  }

  /**
   * Removes the entries that were used longest ago, except the one that was just written, until at most `FULL` of the
   * limit is in use.
   */
  async function makeRoom(but: string): Promise<void> {
    unseen = 0
    const entries = await Array.fromAsync(store.entries())
    let size = entries.reduce((sum, entry) => sum + entry.size, 0)
    if (size <= sizeMax * FULL) return
    for (const { sha256, size: own } of entries.sort((a, b) => a.writtenAt - b.writtenAt)) {
      if (size <= sizeMax * FULL) break
      if (sha256 === but) continue
      await rm(fileOf(sha256), { force: true })
      size -= own
    }
  }

  return {
    ...store,
    has: use,
    // Removes the entry, since it can be fetched again. A file that is moved aside would take disk space that does not
    // count towards the limit.
    async quarantine(sha256) {
      await store.remove(sha256)
    },
    async put(body, confirm) {
      const put = await store.put(body, confirm)
      // Sets the time of the entry by the clock that was passed in, like the times of all other entries.
      await use(put.sha256)
      unseen += (await store.sizeOf(put.sha256)) ?? 0
      if (unseen > sizeMax * LOOK) await oneByOne(() => makeRoom(put.sha256))
      return put
    },
  }
}

function absent(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false
  throw error
}
