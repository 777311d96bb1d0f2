/**
 * Routes read only the data that they declare, so a cached answer is dropped when its data changes, and stays when
 * other data changes.
 *
 * @early it takes 16 s of the processor
 */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { z } from 'zod'
import x17a5 from '../../src/datasets/x17a5/index.ts'
import { type Catalog, catalog, type ServedRoute } from '../../src/declare/catalog.ts'
import { get, type Route } from '../../src/declare/route.ts'
import { drain } from '../../src/ingest/ingest.ts'
import { claimOrigin } from '../../src/ingest/origin.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { dataVersions, versionOf, versionsOf } from '../../src/store/meta.ts'
import { existingFor, fill, neededOf } from '../support/requests.ts'
import { openIndexedWorld, openSampledWorld } from '../support/sampled.ts'
import { serveWorld } from '../support/served.ts'
import { until } from '../support/until.ts'
import { copyOfSample, openWorld, type World } from '../support/world.ts'

const slugs = registry.filings.filter(({ family }) => family).map(({ slug }) => slug)
const tree = (field: string, op: string, value: unknown) => encodeURIComponent(JSON.stringify({ field, op, value }))

/** Requests that run other code paths of a route than its example. */
const MORE: Record<string, readonly string[]> = {
  '/filings': [
    ...slugs.map((slug) => `?family=${slug}`),
    ...['?q=goldman', '?q=nobody+of+this+name', '?family=tenx&q=nobody+of+this+name', '?cik=200403', '?item=2.02'],
    ...['?sort=name', '?q=specimen&sort=name', '?from=2018-01-01&to=2019-12-31&form=D'],
    `?family=formd&filters=${tree('total_offered', 'gte', 1000)}`,
    `?filters=${tree('period_of_report', 'gte', '2000-01-01')}`,
  ],
  '/feed': ['?type=formd', '?type=crowdfunding&sort=amount', '?q=specimen', '?state=CA', '?q=nobody+of+this+name'],
  '/brokers': ['?q=goldman', '?q=nobody+of+this+name'],
  '/cfportal': ['?q=specimen', '?q=nobody+of+this+name'],
  '/thirteenf/managers': ['?q=specimen', '?q=nobody+of+this+name'],
  '/thirteenf/managers/by-cik/{cik}/holdings': ['?changes=true', '?period=2010-03-31&as_of=2019-01-01&changes=true'],
  '/adv/advisers/by-crd/{crd}/holdings-13f': ['?changes=true', '?period=2010-03-31&as_of=2019-01-01&changes=true'],
  '/new-advisers': ['?q=specimen', '?state=NY', '?feed=IA_FIRM_SEC'],
  '/facts/companies/{cik}/financials': ['?period=all', '?as_of=2024-12-31'],
  '/adv/advisers/list': ['?q=specimen', '?limit=1'],
  '/adv/securities': ['?q=apple', '?q=nvidea', '?q=nobodyofthisname'],
  '/companies': ['?q=apple', '?q=aapl', '?q=nobodyofthisname'],
  '/search': ['?q=apple', '?q=aapl', '?q=320193', '?q=801-16048', '?q=S000002848', '?q=nobodyofthisname'],
  '/adv/advisers/search': ['?q=goldman', '?q=nobodyofthisname'],
  '/adv/advisers/by-crd/{crd}': ['?include=all'],
}

async function addressesOf(route: Route, sql: Sql): Promise<string[]> {
  const path = fill(route, await existingFor(route, sql))
  const more = MORE[route.path] ?? []
  return [path + neededOf(route), ...more.map((query) => path + query)]
}

/** Schemas whose slice has another name. Queries that use views of `pub` lock the tables that the views read. */
const SLICES: Record<string, string> = { edgar: 'filings' }

/**
 * Relations whose changes are announced in other ways. A change of the origin of all data changes all versions. A load
 * of a quarterly set changes the version of its dataset, and a route that reads a dataset's sets reads its rows too.
 * Answers from the event log are never cached.
 */
const REPORTED_ELSEWHERE = ['core.meta', 'core.event', 'bulk.set_filing', 'bulk.filing_set']

/**
 * Returns the slices whose relations a transaction has touched so far; a relation outside slices is returned by its own
 * name.
 */
async function touchedBy(tx: Sql): Promise<string[]> {
  const rows = await tx<{ schema: string; name: string }[]>`
    select distinct n.nspname as schema, c.relname as name
    from pg_locks l join pg_class c on c.oid = l.relation join pg_namespace n on n.oid = c.relnamespace
    where l.pid = pg_backend_pid() and l.locktype = 'relation' and c.relkind <> 'i'
      and n.nspname not in ('pg_catalog', 'pub')`
  const own = rows.filter(({ schema, name }) => !REPORTED_ELSEWHERE.includes(`${schema}.${name}`))
  const known = [...registry.slices.map(({ slug }) => slug), 'bulk']
  return [
    ...new Set(
      own.map(({ schema, name }) => SLICES[schema] ?? (known.includes(schema) ? schema : `${schema}.${name}`)),
    ),
  ]
}

