/** How much room an archive takes. */
import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as others } from 'node:timers/promises'

/** Folder of what is made out of entries. */
export const DERIVED = 'derived'
/** Folders whose files are not needed: they can be made or fetched again. */
const SPARE = [DERIVED, 'cache']

/**
 * How many bytes an archive takes on disk, without what is derived of its entries or was fetched again for a while. Digests spread evenly over its folders, so an archive that cannot be walked in
 * `lookMs` is estimated from the folders that were.
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

/** One after the other and at once: a promise for each file takes five times as long. */
const bytesOf = (folder: string): number =>
  (there(() => readdirSync(folder)) ?? []).reduce(
    (sum, name) => sum + (statSync(`${folder}/${name}`, { throwIfNoEntry: false })?.size ?? 0),
    0,
  )

/** Null where it is gone meanwhile. */
function there<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return null
  }
}
