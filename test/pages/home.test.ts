/**
 * The page at `/`, which shows the loaded data at any request rate, and other addresses that people type.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, rmdir, symlink } from 'node:fs/promises'
import path from 'node:path'
import { after, type TestContext, test } from 'node:test'
import type { App } from '../../src/app.ts'
import { checkDatabase } from '../../src/commands/doctor/database.ts'
import { greetAtChanges } from '../../src/commands/greeting.ts'
import { sampleDigest } from '../../src/commands/sample-digest.ts'
import { readSettings } from '../../src/config.ts'
import { inventedOf, inventedText } from '../../src/ingest/specimens.ts'
import { projectAddress, root } from '../../src/package.ts'
import { SERIES } from '../../src/pages/explorer/codes.ts'
import { pages } from '../../src/pages/pages.ts'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { type Connection, connect, type Sql } from '../../src/store/db.ts'
import { run } from '../support/command.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { ask, scratchServer } from '../support/scratch-server.ts'
import { serveSample, serveWorld } from '../support/served.ts'
import { loadFilings } from '../support/spine-rows.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { openWorld, temporaryFolder } from '../support/world.ts'

const document = described('1.2.3', () => openapi(registry, '1.2.3'))
/**
 * Makes pages whose data may be read again at once. Otherwise a page is cached for a hundred times the time that
 * reading took.
 */
const unkept = () => pages({ openapi: document, keeping: { keepMs: 50, times: 0 } })
const served = await serveSample({ after })
const digest = await sampleDigest()

/** Returns the visible text of the page, line by line. */
async function shown(base: string, status = 200): Promise<string> {
  const reply = await ask(base, '/')
  assert.equal(reply.status, status)
  return reply.text
    .replace(/<\/?(span|i)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&lt;/g, '<')
    .replace(/&amp;/g, '&')
    .replace(/[ \t]+/g, ' ')
}

const first = await shown(served.origin)
await until('the first requests were answered', async () => (await shown(served.origin)).includes('First requests'))
const page = await shown(served.origin)

test('the page is HTML without a key, must be revalidated by caches, and has a policy that runs only our own files', async () => {
  assert.match(first, /Ready, with the bundled sample\./)
  const invented = inventedText(await inventedOf(served.sql))
  assert.ok(first.includes(`some of it is invented: ${invented}.`), invented)
  const { headers, status } = await ask(served.origin, '/')
  assert.equal(status, 200)
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'public, no-cache')
  assert.match(headers['content-security-policy'] as string, /^default-src 'none'; script-src 'self';/)
  const again = await ask(served.origin, '/', { headers: { 'if-none-match': headers.etag as string } })
  assert.equal(again.status, 304)
  assert.equal((await ask(served.origin, '/', { method: 'HEAD' })).body.length, 0)
})

test('the adviser of the first request is a real firm with owners, people and brochures', async () => {
  const crd = /by-crd\/(\d+)/.exec(page)?.[1]
  const { links, people } = await served.json<{ links: Record<string, unknown>; people: unknown[] }>(
    `/adv/advisers/by-crd/${crd}?include=people`,
  )
  for (const link of ['adviser_headcount', 'brochure_versions']) assert.ok(links[link], `${crd} ${link}`)
  assert.ok(people.length > 0, String(crd))
  assert.doesNotMatch(crd!, /^999/, 'numbers of specimens begin with 999')
})

test('each series of bulk files has a display name', () => {
  const series = registry.bulk.flatMap(({ source }) => Object.keys(source.series))
  assert.deepEqual(
    series.filter((name) => !Object.hasOwn(SERIES, name)),
    [],
  )
})