/**
 * Serves the routes, each in a separate transaction, and collects the undeclared relations that they touch.
 */
function watched(world: World, served: Catalog) {
  const undeclared = new Map<string, Set<string>>()
  const touched = new Set<string>()
  const routes = served.routes.map((route): ServedRoute => {
    const run: Route['run'] = (input, context) =>
      world.sql.begin('isolation level repeatable read read only', async (tx) => {
        // Routes use only those members of a pool that a transaction also has.
        const sql = tx as unknown as Sql
        const answer = await route.run(input, { ...context, sql })
        for (const slug of await touchedBy(sql)) {
          touched.add(`${route.path} ${slug}`)
          if (route.reads.includes(slug)) continue
          undeclared.set(route.path, (undeclared.get(route.path) ?? new Set()).add(slug))
        }
        return answer
      }) as Promise<unknown>
    return { ...route, cached: false, run }
  })
  return { catalog: { ...served, routes }, undeclared, touched }
}

const full = await openSampledWorld({ after })

test('every route declares all slices whose relations its transaction touches, over the sample and over an empty database', async (t) => {
  const empty = await openWorld(t)
  for (const world of [full, empty]) {
    const { catalog, undeclared, touched } = watched(world, registry)
    const served = await serveWorld(t, world, { catalog })
    for (const route of registry.routes) {
      for (const address of await addressesOf(route, full.sql)) {
        const { status } = await served.get(address)
        if (world === full) assert.equal(status, 200, address)
        else assert.ok([200, 404, 503].includes(status), address)
      }
    }
    assert.deepEqual(Object.fromEntries(undeclared), {})
    if (world === empty) continue
    assert.ok(touched.size > 50)
    const unread = registry.routes
      .filter(({ path }) => path !== '/me' && path !== '/edgar/doc/{accession}/{seq}')
      .filter(({ path }) => ![...touched].some((each) => each.startsWith(`${path} `)))
    assert.deepEqual(unread, [], 'routes that seem to read nothing')
  }
})

test('a route that reads an undeclared slice is detected, also through a view', async (t) => {
  const world = await openWorld(t)
  const route = get('/silent', {
    name: 'silent',
    tag: 'filings',
    summary: 'A route of the tests',
    input: {},
    reads: ['adv'],
    output: z.array(z.string()),
    run: async (_, { sql }) => {
      await sql`select from edgar.filing, core.meta`
      await sql`select from pub.formd_feed limit 1`
      await sql`select from pub.adv_adviser limit 1`
      await sql`select from core.key limit 1`
      return []
    },
  })
  const { catalog: routes, undeclared } = watched(world, catalog([], [[route]], []))
  const served = await serveWorld(t, world, { catalog: { ...registry, routes: routes.routes } })
  assert.deepEqual(await served.json('/silent'), [])
  assert.deepEqual([...undeclared.get('/silent')!].sort(), ['core.key', 'filings', 'formd'])
})

/**
 * Slices that are derived from the slices of families. A step that loads a family may change the versions of these
 * slices.
 */
const MADE = ['search', 'identifiers', 'securities']
/** The slices whose version a step changes, in addition to the slice that it loads and `MADE`. */
const MOVED: Record<string, readonly string[]> = {
  crawl: ['filings'],
  adv: ['bulk', 'links', 'similaradvisers'],
  reps: ['bulk'],
  'a rebuild': ['x17a5'],
}

