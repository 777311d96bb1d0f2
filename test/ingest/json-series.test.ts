/**
 * JSON files of companies, one by one or in a zip of all companies, of which only changes are loaded; and dated lists.
 */
import assert from 'node:assert/strict'
import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after as afterFile, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { diskStore } from '../../src/archive/store.ts'
import { bulk, bulkDataset } from '../../src/declare/dataset.ts'
import type { BulkRows, JsonRecords } from '../../src/declare/series.ts'
import { integer, table, text } from '../../src/declare/table.ts'
import { edgarClient } from '../../src/fetch/client.ts'
import { type BulkOptions, type EditionOutcome, ingestBulk } from '../../src/ingest/bulk/ingest.ts'
import { rebuildBulk } from '../../src/ingest/bulk/rebuild.ts'
import { after } from '../../src/store/events.ts'
import { migrate } from '../../src/store/schema.ts'
import { ZipWriter } from '../support/adv/zip.ts'
import { writeZip } from '../support/bulk-world.ts'
import { startHost } from '../support/edgar-host.ts'
import { reusedDatabase } from '../support/reused.ts'
import { temporaryFolder } from '../support/world.ts'

const firm = table(
  'ledger.firm',
  'One row per firm',
  [],
  { file: text('File'), cik: text('CIK'), name: text('Name').nullable(), weight: integer('Weight').nullable() },
  { record: 'file' },
)
const symbol = table(
  'ledger.symbol',
  'One row per symbol',
  [],
  { id: text('CIK and symbol'), symbol: text('Symbol') },
  { record: 'id' },
)

/** Number of times that a firm's file was parsed. */
let parsed = 0

const firms: JsonRecords = {
  format: 'json',
  kind: 'update',
  tables: ['firm'],
  file: /^(?:firms|CIK\d{10})(?:_(?<day>\d{4}-\d\d-\d\d))?\.(?:zip|json)$/,
  record: /^CIK(?<key>\d{10})\.json$/,
  at: { all: '/Archives/firms.zip', one: (cik) => `/firms/CIK${cik}.json` },
  *rows(document, key): BulkRows {
    parsed++
    yield [
      'firm',
      { file: key, cik: document.cik('cik'), name: document.text('name'), weight: document.count('weight') },
    ]
  },
}

const ledger = bulkDataset({
  slug: 'ledger',
  label: 'Ledger',
  group: 'Tests',
  source: bulk({
    collection: 'ledger',
    series: {
      FIRMS: firms,
      SYMBOLS: {
        format: 'json',
        kind: 'snapshot',
        tables: ['symbol'],
        file: /^symbols(?:_(?<day>\d{4}-\d\d-\d\d))?\.json$/,
        at: '/files/symbols.json',
        *records(document) {
          for (const line of document.table('fields', 'data')) {
            const cik = line.cik('cik')
            yield [cik && `${cik}/${line.text('symbol')}`, line]
          }
        },
        *rows(line, id): BulkRows {
          yield ['symbol', { id, symbol: line.text('symbol') }]
        },
      },
    },
  }),
  tables: { firm, symbol },
  routes: [],
  parser: new URL(import.meta.url),
})

type After = { after(fn: () => Promise<void>): void }

const database = await reusedDatabase({ after: afterFile }, (sql) => migrate(sql, [ledger]))

