/** Data pages over the sample: every answer also has a page, and every page has working links. */
import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import { addressOf } from '../../src/declare/examples.ts'
import { CHARTS } from '../../src/pages/explorer/declared-charts.ts'
import registry from '../../src/registry.ts'
import { createKey } from '../../src/serve/keys.ts'
import { laterIn, linksIn, openPages, shown } from '../support/pages/sample-pages.ts'
import { serveWorld } from '../support/served.ts'

const { served, cookie, open, read, readWhole } = await openPages({ after })

/** Returns the codes and the names of members that a page shows as they are, outside of its section for programs. */
const codesIn = (html: string) =>
  Array.from(
    html
      .replace(
        /<section class="for-programs".*?<\/section>|<(code|pre|title|q)\b.*?<\/\1>|<div class="(?:long-text )?filed.*?<\/div>/gs,
        '',
      )
      .matchAll(/(?:>|title=")[^<>"]*?(?<![\w./?&=-])([a-z]+(?:_[a-z]+)+)(?![\w./=-])/g),
    ([, code]) => code!,
  ).filter((code) => !html.includes(`title="${code}"`))

const answering = registry.routes.filter(({ output }) => output !== null)
const examplesOf = (route: (typeof answering)[number]) => route.examples.map((example) => addressOf(route, example))
/** All links of the pages of all examples, and the charts that these pages draw. */
const found = new Set<string>()
const drawn = new Set<string>()
const titlesIn = (html: string) =>
  Array.from(html.matchAll(/<title id="chart-\d+-title">([^<]+)</g), ([, title]) => title!)

