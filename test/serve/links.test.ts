/** Answers about one thing have links to all its data, and every link opens. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { catalog } from '../../src/declare/catalog.ts'
import { dataset, filings } from '../../src/declare/dataset.ts'
import { COUNT_MAX, hasLinks, plansOf } from '../../src/declare/leads.ts'
import { linked, withLinks } from '../../src/declare/links.ts'
import { cik, get, JsonText, limit, Made, type Route } from '../../src/declare/route.ts'
import { cik as cikColumn, table } from '../../src/declare/table.ts'
import registry from '../../src/registry.ts'
import { absentAmong, sourcesOf } from '../../src/serve/http/absent.ts'
import { testContext } from '../support/context.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { serveWorld } from '../support/served.ts'

const world = await openSampledWorld({ after })
const { sql } = world

interface Answer {
  links: Record<string, { url: string; count?: number }>
}

/**
 * Queries for the sample's identifiers, by path of the route. The queries find all identifiers in rows, so that the
 * links are tried with every kind of data.
 */
const FRONTS: Record<string, string> = {
  '/companies/{cik}': `select distinct cik from edgar.filer union select distinct cik from ownership.owner where cik is not null`,
  '/adv/advisers/by-crd/{crd}': 'select crd from adv.adviser',
  '/adv/securities/{cusip}': 'select sec_id from securities.security union select cusip from identifiers.best',
  '/filing/{accession}': 'select accession from edgar.filing',
  '/funds/{series}/holdings': 'select distinct series_id from nport.standing where series_id is not null',
  '/thirteenf/managers/by-cik/{cik}/holdings': 'select cik from thirteenf.filer',
}

/**
 * Maximum number of identifiers that are tried for a path. They are evenly spaced in their order. The example of the
 * documentation is tried too.
 */
const TRIED = 12

for (const [path, numbers] of Object.entries(FRONTS)) {
  test(`every link of ${path} opens, and its count equals the length of the list`, async (t) => {
    const served = await serveWorld(t, world)
    const all = (await sql.unsafe(numbers).values()).flat().sort()
    const every = Math.max(1, Math.floor(all.length / TRIED))
    // The example of the documentation has the most links.
    const examples = Object.values(registry.routes.find((route) => route.path === path)!.examples[0]!).slice(0, 1)
    const tried = [...examples, ...all.filter((_, at) => at % every === 0).slice(0, TRIED)]
    let counted = 0
    for (const number of tried) {
      const response = await served.get(path.replace(/\{\w+\}/, encodeURIComponent(number)))
      if (response.status === 404) continue
      const { links } = (await response.json()) as Answer
      for (const [name, { url, count }] of Object.entries(links)) {
        const own = url.replace(/^\/v1/, '')
        if (count === undefined) {
          const opened = await served.get(own)
          assert.equal(opened.status, 200, `${number} ${name} ${url}`)
          if (!own.includes('?')) continue
          const { list } = registry.routes.find((route) => route.path === own.split('?')[0])!
          const rows = ((await opened.json()) as Record<string, unknown[]>)[list!.member!]!
          assert.ok(rows.length > 0, `${number} ${name} ${url} is empty`)
          continue
        }
        const file = await served.get(`${own}&format=ndjson`)
        const lines = (await file.text()).trim().split('\n')
        assert.equal(count, lines.length - 1, `${number} ${name} ${url}`)
        counted += 1
      }
    }
    t.diagnostic(`${tried.length} answers, ${counted} counts`)
    assert.ok(tried.length > 0)
  })
}

test('while tables are rebuilt, only the routes of these tables are unavailable, and overview answers omit links to these routes', async (t) => {
  const closed = new Set<string>()
  const whyClosed = (slugs: readonly string[]) =>
    slugs.some((slug) => closed.has(slug)) ? 'they are made again' : null
  const served = await serveWorld(t, world, { whyClosed, cacheBytes: 0 })
  const front = '/funds/S999000081/holdings'
  const { ncen_registrant: link, fund_holdings: _, ...others } = (await served.json<Answer>(front)).links
  assert.deepEqual(link, { url: '/v1/ncen/registrants/9000000081' })
  closed.add('ncen')
  assert.deepEqual((await served.json<Answer>(front)).links, others)
  assert.equal((await served.get('/ncen/registrants/9000000081')).status, 503)
  closed.add('nport')
  assert.equal((await served.get(front)).status, 503)
})

