/** A dataset whose filings have several documents, one of them of any size: from its declaration to its rows. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { catalog } from '../src/declare/catalog.ts'
import { dataset, filings } from '../src/declare/dataset.ts'
import { stream, text, xml } from '../src/declare/documents.ts'
import { integer, table, text as textColumn } from '../src/declare/table.ts'
import { closeDictionaries, load, loadRows, openDictionaries } from '../src/ingest/load.ts'
import { rebuild } from '../src/ingest/rebuild.ts'
import { each } from '../src/read/xml.ts'
import { madeWithin } from '../src/store/partitions.ts'
import { migrate } from '../src/store/schema.ts'
import { reusedDatabase } from './reused.ts'
import { everyRow, openWorld, temporaryFolder, writeIndex } from './world.ts'

const packing = dataset({
  slug: 'packing',
  label: 'Packing lists',
  group: 'Test',
  source: filings({
    forms: ['PACK'],
    documents: {
      cover: xml({ name: 'primary_doc.xml' }),
      list: stream({ type: 'LIST', optional: true }),
      note: text({ type: /^NOTE/, optional: true }),
    },
    async *parse({ documents: { cover, list, note }, filedDate, name, tell }) {
      let lines = 0
      if (list !== null) {
        for await (const line of each(list, 'line')) {
          lines++
          const maker = line.text('maker')!
          yield ['maker', { maker, known: 'yes' }]
          yield ['line', { n: lines, maker, weight: Number(line.text('weight')) }]
          tell({ problems: line.problems(), unread: line.unread() })
        }
      }
      yield ['list', { owner: cover.text('owner'), filer: name, day: filedDate, lines, note }]
    },
  }),
  tables: {
    list: table('packing.list', 'One row a filing', [], {
      owner: textColumn('Owner').nullable(),
      filer: textColumn('Filer').nullable(),
      day: textColumn('Day'),
      lines: integer('Lines'),
      note: textColumn('Note').nullable(),
    }),
    line: table('packing.line', 'One row a line', ['n'], {
      n: integer('Number'),
      maker: textColumn('Maker'),
      weight: integer('Weight'),
    }),
  },
  dictionaries: {
    maker: table(
      'packing.maker',
      'One row a maker',
      [],
      {
        maker: textColumn('Maker'),
        known: textColumn('Known'),
      },
      { record: 'maker' },
    ),
  },
  parser: new URL(import.meta.url),
  family: { table: 'list', columns: ['owner'], facets: ['owner'] },
  routes: [],
})
const own = catalog([packing], [], [])

const wrapped = (type: string, file: string, content: string) =>
  `<DOCUMENT>\n<TYPE>${type}\n<SEQUENCE>1\n<FILENAME>${file}\n<TEXT>\n${content}\n</TEXT>\n</DOCUMENT>\n`
const asXml = (content: string) => `<XML>\n${content}\n</XML>`
const COVER = wrapped('PACK', 'primary_doc.xml', asXml('<pack><owner>Ada</owner></pack>'))
const line = (maker: string, weight: number | string, more = '') =>
  `<line><maker>${maker}</maker><weight>${weight}</weight>${more}</line>`
const listOf = (...lines: string[]) => wrapped('LIST', 'any.xml', asXml(`<list>${lines.join('\n')}</list>`))
const accessionOf = (n: number) => `0000000111-26-${String(n).padStart(6, '0')}`

const database = await reusedDatabase({ after }, (sql) => migrate(sql, own.datasets))

async function packed(t: TestContext, submissions: readonly string[]) {
  const root = await temporaryFolder(t)
  const all = submissions.map((documents, at) => ({ accession: accessionOf(at + 1), documents }))
  await writeIndex(
    root,
    '2026/QTR3',
    all.map(({ accession }) => `111|ALPHA INC|PACK|2026-08-03|edgar/data/111/${accession}.txt`),
  )
  await mkdir(path.join(root, 'Archives/edgar/data/111'), { recursive: true })
  for (const { accession, documents } of all) {
    const head = `<SEC-DOCUMENT>${accession}.txt : 20260803\n<SEC-HEADER>${accession}.hdr.sgml : 20260803\nACCESSION NUMBER:\t\t${accession}\nCONFORMED SUBMISSION TYPE:\tPACK\nFILED AS OF DATE:\t\t20260803\n\nFILER:\n\n\tCOMPANY DATA:\n\t\tCOMPANY CONFORMED NAME:\t\t\tALPHA INC\n\t\tCENTRAL INDEX KEY:\t\t\t0000000111\n</SEC-HEADER>\n`
    const file = path.join(root, `Archives/edgar/data/111/${accession}.txt`)
    // One that is cut off in a document has no end.
    await writeFile(file, `${head}${documents}${documents.endsWith('</DOCUMENT>\n') ? '</SEC-DOCUMENT>\n' : ''}`)
  }
  const world = await openWorld(t, { root, catalog: own, database: await database.emptied() })
  await world.crawl({ from: '2026-07-01' })
  return world
}

/** Above the size of what is read before it is loaded. */
const LARGE = 20_000

test('documents are found by name or type wherever they stand, and one that is missing is null', async (t) => {
  const note = wrapped('NOTE-1', 'note.txt', 'Handle with care')
  const world = await packed(t, [listOf(line('Bolt', 3)) + note + COVER, COVER])
  assert.deepEqual(await world.drain(), { done: 2, failed: 0, unread: 0 })
  const lists =
    await world.sql`select owner, filer, day, lines, trim(note, E'\n') as note from packing.list order by accession`
  assert.deepEqual(
    lists.map((row) => ({ ...row })),
    [
      { owner: 'Ada', filer: 'ALPHA INC', day: '2026-08-03', lines: 1, note: 'Handle with care' },
      { owner: 'Ada', filer: 'ALPHA INC', day: '2026-08-03', lines: 0, note: null },
    ],
  )
})

