/**
 * People who query the database directly: their role, the comments of tables, and the queries of docs/analysts.md.
 *
 * @server it makes roles, rights and settings, which differ between server versions
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { addressFor } from '../../src/commands/analyst-work.ts'
import { UserError } from '../../src/declare/errors.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import { createAnalyst, grantReading, listAnalysts, removeAnalyst } from '../../src/store/analysts.ts'
import { type Connection, connect, type Sql } from '../../src/store/db.ts'
import { openEmbedded } from '../../src/store/embedded.ts'
import { migrate } from '../../src/store/schema.ts'
import { verifierOf } from '../../src/store/scram.ts'
import { assertRefused, emptyEnv, madeFolder, queried, run } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'
import { checkout, temporaryFolder } from '../support/world.ts'

/** This hook is registered before the world's own `after` hook, which closes the connection. */
after(async () => {
  const [{ group } = { group: '' }] = await sql<{ group: string }[]>`
    select rolname as group from pg_roles where rolname = current_database() || '_reader'`
  if (!group) return
  await sql`drop owned by ${sql(group)}`
  await sql`drop role ${sql(group)}`
})

const { slices } = registry
const slugs = slices.map(({ slug }) => slug)
const world = await openSampledWorld({ after })
const { sql } = world

/** Roles apply to the whole server, which other tests use at the same time. */
const nameOf = () => `analyst_${randomBytes(6).toString('hex')}`

/** Connects as the analyst. The server accepts this connection without a password. */
const as = (t: { after(fn: () => Promise<void>): void }, name: string): Sql => on(t, world.target, name)

function on(t: { after(fn: () => Promise<void>): void }, address: Connection['target'], name: string): Sql {
  const target = typeof address === 'string' ? addressFor(address, name, '') : { ...address, user: name }
  const own = connect({ target, max: 1 })
  t.after(() => own.end({ timeout: 1 }))
  return own
}

async function made(t: { after(fn: () => Promise<void>): void }): Promise<{ name: string; own: Sql }> {
  const name = nameOf()
  await createAnalyst(sql, slugs, name)
  t.after(async () => {
    if ((await listAnalysts(sql)).some((analyst) => analyst.name === name)) await removeAnalyst(sql, name)
  })
  return { name, own: as(t, name) }
}

test('every table, view and column that an analyst can see has a comment', async () => {
  const silent = await sql<{ name: string }[]>`
    with relation as (
      select c.oid, format('%s.%s', n.nspname, c.relname) as name
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'v') and not c.relispartition
        and n.nspname = any(${['edgar', 'bulk', 'pub', ...slices.map(({ slug }) => slug)]})
    )
    select name from relation where obj_description(oid, 'pg_class') is null
    union all
    select format('%s.%s', name, attname) from relation join pg_attribute on attrelid = oid
    where attnum > 0 and not attisdropped and col_description(oid, attnum) is null`
  assert.deepEqual([...silent], [])
})

test('an analyst reads every table and view of filings, files and slices', async (t) => {
  const { own } = await made(t)
  const names = [
    ...slices.flatMap(({ tables, rollups, views }) => [...Object.values(tables), ...Object.values(rollups), ...views]),
  ].map(({ id }) => id)
  assert.ok(names.length > 50)
  for (const name of [...names, 'edgar.filing', 'edgar.filer', 'edgar.task', 'bulk.edition', 'bulk.record']) {
    await own`select * from ${own(name)} limit 1`
  }
})

test('an analyst cannot read keys or runs, change data, or create tables', async (t) => {
  const { own } = await made(t)
  const denied = { code: '42501' }
  for (const name of ['core.key', 'core.run', 'core.event', 'core.webhook', 'core.search', 'core.search_match'])
    await assert.rejects(own`select * from ${own(name)}`, denied)
  await assert.rejects(own`delete from edgar.filing`, { code: '25006' })
  await own`set default_transaction_read_only = off`
  for (const statement of [
    'delete from edgar.filing',
    'update formd.offering set total_sold = 0',
    'create table edgar.mine (id int)',
    'create schema mine',
    'create table public.mine (id int)',
    'create function public.mine() returns int language sql return 1',
    "copy formd.offering to program 'true'",
    "select pg_read_file('/etc/passwd')",
  ]) {
    await assert.rejects(own.unsafe(statement), denied, statement)
  }
})

