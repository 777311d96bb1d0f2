/**
 * The SEC's quarterly sets of Form 13F on a real database: every line is stored once and never replaces a submission.
 *
 * @early it takes 17 s of processor time
 */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after as afterAll, type TestContext, test } from 'node:test'
import { filing, type Made } from '../../../bench/thirteenf-sets.ts'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { quarterlySets } from '../../../src/datasets/thirteenf/sets.ts'
import { takeUpSets } from '../../../src/ingest/queue.ts'
import { rebuild } from '../../../src/ingest/rebuild.ts'
import { ingestSets, type SetsOptions } from '../../../src/ingest/sets/ingest.ts'
import { membersOf as zipMembers } from '../../../src/read/zip.ts'
import { after } from '../../../src/store/events.ts'
import { dataVersions, versionOf, versionsOf } from '../../../src/store/meta.ts'
import { corpus } from '../../support/corpus.ts'
import { bytesOf, randomFor } from '../../support/random.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { made, membersOf, setOf, worldOf } from '../../support/thirteenf/set-files.ts'
import { everyRow, openWorld, temporaryFolder, type World, writeIndex } from '../../support/world.ts'

const database = await reusedDatabase({ after: afterAll })
const another = await reusedDatabase({ after: afterAll })

/** Opens worlds without data. */
const emptyWorld = async (t: TestContext) => openWorld(t, { database: await database.emptied() })
const twoEmptyWorlds = async (t: TestContext) =>
  [await emptyWorld(t), await openWorld(t, { database: await another.emptied() })] as const

const REAL = path.join(corpus.folder, 'bulk/dataset_13F/2013q2_form13f.zip')

const load = (world: World, files: string[], more: Partial<SetsOptions> = {}) =>
  ingestSets({ sql: world.sql, slices: world.slices, store: world.store, dataset: thirteenf, from: { files }, ...more })