async function openLedger(t: After) {
  const { sql } = await database.emptied()
  const root = await temporaryFolder(t)
  for (const folder of ['Archives', 'firms', 'files']) await mkdir(path.join(root, folder))
  const host = await startHost({ root })
  t.after(() => host.close())
  const client = edgarClient({ baseUrl: host.url, userAgent: null })
  t.after(() => client.close())
  const store = diskStore(path.join(await temporaryFolder(t), 'archive'))
  const at = async (file: string, day: string) => {
    const full = path.join(root, file)
    await utimes(full, new Date(day), new Date(day))
    return full
  }
  const parts = { sql, slices: [ledger], datasets: [ledger], store, client }
  parsed = 0
  return {
    sql,
    store,
    host,
    parts,
    ingest: (options: Partial<BulkOptions> & { ciks?: string[] } = {}): Promise<EditionOutcome[]> => {
      const { ciks, ...more } = options
      return ingestBulk({ ...parts, dated: { client, dataClient: client, ciks }, ...more })
    },
    async zip(day: string, members: Record<string, string>) {
      await writeZip(path.join(root, 'Archives/firms.zip'), members)
      await at('Archives/firms.zip', day)
    },
    async one(day: string, cik: number, content: object) {
      await writeFile(path.join(root, `firms/${nameOf(cik)}`), JSON.stringify(content))
      return at(`firms/${nameOf(cik)}`, day)
    },
    async symbols(day: string, ...data: [number, string][]) {
      await writeFile(path.join(root, 'files/symbols.json'), JSON.stringify({ fields: ['cik', 'symbol'], data }))
      return at('files/symbols.json', day)
    },
    rows: async () =>
      (await sql`select cik, name, weight from ledger.firm order by file`).map((row) => Object.values(row).join(' ')),
  }
}

const nameOf = (cik: number) => `CIK${String(cik).padStart(10, '0')}.json`
const firmOf = (cik: number, name: string, weight = 1) => ({ cik, name, weight })
const membersOf = (...firms: ReturnType<typeof firmOf>[]) =>
  Object.fromEntries(firms.map((one) => [nameOf(one.cik), JSON.stringify(one)]))

test('a zip replaces the records that it has, removes no others, and parses only changed members', async (t) => {
  const { ingest, zip, rows, sql } = await openLedger(t)
  await zip('2026-07-01', membersOf(firmOf(1, 'Ada'), firmOf(2, 'Bob')))
  const [first] = await ingest()
  assert.deepEqual([first!.error, first!.result!.added, parsed], [null, 2, 2])
  await zip('2026-07-02', membersOf(firmOf(2, 'Bob', 7), firmOf(3, 'Cy')))
  const [second] = await ingest()
  assert.deepEqual([second!.result!.added, second!.result!.changed, parsed], [1, 1, 4])
  assert.deepEqual(await rows(), ['0000000001 Ada 1', '0000000002 Bob 7', '0000000003 Cy 1'])
  assert.deepEqual(
    (await after(sql, 0, 100)).map(({ key, what }) => `${key} ${what}`),
    ['null added', 'FIRMS/0000000003 added', 'FIRMS/0000000002 corrected'],
  )
  await zip('2026-07-03', membersOf(firmOf(2, 'Bob', 7), firmOf(3, 'Cy')))
  const [third] = await ingest()
  assert.deepEqual([third!.result!.isNews, third!.result!.records, parsed], [false, 2, 4])
  const again = (await ingest()).filter(({ edition }) => edition.series === 'FIRMS')
  assert.deepEqual(again, [], 'the same zip is known')
})

test('an older file never overwrites a newer one, whether each of them is a zip or a single file', async (t) => {
  const { ingest, zip, one, rows, sql } = await openLedger(t)
  await one('2026-07-05', 1, firmOf(1, 'New'))
  await ingest({ ciks: ['0000000001'] })
  await zip('2026-07-04', membersOf(firmOf(1, 'Old'), firmOf(2, 'Two')))
  await ingest()
  assert.deepEqual(await rows(), ['0000000001 New 1', '0000000002 Two 1'])
  await zip('2026-07-06', membersOf(firmOf(1, 'Newest')))
  await ingest()
  assert.deepEqual(await rows(), ['0000000001 Newest 1', '0000000002 Two 1'])
  await one('2026-07-05', 1, firmOf(1, 'New'))
  await ingest({ ciks: ['0000000001'] })
  assert.deepEqual(await rows(), ['0000000001 Newest 1', '0000000002 Two 1'])
  const days =
    await sql`select to_day, files->0->>'day_from' as by from bulk.edition where series = 'FIRMS' order by to_day`
  const shown = days.map((row) => Object.values(row).join(' '))
  assert.deepEqual(shown, ['2026-07-04 host', '2026-07-05 host', '2026-07-06 host'])
})

