/** Links of pages over the sample, and ids in their addresses: each leads to a page, or is text with a hint. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { linksIn, openPages, shown } from '../support/pages/sample-pages.ts'
import { serveWorld } from '../support/served.ts'

const { served, open, read } = await openPages({ after })

test('a CRD number links to its adviser only if the adviser is loaded', async (t) => {
  // This 13F has the CRD number of an adviser that the sample lacks.
  const filing = '0002045724-26-000002'
  const naming = ['/thirteenf/managers', `/thirteenf/filings/by-accession/${filing}`, `/filing/${filing}`]
  for (const address of naming) {
    const { text } = await read(address)
    assert.match(shown(text), /\b333011\b/, address)
    assert.doesNotMatch(text, /\/adviser\/333011/, address)
  }
  assert.match((await read('/thirteenf/managers')).text, /href="\/adviser\/999000001"/)
  assert.match((await read('/thirteenf/filings/by-accession/0001140361-23-013281')).text, /href="\/adviser\/142463"/)
  // While the advisers are being rebuilt, it is unknown which are loaded.
  const whyClosed = (slugs: readonly string[]) => (slugs.includes('adv') ? 'advisers are being rebuilt' : null)
  const rebuilt = await serveWorld(t, served, { publicPages: true, whyClosed })
  const page = await fetch(`${rebuilt.origin}${naming[1]}`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /href="\/adviser\/333011"/)
})

test('the number of a filing that another filing names is a link only if it is loaded; otherwise a hint says how to load it', async (t) => {
  const { sql } = served
  const never = '0001398344-18-000523'
  const linked = new RegExp(`href="/filing/${never}"`)
  const { text } = await read('/formd/filings?limit=49')
  assert.match(text, new RegExp(`<span title="This filing is not loaded here; [^"]*ingest --cik[^"]*">${never}</span>`))
  assert.doesNotMatch(text, linked)
  // A filing that only a quarterly set has is in no index, and has a page nevertheless.
  const set = { dataset: 'formd', name: 'lent', to_day: '2018-03-31', sha256: 'lent' }
  await sql`
    insert into bulk.filing_set ${sql({ ...set, from_day: '2018-01-01', source_url: 'lent', state: 'done' })}`
  t.after(() => sql`delete from bulk.filing_set where name = 'lent'`)
  await sql`insert into bulk.set_filing ${sql({ ...set, accession: never })}`
  t.after(() => sql`delete from bulk.set_filing where name = 'lent'`)
  assert.match((await read('/formd/filings?limit=48')).text, linked)
})

test('a CUSIP in a filing links to its security only if loaded rows are about it', async () => {
  // The first report states a CUSIP that no other loaded row has. The second states a placeholder.
  for (const [address, cusip] of [
    ['/filing/0001410368-26-089410', '436440101'],
    ['/nmfp/filings/by-accession/9000000071-16-000001', '999999999'],
  ] as const) {
    const { text } = await read(address)
    assert.match(shown(text), new RegExp(cusip), address)
    assert.doesNotMatch(text, new RegExp(`/security/${cusip}`), address)
  }
  assert.match((await read('/manager/1067983')).text, /href="\/security\/037833100"/)
})

test('in the address of a page, an id of another kind leads to the page of the thing that has this id', async (t) => {
  for (const [typed, page] of [
    ['/security/us0378331005', '/security/037833100'],
    ['/adv/securities/US0378331005/identifiers', '/adv/securities/037833100/identifiers'],
    ['/security/HWUPKR0MPOU8FGXBT394', '/security/037833100'],
    ['/company/HWUPKR0MPOU8FGXBT394', '/company/320193'],
    ['/adviser/801-16048', '/adviser/361'],
    ['/broker/008-99917', '/broker/9000000017'],
    ['/fund/VTSAX', '/fund/S000002848'],
    ['/fund/C000007808', '/fund/S000002848'],
  ] as const) {
    const { at, status } = await read(typed)
    assert.deepEqual([at, status], [page, 200], typed)
  }
  // An id of another kind of thing leads to the search, which shows that thing.
  assert.equal((await open('/adviser/0001958244-23-000454')).headers.get('location'), '/search?q=0001958244-23-000454')
  const wrong = await read('/security/US0378331006')
  assert.equal(wrong.status, 400)
  assert.match(shown(wrong.text), /the check digit of the ISIN US0378331006 is wrong/)
  // While the search is unavailable, the error names the mistyped number.
  const whyClosed = (slugs: readonly string[]) => (slugs.includes('search') ? 'names are being rebuilt' : null)
  const rebuilt = await serveWorld(t, served, { publicPages: true, whyClosed })
  const closed = await fetch(`${rebuilt.origin}/adviser/801-16048`, { redirect: 'manual' })
  assert.equal(closed.status, 400)
  assert.match(await closed.text(), /must be a CRD number/)
})

test('each brochure in a search leads to its page, whichever columns are chosen', async () => {
  for (const fields of ['', '&fields=brochure_name', '&fields=id'])
    assert.match((await read(`/brochures/search?q=fees${fields}`)).text, /href="\/brochures\/1009900030001"/, fields)
})

test('a name links to its thing, so the number of the thing needs no column', async () => {
  const { text } = await read('/form144/filings?q=palantir')
  assert.match(text, /<a href="\/company\/1321655" title="Issuer CIK 0001321655">/)
  assert.doesNotMatch(text, /<th[^>]*>Issuer CIK</)
  // On the page of the company itself its name is not a column.
  const company = (await read('/company/1321655?part=later')).text
  const preview = company.slice(company.indexOf('/form144/filings?cik='))
  assert.match(preview, /<table/)
  assert.doesNotMatch(preview.slice(0, preview.indexOf('</table>')), /Issuer name/)
})

test('a name links to the thing with that name, also next to numbers of other things', async () => {
  const insiders = (await read('/ownership/filings/by-accession/0001140361-26-025622')).text
  assert.match(insiders, /<dd><a href="\/company\/320193"><span class="text">Apple Inc\./)
  const owners = (await read('/schedule13/filings/by-accession/0002100119-26-000139')).text
  assert.match(owners, /<dd><a href="\/company\/320193"><span class="text">Apple Inc/)
})

test('web sites, ids made from names, addresses of the API and keys of the log are links that people can read', async () => {
  assert.match(
    (await read('/adviser/108477')).text,
    /<a href="http:\/\/www\.alliancebernstein\.com" rel="noopener noreferrer">alliancebernstein\.com<\/a>/,
  )
  assert.match((await read('/security/name~YW50aHJvcGljIHBiYw')).text, />name~[^<]{11}…<\/a>/)
  const found = (await read('/text-search?q=salary')).text
  assert.match(found, /<a href="\/filing\/\d{10}-\d\d-\d{6}\/text\?sequence=1">Text of a filing<\/a>/)
  const events = (await read('/events')).text
  assert.match(events, /<a href="\/company\/320193">Figures of companies 0000320193<\/a>/)
  assert.match(events, /<a href="\/person\/\d+">Feed of persons \d+<\/a>/)
})

test('a link shows the title of its page and the role of a thing, but not the name of an operation', async () => {
  const leads = (html: string) => shown(/<nav class="leads".*?<\/nav>/s.exec(html)![0]).replace(/\s+/g, ' ')
  const company = leads((await read('/company/320193')).text)
  assert.match(company, /Proxy statements with their meetings 2 Filings with text/)
  assert.doesNotMatch(company, /: [a-z]+ /)
})

test('an id or a ticker opens its page directly, and a name opens the search results', async () => {
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

test('a company address with a ticker redirects to the page of the company, and one with an unknown ticker to the search', async () => {
  assert.equal((await read('/company/AAPL')).at, '/company/320193')
  const unknown = await read('/company/zzzyx')
  assert.deepEqual([unknown.at, unknown.status], ['/search?q=zzzyx', 200])
  const elsewhere = (await open('/company/%2F%2Fexample.com')).headers.get('location')
  assert.equal(elsewhere, '/search?q=%2F%2Fexample.com')
  assert.equal((await read('/company/AAPL?colour=blue')).status, 400)
  assert.equal((await read('/security/AAPL')).at, '/security/037833100')
})
