/** Filings that have their rows from quarterly sets are not fetched, unless an operator requests it. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { planArchives } from '../../src/commands/cost/archive-plan.ts'
import thirteenf from '../../src/datasets/thirteenf/index.ts'
import { daysToFetch } from '../../src/ingest/archives/pending.ts'
import { backlog, readCounts } from '../../src/ingest/backlog.ts'
import { prune } from '../../src/ingest/prune.ts'
import { countOfSets, hasPending, retryFailed, takeUpSets } from '../../src/ingest/queue.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { ingestSets, type SetsOptions } from '../../src/ingest/sets/ingest.ts'
import { pendingForms, pendingOf } from '../../src/ingest/waiting.ts'
import { detail as lookup } from '../../src/products/filings/lookup.ts'
import { coverage } from '../../src/products/filings/routes.ts'
import { status } from '../../src/products/status/routes.ts'
import registry from '../../src/registry.ts'
import { nothing } from '../../src/serve/loaded.ts'
import type { Sql } from '../../src/store/db.ts'
import { migrationFile } from '../../src/store/migrations.ts'
import { syncFamilies } from '../../src/store/schema.ts'
import { emptyEnv, run } from '../support/command.ts'
import { testContext } from '../support/context.ts'
import { freshDatabase } from '../support/database.ts'
import { made, membersOf, setOf, worldOf } from '../support/thirteenf/set-files.ts'
import { madeLater, temporaryFolder, type World, writeIndex } from '../support/world.ts'

const OWN = { datasets: ['thirteenf'] }
const LATER = '2024q2_form13f.zip'

const load = async (world: World, file: string, more: Partial<SetsOptions> = {}) => {
  const { sql, slices, store } = world
  const [outcome] = await ingestSets({ sql, slices, store, dataset: thirteenf, from: { files: [file] }, ...more })
  return outcome!
}

/** Returns the number of tasks in each state. */
async function states(sql: Sql): Promise<Record<string, number>> {
  const rows = await sql<{ state: string; n: number }[]>`
    select state, count(*)::int as n from edgar.task where dataset = 'thirteenf' group by state order by state`
  return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
}

const waiting = async (sql: Sql) =>
  (
    await sql<{ accession: string }[]>`
      select accession from edgar.task where dataset = 'thirteenf' and state = 'pending' order by accession`
  ).map(({ accession }) => accession)

const fetched = ({ host }: World) => host.requests.filter(({ path }) => path.includes('/data/')).length
const accessionsOf = (all: readonly { accession: string }[]) => all.map(({ accession }) => accession).sort()

test('whether sets are loaded before or after the index, only filings without rows of a set are fetched and counted as cost', async (t) => {
  for (const isIndexFirst of [true, false]) {
    const all = made(30)
    const world = await worldOf(t, all)
    const { sql } = world
    if (isIndexFirst) await world.crawl()
    assert.equal((await load(world, await setOf(t, membersOf(all.slice(0, 22))))).result!.loaded, 22)
    if (!isIndexFirst) await world.crawl()
    assert.deepEqual(await states(sql), { pending: 8, set: 22 })
    assert.deepEqual([await pendingOf(sql, OWN), await countOfSets(sql, OWN)], [8, 22])
    const costs = await pendingForms(sql, OWN)
    assert.equal(
      costs.reduce((sum, { requests }) => sum + requests, 0),
      8,
    )
    assert.deepEqual(await world.drain(OWN), { done: 8, failed: 0, unread: 0 })
    assert.deepEqual([fetched(world), await states(sql), await hasPending(sql, OWN)], [8, { done: 8, set: 22 }, false])
    // Completeness counts only submissions that were read.
    const [counts] = (await readCounts(sql)).filter(({ dataset }) => dataset === 'thirteenf')
    assert.deepEqual([counts!.filings, counts!.read], [30, 8])
    const own = (await backlog(sql)).find(({ dataset }) => dataset === 'thirteenf')
    assert.deepEqual([own!.pending, own!.failed, own!.of_sets], [0, 0, 22])
  }
})

