/** The target of an export: standard output, or a file that gets its name only once it is complete. */
import { constants, fstatSync, fsync as fsyncOf, open as openFile, write as writeTo } from 'node:fs'
import { lstat, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { UserError } from '../declare/errors.ts'
import { stoppable } from './stop.ts'

const openAs = promisify(openFile)
const write = promisify(writeTo)
const fsync = promisify(fsyncOf)

export interface Target {
  /** @throws UserError if the disk is full or the reader has gone; the signal's reason if it aborts */
  write(bytes: Uint8Array, signal: AbortSignal): Promise<void>
  /** Bytes written. */
  readonly size: number
  /** Ends the writing. A regular file gets its name now. */
  end(): Promise<void>
  /** Gives up the writing. A regular file that is not complete is removed. */
  discard(): Promise<void>
}

/** The name of standard output. */
export const STANDARD_OUTPUT = '-'

/** Wait before a retry on a terminal that currently accepts nothing, or on a pipe that no reader has opened yet. */
const AGAIN_MS = 5

/**
 * @param file a path, or `-`
 * @throws UserError if the file exists and must not be replaced, or if it cannot be made; the signal's reason if it
 *   aborts
 */
export async function openTarget(file: string, force: boolean, signal: AbortSignal): Promise<Target> {
  if (file === STANDARD_OUTPUT) return standardOutput()
  const there = await stat(file).catch(() => null)
  if (there?.isDirectory()) throw new UserError(`${file} is a folder: name a file in it`)
  // A pipe or a device must not be replaced by a file of the same name, so it is written to directly.
  if (there?.isFIFO()) return piped(await pipeOf(file, signal), file)
  if (there && !there.isFile()) {
    const handle = await open(file, 'w').catch((error) => refuse(file, error))
    return streamed(handle.fd, file, () => handle.close())
  }
  if (there && !force) throw new UserError(`${file} already exists: --force replaces it when the export is complete`)
  // If the name is a link, the file that it points to is replaced.
  return temporary(file, there ? await realpath(file) : file, force)
}

function standardOutput(): Target {
  const name = 'standard output'
  const kind = fstatSync(1)
  return kind.isFIFO() || kind.isSocket() ? piped(1, name) : streamed(1, name, async () => {})
}

/**
 * Opens a named pipe once a reader has opened it. If the pipe were opened in any other way, the process would block
 * until then and would not even handle signals.
 */
async function pipeOf(file: string, signal: AbortSignal): Promise<number> {
  for (;;) {
    try {
      return await openAs(file, constants.O_WRONLY | constants.O_NONBLOCK)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENXIO') refuse(file, error)
    }
    await sleep(AGAIN_MS)
    signal.throwIfAborted()
  }
}

/**
 * Writes to a pipe as to a socket. If a full pipe is written to in any other way, the process blocks and does not even
 * handle signals.
 */
function piped(fd: number, name: string): Target {
  const pipe = new Socket({ fd, readable: false, writable: true })
  pipe.on('error', () => {}) // each write reports the error itself
  let size = 0
  return {
    write: (bytes, signal) =>
      stoppable(signal, (resolve, reject) => {
        pipe.write(bytes, (error) => {
          size += error ? 0 : bytes.length
          error ? reject(error) : resolve()
        })
      }).catch((error) => refuse(name, error)),
    get size() {
      return size
    },
    end: async () => {
      pipe.destroy()
    },
    discard: async () => {
      pipe.destroy()
    },
  }
}

async function temporary(file: string, real: string, force: boolean): Promise<Target> {
  if ((await lstat(real).catch(() => null))?.isSymbolicLink())
    throw new UserError(`${file} is a dangling symbolic link: remove it, or name another file`)
  const part = `${real}.${process.pid}.part`
  const handle = await open(part, 'w').catch((error) => refuse(file, error))
  const target = streamed(handle.fd, file, () => handle.close())
  const discard = async () => {
    await target.discard()
    await rm(part, { force: true })
  }
  return {
    write: target.write,
    discard,
    get size() {
      return target.size
    },
    async end() {
      try {
        // Without this call, a crash of the machine could leave a file with its final name but without its content.
        await fsync(handle.fd)
        await target.end()
        // An export may take an hour, and another export may have made the file meanwhile.
        if (!force && (await lstat(real).catch(() => null)))
          throw new UserError(`${file} was created by another process meanwhile and is left unchanged`)
        await rename(part, real)
      } catch (error) {
        await discard()
        refuse(file, error)
      }
    },
  }
}

function streamed(fd: number, name: string, close: () => Promise<void>): Target {
  let size = 0
  let closing: Promise<void> | undefined
  const end = () => (closing ??= close())
  return {
    async write(bytes, signal) {
      for (let at = 0; at < bytes.length; ) {
        const written = await taken(fd, bytes, at, signal).catch((error) => refuse(name, error))
        at += written
        size += written
      }
    },
    get size() {
      return size
    },
    end,
    discard: () => end().catch(() => {}),
  }
}

async function taken(fd: number, bytes: Uint8Array, at: number, signal: AbortSignal): Promise<number> {
  try {
    return await stoppable<number>(signal, (resolve, reject) => {
      write(fd, bytes, at).then(({ bytesWritten }) => resolve(bytesWritten), reject)
    })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
    await sleep(AGAIN_MS)
    return 0
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota of its owner is used up',
  EFBIG: 'it exceeds the maximum file size there',
  EACCES: 'no permission to write there',
  EPERM: 'no permission to write there',
  EROFS: 'the disk is read-only',
  ENOENT: 'there is no such folder',
  ENOTDIR: 'there is no such folder',
  ENAMETOOLONG: 'its name is too long',
  EPIPE: 'the program that reads it has ended',
  EIO: 'the disk reports an error',
}

/** @throws UserError in plain words if the system refused the operation; any other error unchanged */
function refuse(file: string, error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  const reason = typeof code === 'string' && REASONS[code]
  if (!reason) throw error
  throw new UserError(`${file} cannot be written: ${reason} (${code})`)
}
