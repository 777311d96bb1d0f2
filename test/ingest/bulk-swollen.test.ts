/**
 * Bulk files that are designed to take long. Each of them fails alone and soon, with the name of its member. A signal
 * ends long work.
 */
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after as afterFile, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type BulkDataset, bulk, bulkDataset, type FilingsDataset } from '../../src/declare/dataset.ts'
import type { CsvSeries, XmlSeries } from '../../src/declare/series.ts'
import { mostOf } from '../../src/ingest/bulk/most.ts'
import { ingestSets } from '../../src/ingest/sets/ingest.ts'
import registry from '../../src/registry.ts'
import { migrate } from '../../src/store/schema.ts'
import { fleet, harbourDatabase, openHarbour, shipsXml, writeZip } from '../support/bulk-world.ts'
import { beginHere, emptyEnv, queried, run } from '../support/command.ts'
import { accessionOf, cargo, cargoMembers, cargoSet, own, voyages } from '../support/sets/cargo.ts'
import { until } from '../support/until.ts'
import { openWorld, sample, temporaryFolder } from '../support/world.ts'

const database = await harbourDatabase({ after: afterFile })

const { SHIPS, VOYAGES } = fleet.source.series as { SHIPS: XmlSeries; VOYAGES: CsvSeries }
const MOST = { bytes: 100_000, records: 1_000 }
const small = bulkDataset({
  ...fleet,
  source: bulk({
    collection: 'harbour',
    series: { SHIPS: { ...SHIPS, most: MOST }, VOYAGES: { ...VOYAGES, most: MOST } },
  }),
})

const ship = (number: number, weight = 10) => `<Ship number="${number}" name="No. ${number}" weight="${weight}"/>`
const ships = (count: number, weight?: number) => Array.from({ length: count }, (_, n) => ship(n, weight))
const gap = (bytes: number) => `<!--${'x'.repeat(bytes)}-->`
const lines = (count: number) => `VoyageID,Port\n${Array.from({ length: count }, (_, n) => `${n},A\n`).join('')}`

/** Each entry writes a file at its limit, or slightly above it; the file above the limit is refused with `reason`. */
const swollen: Record<string, { file: string; write: (file: string, more: number) => Promise<void>; reason: string }> =
  {
    'members that unpack to too many bytes together': {
      file: 'ships_2026-07-01.xml.zip',
      write: (file, more) =>
        writeZip(file, { 'part1.xml': shipsXml(ship(1)), 'part2.xml': shipsXml(ship(2), gap(more * 100_000)) }),
      reason: 'part2.xml has 100125 bytes, and all members together have more than 100000',
    },
    'a feed that unpacks to too many bytes': {
      file: 'ships_2026-07-01.xml.gz',
      write: (file, more) => writeFile(file, gzipSync(shipsXml(ship(1), gap(more * 100_000)))),
      reason: 'inflates to more than 100000 bytes',
    },
    'too many records': {
      file: 'ships_2026-07-01.xml.gz',
      write: (file, more) => writeFile(file, gzipSync(shipsXml(...ships(1_000 + more)))),
      reason: 'ships_2026-07-01.xml.gz:Ship 1001: such a file may have at most 1000 records',
    },
    'too many records that are refused': {
      file: 'ships_2026-07-01.xml.gz',
      write: (file, more) => writeFile(file, gzipSync(shipsXml(ship(1), '<Ship/>'.repeat(999 + more)))),
      reason: 'ships_2026-07-01.xml.gz:Ship 1001: such a file may have at most 1000 records',
    },
    'a CSV that unpacks to too many bytes': {
      file: 'voyages_2026-06-30.zip',
      write: (file, more) => writeZip(file, { 'Voyage_1.csv': lines(1), 'readme.txt': 'x'.repeat(more * 100_000) }),
      reason: 'readme.txt has 100000 bytes, and all members together have more than 100000',
    },
    'too many lines': {
      file: 'voyages_2026-06-30.zip',
      write: (file, more) => writeZip(file, { 'Voyage_1.csv': lines(1_000 + more) }),
      reason: 'a line of Voyage_1.csv: such a file may have at most 1000 records',
    },
    'too many lines with nothing in them': {
      file: 'voyages_2026-06-30.zip',
      write: (file, more) => writeZip(file, { 'Voyage_1.csv': lines(1) + '\n'.repeat(999 + more) }),
      reason: 'a line of Voyage_1.csv: such a file may have at most 1000 records',
    },
  }

