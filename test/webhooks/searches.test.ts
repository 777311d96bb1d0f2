/** Saved searches find new rows once and in order, despite failures of receivers and of the service. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ServedRoute } from '../../src/declare/catalog.ts'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import { accessionOf } from '../../src/declare/feeds.ts'
import registry from '../../src/registry.ts'
import { append } from '../../src/store/events.ts'
import { createSearch, deleteSearch, listSearches, SEARCHES_MAX } from '../../src/webhooks/saved-searches.ts'
import { isSearchable, searchedBy } from '../../src/webhooks/search-list.ts'
import { addMatches } from '../../src/webhooks/search-matches.ts'
import type { WatchParts } from '../../src/webhooks/search-step.ts'
import { searchNew } from '../../src/webhooks/search-watch.ts'
import { logChange } from '../support/change-log.ts'
import { keysOf, openDeliveries } from '../support/deliveries.ts'
import { firstsOf, receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

type Rows = { rows: { accession: string; state: string | null; filed_date: string }[] }
type T = { after(fn: () => Promise<void>): void }

const opened = await openDeliveries({ after })
const { served, sql, delivering } = opened
const never = new AbortController().signal
const problems: string[] = []
const look = (others: Partial<WatchParts> = {}, signal = never) =>
  searchNew(
    {
      sql,
      catalog: registry,
      now: () => new Date(),
      onProblem: (list, reason) => void problems.push(`${list}: ${reason}`),
      onSetAside: () => {},
      ...others,
    },
    signal,
  )

const { rows: offerings } = await served.json<Rows>('/formd/filings?limit=200')
const all = offerings.map(({ accession }) => accession)

/** Creates a saved search that is deleted after the test. */
async function saved(t: T, list: string, { url, feed = url === undefined }: { url?: string; feed?: boolean } = {}) {
  const { route, address } = searchedBy(registry, list)
  const made = await createSearch(sql, { ...{ name: list, list: route.name, address, url, feed }, now: new Date() })
  t.after(() => deleteSearch(sql, made.search_id).catch(() => {}))
  return made
}

const matchesOf = async (id: string) => {
  const rows = await sql<{ row_key: string; match_number: number; row: string }[]>`
    select row_key, match_number::float8 as match_number, content as row from core.search_match
    where search_id = ${id} order by match_number`
  return rows.map(({ row_key, ...rest }) => ({ key: row_key, ...rest }))
}
const keysIn = async (id: string) => (await matchesOf(id)).map(({ key }) => decodeURIComponent(key.split('/')[0]!))
const changed = (slug: string, keys: readonly string[] | null) => logChange(sql, { slug, keys })

test('a search finds only the rows of its list that come from new filings, each once', async (t) => {
  const state = offerings.find((row) => row.state)!.state!
  const wanted = offerings.filter((row) => row.state === state).map(({ accession }) => accession)
  const { search_id } = await saved(t, `/v1/formd/filings?state=${state}`)
  await look()
  assert.deepEqual(await keysIn(search_id), [], 'nothing is new')
  await changed('formd', all)
  await look()
  assert.deepEqual((await keysIn(search_id)).sort(), [...wanted].sort())
  await changed('formd', all)
  await changed('formd', null)
  await look()
  assert.equal((await keysIn(search_id)).length, wanted.length, 'a row that is corrected, or read again, comes once')
  const [first] = await matchesOf(search_id)
  const { rows } = await served.json<Rows>(`/formd/filings?state=${state}&limit=200`)
  assert.deepEqual(
    JSON.parse(first!.row),
    rows.find(({ accession }) => accession === first!.key),
  )
})

