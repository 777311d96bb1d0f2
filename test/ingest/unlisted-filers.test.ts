/** A filing that an index lists without one of its filers: when the filer leaves the filing, and when it stays. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { loadIndex } from '../../src/ingest/spine.ts'
import { search } from '../../src/products/filings/routes.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import { testContext } from '../support/context.ts'
import { reusedDatabase } from '../support/reused.ts'

const DAY_MS = 86_400_000
const BEGUN = Date.now()
const FULL = '/Archives/edgar/full-index/2026/QTR3/master.idx'
const JOINT = '0000000111-26-000001'

const line = (cik: number, accession = JOINT, name = `Filer ${cik}`) =>
  `${cik}|${name}|SC 13D|2026-08-03|edgar/data/${cik}/${accession}.txt`
const others = Array.from({ length: 30 }, (_, n) => line(900, `0000000900-26-0000${10 + n}`))
/** The joint filing of these filers, after thirty other filings. */
const joint = (...ciks: number[]) => [...others, ...ciks.map((cik) => line(cik))]

const database = await reusedDatabase({ after })
const { sql } = database

/** Loads an index that was made and read so many days after the filings became known. */
function load(lines: readonly string[], made: number, { read = made + 1 / 24, host = 'https://host.example' } = {}) {
  const at = (days: number) => new Date(BEGUN + days * DAY_MS)
  const text = ['Last Data Received: September 30, 2026', '-'.repeat(80), ...lines, ''].join('\n')
  async function* bytes() {
    yield Buffer.from(text)
  }
  return loadIndex(sql, registry, {
    ...{ url: `${host}${FULL}`, host, source: FULL, reader: readIndex(bytes()) },
    ...{ through: '2026-09-30', wholeFrom: '2026-07-01', modifiedAt: at(made).toISOString(), now: at(read) },
  })
}

/** Empties the database and loads the joint filing of the filers 111, 222 and 333. */
async function known(): Promise<void> {
  await database.emptied()
  assert.equal((await load(joint(111, 222, 333), -1)).added, 31)
}

const filers = async () => {
  const rows = await sql<{ cik: string }[]>`select cik from edgar.filer where accession = ${JOINT} order by cik`
  const [filing] = await sql<{ filer_count: number }[]>`select filer_count from edgar.filing where accession = ${JOINT}`
  assert.equal(filing!.filer_count, rows.length)
  return rows.map(({ cik }) => Number(cik))
}
const suspects = async () =>
  (await sql<{ cik: string }[]>`select cik from edgar.unlisted_filer order by cik`).map(({ cik }) => Number(cik))
const events = async () =>
  (await sql<{ what: string }[]>`select what from core.event where key = ${JOINT} order by seq`).map(({ what }) => what)

test('a filer leaves a filing if two indexes that were made after its first sight and read a day apart list the filing without it', async () => {
  await known()
  const first = await load(joint(111, 333), 2)
  assert.deepEqual([first.changed, await filers(), await suspects()], [0, [111, 222, 333], [222]])
  const second = await load(joint(111, 333), 4)
  assert.deepEqual([second.changed, second.removed, await filers(), await suspects()], [1, 0, [111, 333], []])
  assert.deepEqual(await events(), ['corrected'])
  const found = async (cik: number) => {
    const page = (await search.run(
      search.input.parse({ cik: String(cik) }),
      testContext(sql, { catalog: registry }),
    )) as {
      rows: { accession: string }[]
    }
    return page.rows.map(({ accession }) => accession)
  }
  assert.deepEqual([await found(111), await found(222)], [[JOINT], []])
  const [name] = await sql`select filings from edgar.filer_search where cik = '0000000222'`
  assert.equal(name!.filings, 0)
  assert.equal((await load(joint(111, 333), 6)).changed, 0)
  // The next correction takes back the first one.
  assert.equal((await load(joint(111, 222, 333), 8)).changed, 1)
  assert.deepEqual(
    [await filers(), await events()],
    [
      [111, 222, 333],
      ['corrected', 'corrected'],
    ],
  )
})

