/** The searched names of filers: consistent with every index, and refolded when the folding rules for names change. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { generateSpine } from '../../bench/spine.ts'
import { bringFilerNamesOver, FILL_LOCK } from '../../src/ingest/filer-names.ts'
import { INDEX_LOCK } from '../../src/ingest/order.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { definitionOf } from '../../src/store/schema.ts'
import { endHolder, freshDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'
import { checkout, copyOfSample, madeLater, openWorld, temporaryFolder, writeIndex } from '../support/world.ts'

const stored = async (sql: Sql) => ({
  names: [...(await sql`
    select cik, name_key, key, words, kind, filings, last_filed, band from edgar.filer_search order by cik, name_key`)],
  words: [...(await sql`select word, names, near from edgar.filer_word order by word`)],
}) // biome-ignore format: one line each

const forget = (sql: Sql) => sql`update core.meta set value = 'other rules' where name = 'filer_names'`
const bringOver = (sql: Sql) => bringFilerNamesOver(sql, INDEX_LOCK)

test('after every index, the stored names, their filings and words equal those computed from scratch', async (t) => {
  const root = await copyOfSample(t)
  const { sql, crawl } = await openWorld(t, { root })
  await bringOver(sql)
  const quarter = (name: string, day: string, files: readonly number[]) =>
    files.map((n) => `1234|${name}|10-K|2025-${day}|edgar/data/1234/0000001234-25-${String(n).padStart(6, '0')}.txt`)
  const before = quarter('OLD & CO', '10-02', [1, 2, 3])
  await writeIndex(root, '2025/QTR4', before, { lastReceived: 'October 31, 2025' })
  await crawl({ from: '2025-10-01', to: '2025-10-31', now: new Date('2025-11-02T12:00:00Z') })
  assert.deepEqual(
    (await stored(sql)).names.map(({ key, kind, filings }) => [key, kind, filings]),
    [['old|co|', 'now', 3]],
  )
  // The index has a new present name, and no longer lists one of the filings.
  const after = [...quarter('OLD & CO', '10-02', [1, 2]), ...quarter('New Name Inc', '11-20', [4])]
  await writeIndex(root, '2025/QTR4', after, { lastReceived: 'December 31, 2025' })
  for (const _ of ['suspected', 'removed']) {
    await crawl({ from: '2025-10-01', to: '2025-12-31', now: await madeLater(root, '2025/QTR4'), again: true })
  }
  const followed = await stored(sql)
  assert.deepEqual(
    followed.names.map(({ key, kind, filings }) => [key, kind, filings]),
    [
      ['new name|inc|nn', 'now', 1],
      ['old|co|', 'former', 2],
    ],
  )
  await forget(sql)
  await bringOver(sql)
  assert.deepEqual(await stored(sql), followed)
})

test('if an index is loaded while names are made again, both its new filings and the earlier ones are counted', async (t) => {
  const root = await copyOfSample(t)
  const { sql, crawl } = await openWorld(t, { root })
  await bringOver(sql)
  const lines = [1, 2, 3, 4].map(
    (n) => `1234|Kestrel Inc|10-K|2025-10-0${n}|edgar/data/1234/0000001234-25-00000${n}.txt`,
  )
  const load = async (count: number) => {
    await writeIndex(root, '2025/QTR4', lines.slice(0, count), { lastReceived: 'October 31, 2025' })
    return crawl({ from: '2025-10-01', to: '2025-10-31', now: await madeLater(root, '2025/QTR4'), again: true })
  }
  await load(3)
  await forget(sql)
  const waiting = async (count: number) =>
    until(`${count} processes wait for the lock of indexes`, async () => {
      const rows = await sql`
        select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      return rows.length === count
    })
  const holder = await sql.reserve()
  await holder`select pg_advisory_lock(${INDEX_LOCK})`
  const loading = load(4)
  await waiting(1)
  // The names are removed at once, and made again after the index was loaded.
  const making = bringOver(sql)
  await waiting(2)
  await holder`select pg_advisory_unlock(${INDEX_LOCK})`
  holder.release()
  assert.equal((await loading)[0]!.added, 1)
  await making
  const meanwhile = await stored(sql)
  assert.deepEqual(
    meanwhile.names.map(({ key, filings }) => [key, filings]),
    [['kestrel|inc|', 4]],
  )
  await forget(sql)
  await bringOver(sql)
  assert.deepEqual(await stored(sql), meanwhile)
})

test('if a database was made before filer names were stored, the first start stores them', async (t) => {
  const { sql } = await freshDatabase(t)
  await generateSpine(sql, 1000, 3)
  const whole = await stored(sql)
  await sql`truncate edgar.filer_search, edgar.filer_word`
  await sql`delete from core.meta where name = 'filer_names'`
  await bringOver(sql)
  assert.deepEqual(await stored(sql), whole)
  const seen: number[] = []
  await bringFilerNamesOver(sql, INDEX_LOCK, (done) => seen.push(done))
  assert.deepEqual(seen, [], 'no name is made twice')
})

test('after a rule change, one of several processes refolds the names once, and resumes where a killed process stopped', async (t) => {
  const { sql, target } = await freshDatabase(t)
  await generateSpine(sql, 5000, 3)
  const searched = async () => (await sql`select from edgar.filer_search`).length
  const whole = await searched()
  // Twenty thousand names make a batch: these names, without a known filing, make the second batch.
  await sql`
    insert into edgar.filer_name (cik, name, name_key)
    select lpad((9000000 + n)::text, 10, '0'), 'KESTREL ' || n, 'kestrel ' || n from generate_series(1, 20000) n`
  const run = await changedCode(t, target)
  const killed = await run({ killedAfter: 1 })
  assert.equal(killed.length, 1, 'killed after the first batch')
  assert.equal(await searched(), whole, 'the work of the first batch is kept')
  const both = await Promise.all([run(), run()])
  const batches = both.flat()
  const [names] = await sql<{ of: number }[]>`select count(*)::int as of from edgar.filer_name`
  assert.deepEqual(batches, [`${names!.of} of ${names!.of}`], `the second of two batches, once: ${killed}`)
  const [left] = await sql`
    select (select count(*)::int from edgar.filing where name_key like '%k%') as filings,
      (select count(*)::int from edgar.filer_name where name_key like '%k%') as names,
      (select count(*)::int from edgar.filer_search where name_key like '%k%' or key like '%k%') as searched,
      (select count(*)::int from edgar.filer_word where word like '%k%') as words,
      (select count(*)::int from edgar.filing f join edgar.filer r using (accession, cik)
        join edgar.filer_name n using (name_id) where n.name_key <> f.name_key) as apart`
  assert.deepEqual(left, { filings: 0, names: 0, searched: 0, words: 0, apart: 0 })
})

test('refolding of names finishes even if the server ends the session that holds its lock', async (t) => {
  const { sql } = await freshDatabase(t)
  await generateSpine(sql, 1000, 3)
  const whole = await stored(sql)
  await forget(sql)
  // A session that adds filings delays the first batch, so that the names are not finished before that session ends.
  const adding = await sql.reserve()
  await adding`select pg_advisory_lock(${INDEX_LOCK})`
  const over = bringOver(sql)
  await until('a batch waits for the lock', async () => {
    const [lock] = await sql`
      select exists (select from pg_locks where locktype = 'advisory' and objid = ${INDEX_LOCK} and not granted
        and database = (select oid from pg_database where datname = current_database())) as waits`
    return lock!.waits
  })
  await endHolder(sql, { only: FILL_LOCK })
  await adding`select pg_advisory_unlock(${INDEX_LOCK})`
  adding.release()
  await over
  assert.deepEqual(await stored(sql), whole)
  await forget(sql)
  await bringOver(sql)
  assert.deepEqual(await stored(sql), whole, 'later runs make the names again')
})

test('after a change of the folding rules, exactly the datasets that store names need a rebuild', async (t) => {
  const run = await changedCode(t, null)
  const now = new Map((await run()).map((line) => line.split(' ') as [string, string]))
  const outdated: string[] = []
  for (const dataset of registry.datasets)
    if (now.get(dataset.slug) !== definitionOf(dataset).parserHash) outdated.push(dataset.slug)
  assert.deepEqual(outdated.sort(), [
    ...['adv', 'cfportal', 'companies', 'crowdfunding', 'form144', 'form25', 'formd', 'fundreg', 'ncen', 'nmfp'],
    ...['nport', 'npx', 'offerings', 'ownership', 'proxies', 'rega', 'schedule13', 'thirteenf', 'x17a5'],
  ])
})

test('after a change in how values are read, every dataset needs a rebuild', async (t) => {
  const run = await changedCode(t, null, READ_OTHERWISE)
  for (const line of await run()) {
    const [slug, hash] = line.split(' ') as [string, string]
    const dataset = registry.datasets.find((one) => one.slug === slug)!
    assert.notEqual(hash, definitionOf(dataset).parserHash, slug)
  }
})

interface Change {
  file: string
  from: string
  to: string
}

/** A change of the code after which names are folded differently: k becomes q. */
const FOLDED_OTHERWISE = { file: 'read/fold.ts', from: '.toLowerCase()', to: ".toLowerCase().replaceAll('k', 'q')" }
const READ_OTHERWISE = { file: 'read/values.ts', from: 'text.length > 64', to: 'text.length > 32' }

