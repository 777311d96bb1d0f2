/** The location of the embedded server, and the account under which it runs. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, realpath, rmdir } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import { messageOf, UserError } from '../../declare/errors.ts'
import { makePartial } from './binaries.ts'

export const windows = process.platform === 'win32'

/** Messages of PostgreSQL's programs, and ours, about a full disk. */
export const NO_ROOM = /No space left on device|Disk quota exceeded/

/** Whether an error says that the disk of the data folder is full. Parallel queries share memory in `/dev/shm`. */
export function isNoRoom(error: unknown): boolean {
  const message = messageOf(error)
  return NO_ROOM.test(message) && !message.includes('shared memory segment')
}

/** The account of the server if this process is root: PostgreSQL refuses to run as root. */
interface Account {
  uid: number
  gid: number
  name: string
}

export interface DataFolder {
  /** Real path without symbolic links, so that two paths to the same folder give the same socket. */
  dataDir: string
  /** The database folder (PGDATA) in the data folder. It might not exist yet. */
  database: string
  /** The account under which the server runs; undefined for this process's own. */
  account: Account | undefined
}

/** `sockaddr_un` holds 107 bytes on Linux and 103 on macOS, including the name of the socket. */
const SOCKET_PATH_MAX = 99
export const SOCKET_PORT = 5432

/**
 * The data folder of a checkout if the operator has set no data folder: `data` in the checkout. If root runs a checkout
 * that the server's account cannot reach (root's own home is closed to others), the data folder is below /var/lib.
 * `reason` then explains this in one line. If only one of these two folders has a database, that folder is used
 * whatever the rights are. The rights of the folders above it may have changed since the database was made.
 *
 * @throws UserError if both folders have a database
 */
export function defaultDataDir(checkout: string): { path: string; reason?: string } {
  const near = path.resolve(checkout, 'data')
  const account = accountFor(path.join(near, 'database'))
  if (!account) return { path: near }
  const far = `/var/lib/openfilings/${shortHash(realpathSync(checkout))}`
  const closed = closedAncestor(path.resolve(checkout), account)
  const used = [near, far].filter(hasDatabase)
  if (used.length > 1) {
    throw new UserError(
      `both ${near} and ${far} hold a database: set DATA_DIR to the folder to use, and move the other away`,
    )
  }
  const wanted = closed ? far : near
  if (used[0] && used[0] !== wanted)
    return { path: used[0], reason: `it holds the database; the folder for a new one would be ${wanted}` }
  if (!closed) return { path: near }
  return {
    path: far,
    reason: `the user ${account.name}, as whom the database server runs if root starts it, cannot enter ${closed}`,
  }
}

/** Whether the data folder has a database folder. Changes nothing. */
export function hasDatabase(dataDir: string): boolean {
  try {
    return readdirSync(path.join(dataDir, 'database')).length > 0
  } catch (error) {
    // If we are not allowed to read the folder, we assume that it has a database: the attempt to open the database
    // reports the fault.
    return !['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')
  }
}

/**
 * Makes the data folder if it is missing, and checks that the server can run in it.
 *
 * @throws UserError that names the folder, if it cannot be made or written, belongs to another account, or is closed to
 *   the server's account
 */