describe('the page of every example shows its answer', () => {
  for (const route of answering) {
    it(route.name, async () => {
      for (const address of examplesOf(route)) {
        const { status, text } = await readWhole(address)
        assert.equal(status, 200, address)
        assert.match(text, /<h1>[^<]/, address)
        assert.doesNotMatch(shown(text), /undefined|\[object|NaN/, address)
        // The page of the fields that filter trees take quotes descriptions for programmers.
        if (route.name !== 'filings_families') assert.deepEqual(codesIn(text), [], address)
        for (const href of linksIn(text)) found.add(href)
        for (const title of titlesIn(text)) drawn.add(title)
      }
    })
  }
})

test('tabs and bookmarks tell pages apart: a title says what is shown of a thing, and which filters a list has', async () => {
  const titles = [
    ['/company/320193', 'Apple Inc. · Company · 320193'],
    ['/filing/0001140361-25-000228', 'Apple Inc. · Filing · Form 8-K · 0001140361-25-000228'],
    ['/security/037833100', 'Apple Inc. · Security · 037833100'],
    ['/adv/securities/037833100/holders', 'APPLE INC · Holders, buyers and sellers · 037833100'],
    ['/security/name~c3BlY2ltZW4gcm9ja2V0cw', 'Specimen Rockets Corp. · Security'],
    ['/formd/filings', 'Notices of private placements (Form D)'],
    ['/formd/filings?state=IL&sort=amount', 'Notices of private placements (Form D) · State IL'],
  ] as const
  for (const [address, title] of titles)
    assert.equal(/<title>([^<]+)/.exec((await readWhole(address)).text)?.[1], `${title} · OpenFilings`, address)
  const { status, text } = await readWhole('/filing/0001140361-25-999999')
  assert.equal(status, 404)
  assert.match(text, /<h1>Filing 0001140361-25-999999<\/h1>/, 'the title has the number once')
})

/** Charts of counts while a server follows EDGAR, and of holders in two quarters: `chart-of.test.ts` draws these. */
const WITHOUT_ROWS = [
  'Days by which the newest filing of a kind is older than the newest filing of all kinds',
  'Filings by kind',
  'Filings by the time from acceptance until they were loaded here',
  'Managers who began and ended a position, by quarter',
]

test('every declared chart is drawn on at least one page', async () => {
  // The specimen adviser has offices and private funds.
  for (const address of ['/adviser/999000001', '/security/02079K305'])
    for (const title of titlesIn((await readWhole(address)).text)) drawn.add(title)
  const isDrawn = (title: string) => [...drawn].some((each) => each.startsWith(title))
  const declared = Object.values(CHARTS).flatMap((charts) => charts.map(({ title }) => title))
  assert.deepEqual(declared.filter((title) => !isDrawn(title)).sort(), WITHOUT_ROWS)
})

test('a composed page draws the answers of its links, and links to the rows', async () => {
  const { text } = await readWhole('/company/320193')
  const titles = titlesIn(text)
  for (const title of ['Revenue and net income, by year', 'Revenue and net income, by quarter', 'Filings by year'])
    assert.ok(titles.includes(title), title)
  assert.match(text, /<figcaption><a href="\/facts\/companies\/320193\/financials\?period=quarter">Revenue/)
  const { history } = await served.json<{ history: { revenue: string }[] }>('/facts/companies/320193/financials')
  for (const { revenue } of history)
    assert.match(text, new RegExp(`<td class="number">\\$${Number(revenue).toLocaleString('en')}</td>`))
  assert.deepEqual(
    titlesIn((await readWhole('/adviser/999000001')).text).filter((title) => /^(People|Offices)/.test(title)),
    ['Offices by state', 'People who came and left, by year', 'People by month'],
  )
})

test('a page does not wait for heavy routes: a script requests their charts, and without the script the page links to their lists', async () => {
  const { text } = await read('/security/02079K305')
  assert.equal(laterIn(text), '/security/02079K305?part=later')
  assert.match(text, /<p class="says">Charts of <a href="\/adv\/securities\/02079K305\/holders">/)
  const bought = 'Managers who bought most in the last quarter'
  assert.ok(!titlesIn(text).includes(bought))
  const later = (await read('/security/02079K305?part=later')).text
  assert.ok(titlesIn(later).includes(bought))
  // The page of a company has many lists, so that all of its charts come later.
  const company = (await read('/company/320193')).text
  assert.deepEqual(titlesIn(company), [])
  assert.equal(laterIn(company), '/company/320193?part=later')
  for (const path of ['/facts/companies/320193/financials', '/ownership/transactions', '/filings'])
    assert.match(company, new RegExp(`<p class="says">Charts of <a href="${path}[?"]`))
  assert.match(company, /Charts of <a href="\/filings\?cik=0*320193">/)
  assert.ok(!later.includes('<html'))
  // Charts that the page has are not drawn again.
  for (const thing of [
    'company/320193',
    'manager/1067983',
    'security/02079K305',
    'fund/S000002848',
    'adviser/999000001',
  ]) {
    const address = `/${thing}`
    const whole = (await readWhole(address)).text
    assert.equal(titlesIn(whole).length, new Set(titlesIn(whole)).size, address)
    const ids = Array.from(whole.matchAll(/ id="([^"]+)"/g), ([, id]) => id)
    assert.equal(ids.length, new Set(ids).size, address)
  }
  assert.equal((await read('/security/02079K305?part=all')).status, 400)
  assert.equal((await read('/security/nothing?part=later')).status, 404)
  assert.equal((await read('/form144/filings?part=later')).status, 400)
})

test('if none of the lists for the later charts can be read, their request fails, so that the page keeps its links', async (t) => {
  const { origin, keys } = await serveWorld(t, served, {
    publicPages: true,
    selfServeClosed: ['/adv/securities/{cusip}/*'],
  })
  const address = `${origin}/security/02079K305`
  const full = { cookie: `openfilings_key=${keys.full}` }
  for (const headers of [full, {}, full]) {
    const later = await fetch(`${address}?part=later`, { headers })
    assert.equal(later.status, headers === full ? 200 : 503)
    if (headers !== full) {
      assert.equal(later.headers.get('retry-after'), '5')
      assert.match(shown(await later.text()), /not ready: none of the lists of this part can be read/)
    }
    const page = await (await fetch(address, { headers })).text()
    assert.match(page, /Charts of <a href="\/adv\/securities\/02079K305\/holders/)
  }
})

test('a list whose member is called `items` has the title of its page, and the columns of places on a map come last', async () => {
  const { text } = await read('/adv/advisers/by-crd/108477/similar')
  assert.doesNotMatch(text, /<h2>Items<\/h2>/)
  assert.match(text, /<h2>Similar advisers<\/h2>/)
  const heads = Array.from(text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)</g), ([, head]) => head!)
  assert.ok(heads.indexOf('Assets under management') > 0)
  assert.ok(!heads.includes('Latitude') || heads.indexOf('Latitude') > heads.indexOf('Assets under management'))
})