test('a search can be saved for every list, and finds the rows that the list returns for its first example', async (t) => {
  const lists = registry.routes.filter((route) => route.list?.feed && isSearchable(route))
  const made = []
  for (const route of lists) {
    const { limit: _, cursor: __, ...values } = exampleRequests(route)[0]!.values
    const response = await served.get(addressOf(route, { ...values, format: 'ndjson' }))
    const lines = (await response.text()).trimEnd().split('\n').slice(0, -1)
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    // Brochures have no accession; a separate test loads brochures.
    const expected = rows.flatMap((row) => (accessionOf(row) as string | null | undefined) ?? [])
    // A new adviser is identified by its firm and has no filing, so no accession is expected.
    assert.ok(expected.length > 0 || route.list!.feed!.ids[0] === 'crd', route.path)
    made.push({ route, expected, ...(await saved(t, addressOf(route, values))) })
  }
  for (const { route, expected } of made) await changed(route.reads[0]!, [...new Set(expected)])
  await look()
  assert.deepEqual(problems, [])
  for (const { route, expected, search_id } of made) {
    const found = (await matchesOf(search_id)).map(({ row }) => accessionOf(JSON.parse(row)) as string)
    assert.deepEqual(found.sort(), expected.sort(), route.path)
  }
})

test('whether a vote is new for a search depends on the filing date of its report, not on the date of the meeting', async (t) => {
  type Votes = { rows: { accession: string; line: number; meeting_date: string }[] }
  const { rows } = await served.json<Votes>('/npx/votes?cusip=990115107&limit=200')
  const [{ accession, meeting_date: day }] = rows as [Votes['rows'][number]]
  const expected = rows.filter((row) => row.accession === accession && row.meeting_date === day)
  const searches = {
    all: await saved(t, `/v1/npx/votes?cusip=990115107&from=${day}&to=${day}`),
    other: await saved(t, '/v1/npx/votes?cusip=990115107&from=1990-01-01&to=1990-12-31'),
    later: await saved(t, `/v1/npx/votes?cusip=990115107&to=${day}`),
  }
  const linesIn = async (id: string) =>
    (await matchesOf(id)).map(({ row }) => (JSON.parse(row) as { line: number }).line).sort((a, b) => a - b)
  await changed('npx', null)
  await look()
  assert.deepEqual(await linesIn(searches.later.search_id), [], 'a report that was filed before is not new')
  await changed('npx', [accession, '0000000000-00-000000'])
  await look()
  const lines = expected.map(({ line }) => line).sort((a, b) => a - b)
  assert.deepEqual(await linesIn(searches.all.search_id), lines)
  assert.deepEqual(await matchesOf(searches.other.search_id), [])
  await changed('npx', [accession])
  await look()
  assert.deepEqual(await linesIn(searches.all.search_id), lines, 'each row comes once')
  const [{ filed }] = await sql<[{ filed: string }]>`
    update npx.report r set filed_date = now()::date from npx.report o
    where r.accession = ${accession} and o.accession = r.accession returning o.filed_date as filed`
  t.after(async () => void (await sql`update npx.report set filed_date = ${filed} where accession = ${accession}`))
  const unnamed = await saved(t, `/v1/npx/votes?cusip=990115107&from=${day}&to=${day}`)
  await changed('npx', null)
  await look()
  assert.deepEqual(await linesIn(unnamed.search_id), lines, 'reports filed since are read if the event names none')
})

test('a search finds all votes of a report, even if they do not fit on one page', async (t) => {
  const [{ accession, cusip }] = await sql<[{ accession: string; cusip: string }]>`
    select accession, cusip from npx.vote where cusip is not null order by accession, line limit 1`
  await sql`
    insert into npx.vote
    select many.* from generate_series(1, 1500) n,
      (select * from npx.vote where accession = ${accession} and cusip = ${cusip} order by line limit 1) one,
      jsonb_populate_record(null::npx.vote, to_jsonb(one) || jsonb_build_object('line', 100000 + n)) many`
  t.after(async () => void (await sql`delete from npx.vote where accession = ${accession} and line > 100000`))
  const { search_id } = await saved(t, `/v1/npx/votes?cusip=${cusip}`)
  await changed('npx', [accession])
  await look()
  assert.ok((await matchesOf(search_id)).length > 1_500)
})

