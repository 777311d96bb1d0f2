/**
 * Opens the database of a command by its settings, and migrates it to the schema that the code expects. This module
 * loads neither slices, nor the archive, nor HTTP clients. So commands that need only the database start fast.
 */
import path from 'node:path'
import type { Config } from './config.ts'
import { UserError } from './declare/errors.ts'
import { packageVersion } from './package.ts'
import { assertUsable, type Connection, connect, type Sql, withoutPassword } from './store/db.ts'
import { defaultDataDir, hasDatabase, isNoRoom, openEmbedded, prepareFolder, refusal } from './store/embedded.ts'
import { CODE, prepared } from './store/prepared.ts'
import {
  assertThere,
  bringForms,
  bringToShape,
  differencesFrom,
  isAtRest,
  isMade,
  lackingOf,
  lostError,
  type Making,
  outdatedAmong,
  type Shape,
  type Stale,
} from './store/shape.ts'
import { assertNotNewer, isUnknownName, type Lacking, madeBy, olderError } from './store/version.ts'

export interface Database {
  sql: Sql
  /** The address for further connections. */
  target: Connection['target']
  /** The printable address of the database. */
  address: string
  dataDir: string
  shape: Shape
  /** Slices whose tables were built by another version of the code. */
  stale: Stale[]
  /**
   * Differences between the database and the shape. After a migration there are none, except for outdated tables.
   */
  lacking: Lacking
  close(): Promise<void>
}

export interface DatabaseOptions {
  /**
   * Creates the data folder and the database if they do not exist. Without `make`, a command is refused if they do not
   * exist.
   */
  make?: boolean
  /**
   * How a database of an older version is treated. `write`: it is refused. `read`: it is opened unchanged, and
   * `lacking` lists the tables and columns that queries might not find. If absent, it is migrated to the code's shape.
   */
  only?: 'read' | 'write'
  /** The action, for messages: `keys create`. */
  command?: string
  log?: (line: string) => void
  onProgress?: (what: string, done: number, total: number | null) => void
  /** Called if the folder of the embedded database was removed while it was used. */
  onRemoved?: (error: Error) => void
  /** Maximum number of connections of the pool. */
  max?: number
}

/**
 * Number of checks, a tenth of a second apart, whether another process is still migrating the database. A migration
 * that changes nothing ends within these 5 seconds; the upgrade of a large database takes minutes.
 */
const LOOKS = 50

let shape: Promise<Shape> | undefined

/**
 * The shape that this code expects of a database: cached from the last start with the same code, or computed from all
 * slices.
 */
export function ownShape(): Promise<Shape> {
  shape ??= prepared('shape', CODE, async () => {
    const [{ shapeOf }, { default: registry }] = await slicesOf()
    return shapeOf(registry, await packageVersion())
  })
  return shape
}

const slicesOf = () => Promise.all([import('./store/schema.ts'), import('./registry.ts')])

const making: Making = {
  make: async (tx, slugs) => (await makingOfAll()).make(tx, slugs),
  comment: async (tx, slugs) => (await makingOfAll()).comment(tx, slugs),
}

async function makingOfAll(): Promise<Making> {
  const [{ makingOf }, { default: registry }] = await slicesOf()
  return makingOf(registry.slices)
}

/**
 * Opens the database, and migrates it to the code's shape unless an option leaves it as it is.
 *
 * @throws UserError if a setting, the data folder or the database cannot be used
 */
