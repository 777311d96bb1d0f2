/**
 * A database that lost a part, for example because only some schemas were restored, is reported as incomplete; a
 * database with all schemas restored is complete.
 *
 * @server it dumps and restores with the programs of the server under test
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { after, before, describe, it, test } from 'node:test'
import { promisify } from 'node:util'
import { checkDatabase } from '../../src/commands/doctor/database.ts'
import { readSettings } from '../../src/config.ts'
import registry from '../../src/registry.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { lostOf } from '../../src/store/gaps.ts'
import { readMigrations } from '../../src/store/migrations.ts'
import { differences, migrate } from '../../src/store/schema.ts'
import { assertRefused, emptyEnv, run, sampledEnv } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/world.ts'

const exec = promisify(execFile)

describe('a database with a missing part', () => {
  let env: Record<string, string>
  const later: (() => Promise<unknown>)[] = []

  before(async () => {
    env = await sampledEnv({ after: (fn: () => Promise<unknown>) => void later.unshift(fn) })
  })
  after(async () => {
    for (const fn of later) await fn()
  })

  /** Changes the database directly, because commands refuse a damaged database. */
  async function damage(statement: string, of = env): Promise<void> {
    const sql = connect({ target: of.DATABASE_URL!, max: 1 })
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }

  /** Returns the FAIL findings of doctor, with their advice. */
  const failures = async (of = env) =>
    (await checkDatabase(readSettings(of).config))
      .filter(({ state }) => state === 'FAIL')
      .map(({ name, found, wayOut }) => `${name}: ${found}; ${wayOut}`)

  /** Asserts that commands that serve from the database or load into it report the missing part in one line. */
  async function assertAllRefuse(names: RegExp, of = env): Promise<void> {
    for (const args of [['serve', '--port', '0'], ['ingest', 'index', '--base-url', 'file:///nowhere'], ['sample']])
      assertRefused(await run(args, of), names)
  }

  it('is reported if the schema of a dataset is missing, and `rebuild` makes the schema and its rows again', async () => {
    await damage('drop schema formd cascade; drop schema adv cascade; drop table rega.submission cascade')
    const restoreOr = 'restore the whole dump into an empty database, or run "openfilings rebuild'
    assert.deepEqual(await failures(), [
      `shape: formd lacks the schema formd; ${restoreOr} formd", which reads the archive`,
      `shape: rega lacks rega.submission, pub.rega_amended, pub.rega_code, pub.rega_feed; ${restoreOr} rega", which reads the archive`,
      `shape: adv lacks the schema adv; ${restoreOr} adv", which reads the archive`,
    ])
    await assertAllRefuse(
      /formd lacks the schema formd; .*: restore the whole dump .* "openfilings rebuild formd rega adv"/,
    )
    assert.match((await run(['status'], env)).stdout, /^outdated .*formd \(missing\)/m)
    const rebuilt = await run(['rebuild', 'formd', 'rega', 'adv'], env)
    assert.equal(rebuilt.status, 0, rebuilt.stderr)
    assert.doesNotMatch(rebuilt.stdout, / 0 filings read again/)
    assert.deepEqual(await failures(), [])
  })

  it('is reported if the schema `pub` is missing, and `rebuild` makes the schema again', async (t) => {
    // An empty database suffices here: it has the same views, and the test above checks that a rebuild restores rows.
    const empty = await emptyEnv(t)
    await damage('drop schema pub cascade', empty)
    const found = await failures(empty)
    const publishing = registry.slices.filter(({ views }) => views.length > 0).map(({ slug }) => slug)
    assert.equal(found.length, publishing.length)
    assert.match(found[0]!, /^shape: \w+ lacks pub\.\w+(, pub\.\w+)*; restore the whole dump/)
    await assertAllRefuse(/lacks pub\.formd_amended, pub\.formd_feed.*"openfilings rebuild/, empty)
    const rebuilt = await run(['rebuild', ...publishing], empty)
    assert.equal(rebuilt.status, 0, rebuilt.stderr)
    assert.deepEqual(await failures(empty), [])
  })

  it('is reported if the database lacks the extension, even if the extension is installed on the server', async () => {
    await damage('drop extension pg_trgm cascade')
    const lacking = 'the database lacks the extension pg_trgm, which it once had'
    assert.deepEqual(await failures(), [`shape: ${lacking}; restore the whole dump into an empty database`])
    await assertAllRefuse(new RegExp(`${lacking}: restore the whole dump`))
    await damage('create extension pg_trgm with schema public')
  })

  it('is reported if a restore ended before it made the foreign keys', async () => {
    await damage('alter table edgar.task drop constraint task_accession_fkey')
    const cut = cutBefore('edgar.task')
    await assertAllRefuse(cut)
    assertRefused(await run(['status'], env), cut)
    assert.match((await failures()).join(), /^shape: the database lacks the foreign keys of edgar\.task/)
    await damage('alter table edgar.task add foreign key (accession) references edgar.filing on delete cascade')
    assert.deepEqual(await failures(), [])
  })

  it('is reported if it lacks any of its foreign keys, because a restore may end before each of them', async (t) => {
    const { sql } = await freshDatabase(t)
    await migrate(sql, registry.slices)
    const keys = await sql<{ name: string; key: string }[]>`
      select conrelid::regclass::text as name, conname as key from pg_constraint
      where contype = 'f' and connamespace::regnamespace::text in ('core', 'edgar', 'bulk') order by 1`
    assert.ok(keys.some(({ name }) => name === 'edgar.unlisted_filer'))
    const undone = new Error('undone')
    for (const { name, key } of keys) {
      const dropping = sql.begin(async (tx) => {
        await tx`alter table ${tx(name)} drop constraint ${tx(key)}`
        assert.deepEqual(await lostOf(tx, await readMigrations()), [
          `the foreign keys of ${name} (a restore makes them last)`,
        ])
        throw undone
      })
      await assert.rejects(dropping, (error) => error === undone)
    }
  })

  it('is reported if a table of the spine or the schema of the keys is missing', async () => {
    await damage('alter table edgar.task rename to kept; alter table core.dataset rename to kept')
    const lacking = 'the database lacks core.dataset, edgar.task, which it once had'
    assert.deepEqual(await failures(), [`shape: ${lacking}; restore the whole dump into an empty database`])
    await assertAllRefuse(new RegExp(lacking))
    await damage('alter table edgar.kept rename to task; drop schema core cascade')
    const found = await failures()
    assert.match(found.join(), /^database: the database has filings, but lacks the schema core: restore the whole dump/)
    await assertAllRefuse(/the database has filings, but lacks the schema core: restore the whole dump/)
  })
})

