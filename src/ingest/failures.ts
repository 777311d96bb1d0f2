/** What a failure is about: the whole run, or only the filing, line or record at hand; and whether it will pass. */

import { CorruptEntry } from '../archive/store.ts'
import { messageOf } from '../declare/errors.ts'
import { EdgarError, isPassing } from '../fetch/answer.ts'
import { NoProcess } from '../read/apart/start.ts'
import { Overtaken } from '../store/overtaken.ts'
import { isOfDataCode } from '../store/refused.ts'

/** The run was asked to end while a filing was read. */
export class Stopped extends Error {}

/** EDGAR gives this answer to every filing. */
const REFUSALS: readonly EdgarError['kind'][] = ['throttled', 'configuration']

const SQLSTATE = /^[0-9A-Z]{5}$/
/** `ENOSPC` and `ECONNRESET` are the system's codes, `CONNECTION_CLOSED` is the driver's. */
const OF_SYSTEM = /^(E(?!RR_)[A-Z0-9]+|CONNECTION_\w+|CONNECT_TIMEOUT)$/

/**
 * Whether nothing else of the run can be expected to go better: the database or the disk is not there or of a newer version,
 * EDGAR refuses us, no process can be started, or somebody wants it to end.
 */
export function endsRun(error: unknown): boolean {
  if (error instanceof EdgarError) return REFUSALS.includes(error.kind)
  if (error instanceof Stopped || error instanceof NoProcess || error instanceof Overtaken) return true
  if (!(error instanceof Error) || error instanceof CorruptEntry) return false
  const code = ownCode(error)
  return code === null ? endsRun(error.cause) : OF_SYSTEM.test(code) || !isOfDataCode(code)
}

/** SQLSTATE classes and codes of a connection that is gone: it was lost (08), or the server stops or is not up yet (57P). */
const GONE = /^(08\w{3}|57P\w{2}|CONNECTION_\w+|CONNECT_TIMEOUT|ECONN\w+|EPIPE)$/

/**
 * Whether the database is not there at the moment: it restarts, recovers, has no connection left, or its machine is out of
 * reach. It can be waited for.
 */
export function isAway(error: unknown): boolean {
  // What broke on the way to EDGAR has the same codes.
  if (!(error instanceof Error) || error instanceof EdgarError) return false
  const code = ownCode(error)
  if (code === null) return isAway(error.cause)
  if (CLOSED.test(code)) return false
  return GONE.test(code) || UNREACHABLE.test(code) || (error as NodeJS.ErrnoException).syscall === 'connect'
}

/** We closed the pool ourselves. */
const CLOSED = /^CONNECTION_(ENDED|DESTROYED)$/

/** Too many connections (53300), a database that is made anew (3D000), a password that changes (28), no way to the host. */
const UNREACHABLE = /^(53300|3D000|28\w{3}|E(HOST|NET)\w+|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/

/**
 * Whether whoever goes on for days can do the same again later: the database or the disk refuses for now, and no statement
 * of ours is to blame.
 */
export const isOfPlace = (error: unknown): boolean =>
  isAway(error) ||
  (!(error instanceof EdgarError || error instanceof Overtaken) &&
    endsRun(error) &&
    !OURS.test(codeOf(error)) &&
    !CLOSED.test(codeOf(error)))

/** The database does not understand the statement, or lacks what it names; 42501 is a right that the role lacks. */
const OURS = /^(0A|26|34|42)(?!501)\w{3}$/

/** Why a run ended, in words for a person. Null for a fault of ours, whose stack is wanted. */
export function endingOf(error: unknown): string | null {
  if (!endsRun(error)) return null
  const code = codeOf(error)
  if (GONE.test(code)) return `the database went away: ${messageOf(error)}`
  if (OURS.test(code)) return null
  if (SQLSTATE.test(code) && !OF_SYSTEM.test(code)) return `the database cannot go on: ${messageOf(error)}`
  return messageOf(error)
}

/** Whether the disk of the database, or ours, is full. */
export const isDiskFull = (error: unknown): boolean => ['53100', 'ENOSPC'].includes(codeOf(error))

/** Code of the database or the system; null of any other error. */
function ownCode(error: Error): string | null {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && (SQLSTATE.test(code) || OF_SYSTEM.test(code)) ? code : null
}

/** The code of the error, or of the nearest cause that has one. */
const codeOf = (error: unknown): string => (error instanceof Error ? (ownCode(error) ?? codeOf(error.cause)) : '')

/** Whether another try later may succeed without anybody doing anything. */
export function passes(error: unknown): boolean {
  if (error instanceof EdgarError) return isPassing(error)
  // Its reader moved the entry aside, so the next try fetches it anew.
  if (error instanceof CorruptEntry) return true
  return error instanceof Error && passes(error.cause)
}
