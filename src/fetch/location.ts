/** Checks paths on an EDGAR host, and opens the same paths in a local folder. */
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import path from 'node:path'
import { EdgarError } from './answer.ts'

/**
 * Returns the path if it may be requested. Paths come from index files, so they are untrusted.
 *
 * @throws EdgarError `refused` in these cases: a full URL; `..`, `//`, a backslash, a control character or a fragment;
 *   a percent-encoded dot, slash, backslash or control character; percent signs that cannot be decoded
 */
export function checkedPath(given: string): string {
  const [name = ''] = given.split('?', 1)
  const bad =
    !name.startsWith('/') ||
    name.includes('..') ||
    name.includes('//') ||
    /[\x00-\x1f\x7f\\#]/.test(given) ||
    /%(?:[01][0-9a-f]|2[ef]|5c|7f)/i.test(name) ||
    !isDecodable(name)
  if (bad) throw new EdgarError('refused', `not a path that may be requested: ${JSON.stringify(given.slice(0, 200))}`)
  return given
}

function isDecodable(name: string): boolean {
  try {
    return decodeURIComponent(name) !== ''
  } catch {
    return false
  }
}

export interface OpenFile {
  handle: FileHandle
  sizeBytes: number
  modified: Date
}

/**
 * Opens the regular file at `urlPath` in the folder `root`. Returns null if there is no such file, or if the path has a
 * query. The caller closes the handle.
 *
 * @throws EdgarError `refused` for a bad path or a symbolic link that leads out of the folder
 */
export async function openBelow(root: string, urlPath: string): Promise<OpenFile | null> {
  if (checkedPath(urlPath).includes('?')) return null
  const segments = decodeURIComponent(urlPath).split('/')
  const top = await realpath(root)
  const file = await realpath(path.join(top, ...segments)).catch(absent)
  if (file === null) return null
  if (!(file + path.sep).startsWith(top.endsWith(path.sep) ? top : top + path.sep)) {
    throw new EdgarError('refused', `${urlPath} is a link that leads out of the folder`)
  }
  // Checks the type first, since opening a named pipe would wait for a writer.
  if (!(await stat(file)).isFile()) return null
  const handle = await open(file, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  const { size, mtime } = await handle.stat()
  return { handle, sizeBytes: size, modified: mtime }
}

function absent(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR' || error.code === 'ENAMETOOLONG') return null
  throw error
}
