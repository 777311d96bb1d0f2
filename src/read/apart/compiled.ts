/** Where the processes keep what Node compiled for them: reading and compiling the sources is most of their start. */
import { lstatSync, mkdirSync } from 'node:fs'
import module from 'node:module'
import path from 'node:path'

let other: string | null = null

/**
 * Says where they keep it when this process keeps nothing: where a package is installed, or its folder is read-only.
 *
 * @param folder is made; one that others may write is not used, since code is loaded out of it
 */
export function keepCompiledIn(folder: string): void {
  other = folder
}

/** Null where they have no such folder. */
export function compiledFolder(): string | null {
  const own = module.getCompileCacheDir()
  // Node keeps each version's in a folder below.
  if (own !== undefined) return path.dirname(own)
  if (other === null) return null
  try {
    mkdirSync(other, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(other)
    const user = process.geteuid?.()
    return user === undefined || (uid === user && (mode & 0o022) === 0) ? other : null
  } catch {
    // It cannot be made: they start without.
    return null
  }
}