const cutBefore = (tables: string) =>
  new RegExp(
    `the database lacks the foreign keys of ${tables} \\(a restore makes them last\\), which it once had: restore the whole dump`,
  )

/** Returns why the tests cannot make a dump, or false if `pg_dump` is installed. */
async function dumper(): Promise<string | false> {
  if (!process.env.TEST_DATABASE_URL) return 'the embedded server comes without pg_dump'
  return exec('pg_dump', ['--version']).then(
    () => false,
    () => 'there is no pg_dump',
  )
}

test('a full dump restores a complete database; after a restore of single schemas the missing parts are reported', {
  skip: await dumper(),
}, async (t) => {
  const { sql, url } = await freshDatabase(t)
  await migrate(sql, registry.slices)
  const restored = async (...options: string[]): Promise<Sql> => {
    const into = await freshDatabase(t, { empty: true })
    const file = path.join(await temporaryFolder(t), 'dump.sql')
    await exec('pg_dump', [`--file=${file}`, ...options, url!])
    await exec('psql', ['--quiet', '--no-psqlrc', `--file=${file}`, into.url!], { maxBuffer: 2 ** 26 })
    return into.sql
  }
  const whole = await differences(await restored('--no-owner'), registry.slices)
  assert.deepEqual([whole.lost, whole.stale, whole.pending, whole.missing], [[], [], [], []])
  const apart = await differences(
    await restored('--no-owner', '--schema=core', '--schema=edgar', '--schema=bulk'),
    registry.slices,
  )
  assert.deepEqual(apart.lost, ['the extension pg_trgm'])
  assert.deepEqual(
    apart.stale.map(({ lacks }) => lacks),
    registry.slices.map(({ slug }) => [`the schema ${slug}`]),
  )
})

test('every command refuses a database restored without its foreign keys', { skip: await dumper() }, async (t) => {
  const from = await sampledEnv(t)
  const { url } = await freshDatabase(t, { empty: true })
  const file = path.join(await temporaryFolder(t), 'dump')
  await exec('pg_dump', ['--format=custom', `--file=${file}`, from.DATABASE_URL!])
  const restore = (...options: string[]) =>
    exec('pg_restore', ['--no-owner', '--no-privileges', `--dbname=${url}`, ...options, file])
  await restore('--section=pre-data', '--section=data')
  const env = { ...from, DATABASE_URL: url! }
  for (const args of [
    ['status'],
    ['keys', 'list'],
    ['serve', '--port', '0'],
    ['ingest', 'index', '--base-url', 'file:///nowhere'],
  ])
    assertRefused(await run(args, env), cutBefore('core\\.\\w+, .*, edgar\\.unlisted_filer'))
  await restore('--section=post-data')
  assert.equal((await run(['status'], env)).status, 0)
})