test('on request the submissions of filings of sets are read, in the requested days, and win over sets that are loaded again', async (t) => {
  const all = made(30)
  const world = await worldOf(t, all)
  const { sql } = world
  const file = await setOf(t, membersOf(all))
  await load(world, file)
  await world.crawl()
  const from = all.map(({ filedDate }) => filedDate).sort()[15]!
  const some = all.filter(({ filedDate }) => filedDate >= from).length
  assert.ok(some > 0 && some < 30)
  const wanted = { ...OWN, from, ofSets: true }
  // The cost is known before the filings are put into the queue.
  assert.deepEqual([await pendingOf(sql, wanted), await pendingOf(sql, { ...OWN, from })], [some, 0])
  const onDays = async (ofSets: boolean) =>
    (await daysToFetch(sql, { ...OWN, ofSets }, 1)).reduce((sum, { filings }) => sum + filings, 0)
  assert.deepEqual([await onDays(true), await onDays(false)], [30, 0])
  assert.deepEqual((await planArchives(world, OWN)).archives, [])
  await takeUpSets(sql, wanted)
  assert.deepEqual(await states(sql), { pending: some, set: 30 - some })
  assert.equal((await world.drain(OWN)).done, some)
  assert.equal((await load(world, file, { again: true })).result!.loaded, 30 - some)
  assert.deepEqual(await states(sql), { done: some, set: 30 - some })
})

test('a filing that failed for a temporary reason is completed by a set, and a filing that cannot be read stays failed until it is retried', async (t) => {
  const all = made(3)
  const world = await worldOf(t, all)
  const { sql } = world
  await world.crawl()
  const [first, second] = accessionsOf(all)
  await sql`
    update edgar.task set state = 'failed', error = 'away', passing = accession = ${first!}, finished_at = now()
    where accession = any(${[first!, second!]})`
  await load(world, await setOf(t, membersOf(all)))
  assert.deepEqual(await states(sql), { failed: 1, set: 2 })
  const [task] = await sql`select state, error, passing, finished_at from edgar.task where accession = ${first!}`
  assert.deepEqual({ ...task }, { state: 'set', error: null, passing: false, finished_at: null })
  assert.deepEqual([(await world.drain(OWN)).done, fetched(world)], [0, 0])
  await retryFailed(sql, OWN)
  assert.deepEqual([(await world.drain(OWN)).done, await states(sql)], [1, { done: 1, set: 2 }])
})

test('a filing that a set refuses is fetched, also if it has rows of an older set or no index lists it yet', async (t) => {
  const all = made(12)
  const world = await worldOf(t, all)
  const { sql } = world
  const [damaged, denied] = accessionsOf(all)
  const members = membersOf(all)
  const bad = {
    ...members,
    'SUBMISSION.tsv': members['SUBMISSION.tsv']!.split('\n')
      .map((line) => (line.startsWith(damaged!) ? `${line}\tmore` : line))
      .join('\n'),
  }
  await sql.unsafe(`alter table thirteenf.report add constraint never check (accession <> '${denied}') not valid`)
  const first = await load(world, await setOf(t, bad))
  assert.deepEqual([first.result!.loaded, first.found.refused], [10, 2])
  await world.crawl()
  assert.deepEqual(await waiting(sql), [damaged, denied])
  // The older set has both filings. The newer set refuses them.
  await sql`alter table thirteenf.report drop constraint never`
  assert.equal((await load(world, await setOf(t, members), { again: true })).result!.loaded, 12)
  assert.deepEqual(await states(sql), { set: 12 })
  await sql.unsafe(`alter table thirteenf.report add constraint never check (accession <> '${denied}') not valid`)
  assert.equal((await load(world, await setOf(t, bad, LATER))).found.refused, 2)
  assert.deepEqual(await waiting(sql), [damaged, denied])
  const [rows] = await sql`select count(*)::int as n from thirteenf.report`
  assert.equal(rows!.n, 12, 'rows of the older set stay until the submission is read')
  // If an index lists the filings only later, the result is the same.
  await sql`delete from edgar.filing`
  await sql`delete from edgar.filer`
  await world.crawl({ again: true })
  assert.deepEqual(await waiting(sql), [damaged, denied])
  await sql`alter table thirteenf.report drop constraint never`
  assert.deepEqual([(await world.drain(OWN)).done, await states(sql)], [2, { done: 2, set: 10 }])
  // An older set says nothing about rows of a newer set.
  assert.equal((await load(world, await setOf(t, bad), { again: true })).found.refused, 1)
  assert.deepEqual(await waiting(sql), [])
})

