/** Errors of commands, and errors as one line. Errors of the API are in `api-errors.ts`. */

/** A mistake of the user of a command: printed as one line without a stack, with exit status 1. */
export class UserError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UserError'
  }
}

/**
 * All attempts of a request to the bucket of the archive have failed. This error has no `code` of the operating system,
 * because an error with such a code may be taken for an outage of the database, for which a run waits. While the bucket
 * cannot be reached, filings fail one by one instead, and the run continues.
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