test('families, filings and bulk files on the page equal the counts of the API and the database', async () => {
  const { families } = await served.json<{
    families: { label: string; filings: number; extracted: number; tier: string }[]
  }>('/filings/coverage')
  const read = families.filter(({ tier }) => tier === 'structured')
  assert.ok(read.length >= 6)
  for (const { label, filings, extracted } of read) {
    const days = new RegExp(`${literal(label)} ${filings} ${extracted} \\d{4}-\\d\\d-\\d\\d`)
    assert.match(page.replace(/\s+/g, ' '), days)
  }
  const [, texts = '', listed = ''] = page
    .replace(/\s+/g, ' ')
    .split(/Filings that can be read as text|Filings that are listed|Next steps/)
  for (const { label, filings, tier } of families.filter(({ tier, filings }) => tier !== 'structured' && filings > 0))
    assert.ok((tier === 'reader' ? texts : listed).includes(`${label} ${filings} `), label)
  const all = families.reduce((sum, { filings }) => sum + filings, 0)
  const [{ newest }] = (await served.sql`select max(filed_date) as newest from edgar.filing`) as [{ newest: string }]
  assert.ok(page.replace(/\s+/g, ' ').includes(`Filings ${all} ${read.length} families read into rows`))
  assert.ok(page.replace(/\s+/g, ' ').includes(`Newest filing ${newest}`))
  const editions = await served.sql<{ series: string; records: number }[]>`
    select distinct on (series) series, case when series in ('SUBMISSIONS', 'COMPANY_FACTS', 'BROCHURES')
      then (select count(*)::int from bulk.record r where r.series = e.series) else records end as records
    from bulk.edition e where state = 'done' order by series, to_day desc, name desc`
  // These editions hold only a part: the file of one company, the brochures of a month.
  assert.ok(editions.find(({ series }) => series === 'SUBMISSIONS')!.records > 5)
  assert.equal(editions.length, 11)
  for (const { series, records } of editions) {
    const { label } = registry.bulk.find(({ source }) => Object.hasOwn(source.series, series))!
    const row = `${literal(`${SERIES[series]} ${label}, loaded`)} .{5,12} ${records} \\d{4}-\\d\\d-\\d\\d`
    assert.match(page.replace(/\s+/g, ' '), new RegExp(row))
  }
  assert.match(page, /No filing or file is waiting, and none failed\./)
})

const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

test('each first request is answered with rows, and the page shows values of exactly that answer', async () => {
  const commands = [
    ...page.matchAll(
      /curl '\s?http:\S+\s?(\/v1[^']+)' -H "Authorization: Bearer \$OPENFILINGS_KEY"(?: -o formd\.csv)?\s+(?:Copy)?([\s\S]*?)(?=curl|What is loaded)/g,
    ),
  ]
  assert.ok(commands.length >= 5, `${commands.length} requests`)
  const files = commands.filter(([, address]) => address!.endsWith('format=csv'))
  assert.equal(files.length, 1)
  for (const [, address, begin] of files) {
    const file = await (await served.get(address!.slice('/v1'.length))).text()
    const lines = file
      .replace(/[ \t]+/g, ' ')
      .split('\r\n')
      .slice(0, 3)
    assert.ok(lines.length === 3 && lines[0]!.includes('accession,'))
    for (const line of lines) assert.ok(begin!.includes(line), line)
  }
  for (const [, address, answer] of commands.filter((each) => !files.includes(each))) {
    const text = JSON.stringify(await served.json(address!.slice('/v1'.length)))
    const members = [...answer!.matchAll(/("\w+": (?:"[^"\n…]*"|-?[\d.]+|true|false))(?=,?\n)/g)].map(
      ([, member]) => member!,
    )
    assert.ok(members.length >= 3, `${address}: ${answer}`)
    for (const member of members) assert.ok(text.includes(member.replace('": ', '":')), `${address}: ${member}`)
  }
})

test('the newest filings link to their pages, in the order of the list', async () => {
  const { text } = await ask(served.origin, '/')
  const [, part] = text.match(/<h2 id="new">([\s\S]*?)<\/section>/)!
  const { rows } = await served.json<{ rows: { accession: string; cik: string }[] }>('/filings?limit=6')
  assert.deepEqual(
    Array.from(part!.matchAll(/href="\/(filing|company)\/([^"]+)"/g), ([, , id]) => id),
    rows.flatMap(({ accession, cik }) => [String(Number(cik)), accession]),
  )
})

test('names from the data are shown as text on the page, whatever characters they have', async (t) => {
  const world = await openWorld(t, { root: await temporaryFolder(t) })
  const name = `<img src=x onerror="alert(1)"> & 'Sons'`
  await loadFilings(world.sql, [
    { accession: '0000000001-25-000001', form: '10-K', filed: '2025-11-03', filers: [['1', name]] },
  ])
  const { origin } = await serveWorld(t, world)
  await until('the page shows the name', async () => (await ask(origin, '/')).text.includes('Sons'))
  const { text } = await ask(origin, '/')
  assert.ok(!text.includes('<img src=x'))
  assert.ok(text.includes('&lt;img src=x onerror='))
})

