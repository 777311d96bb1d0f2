/** A store with a bound: what was used longest ago goes first. Any number of processes may share it. */
import { lutimes, rm } from 'node:fs/promises'
import path from 'node:path'
import { isOwn } from './own.ts'
import { diskStore, type Store } from './store.ts'

/** Folder of the cache in the archive. */
export const CACHE = 'cache'

/** A process looks at the whole cache when it wrote so much of the bound since it last looked … */
const LOOK = 1 / 20
/** … and then leaves so much of it: three processes that write at once stay below the bound. */
const FULL = 1 - 3 * LOOK

/**
 * Entries as `diskStore` keeps them. The time of a file says when it was last used, so that each process sees what the
 * others use. A file that goes while it is read is read to its end; one that goes before is missing, as any may be.
 *
 * @param sizeMax of all entries on disk, in bytes; each process may be a twentieth beyond it
 */
export function boundedStore(root: string, sizeMax: number, now: () => number = Date.now): Store {
  const store = diskStore(root, now)
  /** Bytes written since the cache was last looked at; the first write looks at what others left. */
  let unseen = Number.POSITIVE_INFINITY
  let looking: Promise<void> = Promise.resolve()

  const fileOf = (sha256: string) => path.join(root, sha256.slice(0, 2), `${sha256}.zst`)

  async function use(sha256: string): Promise<boolean> {
    const at = new Date(now())
    const file = fileOf(sha256)
    return (await isOwn(root, file)) && lutimes(file, at, at).then(() => true, absent)
  }

  /** Removes the entries that were used longest ago, but for the one that was just written. */
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
    // It is fetched again, and what is set aside would not count as a part of the cache.
    async quarantine(sha256) {
      await store.remove(sha256)
    },
    async put(body) {
      const put = await store.put(body)
      // Its time is that of the clock that was passed in, as of all others.
      await use(put.sha256)
      unseen += (await store.sizeOf(put.sha256)) ?? 0
      if (unseen > sizeMax * LOOK) {
        looking = looking.then(() => makeRoom(put.sha256))
        await looking
      }
      return put
    },
  }
}

function absent(error: NodeJS.ErrnoException): false {
  if (error.code === 'ENOENT') return false
  throw error
}
