/** A store with a bound: what was used longest ago goes first. Any number of processes may share it. */
import { lstat, lutimes, readdir, rm } from 'node:fs/promises'
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
    const entries = await entriesOf(root)
    let size = entries.reduce((sum, entry) => sum + entry.size, 0)
    if (size <= sizeMax * FULL) return
    for (const entry of entries.sort((a, b) => a.used - b.used)) {
      if (size <= sizeMax * FULL) break
      if (entry.file === but) continue
      await rm(entry.file, { force: true })
      size -= entry.size
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
      const file = fileOf(put.sha256)
      // Its time is that of the clock that was passed in, as of all others.
      await use(put.sha256)
      unseen += (await lstat(file).catch(gone))?.size ?? 0
      if (unseen > sizeMax * LOOK) {
        looking = looking.then(() => makeRoom(file))
        await looking
      }
      return put
    },
  }
}

/** What else lies there is not ours to remove. */
const ENTRY = /^[0-9a-f]{64}\.zst$/

interface Entry {
  file: string
  size: number
  /** When it was last used. */
  used: number
}

async function entriesOf(root: string): Promise<Entry[]> {
  const entries: Entry[] = []
  for (const folder of await readdir(root).catch(() => [])) {
    if (!/^[0-9a-f]{2}$/.test(folder) || !(await isOwn(root, path.join(root, folder, '_')))) continue
    for (const name of await readdir(path.join(root, folder)).catch(() => [])) {
      if (!ENTRY.test(name)) continue
      const file = path.join(root, folder, name)
      const found = await lstat(file).catch(gone)
      if (found) entries.push({ file, size: found.size, used: found.mtimeMs })
    }
  }
  return entries
}

const gone = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}
const absent = (error: NodeJS.ErrnoException): false => gone(error) ?? false
