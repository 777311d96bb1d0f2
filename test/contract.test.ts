/** Every route of the registry against the contract: each status it can give, and the declared shape of its answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import type { Route } from '../src/declare/route.ts'
import registry from '../src/registry.ts'
import type { Sql } from '../src/store/db.ts'
import { serveSample } from './served.ts'

/** Values for path parameters: one that exists in the sample, one that does not, one that is malformed. */
const EXAMPLES: Record<string, { none?: string; bad: string }> = {
  accession: { none: '0000000000-00-000000', bad: 'not-an-accession' },
  seq: { none: '99999', bad: 'x' },
  cik: { none: '9999999999', bad: 'abc' },
  crd: { none: '999999999', bad: '12a' },
  indvlPk: { none: '999999999999', bad: '-1' },
}

/** Values of query parameters that a route cannot do without. */
const NEEDED: Record<string, string> = { '/adv/advisers/search': 'q=openfilings' }

/** Buckets of the contract, section 8; what is not listed is general. */
const SEARCH = ['/adv/advisers/search', '/adv/advisers/list', '/adv/securities', '/feed', '/fund-launches', '/ipos', '/proxies', '/filings',
  '/eightk/events', '/new-advisers', '/brokers', '/cfportal', '/brochures/search'] // biome-ignore format: one list

const parametersOf = (route: Route) => [...route.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
const fill = (route: Route, values: Record<string, string>) =>
  route.path.replace(/\{(\w+)\}/g, (_, name) => values[name]!)

/** An accession that the route knows: the newest of its own dataset, else of Form D. */
async function accessionFor({ tag }: Route, sql: Sql): Promise<string> {
  const { slug, family } = registry.filings.find(({ slug }) => slug === tag) ?? registry.family('formd')!.dataset!
  const [newest] = await sql<{ accession: string }[]>`
    select accession from ${sql(`${slug}.${family.table}`)} order by filed_date desc limit 1`
  return newest!.accession
}

test('each route is in the bucket that the contract names', () => {
  for (const route of registry.routes)
    assert.equal(route.bucket, SEARCH.includes(route.path) ? 'search' : 'general', route.path)
})

test('every path parameter has examples here', () => {
  for (const route of registry.routes)
    for (const name of parametersOf(route)) assert.ok(EXAMPLES[name], `${route.path}: ${name}`)
})

test('every route of the registry answers as declared', async (t) => {
  const served = await serveSample(t)
  for (const route of registry.routes) {
    const existing: Record<string, string> = {
      accession: await accessionFor(route, served.sql),
      seq: '1',
      cik: route.tag === 'thirteenf' ? '9000000051' : '200403',
      crd: '999000001',
      indvlPk: '990000003',
    }
    const needed = NEEDED[route.path]
    const path = fill(route, existing) + (needed ? `?${needed}` : '')
    const error = async (response: Response, status: number) => {
      assert.equal(response.status, status, `${response.url}: ${response.status}`)
      if (route.output === null) return
      const body = await response.json()
      assert.deepEqual(Object.keys(body as object), ['error'])
    }
    await t.test(`${route.path}: 200 in its declared shape, with rate headers`, async () => {
      const response = await served.get(path)
      assert.equal(response.status, 200)
      for (const name of ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'x-request-id']) {
        assert.ok(response.headers.get(name), name)
      }
      if (!route.output) return void (await response.arrayBuffer())
      const body = await response.json()
      const strict = route.output instanceof z.ZodObject ? route.output.strict() : route.output
      const parsed = strict.safeParse(body)
      assert.ok(parsed.success, parsed.success ? '' : z.prettifyError(parsed.error))
    })
    await t.test(`${route.path}: 401 without a key, 403 for a key scoped only to mcp`, async () => {
      await error(await served.get(path, {}), 401)
      await error(await served.get(path, { 'x-api-key': served.keys.mcp }), 403)
    })
    await t.test(`${route.path}: 400 for an unknown parameter, named`, async () => {
      const response = await served.get(`${path}${needed ? '&' : '?'}nonsense=1`)
      assert.equal(response.status, 400)
      assert.match(await response.text(), /nonsense/)
    })
    for (const name of parametersOf(route)) {
      const { none, bad } = EXAMPLES[name]!
      await t.test(`${route.path}: 404 for an unknown ${name}, 400 for a malformed one`, async () => {
        if (none) await error(await served.get(fill(route, { ...existing, [name]: none })), 404)
        await error(await served.get(fill(route, { ...existing, [name]: bad })), 400)
      })
    }
  }
})

test('the two forms of an accession give the same answer', async (t) => {
  const served = await serveSample(t)
  const [formd] = await served.sql<{ accession: string }[]>`select accession from formd.offering limit 1`
  const dashed = `/formd/filings/by-accession/${formd!.accession}`
  const plain = dashed.replace(formd!.accession, formd!.accession.replaceAll('-', ''))
  assert.deepEqual(await served.json(dashed), await served.json(plain))
})
