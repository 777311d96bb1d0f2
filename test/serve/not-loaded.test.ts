/**
 * "Not loaded" and "none" are different answers: every route is tested over a database in which nothing was ever
 * loaded.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Code } from '../../src/declare/api-errors.ts'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { dataChanged } from '../../src/store/meta.ts'
import { openAdv, SPECIMEN } from '../support/adv/load.ts'
import { ask } from '../support/adv/rows.ts'
import { codeOf } from '../support/error-codes.ts'
import { datasetOf } from '../support/requests.ts'
import { serveWorld } from '../support/served.ts'
import { loadFilings } from '../support/spine-rows.ts'
import { openWorld, temporaryFolder } from '../support/world.ts'

const empty = await openWorld({ after }, { root: await temporaryFolder({ after }) })
const served = await serveWorld({ after }, empty)

const VALUES: Record<string, string> = {
  ...{ accession: '0000320193-24-000123', seq: '1', cik: '320193', crd: '361', indvlPk: '1', series: '1' },
  ...{ cusip: '037833100', source: 'tenx', id: '1' },
}
const QUERIES: Record<string, string> = {
  ...{ '/adv/advisers/search': '?q=gold', '/companies': '?q=gold', '/search': '?q=gold', '/text-search': '?q=gold' },
  ...{ '/brochures/search': '?q=gold', '/npx/votes': '?cusip=037833100' },
}
/** Routes that report missing data themselves, or are not about filings. */
const OF_ITSELF = ['/me', '/status', '/filings/families', '/filings/coverage', '/text-search/corpora']

const addressOf = ({ path }: Route) => path.replace(/\{(\w+)\}/g, (_, name) => VALUES[name]!) + (QUERIES[path] ?? '')

interface Missing {
  source: string
  note: string
}

const codes = new Set<Code>()

for (const route of registry.routes.filter(({ path }) => !OF_ITSELF.includes(path))) {
  test(`${route.path} names its data sources and states that they were never loaded`, async () => {
    const response = await served.get(addressOf(route))
    const body = await response.text()
    if (response.status === 404) {
      assert.match(body, /loaded/, 'a 404 that looks like a fact')
      if (route.output) codes.add(codeOf(404, JSON.parse(body)))
      return
    }
    if (response.status === 503) {
      assert.match(body, /has been loaded/)
      codes.add(codeOf(503, JSON.parse(body)))
      // An answer that is an array has no place for a note, so the route answers 503.
      return assert.equal(route.path, '/adv/advisers/search')
    }
    assert.equal(response.status, 200, body)
    const { not_loaded } = JSON.parse(body) as { not_loaded: Missing[] }
    assert.ok(not_loaded.length > 0)
    for (const { source, note } of not_loaded) {
      assert.match(source, /^[\w*-]+$/)
      assert.match(note, /(loaded|read)\b/)
    }
  })
}

test('data that was never loaded has separate error codes', () => {
  assert.deepEqual([...codes].sort(), ['list_not_loaded', 'not_loaded'])
})

test('a search with fewer than two characters returns an empty array even if nothing is loaded', async () => {
  assert.deepEqual(await served.json('/adv/advisers/search?q=g'), [])
})

test('an answer says whether there are no filings, or whether filings are listed but not read yet', async () => {
  await loadFilings(empty.sql, [
    { accession: '0000000001-24-000001', form: 'X-17A-5', filed: '2024-03-01', filers: [['77', 'Unread Broker']] },
    { accession: '0000000001-24-000002', form: '10-K', filed: '2024-03-01', filers: [['77', 'Unread Broker']] },
  ])
  await empty.sql.begin((tx) => dataChanged(tx, ['filings']))
  const noteOf = async (path: string) => (await served.json<{ not_loaded?: Missing[] }>(path)).not_loaded
  assert.deepEqual(await noteOf('/brokers?limit=1'), [
    { source: 'x17a5', note: '1 annual reports of broker-dealers (X-17A-5) are listed and none of them has been read' },
  ])
  assert.deepEqual(await noteOf('/cfportal?limit=1'), [
    { source: 'cfportal', note: 'no filings of funding portals (CFPORTAL) have been loaded' },
  ])
  const filings = await served.json<{ rows: unknown[]; not_loaded?: Missing[] }>('/filings?limit=5')
  assert.deepEqual([filings.rows.length, filings.not_loaded], [2, undefined])
  assert.equal(await noteOf('/filings?family=tenx'), undefined)
  assert.equal(await noteOf('/filings?q=nobody'), undefined)
  assert.deepEqual(await noteOf('/filings?family=formd'), [
    { source: 'formd', note: 'no filings of this family have been loaded' },
  ])
  const feed = await noteOf('/feed?type=formd,rega')
  assert.deepEqual(
    feed?.map(({ source }) => source),
    ['formd', 'rega'],
  )
})

