/**
 * Classifies failures: whether a failure ends the whole run or only affects a filing, line or record, and whether it is
 * temporary.
 */

import { ArchivedMeanwhile } from '../archive/record.ts'
import { CorruptEntry } from '../archive/store.ts'
import { BucketError, messageOf } from '../declare/errors.ts'
import { EdgarError, isPassing } from '../fetch/answer.ts'
import { NoProcess } from '../read/apart/start.ts'
import { SubmissionError } from '../read/sgml/submission.ts'
import { Overtaken } from '../store/overtaken.ts'
import { isOfDataCode } from '../store/refused.ts'

/** The error for a filing that was being read when a signal stopped the run. */
export class Stopped extends Error {}

/** Whether the signal caused the error. An error that only coincides with a stop has another cause. */
export const isOfStop = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true &&
  (error === signal.reason || (error instanceof Error && error.cause !== undefined && isOfStop(error.cause, signal)))

/** Kinds of EDGAR's refusals that apply to every filing alike. */
const REFUSALS: readonly EdgarError['kind'][] = ['throttled', 'configuration']

const SQLSTATE = /^[0-9A-Z]{5}$/
/** Codes of the system (`ENOSPC`, `ECONNRESET`) and of the driver (`CONNECTION_CLOSED`). */
const OF_SYSTEM = /^(E(?!RR_)[A-Z0-9]+|CONNECTION_\w+|CONNECT_TIMEOUT)$/

/**
 * Whether the failure would affect everything else in the run. Examples: the database or the disk is unavailable, the
 * database is of a newer version, EDGAR or the bucket of the archive refuses us, no process can be started, or the run
 * was stopped.
 */
export function endsRun(error: unknown): boolean {
  if (error instanceof EdgarError) return REFUSALS.includes(error.kind)
  if (error instanceof BucketError) return !error.isPassing
  if (error instanceof Stopped || error instanceof NoProcess || error instanceof Overtaken) return true
  if (!(error instanceof Error) || error instanceof CorruptEntry) return false
  const code = ownCode(error)
  return code === null ? endsRun(error.cause) : OF_SYSTEM.test(code) || !isOfDataCode(code)
}

/**
 * SQLSTATE classes of a lost connection (08), and of a server that stops or is not up yet (57P). Also the codes of the
 * driver and the system for a lost connection.
 */
const GONE = /^(08\w{3}|57P\w{2}|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE)$/

/**
 * Whether the database is unavailable at the moment: it restarts, recovers, has no free connection, or its machine
 * cannot be reached. A caller can wait for the database.
 */
export function isAway(error: unknown): boolean {
  // Failures of connections to EDGAR have the same codes, but say nothing about the database.
  if (!(error instanceof Error) || error instanceof EdgarError) return false
  const code = ownCode(error)
  if (code === null) return isAway(error.cause)
  if (CLOSED.test(code)) return false
  return GONE.test(code) || UNREACHABLE.test(code) || (error as NodeJS.ErrnoException).syscall === 'connect'
}

/** Error codes of the driver after this process closed the pool itself. */
const CLOSED = /^CONNECTION_(ENDED|DESTROYED)$/

/**
 * Codes for too many connections (53300), a database that is being recreated (3D000), a password that is being changed
 * (28), and a host that cannot be reached.
 */
const UNREACHABLE = /^(53300|3D000|28\w{3}|E(HOST|NET)\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/

/**
 * Whether a long-running command can try the same again later. This is the case if the database or the disk refuses for
 * now, and the fault is not in one of our statements.
 */
export const canRetryLater = (error: unknown): boolean =>
  isAway(error) ||
  (!(error instanceof EdgarError || error instanceof Overtaken) &&
    endsRun(error) &&
    !OURS.test(codeOf(error)) &&
    !CLOSED.test(codeOf(error)))

/**
 * Codes of our own faults: the database does not understand the statement, or lacks an object that the statement names.
 * Excludes 42501, which means that the role lacks a right.
 */
const OURS = /^(0A|26|34|42)(?!501)\w{3}$/

/** The database's own code for a full disk, also if the disk is `/dev/shm`, where parallel queries share memory. */
const DISK_FULL = '53100'

/**
 * The database's code if the file of a new table exists already: a crash, for example on a full disk, left it. Each try
 * takes the next name, so a later try succeeds.
 */
const FILE_LEFT = '58P02'

/** The disk of the database in messages, if its place is not known. `diskOf` of `database.ts` names the place. */
const SOME_DISK = 'the disk of the database'

const isOfSharedMemory = (message: string): boolean => /shared memory segment/.test(message)

/** What is full, and what to do about it. */
const fullWords = (message: string, disk: string): string =>
  isOfSharedMemory(message)
    ? 'the shared memory of the database server is used up: give its container more ("docker run --shm-size 256m")'
    : `${disk} is full: make room`

/**
 * Returns why a run ended, in words for a person. Returns null for an error that does not end a run. Also returns null
 * for a fault of ours, since the stack of the error must then be shown.
 */
export function endingOf(error: unknown, disk = SOME_DISK): string | null {
  if (!endsRun(error)) return null
  const code = codeOf(error)
  if (GONE.test(code)) return `the database went away: ${messageOf(error)}`
  if (OURS.test(code)) return null
  if (code === DISK_FULL)
    return `${fullWords(messageOf(error), disk)}, then run the same command again (${messageOf(error)})`
  if (code === FILE_LEFT)
    return `a file that a crash of the database left is in the way: run the same command again (${messageOf(error)})`
  if (SQLSTATE.test(code) && !OF_SYSTEM.test(code)) return `the database cannot continue: ${messageOf(error)}`
  return messageOf(error)
}

/** Returns the reason of a failure after which a long-running command tries again by itself, in words for a person. */
export const reasonOf = (error: unknown, disk = SOME_DISK): string =>
  codeOf(error) === DISK_FULL ? `${fullWords(messageOf(error), disk)} (${messageOf(error)})` : messageOf(error)

/**
 * Names the disk that is full: the disk of the database, or a disk of this process, whose folder the error names. Null
 * if no disk is full; the shared memory of the server is not a disk.
 */
export const fullDiskOf = (error: unknown, disk: string): string | null =>
  codeOf(error) === 'ENOSPC'
    ? 'the disk'
    : codeOf(error) === DISK_FULL && !isOfSharedMemory(messageOf(error))
      ? disk
      : null

/** Code of the database or the system; null for any other error. */
function ownCode(error: Error): string | null {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && (SQLSTATE.test(code) || OF_SYSTEM.test(code)) ? code : null
}

/** The code of the error, or of the nearest cause that has one. */
const codeOf = (error: unknown): string => (error instanceof Error ? (ownCode(error) ?? codeOf(error.cause)) : '')

/** Whether a later try may succeed without any intervention. */
export function passes(error: unknown): boolean {
  if (error instanceof EdgarError) return isPassing(error)
  // The reader moved the corrupt entry aside, so the next try fetches it again.
  if (error instanceof CorruptEntry) return true
  // The next try looks the submission up again, and then keeps the documents of both.
  if (error instanceof ArchivedMeanwhile) return true
  if (error instanceof BucketError) return error.isPassing
  // During maintenance, a host may send a page for people or an empty body, even with status 200.
  if (error instanceof SubmissionError) return error.isAnotherPage
  return error instanceof Error && passes(error.cause)
}

/** Whether the error, or one of its causes, is a failure of the archive's bucket. */
export const isOfBucket = (error: unknown): boolean =>
  error instanceof BucketError || (error instanceof Error && isOfBucket(error.cause))
