/** Measures the disk space of an archive. */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as others } from 'node:timers/promises'

/** Folder of results that are computed from entries. */
export const DERIVED = 'derived'
/** Folders whose files are not needed: they can be made or fetched again. */
const SPARE = [DERIVED, 'cache', 'bucket']

/**
 * Returns how many bytes an archive takes on disk, without derived results and without caches. Digests spread evenly
 * over the folders of the archive. So if not all folders can be read in `lookMs`, the size is estimated from the
 * folders that were read.
 */
export async function archiveSize(root: string, lookMs: number): Promise<{ bytes: number; isWhole: boolean }> {
  const entries = there(() => readdirSync(root, { withFileTypes: true })) ?? []
  const folders = entries.flatMap((entry) => (entry.isDirectory() && !SPARE.includes(entry.name) ? entry.name : []))
  const until = performance.now() + lookMs
  let bytes = 0
  let walked = 0
  for (const folder of folders) {
    bytes += bytesOf(path.join(root, folder))
    walked++
    if (performance.now() > until) break
    await others()
  }
  return { bytes: walked === 0 ? 0 : Math.round((bytes * folders.length) / walked), isWhole: walked === folders.length }
}

/** Reads the size of one file after the other synchronously: a promise for each file takes five times as long. */
const bytesOf = (folder: string): number =>
  (there(() => readdirSync(folder)) ?? []).reduce(
    (sum, name) => sum + (statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

/** The result of `look`; null if the file or folder has been removed meanwhile. */
function there<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}
