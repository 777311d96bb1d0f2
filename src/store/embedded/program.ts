/** Runs PostgreSQL's programs under the server's account. */
import { type SpawnOptions, spawn } from 'node:child_process'
import path from 'node:path'
import { UserError } from '../../declare/errors.ts'
import { type DataFolder, NO_ROOM, windows } from './data-folder.ts'

/**
 * Account, working folder and environment of a child. The child does not get our environment: `PGPORT`, `PGDATA`,
 * `PGOPTIONS` and similar variables would change the server, and our time zone would become the time zone of the
 * database.
 */
export function childOptions({ dataDir, account }: DataFolder): SpawnOptions {
  return {
    // The folder from which we were called may be closed to the account, and a program complains if it cannot enter its
    // working folder.
    cwd: dataDir,
    windowsHide: true,
    // On Windows the whole environment is passed, since Windows finds its own libraries through the environment.
    ...(windows ? {} : { env: { TZ: 'UTC', LC_ALL: 'C', PATH: '/usr/bin:/bin' } }),
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  }
}

/** Runs a program to its end. @throws UserError with the last complaint that it printed */
export async function run(program: string, args: string[], dataFolder: DataFolder): Promise<void> {
  const child = spawn(program, args, { ...childOptions(dataFolder), stdio: ['ignore', 'ignore', 'pipe'] })
  const output: Buffer[] = []
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  const status = await new Promise((resolve, reject) => {
    child.on('error', (cause) => reject(cannotRun(program, cause)))
    child.on('close', resolve)
  })
  if (status === 0) return
  const complaint = lastComplaint(Buffer.concat(output).toString()) ?? `exit status ${status}`
  throw new UserError(`${path.basename(program)} failed in ${dataFolder.dataDir}: ${complaint}`)
}

/**
 * The error if the system lacks the C library for which the programs were built, or if the folder is mounted without
 * the right to execute.
 */
export const cannotRun = (program: string, cause: Error) =>
  new UserError(`${program} cannot be run here; name a PostgreSQL 15 or later with DATABASE_URL`, { cause })

/**
 * Finds, in the output of a PostgreSQL program, the line that gives the reason of a failure. A message about a full
 * disk is the reason even if others follow it. When a server cannot recover, each of its processes prints another
 * message when it ends.
 */
export function lastComplaint(text: string): string | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const complaints = lines.filter((line) => /(FATAL|PANIC|ERROR|error):/i.test(line))
  const why = lines.findLast((line) => NO_ROOM.test(line)) ?? complaints.at(-1) ?? lines.at(-1)
  return why?.replace(/^.*?(FATAL|PANIC|ERROR|error|LOG|WARNING):\s*/, '').trim()
}
