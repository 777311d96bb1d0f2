/**
 * Makes, lists and removes the roles of analysts: people who read the database itself. The roles are members of one
 * group, which may read the data of filings and files, but not the tables of keys and runs. Each database has a group
 * of its own, since roles belong to the whole server.
 */
import { randomBytes } from 'node:crypto'
import { UserError } from '../declare/errors.ts'
import type { Sql, Transaction } from './db.ts'
import { verifierOf } from './scram.ts'

/** Schemas that exist before any slice. The schema core is left out, since it has keys and runs. */
const SCHEMAS = ['edgar', 'bulk', 'pub']

/** A group's name is the name of its database with this suffix; PostgreSQL cuts names at 63 bytes. */
const GROUP_SUFFIX = '_reader'
const NAME_MAX = 63

/**
 * Lock that is held while roles of the database are made or removed. If two processes make the first analyst at once,
 * only one of them makes the group.
 */
const ROLES_LOCK = 4_713_026

const NOT_ALLOWED = '42501'
/**
 * PostgreSQL's codes for a role that exists. The server sends the second code if another session makes a role of this
 * name at the same moment, in another database of the server.
 */
const EXISTS = ['42710', '23505']
const HAS_BELONGINGS = '2BP01'

/**
 * Default settings of an analyst's sessions. Without these limits, a forgotten query would prevent the removal of old
 * rows, and an open transaction would prevent a rebuild from swapping tables. An analyst who needs more time can change
 * the setting.
 */
const MANNERS = {
  default_transaction_read_only: 'on',
  statement_timeout: '15min',
  idle_in_transaction_session_timeout: '5min',
}
/**
 * Maximum size of the temporary files of a session, which are on the disk of the database. An analyst cannot change
 * this setting. The service's own role can change the setting if that role is a superuser (as in the embedded database)
 * or has a grant for the setting.
 */
const TEMP_FILES_MAX = '10GB'
/**
 * Maximum number of connections of an analyst. A server allows a hundred connections by default, and requests and
 * ingest need some of them.
 */
const CONNECTIONS_MAX = 5

/**
 * Functions of PostgreSQL that every role may call, and that can do harm. Large objects have no limit of size. Advisory
 * locks can block `ingest`, and 20,000 of them fill the server's table of locks: every statement then fails with "out
 * of shared memory".
 */
const HARMFUL = '^(lo_creat|lo_create|lo_from_bytea|pg_(try_)?advisory_(xact_)?lock(_shared)?)$'

export interface Analyst {
  name: string
  /** Sessions that are open now. */
  sessions: number
}

/**
 * Makes a role that may log in and read, and the database's group if there is none yet.
 *
 * @param slugs the slugs of all slices, which are the names of their schemas
 * @param isEmbedded whether the server is the embedded one, where only our own roles need the rights that `takeFromAll`
 *   removes
 * @returns the password of the role; the server stores only a verifier of it
 * @throws UserError if the name is not plain or is taken, or if the service's own role may not make roles
 */