test('a report of votes links to the adviser whose CRD number it states, if the adviser’s Form ADV is loaded', async (t) => {
  const served = await serveWorld(t, world, { cacheBytes: 0 })
  const accession = '9000000151-24-000001'
  const [{ crd: filed }] = await sql<
    [{ crd: string | null }]
  >`select crd from npx.report where accession = ${accession}`
  t.after(() => sql`update npx.report set crd = ${filed} where accession = ${accession}`)
  const linkOf = async (crd: string) => {
    await sql`update npx.report set crd = ${crd} where accession = ${accession}`
    return (await served.json<Answer>(`/npx/filings/by-accession/${accession}`)).links.adviser
  }
  assert.deepEqual(await linkOf('108477'), { url: '/v1/adv/advisers/by-crd/108477' })
  assert.equal(await linkOf('133690'), undefined)
})

test('an incomplete CUSIP and a placeholder identify nothing, and a CUSIP is compared in capitals', async () => {
  const routeOf = (wanted: string) => registry.routes.find(({ name }) => name === wanted)!
  const sources = sourcesOf(routeOf('security'), 'cusip', registry)!
  const numbers = ['02079k305', '037833100', '3783310', '999999999', '03783310A']
  assert.deepEqual([...(await absentAmong(sql, 'cusip', numbers, sources))], ['3783310', '999999999', '03783310A'])
  // A route without a declaration of its sources is assumed to answer for every number.
  const others = [routeOf('company'), {}].map((route) => sourcesOf(route, 'cik', registry))
  assert.deepEqual(others, [null, null])
})

test('every query for a link uses an index', async () => {
  const seen = new Set<string>()
  for (const route of registry.routes.filter(hasLinks)) {
    const statements = new Map<string, string[]>()
    const spy = new Proxy(sql, {
      get: (target, name) =>
        name === 'unsafe'
          ? (text: string, values: string[]) => {
              statements.set(text, values)
              return target.unsafe(text, values)
            }
          : Reflect.get(target, name),
    })
    const [example] = route.examples
    const input = route.input.parse(example)
    await route.run(input, testContext(spy, { catalog: registry, submissions: world.submissions }))
    for (const [text, values] of statements) {
      if (seen.has(text) || !text.includes(' t where ')) continue
      seen.add(text)
      const plan = await sql.begin(async (tx) => {
        await tx`set local enable_seqscan = off`
        return (await tx.unsafe(`explain ${text}`, values)).map((row) => String(row['QUERY PLAN'])).join('\n')
      })
      assert.doesNotMatch(plan, /Seq Scan on/, `${route.path}\n${plan}`)
    }
  }
  assert.ok(seen.size > 15, `${seen.size} statements`)
})

const notice = table(
  'made.notice',
  'One row per notice',
  [],
  { cik: cikColumn('CIK of the filer') },
  { indexes: ['(cik)'] },
)
const rows = z.object({ rows: z.array(z.object({ cik: z.string() }).meta({ id: 'MadeRow' })) }).meta({ id: 'MadePage' })
const one = z.object({ cik: cikColumn('CIK'), name: z.string() }).meta({ id: 'MadeThing' })

const listOf = (found?: NonNullable<Route['leads']>['found']) =>
  get('/made/notices', {
    ...{ name: 'made_notices', summary: 'List notices', tag: 'filings', output: rows, rows: 'rows' },
    input: { cik: cik.optional(), limit: limit({ max: 10, default: 10 }) },
    ...(found ? { leads: { found } } : {}),
    run: async () => ({ rows: [] }),
  })

const thing = (answer: () => unknown) =>
  get('/made/things/{cik}', {
    ...{ name: 'made_thing', summary: 'Show a thing', tag: 'filings', input: { cik }, output: one },
    // Each test passes an answer in a different form that a route may return.
    run: async () => answer() as never,
  })

