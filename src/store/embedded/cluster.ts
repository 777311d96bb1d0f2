/** The database folder (PGDATA), which is made once and works with only one major version. */
import { randomBytes } from 'node:crypto'
import { chown, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { UserError } from '../../declare/errors.ts'
import { makePartial, moveIntoPlace } from './binaries.ts'
import { type DataFolder, windows } from './data-folder.ts'
import { run } from './program.ts'

/** The server's superuser, and the database of the application. */
export const ROLE = 'openfilings'

const PASSWORD_FILE = 'loopback-password'

/**
 * Settings that are written into the new folder's postgresql.conf, where an operator may change them. The settings fit
 * a machine of 2 to 8 GB on which Node runs too. fsync, full_page_writes and synchronous_commit stay on.
 */
const SETTINGS = {
  // An eighth of the memory of the smallest machine. Pages that are not in this cache are still in the system's cache,
  // and the server takes memory only as it uses it.
  shared_buffers: '256MB',
  // The planner's assumption about both caches together: half of the memory of the smallest machine.
  effective_cache_size: '1GB',
  // Enough to sort several hundred thousand keys in memory; if all ten connections of the pool sort at once, they take
  // 160 MB.
  work_mem: '16MB',
  // Serves to build indexes after a bulk load; up to three autovacuum workers may take this much each.
  maintenance_work_mem: '128MB',
  // A quarter's index (193,299 filings) writes 290 MB of log. A checkpoint begins when the log reaches about half
  // of `max_wal_size`. After a checkpoint, the first change of a page logs the whole page, so few checkpoints are
  // better. Replaying 0.9 GB after a crash took 13 s.
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  // For solid-state disks. With the default of 4, the planner chooses scans for queries of endpoints that rely on an
  // index.
  random_page_cost: '1.1',
  // Statements here end in milliseconds; compiling a statement takes tens of milliseconds.
  jit: 'off',
  // Requests already run in parallel. A parallel plan takes processor time from another request, and its shared memory
  // can be more than the 64 MB that a container gets by default. Index builds are not affected.
  max_parallel_workers_per_gather: '0',
  // If the process of a load was killed, the load ends within seconds, instead of at the end of its statement. Windows
  // does not support this check.
  ...(windows ? {} : { client_connection_check_interval: '5s' }),
  // Nobody watches the log file, so it gets errors and warnings only.
  log_checkpoints: 'off',
}

/**
 * Whether the data folder has a database folder.
 *
 * @throws UserError if the database folder is of another major version, or if something else is in its place
 */
export async function hasCluster({ database }: DataFolder, major: number): Promise<boolean> {
  let found: string
  try {
    found = (await readFile(path.join(database, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const content = await readdir(database).catch(() => [])
    if (content.length === 0) return false
    throw new UserError(
      `${database} has the path of the database folder, but is not a folder of PostgreSQL: move it away`,
    )
  }
  if (found === String(major)) return true
  throw new UserError(
    `the database folder ${database} is of PostgreSQL ${found}, and this OpenFilings uses ${major}: move the folder away to begin with an empty database (what was ` +
      `ingested is then read again), or run a PostgreSQL ${found} on it and name that server with DATABASE_URL`,
  )
}

/**
 * Makes the database folder. If several processes make the folder at once, the first one wins, and all of them use its
 * folder.
 */
export async function makeCluster(dataFolder: DataFolder, bin: string): Promise<void> {
  const { dataDir, database, account } = dataFolder
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
        // PostgreSQL's own collation and character classes: they are the same on every machine, whatever C library the
        // machine has.
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        ...localeOptions(),
        // The socket's folder protects the server: only its owner and root can enter it. Over TCP any local user could
        // connect.
        '--auth-local=trust',
        '--auth-host=scram-sha-256',
        ...(password ? [`--pwfile=${password}`] : []),
        ...Object.entries(SETTINGS).map(([name, value]) => `--set=${name}=${value}`),
        '--no-instructions',
      ],
      dataFolder,
    )
    if (password) await writeFile(path.join(cluster, PASSWORD_FILE), await readFile(password), { mode: 0o600 })
    await moveIntoPlace(cluster, database)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

/** The password of a database folder that is served over TCP; undefined for a socket, which needs none. */
export async function passwordOf({ database }: DataFolder): Promise<string | undefined> {
  return windows ? readFile(path.join(database, PASSWORD_FILE), 'utf8') : undefined
}

/**
 * The locale of the categories that PostgreSQL leaves to the C library, such as word classes of text search. The name
 * of the locale for UTF-8 without a country differs between systems.
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