test('an analyst has a time limit for queries and a time limit for idle transactions', async (t) => {
  const { name, own } = await made(t)
  const [settings] = await own`
    select current_setting('statement_timeout') as statement, current_setting('idle_in_transaction_session_timeout') as idle`
  // This connection itself removes the statement limit, so the test compares the stored setting of the role. psql would
  // keep the limit.
  assert.equal(settings!.idle, '5min')
  const [stored] = await sql`
    select setconfig from pg_db_role_setting join pg_roles r on r.oid = setrole
    where setdatabase = (select oid from pg_database where datname = current_database()) and rolname = ${name}`
  assert.ok(stored!.setconfig.includes('statement_timeout=15min'), String(stored!.setconfig))
})

test('an analyst can lift the time limit of queries, but not the limits of temporary files and connections, and may use NOTIFY', async (t) => {
  const { own } = await made(t)
  await own`set statement_timeout = 0`
  await assert.rejects(own`set temp_file_limit = -1`, { code: '42501' })
  const [limit] = await own`select current_setting('temp_file_limit') as limit`
  assert.equal(limit!.limit, '10GB')
  await assert.rejects(own`alter role ${own((await own`select current_user as name`)[0]!.name)} connection limit 100`)
  // Even a flood of notices causes only one small query at a time.
  await own`select pg_notify('openfilings_data', 'x')`
})

test('an analyst can still read a dataset and its views after a rebuild', async (t) => {
  const { own } = await made(t)
  const before = await own`select count(*)::int as n from pub.formd_feed`
  const formd = registry.filings.find(({ slug }) => slug === 'formd')!
  await rebuild({ ...world, slices }, formd)
  assert.deepEqual(await own`select count(*)::int as n from pub.formd_feed`, before)
  assert.equal((await own`select count(*)::int as n from formd.offering`)[0]!.n, before[0]!.n)
})

test('an analyst can read the tables of a new dataset and of a migration', async (t) => {
  const { own } = await made(t)
  await sql.unsafe('drop schema links cascade; drop schema similaradvisers cascade')
  await sql`delete from core.dataset where slug in ('links', 'similaradvisers')`
  await sql.unsafe('drop table bulk.history')
  await sql`delete from core.migration where name = '006_history.sql'`
  await migrate(sql, slices)
  for (const name of ['links.link', 'pub.links_link', 'similaradvisers.firm', 'bulk.history']) {
    await own`select * from ${own(name)} limit 1`
  }
})

test('a view that another role has in our schemas does not prevent the grants on our tables', async (t) => {
  const { own } = await made(t)
  const [service, schema] = [nameOf(), nameOf()]
  await sql.unsafe(`create role ${service} login; create schema ${schema} authorization ${service}`)
  await sql.unsafe(`create view ${schema}.another as select 1 as one`)
  t.after(async () => {
    await sql.unsafe(`drop schema ${schema} cascade; drop role ${service}`)
  })
  const theirs = as(t, service)
  await theirs.unsafe(`create table ${schema}.ours (id int)`)
  await theirs.begin((tx) => grantReading(tx, [schema]))
  assert.equal((await own.unsafe(`select * from ${schema}.ours`)).length, 0)
})

test('an invalid or taken name for a new analyst, and the removal of a role that is not an analyst, are refused without a change', async (t) => {
  const { name } = await made(t)
  await assert.rejects(createAnalyst(sql, slugs, name), /there is a role analyst_\w+ on the server already/)
  for (const bad of ['', 'Jane', 'jane doe', 'jane"; drop role x', 'pg_jane', 'j'.repeat(33), '1jane']) {
    await assert.rejects(createAnalyst(sql, slugs, bad), /is not a valid name for an analyst/)
  }
  const [{ owner } = { owner: '' }] = await sql<{ owner: string }[]>`select current_user as owner`
  for (const none of [owner, 'nobody_here', 'pg_monitor']) {
    await assert.rejects(removeAnalyst(sql, none), /unknown analyst/)
  }
})