test('all filings of a set with a line that names no filing are fetched, until a set without such a line is loaded', async (t) => {
  const all = made(6)
  const world = await worldOf(t, all)
  const { sql } = world
  const members = membersOf(all)
  const table = members['INFOTABLE.tsv']!
  const [line] = table.split('\n').slice(1)
  const stray = { ...members, 'INFOTABLE.tsv': `${table}${['nonsense', ...line!.split('\t').slice(1)].join('\t')}\n` }
  const { result, found } = await load(world, await setOf(t, members))
  assert.deepEqual([result!.loaded, found.refused], [6, 0])
  await world.crawl()
  assert.deepEqual(await states(sql), { set: 6 })
  const second = await load(world, await setOf(t, stray, LATER))
  assert.deepEqual([second.result!.loaded, second.found.refused], [6, 1])
  assert.deepEqual(await states(sql), { pending: 6 })
  await load(world, await setOf(t, members, '2024q3_form13f.zip'))
  assert.deepEqual(await states(sql), { set: 6 })
})

test('a filing of a set is fetched if its day in the index differs from its day in the set', async (t) => {
  const all = made(3)
  const root = await temporaryFolder(t)
  const world = await worldOf(t, all, { root })
  const { sql } = world
  await load(world, await setOf(t, membersOf(all)))
  const index = (days: readonly string[]) =>
    writeIndex(
      root,
      '2024/QTR1',
      all.map(
        ({ cik, name, form, accession }, at) => `${cik}|${name}|${form}|${days[at]}|edgar/data/1/${accession}.txt`,
      ),
    )
  const days = all.map(({ filedDate }) => filedDate)
  const other = days.map((day) => (day === '2024-03-01' ? '2024-03-02' : '2024-03-01'))
  await index([other[0]!, days[1]!, days[2]!])
  await world.crawl()
  assert.deepEqual(await waiting(sql), [all[0]!.accession])
  await index([other[0]!, other[1]!, days[2]!])
  await world.crawl({ again: true })
  assert.deepEqual(await waiting(sql), accessionsOf(all.slice(0, 2)))
})

test('a filing of a set that an index removes and restores is fetched, since its rows are gone', async (t) => {
  const all = made(4)
  const root = await temporaryFolder(t)
  const world = await worldOf(t, all, { root })
  const { sql } = world
  await world.crawl()
  await load(world, await setOf(t, membersOf(all)))
  const read = async (some: typeof all) => {
    const lines = some.map(
      ({ cik, name, form, filedDate, accession }) =>
        `${cik}|${name}|${form}|${filedDate}|edgar/data/1/${accession}.txt`,
    )
    await writeIndex(root, '2024/QTR1', lines, { lastReceived: 'March 31, 2024' })
    const days = { from: '2024-01-01', to: '2024-03-31' }
    await world.crawl({ ...days, again: true, now: await madeLater(root, '2024/QTR1') })
  }
  for (let time = 0; time < 2; time++) await read(all.slice(1))
  assert.deepEqual(await states(sql), { set: 3 })
  await read(all)
  assert.deepEqual([await waiting(sql), await states(sql)], [[all[0]!.accession], { pending: 1, set: 3 }])
})

test('a rebuild keeps filings of sets in their state, and returns a filing to the queue if it cannot read the filing from its set', async (t) => {
  const all = made(8)
  const world = await worldOf(t, all)
  const { sql } = world
  await world.crawl()
  await load(world, await setOf(t, membersOf(all)))
  const [seen, lost] = accessionsOf(all)
  // This submission was fetched for another reason than to read it for the dataset.
  await sql`
    insert into edgar.submission (accession, sha256, bytes, source_url, header, documents)
    values (${seen!}, 'a', 1, '', '{}', '[]')`
  assert.deepEqual(await rebuild(world, thirteenf), { filings: 0, failed: 0 })
  assert.deepEqual(await states(sql), { set: 8 })
  await sql`
    create function refuse() returns trigger language plpgsql as 'begin raise exception using errcode = ''23514''; end'`
  const trigger = `
    create trigger refuse before insert on thirteenf_next.report for each row when (new.accession = '${lost}')
    execute function refuse()`
  // The trigger is created after the rebuild has made its tables, and before it fills them from the set.
  const store = {
    ...world.store,
    async *read(sha256: string) {
      await sql.unsafe(trigger)
      yield* world.store.read(sha256)
    },
  }
  assert.deepEqual(await rebuild({ ...world, store }, thirteenf), { filings: 0, failed: 1 })
  assert.deepEqual([await waiting(sql), await states(sql)], [[lost], { pending: 1, set: 7 }])
  await sql`drop trigger refuse on thirteenf.report`
  assert.deepEqual([(await world.drain(OWN)).done, await states(sql)], [1, { done: 1, set: 7 }])
})