test('a search finds an offering only after an event about the filing by which the offering came to match', async (t) => {
  type Ipos = { rows: { accession: string; stage: string; stage_date: string; price_to_range: string | null }[] }
  const { rows } = await served.json<Ipos>('/ipos?stage=listed&price_to_range=within&limit=50')
  const { accession, stage_date } = rows[0]!
  const filings = await sql<{ accession: string; filed_date: string }[]>`
    select accession, filed_date from offerings.member where offering_accession = ${accession} order by filed_date`
  const [step] = await sql<{ accession: string }[]>`
    select accession from offerings.step where offering_accession = ${accession} and date = ${stage_date} limit 1`
  const [terms] = await sql<{ accession: string }[]>`
    select terms_accession as accession from offerings.offering where accession = ${accession}`
  const made = {
    all: await saved(t, '/v1/ipos'),
    listed: await saved(t, '/v1/ipos?stage=listed'),
    filed: await saved(t, '/v1/ipos?stage=filed'),
    within: await saved(t, '/v1/ipos?price_to_range=within'),
    above: await saved(t, '/v1/ipos?price_to_range=above'),
  }
  const found = async () => {
    const of = await Promise.all(Object.values(made).map(({ search_id }) => keysIn(search_id)))
    return Object.fromEntries(Object.keys(made).map((name, n) => [name, of[n]]))
  }
  const none = { all: [], listed: [], filed: [], within: [], above: [] }
  const idle = filings.filter((one) => ![accession, step!.accession, terms!.accession].includes(one.accession))
  const [{ ranges }] = await sql<[{ ranges: string[] }]>`
    select coalesce(array_agg(accession), '{}') as ranges from offerings.filing where price_low is not null`
  const without = idle.filter((one) => !ranges.includes(one.accession))
  assert.ok(without.length > 0, 'a filing changes nothing')
  await changed(
    'offerings',
    without.map((one) => one.accession),
  )
  await changed('offerings', null)
  await look()
  assert.deepEqual(await found(), none, 'an offering that was listed before is not new')
  await changed('offerings', [step!.accession])
  await look()
  assert.deepEqual((await found()).listed, [accession], 'it has become listed')
  assert.deepEqual((await found()).all, [], 'the offering itself is not new')
  await changed('offerings', [terms!.accession])
  await look()
  assert.deepEqual((await found()).within, [accession], 'its price has become known')
  await changed('offerings', [accession])
  await changed('offerings', [accession, step!.accession])
  await look()
  assert.deepEqual(await found(), { ...none, all: [accession], listed: [accession], within: [accession] })
})

test('a search by stage finds offerings that reach the stage after the search was saved, even if the event names no filing', async (t) => {
  const { search_id } = await saved(t, '/v1/ipos?stage=listed')
  const [one] = await sql<{ accession: string; step: string; day: string; member: string }[]>`
    select o.accession, s.accession as step, o.stage_date as day, m.filed_date as member from offerings.offering o
    join offerings.step s on s.offering_accession = o.accession and s.date = o.stage_date
    join offerings.member m on m.offering_accession = o.accession and m.accession = s.accession
    where o.stage = 'listed' and o.listed_basis is null and s.accession <> o.accession order by o.accession limit 1`
  const { accession, step, day, member } = one!
  const put = async (stage: string, filed: string) => {
    await sql`update offerings.offering set stage_date = ${stage} where accession = ${accession}`
    await sql`update offerings.step set date = ${stage} where offering_accession = ${accession} and accession = ${step}`
    await sql`update offerings.member set filed_date = ${filed} where offering_accession = ${accession} and accession = ${step}`
  }
  t.after(() => put(day, member))
  const today = new Date().toISOString().slice(0, 10)
  await put(today, today)
  await changed('offerings', null)
  await look()
  assert.deepEqual(await keysIn(search_id), [accession])
})