test('a column of sentences is not squeezed, and takes the spare width before numbers do', async () => {
  const { text } = await read('/eightk/events?kind=officer')
  assert.match(text, /<th scope="col" class="wordy"[^>]*>(?:<a[^>]*>)?Excerpt</)
  assert.match(
    (await read('/ownership/transactions?cik=320193')).text,
    /<th scope="col" class="number"[^>]*>(?:<a[^>]*>)?Shares</,
  )
})

test('every link of these pages opens a page', async () => {
  // Many links differ only in the number of a thing: some of each kind are followed.
  const kinds = new Map<string, string[]>()
  for (const href of found) {
    const kind = href.replace(/\?.*/, '?').replace(/\/[^/]*\d[^/]*/g, '/N')
    kinds.set(kind, [...(kinds.get(kind) ?? []), href])
  }
  assert.ok(kinds.size > 60, `${kinds.size} kinds`)
  for (const hrefs of kinds.values()) {
    const spread = hrefs.filter((_, n) => n % Math.ceil(hrefs.length / 4) === 0)
    for (const href of spread) assert.equal((await read(href)).status, 200, href)
  }
})

test('the JSON and the CSV of a page equal those of the API', async () => {
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

test('rows are counted by a field, and each value links to its rows', async () => {
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

test('two columns whose values happen to agree are both shown', async () => {
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

test('an empty list and a value that is not stated look different', async () => {
  const { text } = await read('/adviser/106482')
  assert.match(shown(text), /None: [^.]*former names/)
  // The page has all sections, and so has its JSON.
  const json = (await (await open('/adviser/106482?format=json')).json()) as Record<string, unknown>
  assert.ok('part1a' in json && 'linked' in json)
  assert.match(shown(text), /by-crd\/106482\?include=all/)
})

test('a filter with several values keeps its input', async () => {
  const { text } = await read('/adv/advisers/list?state=NY%2CCA')
  assert.match(text, /name="state"[^>]*value="NY,CA"|<option value="NY,CA" selected>/)
  const industry = encodeURIComponent('"Other, Real Estate"')
  assert.notEqual((await read(`/feed?industry=${industry}`)).status, 500)
})

test('figures have their unit, and values that a filing does not state are listed', async () => {
  const { text } = await read('/manager/1067983')
  assert.match(text, /\$274,160,086,701/)
  assert.match(shown((await read('/company/320193')).text), /Not stated: .*website/)
})

test('objects with named members are folded in a cell, like rows', async () => {
  const { text } = await read('/facts/companies/320193/financials')
  const { history } = await served.json<{ history: { figures: object }[] }>('/facts/companies/320193/financials')
  const folded = text.match(
    /<dd><details class="long"><summary>8<\/summary><ul class="plain-list">(<li>.*?<\/li>){8}<\/ul>/g,
  )
  assert.equal(folded?.length, history.length)
  assert.match(shown(text), / 8 +Revenue +Value +416,161,000,000; /)
})

test('objects with the same members form a table, and the sources of values are folded', async () => {
  const { text } = await read('/adviser/108477')
  assert.match(text, /Wealthy individuals<\/span><\/td><td class="number">20,887<\/td>/)
  assert.match(text, /<h3>Sources<\/h3><p class="says">[^<]*<\/p>\s*<details class="folded">/)
})

test('facts of an adviser are grouped under headings, and fees and clients are lists with marks', async () => {
  const { text } = await read('/adviser/307078')
  const heads = Array.from(text.matchAll(/<section class="fact-group"><h\d>([^<]+)</g), ([, head]) => head)
  assert.deepEqual(heads, [
    ...['Private funds', 'Name and numbers', 'Registration', 'Size', 'Office', 'The filing', 'What it manages'],
    ...['How it is paid', 'Whom it serves', 'Number of clients', 'People and conduct'],
  ])
  const marked = Array.from(
    text.matchAll(/class="applies"[^>]*><span class="unseen">Yes: <\/span>([^<]+)</g),
    ([, kind]) => kind,
  )
  assert.deepEqual(marked, ['A share of the assets', 'By the hour', 'Individuals', 'Wealthy individuals'])
})

test('sections of an adviser that are not loaded are not shown as "None"', async () => {
  const silent = (html: string) => shown(/<p class="silent">Not loaded here:.*?<\/p>/.exec(html)?.[0] ?? '')
  assert.match(silent((await read('/adviser/108477')).text), /Not loaded here: .*people.*\. None: /)
  assert.equal(silent((await read('/adviser/307078')).text), '')
})

test('parts of a whole are shown in percent, and an adviser without loaded funds does not seem to have none', async () => {
  const { text } = await read('/adviser/108477')
  const { latest_filing: filing } = await served.json<{ latest_filing: { client_shares: Record<string, number> } }>(
    '/adv/advisers/by-crd/108477',
  )
  const [[, share]] = Object.entries(filing.client_shares) as [[string, number]]
  assert.ok(shown(text).includes(` ${Number((share * 100).toFixed(2))}%`))
  assert.match(shown(text), /Not loaded here: [^.]*funds by type/)
  assert.doesNotMatch(shown(text), /None: [^.]*funds by type/)
})

test('a page begins with the facts for which people open it', async () => {
  const highlights = (html: string) =>
    shown(/<dl class="highlights">.*?<\/dl>/s.exec(html)?.[0] ?? '').replace(/\s+/g, ' ')
  const adviser = highlights((await read('/adviser/108477')).text)
  assert.match(adviser, /Assets under management \$582\.4B Clients 24,818 Employees 4,134 Office NASHVILLE, TN/)
  // A private company is held by funds alone.
  const company = highlights((await read('/security/name~YW50aHJvcGljIHBiYw')).text)
  assert.equal(company.trim(), 'Funds that hold it 1 Value that funds hold $12.52M')
  assert.match((await read('/fund/S000002848')).text, /<h1>VANGUARD TOTAL STOCK MARKET INDEX FUND</)
})

test('a row of the log has columns for the filer, form and day of its filing', async () => {
  const { text } = await read('/events?form=8-K')
  const head = Array.from(
    text.slice(text.indexOf('id="events"')).matchAll(/<th scope="col"[^>]*>([^<]+)</g),
    ([, label]) => label,
  )
  assert.deepEqual(head.slice(0, 2), ['Company name', 'What'])
  assert.ok(head.includes('Filed'))
  assert.match(text, /<a href="\/company\/320193" title="CIK 0000320193"><span class="text">Apple Inc\.<\/span><\/a>/)
  assert.doesNotMatch(shown(text), /Form 8-K; Filed/)
})

test('an entry of the log that is about no filing begins with its record', async () => {
  const cellsIn = (text: string) =>
    Array.from(text.slice(text.indexOf('id="events"')).matchAll(/<tr><td[^>]*>(.*?)<\/td>/gs), ([, html]) =>
      shown(html!).trim(),
    )
  const all = cellsIn((await read('/events?limit=200')).text)
  assert.ok(all.length > 10, `${all.length} rows`)
  assert.deepEqual(
    all.filter((cell) => cell === '–'),
    [],
  )
  assert.ok(all.some((cell) => /^Feed of persons \d+$/.test(cell)))
})

test('families of forms have their names in rows, filters and counts', async () => {
  const { text } = await read('/events?form=8-K&family=eightk')
  assert.match(text, /<option value="eightk" selected>Current reports \(8-K\)<\/option>/)
  assert.match(text.slice(text.indexOf('id="events"')), /<span title="eightk">Current reports \(8-K\)<\/span>/)
  assert.match((await read('/filings?family=formd')).text, /Family <b>Form D<\/b>/)
})

test('a summary that folds a long list contains no link, since a control must not contain another one', async () => {
  const { text } = await read('/ownership/filings?limit=200')
  const summaries = Array.from(text.matchAll(/<summary>(.*?)<\/summary>/gs), ([, html]) => html!)
  assert.deepEqual(
    summaries.filter((html) => html.includes('<a ')),
    [],
  )
})

test('a list has no remark about members without a value', async () => {
  const { text } = await read('/text-search?q=salary')
  assert.doesNotMatch(shown(text), /Not stated/)
})

test('the status page shows the filings that wait or failed, and no empty table of delays', async () => {
  const { text } = await read('/status')
  assert.match(shown(text), /Only from quarterly sets\s+\d/)
  assert.match(shown(text), /filings that wait or failed/i)
  assert.doesNotMatch(text, />Below, seconds</)
  assert.doesNotMatch(text, /setses/)
})

test('the counts of a text search are shown at the side, and lead to the documents that they count', async () => {
  const { text } = await read('/text-search?q=salary')
  assert.match(
    text,
    /<div class="facets beside">.*<a href="\/text-search\?q=salary&amp;form=8-K">8-K<\/a><\/th><td class="number">4</s,
  )
  const [, year] = /href="([^"]+)">2026<\/a><\/th><td class="number">1</.exec(text)!
  const documents = (await read(year!.replaceAll('&amp;', '&'))).text
  assert.match(documents, />1 row</)
})

test('a list without rows has a count of 0, and not an estimate', async () => {
  const { text } = await read('/npx/votes?cik=320193')
  assert.match(text, />0 rows</)
  assert.match(shown(text), /No rows match/)
})

test('codes of forms are shown in words, with the code next to them', async () => {
  const { text } = await read('/ownership/transactions?limit=50')
  assert.match(text, /Purchase <small class="code">P<\/small>|Sale <small class="code">S<\/small>/)
  assert.match(text, /<option value="P">Purchase \(P\)<\/option>/)
  const { text: lines } = await read('/thirteenf/filings/by-accession/0001172661-26-001091')
  assert.match(lines, /Shares <small class="code">SH<\/small>/)
  assert.match(lines, /<small class="code">(SOLE|DFND)<\/small>/)
})

test('a column that only repeats the meaning of a code is shown only if the reader chose it', async () => {
  const heads = (text: string) =>
    Array.from(text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]+)/g), ([, head]) => head)
  const events = await read('/eightk/events?kind=officer')
  assert.match(events.text, /Directors and officers <small class="code">5\.02<\/small>/)
  assert.ok(heads(events.text).includes('Excerpt') && !heads(events.text).includes('Title'))
  assert.ok(heads((await read('/eightk/events?kind=officer&fields=item,title')).text).includes('Title'))
  assert.ok(!heads((await read('/ownership/transactions?code=P')).text).includes('What was done'))
})

test('a page with many lists and charts causes no warning about too many listeners', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  for (const address of ['/security/037833100', '/company/320193', '/adviser/999000001']) await readWhole(address)
  process.off('warning', onWarning)
  assert.deepEqual(
    warnings.filter((name) => name === 'MaxListenersExceededWarning'),
    [],
  )
})

