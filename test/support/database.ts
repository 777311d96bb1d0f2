/** Databases for tests: each test file gets a new one, cloned from a template that was made once. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Connection, connect, type Sql } from '../../src/store/db.ts'
import { openEmbedded } from '../../src/store/embedded.ts'
import { currentFile } from '../runner/current.ts'
import { timedDatabase } from '../runner/meter.ts'
import { SAME_ANYWHERE } from '../second-run.ts'
import { databaseFolder } from './database-folder.ts'

export interface FreshDatabase {
  sql: Sql
  target: Connection['target']
  /** The address of the server, if an address was given. */
  url?: string
}

/**
 * A template from which databases are cloned. It is made once for each version of its sources, and kept for the next
 * run.
 */
export interface Template {
  /** A distinct word that is part of its name on the server. */
  name: string
  /** Digest of all its sources: a different digest needs a new template. */
  digest(): Promise<string>
  /** Checks that the template's files outside the server exist. */
  isKept?(): Promise<boolean>
  /** Fills an empty database. */
  fill(target: Connection['target']): Promise<void>
}

interface TestServer {
  target: Connection['target']
  close(): Promise<void>
}

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const sources = path.join(checkout, 'src')

const TEMPLATES = 'openfilings_template_'
const DATABASES = 'openfilings_test_'
/**
 * Name of the template's advisory lock: a process that clones the template holds the lock shared, and a process that
 * makes or drops the template holds it exclusively.
 */
const TEMPLATE_LOCK = 4_713_009
const DAY_MS = 86_400_000

const SCHEMA: Template = {
  name: 'schema',
  digest: sourcesHash,
  async fill(target) {
    // Imported only here: a slice that does not load must fail only the tests that need a schema, and not every test
    // process.
    const [{ migrate }, { default: registry }] = await Promise.all([
      import('../../src/store/schema.ts'),
      import('../../src/registry.ts'),
    ])
    const sql = connect({ target })
    try {
      await migrate(sql, registry.slices)
    } finally {
      await sql.end()
    }
  },
}

/**
 * Returns a database with the schema of the code, a clone of another template, or an empty database; it is dropped
 * after the test. Uses the server that `npm test` opened. If a file runs alone (`node --test <file>`), opens a server
 * of the same kind.
 *
 * @param t the test, or `{ after }` of node:test at the top of a file; in a `before` hook, the database is dropped when
 *   the hook itself ends
 */
export async function freshDatabase(
  t: { after(fn: () => Promise<void>): void },
  { empty = false, template = SCHEMA }: { empty?: boolean; template?: Template } = {},
): Promise<FreshDatabase> {
  const file = currentFile()
  if (SAME_ANYWHERE.includes(file))
    throw new Error(`${file} takes a database: remove it from SAME_ANYWHERE in test/second-run.ts`)
  const { server, admin, leave } = held ?? (await openAdmin())
  const name = `${DATABASES}${process.pid}_${randomBytes(6).toString('hex')}`
  try {
    await timedDatabase(async () => {
      if (empty) await admin`create database ${admin(name)}`
      else await clone(admin, server.target, template, name)
    }, true)
  } catch (error) {
    // Open connections would keep the test process alive, so that the error would not be shown.
    await leave()
    throw error
  }
  const target = onDatabase(server.target, name)
  const sql = connect({ target })
  t.after(async () => {
    await sql.end({ timeout: 5 })
    await timedDatabase(() => admin`drop database ${admin(name)} with (force)`)
    await leave()
  })
  return { sql, target, ...(typeof target === 'string' ? { url: target } : {}) }
}

interface Admin {
  server: TestServer
  /** Makes and drops databases. */
  admin: Sql
  leave(): Promise<void>
}

let held: Admin | undefined

/** Keeps one connection for all databases of this process. @returns a function that closes the connection */
export async function holdServer(): Promise<() => Promise<void>> {
  const opened = await openAdmin()
  // The first statement opens the connection. If the first test sent this statement, the connection would look as if
  // that test had opened it.
  await opened.admin`select`
  held = { ...opened, leave: async () => {} }
  return async () => {
    held = undefined
    await opened.leave()
  }
}

