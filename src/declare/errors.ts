/** Errors of commands, and errors as one line. Errors of the API are in `api-errors.ts`. */

/** A mistake of the user of a command: printed as one line without a stack, with exit status 1. */
export class UserError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UserError'
  }
}

/**
 * All attempts of a request to the bucket of the archive have failed. This error has no `code` of the operating system.
 * An error with such a code may be taken for an outage of the database, and a run waits for the end of such an outage.
 * While the bucket cannot be reached, filings fail one by one instead, and the run continues.
 */
export class BucketError extends Error {
  /**
   * Whether a later try may succeed. False for a refusal that every other call would get too, such as 403 for a wrong
   * key.
   */
  readonly isPassing: boolean
  constructor(message: string, { isPassing }: { isPassing: boolean }) {
    super(message)
    this.name = 'BucketError'
    this.isPassing = isPassing
  }
}

/** Reasons for which a disk refuses a file, each with what the operator can do. */
const OF_DISK: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full: make room',
  EDQUOT: 'the disk quota of this user is used up: make room',
  EROFS: 'its disk is read-only: make the disk writable',
  EACCES: 'this user has no right to do so: give the folder and all of its files to the user of the service',
  EPERM: 'this user has no right to do so: give the folder and all of its files to the user of the service',
  EIO: 'its disk has a fault: check the disk',
  ESTALE: 'its disk was detached: mount the disk again',
}

/**
 * The disk refuses a file: it is full or read-only, for example. The error has the `code` of the operating system,
 * because an error with such a code ends a run. The message says which folder is meant and what to do.
 */
export class DiskError extends Error {
  readonly code: string
  constructor(what: string, code: string, message: string) {
    super(`${what}: ${OF_DISK[code]} (${message})`)
    this.name = 'DiskError'
    this.code = code
  }
}

/**
 * Returns a `DiskError` if the error is a refusal of the disk, and otherwise the error itself.
 *
 * @param what what cannot be done: `the archive /data/archive cannot be written`
 */
export function refusalOfDisk(what: string, error: unknown): unknown {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown }
  if (error instanceof DiskError || typeof code !== 'string' || !(code in OF_DISK) || typeof syscall !== 'string')
    return error
  return new DiskError(what, code, messageOf(error))
}

/**
 * One line for a log or a task: the message of the error, and the message of its cause if there is one. For a database
 * error, its `where` names the place: `COPY issuer, line 1, column year_of_incorporation: "99999999999"`.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, where } = error as { code?: unknown; where?: unknown }
  const message = error.message || String(code ?? error.name)
  const own = typeof where === 'string' ? `${message} (${where.split('\n')[0]})` : message
  return error.cause === undefined ? own : `${own}: ${messageOf(error.cause)}`
}
