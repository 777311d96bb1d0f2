/**
 * A dataset whose filings have several documents, one of them of unlimited size: tested from its declaration to its
 * rows.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { catalog } from '../../src/declare/catalog.ts'
import { failures } from '../../src/ingest/backlog.ts'
import { closeDictionaries, load, loadRows, openDictionaries } from '../../src/ingest/load.ts'
import { retryFailed } from '../../src/ingest/queue.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { idleProcesses } from '../../src/read/apart/process.ts'
import { madeWithin } from '../../src/store/partitions.ts'
import { migrate } from '../../src/store/schema.ts'
import { windows } from '../support/embedded/scene.ts'
import { packing } from '../support/packing.ts'
import { reusedDatabase } from '../support/reused.ts'
import { until } from '../support/until.ts'
import { everyRow, openWorld, temporaryFolder, writeIndex } from '../support/world.ts'

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
    // A submission that is cut off within a document has no closing tags.
    await writeFile(file, `${head}${documents}${documents.endsWith('</DOCUMENT>\n') ? '</SEC-DOCUMENT>\n' : ''}`)
  }
  const world = await openWorld(t, { root, catalog: own, database: await database.emptied() })
  await world.crawl({ from: '2026-07-01' })
  return world
}

/** This is more than the number of lines that are read before loading begins. */
const LARGE = 20_000