test('a list of sentences is folded after its first sentence, and a list of codes after six codes', async () => {
  const { text } = await read('/filing/0001104659-23-108985')
  const summaries = Array.from(text.matchAll(/<summary>(.*?)<\/summary>/g), ([, html]) => html!.replace(/<[^>]+>/g, ''))
  assert.ok(summaries.includes('2.01, 3.01, 3.03, 5.01, 5.02, 5.03 and 1 more'))
  assert.ok(summaries.includes('Completion of Acquisition or Disposition of Assets and 6 more'))
})

test('facts of one kind that a sentence states share their label', async () => {
  const { text } = await read('/filing/0001104659-23-108985')
  const appointed = /<q class="text">Keith R. Dolliver and.*?<\/ul>/s.exec(text)![0]
  assert.match(
    shown(appointed).replace(/\s+/g, ' '),
    /Officers Keith R. Dolliver · director · appointed Benjamin O. Orndorff ·/,
  )
  assert.equal(appointed.match(/>Officers</g)?.length, 1)
})

/** The lists of a company's page that come later, each with its number of rows in the table. */
const listsIn = (html: string) =>
  Array.from(
    html.matchAll(
      /<h2><a href="(\/[^"]+)">([^<]+)<\/a>(?: <span class="count">\d+<\/span>)?<\/h2>\n(.*?)(?=<h2>|<\/div>\s*$)/gs,
    ),
    ([, href, title, rows]) => ({ href: href!, title: title!, rows: rows!.match(/<tbody>|<tr>/g)?.length ?? 0 }),
  )