async function openAdmin(): Promise<Admin> {
  const server = await openTestServer()
  const admin = connect({ target: server.target, max: 1 })
  const leave = async () => {
    await admin.end()
    await server.close()
  }
  return { server, admin, leave }
}

/** Runs work that only one test process may do at a time. @param name name of the work */
export async function withMutex<T>(name: string, work: () => Promise<T>): Promise<T> {
  const { admin, leave } = held ?? (await openAdmin())
  const lock = admin`${TEMPLATE_LOCK}::int, hashtext(${name})`
  try {
    await admin`select pg_advisory_lock(${lock})`
    try {
      return await work()
    } finally {
      await admin`select pg_advisory_unlock(${lock})`
    }
  } finally {
    await leave()
  }
}

/**
 * Ends the session that holds an advisory lock, and waits until it has gone.
 *
 * @param lock number of the lock; for a lock with two numbers, its first number
 */
export async function endHolder(sql: Sql, lock: { only: number } | { first: number }): Promise<void> {
  const where =
    'only' in lock ? sql`objid = ${lock.only} and objsubid = 1` : sql`classid = ${lock.first} and objsubid = 2`
  const ended = await sql`
    select pg_terminate_backend(pid, 5000) from pg_locks where locktype = 'advisory' and granted and ${where}
      and database = (select oid from pg_database where datname = current_database())`
  if (ended.length !== 1) throw new Error(`${ended.length} sessions hold the lock ${JSON.stringify(lock)}`)
}

/**
 * The server that `npm test` opened, or that of TEST_DATABASE_URL, else an embedded one in a temporary folder of this
 * checkout. The folder stays for the next run: the next run then starts at once, and stops the server of a run that was
 * killed.
 */
export async function openTestServer(): Promise<TestServer> {
  const opened = process.env.TEST_SERVER
  if (opened) return { target: JSON.parse(opened) as Connection['target'], close: async () => {} }
  if (process.env.TEST_DATABASE_URL) return { target: process.env.TEST_DATABASE_URL, close: async () => {} }
  const folder = folderOfCheckout()
  const dataDir = path.join(folder, 'data')
  await removeOld(folder, path.join(dataDir, 'database'))
  await testFolder()
  const server = await openEmbedded({ dataDir })
  await prepareServer(server.target, folder)
  return server
}

/** Opens the server for all processes of a run, which find it and its folder in their environment. */
export async function serveRun(): Promise<TestServer> {
  process.env.TMPDIR = databaseFolder()
  const server = await openTestServer()
  process.env.TEST_SERVER = JSON.stringify(server.target)
  return server
}

/** The folder of files that tests of this checkout keep for the next run. */
export async function testFolder(): Promise<string> {
  const folder = folderOfCheckout()
  await mkdir(folder, { recursive: true, mode: 0o755 })
  if (process.getuid && (await stat(folder)).uid !== process.getuid())
    throw new Error(`${folder} was made by somebody else`)
  return folder
}

function folderOfCheckout(): string {
  const hash = createHash('sha256').update(checkout).digest('hex').slice(0, 12)
  return path.join(databaseFolder(), `openfilings-test-${process.getuid?.() ?? ''}-${hash}`)
}

/** Systems that clear their temporary folder by age would take parts of a database. */
async function removeOld(folder: string, database: string): Promise<void> {
  const made = await stat(path.join(database, 'PG_VERSION')).catch(() => undefined)
  const running = await stat(path.join(database, 'postmaster.pid')).catch(() => undefined)
  if (made && !running && Date.now() - made.mtimeMs > DAY_MS) await rm(folder, { recursive: true, force: true })
}

/** Type that `statfs` reports for a folder in memory (Linux). */
const TMPFS = 0x01021994

