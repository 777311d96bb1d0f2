/**
 * Makes sure that the files of the archive are in the archive's own folders. A link that somebody plants there could
 * make us read, write or remove files elsewhere with our rights. The folder of the archive itself may be a link: that
 * is its owner's choice.
 */
import { constants } from 'node:fs'
import { lstat, mkdir } from 'node:fs/promises'
import path from 'node:path'

/** Flags to open a file of the archive: the open fails with ELOOP if the file is a link. Windows has no such flag. */
export const READ_OWN = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)

/** Yields the folders on the path from the root to this folder, without the root. */
function* folders(root: string, folder: string): Generator<string> {
  let at = root
  for (const name of path.relative(root, folder).split(path.sep)) {
    at = path.join(at, name)
    yield at
  }
}

/**
 * Makes a folder below the root; no part of its path may be a link.
 *
 * @throws Error that names the part that is a link
 */
export async function ownFolder(root: string, folder: string): Promise<void> {
  await mkdir(root, { recursive: true })
  for (const at of folders(root, folder)) {
    await mkdir(at).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    if ((await lstat(at)).isSymbolicLink()) {
      throw new Error(`${at} is a link, and the archive writes nothing through a link: remove the link`)
    }
  }
}

/** Returns false if a folder between the root and the file is a link. A missing folder is not a link. */
export async function isOwn(root: string, file: string): Promise<boolean> {
  for (const at of folders(root, path.dirname(file))) {
    const found = await lstat(at).catch(() => null)
    if (!found) return true
    if (found.isSymbolicLink()) return false
  }
  return true
}