test('while the sample is loaded step by step, an answer changes only if its version changes', async (t) => {
  const world = await openWorld(t)
  const routes = registry.routes.map((route) => ({ ...route, cached: false }))
  const served = await serveWorld(t, world, { catalog: { ...registry, routes } })
  const addresses = new Map<string, ServedRoute>()
  for (const route of registry.routes.filter(({ cached }) => cached)) {
    for (const address of await addressesOf(route, full.sql)) addresses.set(address, route)
  }
  const [adv, reps] = ['adv', 'reps'].map((slug) => registry.bulk.find((dataset) => dataset.slug === slug)!)
  const listed = (await world.sql<{ accession: string }[]>`select accession from edgar.filing limit 1`)[0]
  assert.equal(listed, undefined)
  const steps: Record<string, () => Promise<unknown>> = {
    origin: () => world.sql.begin((tx) => claimOrigin(tx, registry.datasets, 'sample')),
    crawl: () => world.crawl(),
    'a first look-up': async () => {
      const [filing] = await world.sql`
        select accession from edgar.filing where form_type = 'X-17A-5' order by accession limit 1`
      await served.json(`/filing/${filing!.accession}`)
    },
    ...Object.fromEntries([...slugs, 'header'].map((slug) => [slug, () => world.drain({ datasets: [slug] })])),
    adv: () => world.bulk({ datasets: [adv!] }),
    reps: () => world.bulk({ datasets: [reps!] }),
    'a rebuild': () => rebuild({ ...world }, x17a5),
  }
  const versions = async () => versionsOf(await dataVersions(world.sql))
  const asked = new Map<string, { step: string; version: string; body: string | null }>()
  /** Sends the request. If an earlier step had the same version, compares the answer with the answer of that step. */
  const ask = async (address: string, version: string, step: string) => {
    const before = asked.get(address)
    const same = before?.version === version
    if (same && before.step === step) return
    const response = await served.get(address)
    const text = await response.text()
    const body = response.status === 200 ? text : null
    if (same && before.body !== null) assert.equal(body, before.body, `${before.step} to ${step}: ${address}`)
    asked.set(address, { step, version, body })
  }
  // An answer is requested when its version is new, and again before a step that changes its version. Requesting all
  // answers between any two steps would take three times as long.
  let last = 'nothing'
  let old = await versions()
  for (const [address, { reads }] of addresses) await ask(address, versionOf(old, reads), last)
  const kept: Record<string, number> = {}
  const surprising: string[] = []
  for (const [step, run] of Object.entries(steps)) {
    const moves = [step, ...MADE, ...(MOVED[step] ?? [])]
    for (const [address, { reads }] of addresses)
      if (moves.some((slug) => reads.includes(slug))) await ask(address, versionOf(old, reads), last)
    await run()
    const now = await versions()
    for (const [address, { reads }] of addresses) {
      if (versionOf(now, reads) === versionOf(old, reads)) kept[step] = (kept[step] ?? 0) + 1
      else if (!moves.some((slug) => reads.includes(slug))) surprising.push(`${step}: ${address}`)
      else await ask(address, versionOf(now, reads), step)
    }
    last = step
    old = now
  }
  for (const [address, { reads }] of addresses) await ask(address, versionOf(old, reads), 'the end')
  assert.deepEqual(surprising, [], 'steps that change a version for which nothing was requested before')
  // Reading filings does not affect answers about advisers and other families, and vice versa.
  for (const slug of [...slugs, 'adv', 'reps']) assert.ok((kept[slug] ?? 0) > 10, `${slug}: ${kept[slug]} answers stay`)
})

test('if a batch fetches a filing and leaves its reading to the next batch, the stored header changes the version of its family', async (t) => {
  const root = await copyOfSample(t)
  const world = await openIndexedWorld(t, { root })
  // There are two documents above 1 MB, and a batch reads only one of them.
  const two = await world.sql<{ accession: string; dataset: string; path: string }[]>`
    select distinct on (dataset) accession, dataset, path from edgar.task join edgar.filing using (accession)
    where dataset in ('formd', 'x17a5') order by dataset, accession desc`
  for (const { path: at } of two) {
    const file = path.join(root, 'Archives', at)
    const text = await readFile(file, 'utf8')
    await writeFile(file, text.replace(/(<\/?XML>\s*<\?xml[^>]*>)/, `$1<!-- ${'long '.repeat(250_000)} -->`))
  }
  await world.sql`delete from edgar.task where accession <> all(${two.map(({ accession }) => accession)})`
  const seen: string[][] = []
  const moved: Promise<unknown>[] = []
  const read = async (accessions: string[]) => {
    const rows = await world.sql`select from core.data_version where slug = any(${two.map(({ dataset }) => dataset)})`
    const headers = await world.sql`select from edgar.submission`
    seen.push([...accessions, `${rows.count} versions`, `${headers.count} headers`])
  }
  const stop = new AbortController()
  await drain({
    sql: world.sql,
    catalog: registry,
    submissions: world.submissions,
    selection: { datasets: ['formd', 'x17a5'] },
    workers: 1,
    signal: stop.signal,
    onBatch(outcomes) {
      stop.abort()
      moved.push(read(outcomes.map(({ error }) => String(error))))
    },
  })
  await Promise.all(moved)
  assert.deepEqual(seen, [['null', '2 versions', '2 headers']])
})

test('a batch of one dataset drops the cached answers of this dataset, and keeps the cached answers of other datasets', async (t) => {
  const world = await openIndexedWorld(t)
  await world.drain({ datasets: ['formd'] })
  const served = await serveWorld(t, world)
  const metric = async (name: string) => {
    const text = await (await fetch(`${served.origin}/metrics`)).text()
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    )
  }
  const hits = () => metric('openfilings_cache_answers_total{outcome="hit"}')
  const misses = () => metric('openfilings_cache_answers_total{outcome="miss"}')
  const [formd, brokers] = ['/feed?type=formd', '/brokers']
  const old = await served.json<{ rows?: unknown[] }>(brokers)
  await served.json(formd)
  const version = await metric('openfilings_data_version')
  assert.ok((await world.drain({ datasets: ['x17a5'] })).done > 0)
  await until('the service knows of the change', async () => (await metric('openfilings_data_version')) > version)
  const [hit, miss] = [await hits(), await misses()]
  await served.json(formd)
  assert.deepEqual([await hits(), await misses()], [hit + 1, miss])
  assert.notDeepEqual(await served.json(brokers), old)
  assert.deepEqual([await hits(), await misses()], [hit + 1, miss + 1])
})
