/** Pages about data, over the sample: every answer is also a page, and every page leads on. */
import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import { addressOf } from '../../src/declare/examples.ts'
import { CHARTS } from '../../src/pages/explorer/declared-charts.ts'
import registry from '../../src/registry.ts'
import { withoutKeys } from '../../src/serve/http/secrets.ts'
import { createKey } from '../../src/serve/keys.ts'
import { serveSample, serveWorld } from '../support/served.ts'

const served = await serveSample({ after })
const cookie = `openfilings_key=${served.keys.full}`
const open = (address: string, key = cookie) =>
  fetch(served.origin + address, { headers: { cookie: key, accept: 'text/html' }, redirect: 'manual' })

/** Follows redirects, as a browser does. */
async function read(address: string): Promise<{ status: number; text: string; at: string }> {
  for (let at = address; ; ) {
    const response = await open(at)
    const to = response.headers.get('location')
    if (to === null) return { status: response.status, text: await response.text(), at }
    at = to
  }
}

const shown = (html: string) =>
  html
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
const linksIn = (html: string) =>
  Array.from(html.matchAll(/href="(\/[^"]*)"/g), ([, href]) => href!.replaceAll('&amp;', '&'))

const answering = registry.routes.filter(({ output }) => output !== null)
const examplesOf = (route: (typeof answering)[number]) => route.examples.map((example) => addressOf(route, example))
/** What the pages of all examples link to, and what they draw. */
const found = new Set<string>()
const drawn = new Set<string>()
const titlesIn = (html: string) =>
  Array.from(html.matchAll(/<title id="chart-\d+-title">([^<]+)</g), ([, title]) => title!)

