/**
 * Locates the cache of the code that Node compiled for the processes. Without this cache, reading and compiling the
 * sources takes most of the time of a start.
 */
import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import path from 'node:path'

let other: string | null = null

/**
 * Sets the cache folder for the processes if this process has no such folder, for example because the package is
 * installed or its folder is read-only.
 *
 * @param folder the folder is created if it is absent. Code is loaded from it, so it is not used if other accounts may
 * write to it
 */
export function keepCompiledIn(folder: string): void {
  other = folder
}

/** Returns the cache folder of the processes; null if they have no cache. */
export function compiledFolder(): string | null {
  const own = module.getCompileCacheDir()
  // Node makes a subfolder for each version of Node, and `own` is one of these subfolders: its parent is the cache
  // folder.
  if (own !== undefined) return path.dirname(own)
  if (other === null) return null
  try {
    mkdirSync(other, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(other)
    const user = process.geteuid?.()
    return user === undefined || (uid === user && (mode & 0o022) === 0) ? other : null
  } catch {
    // The folder cannot be created, so the processes start without a cache.
    return null
  }
}