export async function createAnalyst(
  sql: Sql,
  slugs: readonly string[],
  name: string,
  { isEmbedded = false }: { isEmbedded?: boolean } = {},
): Promise<string> {
  if (!/^[a-z][a-z0-9_]{0,31}$/.test(name) || name.startsWith('pg_')) {
    throw new UserError(
      `${JSON.stringify(name)} is not a valid name for an analyst: use at most 32 lower-case letters, digits and _`,
    )
  }
  const password = randomBytes(18).toString('base64url')
  try {
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(${ROLES_LOCK})`
      const group = await makeGroup(tx, slugs)
      const { database } = await here(tx)
      await tx`create role ${tx(name)} login connection limit ${tx.unsafe(String(CONNECTIONS_MAX))}`
      await tx`alter role ${tx(name)} password ${tx.unsafe(`'${verifierOf(password)}'`)}`
      for (const [setting, value] of Object.entries(MANNERS)) {
        await tx`alter role ${tx(name)} in database ${quoted(tx, database)} set ${tx.unsafe(`${setting} = '${value}'`)}`
      }
      await limitTemporaryFiles(tx, name)
      if (isEmbedded) await takeFromAll(tx, database)
      await tx`grant ${quoted(tx, group)} to ${tx(name)}`
    })
  } catch (error) {
    const { code = '' } = error as { code?: string }
    if (EXISTS.includes(code)) throw new UserError(`there is a role ${name} on the server already; choose another name`)
    if (code !== NOT_ALLOWED) throw error
    const own = await ownRole(sql)
    throw new UserError(
      `the role ${own} may not make roles: let an administrator of the server run "alter role ${own} createrole"`,
    )
  }
  return password
}

async function limitTemporaryFiles(tx: Transaction, name: string): Promise<void> {
  const limit = (point: Transaction) =>
    point`alter role ${point(name)} set ${point.unsafe(`temp_file_limit = '${TEMP_FILES_MAX}'`)}`
  await tx.savepoint(limit).catch((error: { code?: string }) => {
    if (error.code !== NOT_ALLOWED) throw error
  })
}

/**
 * Revokes three rights from all roles that are not superusers: to make temporary tables, to call the functions of
 * HARMFUL, and to connect to the other databases of the server. In the other databases these roles would still have the
 * first two rights. PostgreSQL gives these rights to everybody, without a limit.
 */
async function takeFromAll(tx: Transaction, database: string): Promise<void> {
  const functions = await tx<{ signature: string }[]>`
    select oid::regprocedure::text as signature from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname ~ ${HARMFUL}`
  for (const { signature } of functions) await tx`revoke execute on function ${tx.unsafe(signature)} from public`
  await tx`revoke temporary on database ${quoted(tx, database)} from public`
  const others = await tx<{ name: string }[]>`select datname as name from pg_database where datname <> ${database}`
  for (const { name } of others) await tx`revoke connect, temporary on database ${quoted(tx, name)} from public`
}

/**
 * The analysts of this database, by name. Since PostgreSQL 16, the role that made the group is a member too, with the
 * right to admit others.
 */
export const listAnalysts = (sql: Sql | Transaction): Promise<Analyst[]> => sql<Analyst[]>`
  select r.rolname as name,
    (select count(*)::int from pg_stat_activity a where a.usename = r.rolname) as sessions
  from pg_roles r join pg_auth_members m on m.member = r.oid join pg_roles g on g.oid = m.roleid
  where g.rolname = current_database() || ${GROUP_SUFFIX} and r.rolcanlogin and not m.admin_option
  order by r.rolname`

/**
 * Ends an analyst's role and sessions.
 *
 * @throws UserError in three cases: there is no analyst of this name (so that no other role can be removed); the role
 *   owns objects; the service's own role may not remove it
 */
export async function removeAnalyst(sql: Sql, name: string): Promise<void> {
  const removal = sql.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ROLES_LOCK})`
    if (!(await listAnalysts(tx)).some((analyst) => analyst.name === name)) {
      throw new UserError(`unknown analyst ${name}: "openfilings analyst list" shows them`)
    }
    await tx`alter role ${tx(name)} nologin`
    // Since PostgreSQL 16, the creator of a role may drop it, but only its members may end its sessions.
    await tx`grant ${tx(name)} to current_user`
    await tx`select pg_terminate_backend(pid) from pg_stat_activity where usename = ${name}`
    await tx`drop role ${tx(name)}`
  })
  await removal.catch(async (error: { code?: string }) => {
    if (error.code === NOT_ALLOWED) {
      const own = await ownRole(sql)
      throw new UserError(`the role ${own} may not remove ${name}: only its creator or an administrator may`)
    }
    if (error.code !== HAS_BELONGINGS) throw error
    throw new UserError(
      `${name} owns something on the server or was granted more than reading; in the databases concerned run "reassign owned by ${name} to …" and "drop owned by ${name}"`,
    )
  })
}

/**
 * Lets the group read the tables and views of these schemas. Does nothing if no analyst was ever made. A rebuild
 * replaces the tables of a slice, and therefore calls this function.
 */
export async function grantReading(tx: Transaction, schemas: readonly string[]): Promise<void> {
  const { group, exists } = await here(tx)
  if (!exists) return
  // An operator may have put views of another role into these schemas, and we cannot grant rights for those views.
  // Partitions need no grant, since they are read through their table.
  const relations = await tx<{ schema: string; name: string }[]>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${schemas as string[]}) and c.relkind in ('r', 'p', 'v') and not c.relispartition
      and pg_has_role(c.relowner, 'usage')`
  for (const schema of schemas) await tx`grant usage on schema ${tx(schema)} to ${quoted(tx, group)}`
  for (const { schema, name } of relations) await tx`grant select on ${tx(schema)}.${tx(name)} to ${quoted(tx, group)}`
}

/** Lets the group read the tables that migrations have made. */
export const grantReadingOfSpine = (tx: Transaction): Promise<void> => grantReading(tx, SCHEMAS)

async function makeGroup(tx: Transaction, slugs: readonly string[]): Promise<string> {
  const { group, exists } = await here(tx)
  if (Buffer.byteLength(group) > NAME_MAX) {
    throw new UserError(
      `the name of the database is too long: the role of its readers would be ${group}, longer than ${NAME_MAX} bytes`,
    )
  }
  if (!exists) {
    await tx`create role ${quoted(tx, group)} nologin`
    await grantReading(tx, [...SCHEMAS, ...slugs])
  }
  return group
}

async function ownRole(sql: Sql): Promise<string> {
  const [own] = await sql<{ name: string }[]>`select current_user as name`
  return own!.name
}

/**
 * The driver's own quoting treats a dot in a name as the end of a schema's name, and a database may be called
 * `example.com`.
 */
const quoted = (tx: Transaction, name: string) => tx.unsafe(`"${name.replaceAll('"', '""')}"`)

async function here(tx: Transaction): Promise<{ database: string; group: string; exists: boolean }> {
  const [row] = await tx<{ database: string; group: string; exists: boolean }[]>`
    select d.name as database, d.name || ${GROUP_SUFFIX} as "group",
      exists (select from pg_roles where rolname = d.name || ${GROUP_SUFFIX}) as exists
    from (select current_database()::text as name) d`
  return row!
}