test('a filing without a document that must be there fails, and says which', async (t) => {
  const world = await packed(t, [listOf(line('Bolt', 3)), COVER])
  assert.deepEqual(await world.drain(), { done: 1, failed: 1, unread: 0 })
  const [{ error } = { error: '' }] = await world.sql<
    { error: string }[]
  >`select error from edgar.task where error is not null`
  assert.match(error, /0000000111-26-000001 has no document primary_doc\.xml \(cover\)/)
})

test('lists that are held and lists that are streamed are loaded alike, twice as once, and read again by a rebuild', async (t) => {
  const many = Array.from({ length: LARGE }, (_, n) => line(`Maker ${n % 700}`, n, n === 5 ? '<odd>1</odd>' : ''))
  const world = await packed(t, [COVER + listOf(...many), COVER + listOf(...many.slice(0, 100))])
  assert.deepEqual(await world.drain(), { done: 2, failed: 0, unread: 2 })
  const rows = async () =>
    Object.entries(await everyRow(world.sql, own))
      .filter(([name]) => name.startsWith('packing.'))
      .map(([name, all]) => [name, all.length, createHash('sha256').update(JSON.stringify(all)).digest('hex')])
  const first = await rows()
  assert.deepEqual(
    first.map(([name, count]) => [name, count]),
    [
      ['packing.list', 2],
      ['packing.line', LARGE + 100],
      ['packing.maker', 700],
    ],
  )
  await world.sql`update edgar.task set state = 'pending'`
  await world.drain()
  assert.deepEqual(await rows(), first)
  assert.deepEqual(await rebuild(world, packing), { filings: 2, failed: 0 })
  assert.deepEqual(await rows(), first)
})

test('a streamed list that the database refuses fails alone, with its documents, table and column', async (t) => {
  const many = Array.from({ length: LARGE }, (_, n) => line(`Maker ${n}`, n === LARGE - 1 ? 99_999_999_999 : n))
  const world = await packed(t, [
    COVER + listOf(...many),
    COVER + listOf(line('Bolt', 3)),
    COVER + listOf(line('Nut', 99_999_999_999)),
  ])
  assert.deepEqual(await world.drain(), { done: 1, failed: 2, unread: 0 })
  const errors = await world.sql<{ error: string }[]>`select error from edgar.task where error is not null`
  for (const { error } of errors)
    assert.match(
      error,
      /^primary_doc\.xml, any\.xml: .*out of range.*COPY line, line \d+, column weight: "99999999999"/,
    )
  const makers = await world.sql<{ maker: string }[]>`select maker from packing.maker`
  assert.deepEqual(
    makers.map(({ maker }) => maker),
    ['Bolt'],
  )
  assert.equal((await world.sql`select from packing.line`).length, 1)
})

test('a list that is broken fails its filing with the place, whether held or streamed', async (t) => {
  const many = Array.from({ length: LARGE }, (_, n) => line('Bolt', n))
  const world = await packed(t, [COVER + listOf(...many, '</no>'), COVER + listOf(line('Bolt', 1), '</no>'), COVER])
  assert.deepEqual(await world.drain(), { done: 1, failed: 2, unread: 0 })
  const errors = await world.sql<{ error: string }[]>`select error from edgar.task where error is not null`
  for (const { error } of errors) assert.match(error, /^primary_doc\.xml, any\.xml: .*offset \d+/)
  assert.equal((await world.sql`select from packing.line`).length, 0)
})

test('a submission that is cut off in one of its documents fails, with where it ends, though its rows can be read', async (t) => {
  const whole = listOf(line('Bolt', 3))
  const world = await packed(t, [COVER + whole.slice(0, whole.indexOf('</TEXT>')), COVER + whole])
  assert.deepEqual(await world.drain(), { done: 1, failed: 1, unread: 0 })
  const [{ error } = { error: '' }] = await world.sql<
    { error: string }[]
  >`select error from edgar.task where error is not null`
  assert.match(error, /cut off in document 2, at byte \d+/)
  assert.equal((await world.sql`select from packing.line`).length, 1)
})

test('workers whose filings name the same entries in opposite orders do not stop each other', async (t) => {
  const { sql } = await packed(t, [])
  const makers = Array.from({ length: 60_000 }, (_, n) => ['maker', { maker: `Maker ${n}`, known: 'yes' }] as const)
  let waiting = 2
  const ready = Promise.withResolvers<void>()
  const work = (n: number, rows: typeof makers) =>
    sql.begin(async (tx) => {
      await openDictionaries(tx, packing)
      await loadRows(tx, packing, [{ accession: accessionOf(n), filedDate: '2026-08-03', rows }], {
        schema: 'packing',
        partitions: madeWithin,
      })
      if (--waiting === 0) ready.resolve()
      await ready.promise
      await closeDictionaries(tx, packing)
    })
  await Promise.all([work(1, makers), work(2, makers.toReversed())])
  assert.equal((await sql`select from packing.maker`).length, 60_000)
})

test('rows of a table that the dataset does not have are refused by its name, held or read while they are loaded', async (t) => {
  const { sql } = await packed(t, [])
  const rows = [['lines', { n: 1, maker: 'Bolt', weight: 1 }]] as const
  for (const given of [
    rows,
    async function* () {
      yield* rows
    },
  ]) {
    // biome-ignore format: one line
    const filing = { accession: accessionOf(1), filedDate: '2026-08-03', rows: given }
    await assert.rejects(
      sql.begin((tx) => load(tx, packing, [filing])),
      /packing has no table lines/,
    )
  }
})