test('a bad member fails alone, the error has its name, and its former rows stay', async (t) => {
  const { ingest, zip, rows, sql } = await openLedger(t)
  await zip('2026-07-01', membersOf(firmOf(1, 'Ada'), firmOf(2, 'Bob')))
  await ingest()
  const bad = {
    [nameOf(2)]: '{"cik": 2, "name": "Bob", "name": "Cut"}',
    [nameOf(4)]: '{"cik": 4',
    'placeholder.txt': '',
  }
  await zip('2026-07-02', { ...bad, ...membersOf(firmOf(3, 'Cy')), [nameOf(5)]: '{"cik":5,"name":1,"weight":NaN}' })
  const [outcome] = await ingest()
  assert.equal(outcome!.error, null)
  assert.deepEqual(await rows(), ['0000000001 Ada 1', '0000000002 Bob 1', '0000000003 Cy 1'])
  const { refusals, unread } = outcome!.result!.notes
  assert.deepEqual(
    refusals.map(({ place, key, reason }) => `${place} ${key} ${reason}`),
    [
      'CIK0000000002.json 0000000002 line 1, column 27 (offset 26): the name "name" appears twice',
      'CIK0000000004.json 0000000004 line 1, column 10 (offset 9): a comma or } is needed: the document is cut off',
      'CIK0000000005.json 0000000005 line 1, column 28 (offset 27): not a JSON value',
    ],
  )
  assert.deepEqual([...unread], ['firms.zip/placeholder.txt'])
  const [stored] = await sql`select refused, state from bulk.edition where to_day = '2026-07-02'`
  assert.deepEqual(Object.values(stored!), [3, 'done'])
})

test('a record that the database refuses fails alone', async (t) => {
  const { ingest, zip, rows } = await openLedger(t)
  // The CIK 0 is read as null. The database refuses this row, since ledger.firm.cik is never null.
  await zip('2026-07-01', { ...membersOf(firmOf(1, 'Ada')), [nameOf(2)]: '{"cik":0,"name":"None"}' })
  const [outcome] = await ingest()
  assert.deepEqual(await rows(), ['0000000001 Ada 1'])
  assert.deepEqual([outcome!.result!.refused, outcome!.result!.notes.refusals[0]!.key], [1, '0000000002'])
})

test('a corrupt member of a zip is refused by name, and a truncated zip is reported', async (t) => {
  const { ingest, zip, rows, parts, host } = await openLedger(t)
  await zip('2026-07-01', membersOf(firmOf(1, 'Ada'), firmOf(2, 'Bob'), firmOf(3, 'Cy')))
  const file = path.join(await temporaryFolder(t), 'firms_2026-07-01.zip')
  const bytes = await (await fetch(`${host.url}/Archives/firms.zip`)).bytes()
  const packed = deflateRawSync(JSON.stringify(firmOf(2, 'Bob')))
  const at = Buffer.from(bytes).indexOf(packed)
  assert.ok(at > 0)
  bytes[at] = 0xff
  await writeFile(file, bytes)
  const [spoiled] = await ingestBulk({ ...parts, files: [file] })
  assert.deepEqual(await rows(), ['0000000001 Ada 1', '0000000003 Cy 1'])
  assert.deepEqual(
    spoiled!.result!.notes.refusals.map(({ place }) => place),
    [nameOf(2)],
  )
  const cut = path.join(path.dirname(file), 'firms_2026-07-02.zip')
  await writeFile(cut, bytes.subarray(0, bytes.length - 30))
  const [failed] = await ingestBulk({ ...parts, files: [cut] })
  assert.match(failed!.error!, /^firms_2026-07-02\.zip: .*it has no end record/)
  assert.deepEqual((await ingest())[0]!.error, null)
})

