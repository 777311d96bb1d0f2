/**
 * Quarterly sets whose lines name only a record and not its filing: in any order, and truncated or killed at any point.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { ingestSets, type SetOutcome } from '../../src/ingest/sets/ingest.ts'
import { Owners } from '../../src/ingest/sets/owners.ts'
import { filingOfSets } from '../../src/products/filings/queries.ts'
import type { Sql } from '../../src/store/db.ts'
import { migrate } from '../../src/store/schema.ts'
import { seeded } from '../runner/files.ts'
import { randomFor } from '../support/random.ts'
import {
  accessionOf,
  cargo,
  cargoMembers,
  cargoSet,
  type Order,
  own,
  rowsOf,
  type Voyage,
  voyages,
} from '../support/sets/cargo.ts'
import { often } from '../support/soak.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

const shuffled =
  (random: () => number): Order =>
  (lines) =>
    lines
      .map((line) => [random(), line] as const)
      .sort(([a], [b]) => a - b)
      .map(([, line]) => line)

async function harbour(t: TestContext): Promise<World> {
  const world = await openWorld(t, { catalog: own })
  await migrate(world.sql, own.datasets)
  return world
}

const load = async ({ sql, slices, store }: World, file: string): Promise<SetOutcome> =>
  (await ingestSets({ sql, slices, store, dataset: cargo, from: { files: [file] } }))[0]!

async function stored(sql: Sql) {
  const plain = (rows: readonly object[]) => rows.map((row) => ({ ...row }))
  return {
    voyage: plain(await sql`select accession, note, owners from cargo.voyage order by 1`),
    crate: plain(await sql`select accession, n, id, label, lent from cargo.crate order by 1, 2`),
    mark: plain(await sql`select accession, n, seq, mark from cargo.mark order by 1, 2, 3`),
  }
}

/** `Owners` answers like a Map, in any order of requests. */
test('the filing of a record is found as in a map of all records, in any order of records and requests', () => {
  const random = seeded(3)
  for (const isSorted of [true, false]) {
    const [owners, expected] = [new Owners(), new Map<number, string>()]
    const ids = Array.from({ length: 70_000 }, (_, at) => 5 + at * 3 + Math.floor(random() * 2))
    for (const id of isSorted ? ids : ids.toSorted(() => random() - 0.5)) {
      const accession = accessionOf(Math.floor(random() * 500))
      assert.ok(owners.add(accession, id))
      expected.set(id, accession)
    }
    assert.deepEqual(owners.close(), new Map())
    for (let id = 0; id < 2_000; id++) assert.equal(owners.of(id), expected.get(id) ?? null)
    for (let n = 0; n < 20_000; n++) {
      const id = Math.floor(random() * 220_000)
      assert.equal(owners.of(id), expected.get(id) ?? null)
    }
  }
  const owners = new Owners()
  assert.deepEqual(
    [null, -1, 2 ** 36].map((id) => owners.add('a', id)),
    [false, false, false],
  )
  assert.ok(owners.add('a', 2 ** 36 - 1))
  for (const [accession, id] of [
    ['b', 7],
    ['c', 7],
    ['d', 8],
  ] as const)
    owners.add(accession, id)
  assert.deepEqual([...owners.close().keys()].sort(), ['b', 'c'])
  assert.deepEqual(
    [2 ** 36 - 1, 8, null, 2 ** 36].map((id) => owners.of(id)),
    ['a', 'd', null, null],
  )
})

test('lines that name only a record are loaded with its filing, in any order of members, in memory or in pages on disk', async (t) => {
  const all = voyages(60, { random: seeded(11), large: 2 })
  const orders: Order[] = [(lines) => lines, (lines) => lines.toReversed(), shuffled(seeded(5))]
  for (const order of orders) {
    const world = await harbour(t)
    const { error, result, found } = await load(world, await cargoSet(t, cargoMembers(all, order)))
    assert.deepEqual([error, found.refusals, found.problemCount, [...found.unread]], [null, [], 0, []])
    assert.deepEqual(result, { filings: 60, loaded: 60 })
    assert.ok(JSON.stringify(await stored(world.sql)) === JSON.stringify(rowsOf(all)))
    // Two voyages exceed the limit of memory.
    const paged = await world.sql`select accession from cargo.voyage where is_paged order by 1`
    assert.deepEqual(
      paged.map(({ accession }) => accession),
      [accessionOf(1), accessionOf(2)],
    )
  }
})