describe('the page of every example shows its answer', () => {
  for (const route of answering) {
    it(route.name, async () => {
      for (const address of examplesOf(route)) {
        const { status, text } = await read(address)
        assert.equal(status, 200, address)
        assert.match(text, /<h1>[^<]/, address)
        assert.doesNotMatch(shown(text), /undefined|\[object|NaN/, address)
        for (const href of linksIn(text)) found.add(href)
        for (const title of titlesIn(text)) drawn.add(title)
      }
    })
  }
})

/** What a server counts while it follows EDGAR, and holders compared in two quarters: `chart-of.test.ts` draws these. */
const WITHOUT_ROWS = [
  'Filings by kind',
  'Filings by the time from acceptance until they were here',
  'Managers who began and ended a position, by quarter',
]

test('every declared chart is drawn on some page', async () => {
  // The specimen adviser has offices and private funds.
  for (const address of ['/adviser/999000001', '/security/02079K305'])
    for (const title of titlesIn((await read(address)).text)) drawn.add(title)
  const isDrawn = (title: string) => [...drawn].some((each) => each.startsWith(title))
  const declared = Object.values(CHARTS).flatMap((charts) => charts.map(({ title }) => title))
  assert.deepEqual(declared.filter((title) => !isDrawn(title)).sort(), WITHOUT_ROWS)
})

test('a composed page draws what its links answer, and says where the rows are', async () => {
  const { text } = await read('/company/320193')
  const titles = titlesIn(text)
  for (const title of ['Revenue and net income, by year', 'Revenue and net income, by quarter', 'Filings by year'])
    assert.ok(titles.includes(title), title)
  assert.match(text, /<figcaption><a href="\/facts\/companies\/320193\/financials\?period=quarter">Revenue/)
  const { history } = await served.json<{ history: { revenue: string }[] }>('/facts/companies/320193/financials')
  for (const { revenue } of history)
    assert.match(text, new RegExp(`<td class="number">\\$${Number(revenue).toLocaleString('en')}</td>`))
  assert.deepEqual(
    titlesIn((await read('/adviser/999000001')).text).filter((title) => /^(People|Offices)/.test(title)),
    ['Offices by state', 'People who came and left, by year', 'People by month'],
  )
})

test('every link of these pages leads to a page', async () => {
  // Many links differ in the number of a thing alone: some of each kind are followed.
  const kinds = new Map<string, string[]>()
  for (const href of found) {
    const kind = href.replace(/\?.*/, '?').replace(/\/[^/]*\d[^/]*/g, '/N')
    kinds.set(kind, [...(kinds.get(kind) ?? []), href])
  }
  assert.ok(kinds.size > 60, `${kinds.size} kinds`)
  const absent: string[] = []
  for (const hrefs of kinds.values()) {
    const spread = hrefs.filter((_, n) => n % Math.ceil(hrefs.length / 4) === 0)
    for (const href of spread) {
      const { status, text } = await read(href)
      // Filings name others, and an adviser, that the sample does not have.
      if (status === 404 && /^\/(filing|adviser)\//.test(href)) absent.push(href)
      else assert.equal(status, 200, href)
      if (status === 404) assert.match(shown(text), /This is not here\./, href)
    }
  }
  assert.ok(absent.length <= 4, absent.join(' '))
})

test('the JSON and the CSV of a page are those of the API', async () => {
  const page = await open('/form144/filings?q=palantir&format=json')
  assert.deepEqual(await page.json(), await served.json('/form144/filings?q=palantir'))
  const company = await open('/company/320193?format=json')
  assert.deepEqual(await company.json(), await served.json('/companies/0000320193'))
  const csv = await open('/ownership/transactions?cik=320193&format=csv')
  assert.equal(await csv.text(), await (await served.get('/ownership/transactions?cik=320193&format=csv')).text())
  assert.equal((await open('/company/320193?format=csv')).status, 400)
  assert.equal((await open('/company/320193?format=pdf')).status, 400)
})

test('the next pages of a list show every row once', async () => {
  const { rows } = await served.json<{ rows: { accession: string }[] }>('/form25/filings')
  const seen: string[] = []
  for (let at: string | undefined = '/form25/filings?limit=2'; at; ) {
    const { text } = await read(at)
    seen.push(...Array.from(text.matchAll(/by-accession\/(\d{10}-\d\d-\d{6})"/g), ([, accession]) => accession!))
    at = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  assert.deepEqual(
    seen,
    rows.map(({ accession }) => accession),
  )
  assert.ok(rows.length > 2)
})

test('rows are counted by a field, and each value leads to its rows', async () => {
  const { text } = await read('/adv/advisers/list?adviser_type=IA&count=state')
  const { value_counts: counts } = await served.json<{ value_counts: { value: string; count: number }[] }>(
    '/adv/advisers/list?adviser_type=IA&count=state',
  )
  const [first] = counts
  assert.ok(first!.count > 1)
  const row = new RegExp(
    `<a href="/adv/advisers/list\\?adviser_type=IA&amp;state=${first!.value}">${first!.value}</a></th><td class="number">${first!.count}<`,
  )
  assert.match(text, row)
  assert.match(
    (await read(`/adv/advisers/list?adviser_type=IA&state=${first!.value}`)).text,
    new RegExp(`>${first!.count} rows<`),
  )
})

test('a name links to what it names, and its number needs no column', async () => {
  const { text } = await read('/form144/filings?q=palantir')
  assert.match(text, /<a href="\/company\/1321655" title="Issuer CIK 0001321655">/)
  assert.doesNotMatch(text, /<th[^>]*>Issuer CIK</)
  // On the page of the company itself its name is no column.
  const company = (await read('/company/1321655')).text
  const preview = company.slice(company.indexOf('/form144/filings?cik='))
  assert.doesNotMatch(preview.slice(0, preview.indexOf('</table>')), /Issuer name/)
})

test('a name leads to the thing with that name, also next to numbers of others', async () => {
  const insiders = (await read('/ownership/filings/by-accession/0001140361-26-025622')).text
  assert.match(insiders, /<dd><a href="\/company\/320193"><span class="text">Apple Inc\./)
  const owners = (await read('/schedule13/filings/by-accession/0002100119-26-000139')).text
  assert.match(owners, /<dd><a href="\/company\/320193"><span class="text">Apple Inc/)
})

test('columns that agree by chance are both shown', async () => {
  const { positions } = await served.json<{ positions: Record<string, unknown>[] }>(
    '/thirteenf/managers/by-cik/1067983/holdings',
  )
  assert.ok(positions.length > 1)
  const { text } = await read('/manager/1067983')
  const head = Array.from(text.matchAll(/<th scope="col"[^>]*>([^<]+)</g), ([, label]) => label)
  for (const label of ['Issuer name', 'Title of class', 'CUSIP', 'Value', 'Shares'])
    assert.ok(head.includes(label), label)
  assert.equal(head.filter((label) => label === 'Issuer name').length, 1)
})

test('an empty list and a value that is not stated are named apart', async () => {
  const { text } = await read('/adviser/106482')
  assert.match(shown(text), /None: [^.]*former names/)
  // The page has all sections, and so has its JSON.
  const json = (await (await open('/adviser/106482?format=json')).json()) as Record<string, unknown>
  assert.ok('part1a' in json && 'linked' in json)
  assert.match(shown(text), /by-crd\/106482\?include=all/)
})

test('a filter with several values stays as it was given', async () => {
  const { text } = await read('/adv/advisers/list?state=NY%2CCA')
  assert.match(text, /name="state"[^>]*value="NY,CA"|<option value="NY,CA" selected>/)
  const industry = encodeURIComponent('"Other, Real Estate"')
  assert.notEqual((await read(`/feed?industry=${industry}`)).status, 500)
})

test('figures are written with their unit, and what a filing does not state is named', async () => {
  const { text } = await read('/manager/1067983')
  assert.match(text, /\$274,160,086,701/)
  assert.match(shown((await read('/company/320193')).text), /Not stated: .*website/)
})

test('a cell folds objects by name as it folds rows', async () => {
  const { text } = await read('/facts/companies/320193/financials')
  const { history } = await served.json<{ history: { figures: object }[] }>('/facts/companies/320193/financials')
  const folded = text.match(
    /<dd><details class="long"><summary>8<\/summary><ul class="plain-list">(<li>.*?<\/li>){8}<\/ul>/g,
  )
  assert.equal(folded?.length, history.length)
  assert.match(shown(text), / 8 +Revenue +Value +416,161,000,000; /)
})

test('objects with the same members are a table, and where values are from is folded', async () => {
  const { text } = await read('/adviser/108477')
  assert.match(text, /High net worth<\/span><\/td><td class="number">20,887<\/td>/)
  assert.match(text, /<h3>Sources<\/h3><p class="says">[^<]*<\/p>\s*<details class="folded">/)
})

test('a company shows the first rows of its lists', async () => {
  const { text } = await read('/company/320193')
  for (const title of ['Filings of insiders (Forms 3, 4, 5)', 'Sales that insiders propose (Form 144)', 'Filings'])
    assert.ok(text.includes(`>${title}</a>`), title)
  assert.match(text, /LEVINSON ARTHUR D/)
})

test('an id or a ticker leads straight to its page, a name to what it may mean', async () => {
  for (const [q, to] of [
    ['AAPL', '/company/320193'],
    ['brk-b', '/company/1067983'],
    ['CIK 320193', '/company/320193'],
    ['0001958244-23-000454', '/filing/0001958244-23-000454'],
    ['037833100', '/security/037833100'],
  ] as const) {
    assert.equal((await open(`/search?q=${encodeURIComponent(q)}`)).headers.get('location'), to, q)
  }
  const { text } = await read('/search?q=masterworks')
  assert.ok(linksIn(text).filter((href) => /^\/(company|fund|filing|adviser|insider|broker)\//.test(href)).length > 1)
  assert.match(shown((await read('/search?q=zzzyx')).text), /Nothing that is loaded has the name or number “zzzyx”/)
})

test('text of a request and of a filing is shown and never obeyed', async () => {
  const script = '<script>alert(1)</script>'
  for (const address of ['/search?q=', '/companies?q=', '/form144/filings?q=']) {
    const { text } = await read(address + encodeURIComponent(script))
    assert.ok(!text.includes(script), address)
    assert.ok(shown(text).includes('alert(1)') || text.includes('value="&lt;script'), address)
  }
})

test('a page says that input is bad, or that a thing is not there', async () => {
  const unknown = await read('/form144/filings?colour=blue')
  assert.equal(unknown.status, 400)
  assert.match(shown(unknown.text), /colour/)
  // A list that needs one of several filters begins with its form.
  const begin = await read('/npx/votes')
  assert.equal(begin.status, 200)
  assert.match(shown(begin.text), /To begin: .*cusip/)
  assert.match(begin.text, /<form class="filters"/)
  const absent = await read('/company/99999999')
  assert.equal(absent.status, 404)
  assert.match(absent.text, /<h1>/)
  const typed = await read('/adviser/NOPE')
  assert.equal(typed.status, 400)
  // Fields of a form that were left empty are not parameters.
  assert.equal((await open('/form144/filings?q=&form=')).headers.get('location'), '/form144/filings')
  // A part of the path has no field in which it could be corrected.
  assert.equal((await read('/fund/NOPE')).status, 400)
  assert.equal((await read('/adv/securities?q=zzzyx')).status, 200)
  // Neither ends the service, nor does a reader who hangs up: these pages are not kept.
  assert.equal((await read('/filing/0000000000-00-000000')).status, 404)
  assert.equal((await read('/events?after=-1')).status, 400)
  assert.equal((await open('/company/0000320193')).headers.get('location'), '/company/320193')
  // A key without the scope.
  const brochures = await open('/brochures/search?q=fees', `openfilings_key=${served.keys.api}`)
  assert.equal(brochures.status, 403)
  assert.match(await brochures.text(), /brochures/)
})

test('a ticker in the address of a company leads to its page, and an unknown one to the search', async () => {
  assert.equal((await read('/company/AAPL')).at, '/company/320193')
  const unknown = await read('/company/zzzyx')
  assert.deepEqual([unknown.at, unknown.status], ['/search?q=zzzyx', 200])
  const elsewhere = (await open('/company/%2F%2Fexample.com')).headers.get('location')
  assert.equal(elsewhere, '/search?q=%2F%2Fexample.com')
  assert.equal((await open('/company/AAPL?colour=blue')).status, 400)
})

test('a kept page shows nothing that its reader may not ask for', async (t) => {
  const { origin, keys } = await serveWorld(t, served, {
    publicPages: true,
    selfServeClosed: ['/form144/*', '/facts/*'],
  })
  const company = async (headers: Record<string, string> = {}) =>
    (await fetch(`${origin}/company/320193`, { headers })).text()
  const full = { cookie: `openfilings_key=${keys.full}` }
  const row = /href="\/form144\/filings\/by-accession/
  const chart = 'Revenue and net income, by year'
  for (const headers of [full, {}, full]) {
    const [isFull, text] = [headers === full, await company(headers)]
    assert.equal(row.test(text), isFull)
    // The other charts of the page are there.
    assert.deepEqual([titlesIn(text).includes(chart), titlesIn(text).includes('Filings by year')], [isFull, true])
  }
})

test('readers at the same time get one page, and a reader who hangs up takes it from nobody', async () => {
  const gone = new AbortController()
  const first = fetch(`${served.origin}/security/594918104`, { headers: { cookie }, signal: gone.signal })
  const others = Array.from({ length: 4 }, () => read('/security/594918104'))
  gone.abort()
  await assert.rejects(first)
  const texts = await Promise.all(others)
  for (const { status, text } of texts) {
    assert.equal(status, 200)
    assert.equal(text, texts[0]!.text)
  }
})

test('each fact of a filing leads to its sentence, which is marked in the text', async () => {
  interface Fact {
    evidence: { sequence: number; offset: number; length: number; sentence: string }
  }
  const accession = '0001104659-23-108985'
  const { officers, facts } = await served.json<{ officers: Fact[]; facts: Fact[] }>(
    `/eightk/by-accession/${accession}`,
  )
  const pages = [await read(`/filing/${accession}`), await read(`/eightk/by-accession/${accession}`)]
  assert.ok(officers.length > 5 && facts.length > 0)
  for (const { evidence } of [...officers, ...facts]) {
    const { sequence, offset, length, sentence } = evidence
    const address = `/filing/${accession}/text?sequence=${sequence}&at=${offset}&length=${length}`
    for (const { text } of pages) assert.ok(linksIn(text).includes(`${address}#here`), `${address} is not linked`)
    const { status, text } = await read(address)
    assert.equal(status, 200)
    const marked = Array.from(text.matchAll(/<mark class="here"(?: id="here")?>(.*?)<\/mark>/gs), ([, words]) => words)
    assert.equal(shown(marked.join('')), sentence)
    assert.equal(text.match(/id="here"/g)!.length, 1)
    // The same facts stand next to the text.
    assert.match(text, /<aside class="read-facts"/)
  }
  // The terms of an offering are those of one of its filings, not of its first.
  const ipo = (await read('/ipos/by-accession/0001628280-24-012380')).text
  assert.ok(
    linksIn(ipo).some((href) => href.startsWith('/filing/0001628280-24-012380/text?sequence=1&at=189&length=17')),
  )
  const fund = (await read('/fund-launches/by-accession/0001193125-24-100942')).text
  assert.ok(
    linksIn(fund).some((href) => href.startsWith('/filing/0001193125-24-100942/text?sequence=1&at=524&length=36')),
  )
})

test('the reader finds words in a document, and leads to each place', async () => {
  const at = '/filing/0001104659-23-108985/text'
  const { text } = await read(`${at}?sequence=1&q=DIRECTORS`)
  const places = linksIn(text).filter((href) => href.includes('q=DIRECTORS') && href.includes('at='))
  assert.ok(places.length >= 3, `${places.length} places`)
  for (const place of places) {
    const found = (await read(place.replace(/#.*/, ''))).text
    assert.match(found, /<mark class="here" id="here">directors<\/mark>/i)
  }
  assert.match(shown((await read(`${at}?q=zzzyx`)).text), /Nothing in this document reads “zzzyx”/)
  const hostile = await read(`${at}?q=${encodeURIComponent('<script>(a+)+$')}`)
  assert.ok(!hostile.text.includes('<script>(a'))
  for (const [query, status] of [
    ['at=99999999', 400],
    ['at=x', 400],
    ['colour=blue', 400],
    ['sequence=77', 404],
  ] as const)
    assert.equal((await read(`${at}?${query}`)).status, status, query)
  // A form without text, and a filing that is not there.
  assert.equal((await read('/filing/0001958244-23-000454/text')).status, 404)
  assert.equal((await read('/filing/0000000000-00-000000/text')).status, 404)
})

test('a document as filed is in a sandbox, and its address takes a pass and no cookie', async () => {
  const accession = '0001104659-23-108985'
  const { text } = await read(`/filing/${accession}/original`)
  const [, src] = /<iframe class="original" sandbox src="([^"]+)"/.exec(text)!
  const plain = { redirect: 'manual' } as const
  const framed = await fetch(served.origin + src, plain)
  assert.equal(framed.status, 200)
  const api = await served.get(`/edgar/doc/${accession}/1`)
  assert.deepEqual(Buffer.from(await framed.arrayBuffer()), Buffer.from(await api.arrayBuffer()))
  const policy = framed.headers.get('content-security-policy')!
  assert.match(policy, /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/)
  assert.doesNotMatch(policy, /allow-|script-src/)
  assert.equal(framed.headers.get('set-cookie'), null)
  // Neither the cookie, nor the pass of another document, nor one that was changed or is old, opens it.
  const [address, pass = ''] = src!.split('?pass=')
  const [keyId, until, signature] = pass.split('.') as [string, string, string]
  assert.equal(withoutKeys(src!), `${address}?pass=${keyId}.${until}.[redacted]`)
  for (const [wrong, headers] of [
    [address!, { cookie }],
    [`/original/${accession}/2?pass=${pass}`, {}],
    [`${address}?pass=${keyId}.${Number(until) + 1}.${signature}`, {}],
    [`${address}?pass=${keyId}.1000000000000.${signature}`, {}],
    [`${address}?pass=${keyId}.${until}`, {}],
    [`${address}?pass=none.${until}.${signature}`, {}],
  ] as const) {
    const refused = await fetch(served.origin + wrong, { ...plain, headers })
    assert.equal(refused.status, 401, wrong)
    assert.match(refused.headers.get('content-security-policy')!, /^sandbox;/)
    assert.match(await refused.text(), /Load the page around it again/)
  }
  assert.equal((await read(`/filing/${accession}/original?sequence=9`)).status, 404)
})

test('where pages are public, a frame needs no pass, and says why a document is not there', async (t) => {
  const { origin } = await serveWorld(t, served, { publicPages: true })
  assert.equal((await fetch(`${origin}/original/0001104659-23-108985/1`)).status, 200)
  const absent = await fetch(`${origin}/original/0001104659-23-108985/9`)
  assert.equal(absent.status, 404)
  assert.match(await absent.text(), /The document is not available.*openfilings ingest/s)
})

test('Markdown that a page shows is rendered, and its HTML is text', async () => {
  const { text } = await read('/eightk/by-accession/0001104659-23-108985')
  assert.doesNotMatch(text, /\| ?--- ?\|/)
  const doc = (await read('/doc-text/eightk/0001104659-23-108985')).text
  assert.match(doc, /<div class="long-text filed"><p><em>Written for the OpenFilings sample/)
})

test('a search box suggests names with their kind, reason and page, and only to readers', async (t) => {
  const suggested = async (q: string, headers: Record<string, string> = { cookie }, origin = served.origin) => {
    const response = await fetch(`${origin}/search/suggestions?q=${encodeURIComponent(q)}`, { headers })
    assert.equal(response.status, 200, q)
    assert.equal(response.headers.get('cache-control'), 'no-store')
    return (await response.json()) as { kind: string; name: string; why: string | null; href: string }[]
  }
  const [first] = await suggested('AAPL')
  assert.deepEqual([first!.href, first!.why], ['/company/320193', 'ticker'])
  const named = await suggested('masterw')
  assert.ok(named.length > 1 && named.length <= 8)
  for (const { kind, name, href } of named) {
    assert.match(name, /masterw/i)
    assert.match(kind, /^[A-Z]/)
    assert.equal((await read(href)).status, 200, href)
  }
  for (const nothing of ['', ' ', '%', '<script>', '\u202e', 'a'.repeat(20_000).slice(0, 9_000)])
    assert.ok(Array.isArray(await suggested(nothing)))
  assert.deepEqual(await suggested('AAPL', {}), [])
  assert.deepEqual(await suggested('AAPL', { cookie: 'openfilings_key=of_none' }), [])
  const open = await serveWorld(t, served, { publicPages: true })
  assert.equal((await suggested('AAPL', {}, open.origin))[0]!.href, '/company/320193')
})

test('suggestions end with the limit of the key, which the answer names', async () => {
  const limits = { searchLimit: 1, generalLimit: 1 }
  const { key } = await createKey(served.sql, { account: 'few', scopes: ['api'], now: new Date(), ...limits })
  const suggest = () => open('/search/suggestions?q=apple', `openfilings_key=${key}`)
  assert.equal((await suggest()).status, 200)
  const refused = await suggest()
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(((await refused.json()) as { error: string }).error, /limit/)
})

test('the page of events follows its filter as a stream, by the cookie, and names it for programs', async () => {
  const { text } = await read('/events?form=8-K&family=eightk')
  assert.match(text, /<section class="live"[^>]* data-stream="\/events\/live\?family=eightk&amp;form=8-K" hidden>/)
  assert.match(shown(text), /openfilings webhooks create --url https:\/\/example\.com\/hook --family eightk --form 8-K/)
  assert.match(
    shown(text),
    /curl -N 'http:\/\/127\.0\.0\.1:8080\/v1\/events\?family=eightk&form=8-K' -H .* text\/event-stream"/,
  )
  const hostile = (await read(`/events?form=${encodeURIComponent("x'; rm -rf /")}`)).text
  assert.match(shown(hostile), /--form 'x'\\''; rm -rf \/'/i)
  const over = new AbortController()
  const headers = { cookie, accept: 'text/event-stream' }
  const live = await fetch(`${served.origin}/events/live?after=0&form=8-K`, { headers, signal: over.signal })
  assert.equal(live.status, 200)
  assert.match(live.headers.get('content-type')!, /^text\/event-stream/)
  let got = ''
  for await (const chunk of live.body!.pipeThrough(new TextDecoderStream())) {
    got += chunk
    if (/^data: .*"form_type":"8-K"/m.test(got)) break
  }
  over.abort()
  assert.match(got, /^id: \d+\nevent: (added|corrected)\ndata: \{/m)
  assert.equal((await open('/events/live', '')).status, 401)
  assert.equal((await open('/events/live?colour=blue')).status, 400)
})