/**
 * A copy of the code with a change.
 *
 * @param target database whose filer names the copy computes again; if null, the copy prints the parser hash of each
 *   dataset instead
 * @returns a function that runs the copy and returns the lines that it wrote
 */
async function changedCode(
  t: Parameters<typeof temporaryFolder>[0],
  target: unknown,
  { file, from, to }: Change = FOLDED_OTHERWISE,
) {
  const folder = await temporaryFolder(t)
  await cp(path.join(checkout, 'src'), path.join(folder, 'src'), { recursive: true })
  for (const name of ['node_modules', 'vendor', 'package.json'])
    await symlink(path.join(checkout, name), path.join(folder, name))
  const code = path.join(folder, 'src', file)
  const text = await readFile(code, 'utf8')
  const changed = text.replace(from, to)
  assert.notEqual(changed, text)
  await writeFile(code, changed)
  await writeFile(path.join(folder, 'run.ts'), target ? NAMES_AGAIN : PARSERS)
  return async ({ killedAfter = 0 } = {}): Promise<string[]> => {
    const child = spawn(process.execPath, ['run.ts', JSON.stringify(target), String(killedAfter)], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    const lines: string[] = []
    for await (const line of createInterface({ input: child.stdout })) lines.push(line)
    await ended
    assert.equal(child.signalCode ?? child.exitCode, killedAfter > 0 ? 'SIGKILL' : 0)
    return lines
  }
}

const NAMES_AGAIN = `
import { connect } from './src/store/db.ts'
import { bringFilerNamesOver, FILL_LOCK } from './src/ingest/filer-names.ts'
import { INDEX_LOCK } from './src/ingest/order.ts'
const sql = connect({ target: JSON.parse(process.argv[2]!) })
let batches = 0
await bringFilerNamesOver(sql, INDEX_LOCK, (done, of) => {
  console.log(done + ' of ' + of)
  if (++batches === Number(process.argv[3])) process.kill(process.pid, 'SIGKILL')
})
await sql.end()
`
const PARSERS = `
import { definitionOf } from './src/store/schema.ts'
import registry from './src/registry.ts'
for (const dataset of registry.datasets) console.log(dataset.slug, definitionOf(dataset).parserHash)
`