test('removing an analyst ends the analyst’s open sessions', async (t) => {
  const { name, own } = await made(t)
  await own`select 1`
  assert.deepEqual(
    (await listAnalysts(sql)).filter((analyst) => analyst.name === name),
    [{ name, sessions: 1 }],
  )
  await removeAnalyst(sql, name)
  await assert.rejects(own`select 1`)
  assert.equal((await sql`select from pg_roles where rolname = ${name}`).length, 0)
})

test('an analyst who owns objects is not removed, and the error names the SQL statement to run first', async (t) => {
  const { name, own } = await made(t)
  await own`set default_transaction_read_only = off`
  await own`select lo_create(0)`
  await assert.rejects(removeAnalyst(sql, name), (error: Error) => {
    assert.ok(error instanceof UserError)
    assert.match(error.message, new RegExp(`"drop owned by ${name}"`))
    return true
  })
  assert.ok((await listAnalysts(sql)).some((analyst) => analyst.name === name))
  await sql`drop owned by ${sql(name)}`
  await removeAnalyst(sql, name)
})

test('a service whose role is not a superuser can create analysts, even the first two at the same time, and can remove them with their sessions', async (t) => {
  const { sql: admin, target } = await freshDatabase(t)
  const [{ owner, group } = { owner: '', group: '' }] = await admin<{ owner: string; group: string }[]>`
    select current_user as owner, current_database() || '_reader' as group`
  const [service, name, second] = [nameOf(), nameOf(), nameOf()]
  await admin.unsafe(`create role ${service} login createrole`)
  try {
    for (const schema of ['edgar', 'bulk', 'pub', ...slices.map(({ slug }) => slug)])
      await admin.unsafe(`alter schema ${schema} owner to ${service}`)
    const theirs = on(t, target, service)
    await Promise.all([createAnalyst(theirs, slugs, name), createAnalyst(on(t, target, service), slugs, second)])
    const own = on(t, target, name)
    await own`select 1`
    assert.deepEqual(
      (await listAnalysts(theirs)).map((analyst) => analyst.name),
      [name, second].sort(),
    )
    const removals = await Promise.allSettled([
      removeAnalyst(theirs, name),
      removeAnalyst(on(t, target, service), name),
      removeAnalyst(theirs, second),
    ])
    const [refusal] = removals.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
    assert.equal(removals.filter(({ status }) => status === 'rejected').length, 1)
    assert.match(refusal!.message, new RegExp(`^unknown analyst ${name}:`))
    await assert.rejects(own`select 1`)
    assert.equal((await admin`select from pg_roles where rolname = ${name}`).length, 0)
  } finally {
    await admin.unsafe(`drop role if exists ${name}, ${second}; reassign owned by ${service} to "${owner}"`)
    await admin.unsafe(`drop owned by ${group}; drop role ${group}; drop owned by ${service}; drop role ${service}`)
  }
})

test('a database may have dots, quotes and blanks in its name; a name too long for the group of analysts is refused', async (t) => {
  const { sql: admin, target } = await freshDatabase(t, { empty: true })
  // In an address, only the dot is tested: the driver does not decode `%20` in the name of a database.
  const first = `${nameOf()}.example${typeof target === 'string' ? '' : ' "com" %x'}`
  let database = first
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
  await admin.unsafe(`create database ${quoted(database)}`)
  const named = (user: string | undefined): Connection['target'] => {
    if (typeof target !== 'string') return { ...target, database, ...(user ? { user } : {}) }
    const address = new URL(target)
    address.pathname = `/${database}`
    return user ? addressFor(address.href, user, '') : address.href
  }
  const there = connect({ target: named(undefined), max: 1 })
  const name = nameOf()
  try {
    await there.unsafe('create schema edgar; create schema bulk; create schema pub; create table edgar.filing (id int)')
    await createAnalyst(there, [], name)
    const own = connect({ target: named(name), max: 1 })
    assert.equal((await own`select from edgar.filing`).count, 0)
    assert.equal((await own`show idle_in_transaction_session_timeout`)[0]!.idle_in_transaction_session_timeout, '5min')
    await there.begin((tx) => grantReading(tx, ['edgar']))
    assert.deepEqual([...(await listAnalysts(there))], [{ name, sessions: 1 }])
    await removeAnalyst(there, name)
    await own.end({ timeout: 1 })
    await there.end({ timeout: 1 })
    // PostgreSQL would shorten the name of the group, so that it equals the name of another database's group.
    const long = database.padEnd(57, 'x')
    await admin.unsafe(`alter database ${quoted(database)} rename to ${quoted(long)}`)
    database = long
    const cut = connect({ target: named(undefined), max: 1 })
    await assert.rejects(
      createAnalyst(cut, [], name),
      /^UserError: the name of the database is too long: the role of its readers/,
    )
    await cut.end({ timeout: 1 })
  } finally {
    await there.end({ timeout: 1 })
    await admin.unsafe(`drop role if exists ${name}`)
    await admin.unsafe(`drop database ${quoted(database)} with (force)`)
    await admin.unsafe(`drop role if exists ${quoted(`${first}_reader`)}`)
  }
})

