/** Documents as rows: read on request, together with other datasets of the same filings. */
import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { request } from '../../../src/ingest/queue.ts'
import { rebuild } from '../../../src/ingest/rebuild.ts'
import { pendingOf } from '../../../src/ingest/waiting.ts'
import registry from '../../../src/registry.ts'
import { emptyEnv, queried, run } from '../../support/command.ts'
import { accessionOf, edgarOf, type MadeFiling, NAME, pdf, uuencoded } from '../../support/documents-made.ts'
import { startHost } from '../../support/edgar-host.ts'
import { serveWorld } from '../../support/served.ts'
import { madeLater, openWorld, type World, writeIndex } from '../../support/world.ts'

const documents = registry.filings.find(({ slug }) => slug === 'documents')!

const paragraphs = (word: string, count: number) =>
  Array.from({ length: count }, (_, i) => `<p>${`${word} number ${i} and more of it. `.repeat(12)}</p>`).join('\n')
const page = (body: string) => `<html><body>${body}</body></html>`

const FILINGS: MadeFiling[] = [
  {
    n: 1,
    form: '10-K',
    day: '2026-07-01',
    documents: [
      { type: '10-K', filename: 'a10k.htm', description: 'FORM 10-K', content: page(paragraphs('Bolts', 30)) },
      { type: 'EX-99.1', filename: 'ex.htm', description: 'EX-99.1', content: page('<h1>Bolts rise</h1><p>News.</p>') },
      { type: 'GRAPHIC', filename: 'logo.gif', content: 'begin 644 logo.gif\n&1TE&.#EA\n`\nend' },
      { type: 'EX-101.INS', filename: 'x.xml', content: '<XML>\n<?xml version="1.0"?><xbrl/>\n</XML>' },
      { type: 'XML', filename: 'R2.htm', description: 'IDEA: XBRL DOCUMENT', content: page('<h1>Bolts</h1><p>5</p>') },
    ],
  },
  { n: 2, form: '8-K', day: '2026-07-02', documents: [{ type: '8-K', filename: 'old.txt', content: 'Item 5. Other events\n\nNuts fall.\n' }] }, // biome-ignore format: one line a filing
  { n: 3, form: 'SCHEDULE 13D', day: '2026-07-03', documents: [{ type: 'SCHEDULE 13D', filename: 'primary_doc.xml', content: '<XML>\n<?xml version="1.0"?>\n<edgarSubmission><formData><item4>Control of bolts</item4></formData></edgarSubmission>\n</XML>' }] }, // biome-ignore format: one line a filing
  { n: 4, form: 'X-17A-5', day: '2026-07-06', documents: [{ type: 'FULL', filename: 'full.pdf', content: uuencoded('full.pdf', pdf('Balance of bolts')) }, { type: 'PUB', filename: 'pub.pdf', content: uuencoded('pub.pdf', Buffer.from('%PDF-1.7 not one')) }] }, // biome-ignore format: one line a filing
  { n: 5, form: '10-Q', day: '2026-07-07', documents: [] },
  { n: 6, form: 'D', day: '2026-07-08', documents: [{ type: 'D', filename: 'primary_doc.xml', content: '<XML>\n<a/>\n</XML>' }] }, // biome-ignore format: one line a filing
]

async function openDocuments(t: Parameters<typeof openWorld>[0], filings = FILINGS): Promise<World & { root: string }> {
  const root = await edgarOf(t, filings)
  const world = await openWorld(t, { root })
  await world.crawl({ from: '2026-07-01' })
  return { ...world, root }
}

const read = (world: World, options = {}) => world.drain({ datasets: ['documents'], ...options })
const rowsOf = (world: World) =>
  world.sql`
    select accession, sequence, corpus, form, filed_date, type, filename, title, pages, length > 0 as has_length
    from documents.document order by accession, sequence`

test('documents are read only if they are requested by name, within the requested days', async (t) => {
  const world = await openDocuments(t)
  const all = registry.filings.filter(({ family }) => family).map(({ slug }) => slug)
  await world.drain({ datasets: [...all, 'header'] })
  assert.equal((await rowsOf(world)).length, 0)
  assert.deepEqual(await read(world), { done: 0, failed: 0, unread: 0 })
  assert.equal(await request(world.sql, documents, { from: '2026-07-02', to: '2026-07-03' }), 2)
  assert.equal(await pendingOf(world.sql, { datasets: ['documents'] }), 2)
  assert.equal((await read(world)).done, 2)
  assert.equal(await request(world.sql, documents, {}), 3)
  assert.equal(await request(world.sql, documents, {}), 0)
  assert.equal((await read(world)).done, 3)
  const tasks = await world.sql`select dataset from edgar.task where accession = ${accessionOf(4)} order by dataset`
  assert.deepEqual(
    tasks.map(({ dataset }) => dataset),
    ['documents', 'x17a5'],
  )
})