test('the page distinguishes "not loaded" from "none", and for an empty database it shows how to load data', async (t) => {
  const world = await openWorld(t, { root: await temporaryFolder(t) })
  const { origin } = await serveWorld(t, world)
  const empty = await shown(origin)
  assert.match(empty, /Nothing is loaded\. +openfilings ingest +loads real filings/)
  assert.match(empty.replace(/\s+/g, ' '), /Form D not loaded/)
  assert.match(empty.replace(/\s+/g, ' '), /Feed of the SEC Form ADV not loaded/)
  assert.doesNotMatch(empty, /First requests/)
  const other = await serveWorld(t, world)
  await world.sql`insert into edgar.watermark (host, source, through) values ('https://www.sec.gov', '/x/master.idx', '2026-01-01')`
  await loadFilings(world.sql, [
    { accession: '0000000001-25-000001', form: '10-K', filed: '2025-11-03', filers: [['1', 'ALPHA']] },
  ])
  await world.sql`
    insert into bulk.edition (series, name, from_day, to_day, state, files, records)
    values ('IA_FIRM_SEC', 'a.gz', '2026-01-01', '2026-01-01', 'done', '[]', 0)`
  const text = (await shown(other.origin)).replace(/\s+/g, ' ')
  assert.match(text, / Ready\. /)
  assert.match(text, /Form D none is in the indexes that were loaded/)
  assert.match(text, /Indexes through 2026-01-01/)
  assert.match(text, /Feed of the SEC Form ADV, loaded just now 0 2026-01-01/)
  assert.match(text, /Feed of the states Form ADV not loaded/)
})

test('the page says for how many chosen filers the list of their filings could not be read', async (t) => {
  const world = await openWorld(t, { root: await temporaryFolder(t) })
  await loadFilings(world.sql, [
    { accession: '0000000001-25-000001', form: '10-K', filed: '2025-11-03', filers: [['1', 'ALPHA']] },
  ])
  await world.sql`
    insert into edgar.chosen (cik, entry, through, problem, read_at)
    values ('0000000001', 'AAA', '2026-01-01', null, now()), ('0000000002', 'BBB', null, 'there is no file', now())`
  const { origin } = await serveWorld(t, world)
  const text = (await shown(origin)).replace(/\s+/g, ' ')
  assert.match(
    text,
    /Ready, with the filings of 2 chosen filers, through 2026-01-01\. For 1 of them, EDGAR’s list of their filings could not be read completely\./,
  )
})

test('failed filings, failed files and pending work are counted, but their reasons, which may name paths and hosts, are hidden', async (t) => {
  const world = await openWorld(t, { root: await temporaryFolder(t) })
  const { sql } = world
  for (const [n, state] of ['pending', 'pending', 'failed'].entries()) {
    const accession = `0000000001-25-00000${n}`
    await loadFilings(sql, [{ accession, form: 'D', filed: '2025-11-03', filers: [['1', 'ALPHA']] }])
    await sql`
      insert into edgar.task (accession, dataset, state, filed_date, error)
      values (${accession}, 'formd', ${state}, '2025-11-03', 'secret: /srv/archive on db.internal')`
  }
  await sql`
    insert into bulk.edition (series, name, from_day, to_day, state, files, error)
    values ('IA_FIRM_SEC', 'a.gz', '2025-12-31', '2025-12-31', 'failed', '[]', 'secret: /srv/archive')`
  await sql`
    insert into bulk.filing_set (dataset, name, from_day, to_day, source_url, state, error)
    values ('thirteenf', 'set', '2025-01-01', '2025-03-31', 'https://host.internal/x', 'begun', 'secret')`
  const { origin } = await serveWorld(t, world)
  const text = (await shown(origin)).replace(/\s+/g, ' ')
  assert.match(text, /2 filings wait to be read, 1 filing could not be read, 2 files could not be loaded;/)
  assert.match(text, /Form D 3 0 2 1 2025-11-03/)
  assert.match(text, /Feed of the SEC Form ADV not loaded: its file failed/)
  assert.doesNotMatch((await ask(origin, '/')).text, /secret|internal|srv/)
})