export async function openDatabase(config: Config, options: DatabaseOptions = {}): Promise<Database> {
  const { make: isToMake = false, max = 2, log = () => {} } = options
  const { path: dataDir, reason } = dataDirOf(config)
  if (reason) log(`data folder ${dataDir}: ${reason}`)
  // The embedded server makes its own folder, which the account that it runs as can open.
  if (isToMake && config.DATABASE_URL) await prepareFolder(dataDir)
  if (!isToMake && !config.DATABASE_URL && !hasDatabase(dataDir)) throw noDatabase(`in the data folder ${dataDir}`)
  const server = await serverOf(config, dataDir, options)
  const sql = connect({ target: server.target, max })
  const close = async () => {
    await sql.end({ timeout: 5 })
    await server.close()
  }
  try {
    await assertUsable(sql, server.address)
    if (!isToMake && !(await isMade(sql))) throw noDatabase(`at ${withoutPassword(server.address)}`)
    if (config.DATABASE_READ_URL) await assertReplica(config.DATABASE_READ_URL)
    const shape = await ownShape()
    const { stale, lacking } = await (options.only ? looked(sql, shape, options) : brought(sql, shape, isToMake))
    const { target, address } = server
    return { sql, target, address, dataDir, shape, stale, lacking, close }
  } catch (error) {
    await close()
    throw !config.DATABASE_URL && isNoRoom(error) ? refusal(dataDir, error) : error
  }
}

async function brought(sql: Sql, shape: Shape, isToMake: boolean): Promise<Pick<Database, 'stale' | 'lacking'>> {
  const stale = await bringToShape(sql, shape, making)
  // A command that rebuilds missing tables may continue; a command that serves or loads would fail at the first missing
  // table.
  if (isToMake) assertThere(stale)
  await bringForms(sql, shape)
  return {
    stale,
    lacking: { madeBy: await madeBy(sql), pending: [], unknown: [], missing: [], ...outdatedAmong(stale) },
  }
}

/** Opens the database as it is, and changes nothing. */
async function looked(
  sql: Sql,
  shape: Shape,
  { only, command = 'this' }: DatabaseOptions,
): Promise<Pick<Database, 'stale' | 'lacking'>> {
  if (!(await isAtRest(sql, LOOKS)))
    throw new UserError(
      'another process is bringing the tables to a new version at the moment: try again when it is done',
    )
  const differences = await differencesFrom(sql, shape)
  const lacking = lackingOf(differences)
  assertNotNewer(lacking, shape.version)
  if (differences.lost.length > 0) throw lostError(differences.lost)
  if (only === 'write' && lacking.pending.length > 0) throw olderError(lacking, shape.version, command)
  return { stale: differences.stale, lacking }
}

/** The data folder that the settings name, whether it exists or not. `reason` explains an unusual folder. */
export function dataDirOf(config: Config): { path: string; reason?: string } {
  return config.DATA_DIR ? { path: path.resolve(config.DATA_DIR) } : defaultDataDir(process.cwd())
}

/** Names the disk of the database in messages: the operator may not know where an embedded database is. */
export const diskOf = (config: Config): string =>
  config.DATABASE_URL
    ? `the disk of the database at ${withoutPassword(config.DATABASE_URL)}`
    : `the disk of the database in the data folder ${dataDirOf(config).path}`

const noDatabase = (where: string) =>
  new UserError(
    `there is no OpenFilings database ${where}: "openfilings serve", "ingest" or "sample" makes one; ` +
      'DATA_DIR can name another folder, and DATABASE_URL another server',
  )

async function assertReplica(address: string): Promise<void> {
  const sql = connect({ target: address, max: 1 })
  try {
    await assertUsable(sql, address)
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function serverOf(
  config: Config,
  dataDir: string,
  options: DatabaseOptions,
): Promise<{ target: Connection['target']; address: string; close(): Promise<void> }> {
  const url = config.DATABASE_URL
  const { log = () => {}, onProgress = () => {}, onRemoved = () => {} } = options
  return url
    ? { target: url, address: url, close: async () => {} }
    : openEmbedded({ dataDir, log, onProgress, onRemoved })
}

/**
 * Runs a task that only reads the database, which may be of an older version.
 *
 * @param command the command as typed, for the message
 * @throws UserError if the task needs tables or columns that only the next start makes
 */
export async function readOnly<T>(
  { lacking, shape }: Pick<Database, 'lacking' | 'shape'>,
  command: string,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { pending, missing, outdated, views } = lacking
    const isOlder = [pending, missing, outdated, views].some((some) => some.length > 0)
    if (!isOlder || !isUnknownName(error)) throw error
    throw olderError(lacking, shape.version, command, error)
  }
}
