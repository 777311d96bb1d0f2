/** Every real filing of the readable forms, from a host that serves it as EDGAR does, read as text. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { SOURCES } from '../src/declare/corpora.ts'
import { ask } from '../src/ingest/queue.ts'
import registry from '../src/registry.ts'
import { corpus } from './corpus.ts'
import { serveWorld } from './served.ts'
import { openWorld } from './world.ts'

const documents = registry.filings.find(({ slug }) => slug === 'documents')!

/** Reasons for which a document of the corpus has no text, with how many have them. */
const WITHOUT: Record<string, number> = {
  'its PDF is scanned: no page has text, and there are # images': 1,
  'the submission ends before it does, as EDGAR serves it': 1,
}

test('every readable filing of the corpus is read, and /doc-text gives what was read', {
  skip: corpus.skip,
}, async (t) => {
  const world = await openWorld(t, { root: path.join(corpus.folder, 'sec') })
  await world.crawl()
  const asked = await ask(world.sql, documents, {})
  assert.ok(asked > 300)
  const begun = performance.now()
  const result = await world.drain({ datasets: ['documents'] })
  t.diagnostic(`${asked} filings in ${Math.round((performance.now() - begun) / 1000)} s`)
  const failures =
    await world.sql`select accession, error from edgar.task where dataset = 'documents' and state <> 'done'`
  assert.deepEqual([...failures], [])
  assert.equal(result.done, asked)
  const reasons = await world.sql<{ reason: string; n: number }[]>`
    select regexp_replace(p ->> 'reason', '\\d+', '#', 'g') as reason, count(*)::int as n
    from edgar.task, jsonb_array_elements(problems) p where dataset = 'documents' and p ->> 'value' <> '' group by 1`
  assert.deepEqual(Object.fromEntries(reasons.map(({ reason, n }) => [reason, n])), WITHOUT)
  const sizes = await world.sql`
    select corpus, count(*)::int as documents, sum(length)::float8 as length
    from documents.document group by 1 order by 1`
  const passages =
    await world.sql`select count(*)::int as n, pg_total_relation_size('documents.passage')::float8 as bytes, pg_total_relation_size('documents.document')::float8 as document_bytes from documents.passage`
  t.diagnostic(JSON.stringify({ sizes, passages }))

  const service = await serveWorld(t, world)
  const filings = await world.sql<{ accession: string; corpus: string; documents: number }[]>`
    select accession, corpus, documents from documents.filing order by accession`
  let whole = 0
  for (const { accession, corpus: source, documents: count } of filings) {
    const answer = await service.get(`/doc-text/${source}/${accession}`)
    const body = (await answer.json()) as { error?: string; text: string; sequence: number }
    const rows = await world.sql<{ sequence: number; corpus: string; length: number }[]>`
      select sequence, corpus, length from documents.document where accession = ${accession}`
    const own = rows.filter((row) => row.corpus === source)
    assert.equal(answer.status, own.length > 0 ? 200 : 404, `${accession}: ${body.error}`)
    assert.equal(rows.length, count)
    if (answer.status !== 200) continue
    assert.equal(body.text.length, own.find(({ sequence }) => sequence === body.sequence)?.length, accession)
    whole++
  }
  t.diagnostic(`${whole} of ${filings.length} filings have a main document as text`)
  const [row] = await world.sql`
    select count(*)::int as n from edgar.filing where has_text <> (family = any(${SOURCES.flatMap(({ families }) => families)}))`
  assert.equal(row!.n, 0)
})