test('if the first filer leaves, the filing is listed under the filer that the index names first, and a filer that replaces another joins', async () => {
  await known()
  for (const made of [2, 4]) await load(joint(222, 333, 444), made)
  assert.deepEqual(await filers(), [222, 333, 444])
  const [filing] = await sql`select cik, company_name, path from edgar.filing where accession = ${JOINT}`
  assert.deepEqual({ ...filing }, { cik: '0000000222', company_name: 'Filer 222', path: `edgar/data/222/${JOINT}.txt` })
  await known()
  for (const made of [2, 4]) await load(joint(111, 222, 444), made)
  assert.deepEqual([await filers(), await events()], [[111, 222, 444], ['corrected']])
})

test('readings on one day, an index that was made before the first reading, and an index of another host remove no filer', async () => {
  await known()
  await load(joint(111), 2, { read: 2.1 })
  for (const [what, made, of] of [
    ['another index of the same day', 2.5, { read: 2.6 }],
    ['an index from before the first reading, read days later', 2.05, { read: 12 }],
  ] as const) {
    await sql`update edgar.watermark set made_at = null`
    await load(joint(111), made, of)
    assert.deepEqual(await filers(), [111, 222, 333], what)
  }
  await load(joint(111), 20, { host: 'https://other.example' })
  await load(joint(111), 22, { host: 'https://other.example' })
  assert.deepEqual(await filers(), [111, 222, 333], 'the first index of another host proves nothing')
})

test('an index that is older than an entry of the feed suspects no filer, and one that lists a suspected filer again clears the suspicion', async () => {
  await known()
  await sql`update edgar.filing set first_seen_at = now() + interval '3 days' where accession = ${JOINT}`
  await load(joint(111), 2)
  assert.deepEqual(await suspects(), [])
  await sql`update edgar.filing set first_seen_at = now(), accepted_at = now() + interval '5 days' where accession = ${JOINT}`
  await load(joint(111), 4)
  assert.deepEqual(await suspects(), [])
  await load(joint(111), 6)
  assert.deepEqual(await suspects(), [222, 333])
  await load(joint(111, 222), 8)
  assert.deepEqual([await filers(), await suspects()], [[111, 222], []])
})

test('lines that cannot be read, and an index that lacks many filers, remove no filer', async () => {
  await known()
  const broken = line(222).replace('2026-08-03', 'never')
  for (const made of [2, 4]) await load([...joint(111, 333), broken], made)
  assert.deepEqual([await filers(), await suspects()], [[111, 222, 333], []])
  for (const made of [6, 8]) await load([...joint(111, 333), '222|Filer 222|SC'], made)
  assert.deepEqual([await filers(), await suspects()], [[111, 222, 333], []])
  const many = Array.from({ length: 11 }, (_, n) => n + 500)
  await load(joint(111, 222, 333, ...many), 10)
  const cut = await load(joint(111, 222, 333), 12)
  assert.equal(cut.problems, 1)
  const [problem] = await sql`select reason from edgar.index_problem`
  assert.match(problem!.reason, /lacks 11 known filers of filings that it lists/)
  assert.deepEqual(await suspects(), [])
})

test('a chosen filer stays, since its profile lists the filing', async () => {
  await known()
  await sql`insert into edgar.chosen (cik, entry, read_at) values ('0000000222', '222', ${new Date(BEGUN)})`
  for (const made of [2, 4]) await load(joint(111), made)
  assert.deepEqual(await filers(), [111, 222])
})

test('a daily index that lists a filing without some of its filers suspects no filer and removes none', async () => {
  await known()
  const index = { host: 'https://host.example', source: '/Archives/edgar/daily-index/2026/QTR3/master.20260803.idx' }
  async function* bytes() {
    yield Buffer.from(['Last Data Received: August 3, 2026', '-'.repeat(80), line(111), ''].join('\n'))
  }
  for (const made of [2, 4])
    await loadIndex(sql, registry, {
      ...{ ...index, url: index.source, reader: readIndex(bytes()), through: '2026-08-03' },
      ...{ modifiedAt: new Date(BEGUN + made * DAY_MS).toISOString(), now: new Date(BEGUN + (made + 0.1) * DAY_MS) },
    })
  assert.deepEqual([await filers(), await suspects()], [[111, 222, 333], []])
})