test('a zip does not fail because of members that cannot be unpacked if at least one member was stored', async (t) => {
  const { zip, rows, parts, host } = await openLedger(t)
  await zip('2026-07-01', membersOf(firmOf(1, 'Ada'), firmOf(2, 'Bob')))
  const file = path.join(await temporaryFolder(t), 'firms_2026-07-01.zip')
  const bytes = Buffer.from(await (await fetch(`${host.url}/Archives/firms.zip`)).bytes())
  bytes[bytes.indexOf(deflateRawSync(JSON.stringify(firmOf(1, 'Ada'))))] = 0xff
  await writeFile(file, bytes)
  const [outcome] = await ingestBulk({ ...parts, files: [file] })
  assert.deepEqual([outcome!.error, outcome!.result!.refused], [null, 1])
  assert.deepEqual(await rows(), ['0000000002 Bob 1'])
})

test('if two members have the same name, the first is stored and the other refused, in one batch and in two, and after a rebuild', async (t) => {
  const { rows, parts, sql, store } = await openLedger(t)
  const file = path.join(await temporaryFolder(t), 'firms_2026-07-01.zip')
  const many = Array.from({ length: 2_100 }, (_, at) => firmOf(at + 1, 'First'))
  const twice = await ZipWriter.create(file, '2026-01-01')
  // 3 occurs again in the same batch, and 4 occurs again in the next batch.
  for (const one of [...many.slice(0, 1_000), firmOf(3, 'Second'), ...many.slice(1_000), firmOf(4, 'Second')]) {
    await twice.add(nameOf(one.cik), [Buffer.from(JSON.stringify(one))])
  }
  await twice.close()
  const reasons = ['the file of 0000000003 occurs twice', 'the file of 0000000004 occurs twice']
  const assertFirst = async () => assert.deepEqual([...new Set(await names())], ['First'])
  const names = async () => (await rows()).map((row) => row.split(' ')[1])
  for (const again of [false, true]) {
    const [{ result, error } = { result: null, error: 'none' }] = await ingestBulk({ ...parts, files: [file], again })
    assert.deepEqual([error, result!.notes.refusals.map(({ reason }) => reason)], [null, reasons])
    assert.equal((await rows()).length, 2_100)
    await assertFirst()
  }
  await rebuildBulk({ sql, slices: [ledger], store }, ledger)
  await assertFirst()
})

test('a load that was killed between two batches resumes, and does not parse stored members again', async (t) => {
  const { ingest, zip, rows, sql } = await openLedger(t)
  const many = Array.from({ length: 4_500 }, (_, at) => firmOf(at + 1, `Firm ${at + 1}`))
  await zip('2026-07-01', membersOf(...many))
  const stop = new AbortController()
  let batches = 0
  const claim = async () => {
    if (++batches === 2) stop.abort()
    return false
  }
  assert.deepEqual(await ingest({ signal: stop.signal, claim }), [])
  const stored = (await rows()).length
  assert.ok(stored >= 2_000 && stored < 4_500, `${stored} are stored`)
  const [begun] = await sql`select state, error from bulk.edition`
  assert.deepEqual(Object.values(begun!), ['failed', 'the load was cut off: the next load continues it'])
  const before = parsed
  const [whole] = await ingest()
  assert.equal(whole!.error, null)
  assert.equal(parsed - before, 4_500 - stored)
  assert.equal((await rows()).length, 4_500)
  assert.deepEqual(
    [...(await sql`select name like 'firms.zip 2026-07-01 %' as is, state from bulk.edition where series = 'FIRMS'`)],
    [{ is: true, state: 'done' }],
  )
})