test('a file above a declared limit fails alone, with the name of its member, and is loaded once it is smaller', async (t) => {
  for (const [what, { file, write, reason }] of Object.entries(swollen)) {
    const harbour = await openHarbour(t, database)
    const ingest = (files: string[]) => harbour.ingest({ datasets: [small], slices: [small], files })
    const bad = path.join(harbour.root, file)
    const good = path.join(harbour.root, 'voyages_2026-05-31.zip')
    await writeZip(good, { 'Voyage_1.csv': lines(3) })
    await write(bad, 1)
    const outcomes = await ingest([good, bad])
    assert.deepEqual(
      outcomes.map(({ error }) => error),
      [null, `${file}: ${reason}`],
      what,
    )
    const states = () => harbour.sql`select name, state, error from bulk.edition order by name desc`.values()
    assert.deepEqual(
      new Set(await states()),
      new Set([
        ['voyages_2026-05-31.zip', 'done', null],
        [file, 'failed', `${file}: ${reason}`],
      ]),
    )
    await write(bad, 0)
    const [again] = await ingest([bad])
    assert.equal(again!.error, null, what)
  }
})

test('the limit of a period grows with each month that it covers, and the limit of a feed is that of one day', () => {
  const sources = registry.slices.flatMap((slice) => ('source' in slice ? [slice.source as BulkDataset['source']] : []))
  const series = sources.flatMap((source) => (source.kind === 'bulk' ? Object.entries(source.series) : []))
  const of = (wanted: string, name: string) => {
    const found = series.find(([key]) => key === wanted)![1] as XmlSeries | CsvSeries
    const { bytes, records } = mostOf(found, name)
    return [bytes / found.most.bytes, records / found.most.records]
  }
  assert.deepEqual(of('IA_INDVL', 'IA_INDVL_Feed_07_23_2026.xml.zip'), [1, 1])
  assert.deepEqual(of('ADV_FILING_DATA', 'ADV_Filing_Data_20260601_20260630.zip'), [1, 1])
  assert.deepEqual(of('ADV_FILING_DATA', 'adv-filing-data-20111105-20241231-part1.zip'), [158, 158])
})

test('a feed of over 100,000 people without numbers fails within its first part and appears in `status`; the next feed is loaded', async (t) => {
  const env = await emptyEnv(t)
  const file = path.join(await temporaryFolder(t), 'IA_INDVL_Feed_07_22_2026.xml.zip')
  const part = (content: string) => `<IAPDIndividualReport><Indvls>${content}</Indvls></IAPDIndividualReport>`
  const parts = Array.from({ length: 20 }, (_, n) => [
    `IA_Indvl_Feeds${n + 1}.xml`,
    part(n === 0 ? '<Indvl/>'.repeat(150_000) : ''),
  ])
  await writeZip(file, Object.fromEntries(parts))
  const { status, stdout, stderr } = await run(['ingest', 'reps', file], env)
  assert.equal(status, 1)
  const reason = /100001 of the first 100001 records are refused, such as IA_Indvl_Feeds1\.xml:Indvl 1: .*indvlPK/
  assert.match(stdout + stderr, reason)
  assert.match((await run(['status'], env)).stdout, reason)
  const next = await run(
    ['ingest', 'reps', path.join(sample, 'reports/CompilationReports/IA_INDVL_Feed_07_23_2026.xml.zip')],
    env,
  )
  assert.equal(next.status, 0, next.stderr)
})

