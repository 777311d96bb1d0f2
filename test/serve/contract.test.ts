/**
 * Every route of the registry is compared with the contract: each possible status, and the declared shape of the
 * answer.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import registry from '../../src/registry.ts'
import { EXAMPLES, existingFor, fill, neededOf, parametersOf } from '../support/requests.ts'
import { serveSample } from '../support/served.ts'

/** Rate-limit buckets by section 8 of the contract; a route that is not listed is in the bucket "general". */
const SEARCH = ['/search', '/companies', '/adv/advisers/search', '/adv/advisers/list', '/adv/securities', '/feed', '/fund-launches', '/ipos', '/proxies', '/filings',
  '/eightk/events', '/new-advisers', '/brokers', '/cfportal', '/brochures/search', '/text-search'] // biome-ignore format: one list

test('each route is in the rate-limit bucket that the contract names', () => {
  for (const route of registry.routes)
    assert.equal(route.bucket, SEARCH.includes(route.path) ? 'search' : 'general', route.path)
})

test('every path parameter has examples in this file', () => {
  for (const route of registry.routes)
    for (const name of parametersOf(route)) assert.ok(EXAMPLES[name], `${route.path}: ${name}`)
})

test('every route of the registry answers as declared', async (t) => {
  const served = await serveSample(t)
  for (const route of registry.routes) {
    const existing = await existingFor(route, served.sql)
    const needed = neededOf(route)
    const path = fill(route, existing) + needed
    const error = async (response: Response, status: number) => {
      assert.equal(response.status, status, `${response.url}: ${response.status}`)
      if (route.output === null) return
      const body = (await response.json()) as object
      // An identifier that is unknown on this path may identify a thing of another kind.
      const lead = status === 404 && 'search_url' in body ? ['search_url'] : []
      assert.deepEqual(Object.keys(body), ['error', 'code', ...lead])
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
    await t.test(`${route.path}: 400 for an unknown parameter, with its name`, async () => {
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

test('every route about a security accepts each form of id that lists give: 404 for an unknown id, never 400', async (t) => {
  const served = await serveSample(t)
  const given = await served.sql<{ sec_id: string }[]>`
    select min(sec_id) as sec_id from securities.security group by (regexp_match(sec_id, '^[a-z]+~'))[1]`
  const { rows } = await served.json<{ rows: { id: string }[] }>('/search?q=anthropic&kind=private_company')
  const known = [...given.map(({ sec_id: id }) => id), rows[0]!.id]
  const forms = (ids: readonly string[]) => ids.map((id) => /^[a-z]+~/.exec(id)?.[0] ?? 'CUSIP').sort()
  assert.deepEqual(forms(known), ['CUSIP', 'company~', 'isin~', 'name~'])
  const unknown = [EXAMPLES.cusip!.none!, 'company~nobody', 'isin~XS0000000000', 'name~bm9ib2R5']
  for (const route of registry.routes.filter(({ path }) => path.includes('{cusip}'))) {
    await t.test(route.path, async () => {
      const statusOf = async (cusip: string) => (await served.get(fill(route, { cusip }))).status
      for (const id of known) assert.ok([200, 404].includes(await statusOf(id)), id)
      for (const id of unknown) assert.equal(await statusOf(id), 404, id)
    })
  }
})

test('the two forms of an accession give the same answer', async (t) => {
  const served = await serveSample(t)
  const [formd] = await served.sql<{ accession: string }[]>`select accession from formd.offering limit 1`
  const dashed = `/formd/filings/by-accession/${formd!.accession}`
  const plain = dashed.replace(formd!.accession, formd!.accession.replaceAll('-', ''))
  assert.deepEqual(await served.json(dashed), await served.json(plain))
})