test('if the registry assigns a form to its dataset again, filings of sets are not fetched', async (t) => {
  const all = made(6)
  const world = await worldOf(t, all)
  const { sql } = world
  await load(world, await setOf(t, membersOf(all.slice(1))))
  await world.crawl()
  assert.deepEqual(await states(sql), { pending: 1, set: 5 })
  await sql`update edgar.coverage set family = null, task = null where task = 'thirteenf'`
  await sql`delete from edgar.task`
  await syncFamilies(sql, registry)
  assert.deepEqual(await states(sql), { pending: 1, set: 5 })
})

test('an answer about a filing states that its rows are from a set, and no answer states that the filing waits', async (t) => {
  const all = made(2)
  const world = await worldOf(t, all)
  const { sql } = world
  await load(world, await setOf(t, membersOf(all.slice(0, 1))))
  await world.crawl()
  const context = testContext(sql, { catalog: registry })
  const shown = async (at: number) => {
    const { ingest } = (await lookup.run({ accession: all[at]!.accession }, context)) as {
      ingest: { state: string; error: string | null }
    }
    return [ingest.state, ingest.error]
  }
  assert.deepEqual(
    [await shown(0), await shown(1)],
    [
      ['set', null],
      ['pending', null],
    ],
  )
  const sources = { families: { thirteenf: 'filings' } }
  assert.equal(await nothing(sql, sources, all[0]!.accession), null)
  await assert.rejects(nothing(sql, sources, all[1]!.accession), { code: 'filing_waits' })
})

test('coverage and the status count filings that have their rows from a set alone, and no others', async (t) => {
  const all = made(9)
  const world = await worldOf(t, all)
  const { sql } = world
  const context = testContext(sql, { catalog: registry })
  const counts = async () => {
    const answer = await coverage.run({}, context)
    assert.deepEqual(coverage.output!.safeParse(answer).error?.issues ?? [], [])
    // A route states the shape of its answer at run time only.
    const { families } = answer as {
      families: { slug: string; filings: number; extracted: number; of_sets: number }[]
    }
    const own = families.find(({ slug }) => slug === 'thirteenf')!
    const others = families.filter(({ slug, of_sets }) => slug !== 'thirteenf' && of_sets > 0).length
    const shown = await status.run({}, context)
    assert.deepEqual(status.output!.safeParse(shown).error?.issues ?? [], [])
    // Here too, a route states the shape of its answer at run time only.
    const { of_sets_count } = shown as { of_sets_count: number }
    return [own.filings, own.extracted, own.of_sets, others, of_sets_count]
  }
  await world.crawl()
  assert.deepEqual(await counts(), [9, 0, 0, 0, 0])
  await load(world, await setOf(t, membersOf(all.slice(0, 7))))
  assert.deepEqual(await counts(), [9, 0, 7, 0, 7])
  // A filing of a set whose submission was read counts as extracted.
  const version = async () => (await sql`select version from core.data_version where slug = 'thirteenf'`)[0]!.version
  const before = await version()
  const ofSet = all.slice(0, 7).map(({ filedDate }) => filedDate)
  const last = { ...OWN, from: ofSet.sort()[6]! }
  await takeUpSets(sql, last)
  assert.notEqual(await version(), before, 'cached answers are stale')
  const after = await version()
  await takeUpSets(sql, last)
  assert.equal(await version(), after, 'the second run took up nothing')
  await world.drain(OWN)
  const { set = 0, done = 0 } = await states(sql)
  assert.ok(done >= 3 && set + done === 9, `${set} of sets, ${done} read`)
  assert.deepEqual(await counts(), [9, done, set, 0, set])
})