/** Sets up the server for tests, and drops the databases of test processes that were killed. */
async function prepareServer(target: Connection['target'], folder: string): Promise<void> {
  const admin = connect({ target, max: 1 })
  // Opening each of 1,620 files for fsync takes a sixth of the time of making a database. If the machine crashes, the
  // content of memory is lost with or without fsync.
  if ((await statfs(folder)).type === TMPFS) await admin`alter system set fsync = off`
  // Databases live for seconds here. Vacuuming these databases took a twenty-fifth of the server's time.
  await admin`alter system set autovacuum = off`
  await admin`select pg_reload_conf()`
  const names = await admin<{ name: string; pid: number }[]>`
    select datname as name, split_part(substr(datname, ${DATABASES.length + 1}), '_', 1)::int as pid
    from pg_database where starts_with(datname, ${DATABASES})`
  for (const { name, pid } of names) if (!isAlive(pid)) await admin`drop database ${admin(name)} with (force)`
  await admin.end()
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** If processes want a template at once, the first makes it and the others wait. */
async function clone(admin: Sql, server: Connection['target'], template: Template, name: string): Promise<void> {
  const { isKept = async () => true } = template
  const made = `${TEMPLATES}${template.name}_${await template.digest()}`
  const lock = admin`${TEMPLATE_LOCK}::int, hashtext(${template.name})`
  for (;;) {
    await admin`select pg_advisory_lock_shared(${lock})`
    try {
      if ((await exists(admin, made)) && (await isKept())) {
        // By default each page goes through the log, which takes 400 to 600 ms; copying files takes 40.
        await admin`create database ${admin(name)} template ${admin(made)} strategy file_copy`
        return
      }
    } finally {
      await admin`select pg_advisory_unlock_shared(${lock})`
    }
    await admin`select pg_advisory_lock(${lock})`
    try {
      if (!(await exists(admin, made)) || !(await isKept())) await makeTemplate(admin, server, template, made)
    } finally {
      await admin`select pg_advisory_unlock(${lock})`
    }
  }
}

/** The template gets its name last, so that a template with the name is complete. */
async function makeTemplate(admin: Sql, server: Connection['target'], template: Template, made: string): Promise<void> {
  const own = `${TEMPLATES}${template.name}_`
  const old = await admin<
    { name: string }[]
  >`select datname as name from pg_database where starts_with(datname, ${own})`
  for (const { name } of old) {
    await admin`alter database ${admin(name)} is_template false`
    await admin`drop database ${admin(name)} with (force)`
  }
  const making = `${own}making`
  await admin`create database ${admin(making)}`
  await template.fill(onDatabase(server, making))
  // The first session after a change of tables writes the file from which sessions fill their caches. Clones get this
  // file too: without the file the first session of each clone would read the catalog.
  const first = connect({ target: onDatabase(server, making), max: 1 })
  await first`select`
  await first.end()
  await admin`alter database ${admin(making)} rename to ${admin(made)}`
  // A template cannot be cloned while a session is connected to it, so connections are forbidden.
  await admin`alter database ${admin(made)} is_template true allow_connections false`
}

async function exists(admin: Sql, name: string): Promise<boolean> {
  const [row] = await admin`select exists (select from pg_database where datname = ${name}) as found`
  return row!.found
}

/**
 * Digest of all sources of a schema: the code, the migrations and the slices' SQL. Read once in each process: it takes
 * 32 ms.
 */
export function sourcesHash(): Promise<string> {
  hashed ??= hashOfSources()
  return hashed
}
let hashed: Promise<string> | undefined

async function hashOfSources(): Promise<string> {
  const hash = createHash('sha256')
  const names = (await readdir(sources, { recursive: true }))
    .filter((name) => /(?<!\.test)\.(ts|sql)$/.test(name))
    .sort()
  for (const name of names)
    hash
      .update(`${name}\0`)
      .update(await readFile(path.join(sources, name)))
      .update('\0')
  return hash.digest('hex').slice(0, 16)
}

function onDatabase(server: Connection['target'], database: string): Connection['target'] {
  if (typeof server !== 'string') return { ...server, database }
  const url = new URL(server)
  url.pathname = `/${database}`
  return url.href
}
