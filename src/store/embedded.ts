/**
 * The embedded database: native PostgreSQL in the data folder, shared by every process that opens the folder.
 *
 * Each user of the server (a process that opened the folder) holds a shared advisory lock as long as it lives. A user
 * that closes gives up its lock and requests the exclusive lock. A user that gets the exclusive lock was the last user,
 * and stops the server. A user that is killed loses its lock with its connection, so the next user adopts the running
 * server. A process that opens the folder while the last user is stopping the server waits for the lock. It sees the
 * connection break, and starts the server again.
 *
 * Guests are clients that hold no lock, such as psql. Guests may connect, and are disconnected when the last user
 * leaves.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, UserError } from '../declare/errors.ts'
import type { Sql } from './db.ts'
import { findPackage } from './embedded/binaries.ts'
import { ROLE } from './embedded/cluster.ts'
import { isRemoved, NO_ROOM, prepareDataFolder, refusal } from './embedded/data-folder.ts'
import { logSize, panicAfter } from './embedded/postmaster.ts'
import { enter, type Host, leave, type Progress, type Session, type Target, targetOf } from './embedded/session.ts'

export { defaultDataDir, hasDatabase, isNoRoom, prepareFolder, refusal } from './embedded/data-folder.ts'

export interface EmbeddedDatabase {
  target: Target
  /** Folder of the Unix socket; empty on Windows. */
  socket: string
  /** The address of the database for messages and for psql, without a password. */
  address: string
  /** Version of the server: `18.4`. */
  version: string
  /** Whether the server ran before: another process uses it, or a process that used it was killed. */
  adopted: boolean
  /** Stops the server if no other process uses it. The caller must end its own connections first. */
  close(): Promise<void>
}

interface EmbeddedOptions {
  dataDir: string
  /** Called with a line for each slow or unusual step. */
  log?: (line: string) => void
  /** Called with the progress of copying at a first start. */
  onProgress?: Progress
  /** Called once if the database folder is removed while the server runs: the folder cannot be restored. */
  onRemoved?: (error: UserError) => void
}

/** The application's database. */
const DATABASE = 'openfilings'

const REOPEN_AFTER_MS = 1_000
/**
 * How often we check that the folder exists. The server itself checks only once a minute, and answers from memory until
 * then.
 */
const LOOK_AFTER_MS = 2_000

/**
 * Opens the database of a data folder. Makes whichever of these is missing: the folder, PostgreSQL's programs in it, a
 * database, a running server. A server that dies is started again at the same address for as long as the database is
 * open.
 *
 * @throws UserError that names the folder and what to do, if the server cannot run or start there
 */
export async function openEmbedded({
  dataDir,
  log = () => {},
  onProgress = () => {},
  onRemoved = () => {},
}: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    const host: Host = { dataFolder: await prepareDataFolder(dataDir), package: await findPackage(), log, onProgress }
    const session = await enter(host)
    const close = keep(host, session, onRemoved)
    const version = await prepare(session.sql).catch(async (error) => {
      await close()
      throw error
    })
    const { listening, adopted } = session
    const { socket, port, host: name } = listening
    return {
      target: await targetOf(host.dataFolder, listening, DATABASE),
      socket,
      address: name
        ? `postgresql://${ROLE}@${name}:${port}/${DATABASE}`
        : `postgresql:///${DATABASE}?host=${encodeURIComponent(socket).replaceAll('%2F', '/')}&user=${ROLE}`,
      version,
      adopted,
      close,
    }
  } catch (error) {
    throw refusal(dataDir, error)
  }
}

/** Makes the application's database. @returns the server's version */
async function prepare(sql: Sql): Promise<string> {
  const [found] = await sql<{ version: string; made: boolean }[]>`
    select current_setting('server_version') as version,
           exists (select from pg_database where datname = ${DATABASE}) as made`
  if (!found!.made) {
    await sql`create database ${sql(DATABASE)}`.catch((error) => {
      // Codes of the error if another process made the database at the same moment: `duplicate_database`, or
      // `unique_violation` in the catalog.
      if (!['42P04', '23505'].includes(error.code)) throw error
    })
  }
  return found!.version.split(' ')[0]!
}

/**
 * Keeps a session open as long as the database is open. If any process of the server is killed, for instance because
 * memory is short, the whole server restarts or ends, and the lock is lost. Without a new session, the next user that
 * leaves would stop the server although this process uses it. A folder that was removed is not made again: serving an
 * empty database would be worse than serving no database.
 *
 * @returns a function that ends the session
 */
function keep(host: Host, first: Session, onRemoved: (error: UserError) => void): () => Promise<void> {
  const closing = new AbortController()
  let current = Promise.resolve(first)
  let closed: Promise<void> | undefined
  const watch = async (session: Session): Promise<void> => {
    const position = await logSize(host.dataFolder)
    await session.ended
    await session.sql.end({ timeout: 0 })
    if (closing.signal.aborted) return
    if (!(await isRemoved(host.dataFolder))) host.log(await brokenWords(host, position))
    current = reenter(host, session.listening, closing.signal)
    current.then(watch, () => {})
  }
  watch(first)
  const looking = setInterval(async () => {
    if (!(await isRemoved(host.dataFolder)) || closing.signal.aborted) return
    stop()
    onRemoved(
      new UserError(`the database folder ${host.dataFolder.database} was removed while it was in use: ${PUT_BACK}`),
    )
  }, LOOK_AFTER_MS).unref()
  const stop = () => {
    clearInterval(looking)
    closing.abort()
  }
  const close = async () => {
    stop()
    const session = await current.catch(() => undefined)
    if (!session || session.hasEnded()) return
    // Without its folder the server answers no further statement, and ends by itself within a minute.
    if (await isRemoved(host.dataFolder)) await session.sql.end({ timeout: 0 })
    else await leave(host, session)
  }
  return () => (closed ??= close())
}

/** Says that the connection broke, and why if the server's log has the reason after this position. */
async function brokenWords({ dataFolder }: Host, position: number): Promise<string> {
  const { dataDir } = dataFolder
  const broke = `the connection to the database server of ${dataDir} broke`
  const reason = await panicAfter(dataFolder, position)
  if (reason === undefined) return `${broke}: opening it again`
  return messageOf(refusal(dataDir, new Error(`${broke}, and is opened again: ${reason}`)))
}

const PUT_BACK = 'put the folder back, or start again to make a new database'

/** @throws only when aborted */
async function reenter(host: Host, at: Session['listening'], signal: AbortSignal): Promise<Session> {
  // Each reason is reported once: otherwise a disk that stays full for a night would be reported thirty thousand times.
  // Each start can fail at another file of the full disk, for example at "pg_wal/xlogtemp.4922".
  const reported = new Set<string>()
  const log = (line: string) => {
    const kind = NO_ROOM.test(line) ? 'no room' : line.replaceAll(/\d+/g, '#')
    if (!reported.has(kind)) host.log(line)
    reported.add(kind)
  }
  for (;;) {
    try {
      if (!(await isRemoved(host.dataFolder))) return await enter({ ...host, log }, at, signal)
      await sleep(LOOK_AFTER_MS, undefined, { signal })
    } catch (error) {
      signal.throwIfAborted()
      log(messageOf(refusal(host.dataFolder.dataDir, error)))
      await sleep(REOPEN_AFTER_MS, undefined, { signal })
    }
  }
}