test('a filing that is read for its family and for `documents` in one batch is fetched once, and both keep their documents', async (t) => {
  const world = await openDocuments(t)
  await request(world.sql, documents, {})
  const before = world.host.requests.length
  await world.drain({ workers: 1 })
  const paths = world.host.requests.slice(before).map(({ path: at }) => at)
  assert.ok(paths.length > 0)
  assert.deepEqual(paths, [...new Set(paths)])
  const dropped = await world.sql`
    select d.accession, d.sequence from documents.document d join edgar.submission s using (accession)
    where s.dropped @> to_jsonb(d.sequence)`
  assert.deepEqual([...dropped], [])
})

test('a document with text is a row in its corpus, and an exhibit in the corpus of exhibits; one without text is reported', async (t) => {
  const world = await openDocuments(t)
  await request(world.sql, documents, {})
  assert.deepEqual(await read(world), { done: 5, failed: 0, unread: 0 })
  const rows = await rowsOf(world)
  assert.deepEqual(
    rows.map(({ accession, sequence, corpus, title }) => [Number(accession.slice(-6)), sequence, corpus, title]),
    [
      [1, 1, 'tenx', 'FORM 10-K'],
      [1, 2, 'exhibits', 'Bolts rise'],
      [2, 1, 'eightk', rows[2]!.title],
      [3, 1, 'sc13', 'Edgar submission'],
      [4, 1, 'x17', null],
    ],
  )
  assert.ok(rows.every((row) => row.has_length && row.filed_date.startsWith('2026-07')))
  const [problem] = await world.sql`
    select problems from edgar.task where accession = ${accessionOf(4)} and dataset = 'documents'`
  assert.match(JSON.stringify(problem!.problems), /"path":"pub\.pdf","value":"PUB"|pub\.pdf.*its PDF is broken/)
  const filings = await world.sql`select corpus, documents, company_name from documents.filing order by accession`
  assert.deepEqual(
    filings.map((row) => ({ ...row })),
    [
      ['tenx', 2],
      ['eightk', 1],
      ['sc13', 1],
      ['x17', 1],
      ['tenx', 0],
    ].map(([corpus, count]) => ({ corpus, documents: count, company_name: NAME })),
  )
})

test('passages cover the whole text, each with its offset, and a search finds them by their words', async (t) => {
  const world = await openDocuments(t)
  await request(world.sql, documents, {})
  await read(world)
  const { text } = (await serveText(t, world, accessionOf(1))).text
  const passages = await world.sql<{ n: number; start: number; text: string }[]>`
    select n, start, text from documents.passage where accession = ${accessionOf(1)} and sequence = 1 order by n`
  assert.ok(passages.length > 5)
  assert.deepEqual(
    passages.map(({ n }) => n),
    passages.map((_, i) => i + 1),
  )
  let covered = 0
  for (const passage of passages) {
    assert.equal(passage.text, text.slice(passage.start, passage.start + passage.text.length))
    assert.equal(text.slice(covered, passage.start).trim(), '')
    covered = passage.start + passage.text.length
  }
  assert.equal(text.slice(covered).trim(), '')
  const found = await world.sql`
    select accession, sequence from pub.documents_passage where search @@ '''nut'' | ''nuts'''::tsquery`
  assert.deepEqual(
    found.map(({ accession }) => accession),
    [accessionOf(2)],
  )
})

async function serveText(t: Parameters<typeof openWorld>[0], world: World, accession: string) {
  const service = await serveWorld(t, world)
  const text = await service.json<{ text: string }>(`/doc-text/tenx/${accession}`)
  return { service, text }
}