test('events that commit late are not lost, and are processed in the order of their numbers', async (t) => {
  const { search_id } = await saved(t, '/v1/formd/filings')
  const [early, late] = [all[0]!, all[1]!]
  let commit = () => {}
  const held = new Promise<void>((resolve) => {
    commit = resolve
  })
  let isWritten = () => {}
  const written = new Promise<void>((resolve) => {
    isWritten = resolve
  })
  const slow = sql.begin(async (tx) => {
    await append(tx, [{ slug: 'formd', what: 'added', keys: [early] }])
    isWritten()
    await held
  })
  await written
  const other = changed('formd', [late])
  await look()
  assert.deepEqual(await keysIn(search_id), [])
  commit()
  await Promise.all([slow, other])
  await look()
  assert.deepEqual(await keysIn(search_id), [early, late])
})

test('if a rollup is refreshed only after the event, a search finds its rows after the refresh', async (t) => {
  const { search_id } = await saved(t, '/v1/thirteenf/managers')
  const [row] = await sql<{ accession: string }[]>`select accession from thirteenf.filer limit 1`
  const accession = row!.accession
  const [kept] = await sql<
    { row: string }[]
  >`select to_jsonb(m)::text as row from thirteenf.filer m where accession = ${accession}`
  await sql`delete from thirteenf.filer where accession = ${accession}`
  await sql`insert into core.mark (slug, key) values ('thirteenf', 'a test')`
  await changed('thirteenf', [accession])
  await look()
  assert.deepEqual(await keysIn(search_id), [])
  await sql`insert into thirteenf.filer select * from jsonb_populate_record(null::thirteenf.filer, ${kept!.row}::text::jsonb)`
  await sql`delete from core.mark where key = 'a test'`
  await look()
  assert.deepEqual(await keysIn(search_id), [accession])
})

test('two processes that search at the same time find each row only once', async (t) => {
  const { search_id } = await saved(t, '/v1/formd/filings')
  await changed('formd', all)
  await Promise.all(Array.from({ length: 4 }, () => look()))
  await look()
  const found = await keysIn(search_id)
  assert.deepEqual([...found].sort(), [...all].sort())
})

test('a search that is created while the event log is processed gets all later events and no earlier ones', async (t) => {
  const first = await saved(t, '/v1/formd/filings')
  const made: { search_id: string; from: number }[] = []
  for (const [n, key] of all.slice(0, 8).entries()) {
    const [, one] = await Promise.all([look(), saved(t, '/v1/formd/filings')])
    made.push({ search_id: one.search_id, from: n })
    await changed('formd', [key])
  }
  await look()
  problems.length = 0
  assert.equal((await keysIn(first.search_id)).length, 8)
  for (const { search_id, from } of made) assert.deepEqual(await keysIn(search_id), all.slice(from, 8))
})

test('a receiver gets the matches in order, also after failures, and a repeated delivery keeps its id', async (t) => {
  const to = await receiver(t)
  const { search_id, webhook_id, secret } = await saved(t, '/v1/formd/filings', { url: to.url })
  assert.match(secret!, /^whsec_/)
  to.next = [500, (response) => void response.socket!.destroy()]
  await delivering(t)
  await changed('formd', all.slice(0, 5))
  await until('five matches are accepted', () => keysOf(to.taken).length >= 5)
  await changed('formd', all.slice(3, 9))
  await until('all nine matches are accepted', () => keysOf(to.taken).length >= 9)
  assert.deepEqual(keysOf(to.taken), all.slice(0, 9))
  assert.equal(new Set(to.received.slice(0, 3).map(({ id }) => id)).size, 1)
  const body = JSON.parse(to.taken[0]!.body)
  assert.deepEqual(Object.keys(body), ['webhook_id', 'search', 'matches', 'next_after'])
  assert.deepEqual([body.webhook_id, body.search.search_id], [webhook_id, search_id])
  await until(
    'the last delivery is recorded',
    async () => (await listSearches(sql)).find((one) => one.search_id === search_id)!.waiting === 0,
  )
})