test('the page of a company links to its lists, whose first rows come after the page', async () => {
  const { text } = await read('/company/320193')
  const place = text.slice(text.indexOf('data-part="lists"'))
  const titles = ['Filings of insiders (Forms 3, 4, 5)', 'Sales that insiders propose (Form 144)', 'Filings']
  for (const title of titles) assert.ok(place.includes(`>${title}</a>`), title)
  assert.doesNotMatch(place.slice(0, place.indexOf('</div>')), /<table/)
  const later = (await read(laterIn(text)!)).text
  const lists = listsIn(later.slice(later.indexOf('<div class="lists">')))
  for (const title of titles) assert.ok(lists.find((list) => list.title === title)!.rows > 0, title)
  for (const { href } of lists) assert.ok(place.includes(`href="${href}"`), href)
  assert.match(later, /LEVINSON ARTHUR D/)
})

test('a list that comes later and cannot be read keeps its link', async (t) => {
  const { origin } = await serveWorld(t, served, { publicPages: true, selfServeClosed: ['/form144/*'] })
  const later = await fetch(`${origin}/company/320193?part=later`)
  assert.equal(later.status, 200)
  const lists = listsIn((await later.text()).replace(/^.*(?=<div class="lists">)/s, ''))
  const rows = Object.fromEntries(lists.map((list) => [list.title, list.rows > 0]))
  assert.equal(rows['Sales that insiders propose (Form 144)'], false)
  assert.equal(rows['Filings of insiders (Forms 3, 4, 5)'], true)
})