test('if the service’s role may not create or remove roles, the error says who may, or what an administrator has to run', async (t) => {
  const { name } = await made(t)
  const plain = nameOf()
  await sql.unsafe(`create role ${plain} login; grant pg_read_all_data to ${plain}`)
  t.after(async () => {
    await sql.unsafe(`drop role ${plain}`)
  })
  await assert.rejects(createAnalyst(as(t, plain), slugs, nameOf()), (error: Error) => {
    assert.ok(error instanceof UserError)
    assert.match(error.message, new RegExp(`alter role ${plain} createrole`))
    return true
  })
  await assert.rejects(removeAnalyst(as(t, plain), name), (error: Error) => {
    assert.ok(error instanceof UserError)
    assert.match(error.message, new RegExp(`^the role ${plain} may not remove ${name}: only its creator`))
    return true
  })
  assert.ok((await listAnalysts(sql)).some((analyst) => analyst.name === name))
})

test('if a role with the same name is created at the same time elsewhere on the server, the name is refused as taken', async (t) => {
  const name = nameOf()
  let creating: Promise<unknown> | undefined
  await sql.begin(async (tx) => {
    await tx`create role ${tx(name)}`
    creating = createAnalyst(sql, slugs, name).catch((error: unknown) => error)
    await until('the second creation waits for the first', async () => {
      const [row] = await sql`
        select from pg_stat_activity where wait_event_type = 'Lock' and query like ${`create role "${name}"%`}`
      return row !== undefined
    })
  })
  t.after(async () => {
    await sql`drop role ${sql(name)}`
  })
  const error = await creating
  assert.ok(error instanceof UserError, String(error))
  assert.match(error.message, /there is a role analyst_\w+ on the server already/)
})

test('the server stores the given SCRAM verifier of a password, and never receives the password', async (t) => {
  // A server encrypts a given password by this setting, but stores a given verifier unchanged.
  const own = connect({ target: world.target, max: 1 })
  t.after(() => own.end({ timeout: 1 }))
  await own`set password_encryption = 'md5'`
  // RFC 7677, section 3: the server key is correct if it gives the signature that the RFC shows.
  const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64')
  assert.equal(
    verifierOf('pencil', salt),
    'SCRAM-SHA-256$4096:W22ZaJ0SNY7soEsUEjb6gQ==$WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=:wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=',
  )
  const name = nameOf()
  const password = await createAnalyst(own, slugs, name)
  t.after(() => removeAnalyst(sql, name))
  const [row] = await sql<{ stored: string }[]>`select rolpassword as stored from pg_authid where rolname = ${name}`
  assert.equal(row!.stored, verifierOf(password, Buffer.from(row!.stored.split(/[:$]/)[2]!, 'base64')))
})