test('a feed with more than 1,000 records that the database refuses fails, and nothing of it is stored', async (t) => {
  const harbour = await openHarbour(t, database)
  await harbour.ships('2026-07-01', ...ships(1_001, 99_999_999_999))
  const [outcome] = await harbour.ingest()
  assert.match(
    outcome!.error!,
    /the database refuses more than 1000 records, such as \S+:Ship 1001: .*out of range for type integer/,
  )
  assert.equal((await harbour.sql`select 1 from bulk.record`).length, 0)
})

test('a set that unpacks to more than its limit, or has lines of too many filings, fails with the member’s name, and is loaded once it is smaller', async (t) => {
  const { sql, slices, store } = await openWorld(t, { catalog: own })
  await migrate(sql, own.datasets)
  const load = async (dataset: FilingsDataset, members: Record<string, string>) => {
    const file = await cargoSet(t, members)
    const [outcome] = await ingestSets({ sql, slices, store, dataset, from: { files: [file] } })
    const [{ state }] = (await sql`select state from bulk.filing_set`) as [{ state: string }]
    return [outcome!.error, state]
  }
  const members = cargoMembers(voyages(3, { random: () => 0.5 }))
  const tight = { ...cargo, sets: { ...cargo.sets!, bytesMax: 500 } } as FilingsDataset
  const [large] = Object.entries(members).find(([, content]) => content.length > 500)!
  assert.deepEqual(await load(tight, members), [
    `${large} has ${members[large]!.length} bytes, and all members together have more than 500`,
    'failed',
  ])
  const many = Array.from({ length: 2 ** 17 + 1 }, (_, n) => accessionOf(n))
  const submissions = `ACCESSION_NUMBER\tFILING_DATE\tFORM\n${many.map((accession) => `${accession}\t2024-02-01\tCARGO\n`).join('')}`
  assert.deepEqual(await load(cargo, { ...members, 'SUBMISSION.tsv': submissions }), [
    'has lines of more than 131072 filings',
    'failed',
  ])
  const crates = `ACCESSION_NUMBER\tCRATE_ID\tLABEL\n${many.map((accession, n) => `${accession}\t${n}\tx\n`).join('')}`
  assert.deepEqual(await load(cargo, { ...members, 'CRATE.tsv': crates }), [
    'has lines of more than 131072 filings',
    'failed',
  ])
  assert.deepEqual(await load(cargo, members), [null, 'done'])
})

/** Steps during which the test makes a statement hang: moving rows, and making rollups from them. */
const waits = { 'rows are moved': 'adv.firm', 'rollups are made': 'adv.adviser' }

for (const [what, table] of Object.entries(waits)) {
  test(`SIGTERM ends an ingest of a feed while ${what}, and the next ingest finishes it`, async (t) => {
    const env = await emptyEnv(t)
    const feed = path.join(sample, 'reports/CompilationReports/IA_FIRM_SEC_Feed_07_23_2026.xml.gz')
    await queried(env, (sql) =>
      sql.unsafe(`
        create function stall() returns trigger language plpgsql as 'begin perform pg_sleep(3600); return new; end';
        create trigger stalls before insert on ${table} for each row execute function stall()`),
    )
    const begun = beginHere(t, ['ingest', 'adv', feed], env)
    await until('the statement sleeps', () =>
      queried(env, async (sql) => {
        const rows = await sql`
          select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
        return rows.length > 0
      }),
    )
    assert.equal(await begun.end('SIGTERM'), 143, begun.stderr())
    assert.match(begun.stdout(), /^ingest adv: stopped; /m)
    assert.doesNotMatch(begun.stderr(), /failed|^ {4}at /m)
    await queried(env, (sql) => sql.unsafe(`drop trigger stalls on ${table}`))
    const next = await run(['ingest', 'adv', feed], env)
    assert.equal(next.status, 0, next.stderr)
    const count = (await queried(env, (sql) => sql`select count(*)::int as n from adv.adviser`))[0]!.n
    assert.equal(count, 81)
  })
}