test('a service that is stopped at any moment and restarted delivers all matches, and repeats a delivery only with the same id', async (t) => {
  const to = await receiver(t)
  await saved(t, '/v1/formd/filings', { url: to.url })
  const keys = all.slice(0, 24)
  for (const key of keys) {
    const { close } = await delivering(t)
    const change = changed('formd', [key])
    // Stops the service before, while and after it searches and delivers.
    await new Promise((resolve) => setTimeout(resolve, (keys.indexOf(key) * 7) % 60))
    await Promise.all([close(), change])
  }
  await delivering(t)
  await until('all matches arrive', () => new Set(keysOf(to.received)).size === keys.length)
  assert.deepEqual(keysOf(firstsOf(to.received)), keys)
})

test('if a search is deleted during a delivery, nothing more is sent for it, and none of its rows remain', async (t) => {
  const to = await receiver(t)
  const { search_id, webhook_id } = await saved(t, '/v1/formd/filings', { url: to.url })
  let answer = () => {}
  to.next = [
    (response) => {
      answer = () => void response.writeHead(204).end()
    },
  ]
  await delivering(t)
  await changed('formd', all.slice(0, 2))
  await until('the first delivery arrives', () => to.received.length === 1)
  await deleteSearch(sql, search_id)
  answer()
  await changed('formd', all.slice(2, 4))
  await look()
  const left = await sql`
    select from core.search_match where search_id = ${search_id}
    union all select from core.webhook where webhook_id = ${webhook_id}`
  assert.equal(left.length, 0)
  assert.equal(to.received.length, 1)
  await assert.rejects(deleteSearch(sql, search_id), /unknown saved search/)
})

test('a search of the event log finds only the events that match its filters', async (t) => {
  const { search_id } = await saved(t, '/v1/events?family=formd&source=formd')
  await changed('formd', all.slice(0, 2))
  await changed('form144', all.slice(2, 4))
  await look()
  const keys = (await matchesOf(search_id)).map(({ row }) => (JSON.parse(row) as { key: string }).key)
  assert.deepEqual(keys, all.slice(0, 2))
})

test('a search whose list no longer accepts its filters reports this, and the other searches continue', async (t) => {
  const good = await saved(t, '/v1/formd/filings')
  const bad = await createSearch(sql, {
    ...{ name: 'old', list: 'formd_filings', address: '/formd/filings?gone=1' },
    feed: true,
    now: new Date(),
  })
  t.after(() => deleteSearch(sql, bad.search_id))
  await changed('formd', all.slice(0, 1))
  await look()
  assert.deepEqual(await keysIn(good.search_id), all.slice(0, 1))
  const { problem } = (await listSearches(sql)).find(({ search_id }) => search_id === bad.search_id)!
  assert.match(problem!, /gone/)
})

test('a search for a family that this version no longer has reports this, and the other searches continue', async (t) => {
  const good = await saved(t, '/v1/events?source=formd')
  const made = { name: 'old', list: 'events', feed: true, now: new Date() }
  const bad = await createSearch(sql, { ...made, address: '/events?source=gone' })
  t.after(() => deleteSearch(sql, bad.search_id))
  await changed('formd', all.slice(0, 1))
  await look()
  assert.equal((await matchesOf(good.search_id)).length, 1)
  const { problem } = (await listSearches(sql)).find(({ search_id }) => search_id === bad.search_id)!
  assert.match(problem!, /gone/)
  assert.deepEqual(problems, [])
})