test('the analyst’s address has the service’s host and database, but not the service’s user name and password, over a socket and over TCP', () => {
  const cases = {
    'postgresql:///openfilings?host=/data/socket&user=openfilings':
      'postgresql:///openfilings?host=/data/socket&user=jane',
    'postgres://us:p%40ss@db.example:5433/filings?sslmode=require':
      'postgres://jane@db.example:5433/filings?sslmode=require',
    'postgres://us:p@ss@db/filings': 'postgres://jane@db/filings',
    'postgres://db/filings?user=us&password=secret': 'postgres://jane@db/filings',
    'postgres://us@one:1,two:2/filings': 'postgres://jane@one:1,two:2/filings',
    "postgresql:///o?host=/it's/socket&user=o": 'postgresql:///o?host=/it%27s/socket&user=jane',
    'postgres://filings@db': 'postgres://jane@db/filings%20%22a%22',
    'postgres://filings@db:5433/?sslmode=require': 'postgres://jane@db:5433/filings%20%22a%22?sslmode=require',
    'postgresql:///?host=/run/pg&user=filings': 'postgresql:///filings%20%22a%22?host=/run/pg&user=jane',
  }
  for (const [address, expected] of Object.entries(cases))
    assert.equal(addressFor(address, 'jane', 'filings "a"'), expected)
})

const page = readFileSync(path.join(checkout, 'docs/analysts.md'), 'utf8')
const queries = [...page.matchAll(/^### (.+)\n\n```sql\n([^`]+)```/gm)].map(([, title = '', text = '']) => ({
  title,
  text,
}))

test('docs/analysts.md has queries, and each returns rows of the sample to an analyst', async (t) => {
  assert.ok(queries.length >= 13)
  const { own } = await made(t)
  for (const { title, text } of queries) {
    const rows = await own.unsafe(text.trimEnd().replace(/;$/, ''))
    assert.ok(rows.length > 0, title)
  }
})

test('the statement in docs/analysts.md ends sessions of analysts in long transactions, and no other sessions', async (t) => {
  const [statement] = [...page.matchAll(/```sql\n([^`]*pg_terminate_backend[^`]*)```/g)].map(([, text]) => text!)
  assert.match(statement!, /interval '20 minutes'/)
  const { own } = await made(t)
  // PostgreSQL cannot revoke this command from any role, not even in read-only transactions.
  await own.begin('read only', (tx) => tx`notify a`)
  await own`set idle_in_transaction_session_timeout = 0`
  await own`listen a`
  const others = connect({ target: world.target, max: 1 })
  t.after(() => others.end({ timeout: 1 }))
  const ended = async (text: string) => (await sql.unsafe(text)).length
  const stay = own.begin(async (tx) => {
    await tx`select 1`
    assert.equal(await ended(statement!), 0)
    await others.begin(async (other) => {
      await other`select 1`
      assert.equal(await ended(statement!.replace('20 minutes', '0 minutes')), 1)
      await other`select 1`
    })
    await tx`select 1`
  })
  await assert.rejects(stay, /terminating connection|CONNECTION_CLOSED|CONNECTION_ENDED/)
})

const hasPsql = await promisify(execFile)('psql', ['--version']).then(
  () => true,
  () => false,
)

test('psql connects with the line that `analyst create` prints, and `analyst list` and `analyst remove` print the role', {
  skip: hasPsql ? false : 'no psql on this machine',
}, async (t) => {
  const env = await emptyEnv(t)
  if (!env.DATABASE_URL) {
    const folder = path.join(await temporaryFolder(t), "a b'c&d=%41+é#")
    mkdirSync(folder)
    renameSync(env.DATA_DIR!, path.join(folder, 'd'))
    env.DATA_DIR = path.join(folder, 'd')
  }
  const name = nameOf()
  // The embedded server runs only while a process uses it.
  await queried(env, async (admin) => {
    const created = await run(['analyst', 'create', name], env)
    assert.equal(created.status, 0, created.stderr)
    assert.match(created.stdout, /^PGPASSWORD=[\w-]{24} psql 'postgres[^']+'\n$/)
    const home = await temporaryFolder(t)
    const command = `${created.stdout.trim()} -X -qAt -c 'select current_user, count(*) from edgar.filing'`
    const { stdout } = await promisify(execFile)('sh', ['-c', command], {
      env: { PATH: process.env.PATH ?? '', HOME: home },
    })
    assert.equal(stdout, `${name}|0\n`)
    // The server ends a session some time after its client has left.
    await until('the session of psql has ended', async () => {
      const [left] = await admin`select count(*)::int as count from pg_stat_activity where usename = ${name}`
      return left!.count === 0
    })
    assert.match((await run(['analyst', 'list'], env)).stdout, new RegExp(`^name\tsessions\n(.*\n)*${name}\t0\n`))
    assert.equal((await run(['analyst', 'remove', name], env)).stdout, `removed ${name}\n`)
    assert.equal((await admin`select from pg_roles where rolname = ${name}`).length, 0)
    await admin.unsafe(
      `do $$ begin execute format('drop owned by %1$I; drop role %1$I', current_database() || '_reader'); end $$`,
    )
  })
})