test('an open gap of the feed is on the page, in /v1/status, in a metric, in `status` and in `doctor`; a closed gap is history', async (t) => {
  const world = await openWorld(t, { root: await temporaryFolder(t) })
  const { sql } = world
  await loadFilings(sql, [
    { accession: '0000000001-25-000001', form: 'D', filed: '2025-11-03', filers: [['1', 'ALPHA']] },
  ])
  await sql`
    insert into edgar.feed_gap (host, after_at, before_at, closed_at)
    values ('https://www.sec.gov', '2025-11-03T15:00:00Z', '2025-11-03T17:30:00Z', null),
      ('https://www.sec.gov', '2025-10-01T15:00:00Z', '2025-10-01T16:00:00Z', now())`
  const { target: DATABASE_URL } = await overTcp(t, world)
  const env = { DATABASE_URL, DATA_DIR: await temporaryFolder(t) }
  const surfaces = async () => {
    const { origin, json, close } = await serveWorld(t, world, { pages: unkept() })
    const home = (await shown(origin)).replace(/\s+/g, ' ')
    const { text: metrics } = await ask(origin, '/metrics')
    const { open_gap_count: open } = await json<{ open_gap_count: number }>('/status')
    await close()
    return {
      isOnPage: home.includes('accepted between 2025-11-03 15:00 UTC and 2025-11-03 17:30 UTC are not listed here yet'),
      metric: Number(/^openfilings_feed_gaps_open (\d+)$/m.exec(metrics)?.[1]),
      open,
      isInStatus: (await run(['status'], env)).stdout.includes('open: filings may be missing'),
      isInDoctor: JSON.stringify(await checkDatabase(readSettings(env).config)).includes('has 1 gap: filings'),
    }
  }
  assert.deepEqual(await surfaces(), { isOnPage: true, metric: 1, open: 1, isInStatus: true, isInDoctor: true })
  await sql`update edgar.feed_gap set closed_at = now()`
  assert.deepEqual(await surfaces(), { isOnPage: false, metric: 0, open: 0, isInStatus: false, isInDoctor: false })
})