test('documents are found by name or type at any position, and a missing document is null', async (t) => {
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

test('a filing without a required document fails, and the error names the document', async (t) => {
  const world = await packed(t, [listOf(line('Bolt', 3)), COVER])
  assert.deepEqual(await world.drain(), { done: 1, failed: 1, unread: 0 })
  const [{ error } = { error: '' }] = await world.sql<
    { error: string }[]
  >`select error from edgar.task where error is not null`
  assert.match(error, /0000000111-26-000001 has no document primary_doc\.xml \(cover\)/)
})

test('lists in memory and streamed lists give the same rows, also after a second load and a rebuild', async (t) => {
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

test('a streamed list that the database refuses fails alone, and the error names documents, table and column', async (t) => {
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

test('a malformed list fails its filing with the place of the fault, in memory or streamed', async (t) => {
  const many = Array.from({ length: LARGE }, (_, n) => line('Bolt', n))
  const world = await packed(t, [COVER + listOf(...many, '</no>'), COVER + listOf(line('Bolt', 1), '</no>'), COVER])
  assert.deepEqual(await world.drain(), { done: 1, failed: 2, unread: 0 })
  const errors = await world.sql<{ error: string }[]>`select error from edgar.task where error is not null`
  for (const { error } of errors) assert.match(error, /^primary_doc\.xml, any\.xml: .*offset \d+/)
  assert.equal((await world.sql`select from packing.line`).length, 0)
})

test('a submission that is truncated within a document fails with the place of its end, even if its rows can be read', async (t) => {
  const whole = listOf(line('Bolt', 3))
  const world = await packed(t, [COVER + whole.slice(0, whole.indexOf('</TEXT>')), COVER + whole])
  assert.deepEqual(await world.drain(), { done: 1, failed: 1, unread: 0 })
  const [{ error } = { error: '' }] = await world.sql<
    { error: string }[]
  >`select error from edgar.task where error is not null`
  assert.match(error, /cut off in document 2, at byte \d+/)
  assert.equal((await world.sql`select from packing.line`).length, 1)
})

test('workers whose filings name the same dictionary entries in opposite orders do not deadlock', async (t) => {
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

test('an entry that several filings of a load name is sent once, and the next load may send it again', async (t) => {
  const { sql } = await packed(t, [])
  const rows = ['Bolt', 'Bolt Ltd'].map((maker) => ['maker', { maker, known: 'yes' }] as const)
  const staged = (first: number) =>
    sql.begin(async (tx) => {
      await openDictionaries(tx, packing)
      const filings = [first, first + 1].map((n) => ({ accession: accessionOf(n), filedDate: '2026-08-03', rows }))
      await loadRows(tx, packing, filings, { schema: 'packing', partitions: madeWithin })
      const [{ sent }] = await tx<[{ sent: number }]>`select count(*)::int as sent from waiting_packing_maker`
      await closeDictionaries(tx, packing)
      return sent
    })
  assert.equal(await staged(1), 2)
  assert.equal(await staged(3), 2)
  assert.deepEqual(
    (await sql`select maker from packing.maker order by 1`).map(({ maker }) => maker),
    ['Bolt', 'Bolt Ltd'],
  )
})

test('rows for an unknown table are refused with its name, in memory or streamed', async (t) => {
  const { sql } = await packed(t, [])
  const rows = [['lines', { n: 1, maker: 'Bolt', weight: 1 }]] as const
  for (const given of [
    rows,
    async function* () {
      yield* rows
    },
  ]) {
    const filing = { accession: accessionOf(1), filedDate: '2026-08-03', rows: given }
    await assert.rejects(
      sql.begin((tx) => load(tx, packing, [filing])),
      /packing has no table lines/,
    )
  }
})

const harmful = (owner: string, more = '') =>
  wrapped('PACK', 'primary_doc.xml', asXml(`<pack><owner>${owner}</owner>${more}</pack>`))
const MEMORY = 250_000_000
const LIMITS = { milliseconds: 800, memory: MEMORY }
/** Limits for parsers that fail for another reason than time, on any machine. */
const PATIENT = { milliseconds: 120_000, memory: MEMORY }

test('a filing whose parser hangs, exhausts memory or ends its process fails alone with the reason, and is not retried automatically', async (t) => {
  // One of the filings is too large for memory, so its rows are read while they are loaded.
  const large = `<!-- ${'long '.repeat(250_000)} -->`
  const world = await packed(t, [COVER, harmful('loops'), COVER, harmful('loops', large)])
  assert.deepEqual(await world.drain({ limits: LIMITS }), { done: 2, failed: 2, unread: 0 })
  const tasks = await world.sql`select state, error from edgar.task order by accession`
  const takesLong = 'primary_doc.xml: it is excessive: it takes more than 0.8 s to read'
  assert.deepEqual(
    tasks.map(({ state, error }) => [state, error]),
    [
      ['done', null],
      ['failed', takesLong],
      ['done', null],
      ['failed', takesLong],
    ],
  )
  const reasons = (await failures(world.sql, 10)).map(({ reason, filings }) => `${filings} ${reason}`)
  assert.ok(
    reasons.some((reason) => /^2 primary_doc\.xml: it is excessive: it takes more than/.test(reason)),
    'the status states the reason',
  )
  assert.deepEqual(await world.drain({ limits: LIMITS }), { done: 0, failed: 0, unread: 0 })
  assert.equal(await retryFailed(world.sql, { datasets: ['packing'] }), 2)

  const others = await packed(t, [harmful('swells'), COVER, harmful('ends')])
  assert.deepEqual(await others.drain({ limits: PATIENT }), { done: 1, failed: 2, unread: 0 })
  const [swells, , ends] = (await others.sql`select error from edgar.task order by accession`).map(({ error }) => error)
  assert.match(swells, /^primary_doc\.xml: it is excessive: it needs more than \d+ MB of memory$/)
  assert.match(ends, /^primary_doc\.xml: the process that read it ended with /)
  assert.deepEqual(await others.drain({ limits: PATIENT }), { done: 0, failed: 0, unread: 0 })
  assert.equal(await retryFailed(others.sql, { datasets: ['packing'] }), 2)
})

test('a run ends at once on request, even if a parser hangs, and leaves its filings pending', async (t) => {
  const large = `<!-- ${'long '.repeat(250_000)} -->`
  for (const documents of [harmful('loops'), harmful('loops', large)]) {
    const world = await packed(t, [documents])
    const stop = new AbortController()
    const drained = world.drain({ signal: stop.signal, workers: 1 }).catch((error) => error)
    await until('the filing is requested', () =>
      world.host.requests.some(({ path }) => path.endsWith(`${accessionOf(1)}.txt`)),
    )
    // The stop ends the reading, at whatever point it arrives.
    await delay(400)
    stop.abort(new Error('stopped by SIGTERM'))
    await drained
    assert.deepEqual(
      { ...(await world.sql`select state, attempts from edgar.task`)[0] },
      { state: 'pending', attempts: 0 },
    )
  }
})

test('if no parser process can be started, the run ends and its filings stay pending', {
  skip: windows && 'no /bin/false',
}, async (t) => {
  const world = await packed(t, [COVER])
  for (const pid of idleProcesses()) process.kill(pid, 'SIGKILL')
  await until('no idle process is left', () => idleProcesses().length === 0)
  const { execPath } = process
  process.execPath = '/bin/false'
  try {
    await assert.rejects(world.drain(), /the process that reads does not start: 1$/)
  } finally {
    process.execPath = execPath
  }
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })
})
