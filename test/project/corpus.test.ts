/**
 * Every real filing of the corpus, read over HTTP from a host that serves the filings as EDGAR does, and the documents
 * of the readable forms as text.
 *
 * @early it takes 60 s of the processor
 */
import assert from 'node:assert/strict'
import { createReadStream, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { SOURCES } from '../../src/declare/corpora.ts'
import { filingTable } from '../../src/declare/dataset.ts'
import { request } from '../../src/ingest/queue.ts'
import { EFFORT } from '../../src/products/textsearch/effort.ts'
import { find } from '../../src/products/textsearch/search.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import { readQuery } from '../../src/serve/search/typed.ts'
import type { Sql } from '../../src/store/db.ts'
import { corpus } from '../support/corpus.ts'
import { serveWorld } from '../support/served.ts'
import { ofEverything, typed } from '../support/text-truth.ts'
import { openWorld } from '../support/world.ts'

/** Number of accessions, from the manifest, because the corpus grows. */
const known = corpus.skip ? 0 : new Set(manifest().map(({ accession }) => accession)).size

/** The tests share one database and host, so that each filing is fetched once. */
const world = corpus.skip ? undefined : await openWorld({ after }, { root: path.join(corpus.folder, 'sec') })

test('all corpus filings are indexed, the filings of every dataset are parsed completely, and the others are only listed', {
  skip: corpus.skip,
}, async () => {
  const { sql, crawl, drain } = world!
  const indexes = await crawl()
  assert.equal(
    indexes.reduce((sum, index) => sum + index.problems, 0),
    0,
  )
  const [spine] = await sql`select count(*)::int as filings from edgar.filing`
  assert.equal(spine!.filings, known)
  assert.equal((await drain()).failed, 0)
  // Documents become text on request, as in the tests of every readable filing.
  for (const dataset of registry.filings.filter(({ family }) => family)) {
    const { slug, source } = dataset
    const found = await sql`
      select f.form_type, count(*)::int as filings, count(r.accession)::int as rows, sum(t.unread)::int as unread
      from edgar.filing f join edgar.task t using (accession)
      left join ${sql(filingTable(dataset).id)} r using (accession)
      where t.dataset = ${slug} and t.state = 'done' group by f.form_type`
    const expected = Map.groupBy(manifest(), ({ form }) => form)
    for (const { form_type, filings, rows, unread } of found) {
      assert.deepEqual([filings, rows, unread], [expected.get(form_type)!.length, filings, 0], `${slug} ${form_type}`)
    }
    const forms = source.forms.filter((form) => expected.has(form))
    assert.deepEqual(found.map(({ form_type }) => form_type).sort(), forms.sort(), slug)
  }
  const unclaimed = await sql`select distinct form_type from edgar.filing where family is null`
  assert.deepEqual([...unclaimed], [])
})

/** Cut off within the corpus itself: 233,472 bytes of a longer 10-K405. */
const CUT_OFF = '0000320193-97-000011'
/** A submission that has only its header: its documents were not collected. */
const HEADER_ONLY = '0001140361-25-045534'

// Takes 16 s: every byte of the corpus is fetched and archived, and each document is read from its submission again.
test('every corpus submission splits into a header and documents whose bytes can be read; the one truncated submission is noted as such', {
  skip: corpus.skip,
}, async (t) => {
  const forms = new Map(manifest().map(({ accession, form }) => [accession, form]))
  const filings = await world!.sql<{ accession: string; form_type: string }[]>`
      select accession, form_type from edgar.filing`
  assert.equal(filings.length, known)
  let documents = 0
  async function split({ accession, form_type }: { accession: string; form_type: string }): Promise<void> {
    assert.equal(form_type, forms.get(accession))
    const submission = (await world!.submissions.get(accession))!
    assert.equal(submission.documents.length > 0, accession !== HEADER_ONLY, accession)
    assert.equal(submission.header.cutOff !== undefined, accession === CUT_OFF, accession)
    if (accession === CUT_OFF) assert.deepEqual([submission.documents.length, submission.bytes], [6, 233_472])
    for (const entry of submission.documents) {
      let size = 0
      for await (const chunk of world!.submissions.document(submission, entry)) size += chunk.length
      assert.equal(size, entry.size, `${accession} document ${entry.seq}`)
      documents++
    }
  }
  // Each write is synced to disk; eight filings at a time wait together for one sync.
  const waiting = filings.values()
  const work = async () => {
    for (const filing of waiting) await split(filing)
  }
  await Promise.all(Array.from({ length: 8 }, work))
  t.diagnostic(`${documents} documents`)
})

test('every row of two real daily indexes is read without a problem, duplicate rows included', {
  skip: corpus.skip,
}, async () => {
  for (const [file, rows] of [
    ['2024-01-02.master.idx', 5531],
    ['master.20200103.idx', 7989],
  ] as const) {
    const reader = readIndex(createReadStream(path.join(corpus.folder, 'index/daily-index', file)))
    let lines = 0
    for await (const batch of reader.entries) lines += batch.length
    assert.deepEqual([lines, reader.problems], [rows, []])
  }
})

const documents = registry.filings.find(({ slug }) => slug === 'documents')!

/** Reasons why a document of the corpus has no text, each with the number of such documents. */
const WITHOUT: Record<string, number> = {
  'its PDF is scanned: no page has text, and there are # images': 1,
  'it is cut off: the submission ends within it, as EDGAR serves it': 1,
}

interface TypedQuery {
  q: string
  corpora: string[]
  /** Accession of the document that a person expects as the first result. */
  expected: string
  why: string
}

/**
 * Drops the indexes of words. Filling them row by row takes far longer than making them at once, as a rebuild does.
 *
 * @returns a function that makes them again
 */
async function withoutWordIndexes(sql: Sql): Promise<() => Promise<void>> {
  const indexes = await sql<{ name: string; made: string }[]>`
    select i.oid::regclass::text as name, pg_get_indexdef(i.oid) as made
    from pg_class i join pg_am a on a.oid = i.relam join pg_index x on x.indexrelid = i.oid
    where a.amname = 'gin' and x.indrelid in ('documents.document'::regclass, 'documents.passage'::regclass)`
  assert.equal(indexes.length, 2)
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  return async () => {
    for (const { made } of indexes) await sql.unsafe(made)
  }
}

describe('every readable filing of the corpus', { skip: corpus.skip }, () => {
  let searched = 0
  before(async () => {
    searched = await request(world!.sql, documents, {})
  })

  test('is read, and a document without text has the reason', async (t) => {
    assert.ok(searched > 300)
    const begun = performance.now()
    const restore = await withoutWordIndexes(world!.sql)
    const result = await world!.drain({ datasets: ['documents'] })
    await restore()
    t.diagnostic(`${searched} filings in ${Math.round((performance.now() - begun) / 1000)} s`)
    const failures = await world!
      .sql`select accession, error from edgar.task where dataset = 'documents' and state <> 'done'`
    assert.deepEqual([...failures], [])
    assert.equal(result.done, searched)
    const reasons = await world!.sql<{ reason: string; n: number }[]>`
      select regexp_replace(p ->> 'reason', '\\d+', '#', 'g') as reason, count(*)::int as n
      from edgar.task, jsonb_array_elements(problems) p where dataset = 'documents' and p ->> 'value' <> '' group by 1`
    assert.deepEqual(Object.fromEntries(reasons.map(({ reason, n }) => [reason, n])), WITHOUT)
    const [row] = await world!.sql`
      select count(*)::int as n from edgar.filing where has_text <> (family = any(${SOURCES.flatMap(({ families }) => families)}))`
    assert.equal(row!.n, 0)
  })

  test('is returned by /doc-text with the text that was read', async (t) => {
    const service = await serveWorld(t, world!)
    const filings = await world!.sql<{ accession: string; corpus: string; documents: number }[]>`
      select accession, corpus, documents from documents.filing order by accession`
    let whole = 0
    for (const { accession, corpus: source, documents: count } of filings) {
      const answer = await service.get(`/doc-text/${source}/${accession}`)
      const body = (await answer.json()) as { error?: string; text: string; sequence: number }
      const rows = await world!.sql<{ sequence: number; corpus: string; length: number }[]>`
        select sequence, corpus, length from documents.document where accession = ${accession}`
      const own = rows.filter((row) => row.corpus === source)
      assert.equal(answer.status, own.length > 0 ? 200 : 404, `${accession}: ${body.error}`)
      assert.equal(rows.length, count)
      if (answer.status !== 200) continue
      assert.equal(body.text.length, own.find(({ sequence }) => sequence === body.sequence)?.length, accession)
      whole++
    }
    assert.ok(whole > 300)
    t.diagnostic(`${whole} of ${filings.length} filings have a main document as text`)
  })

  test('is the first result of a search for its subject', async () => {
    const wrong: string[] = []
    for (const { q, corpora, expected, why } of typed<TypedQuery[]>('queries.json')) {
      const found = await find(world!.sql, readQuery(q), { ...ofEverything, q, corpora, limit: 5 }, EFFORT)
      const names = found.documents.map(({ name }) => name)
      if (!names[0]?.startsWith(expected)) wrong.push(`${q}: ${expected} (${why}) is not first of ${names.join(', ')}`)
    }
    assert.deepEqual(wrong, [])
  })
})

function manifest(): { accession: string; form: string }[] {
  const [, ...lines] = readFileSync(path.join(corpus.folder, 'MANIFEST.tsv'), 'utf8').trimEnd().split('\n')
  return lines.map((line) => {
    const [, form, , accession] = line.split('\t')
    return { accession: accession!, form: form! }
  })
}