export async function prepareDataFolder(folder: string): Promise<DataFolder> {
  const wanted = path.resolve(folder)
  if (!windows && /["$`\\\n\r]/.test(wanted)) {
    throw new UserError(
      `the data folder ${JSON.stringify(wanted)} has a character in its path that a shell, through which PostgreSQL's programs run, would interpret: ` +
        'name another one with DATA_DIR',
    )
  }
  try {
    const created = await prepareFolder(wanted)
    const dataDir = await realpath(wanted)
    const database = path.join(dataDir, 'database')
    const account = accountFor(database)
    // With a strict umask, the folders that were just made would be closed to the server.
    if (created && account) for (const made of between(await realpath(created), dataDir)) await chmod(made, 0o755)
    const closed = account && closedAncestor(dataDir, account)
    if (closed) {
      throw new UserError(
        `the data folder ${dataDir} cannot be used: the user ${account.name}, as whom the database server runs if ` +
          `root starts it, cannot enter ${closed}; run chmod o+x ${closed}, or name another folder with DATA_DIR`,
      )
    }
    assertOwn(database)
    if (!account && !existsSync(path.join(database, 'PG_VERSION'))) assertAccount()
    return { dataDir, database, account }
  } catch (error) {
    throw refusal(wanted, error)
  }
}

/**
 * Makes a folder unless it exists, and tests whether files can be made in it. For root, and on file systems such as
 * /proc, the folder's mode does not show whether files can be made.
 *
 * @returns the topmost folder that was made
 * @throws UserError that names the folder and what to do
 */
export async function prepareFolder(folder: string): Promise<string | undefined> {
  try {
    const made = await makeFolder(folder)
    await rmdir(await makePartial(folder))
    return made
  } catch (error) {
    throw refusal(folder, error, [...UNWRITABLE, 'ENOENT', 'EINVAL'])
  }
}

/** Makes the folders of the path one by one: Node's own recursive mkdir never returns below /proc. */
async function makeFolder(folder: string): Promise<string | undefined> {
  const missing: string[] = []
  for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.unshift(at)
  for (const each of missing) {
    await mkdir(each).catch((error) => {
      // Another process made the folder at the same moment.
      if (error.code !== 'EEXIST' || !existsSync(each)) throw error
    })
  }
  if (!statSync(folder).isDirectory()) throw Object.assign(new Error(`${folder} is a file`), { code: 'ENOTDIR' })
  return missing[0]
}

const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS']

/**
 * Turns the error of a file operation in the data folder into an error that names the folder and what to do. Any other
 * error is passed on unchanged.
 *
 * @param unwritable codes which mean that the folder cannot be written
 */
export function refusal(dataDir: string, error: unknown, unwritable: readonly string[] = UNWRITABLE): unknown {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  const wayOut = 'or name another folder with DATA_DIR, or a database with DATABASE_URL'
  if (unwritable.includes(code)) {
    return new UserError(
      `the data folder ${dataDir} cannot be written (${code}): make it writable for this user, ${wayOut}`,
    )
  }
  if (code === 'EEXIST' || code === 'ELOOP')
    return new UserError(`the data folder ${dataDir} is a dangling symbolic link: remove it, ${wayOut}`)
  if (code === 'ENOTDIR') return new UserError(`the data folder ${dataDir} is not a folder: move it away, ${wayOut}`)
  if (code === 'ENAMETOOLONG')
    return new UserError(`the path of the data folder ${dataDir} is too long: shorten it, ${wayOut}`)
  // PostgreSQL's programs report a full disk by a message and not by a code: the second condition tests the message.
  if (['ENOSPC', 'EDQUOT'].includes(code) || isNoRoom(error))
    return new UserError(`the disk of the data folder ${dataDir} is full: make room, ${wayOut} (${messageOf(error)})`)
  return error
}

/**
 * Makes the folder of the server's socket. It is `socket` in the data folder. If that path is too long for a socket, it
 * is a folder with a short path in the system's temporary folder. Only the server's account can enter the folder, and
 * nothing else protects the server.
 */
export async function makeSocketFolder({ dataDir, account }: DataFolder): Promise<string> {
  const short = `openfilings-${shortHash(dataDir)}`
  const folder = [path.join(dataDir, 'socket'), path.join(tmpdir(), short), path.join('/tmp', short)].find(
    (each) =>
      Buffer.byteLength(`${each}/.s.PGSQL.${SOCKET_PORT}`) <= SOCKET_PATH_MAX &&
      !(account && closedAncestor(path.dirname(each), account)),
  )
  if (!folder)
    throw new UserError(`the data folder ${dataDir} has too long a path for a socket: name a shorter one with DATA_DIR`)
  await mkdir(folder, { mode: 0o700 }).catch((error) => {
    if (error.code !== 'EEXIST') throw error
  })
  // In the system's temporary folder, another user may have made this folder first, to get access or to make us follow
  // a link.
  const found = await lstat(folder)
  if (!found.isDirectory() || ![process.getuid!(), account?.uid].includes(found.uid)) {
    throw new UserError(`${folder}, needed for the database's socket, belongs to another user: remove it`)
  }
  if (account) await chown(folder, account.uid, account.gid)
  await chmod(folder, 0o700)
  return folder
}

/**
 * The account under which the server runs if this process is root. It is the owner of the database folder if the folder
 * exists and its owner is not root, and otherwise `nobody`. Undefined if this process is not root.
 */
function accountFor(database: string): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(database, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid, name: `the user of id ${owner.uid}` }
  const entry = existsSync('/etc/passwd')
    ? /^nobody:[^:]*:(-?\d+):(-?\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'))
    : null
  // If the user database has no line for `nobody`, as in images without a user database, the number of `nobody` is
  // 65534.
  return { uid: Number(entry?.[1] ?? 65534), gid: Number(entry?.[2] ?? 65534), name: 'nobody' }
}

/** Whether the database folder from which a server was started is gone. */
export async function isRemoved({ database }: DataFolder): Promise<boolean> {
  const found = await lstat(path.join(database, 'PG_VERSION')).catch((error) => error)
  return ['ENOENT', 'ENOTDIR'].includes(found.code)
}

/**
 * The program that makes a database looks up the name of its user, and ends if the user has no name, as in `docker run
 * --user 12345`. A database that exists is served without such a name.
 *
 * @throws UserError that tells the operator what to do
 */
export function assertAccount(lookUp: () => unknown = userInfo): void {
  if (windows) return
  try {
    lookUp()
  } catch {
    const id = process.getuid?.()
    throw new UserError(
      `the user id ${id} has no account on this system, and PostgreSQL makes no database for such a user: give it a line ` +
        'in /etc/passwd, run as a user that has one, or name a PostgreSQL of your own with DATABASE_URL',
    )
  }
}

function assertOwn(database: string): void {
  const uid = process.getuid?.()
  const owner = statSync(database, { throwIfNoEntry: false })?.uid
  if (uid === undefined || uid === 0 || owner === undefined || owner === uid) return
  throw new UserError(
    `the database folder ${database} belongs to the user of id ${owner}, this is ${uid}: run as that user or as root, ` +
      'or name another folder with DATA_DIR',
  )
}

/**
 * The first folder on the path from the root to `folder` (inclusive) that the account cannot enter. Folders that do not
 * exist yet are assumed to be open.
 */
function closedAncestor(folder: string, account: Account): string | undefined {
  let existing = folder
  while (!existsSync(existing)) existing = path.dirname(existing)
  const real = realpathSync(existing)
  return between(path.parse(real).root, real).find((each) => !canPass(statSync(each), account))
}

function canPass(folder: Stats, { uid, gid }: Account): boolean {
  if (folder.uid === uid) return (folder.mode & 0o100) !== 0
  if (folder.gid === gid) return (folder.mode & 0o010) !== 0
  return (folder.mode & 0o001) !== 0
}

/** The folders of the path from `first` down to `last`, both included. */
function between(first: string, last: string): string[] {
  const folders = [last]
  while (folders[0] !== first && folders[0] !== path.dirname(folders[0]!)) folders.unshift(path.dirname(folders[0]!))
  return folders
}

const shortHash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)
