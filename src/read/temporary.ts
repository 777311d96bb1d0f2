/** Temporary files, which no other process sees. */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface TemporaryFile {
  file: FileHandle
  /** Writes bytes after the last bytes. @returns the place of the bytes in the file */
  append(bytes: Uint8Array): Promise<{ from: number; to: number }>
  /** Closes the file, which is then gone. */
  close(): Promise<void>
}

/**
 * Opens an empty temporary file for reading and writing.
 *
 * @param kind a word for its name
 * @param use the use of such files, for errors: `zips are read`
 * @throws Error that names the folder and its setting, if the folder is missing or full
 */
export async function temporaryFile(kind: string, use: string): Promise<TemporaryFile> {
  const folder = await mkdtemp(path.join(tmpdir(), `openfilings-${kind}-`)).catch((error) => {
    throw ofTemporary(use, error)
  })
  const remove = () => rm(folder, { recursive: true, force: true })
  const file = await open(path.join(folder, 'file'), 'wx+').catch(async (error) => {
    await remove()
    throw ofTemporary(use, error)
  })
  // An open file can be read after its name is removed, so a killed process leaves nothing. Windows does not allow
  // this.
  if (process.platform !== 'win32') await remove()
  let end = 0
  return {
    file,
    async append(bytes) {
      const from = end
      end += bytes.length
      for (let at = 0; at < bytes.length; ) {
        const written = await file.write(bytes, at, bytes.length - at, from + at).catch((error) => {
          throw ofTemporary(use, error)
        })
        at += written.bytesWritten
      }
      return { from, to: end }
    },
    async close() {
      await file.close()
      await remove()
    },
  }
}

/** Reads bytes of a file. @throws Error if the file ends before the last byte */
export async function bytesAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(to - from)
  for (let read = 0; read < bytes.length; ) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, from + read)
    if (bytesRead === 0) throw new Error(`the file ends at byte ${from + read}, before byte ${to}`)
    read += bytesRead
  }
  return bytes
}

/**
 * Makes an error whose message names the folder for temporary files and the variable that sets it. The error has the
 * code of its cause, since a run stops at an error with a code of the system (`ENOSPC`).
 */
const ofTemporary = (use: string, cause: NodeJS.ErrnoException) =>
  Object.assign(new Error(`${use} in ${tmpdir()}; let TMPDIR name a folder with room for them`, { cause }), {
    code: cause.code,
  })
