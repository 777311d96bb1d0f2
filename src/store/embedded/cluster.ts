/** The database folder (PGDATA): made once, bound to one major version. */
import { randomBytes } from 'node:crypto'
import { chown, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { UserError } from '../../declare/errors.ts'
import { makePartial, moveIntoPlace } from './binaries.ts'
import { type Place, windows } from './place.ts'
import { run } from './program.ts'

/** The server's superuser, and the database of the application. */
export const ROLE = 'openfilings'

const PASSWORD_FILE = 'loopback-password'

/**
 * Written into the new folder's postgresql.conf, where an operator may change them. They fit a machine of 2 to 8 GB that
 * runs Node on the server's machine. fsync, full_page_writes and synchronous_commit stay on.
 */
const SETTINGS = {
  // An eighth of the smallest machine. Pages that miss it are still in the system's cache, and memory is only taken as
  // it is used.
  shared_buffers: '256MB',
  // The planner's assumption about both caches together: half of the smallest machine.
  effective_cache_size: '1GB',
  // A sort of some hundred thousand keys without touching the disk; ten connections of the pool at once are 160 MB.
  work_mem: '16MB',
  // Index builds after a bulk load; up to three autovacuum workers may each take as much.
  maintenance_work_mem: '128MB',
  // A quarter's index (193,299 filings) writes 290 MB of log. A checkpoint comes at half of this value, and each page
  // that is changed after one goes into the log whole, so few are better. Replaying 0.9 GB after a crash took 13 s.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // For solid-state disks. At the default of 4 the planner takes scans where every endpoint relies on an index.
  random_page_cost: '1.1',
  // Statements here end in milliseconds; compiling one takes tens of them.
  jit: 'off',
  // Requests run side by side already. A parallel plan takes the processor of another request, and its shared memory can
  // be more than the 64 MB that a container gets by default. Index builds are not affected.
  max_parallel_workers_per_gather: '0',
  // A load whose process was killed ends within seconds, and not with its statement. Windows cannot look.
  ...(windows ? {} : { client_connection_check_interval: '5s' }),
  // The log is a file that nobody watches: errors and warnings only.
  log_checkpoints: 'off',
}

/**
 * Whether the place has a database folder.
 *
 * @throws UserError when that is of another major version, or something else
 */
export async function hasCluster({ database }: Place, major: number): Promise<boolean> {
  let found: string
  try {
    found = (await readFile(path.join(database, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const content = await readdir(database).catch(() => [])
    if (content.length === 0) return false
    throw new UserError(`${database} is in the place of the database folder and is none: move it away`)
  }
  if (found === String(major)) return true
  throw new UserError(
    `the database folder ${database} is of PostgreSQL ${found}, and this is ${major}: move it away to begin from scratch (what was ` +
      `ingested is read again), or serve it with PostgreSQL ${found} and name that with DATABASE_URL`,
  )
}

/** Makes the database folder. If several processes do so at once the first wins, and all use its folder. */
export async function makeCluster(place: Place, bin: string): Promise<void> {
  const { dataDir, database, account } = place
  const partial = await makePartial(dataDir)
  const cluster = path.join(partial, 'database')
  try {
    if (account) await chown(partial, account.uid, account.gid)
    const password = windows ? await writePassword(partial) : undefined
    await run(
      path.join(bin, 'initdb'),
      [
        `--pgdata=${cluster}`,
        `--username=${ROLE}`,
        '--encoding=UTF8',
        // PostgreSQL's own collation and character classes: the same on every machine, whatever its C library knows.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...localeOptions(),
        // The socket's folder is the lock: only its owner and root can enter it. Over TCP anybody could knock.
        '--auth-local=trust',
        '--auth-host=scram-sha-256',
        ...(password ? [`--pwfile=${password}`] : []),
        ...Object.entries(SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
        '--no-instructions',
      ],
      place,
    )
    if (password) await writeFile(path.join(cluster, PASSWORD_FILE), await readFile(password), { mode: 0o600 })
    await moveIntoPlace(cluster, database)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** The password of a database folder that is served over TCP; undefined where the socket needs none. */
export async function passwordOf({ database }: Place): Promise<string | undefined> {
  return windows ? readFile(path.join(database, PASSWORD_FILE), 'utf8') : undefined
}

/**
 * The locale of what is left to the C library, such as text search's word classes. Each system has another name for UTF-8
 * without a country.
 */
function localeOptions(): string[] {
  if (process.platform === 'darwin') return ['--locale=C', '--lc-ctype=en_US.UTF-8']
  return [windows ? '--locale=C' : '--locale=C.UTF-8']
}

async function writePassword(folder: string): Promise<string> {
  const file = path.join(folder, PASSWORD_FILE)
  await writeFile(file, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return file
}