test('a search that the database does not answer in time delays no other search, and finds everything later', async (t) => {
  const good = await saved(t, '/v1/filings?form=D')
  const bad = await saved(t, '/v1/filings?form=D&q=hashnote')
  const notices = await served.json<Rows>('/filings?form=D&limit=50')
  const clock = { ms: Date.now() }
  const aside: string[] = []
  let tries = 0
  let fails: () => void = () => {}
  const routes = registry.routes.map((route): ServedRoute => {
    if (route.name !== 'filings') return route
    const run: ServedRoute['run'] = (input, context) => {
      if (input.q !== undefined) tries++
      if (input.q !== undefined) fails()
      return route.run(input, context)
    }
    return { ...route, run }
  })
  const lookLate = (others: Partial<WatchParts> = {}) =>
    look({
      ...others,
      catalog: { ...registry, routes },
      statementMs: 3_000,
      now: () => new Date(clock.ms),
      onSetAside: ({ address }, reason) => void aside.push(`${address}: ${reason}`),
    })
  const problemOf = async ({ search_id }: { search_id: string }) =>
    (await listSearches(sql)).find((one) => one.search_id === search_id)!.problem
  const LATE = 'the database did not answer this search in time'
  await sql.begin(async (tx) => {
    // Only a search with a name reads this table.
    await tx`lock table edgar.filer_search in access exclusive mode`
    await changed('formd', all)
    await lookLate()
    assert.equal((await keysIn(good.search_id)).length, notices.rows.length)
    assert.deepEqual(aside, [`/filings?form=D&q=hashnote: ${LATE}`])
    // It was tried with the others and then alone; the third try comes after a pause.
    assert.equal(tries, 2)
    await changed('formd', all.slice(0, 1))
    clock.ms += 59_000
    await lookLate()
  })
  assert.deepEqual([await problemOf(good), await problemOf(bad)], [null, LATE])
  assert.deepEqual(await keysIn(bad.search_id), [])
  clock.ms += 1_000
  // A pass that is late leaves it to the next pass. An error that is not about the search says nothing about it.
  const answers = [false]
  await lookLate({ isLate: () => answers.shift() ?? true })
  assert.deepEqual([tries, answers.length], [2, 0])
  fails = () => {
    throw new Error('the disk is full')
  }
  await lookLate()
  assert.deepEqual([await problemOf(bad), problems.splice(0)], [LATE, ['filings: the disk is full']])
  fails = () => {}
  await lookLate()
  const wanted = await served.json<Rows>('/filings?form=D&q=hashnote')
  assert.deepEqual((await keysIn(bad.search_id)).sort(), wanted.rows.map(({ accession }) => accession).sort())
  assert.notEqual(wanted.rows.length, 0)
  assert.equal(await problemOf(bad), null)
  assert.deepEqual(problems, [])
})

test('a stop ends a pass between two searches that are run alone, and the next pass searches for both', async (t) => {
  const made = { name: 'old', list: 'events', feed: true, now: new Date() }
  const ids: string[] = []
  for (const family of ['gone', 'lost']) {
    const { search_id } = await createSearch(sql, { ...made, address: `/events?source=${family}` })
    t.after(() => deleteSearch(sql, search_id))
    ids.push(search_id)
  }
  await changed('formd', all.slice(0, 1))
  const stop = new AbortController()
  const aside: string[] = []
  const onSetAside = ({ address }: { address: string }) => {
    aside.push(address)
    stop.abort(new Error('stopped'))
  }
  await assert.rejects(look({ onSetAside }, stop.signal), /stopped/)
  await look({ onSetAside })
  assert.deepEqual(aside, ['/events?source=gone', '/events?source=gone', '/events?source=lost'])
  const problems = (await listSearches(sql)).filter(({ search_id }) => ids.includes(search_id))
  assert.ok(problems.length === 2 && problems.every(({ problem }) => problem !== null))
})

test('a pass that runs out of time leaves the rest to the next pass, and no match is lost', async (t) => {
  const { search_id } = await saved(t, '/v1/formd/filings')
  await changed('formd', all.slice(0, 2))
  await look({ isLate: () => true })
  assert.deepEqual(await keysIn(search_id), [])
  await look()
  assert.deepEqual((await keysIn(search_id)).sort(), all.slice(0, 2).sort())
})

