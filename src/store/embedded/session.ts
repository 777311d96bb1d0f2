/**
 * A user's session on the server of a data folder. The session finds the server or starts it, and keeps it running by a
 * shared lock.
 */
import { randomUUID } from 'node:crypto'
import { unlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UserError } from '../../declare/errors.ts'
import { type Connection, connect, type Sql } from '../db.ts'
import { installBinaries, type Package, sweep } from './binaries.ts'
import { hasCluster, makeCluster, passwordOf, ROLE } from './cluster.ts'
import { type DataFolder, makeSocketFolder, SOCKET_PORT, windows } from './data-folder.ts'
import {
  isServing,
  type Listening,
  logWrittenMs,
  type PidFile,
  POLL_MS,
  readPidFile,
  removeStale,
  start,
  stop,
} from './postmaster.ts'

export interface Host {
  dataFolder: DataFolder
  package: Package
  log: (line: string) => void
  onProgress: Progress
}

/** Called with the step of a first start, and its progress. */
export type Progress = (what: string, done: number, total: number | null) => void

export interface Session {
  sql: Sql
  listening: Listening
  /** Whether the server already ran before this session. */
  adopted: boolean
  hasEnded: () => boolean
  /** Settles when the connection, and the lock with it, is gone. */
  ended: Promise<void>
}

export type Target = Exclude<Connection['target'], string>

/** The lock is taken in the database `postgres`, which nothing else uses. */
const USERS_LOCK = 4_713_002

/** Maximum wait for crash recovery or shutdown on a slow disk. A longer wait means that something is wrong. */
const WAIT_MAX_MS = 300_000
/**
 * A server writes into its pid file as soon as it has made the file. If the file stays empty for this long, it is left
 * over from a crash of the machine.
 */
const EMPTY_MAX_MS = 5_000

/** Codes of a connection that found no server, or (57P0x) a server that is starting, stopping or crashing. */
const GONE = /^(ENOENT|ECONNREFUSED|ECONNRESET|EPIPE|CONNECTION_(CLOSED|ENDED|DESTROYED)|CONNECT_TIMEOUT|57P0[123])$/
const isGone = (error: unknown) => GONE.test((error as NodeJS.ErrnoException).code ?? '')

/**
 * Joins the database server that runs for this data folder (`dataFolder`), or starts one. Takes a shared lock that
 * marks this process as a user of the server. Any number of processes may join at the same time, even on an empty
 * folder: they all use the same server in the end.
 *
 * @param at where the server listens if it must be started; if absent, an address is chosen
 * @throws UserError if no server can be started, or if a server exists and does not answer for five minutes
 */
export async function enter(
  { dataFolder, package: found, log, onProgress }: Host,
  at?: Listening,
  signal?: AbortSignal,
): Promise<Session> {
  const since = performance.now()
  let startedHere = false
  for (;;) {
    signal?.throwIfAborted()
    const waitedMs = performance.now() - since
    const made = await hasCluster(dataFolder, found.major)
    const running = await readPidFile(dataFolder)
    if (waitedMs > WAIT_MAX_MS) {
      const which = running ? `process ${running.pid}, ${running.status}` : 'its remaining processes'
      throw new UserError(
        `the database server of ${dataFolder.dataDir} does not answer: stop it (${which}), or see postgresql.log there`,
      )
    }
    if (!running) {
      at ??= await chooseListening(dataFolder)
      const copied = (done: number, total: number) => onProgress(`copying PostgreSQL ${found.major}`, done, total)
      const bin = path.join(await installBinaries(found, dataFolder.dataDir, copied), 'bin')
      if (!made) {
        log(`making a new PostgreSQL ${found.major} database in ${dataFolder.dataDir}`)
        onProgress('making the database', 0, null)
        await makeCluster(dataFolder, bin)
      }
      startedHere = await start(dataFolder, bin, at)
      if (startedHere) await sweep(found, dataFolder.dataDir, await logWrittenMs(dataFolder))
      else await sleep(POLL_MS)
      continue
    }
    const session = running.status === 'ready' ? await join(dataFolder, running) : undefined
    if (session) return { ...session, adopted: !startedHere }
    const isEmpty = Number.isNaN(running.pid)
    if (isEmpty ? waitedMs > EMPTY_MAX_MS : !(await isServing(running, dataFolder))) {
      log(
        `the database server of ${dataFolder.dataDir} (process ${running.pid}) ended without having been stopped: the database is being recovered`,
      )
      // The folder may have been copied file by file while a server wrote to it. The copy may have old pages next to
      // new pages, which no recovery detects.
      if (running.folder !== '' && running.folder !== dataFolder.database) {
        log(
          `${dataFolder.database} was copied or moved from ${running.folder} without stopping its server: unless ` +
            'the copy is a snapshot of one moment, stop that server and copy the folder again',
        )
      }
      await removeStale(running)
    } else await sleep(POLL_MS)
  }
}

/** Gives up the lock, and stops the server if no other user holds a lock. */
export async function leave({ dataFolder, package: found }: Host, { sql }: Session): Promise<void> {
  try {
    await sql`select pg_advisory_unlock_shared(${USERS_LOCK})`
    const [last] = await sql`select pg_try_advisory_lock(${USERS_LOCK}) as alone`
    if (last!.alone) await stop(dataFolder, path.join(found.root, 'native', 'bin'))
  } catch (error) {
    if (!isGone(error)) throw error
  } finally {
    await sql.end({ timeout: 0 })
  }
}

/** The connection options for a database of the server. */
export async function targetOf(
  dataFolder: DataFolder,
  { socket, port, host }: Listening,
  database: string,
): Promise<Target> {
  const password = await passwordOf(dataFolder)
  return { socket, port, user: ROLE, database, ...(host ? { host } : {}), ...(password ? { password } : {}) }
}

/**
 * Joins a running server. Returns undefined if no server answers, if the server that answers serves another folder, or
 * if it stops while we wait for the lock.
 */
async function join(dataFolder: DataFolder, { listening }: PidFile): Promise<Omit<Session, 'adopted'> | undefined> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let over = false
  const sql = connect({
    target: await targetOf(dataFolder, listening, 'postgres'),
    onEnd: () => {
      over = true
      resolve()
    },
  })
  try {
    if (await sees(sql, dataFolder)) {
      await sql`select pg_advisory_lock_shared(${USERS_LOCK})`
      if (!over) return { sql, listening, ended, hasEnded: () => over }
    }
  } catch (error) {
    if (!isGone(error)) {
      await sql.end({ timeout: 0 })
      throw new UserError(`the database server of ${dataFolder.dataDir} refuses the connection`, { cause: error })
    }
  }
  await sql.end({ timeout: 0 })
  return undefined
}

/**
 * Whether the server that answers serves this folder. The pid file is unreliable for two reasons. If a folder was
 * copied while its server ran, the copy's pid file names that server. The process id of a server in another container
 * means nothing here. So we make a file in the folder, and ask the server whether it sees the file.
 */
async function sees(sql: Sql, { database }: DataFolder): Promise<boolean> {
  const name = `openfilings-${randomUUID()}`
  const file = path.join(database, name)
  await writeFile(file, '')
  try {
    const [row] = await sql`select (pg_stat_file(${name}, true)).size is not null as seen`
    return row!.seen
  } finally {
    await unlink(file)
  }
}

async function chooseListening(dataFolder: DataFolder): Promise<Listening> {
  if (!windows) return { socket: await makeSocketFolder(dataFolder), port: SOCKET_PORT }
  const host = '127.0.0.1'
  const probe = createServer().listen(0, host)
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise((resolve) => probe.close(resolve))
  return { socket: '', port, host }
}
