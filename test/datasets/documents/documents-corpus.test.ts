/**
 * Every real filing of the readable forms, from a host that serves it like EDGAR, read as text. Reading takes 40 s,
 * once for all tests of this file.
 *
 * @early it takes 23 s of processor time
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { SOURCES } from '../../../src/declare/corpora.ts'
import { request } from '../../../src/ingest/queue.ts'
import { EFFORT } from '../../../src/products/textsearch/effort.ts'
import { find } from '../../../src/products/textsearch/search.ts'
import registry from '../../../src/registry.ts'
import { readQuery } from '../../../src/serve/search/typed.ts'
import { corpus } from '../../support/corpus.ts'
import { serveWorld } from '../../support/served.ts'
import { ofEverything, typed } from '../../support/text-truth.ts'
import { openWorld, type World } from '../../support/world.ts'

const documents = registry.filings.find(({ slug }) => slug === 'documents')!

/** Reasons why a document of the corpus has no text, each with the number of such documents. */
const WITHOUT: Record<string, number> = {
  'its PDF is scanned: no page has text, and there are # images': 1,
  'the submission ends before it does, as EDGAR serves it': 1,
}

interface TypedQuery {
  q: string
  corpora: string[]
  /** Accession of the document that a person expects as the first result. */
  expected: string
  why: string
}

describe('every readable filing of the corpus', { skip: corpus.skip }, () => {
  let world: World
  let searched = 0
  const ends: (() => Promise<void>)[] = []
  // A function given to `after` within `before` is never called.
  after(async () => {
    for (const end of ends.reverse()) await end()
  })

  before(async () => {
    world = await openWorld({ after: (end) => void ends.push(end) }, { root: path.join(corpus.folder, 'sec') })
    await world.crawl()
    searched = await request(world.sql, documents, {})
  })

  test('is read, and a document without text has the reason', async (t) => {
    assert.ok(searched > 300)
    const begun = performance.now()
    const result = await world.drain({ datasets: ['documents'] })
    t.diagnostic(`${searched} filings in ${Math.round((performance.now() - begun) / 1000)} s`)
    const failures =
      await world.sql`select accession, error from edgar.task where dataset = 'documents' and state <> 'done'`
    assert.deepEqual([...failures], [])
    assert.equal(result.done, searched)
    const reasons = await world.sql<{ reason: string; n: number }[]>`
      select regexp_replace(p ->> 'reason', '\\d+', '#', 'g') as reason, count(*)::int as n
      from edgar.task, jsonb_array_elements(problems) p where dataset = 'documents' and p ->> 'value' <> '' group by 1`
    assert.deepEqual(Object.fromEntries(reasons.map(({ reason, n }) => [reason, n])), WITHOUT)
    const [row] = await world.sql`
      select count(*)::int as n from edgar.filing where has_text <> (family = any(${SOURCES.flatMap(({ families }) => families)}))`
    assert.equal(row!.n, 0)
  })

  test('is returned by /doc-text with the text that was read', async (t) => {
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
    assert.ok(whole > 300)
    t.diagnostic(`${whole} of ${filings.length} filings have a main document as text`)
  })

  test('is the first result of a search for its subject', async () => {
    const wrong: string[] = []
    for (const { q, corpora, expected, why } of typed<TypedQuery[]>('queries.json')) {
      const found = await find(world.sql, readQuery(q), { ...ofEverything, q, corpora, limit: 5 }, EFFORT)
      const names = found.documents.map(({ name }) => name)
      if (!names[0]?.startsWith(expected)) wrong.push(`${q}: ${expected} (${why}) is not first of ${names.join(', ')}`)
    }
    assert.deepEqual(wrong, [])
  })
})