test('data that an operator closed to self-serve keys is hidden from visitors without a key', async (t) => {
  const { origin } = await serveWorld(t, served, { selfServeClosed: ['/adv/*'] })
  await until('the page shows first requests', async () => (await shown(origin)).includes('First requests'))
  const text = await shown(origin)
  assert.match(text, /\/v1\/filings\?limit=3/)
  assert.doesNotMatch(text, /\/v1\/adv\//)
  assert.doesNotMatch(text.replace(/\s+/g, ' '), /Advisers \d/)
  const all = await serveWorld(t, served, { selfServeClosed: ['/*'] })
  const bare = await shown(all.origin)
  assert.match(bare, /What is loaded/)
  assert.doesNotMatch(bare, /First requests/)
})

test('with HOME_PAGE=off the page has only links and reads nothing', async (t) => {
  const own = pages({ openapi: document, showsData: false })
  const server = await scratchServer(t, { pages: own })
  await server.sql.end()
  const { status, text } = await ask(server.base, '/')
  assert.equal(status, 200)
  assert.match(text, /href="\/docs"/)
  assert.match(text, /Version 1\.2\.3/)
  assert.doesNotMatch(text, /What is loaded|First requests|<dt>|class="standing/)
})

test('during a start the page shows the current step and the counts so far, as a 503 with Retry-After', async (t) => {
  let stage: string | null = 'loading the bundled sample'
  const own = pages({ openapi: document, waitsFor: () => stage })
  const { origin } = await serveWorld(t, served, { pages: own })
  const { status, headers, text } = await ask(origin, '/')
  assert.deepEqual([status, headers['retry-after'], headers['cache-control']], [503, '5', 'no-store'])
  assert.match(text, /Not ready yet\.<\/strong> Running: loading the bundled sample\./)
  assert.match(text, /data-reload="5"/)
  assert.match(text, /What is loaded/)
  assert.doesNotMatch(text, /First requests/)
  stage = null
  assert.match(await shown(origin), /Ready, with the bundled sample/)
})

test('without the database the page is 503 in time, shows the last data with its time, names no host, and recovers by itself', async (t) => {
  const proxy = await databaseProxy(t, served.target)
  const { readers } = openCounted(t, proxy.target)
  const { origin } = await serveWorld(t, served, { readers, statementTimeoutMs: 600, pages: unkept() })
  assert.match(await shown(origin), /Ready, with the bundled sample/)
  proxy.freeze()
  await until('the page states that the database is away', async () => (await ask(origin, '/')).status === 503)
  const begun = performance.now()
  const { text, headers } = await ask(origin, '/')
  assert.ok(performance.now() - begun < 10_000)
  assert.equal(headers['retry-after'], '5')
  assert.match(text, /The data cannot be read at the moment\.<\/strong> .* was read at \d{4}-\d\d-\d\d \d\d:\d\d UTC/)
  assert.match(text, /What is loaded/)
  assert.doesNotMatch(text, /127\.0\.0\.1|ECONN|postgres/i)
  // The reference describes the program and needs no database.
  for (const path of ['/docs', '/docs/formd_detail', '/llms.txt', '/v1/openapi.json'])
    assert.equal((await ask(origin, path)).status, 200, path)
  proxy.thaw()
  await until('the page shows the data again', async () => (await ask(origin, '/')).status === 200)
  // This service has never read data, so the page states only that the data cannot be read.
  const other = await serveWorld(t, served, { readers: openCounted(t, 'postgres://nobody@127.0.0.1:1/none').readers })
  const bare = await shown(other.origin, 503)
  assert.match(bare, /The data cannot be read at the moment\./)
  assert.doesNotMatch(bare, /What is loaded|was read/)
})

test('a first request that failed is missing from the page only for a moment, and not until data changes', async (t) => {
  await served.sql`alter view pub.formd_feed rename to elsewhere`
  const { origin } = await serveWorld(t, served, { pages: unkept() })
  const has = async (text: string) => (await shown(origin)).includes(text)
  try {
    await until('the page shows the request that could be answered', () => has('/v1/filings?limit=3'))
    assert.equal(await has('/v1/feed?'), false)
  } finally {
    await served.sql`alter view pub.elsewhere rename to formd_feed`
  }
  await until('the page shows the other requests too', () => has('/v1/feed?'))
})

test('a page that gets no slot states this without the cause, which is in the log', async (t) => {
  const lines: string[] = []
  const log = openLog({ level: 'warn', stream: { write: (line: string) => void lines.push(line) } })
  const { readers } = openCounted(t, served.target)
  const { origin } = await serveWorld(t, served, { readers: { ...readers, max: 0 }, slotWaitMs: 50, log })
  assert.match(await shown(origin, 503), /The data cannot be read at the moment\./)
  assert.ok(lines.some((line) => /"msg":"a page could not be read"/.test(line)))
})

/** Opens connections that are closed after the test. Counts how often a connection is taken. */
function openCounted(t: { after(fn: () => Promise<void>): void }, target: Connection['target']) {
  const readers = openReaders({ target, max: 2 })
  t.after(() => readers.end())
  let taken = 0
  const counted = {
    ...readers,
    take() {
      taken++
      return readers.take()
    },
  }
  return { readers: counted, taken: () => taken }
}

test('three hundred simultaneous requests for the page, and three hundred more, cost the database no more than one request', async (t) => {
  const costOf = async (times: number) => {
    const { readers, taken } = openCounted(t, served.target)
    const { origin } = await serveWorld(t, served, { readers })
    const many = async () => {
      for (const { status } of await Promise.all(Array.from({ length: times }, () => ask(origin, '/')))) {
        assert.equal(status, 200)
      }
    }
    await many()
    await until('the page shows first requests', async () => (await shown(origin)).includes('First requests'))
    const once = taken()
    await many()
    assert.equal(taken(), once)
    return once
  }
  const one = await costOf(1)
  assert.ok(one > 10, 'the first page needs many connections')
  const all = await costOf(300)
  // A computation returns its connection between statements that do not follow each other at once, so the number varies
  // a little.
  assert.ok(all <= one * 1.5, `${all} instead of ${one}`)
})

test('/v1 describes the service in JSON with links, and other addresses that people type redirect', async () => {
  for (const path of ['/v1', '/v1/']) {
    const { status, json } = await ask(served.origin, path)
    assert.equal(status, 200)
    assert.deepEqual(json(), {
      name: 'OpenFilings',
      version: '0.0.0',
      docs: '/docs',
      openapi: '/v1/openapi.json',
      me: '/v1/me',
    })
  }
  const to = async (path: string) => {
    const { status, headers } = await ask(served.origin, path)
    assert.equal(status, 302, path)
    return ask(served.origin, headers.location!)
  }
  assert.match((await to('/docs/')).headers['content-type']!, /^text\/html/)
  assert.equal((await to('/openapi.json')).json<{ openapi: string }>().openapi, '3.1.0')
  const icon = await to('/favicon.ico')
  assert.match(icon.headers['content-type']!, /^image\/svg\+xml/)
  assert.match(icon.text, /^<svg /)
  const robots = await ask(served.origin, '/robots.txt')
  assert.match(robots.headers['content-type']!, /^text\/plain/)
  assert.match(robots.text, /^User-agent: \*\nAllow: \/v1\/openapi\.json\nDisallow: \/v1\n/)
})

test('every link of the page works', async () => {
  const { text } = await ask(served.origin, '/')
  const links = new Set(Array.from(text.matchAll(/ (?:href|src)="(\/[^"]*)"/g), ([, link]) => link!))
  assert.ok(links.size >= 8)
  // The page that lists all lists needs a key.
  const headers = { cookie: `openfilings_key=${served.keys.full}` }
  for (const link of links) assert.equal((await ask(served.origin, link, { headers })).status, 200, link)
})

test('project documents are links if their location is known', async (t) => {
  const project = await projectAddress()
  assert.match(project, /^https:\/\/[\w.]+\/[\w./-]+[\w-]$/)
  const { origin } = await serveWorld(t, served, { pages: pages({ openapi: document, project }) })
  const { text } = await ask(origin, '/')
  const links = Array.from(text.matchAll(/ href="(https:[^"]*)"/g), ([, link]) => link!)
  assert.ok(links.length >= 5)
  for (const link of links) {
    assert.ok(link.startsWith(`${project}/blob/HEAD/`), link)
    assert.ok(existsSync(path.join(root, link.slice(`${project}/blob/HEAD/`.length))), link)
  }
})

/** Runs the greeting of a start over the sample, with the key file in the folder `dataDir`. */
function greeting(t: TestContext, dataDir: string, sqlOf: () => Sql = () => served.sql, onKey: () => void = () => {}) {
  const stop = new AbortController()
  t.after(() => stop.abort())
  const written: string[] = []
  const seen = { looks: 0 }
  const app = {
    get sql() {
      seen.looks++
      return sqlOf()
    },
    ...{ dataDir, submissions: served.submissions },
  }
  const at = { address: served.origin, token: 'token', sample: digest, signal: stop.signal, lookMs: 20 }
  const ended = greetAtChanges(app as App, { ...at, onKey }, (text) => void written.push(text))
  // A caller that waits for the end of the greeting gets the failure.
  ended.catch(() => {})
  return { written, seen, stop, ended }
}

test('a start whose database disappears during the greeting reports nothing wrong, and greets when the database returns', async (t) => {
  const lost = connect({ target: served.target, max: 1 })
  let current = lost
  // This runs after the key was made, and before the loaded data is queried.
  const lose = () => void lost.end({ timeout: 0 })
  const begun = greeting(t, await temporaryFolder(t), () => current, lose)
  await until('the database went away, and the greeting queried it again', () => begun.seen.looks > 9)
  assert.deepEqual(begun.written, [])
  await assert.rejects(lost`select 1`, /CONNECTION_ENDED/)
  current = connect({ target: served.target, max: 1 })
  t.after(() => current.end({ timeout: 1 }))
  await until('the greeting is written', () => begun.written.length === 1)
  assert.match(begun.written[0]!, /OpenFilings is ready at.*Loaded: +the bundled sample: .*\nTry:\n {2}curl/s)
  begun.stop.abort()
  await begun.ended
  assert.equal(begun.written.length, 1)
})

test('a ready key that cannot be read or stored ends the start with the name of its file', async (t) => {
  const folder = await temporaryFolder(t)
  const file = path.join(folder, 'api-key')
  await mkdir(file)
  await assert.rejects(greeting(t, folder).ended, {
    name: 'UserError',
    message: `the API key of this data folder, ${file}, cannot be read`,
  })
  await rmdir(file)
  await symlink(path.join(folder, 'nowhere', 'api-key'), file)
  await assert.rejects(greeting(t, folder).ended, {
    name: 'UserError',
    message: `the API key of this data folder cannot be written to ${file}`,
  })
})