test('an answer distinguishes a listed filing that is pending or could not be read from an unknown filing', async () => {
  const families = registry.filings.map(({ slug, source }) => [slug, source.forms[0]!] as const)
  const accessions = new Map(families.map(([slug], at) => [slug, `0000000002-24-${String(at).padStart(6, '0')}`]))
  await loadFilings(
    empty.sql,
    families.map(([slug, form]) => ({
      accession: accessions.get(slug)!,
      form,
      filed: '2024-03-02',
      filers: [['78', 'Unread']],
    })),
  )
  for (const [dataset, accession] of accessions) {
    await empty.sql`insert into edgar.task ${empty.sql({ dataset, accession, filed_date: '2024-03-02' })}`
  }
  const details = registry.routes.filter(({ path }) => /^\/(?!filing\/|edgar\/|doc-text\/).*\{accession\}/.test(path))
  assert.ok(details.length >= 10)
  for (const route of details) {
    const { path } = route
    const accession = accessions.get(datasetOf(route)!.slug)!
    const notLoaded = async () => {
      const response = await served.get(path.replace('{accession}', accession))
      const body = (await response.json()) as { error: string }
      return [codeOf(response.status, body), body.error]
    }
    assert.deepEqual(
      await notLoaded(),
      ['filing_waits', `not found: ${accession} is listed but not read yet; try again in some minutes`],
      path,
    )
    await empty.sql`update edgar.task set state = 'failed', error = 'line 7' where accession = ${accession}`
    assert.deepEqual(
      await notLoaded(),
      [
        'filing_unreadable',
        `not found: ${accession} is listed but could not be read: line 7; /v1/edgar/doc has the documents as filed`,
      ],
      path,
    )
    await empty.sql`update edgar.task set state = 'pending', error = null where accession = ${accession}`
  }
})

test('a request for a loaded filing on another form gets an error that names this form and the address of its data', async () => {
  const accession = '0000000003-24-000001'
  const filers: [string, string][] = [['79', 'Other']]
  await loadFilings(empty.sql, [{ accession, form: 'CORRESP', filed: '2024-03-02', filers }])
  for (const path of ['/eightk/by-accession', '/formd/filings/by-accession']) {
    const response = await served.get(`${path}/${accession}`)
    const body = (await response.json()) as { error: string }
    const wanted = `not found: ${accession} is a filing on form CORRESP, which has other data; the links of /v1/filing/${accession} lead to this data`
    assert.deepEqual([codeOf(response.status, body), body.error], ['other_family', wanted], path)
  }
})

test('the answer about an adviser names its missing sources and returns all other data; once all sources are loaded it names none', async (t) => {
  const world = await openAdv(t)
  const paths = ['/adv/advisers/list', '/adv/advisers/by-crd/{crd}', '/new-advisers']
  const missing = async (path: string, query: Record<string, string> = {}) => {
    const route = registry.routes.find((one) => one.path === path)!
    const input = path.includes('{crd}') ? { crd: SPECIMEN.crd } : query
    const answer = await ask<{ not_loaded?: Missing[] }>(world.sql, route, input)
    assert.deepEqual(route.output!.safeParse(answer).error?.issues ?? [], [])
    return (answer.not_loaded ?? []).map(({ source }) => source)
  }
  await world.feed('IA_FIRM_SEC', '2026-07-20', [SPECIMEN])
  assert.deepEqual(await missing(paths[0]!), ['IA_FIRM_STATE', 'ADV_FILING_DATA'])
  assert.deepEqual(await missing(paths[1]!), ['IA_FIRM_STATE', 'ADV_FILING_DATA', 'ADV_W'])
  assert.deepEqual(await missing(paths[2]!), ['IA_FIRM_STATE', 'ADV_FILING_DATA'])
  assert.deepEqual(await missing(paths[2]!, { feed: 'IA_FIRM_SEC' }), ['ADV_FILING_DATA'])
  assert.deepEqual(await missing('/adv/advisers/by-crd/{crd}/rep-flows'), ['IA_INDVL'])
  assert.deepEqual(await missing('/adv/advisers/by-crd/{crd}/headcount'), ['IA_INDVL'])
  assert.deepEqual(await missing('/adv/advisers/by-crd/{crd}/filing-activity'), ['ADV_FILING_DATA', 'ADV_W', 'edgar'])
  await world.feed('IA_FIRM_STATE', '2026-07-20', [{ crd: '1', states: [['NY', 'APPROVED']] }])
  await world.month('2026-06', { IA_ADV_Base_A: [{ FilingID: '1', '1E1': SPECIMEN.crd, DateSubmitted: '2026-06-01' }] })
  await world.withdrawals('2026-06', [{ 'Filing ID': '9', 'CRD Number': '2', 'Filing Date': '06/02/2026' }])
  for (const path of paths) assert.deepEqual(await missing(path), [], path)
})
