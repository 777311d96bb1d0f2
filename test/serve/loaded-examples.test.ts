/** The served document's examples: those of the package over the sample, else requests that this service answers. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { documentOf } from '../../src/commands/document.ts'
import { sampleDigest } from '../../src/commands/sample-digest.ts'
import registry from '../../src/registry.ts'
import { described, perDocument } from '../../src/serve/described.ts'
import { senderOf } from '../../src/serve/first-requests.ts'
import { testContext } from '../support/context.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'
import { checkout } from '../support/world.ts'

interface Operation {
  'x-example'?: string
  operationId: string
  responses: Record<200, { content: Record<string, { example?: unknown }> }>
}
type Document = { paths: Record<string, { get: Operation }> }

const world = await openSampledWorld({ after })
const { sql, submissions } = world
const failures: unknown[] = []
const closed = new Set<string>()
let now = new Date('2026-11-27T10:15:00Z')
const documentFor = async (HOME_PAGE = true) =>
  documentOf({
    ...{
      app: { exampleSql: sql, submissions },
      config: { HOME_PAGE, SELF_SERVE_CLOSED: ['/brokers*'] },
      version: '0.1.0',
      sample: await sampleDigest(),
    },
    ...{ now: () => now, onFailure: (error) => failures.push(error) },
    whyClosed: (slugs) => (slugs.some((slug) => closed.has(slug)) ? 'closed by the test' : null),
  })
const exampleOf = (document: object, route: string) => {
  const { get } = (document as Document).paths[route]!
  return { address: get['x-example'], answer: get.responses[200].content['application/json']?.example }
}

const service = await documentFor()

test('over the sample the document has the examples of the package, and is the committed one', async () => {
  const committed = JSON.parse(await readFile(path.join(checkout, 'generated/openapi.json'), 'utf8'))
  assert.deepEqual(JSON.parse(JSON.stringify(await service.openapi())), committed)
})

test('over other data every example opens, and what is not loaded has none', async () => {
  const before = await service.openapi()
  const detail = '/formd/filings/by-accession/{accession}'
  const of = exampleOf(before, detail).address!.split('/').at(-1)!
  await sql`update core.meta set value = 'edgar' where name = 'origin'`
  await sql`delete from formd.offering where accession = ${of}`
  await sql`delete from npx.report`
  await sql`alter table form25.removal rename to away`
  closed.add('cfportal')
  try {
    const document = await service.openapi()
    assert.notEqual(document, before)
    const send = senderOf(async (route, values) =>
      route.run(values, testContext(sql, { catalog: registry, submissions })),
    )
    let opened = 0
    for (const route of registry.routes.filter(({ output }) => output !== null)) {
      const { address, answer } = exampleOf(document, route.path)
      if (answer === undefined) continue
      const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
      const { pathname, searchParams } = new URL(address!, 'http://of.example')
      const pattern = new RegExp(`^/v1${route.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`)
      const values = pattern.exec(pathname)!.slice(1).map(decodeURIComponent)
      const inPath = Object.fromEntries(names.map((name, i) => [name, values[i]!]))
      assert.ok(await send(route, inPath, Object.fromEntries(searchParams)), address!)
      opened += 1
    }
    assert.ok(opened > 60, `${opened} examples open`)
    const other = exampleOf(document, detail)
    assert.ok(!other.address!.endsWith(of) && other.answer, other.address!)
    assert.equal(exampleOf(document, '/npx/filings/by-accession/{accession}').answer, undefined)
    assert.equal(exampleOf(document, '/cfportal').answer, undefined)
    assert.equal(exampleOf(document, '/brokers').answer, undefined, 'closed to self-serve keys')
    assert.equal(exampleOf(document, '/form25/filings').answer, undefined)
    assert.match(String(failures[0]), /form25\.removal/)
    const text = exampleOf(document, '/doc-text/{source}/{accession}').answer as { text?: string }
    assert.ok(JSON.stringify(text).length < 20_000, 'long texts are cut')
  } finally {
    await sql`alter table form25.away rename to removal`
    closed.clear()
  }
})

test('the examples over other data are looked for again an hour later, and not before', async () => {
  const document = await service.openapi()
  now = new Date('2026-11-27T10:59:59Z')
  assert.equal(await service.openapi(), document)
  now = new Date('2026-11-27T11:00:00Z')
  assert.equal(await service.openapi(), document, 'nobody waits for the new ones')
  await until('the document is made again', async () => (await service.openapi()) !== document)
  const next = await service.openapi()
  assert.ok(exampleOf(next, '/form25/filings').answer, 'what failed an hour ago is there now')
})

test('a service whose home page shows no data has the examples of the package over any data', async () => {
  const hidden = await (await documentFor(false)).openapi()
  assert.equal(exampleOf(hidden, '/filing/{accession}').address, '/v1/filing/0001104659-24-098969')
  assert.ok(exampleOf(hidden, '/npx/filings/by-accession/{accession}').answer)
})

test('a document stays while its state cannot be read, and is made again after a failure', async () => {
  let state = 'one'
  const made: string[] = []
  const one = described(
    '1',
    (of) => {
      made.push(of)
      if (of === 'fails' && made.length < 4) throw new Error('not yet')
      return { of }
    },
    async () => {
      if (state === 'away') throw new Error('the database is away')
      return state
    },
  )
  state = 'away'
  await assert.rejects(one.openapi(), /away/)
  state = 'one'
  const texts = perDocument(one, (document) => ({ text: JSON.stringify(document) }))
  const first = await texts()
  assert.equal(first.text, '{"of":"one"}')
  state = 'away'
  assert.equal(await texts(), first)
  state = 'fails'
  await assert.rejects(one.openapi(), /not yet/)
  await assert.rejects(one.openapi(), /not yet/)
  assert.deepEqual(await one.openapi(), { of: 'fails' })
  assert.deepEqual(made, ['one', 'fails', 'fails', 'fails'])
  assert.equal((await texts()).text, '{"of":"fails"}')
})