test('a rebuild makes every row again from the archive, each from the file that it came from', async (t) => {
  const { ingest, zip, one, rows, sql, store } = await openLedger(t)
  await zip('2026-07-01', membersOf(firmOf(1, 'Ada'), firmOf(2, 'Bob')))
  await ingest()
  await zip('2026-07-02', membersOf(firmOf(2, 'Bob', 5), firmOf(3, 'Cy')))
  await ingest()
  await one('2026-07-03', 3, firmOf(3, 'Cy', 9))
  await ingest({ ciks: ['0000000003'] })
  const before = await rows()
  const digests = await sql`select key, digest from bulk.record order by key`
  parsed = 0
  const { records, lost } = await rebuildBulk({ sql, slices: [ledger], store }, ledger)
  assert.deepEqual([records, lost, parsed], [3, 0, 3])
  assert.deepEqual(await rows(), before)
  assert.deepEqual([...(await sql`select key, digest from bulk.record order by key`)], [...digests])
})

test('a company without a file fails alone, and succeeds once its file exists', async (t) => {
  const { ingest, one, rows, sql } = await openLedger(t)
  await one('2026-07-03', 3, firmOf(3, 'Cy'))
  const [missing, there] = await ingest({ ciks: ['0000000001', '0000000003'] })
  assert.match(missing!.error!, /^there is no http.*\/firms\/CIK0000000001\.json$/)
  assert.equal(there!.error, null)
  assert.deepEqual(await rows(), ['0000000003 Cy 1'])
  await one('2026-07-03', 1, firmOf(1, 'Ada'))
  await ingest({ ciks: ['0000000001'] })
  assert.deepEqual(
    [...(await sql`select state from bulk.edition`)].map(({ state }) => state),
    ['done', 'done'],
  )
})

test('a file for which the host gives no date is dated by the day of its fetch', async (t) => {
  const { parts, sql } = await openLedger(t)
  const folder = await temporaryFolder(t)
  await mkdir(path.join(folder, 'firms'))
  await writeFile(path.join(folder, `firms/${nameOf(1)}`), JSON.stringify(firmOf(1, 'Ada')))
  const client = edgarClient({ baseUrl: `file://${folder}`, userAgent: null })
  t.after(() => client.close())
  await ingestBulk({
    ...parts,
    dated: { client, dataClient: client, ciks: ['0000000001'] },
    now: () => Date.parse('2026-11-22T10:00:00Z'),
  })
  const [row] = await sql`select to_day, files->0->>'day_from' as by from bulk.edition`
  assert.deepEqual(Object.values(row!), ['2026-11-22', 'fetched'])
})

test('dated lists give the first and last day of each record, and an older list changes nothing', async (t) => {
  const { ingest, symbols, parts, sql } = await openLedger(t)
  await symbols('2026-07-01', [1, 'A'], [2, 'B'])
  await ingest()
  await symbols('2026-07-05', [1, 'A'], [2, 'C'])
  await ingest()
  const fates = async () =>
    (await sql`select key, first_day, gone_day from bulk.record order by key`).map((row) =>
      Object.values(row).join(' '),
    )
  const expected = ['0000000001/A 2026-07-01 ', '0000000002/B 2026-07-01 2026-07-05', '0000000002/C 2026-07-05 ']
  assert.deepEqual(await fates(), expected)
  const old = await symbols('2026-07-03', [3, 'D'])
  const renamed = path.join(path.dirname(old), 'symbols_2026-07-02.json')
  await writeFile(renamed, await readFile(old))
  await ingestBulk({ ...parts, files: [old, renamed] })
  assert.deepEqual(await fates(), expected)
})

test('if a list has a line without a key, the line is refused, and no record counts as removed from the list', async (t) => {
  const { ingest, symbols, sql } = await openLedger(t)
  await symbols('2026-07-01', [1, 'A'], [2, 'B'])
  await ingest()
  await symbols('2026-07-02', [1, 'A'], [0, 'B'])
  const outcome = (await ingest()).find(({ edition }) => edition.series === 'SYMBOLS')
  assert.deepEqual(outcome!.result!.notes.refusals, [
    { place: 'symbols.json:2', key: null, reason: 'the record has no key that can be read' },
  ])
  assert.deepEqual([...(await sql`select key from bulk.record where gone_day is not null`)], [])
})