/** Statements that PostgreSQL lets every role run, although these statements fill the disk or delay other sessions. */
const BEYOND_READING = [
  'create temporary table mine (id int)',
  'select 1 into temporary mine',
  'select pg_advisory_lock(n) from generate_series(1, 10) n',
  'select pg_advisory_lock(4713003, 1)',
  'select pg_advisory_xact_lock_shared(1)',
  'select pg_try_advisory_lock(1)',
  'select lo_create(0)',
  'select lo_creat(-1)',
  "select lo_from_bytea(0, 'x')",
]

test('in the embedded database an analyst cannot create temporary tables or large objects, take ingest’s locks, or reach other databases; the service’s role can', async (t) => {
  const dataDir = await madeFolder(t)
  const name = nameOf()
  const embedded = await openEmbedded({ dataDir })
  const admin = connect({ target: embedded.target, max: 1 })
  try {
    const created = await run(['analyst', 'create', name], { DATA_DIR: dataDir })
    assert.equal(created.status, 0, created.stderr)
    const [, password = ''] = /^PGPASSWORD=(\S+)/.exec(created.stdout)!
    const target = { ...embedded.target, user: name, password }
    const own = connect({ target, max: 1 })
    await own`set default_transaction_read_only = off`
    for (const statement of BEYOND_READING) {
      await assert.rejects(own.unsafe(statement), { code: '42501' }, statement)
      await admin.unsafe(statement)
      await admin.unsafe('drop table if exists mine')
    }
    assert.equal((await own`select count(*)::int as n from edgar.filing`)[0]!.n, 0)
    const others = await admin<{ name: string }[]>`
      select datname as name from pg_database where datname <> current_database() and datallowconn`
    assert.ok(others.length > 0)
    for (const { name: database } of others) {
      const elsewhere = connect({ target: { ...target, database }, max: 1 })
      await assert.rejects(elsewhere`select 1`, { code: '42501' }, database)
      await elsewhere.end()
    }
    await own.end()
  } finally {
    await admin.end({ timeout: 1 })
    await embedded.close()
  }
})

test('the statements in docs/analysts.md for an external database revoke the same rights there from analysts, and keep these rights for the service', async (t) => {
  const { sql: admin, target } = await freshDatabase(t)
  const [service, other] = [nameOf(), nameOf()]
  const [, statements = ''] = /^```sql\n(do [^`]+)```/m.exec(page)!
  await admin.unsafe(`create role ${service} login; create role ${other} login`)
  try {
    await admin.unsafe(statements.replaceAll('openfilings', service))
    const [theirs, own] = [on(t, target, service), on(t, target, other)]
    for (const statement of BEYOND_READING) {
      await assert.rejects(own.unsafe(statement), { code: '42501' }, statement)
      await theirs.unsafe(statement)
      await theirs.unsafe('drop table if exists mine')
    }
  } finally {
    await admin.unsafe(`drop owned by ${service}, ${other}; drop role ${service}, ${other}`)
  }
})

test('the command `analyst` is refused with the remedy if its verb is missing or unknown, or if `remove` has no name', async () => {
  const env = { DATA_DIR: '/nonexistent' }
  assertRefused(await run(['analyst'], env), /analyst needs create, list or remove/)
  assertRefused(await run(['analyst', 'creat'], env), /analyst: unknown command "creat"; did you mean create\?/)
  assertRefused(await run(['analyst', 'remove'], env), /analyst remove needs the name of an analyst/)
  assertRefused(await run(['analyst', 'list', 'all'], env), /analyst does not take all/)
})