test('an upgrade gives waiting filings of sets their state, except those with refused lines', async (t) => {
  const { sql } = await freshDatabase(t)
  // Restores the tables to their state before the upgrade.
  await sql`drop index edgar.task_set`
  await sql`alter table edgar.task drop constraint task_state_check`
  await sql`
    alter table edgar.task add constraint task_state_check check (state in ('pending', 'done', 'failed'))`
  await sql`alter table bulk.set_filing drop column suffices`
  const accession = (n: number) => `0000000001-24-${String(n).padStart(6, '0')}`
  const set = (name: string, day: string, refused: number, keys: (string | null)[]) => {
    const refusals = sql.json(keys.map((key) => ({ place: 'A.tsv:1', key, reason: 'x' })))
    return sql`
      insert into bulk.filing_set (dataset, name, from_day, to_day, state, refused, refusals, source_url)
      values ('formd', ${name}, ${day}, ${day}, 'done', ${refused}, ${refusals}, '')`
  }
  await set('whole', '2024-03-31', 1, [accession(9)])
  await set('stray', '2024-03-31', 1, ['nonsense'])
  await set('keyless', '2024-03-31', 1, [null])
  await set('many', '2024-03-31', 1000, [accession(9)])
  await set('newer', '2024-06-30', 2, [accession(2), accession(9)])
  await set('older', '2023-12-31', 1, [accession(1)])
  const tasks: [set: string, state: string, passing: boolean, becomes: string][] = [
    ['whole', 'pending', false, 'set'],
    ['whole', 'pending', false, 'pending'],
    ['stray', 'pending', false, 'pending'],
    ['keyless', 'pending', false, 'pending'],
    ['many', 'pending', false, 'pending'],
    ['whole', 'failed', true, 'set'],
    ['whole', 'failed', false, 'failed'],
    ['', 'pending', false, 'pending'],
  ]
  for (const [at, [name, state, passing]] of tasks.entries()) {
    await sql`
      insert into edgar.filing (accession, form_type, filed_date, cik, company_name, name_key, path)
      values (${accession(at + 1)}, 'D', '2024-02-01', '0000000001', 'A', 'a', 'x')`
    await sql`
      insert into edgar.task (accession, dataset, filed_date, state, passing)
      values (${accession(at + 1)}, 'formd', '2024-02-01', ${state}, ${passing})`
    if (name !== '')
      await sql`
        insert into bulk.set_filing (dataset, accession, name, to_day, sha256)
        values ('formd', ${accession(at + 1)}, ${name}, '2024-03-31', 'a')`
  }
  await sql.unsafe(await readFile(migrationFile('036_task_set.sql'), 'utf8'))
  const after = await sql<{ state: string }[]>`select state from edgar.task order by accession`
  assert.deepEqual(
    after.map(({ state }) => state),
    tasks.map(([, , , becomes]) => becomes),
  )
})

test('the command reports filings that it does not fetch, and --submissions fetches them once their cost is accepted', async (t) => {
  const all = made(30)
  const world = await worldOf(t, all)
  const env = await emptyEnv(t)
  const file = await setOf(t, membersOf(all))
  const ingest = async (...args: string[]) => {
    const { status, stdout, stderr } = await run(['ingest', 'thirteenf', ...args], env)
    return { status, text: stdout + stderr }
  }
  assert.equal((await ingest(file)).status, 0)
  const hosted = ['--from', '2024-01-01', '--to', '2024-03-31', '--base-url', world.host.url, '--again']
  const plain = await ingest(...hosted)
  assert.equal(plain.status, 0, plain.text)
  assert.match(
    plain.text,
    /30 filings have rows from quarterly sets and are not fetched; --submissions reads them too\n/,
  )
  assert.equal(fetched(world), 0)
  const all30 = await ingest(...hosted, '--submissions')
  assert.equal(all30.status, 0, all30.text)
  assert.match(
    all30.text,
    /reading 30 filings takes 30 requests.*; 30 of the requests are for filings that already have rows from quarterly sets/,
  )
  assert.doesNotMatch(all30.text, /are not fetched/)
  assert.equal(fetched(world), 30)
  for (const [args, reason] of [
    [['--submissions', '--follow'], /--submissions cannot be used with --follow/],
    [['--submissions', '--sets'], /--submissions can be used only with filings/],
  ] as const) {
    const refused = await ingest(...args)
    assert.equal(refused.status, 1)
    assert.match(refused.text, reason)
  }
})

test('if a set is published again with fewer filings, the rows of the missing filings stay, also after prune and a rebuild', async (t) => {
  const all = made(12)
  const world = await worldOf(t, all)
  const { sql } = world
  await load(world, await setOf(t, membersOf(all)))
  await world.crawl()
  const rows = async () => [...(await sql`select * from thirteenf.position order by accession, n`)]
  const before = await rows()
  const again = await load(world, await setOf(t, membersOf(all.slice(0, 7))))
  assert.deepEqual([again.error, again.result!.loaded], [null, 7])
  assert.deepEqual(await states(sql), { set: 12 })
  assert.deepEqual(await rows(), before)
  const now = () => Date.now() + 30 * 86_400_000
  await Array.fromAsync(prune({ ...world, catalog: registry, act: true, now }))
  assert.deepEqual(await rebuild(world, thirteenf), { filings: 0, failed: 0 })
  assert.deepEqual([await rows(), await states(sql), fetched(world)], [before, { set: 12 }, 0])
})