test('each corpus states what was read of it', async (t) => {
  const world = await openDocuments(t)
  const { service } = await serveText(t, world, accessionOf(1))
  interface Corpora {
    corpora: {
      slug: string
      reader: boolean
      is_available: boolean
      document_count: number
      newest: string | null
      form_types: string[]
    }[]
  }
  const corpora = async () => (await service.json<Corpora>('/text-search/corpora')).corpora
  const before = await corpora()
  assert.deepEqual(
    before.map(({ slug }) => slug),
    [
      ...['tenx', 'foreign', 'ncsr', 'fundreg', 'x17', 's1', 'sc13', 'eightk', 'proxies', 'tender'],
      ...['brochures', 'exhibits'],
    ],
  )
  assert.ok(before.every((each) => each.reader && !each.is_available && each.document_count === 0))
  assert.ok(before[0]!.form_types.includes('10-K405/A') && before.at(-1)!.form_types.length === 0)
  await request(world.sql, documents, {})
  await read(world)
  await world.sql`
    insert into bulk.edition (series, name, from_day, to_day, state, files, records) values
      ('BROCHURES', 'a.zip', '2026-05-01', '2026-05-31', 'done', '[]', 5),
      ('BROCHURES', 'b.zip', '2026-06-01', '2026-06-30', 'failed', '[]', 0)`
  const after = await corpora()
  assert.deepEqual(
    after
      .filter(({ is_available }) => is_available)
      .map(({ slug, document_count, newest }) => [slug, document_count, newest]),
    [
      ['tenx', 1, '2026-07-01'],
      ['x17', 1, '2026-07-06'],
      ['sc13', 1, '2026-07-03'],
      ['eightk', 1, '2026-07-02'],
      ['brochures', 5, '2026-05-31'],
      ['exhibits', 1, '2026-07-01'],
    ],
  )
})

test('a rebuild gives the same rows, and reads a filing that could not be read before', async (t) => {
  const world = await openDocuments(t)
  await request(world.sql, documents, {})
  await read(world)
  const dump = () => world.sql`
    select 'd' as of, to_jsonb(d)::text as row from documents.document d union all
    select 'p', to_jsonb(p)::text from documents.passage p union all select 'f', to_jsonb(f)::text from documents.filing f
    union all select 't', to_jsonb(t)::text from documents.tally t order by 1, 2`
  const before = [...(await dump())]
  // If the derived files of the archive are missing, all of them are made again.
  await rm(path.join(world.archive, 'derived'), { recursive: true })
  const { sql, slices, submissions, store } = world
  assert.deepEqual(await rebuild({ sql, slices, submissions, store }, documents), { filings: 5, failed: 0 })
  assert.deepEqual([...(await dump())], before)
})

test('a filing that the index no longer lists is removed with its documents', async (t) => {
  const world = await openDocuments(t)
  await request(world.sql, documents, {})
  await read(world)
  const lines = FILINGS.slice(1).map(
    ({ n, form, day }) => `9000000077|${NAME}|${form}|${day}|edgar/data/9000000077/${accessionOf(n)}.txt`,
  )
  await writeIndex(world.root, '2026/QTR3', lines, { lastReceived: 'September 30, 2026' })
  const days = { from: '2026-07-01', to: '2026-09-30' }
  for (const _ of ['suspected', 'removed']) {
    await world.crawl({ ...days, again: true, now: await madeLater(world.root, '2026/QTR3') })
  }
  await read(world)
  for (const table of ['filing', 'document', 'passage']) {
    const [row] = await world.sql`
      select count(*)::int as n from ${world.sql(`documents.${table}`)} where accession = ${accessionOf(1)}`
    assert.equal(row!.n, 0, table)
  }
  const tallies = await world.sql`select corpus from documents.tally order by corpus`
  assert.deepEqual(
    tallies.map(({ corpus }) => corpus),
    ['eightk', 'sc13', 'x17'],
  )
})

test('`ingest documents` requires a first day, reads the named corpora, and resumes where it stopped', async (t) => {
  const host = await startHost({ root: await edgarOf(t, FILINGS) })
  t.after(() => host.close())
  const env = await emptyEnv(t)
  const ingest = (...args: string[]) => run(['ingest', 'documents', ...args, '--base-url', host.url], env)
  assert.match((await ingest()).stderr, /documents: give the first day/)
  assert.match((await ingest('tenx')).stderr, /documents: give the first day/)
  assert.match((await ingest('tenk', '--from', '2026-07-01')).stderr, /unknown corpus of filings "tenk".*tenx/)
  const filingsRead = async () =>
    queried(env, async (sql) => {
      const rows = await sql<{ accession: string }[]>`select accession from documents.filing order by accession`
      return rows.map(({ accession }) => Number(accession.slice(-6)))
    })
  assert.equal((await ingest('sc13', '--from', '2026-07-01', '--to', '2026-07-31')).status, 0)
  assert.deepEqual(await filingsRead(), [3])
  assert.equal((await ingest('--to', '2026-07-31')).status, 0)
  assert.deepEqual(await filingsRead(), [3, 4, 5])
  const all = await run(
    ['ingest', '--from', '2026-07-01', '--to', '2026-07-31', '--again', '--base-url', host.url],
    env,
  )
  assert.equal(all.status, 1, 'the Form D of this host cannot be read')
  assert.deepEqual(await filingsRead(), [3, 4, 5])
  const { stdout } = await run(['status'], env)
  assert.match(stdout, /^ +documents +3 +0 +0 +0$/m)
})
