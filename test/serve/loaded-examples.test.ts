/**
 * Examples in the served OpenAPI document. Over the sample they are the examples of the package. Over other data they
 * are requests that this service answers.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { documentOf } from '../../src/commands/document.ts'
import { pages } from '../../src/pages/pages.ts'
import registry from '../../src/registry.ts'
import { described, perDocument } from '../../src/serve/described.ts'
import type { SendRequest } from '../../src/serve/first-requests.ts'
import type { Visitor } from '../../src/serve/http/visitor.ts'
import { everythingChanged } from '../../src/store/meta.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { serveWorld } from '../support/served.ts'
import { until } from '../support/until.ts'
import { checkout } from '../support/world.ts'

interface Operation {
  'x-example'?: string
  responses: Record<200, { content: Record<string, { example?: unknown }> }>
}
type Document = { paths: Record<string, { get: Operation }> }

const world = await openSampledWorld({ after })
const { sql } = world
const reports: string[] = []
const closed = new Set<string>()
let now = new Date('2026-11-27T10:15:00Z')
const serve = (showsData: boolean) => {
  const openapi = documentOf({ version: '0.1.0', showsData, report: (reason) => reports.push(reason) })
  return serveWorld({ after }, world, {
    ...{ openapi, pages: pages({ openapi }), now: () => now, selfServeClosed: ['/brokers*'] },
    whyClosed: (slugs) => (slugs.some((slug) => closed.has(slug)) ? 'closed by the test' : null),
  })
}
const [served, hidden] = [await serve(true), await serve(false)]

const exampleOf = ({ paths }: Document, route: string) => {
  const { get } = paths[route]!
  return { address: get['x-example'], answer: get.responses[200].content['application/json']?.example }
}
const DETAIL = '/formd/filings/by-accession/{accession}'

test('over the sample the document has the examples of the package, and equals the committed document', async () => {
  const committed = JSON.parse(await readFile(path.join(checkout, 'generated/openapi.json'), 'utf8'))
  assert.deepEqual(await served.json('/openapi.json'), committed)
})

test('over other data every example opens, and routes that have no loaded data or are closed to visitors have no example', async () => {
  const before = await served.json<Document>('/openapi.json')
  const shown = exampleOf(before, DETAIL).address!.split('/').at(-1)!
  await sql`delete from formd.offering where accession = ${shown}`
  await sql`delete from npx.report`
  await sql`alter table form25.removal rename to away`
  closed.add('cfportal')
  try {
    await sql.begin(async (tx) => {
      await tx`update core.meta set value = 'edgar' where name = 'origin'`
      await everythingChanged(tx)
    })
    await until('the server knows that its data is not the sample', async () => {
      const response = await served.get('/me')
      return !response.headers.has('openfilings-sample')
    })
    const document = await served.json<Document>('/openapi.json')
    let opened = 0
    for (const route of registry.routes) {
      const { address, answer } = exampleOf(document, route.path)
      if (answer === undefined) continue
      assert.equal((await served.get(address!.replace(/^\/v1/, ''))).status, 200, address!)
      opened += 1
    }
    assert.ok(opened > 50, `${opened} examples open`)
    const other = exampleOf(document, DETAIL)
    assert.ok(!other.address!.endsWith(shown) && other.answer, other.address!)
    for (const route of ['/npx/filings/by-accession/{accession}', '/cfportal', '/brokers', '/form25/filings'])
      assert.equal(exampleOf(document, route).answer, undefined, route)
    assert.match(reports.join('\n'), /form25\.removal/)
    const text = exampleOf(document, '/doc-text/{source}/{accession}').answer
    assert.ok(text !== undefined && JSON.stringify(text).length < 20_000, 'long texts are cut')
    const page = await (await fetch(new URL('/docs/formd_detail', served.origin))).text()
    assert.ok(page.includes(other.address!), 'the page shows the same example')
  } finally {
    await sql`alter table form25.away rename to removal`
    closed.clear()
  }
})

test('the examples over other data are searched again after an hour, and no request waits for the search', async () => {
  const removals = async () => exampleOf(await served.json<Document>('/openapi.json'), '/form25/filings').answer
  now = new Date('2026-11-27T10:59:59Z')
  assert.equal(await removals(), undefined)
  now = new Date('2026-11-27T11:00:00Z')
  assert.equal(await removals(), undefined, 'the former document is sent meanwhile')
  await until('the request that failed an hour ago has its answer', async () => (await removals()) !== undefined)
})

test('a service whose home page shows no data uses the examples of the package, whatever data is loaded', async () => {
  const document = await hidden.json<Document>('/openapi.json')
  assert.equal(exampleOf(document, '/filing/{accession}').address, '/v1/filing/0001104659-24-098969')
  assert.ok(exampleOf(document, '/npx/filings/by-accession/{accession}').answer)
})

/** Returns a visitor of a service with real data, whose requests the given function answers. */
const visitorWith = (send: (onFailure: (error: unknown) => void) => SendRequest, at: () => Date) =>
  ({
    catalog: registry,
    sender: send,
    isSample: () => false,
    dataVersion: () => 1,
    now: at,
  }) as Partial<Visitor> as Visitor

test('if requests fail, the former document is still served; if nothing is loaded, the document of the package is served', async () => {
  const loaded = documentOf({ version: '0.1.0', showsData: true, report: (reason) => reports.push(reason) })
  let isAway = true
  const visitor = visitorWith(
    (onFailure) => async (route) => {
      if (isAway) onFailure(new Error('the database is away'))
      return isAway || route.name !== 'filings_families' ? null : { families: [{ slug: 'formd' }] }
    },
    () => now,
  )
  const first = (await loaded.openapi(visitor)) as Document
  assert.ok(exampleOf(first, '/filings').answer, 'without a former document the document of the package is served')
  assert.match(reports.at(-1)!, /the database is away/)
  isAway = false
  now = new Date('2026-11-27T13:00:00Z')
  await until('examples are found', async () => (await loaded.openapi(visitor)) !== first)
  const found = await loaded.openapi(visitor)
  assert.equal(exampleOf(found as Document, '/filings').answer, undefined)
  isAway = true
  now = new Date('2026-11-27T14:00:00Z')
  const before = reports.length
  await loaded.openapi(visitor)
  await until('the failure is reported again', () => reports.length > before)
  assert.equal(await loaded.openapi(visitor), found)
  const empty = visitorWith(
    () => async () => null,
    () => now,
  )
  const none = documentOf({ version: '0.1.0', showsData: true, report: () => assert.fail('nothing fails') })
  assert.ok(exampleOf((await none.openapi(empty)) as Document, '/filings').answer)
})

test('a document that could not be made is made at a later request, and meanwhile the former document of the same kind is sent', async () => {
  const visitor = visitorWith(
    () => async () => null,
    () => now,
  )
  let [state, fails] = ['one', true]
  const one = described(
    '1',
    (of) => {
      if (fails) throw new Error('not yet')
      return { of }
    },
    () => state,
  )
  await assert.rejects(one.openapi(visitor), /not yet/)
  fails = false
  const texts = perDocument(one, visitor, (document) => ({ text: JSON.stringify(document) }))
  const first = await texts()
  assert.equal(first.text, '{"of":"one"}')
  assert.equal(await texts(), first)
  fails = true
  state = 'one, later'
  assert.equal(await texts(), first)
  state = 'two'
  await assert.rejects(texts(), /not yet/)
  fails = false
  assert.equal((await texts()).text, '{"of":"two"}')
})