test('a page reads its lists from the memory of the API', async (t) => {
  const { origin, keys } = await serveWorld(t, served)
  const headers = { 'x-api-key': keys.full }
  const outcome = async () => {
    const text = await (await fetch(`${origin}/metrics`, { headers })).text()
    return Object.fromEntries(
      Array.from(text.matchAll(/openfilings_cache_answers_total\{outcome="(\w+)"\} (\d+)/g), ([, is, n]) => [
        is,
        Number(n),
      ]),
    )
  }
  assert.equal((await fetch(`${origin}/v1/form144/filings?cik=0000320193&limit=5`, { headers })).status, 200)
  const before = await outcome()
  assert.equal(
    (await fetch(`${origin}/company/320193?part=later`, { headers: { cookie: `openfilings_key=${keys.full}` } }))
      .status,
    200,
  )
  const after = await outcome()
  assert.equal(after.hit! - (before.hit ?? 0), 1)
})

test('text of a request and of a filing is shown and never interpreted', async () => {
  const script = '<script>alert(1)</script>'
  for (const address of ['/search?q=', '/companies?q=', '/form144/filings?q=']) {
    const { text } = await read(address + encodeURIComponent(script))
    assert.ok(!text.includes(script), address)
    assert.ok(shown(text).includes('alert(1)') || text.includes('value="&lt;script'), address)
  }
})

