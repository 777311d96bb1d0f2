/** Rollups agree with the rows that they are derived from after any change: an ingest, an index, a rebuild. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import x17a5 from '../../src/datasets/x17a5/index.ts'
import { dataset } from '../../src/declare/dataset.ts'
import { rollup, text } from '../../src/declare/table.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import type { Sql } from '../../src/store/db.ts'
import { definitionOf } from '../../src/store/schema.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { copyOfSample, everyRow, madeLater, openWorld, sample, temporaryFolder, writeIndex } from '../support/world.ts'

const SPECIMEN = '9000000017'
/** All reports of this broker are of the first quarter of 2020. */
const BROKER = '0000200403'

const newestOf = async (sql: Sql, cik: string) => {
  const [row] = await sql<{ accession: string }[]>`select accession from x17a5.broker where cik = ${cik}`
  return row?.accession
}

test('a rebuild fills the rollups from scratch', async (t) => {
  const world = await openIndexedWorld(t)
  await world.drain({ datasets: ['x17a5'] })
  const before = await everyRow(world.sql)
  assert.ok(before['x17a5.broker']!.length > 0)
  await world.sql`update x17a5.broker set name_key = 'damaged'`
  await world.sql`delete from x17a5.broker where cik = ${SPECIMEN}`
  await rebuild(world, x17a5)
  assert.deepEqual(await everyRow(world.sql), before)
})

test('if the index no longer lists a filing, its rows disappear from the tables and from the rollups', async (t) => {
  const root = await copyOfSample(t)
  const world = await openWorld(t, { root })
  // Only the host that listed a filing can report its removal.
  await world.crawl({ from: '2019-01-01', to: '2019-12-31' })
  await world.drain({ datasets: ['x17a5'] })
  assert.equal(await newestOf(world.sql, SPECIMEN), `${SPECIMEN}-19-000001`)
  const index = await readFile(path.join(root, 'Archives/edgar/full-index/2019/QTR1/master.idx'), 'utf8')
  const lines = index.trimEnd().split('\n').slice(11)
  const kept = lines.filter((line) => !line.includes(`${SPECIMEN}-19-000001`))
  assert.equal(kept.length, lines.length - 1)
  await writeIndex(root, '2019/QTR1', kept, { lastReceived: 'March 31, 2019' })
  for (const _ of ['suspected', 'removed']) {
    const now = await madeLater(root, '2019/QTR1')
    await world.crawl({ from: '2019-01-01', to: '2019-03-31', again: true, now })
  }
  assert.equal(await newestOf(world.sql, SPECIMEN), `${SPECIMEN}-19-000002`)
})

test('if the index gives a filing a form of another family, the filing disappears from the rollups', async (t) => {
  const root = await copyOfSample(t)
  const world = await openIndexedWorld(t, { root })
  await world.drain({ datasets: ['x17a5'] })
  assert.notEqual(await newestOf(world.sql, BROKER), undefined)
  const file = path.join(root, 'Archives/edgar/full-index/2020/QTR1/master.idx')
  await writeFile(file, (await readFile(file, 'utf8')).replace(/\|X-17A-5\|/g, '|10-K|'))
  await world.crawl({ from: '2020-01-01', to: '2020-03-31', again: true })
  assert.equal(await newestOf(world.sql, BROKER), undefined)
})

test('after parallel workers have read a broker’s reports, the rollup has the newest report', async (t) => {
  const root = await temporaryFolder(t)
  const own = 'Archives/edgar/data/9000000017'
  const text = await readFile(path.join(sample, own, `${SPECIMEN}-19-000001.txt`), 'utf8')
  await mkdir(path.join(root, own), { recursive: true })
  const lines: string[] = []
  // There are two full batches for each of four workers. The filings of the newest year are among the first that are
  // read.
  for (let n = 0; n < 160; n++) {
    const accession = `${SPECIMEN}-24-${String(n).padStart(6, '0')}`
    const year = 1860 + ((n * 37) % 160)
    const report = text.replaceAll(`${SPECIMEN}-19-000001`, accession).replace('12-31-2018', `12-31-${year}`)
    await writeFile(path.join(root, own, `${accession}.txt`), report)
    lines.push(`${SPECIMEN}|Specimen|X-17A-5|2024-02-28|edgar/data/${SPECIMEN}/${accession}.txt`)
  }
  await writeIndex(root, '2024/QTR1', lines)
  const world = await openWorld(t, { root })
  await world.crawl({ from: '2024-01-01', to: '2024-03-31' })
  assert.equal((await world.drain({ workers: 4 })).done, 160)
  const [latest] = await world.sql`select accession from x17a5.report order by period_end desc limit 1`
  assert.equal(await newestOf(world.sql, SPECIMEN), latest!.accession)
})

test('a slice with rollups but without `refresh`, the reverse, and a rollup of another schema are refused by name', () => {
  const { rollups, refresh, ...rest } = x17a5
  const place = rollup('elsewhere.place', 'One row per place', ['name'], { name: text('Name') })
  assert.throws(() => dataset({ ...rest, rollups }), /slice x17a5: rollups and refresh must be declared together/)
  assert.throws(
    () => dataset({ ...rest, rollups: {}, refresh: refresh! }),
    /rollups and refresh must be declared together/,
  )
  assert.throws(() => dataset({ ...rest, rollups: { place }, refresh: refresh! }), /must be called x17a5\.place/)
  const { refreshed, ...unnamed } = rest
  assert.ok(refreshed)
  assert.throws(() => dataset({ ...unnamed, rollups, refresh: refresh! }), /refreshed must name the module of refresh/)
  assert.throws(
    () => rollup('x17a5.place', 'One row per place', [], { name: text('Name') }),
    /x17a5\.place: a rollup needs a key/,
  )
})

test('a changed refresh or parser makes the stored rows outdated, and a changed rollup table makes the definition outdated', async () => {
  const now = definitionOf(x17a5)
  const idle = definitionOf({ ...x17a5, refreshed: new URL('../support/fleet.ts', import.meta.url) })
  assert.deepEqual([idle.ddlHash === now.ddlHash, idle.parserHash === now.parserHash], [true, false])
  const place = rollup('x17a5.place', 'One row per place', ['name'], { name: text('Name') })
  assert.notEqual(definitionOf({ ...x17a5, rollups: { place } }).ddlHash, now.ddlHash)
})