test('more matches than one statement can insert are numbered without a gap', async (t) => {
  const { search_id } = await saved(t, '/v1/formd/filings')
  const hits = Array.from({ length: 5_003 }, (_, n) => ({ search_id, key: `key ${n}`, row: '{}' }))
  const found = await sql.begin((tx) => addMatches(tx, [...hits, ...hits.slice(0, 5)], new Date()))
  assert.equal(found, 5_003)
  const [row] = await sql<[{ count: number; last: number }]>`
    select count(*)::int as count, max(match_number)::int as last from core.search_match where search_id = ${search_id}`
  assert.deepEqual({ ...row }, { count: 5_003, last: 5_003 })
})

test('an invalid search is refused with the reason', async () => {
  const refused: [address: string, reason: RegExp][] = [
    ['/v1/formd/filings?color=red', /unknown parameter|color/],
    ['/v1/formd/filings?from=yesterday', /from: must be a day/],
    ['/v1/nothing', /not the address of a list/],
    ['/v1/companies', /not listed by the day of filing, so none of them can be new$/],
    ['/v1/brochures/search?q=fees', /so none of them can be new; \/v1\/text-search\?corpora=brochures/],
    ['/v1/doc-text/by-cik/%ff', /percent-encoded/],
    ['formd', /not the address of a list/],
  ]
  for (const [address, reason] of refused) assert.throws(() => searchedBy(registry, address), reason, address)
  const made = { name: 'x', list: 'formd_filings', address: '/formd/filings', now: new Date() }
  await assert.rejects(createSearch(sql, { ...made, feed: false }), /--url URL, --feed, or both/)
  await assert.rejects(createSearch(sql, { ...made, name: 'a\u0000', feed: true }), /printable/)
})

test('the maximum number of searches holds even if two are created at once', async (t) => {
  await sql`
    insert into core.search (search_id, name, list, address, created_at, since)
    select 'many' || n, 'x', 'none', '/none', now(), 0 from generate_series(1, ${SEARCHES_MAX - 1}) n`
  t.after(async () => void (await sql`delete from core.search where list = 'none'`))
  const made = await Promise.allSettled([saved(t, '/v1/formd/filings'), saved(t, '/v1/formd/filings')])
  assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
})

test('a feed address returns only the matches of its search, until the search is deleted', async (t) => {
  const { search_id, feed } = await saved(t, '/v1/formd/filings')
  await changed('formd', all.slice(0, 3))
  await look()
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${served.origin}${path}`, { headers: { 'accept-encoding': 'identity', ...headers } })
  const atom = await get(feed!)
  assert.equal(atom.status, 200)
  assert.equal(atom.headers.get('content-type'), 'application/atom+xml; charset=utf-8')
  const text = await atom.text()
  assert.equal(text.split('<entry>').length - 1, 3)
  assert.equal((await get(feed!, { 'if-none-match': atom.headers.get('etag')! })).status, 304)
  const { items } = (await (await get(`${feed}?format=jsonfeed`)).json()) as { items: { id: string }[] }
  assert.deepEqual(
    items.map(({ id }) => id),
    all
      .slice(0, 3)
      .reverse()
      .map((key) => `tag:openfilings,2026:formd_filings/${key}`),
  )
  assert.equal((await get(`${feed}?format=csv`)).status, 400)
  assert.equal((await get(`${feed}?state=CA`)).status, 400)
  const token = feed!.split('/').at(-1)!
  for (const key of [token, token.slice(3)]) assert.equal((await served.get('/me', { 'x-api-key': key })).status, 401)
  assert.equal((await get(`/feeds/sf_${'0'.repeat(40)}`)).status, 404)
  const [stored] = await sql<{ secret: Buffer }[]>`select secret from core.search where search_id = ${search_id}`
  assert.ok(!stored!.secret.toString('hex').includes(token.slice(3)), 'the secret is not stored')
  await deleteSearch(sql, search_id)
  assert.equal((await get(feed!)).status, 404)
})