test('a page states that input is invalid, or that a thing does not exist', async () => {
  const unknown = await read('/form144/filings?colour=blue')
  assert.equal(unknown.status, 400)
  assert.match(shown(unknown.text), /colour/)
  // If a list needs one of several filters, its page without a filter shows the form for the filters.
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
  // None of the following requests ends the service. Pages of errors are not cached.
  const unloaded = await read('/filing/0000000000-00-000000')
  assert.equal(unloaded.status, 404)
  assert.match(shown(unloaded.text), /This is not here\..*openfilings ingest/s)
  // A number of another kind of thing: the page leads to the search, which knows all kinds.
  const ofOther = await read('/adviser/320193')
  assert.equal(ofOther.status, 404)
  assert.match(ofOther.text, /This is not here\.<\/strong> <a href="\/search\?q=320193">Search for this id<\/a>/)
  assert.doesNotMatch((await read('/person/320193')).text, /not found|>[^<]*indvlPk[^<]*<\/span>/)
  assert.equal((await read('/events?after=-1')).status, 400)
  assert.equal((await open('/company/0000320193')).headers.get('location'), '/company/320193')
  // This key lacks the scope of brochures.
  const brochures = await open('/brochures/search?q=fees', `openfilings_key=${served.keys.api}`)
  assert.equal(brochures.status, 403)
  assert.match(await brochures.text(), /brochures/)
})

test('a cached page shows nothing that its reader may not request', async (t) => {
  const { origin, keys } = await serveWorld(t, served, {
    publicPages: true,
    selfServeClosed: ['/form144/*', '/facts/*'],
  })
  const company = async (headers: Record<string, string> = {}) => {
    const page = await (await fetch(`${origin}/company/320193`, { headers })).text()
    return page + (await (await fetch(origin + laterIn(page)!, { headers })).text())
  }
  const full = { cookie: `openfilings_key=${keys.full}` }
  const row = /href="\/form144\/filings\/by-accession/
  const chart = 'Revenue and net income, by year'
  for (const headers of [full, {}, full]) {
    const [isFull, text] = [headers === full, await company(headers)]
    assert.equal(row.test(text), isFull)
    // The page has those of its charts that the reader may request.
    assert.deepEqual([titlesIn(text).includes(chart), titlesIn(text).includes('Filings by year')], [isFull, true])
  }
})

test('simultaneous readers share one page, and a disconnecting reader does not affect the others', async () => {
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

test('Markdown on a page is rendered, and HTML within it is shown as text', async () => {
  const { text } = await read('/eightk/by-accession/0001104659-23-108985')
  assert.doesNotMatch(text, /\| ?--- ?\|/)
  const doc = (await read('/doc-text/eightk/0001104659-23-108985')).text
  assert.match(
    doc,
    /<div class="long-text filed" tabindex="0" role="region" aria-label="Text"><p><em>Written for the OpenFilings sample/,
  )
})

test('a search box suggests names with their kind, reason and page, and only to authorized readers', async (t) => {
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

test('suggestions stop at the limit of the key, and the answer names the limit', async () => {
  const limits = { searchLimit: 1, generalLimit: 1 }
  const { key } = await createKey(served.sql, { account: 'few', scopes: ['api'], now: new Date(), ...limits })
  const suggest = () => open('/search/suggestions?q=apple', `openfilings_key=${key}`)
  assert.equal((await suggest()).status, 200)
  const refused = await suggest()
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.match(((await refused.json()) as { error: string }).error, /limit/)
})

test('the page of events follows its filter as a stream, authorized by the cookie, and shows the commands for programs', async () => {
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