test('if the tables of a set name no company, the set gives no answer about a single filing', async (t) => {
  const world = await harbour(t)
  const { result } = await load(world, await cargoSet(t, cargoMembers(voyages(1, { random: seeded(3) }))))
  assert.equal(result!.loaded, 1)
  assert.equal(await filingOfSets(world.sql, own, accessionOf(1)), undefined)
})

test('a load of a set that is killed at random moments and repeated ends with all rows, and does not store a row twice', async (t) => {
  const world = await harbour(t)
  const { sql, target, archive } = world
  const VOYAGES = often('filings of a set', { usual: 1_000, soak: 5_000 })
  const KILLS = often('kills of a load of a set', { usual: 3, soak: 12 })
  const random = randomFor('kills')
  const all = voyages(VOYAGES, { random: seeded(23), crates: 10 })
  const file = await cargoSet(t, cargoMembers(all, shuffled(seeded(7))))
  // Each batch takes a while, so that a kill comes during a batch.
  await sql`create function slow() returns trigger language plpgsql as 'begin perform pg_sleep(0.02); return null; end'`
  await sql`create trigger slow after insert on bulk.set_filing for each statement execute function slow()`
  const begin = () => {
    const script = path.join(import.meta.dirname, '../support/sets/cargo-killed.ts')
    const child = spawn(process.execPath, [script, JSON.stringify(target), archive, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let out = ''
    child.stdout.on('data', (data) => {
      out += data
    })
    const ended = new Promise<{ signal: string | null; out: string }>((resolve) =>
      child.once('close', (_, signal) => resolve({ signal, out })),
    )
    return { child, ended }
  }
  const count = async () => (await sql<{ n: number }[]>`select count(*)::int as n from bulk.set_filing`)[0]!.n
  const counts: number[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const { child, ended } = begin()
    const before = await count()
    // Every other kill comes during the scan of the set, or before.
    if (kill % 2 === 1) await delay(random() * 400)
    else await until('batches are stored', async () => (await count()) > before + (random() * VOYAGES) / 2 / KILLS)
    child.kill('SIGKILL')
    assert.equal((await ended).signal, 'SIGKILL', 'the kill met a running load')
    counts.push(await count())
  }
  t.diagnostic(`stored when it was killed: ${counts.join(', ')}`)
  assert.ok(counts.at(-1)! > 0 && counts.at(-1)! < VOYAGES, `${counts}`)
  await sql`drop trigger slow on bulk.set_filing`
  const before = await count()
  assert.deepEqual(JSON.parse((await begin().ended).out), [null, { filings: VOYAGES, loaded: VOYAGES - before }])
  assert.ok(JSON.stringify(await stored(sql)) === JSON.stringify(rowsOf(all)))
  const [left] = await sql`select to_regclass('bulk.set_line') as staged`
  assert.equal(left!.staged, null)
})

test('a set that is truncated at any place is refused, and nothing of it is stored', async (t) => {
  const world = await harbour(t)
  const file = await cargoSet(t, cargoMembers(voyages(200, { random: seeded(2) })))
  const bytes = await readFile(file)
  const random = seeded(29)
  const ends = [0, 1, bytes.length - 1, ...Array.from({ length: 6 }, () => Math.floor(random() * bytes.length))]
  for (const end of ends) {
    await writeFile(file, bytes.subarray(0, end))
    const { error, result } = await load(world, file)
    assert.ok(error !== null && result === null, `cut at ${end}`)
  }
  const [count] = await world.sql`select count(*)::int as n from cargo.voyage`
  assert.equal(count!.n, 0)
  await writeFile(file, bytes)
  assert.deepEqual((await load(world, file)).result, { filings: 200, loaded: 200 })
})

/** Returns filings with two crates each. */
const small = (): Voyage[] =>
  Array.from({ length: 5 }, (_, at) => ({
    accession: accessionOf(at + 1),
    note: null,
    owners: ['ada'],
    crates: [1, 2].map((n) => ({ id: (at + 1) * 10 + n, label: `crate ${n}`, marks: [`mark ${n}`], lent: null })),
  }))

test('a record with an invalid or a duplicate number, and a short line, fail only their filings; a line of an unknown record is reported', async (t) => {
  const world = await harbour(t)
  const members = cargoMembers(small())
  members['CRATE.tsv'] = members['CRATE.tsv']!.replace('\t11\t', '\tx\t').replace('\t21\t', '\t31\t')
  members['MARK.tsv'] = `${members['MARK.tsv']!.replace('41\tmark 1', '41')}99\tmark of none\n`
  const { result, found } = await load(world, await cargoSet(t, members))
  assert.deepEqual(result, { filings: 1, loaded: 1 })
  assert.deepEqual(found.refusals.map(({ place, key, reason }) => `${place} ${key}: ${reason}`).sort(), [
    'MARK.tsv:1 11: names a CRATE_ID that CRATE does not have',
    'MARK.tsv:11 99: names a CRATE_ID that CRATE does not have',
    'MARK.tsv:3 21: names a CRATE_ID that CRATE does not have',
    `SUBMISSION.tsv:1 ${accessionOf(1)}: CRATE_ID x is not a record number`,
    `SUBMISSION.tsv:2 ${accessionOf(2)}: CRATE_ID: has the record number 31, which several records have`,
    `SUBMISSION.tsv:3 ${accessionOf(3)}: CRATE_ID: has the record number 31, which several records have`,
    `SUBMISSION.tsv:4 ${accessionOf(4)}: MARK.tsv:7 has 1 values for 2 columns`,
  ])
  const marked = await world.sql`select distinct accession from cargo.mark`
  assert.deepEqual(
    marked.map(({ accession }) => accession),
    [accessionOf(5)],
  )
})

/** Changes a line of a set. */
const LINES: Record<string, (values: string[]) => string> = {
  'a value too few': (values) => values.slice(0, -1).join('\t'),
  'a value too many': (values) => [...values, 'more'].join('\t'),
  'only its first half': (values) => values.join('\t').slice(0, values.join('\t').length >> 1),
  'values swapped': (values) => values.toReversed().join('\t'),
  'a NUL': (values) => values.join('\t\0'),
  'a giant value': (values) => values.with(-1, 'y'.repeat(100_000)).join('\t'),
  'a number beyond any column': (values) => values.with(-1, '9'.repeat(30)).join('\t'),
  'a quote that is not closed': (values) => values.with(-1, '"open').join('\t'),
  'itself twice': (values) => `${values.join('\t')}\n${values.join('\t')}`,
  'a key of nothing': (values) => values.with(0, 'x').join('\t'),
  'no key': (values) => values.with(0, '').join('\t'),
  'escapes of COPY': (values) => values.with(-1, '\\N\\.\\t').join('\t'),
}

test('corrupted lines of a set affect at most their own filings, each of which is loaded or reported', async (t) => {
  const kinds = Object.entries(LINES)
  const count = often('sets with changed lines', { usual: 2, soak: 60 })
  for (let n = 0; n < count; n++) {
    const world = await harbour(t)
    const random = randomFor(`changed lines ${n}`)
    const below = (most: number) => Math.floor(random() * most)
    const all = voyages(60, { random, crates: 6 })
    const members = cargoMembers(all)
    const ownerOf = (key: string) =>
      all.find(({ accession, crates }) => key.startsWith(accession) || crates.some(({ id }) => String(id) === key))!
    const touched = new Map<string, string>()
    for (const [what, change] of kinds) {
      const member = Object.keys(members)[below(6)]!
      const lines = members[member]!.trimEnd().split('\n')
      const at = 1 + below(lines.length - 1)
      const values = lines[at]!.split('\t')
      // Skips a line that was changed before: it has no owner, or another owner.
      const owner = ownerOf(values[0]!)
      if (!owner || touched.has(owner.accession)) continue
      touched.set(owner.accession, `${what} in ${member}: ${lines[at]}`)
      members[member] = `${lines.with(at, change(values)).join('\n')}\n`
    }
    const { result, error, found } = await load(world, await cargoSet(t, members))
    assert.equal(error, null)
    const rows = await stored(world.sql)
    const others = (some: readonly object[]) =>
      some.filter((row) => !touched.has((row as { accession: string }).accession))
    const wanted = rowsOf(all)
    assert.deepEqual(others(rows.voyage), others(wanted.voyage))
    assert.deepEqual(others(rows.crate), others(wanted.crate))
    assert.deepEqual(others(rows.mark), others(wanted.mark))
    const loaded = new Set((rows.voyage as { accession: string }[]).map(({ accession }) => accession))
    assert.equal(loaded.size, result!.loaded)
    const notes = JSON.stringify([found.refusals, found.problems])
    for (const [accession, what] of touched) {
      // A line whose key names no filing is reported with the place of the line, not with an accession.
      assert.ok(loaded.has(accession) || notes.includes(accession) || found.refused > 0, `${what}: ${notes}`)
    }
    assert.ok(loaded.size >= 60 - touched.size && touched.size > 5)
  }
})

test('a set may lack optional members and columns; if a required one is missing, it is refused with the missing name', async (t) => {
  const world = await harbour(t)
  const { 'NOTE.tsv': _note, 'LOAN.tsv': _loan, ...bare } = cargoMembers(small())
  const { 'MARK.tsv': _mark, ...lacking } = bare
  const column = { ...bare, 'LOAN.tsv': 'CRATE_ID\tLEND\n' }
  const key = { ...bare, 'MARK.tsv': bare['MARK.tsv']!.replace('CRATE_ID', 'CRATE') }
  assert.match((await load(world, await cargoSet(t, lacking))).error!, /lacks MARK\.tsv$/)
  assert.match((await load(world, await cargoSet(t, column))).error!, /LOAN\.tsv lacks the column LENT$/)
  assert.match((await load(world, await cargoSet(t, key))).error!, /MARK\.tsv lacks the column CRATE_ID$/)
  assert.deepEqual((await stored(world.sql)).voyage, [])
  assert.deepEqual((await load(world, await cargoSet(t, bare))).result, { filings: 5, loaded: 5 })
})

test('a set that has a member twice is refused, and nothing of it is stored', async (t) => {
  const world = await harbour(t)
  const members = cargoMembers(small())
  const set = await cargoSet(t, { ...members, 'corrected/NOTE.tsv': members['NOTE.tsv']! })
  assert.match((await load(world, set)).error!, /has NOTE\.tsv 2 times$/)
  assert.deepEqual((await stored(world.sql)).voyage, [])
})

test('filings of a form that is not read are skipped with all their lines, and do not count as refused', async (t) => {
  const world = await harbour(t)
  const members = cargoMembers(small())
  const submissions = members['SUBMISSION.tsv']!.replace(/^(.*000002\t.*\t)CARGO$/m, '$1NT CARGO')
  const { result, found } = await load(world, await cargoSet(t, { ...members, 'SUBMISSION.tsv': submissions }))
  assert.deepEqual([result, found.refused], [{ filings: 4, loaded: 4 }, 0])
  const rows = await stored(world.sql)
  assert.deepEqual(rows, rowsOf(small().filter(({ accession }) => accession !== accessionOf(2))))
})

test('text after the accession number of a line is accepted in one member only, and any other such line is refused', async (t) => {
  const world = await harbour(t)
  const members = cargoMembers(small())
  members['OWNER.tsv'] += `${accessionOf(1)}\tgrace\n${accessionOf(1)}x_1\tnobody\n`
  members['NOTE.tsv'] += `${accessionOf(2)}_1\tno note\n`
  const { found } = await load(world, await cargoSet(t, members))
  assert.deepEqual(found.refusals.map(({ place, key, reason }) => `${place} ${key} ${reason}`).sort(), [
    `NOTE.tsv:1 ${accessionOf(2)}_1 has no accession number`,
    `OWNER.tsv:7 ${accessionOf(1)}x_1 has no accession number`,
  ])
  assert.deepEqual(
    (await stored(world.sql)).voyage.slice(0, 2).map((row) => (row as { owners: string }).owners),
    ['ada grace', 'ada'],
  )
})
