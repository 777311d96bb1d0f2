/**
 * A quarterly set gives the same rows in two cases: its lines are in an order that no real set has, or its filings do
 * not fit into memory.
 */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { after, type TestContext, test } from 'node:test'
import { filing } from '../../../bench/thirteenf-sets.ts'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { ingestSets, type SetsOptions } from '../../../src/ingest/sets/ingest.ts'
import { bytesOf, randomFor } from '../../support/random.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { made, membersOf, setOf } from '../../support/thirteenf/set-files.ts'
import { everyRow, openWorld, temporaryFolder } from '../../support/world.ts'

const LINES = 'INFOTABLE.tsv'
const database = await reusedDatabase({ after })

/** Loads a set. @returns all rows of Form 13F, and the number of records in the table for large filings */
async function loaded(t: TestContext, members: Record<string, string>) {
  const { sql, slices, store } = await openWorld(t, { database: await database.emptied() })
  let staged = 0
  const claim = async () => {
    const [table] = await sql<{ there: boolean }[]>`select to_regclass('bulk.set_line') is not null as there`
    if (!table!.there) return false
    const [row] = await sql<{ n: number }[]>`
      select count(*)::int as n from bulk.set_line where member = (select max(member) from bulk.set_line having max(member) = 6)`
    staged = row!.n
    return false
  }
  const files = [await setOf(t, members)]
  const [outcome] = await ingestSets({ sql, slices, store, dataset: thirteenf, from: { files }, claim })
  assert.deepEqual([outcome!.error, outcome!.found.refusals], [null, []])
  const rows = Object.entries(await everyRow(sql, { slices: [thirteenf] })).filter(([name]) =>
    name.startsWith('thirteenf.'),
  )
  return { rows: JSON.stringify(rows), staged, sql }
}

/** The members of the set, with the lines of INFOTABLE in another order. */
function ordered(members: Record<string, string>, order: (lines: string[]) => string[]): Record<string, string> {
  const [header, ...lines] = members[LINES]!.trimEnd().split('\n')
  return { ...members, [LINES]: [header, ...order(lines), ''].join('\n') }
}

test('a set with its lines shuffled, reversed, or cut in two gives the same rows as the set in order', async (t) => {
  const members = membersOf(made(30))
  const expected = await loaded(t, members)
  const count = members[LINES]!.trimEnd().split('\n').length - 1
  const shuffled = await loaded(
    t,
    ordered(members, (lines) =>
      lines
        .map((line, at) => [(at * 7919) % count, line] as const)
        .sort(([a], [b]) => a - b)
        .map(([, line]) => line),
    ),
  )
  assert.ok(shuffled.rows === expected.rows)
  // The lines of each filing are still together, in the wrong order.
  const turned = await loaded(
    t,
    ordered(members, (lines) => lines.toReversed()),
  )
  assert.ok(turned.rows === expected.rows)
  // A few lines of the first filing come at the very end.
  const late = await loaded(
    t,
    ordered(members, (lines) => [...lines.slice(2), ...lines.slice(0, 2)]),
  )
  assert.ok(late.rows === expected.rows)
  // The table is only for filings that are too large for memory.
  assert.deepEqual(
    [expected, shuffled, turned, late].map(({ staged }) => staged),
    [0, 0, 0, 0],
  )
})

test('if a filing has too many records for memory, they are read from the database in pages, in their order', async (t) => {
  const large = filing(101, { seed: 7, period: '2023-12-31', lines: 4, exactly: true })
  const all = [...made(5), large]
  // More than 8 MB together, but incompressible, because a zip refuses text that expands too much.
  const long = bytesOf(randomFor('a long name'), 1_600_000).toString('base64')
  const members = ordered(membersOf(all), (lines) =>
    lines.map((line) => (line.startsWith(large.accession) ? line.replace(/GENERATED ISSUER/, `$& ${long}`) : line)),
  )
  const { staged, sql } = await loaded(t, members)
  assert.equal(staged, large.count)
  const rows = await sql<{ amount: string; length: number }[]>`
    select p.amount, length(s.issuer_name) as length from thirteenf.position p join thirteenf.security s using (security)
    where accession = ${large.accession} order by n`
  const expected = [...large.lines()]
  assert.deepEqual(
    rows.map(({ amount }) => amount),
    expected.map(({ amount }) => String(amount)),
  )
  assert.ok(rows.every(({ length }) => length > long.length))
  const [reports] = await sql<{ n: number }[]>`select count(*)::int as n from thirteenf.report`
  assert.equal(reports!.n, 6)
})

test('a load leaves no temporary files, whether it is killed, finished, stopped or refused', async (t) => {
  const { sql, slices, store } = await openWorld(t, { database: await database.emptied() })
  const [own, before] = [await temporaryFolder(t), process.env.TMPDIR]
  const members = membersOf(made(120))
  const { 'SIGNATURE.tsv': _, ...lacking } = members
  const [whole, refused] = [await setOf(t, members), await setOf(t, lacking)]
  process.env.TMPDIR = own
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  let held: string[] | undefined
  const stop = new AbortController()
  const claim = async () => {
    held = await readdir(own)
    stop.abort(new Error('stopped'))
    return false
  }
  const load = (file: string, more: Partial<SetsOptions> = {}) =>
    ingestSets({ sql, slices, store, dataset: thirteenf, from: { files: [file] }, ...more })
  await load(whole, { claim, signal: stop.signal })
  assert.deepEqual(held, [])
  assert.deepEqual(await readdir(own), [])
  assert.match((await load(refused))[0]!.error!, /lacks SIGNATURE/)
  assert.equal((await load(whole))[0]!.error, null)
  assert.deepEqual(await readdir(own), [])
})