/** Returns the rows of Form 13F; with `source`, also the kind of document from which a table was read. */
async function rowsOf(world: World, options: { source?: boolean } = {}) {
  const all = Object.entries(await everyRow(world.sql, { slices: [thirteenf] })).filter(([name]) =>
    name.startsWith('thirteenf.'),
  )
  const text = JSON.stringify(all)
  return options.source === false ? text.replaceAll(/(source\\":) \\"(set|xml)\\"/g, '$1') : text
}

const sources = async ({ sql }: World) =>
  Object.fromEntries(
    (
      await sql<{ source: string; n: number }[]>`
        select source, count(*)::int as n from thirteenf.quality where source <> 'none' group by 1 order by 1`
    ).map(({ source, n }) => [source, n]),
  )

/** The members of the real set, with every twelfth of its filings. */
async function partOfReal(): Promise<Record<string, string>> {
  const members: Record<string, string> = {}
  for await (const { name, bytes } of zipMembers(createReadStream(REAL)))
    members[name] = Buffer.concat(await Array.fromAsync(bytes)).toString()
  const [, ...filings] = members['SUBMISSION.tsv']!.trimEnd().split('\n')
  const chosen = new Set(filings.filter((_, at) => at % 12 === 0).map((line) => line.split('\t')[0]!))
  for (const [name, text] of Object.entries(members)) {
    if (!name.endsWith('.tsv')) continue
    const [header, ...lines] = text.split('\n')
    members[name] = `${[header, ...lines.filter((line) => chosen.has(line.split('\t')[0]!))].join('\n')}\n`
  }
  return members
}

// This test takes about 10 seconds for 87,715 lines, and ten times as long on a busy machine. In an earlier version it
// took more than two minutes on a quiet machine: the planner had no statistics of the new rows, so the rollups after
// the load compared each line with each security.
test('the real set of 2013 Q2 is stored to its last line, and is known as loaded afterwards', {
  skip: corpus.skip,
  timeout: 250_000,
}, async (t) => {
  const world = await emptyWorld(t)
  const [outcome] = await load(world, [REAL])
  const { result, found, error } = outcome!
  assert.deepEqual([error, result, found.refusals], [null, { filings: 166, loaded: 166 }, []])
  assert.deepEqual([[...found.unread], found.problems], [[], []])
  const [count] = await world.sql`
    select (select count(*)::int from thirteenf.report) as reports,
      (select count(*)::int from thirteenf.position) as positions,
      (select sum(lines_read)::int from thirteenf.quality) as lines, to_regclass('bulk.set_line') as staged`
  assert.deepEqual({ ...count }, { reports: 166, positions: 87_715, lines: 87_715, staged: null })
  assert.equal((await load(world, [REAL]))[0]!.result, null)
})

test('a rebuild of real filings of a set gives the same rows', { skip: corpus.skip }, async (t) => {
  const world = await emptyWorld(t)
  const [outcome] = await load(world, [await setOf(t, await partOfReal(), '2013q2_form13f.zip')])
  assert.deepEqual([outcome!.error, outcome!.result], [null, { filings: 14, loaded: 14 }])
  const before = await rowsOf(world)
  assert.deepEqual(await rebuild(world, thirteenf), { filings: 0, failed: 0 })
  assert.ok((await rowsOf(world)) === before, 'rebuilt')
})

test('a set gives the same rows as its submissions, and submissions win in either order', async (t) => {
  const all = made(30)
  const world = await worldOf(t, all, { database: await database.emptied() })
  const file = await setOf(t, membersOf(all))
  const tables = all.filter(({ count }) => count > 0).length
  assert.deepEqual((await load(world, [file]))[0]!.result, { filings: 30, loaded: 30 })
  assert.deepEqual(await sources(world), { set: tables })
  const ofSet = await rowsOf(world, { source: false })
  await world.crawl()
  await takeUpSets(world.sql, { datasets: ['thirteenf'] })
  const { done, failed } = await world.drain()
  assert.deepEqual([done, failed, await sources(world)], [30, 0, { xml: tables }])
  assert.equal(await rowsOf(world, { source: false }), ofSet)
  const [left] = await world.sql`select count(*)::int as n from bulk.set_filing`
  assert.equal(left!.n, 0)
  assert.deepEqual((await load(world, [file], { again: true }))[0]!.result, { filings: 30, loaded: 0 })
  assert.deepEqual(await sources(world), { xml: tables })
})

test('filings of a set are logged as added, and as corrected by a reloaded set or a submission, and with no other event', async (t) => {
  const all = made(12)
  const world = await worldOf(t, all, { database: await database.emptied() })
  const file = await setOf(t, membersOf(all))
  let seen = 0
  const logged = async () => {
    const events = await after(world.sql, seen, 1000)
    seen = events.at(-1)?.seq ?? seen
    return Object.entries(Object.groupBy(events, ({ slug, what }) => `${slug} ${what}`)).map(
      ([kind, some]) => `${some!.length} ${kind}`,
    )
  }
  await load(world, [file])
  assert.deepEqual(await logged(), ['12 thirteenf added'])
  await load(world, [file])
  assert.deepEqual(await logged(), [])
  await load(world, [file], { again: true })
  assert.deepEqual(await logged(), ['12 thirteenf corrected'])
  // A refused filing keeps its rows unchanged.
  await world.sql`
    update thirteenf.report set city = 'Nowhere' where accession = (select min(accession) from thirteenf.report)`
  await world.sql.unsafe(`
    alter table thirteenf.report add constraint never check (city = 'Nowhere' or accession <> '${all.map(({ accession }) => accession).sort()[0]}')`)
  const [outcome] = await load(world, [file], { again: true })
  assert.equal(outcome!.found.refusals.length, 1)
  assert.deepEqual(await logged(), ['11 thirteenf corrected'])
  await world.sql`alter table thirteenf.report drop constraint never`
  await world.crawl()
  await logged()
  await takeUpSets(world.sql, { datasets: ['thirteenf'] })
  await world.drain()
  assert.deepEqual(await logged(), ['12 thirteenf corrected'])
  await load(world, [file], { again: true })
  assert.deepEqual(await logged(), [])
})

test('a rebuild reads each filing from the source of its rows: the set or the submission', async (t) => {
  const all = made(30)
  const world = await worldOf(t, all.slice(0, 10), { database: await database.emptied() })
  await world.crawl()
  await world.drain()
  await load(world, [await setOf(t, membersOf(all))])
  const [before, counts] = [await rowsOf(world), await sources(world)]
  assert.deepEqual(Object.keys(counts), ['set', 'xml'])
  assert.deepEqual(await rebuild(world, thirteenf), { filings: 10, failed: 0 })
  assert.ok((await rowsOf(world)) === before)
})

test('if an index removes the rows of a filing, the filing no longer belongs to a set', async (t) => {
  const all = made(3)
  const root = await temporaryFolder(t)
  const world = await worldOf(t, all, { root, database: await database.emptied() })
  await world.crawl()
  await load(world, [await setOf(t, membersOf(all))])
  const lines = all.map(
    ({ cik, name, filedDate, accession }, at) =>
      `${cik}|${name}|${at === 0 ? '8-K' : all[at]!.form}|${filedDate}|edgar/data/1/${accession}.txt`,
  )
  await writeIndex(root, '2024/QTR1', lines)
  await world.crawl({ again: true })
  const left = await world.sql<{ accession: string }[]>`select accession from bulk.set_filing order by 1`
  const reports = await world.sql<{ accession: string }[]>`select accession from thirteenf.report order by 1`
  assert.deepEqual([...left], [...reports])
  assert.deepEqual(
    left.map(({ accession }) => accession),
    all
      .slice(1)
      .map(({ accession }) => accession)
      .sort(),
  )
})

test('a stopped load keeps its batches, and the next load stores the rest', async (t) => {
  const all = made(120)
  const world = await emptyWorld(t)
  const file = await setOf(t, membersOf(all))
  const stop = new AbortController()
  const first = await load(world, [file], { signal: stop.signal, onBatch: () => stop.abort() })
  const state = async () => [...(await world.sql`select state, loaded from bulk.filing_set`)].map((row) => ({ ...row }))
  assert.deepEqual([first, await state()], [[], [{ state: 'begun', loaded: 0 }]])
  const [kept] = await world.sql<{ n: number }[]>`select count(*)::int as n from thirteenf.report`
  assert.ok(kept!.n > 0 && kept!.n < 120, `${kept!.n} were kept`)
  assert.deepEqual((await load(world, [file]))[0]!.result, { filings: 120, loaded: 120 - kept!.n })
  assert.deepEqual(await state(), [{ state: 'done', loaded: 120 - kept!.n }])
  const whole = await openWorld(t, { database: await another.emptied() })
  await load(whole, [file])
  assert.ok((await rowsOf(world)) === (await rowsOf(whole)))
})

test('a set of a quarter without a partition is visible only when it is complete; the next set of that quarter becomes visible batch by batch', async (t) => {
  const all = made(200)
  const world = await emptyWorld(t)
  /** Counts reports that others see after a batch was read. */
  const seen = async (own: readonly Made[], name: string) => {
    const counts: Promise<number>[] = []
    const count = async () => (await world.sql<[{ n: number }]>`select count(*)::int as n from thirteenf.report`)[0].n
    await load(world, [await setOf(t, membersOf(own), name)], { onBatch: () => void counts.push(count()) })
    return Promise.all(counts)
  }
  assert.deepEqual(await seen(all.slice(0, 100), '2024q1_form13f.zip'), [0, 0])
  const [partition] = await world.sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'thirteenf.position'::regclass`
  assert.equal(partition!.name, 'thirteenf.position_2023q4')
  const [first, second] = await seen(all.slice(100), '2024q2_form13f.zip')
  assert.ok(first! >= 100 && first! < 200 && second! >= 150, `${first} and ${second} were seen`)
  const [lines] = await world.sql<{ n: number }[]>`select count(*)::int as n from thirteenf.position`
  assert.equal(
    lines!.n,
    all.reduce((sum, one) => sum + one.count, 0),
  )
})

test('a set of a new quarter and submissions of that quarter, loaded at once, store every filing once, and submissions win', async (t) => {
  const all = made(120)
  const world = await worldOf(t, all.slice(40), { database: await database.emptied() })
  await world.crawl()
  const file = await setOf(t, membersOf(all))
  const [[outcome]] = await Promise.all([load(world, [file]), world.drain({ datasets: ['thirteenf'] })])
  assert.deepEqual([outcome!.error, outcome!.found.refusals], [null, []])
  // Reads the filings that the set stored first.
  await takeUpSets(world.sql, { datasets: ['thirteenf'] })
  await world.drain({ datasets: ['thirteenf'] })
  const count = (some: readonly Made[]) => some.filter((one) => one.count > 0).length
  assert.deepEqual(await sources(world), { set: count(all.slice(0, 40)), xml: count(all.slice(40)) })
  const [lines] = await world.sql<{ n: number }[]>`select count(*)::int as n from thirteenf.position`
  assert.equal(
    lines!.n,
    all.reduce((sum, one) => sum + one.count, 0),
  )
})

test('reports missing, extra and truncated content of a set with its place, and loads the other filings', async (t) => {
  const all = made(20)
  const world = await emptyWorld(t)
  const members = membersOf(all)
  const [early, cut, bare] = all.filter(({ count }) => count > 3) as [Made, Made, Made]
  const [header, ...lines] = members['INFOTABLE.tsv']!.trimEnd().split('\n')
  const own = ({ accession }: Made) => lines.findIndex((line) => line.startsWith(accession))
  lines[own(cut)] = lines[own(cut)]!.slice(0, 40)
  lines.push(lines.at(-1)!.replace(/^\S+/, '0000000000-24-000001'), 'no number\t1')
  const covers = members['COVERPAGE.tsv']!.split('\n').filter((line) => !line.startsWith(bare.accession))
  // A number too long for any index of the database, after accepted lines.
  const tooLong = bytesOf(randomFor('a long number'), 6_000).toString('base64')
  const others = members['OTHERMANAGER.tsv']!.trimEnd()
  const number = others.split('\n')[0]!.split('\t').indexOf('FORM13FFILENUMBER')
  const other = others
    .split('\n')[0]!
    .split('\t')
    .map((_, at) => (at === 0 ? early.accession : at === number ? tooLong : '1'))
  const submissions = members['SUBMISSION.tsv']!.trimEnd().split('\n')
  const damaged = {
    ...members,
    'INFOTABLE.tsv': `${[header, ...lines].join('\n')}\n`,
    'COVERPAGE.tsv': covers.join('\n'),
    'OTHERMANAGER.tsv': `${others}\n${other.join('\t')}\n`,
    'SUBMISSION.tsv': `${submissions.map((line, at) => `${line}\t${at === 0 ? 'NEWCOLUMN' : 'x'}`).join('\r\n')}\r\n`,
    'OTHERMANAGER3.tsv': 'ACCESSION_NUMBER\n',
  }
  const [{ result, found }] = (await load(world, [await setOf(t, damaged)])) as [Awaited<ReturnType<typeof load>>[0]]
  const unread = ['OTHERMANAGER3.tsv', 'SUBMISSION.tsv/NEWCOLUMN']
  assert.deepEqual([...found.unread].sort(), unread)
  const problemsOf = (key: string) =>
    found.refusals.filter((one) => one.key === key).map(({ place, reason }) => `${place} ${reason}`)
  const place = (one: Made) => `SUBMISSION.tsv:${all.indexOf(one) + 1}`
  assert.match(problemsOf(early.accession)[0]!, new RegExp(`^${place(early)} .*index row size \\d+ exceeds`))
  assert.match(
    problemsOf(cut.accession)[0]!,
    new RegExp(`^${place(cut)} INFOTABLE.tsv:${own(cut) + 1} has \\d+ values for 15 columns$`),
  )
  assert.deepEqual(problemsOf(bare.accession), [`${place(bare)} has no line in COVERPAGE`])
  const orphan = `INFOTABLE.tsv:${lines.length - 1} 1 lines of a filing that the set does not list`
  assert.deepEqual(problemsOf('0000000000-24-000001'), [orphan])
  assert.deepEqual(problemsOf('no number'), [`INFOTABLE.tsv:${lines.length} has no accession number`])
  assert.deepEqual([found.refused, result!.loaded], [5, 17])
  const [stored] = await world.sql`
    select r.refused, jsonb_array_length(r.refusals) as kept, r.unread_paths, (select count(*)::int from thirteenf.report) as reports
    from bulk.filing_set r`
  assert.deepEqual({ ...stored }, { refused: 5, kept: 5, unread_paths: unread, reports: 17 })
})

test('a filing that a set lists twice, or without a filing date, is refused with its place', async (t) => {
  const all = made(5)
  const world = await emptyWorld(t)
  const members = membersOf(all)
  const [header, ...lines] = members['SUBMISSION.tsv']!.trimEnd().split('\n') as [string, ...string[]]
  const day = header.split('\t').indexOf('FILING_DATE')
  const dayless = lines[1]!.split('\t').with(day, '').join('\t')
  const listed = [header, lines[0], dayless, ...lines.slice(2), lines[0], ''].join('\n')
  const [outcome] = await load(world, [await setOf(t, { ...members, 'SUBMISSION.tsv': listed })])
  assert.deepEqual(
    outcome!.found.refusals.map(({ place, key, reason }) => [place, key, reason]),
    [
      ['SUBMISSION.tsv:1', all[0]!.accession, 'has 2 lines in SUBMISSION instead of one'],
      ['SUBMISSION.tsv:2', all[1]!.accession, 'has no filing date'],
    ],
  )
  assert.equal(outcome!.result!.loaded, 3)
})

test('a set with an endless line is refused by member and line before it fills the memory', async (t) => {
  const world = await emptyWorld(t)
  const members = membersOf(made(2))
  const endless = { ...members, 'SIGNATURE.tsv': `${members['SIGNATURE.tsv']}${'x'.repeat(5 << 20)}` }
  const [outcome] = await load(world, [await setOf(t, endless)])
  assert.match(outcome!.error!, /SIGNATURE\.tsv: line 4 is longer than 4194304 characters/)
})

test('a set that lacks a member or a column, or is truncated, is refused with the reason, and nothing of it is stored', async (t) => {
  const world = await emptyWorld(t)
  const members = membersOf(made(5))
  const { 'SIGNATURE.tsv': _, ...lacking } = members
  const column = { ...members, 'INFOTABLE.tsv': members['INFOTABLE.tsv']!.replace('CUSIP', 'SUSIP') }
  const cut = await setOf(t, members)
  const bytes = await readFile(cut)
  await writeFile(cut, bytes.subarray(0, bytes.length >> 1))
  const empty = { ...members, 'SUMMARYPAGE.tsv': '' }
  for (const [file, reason] of [
    [await setOf(t, lacking), /lacks SIGNATURE.tsv$/],
    [await setOf(t, column), /INFOTABLE.tsv lacks the column CUSIP$/],
    [await setOf(t, empty), /SUMMARYPAGE.tsv is empty$/],
    [cut, /cut short: it has no end record/],
  ] as const) {
    const [outcome] = await load(world, [file])
    assert.match(outcome!.error!, reason)
    const [row] = await world.sql`
      select state, error, (select count(*)::int from thirteenf.report) as reports from bulk.filing_set`
    assert.deepEqual({ ...row }, { state: 'failed', error: outcome!.error, reports: 0 })
  }
  await assert.rejects(load(world, ['/tmp/other.zip']), /does not have the name of a set/)
  await assert.rejects(load(world, [path.join(path.dirname(cut), '2024q2_form13f.zip')]), /cannot be read/)
})

test('if two sets have the same filing, the later set wins in either order of loading', async (t) => {
  const members = membersOf(made(3))
  const renamed = {
    ...members,
    'COVERPAGE.tsv': members['COVERPAGE.tsv']!.replaceAll('Generated Capital', 'Later Capital'),
  }
  const files = [await setOf(t, members), await setOf(t, renamed, '01mar2024-31may2024_form13f.zip')]
  const [one, other] = await twoEmptyWorlds(t)
  for (const file of files) await load(one, [file])
  for (const file of files.toReversed()) await load(other, [file])
  const [row] = await one.sql`select count(*)::int as n from thirteenf.report where manager_name like 'Later Capital%'`
  assert.equal(row!.n, 3)
  assert.ok((await rowsOf(one)) === (await rowsOf(other)))
})

test('the name of a set gives its dates', () => {
  const days = (name: string) => quarterlySets.days(quarterlySets.file.exec(name)!)
  assert.deepEqual(days('2013q2_form13f.zip'), { from: '2013-04-01', to: '2013-06-30' })
  assert.deepEqual(days('01dec2023-29feb2024_form13f.zip'), { from: '2023-12-01', to: '2024-02-29' })
  assert.throws(() => days('01dec2023-31feb2024_form13f.zip'), /31feb2024 is not a valid day/)
})

test('a filing of a set that the database refuses fails alone, whether it is loaded in a batch or streamed by itself', async (t) => {
  const world = await worldOf(t, [], { database: await database.emptied() })
  const [large, other] = [101, 102].map((n) =>
    filing(n, { seed: 7, period: '2023-12-31', lines: 5_500, exactly: true }),
  )
  const all = [...made(6), large!, other!]
  const bad = [all[2]!.accession, large!.accession]
  for (const accession of bad) {
    await world.sql.unsafe(`alter table thirteenf.report add check (accession <> '${accession}')`)
  }
  t.after(async () => {
    const checks = await world.sql<{ name: string }[]>`
      select conname as name from pg_constraint where conrelid = 'thirteenf.report'::regclass and contype = 'c'
        and pg_get_constraintdef(oid) ~ 'accession <> '`
    for (const { name } of checks) await world.sql`alter table thirteenf.report drop constraint ${world.sql(name)}`
  })
  const [{ result, found }] = (await load(world, [await setOf(t, membersOf(all))])) as [
    Awaited<ReturnType<typeof load>>[0],
  ]
  assert.deepEqual(result, { filings: 8, loaded: 6 })
  assert.deepEqual(found.refusals.map(({ key }) => key).sort(), bad.toSorted())
  for (const { reason } of found.refusals) assert.match(reason, /check/)
  const [count] = await world.sql`
    select (select count(*)::int from thirteenf.report) as reports, (select count(*)::int from bulk.set_filing) as of_set,
      (select count(distinct accession)::int from thirteenf.position where accession = any(${bad})) as bad,
      (select count(*)::int from thirteenf.position where accession = ${other!.accession}) as streamed`
  assert.deepEqual({ ...count }, { reports: 6, of_set: 6, bad: 0, streamed: 5_500 })
})

test('answers cached during the load of a set expire when the set is complete, even if its last run stored no rows', async (t) => {
  const world = await worldOf(t, [], { database: await database.emptied() })
  const file = await setOf(t, membersOf(made(3)))
  const version = async () => versionOf(versionsOf(await dataVersions(world.sql)), ['thirteenf'])
  await load(world, [file])
  await world.sql`update bulk.filing_set set state = 'begun'`
  const before = await version()
  assert.deepEqual((await load(world, [file]))[0]!.result, { filings: 3, loaded: 0 })
  assert.notEqual(await version(), before)
})