const slice = (routes: readonly Route[]) =>
  dataset({
    ...{ slug: 'made', label: 'Made', group: 'Tests', tables: { notice }, routes, parser: new URL(import.meta.url) },
    source: filings({ forms: ['MADE'], documents: {}, *parse() {} }),
    family: { table: 'notice', columns: [], facets: [] },
  })

test('links to a list of a new dataset need no code; they have a count, up to a maximum, if the list declares its rows', async (t) => {
  await sql`create schema made`
  await sql`create table made.notice (accession text, filed_date date, cik text)`
  t.after(() => sql`drop schema made cascade`)
  const detail = thing(() => ({ cik: '0000000007', name: 'Seven' }))
  const of = (list: Route) =>
    withLinks(catalog([slice([list, detail])], [], [])).routes.find(({ path }) => path === detail.path)!
  const run = async (list: Route) => (await of(list).run({ cik: '0000000007' }, testContext(sql))) as Answer
  const counting = listOf({ cik: { in: 'made.notice', by: 'cik' } })
  assert.deepEqual((await run(listOf())).links, {})
  await sql`insert into made.notice select 'a' || n, current_date, '0000000007' from generate_series(1, 2) n`
  assert.deepEqual((await run(listOf())).links, { made_notices: { url: '/v1/made/notices?cik=0000000007' } })
  assert.equal((await run(counting)).links.made_notices!.count, 2)
  await sql`insert into made.notice select 'b' || n, current_date, '0000000007' from generate_series(1, ${COUNT_MAX}) n`
  assert.deepEqual((await run(counting)).links, { made_notices: { url: '/v1/made/notices?cik=0000000007' } })
  assert.deepEqual(
    of(counting).reads.filter((slug) => slug === 'made'),
    ['made'],
  )
})

test('the member `links` comes last, before `not_loaded`, in objects, in text from the database and in bytes from another process', async () => {
  const plan = plansOf([], [{ route: thing(() => null), slug: null }]).get('/made/things/{cik}')!
  const answerOf = async (answer: unknown) =>
    linked(
      thing(() => answer),
      plan,
    ).run({ cik: '0000000007' }, testContext(sql))
  const not_loaded = [{ source: 'edgar', note: 'none' }]
  assert.deepEqual(Object.keys((await answerOf({ cik: '0000000007', not_loaded, name: 'x' })) as object), [
    'cik',
    'name',
    'links',
    'not_loaded',
  ])
  const text = (await answerOf(new JsonText('{"name":"a","not_loaded":[]}'))) as JsonText
  assert.deepEqual(Object.keys(JSON.parse(text.text)), ['name', 'links', 'not_loaded'])
  const bare = (await answerOf(new JsonText('{"name":"a"}'))) as JsonText
  assert.deepEqual(JSON.parse(bare.text), { name: 'a', links: {} })
  const json = new Made(Buffer.from('{"name":"é"}'), 'application/json; charset=utf-8', 'abc')
  const made = (await answerOf(json)) as Made
  assert.deepEqual(JSON.parse(made.body.toString()), { name: 'é', links: {} })
  assert.notEqual(made.etag, json.etag)
  const markdown = new Made(Buffer.from('# a'), 'text/markdown; charset=utf-8', 'abc')
  assert.equal(await answerOf(markdown), markdown)
  assert.equal(await answerOf(null), null)
})

test('a declaration of a link without a matching index is refused at import', () => {
  const wrong = { cik: { in: 'made.notice', by: 'filed_date' } } as const
  assert.throws(
    () => withLinks(catalog([slice([listOf(wrong)])], [], [])),
    /made\.notice\.filed_date, but no index begins with that column/,
  )
  assert.throws(
    () => withLinks(catalog([slice([listOf({ cik: { in: 'made.other', by: 'cik' } })])], [], [])),
    /made\.other\.cik/,
  )
  const unled = { cik: { in: 'edgar.filer', by: 'cik' } } as const
  assert.ok(withLinks(catalog([slice([listOf(unled)])], [], [])))
})
