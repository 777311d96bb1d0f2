/** The event feed: each event once and in order, for any request. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { z } from 'zod'
import { Random } from '../../../bench/random.ts'
import { page } from '../../../src/products/events/answers.ts'
import { eventsAfter, meeting, newsAfter } from '../../../src/products/events/queries.ts'
import registry from '../../../src/registry.ts'
import { append, after as eventsOf } from '../../../src/store/events.ts'
import { serveSample } from '../../support/served.ts'

type Page = z.infer<typeof page>

const served = await serveSample({ after })
const { sql } = served
const ask = (query: string) => served.json<Page>(`/events?${query}`)

/** Reads all pages like a client that follows the feed. */
async function walked(query: string, after = 0): Promise<{ events: Page['events']; pages: number }> {
  const events: Page['events'] = []
  for (let pages = 1, from = after; ; pages++) {
    const found = await ask(`${query}&after=${from}`)
    events.push(...found.events)
    assert.ok(found.next_after >= from)
    if (found.is_end) return { events, pages }
    assert.ok(found.next_after > from, 'each page but the last has a greater position')
    from = found.next_after
  }
}

test('pages of any size have every event of the log once, in log order', async () => {
  const log = await eventsOf(sql, 0, 100_000)
  assert.ok(log.length > 100)
  for (const limit of [1000, 7]) {
    const { events } = await walked(`limit=${limit}`)
    assert.deepEqual(
      events.map(({ event_number, source, key, what }) => ({ seq: event_number, slug: source, key, what })),
      log.map(({ seq, slug, key, what }) => ({ seq, slug, key, what })),
    )
  }
})

test('each page matches its declared schema, and a filing has the data of the index', async () => {
  const found = page.parse(await ask('source=formd&limit=3'))
  for (const { key, filing, source } of found.events) {
    assert.equal(source, 'formd')
    const [of] = await sql`
      select accession, form_type, filed_date, cik, company_name, family from edgar.filing where accession = ${key}`
    const { url, ...received } = filing!
    assert.deepEqual(received, { ...of })
    assert.equal(url, `/v1/filing/${key}`)
  }
})

/** Datasets that read filings with one of these forms. */
const readersOf = (forms: readonly string[]) =>
  registry.filings.filter(({ source }) => forms.some((form) => source.forms.includes(form))).map(({ slug }) => slug)

test('filters by source, family, form and filer find the same events as a scan of all events, including events without a key that concern the requested filings', async () => {
  const { events } = await walked('limit=1000')
  const log = await sql<{ seq: number; forms: string[] | null }[]>`select seq::float8 as seq, forms from core.event`
  const formsOf = new Map(log.map(({ seq, forms }) => [seq, forms]))
  const filers = await sql<{ accession: string; cik: string }[]>`select accession, cik from edgar.filer`
  const ciksOf = Map.groupBy(filers, ({ accession }) => accession)
  const has = (key: string | null, cik: string) => ciksOf.get(key!)?.some((filer) => filer.cik === cik)
  // A filing with two filers is found by the second filer too.
  const [second] = await sql<{ cik: string }[]>`
    select r.cik from edgar.filer r join edgar.filing f using (accession) join core.event e on e.key = f.accession
    where r.cik <> f.cik limit 1`
  assert.ok(second)
  const questions: [query: string, is: (event: Page['events'][number]) => boolean | undefined][] = [
    ['source=formd,rega', ({ source }) => source === 'formd' || source === 'rega'],
    ['family=formd', ({ filing }) => filing?.family === 'formd'],
    ['form=D/A', ({ filing }) => filing?.form_type === 'D/A'],
    ['form=d/a', ({ filing }) => filing?.form_type === 'D/A'],
    ['family=formd,rega&form=D', ({ filing }) => filing?.form_type === 'D'],
    [`cik=${second.cik}`, ({ key }) => has(key, second.cik)],
    ['family=formd,tenx&form=10-K', ({ filing }) => filing?.form_type === '10-K'],
  ]
  /** Tests whether an event that names no filing concerns a query. */
  const concerns = (query: string, { source, event_number }: Page['events'][number]) => {
    const params = new URLSearchParams(query)
    if (params.has('source')) return false
    if (params.has('cik')) return true
    const codes = params.get('form')?.toUpperCase().split(',')
    const families =
      params
        .get('family')
        ?.split(',')
        .flatMap((slug) => registry.family(slug)!.forms) ?? codes!
    const forms = families.filter((form) => codes?.includes(form) ?? true)
    if (readersOf(forms).includes(source)) return true
    return source === 'filings' && formsOf.get(event_number)!.some((form) => forms.includes(form))
  }
  for (const [query, is] of questions) {
    const wanted = events.filter((event) => is(event) || (event.key === null && concerns(query, event)))
    const found = await walked(`${query}&limit=4`)
    assert.deepEqual(
      found.events.map(({ event_number }) => event_number),
      wanted.map(({ event_number }) => event_number),
      query,
    )
  }
})

test('an event about a filing that EDGAR withdrew describes the former filing', async (t) => {
  const accession = '0000000009-26-000001'
  const from = (await ask('limit=1000')).next_after
  await sql`
    insert into edgar.tombstone (accession, form_type, filed_date, cik, company_name, index_url)
    values (${accession}, '8-K', '2026-01-02', '0000000009', 'Gone Inc', 'here')`
  t.after(async () => {
    await sql`delete from edgar.tombstone where accession = ${accession}`
  })
  await sql.begin((tx) => append(tx, [{ slug: 'filings', what: 'removed', keys: [accession] }]))
  for (const query of ['', 'form=8-K', 'cik=9', 'family=eightk']) {
    const { events, is_end } = await ask(`${query}&after=${from}`)
    assert.deepEqual(
      events.map(({ what, key, filing }) => [what, key, filing!.form_type, filing!.company_name]),
      [['removed', accession, '8-K', 'Gone Inc']],
    )
    assert.equal(is_end, true)
  }
  assert.deepEqual((await ask(`form=10-K&after=${from}`)).events, [])
})

test('a filter with few matches scans a part of the log per page, reports its position, and misses nothing', async () => {
  const from = (await ask('limit=1000')).next_after
  const others = Array.from({ length: 450 }, (_, n) => `0000000008-26-${String(n).padStart(6, '0')}`)
  await sql.begin((tx) => append(tx, [{ slug: 'filings', what: 'added', keys: others }]))
  const [{ accession }] = (await sql`select accession from edgar.filing where form_type = 'D' limit 1`) as [
    { accession: string },
  ]
  await sql.begin((tx) => append(tx, [{ slug: 'formd', what: 'corrected', keys: [accession] }]))
  const wanted = { limit: 10, sources: null, forms: { codes: ['D'], readBy: ['formd'] }, ciks: null }
  const pages = []
  for (let after = from; ; ) {
    const found = await eventsAfter(sql, { ...wanted, after }, 100)
    pages.push(found.events.map(({ key }) => key))
    if (found.is_end) break
    assert.ok(found.next_after - after <= 100)
    after = found.next_after
  }
  assert.deepEqual(pages, [[], [], [], [], [accession]])
})

test('a request at the end gets no events and the same number; a number beyond the end, and an unknown source or family, are 400', async () => {
  const { next_after: last } = await ask('limit=1000')
  assert.deepEqual(await ask(`after=${last}`), { events: [], next_after: last, is_end: true })
  for (const [query, message] of [
    ['source=form-d', /source: "form-d" is not a known source; did you mean formd\?; use one of filings, /],
    ['family=x', /family: "x" is not a known family/],
    [
      `after=${last + 1}`,
      /after: \d+ is greater than the number of the newest event, \d+, so it belongs to another log; begin again with 0/,
    ],
    ['after=-1', /after: must be a whole number/],
    ['limit=1001', /limit: must be a whole number from 1 to 1000/],
    ['cik=abc', /cik: /],
  ] as const) {
    const answer = await served.get(`/events?${query}`)
    assert.equal(answer.status, 400, query)
    assert.match(((await answer.json()) as { error: string }).error, message)
  }
})

test('random filters find, in pages of any size and in the shared read of all streams, the same events as a scan of the whole log', async () => {
  const random = new Random(29)
  const FORMS = ['D', 'D/A', '10-K', '13F-HR', '4']
  const gone = ['0000000009-26-000002', '0000000009-26-000003']
  await sql`
    insert into edgar.tombstone (accession, form_type, filed_date, cik, company_name, index_url)
    select unnest(${gone}::text[]), 'D', '2026-01-02', '0000000009', 'Gone Inc', 'here'`
  const filings = await sql<{ accession: string; form_type: string }[]>`select accession, form_type from edgar.filing`
  const filers = await sql<{ accession: string; cik: string }[]>`select accession, cik from edgar.filer`
  for (let n = 0; n < 20; n++) {
    const keys = Array.from({ length: 1 + random.below(30) }, () =>
      random.pick([...gone, ...filings.map(({ accession }) => accession), 'IA_FIRM_SEC/361', '0000000010-26-000001']),
    )
    const slug = random.pick(['filings', 'formd', 'adv'])
    const formerForms = new Map(keys.filter(() => random.below(4) === 0).map((key) => [key, random.pick(FORMS)]))
    const whole = { keys: null, ...(random.below(3) > 0 && { forms: [random.pick(FORMS), random.pick(FORMS)] }) }
    await sql.begin((tx) => append(tx, [{ slug, what: 'removed', ...(n % 3 === 0 ? whole : { keys, formerForms }) }]))
  }
  const formOf = new Map([
    ...filings.map((row) => [row.accession, row.form_type] as const),
    ...gone.map((key) => [key, 'D'] as const),
  ])
  const ciksOf = Map.groupBy(
    [...filers, ...gone.map((accession) => ({ accession, cik: '0000000009' }))],
    ({ accession }) => accession,
  )
  const log = await sql<
    { seq: number; slug: string; key: string | null; former_form: string | null; about: string[] | null }[]
  >`
    select seq::float8 as seq, slug, key, former_form, forms as about from core.event e order by e.seq`
  const some = <T>(all: readonly T[]): T[] | null =>
    random.below(2) ? null : Array.from({ length: 1 + random.below(3) }, () => random.pick(all))
  let found = 0
  for (let n = 0; n < 60; n++) {
    const sources = some(['filings', 'formd', 'adv', 'rega'])
    const forms = some(FORMS)
    const ciks = some(['0000000009', ...filers.map(({ cik }) => cik)])
    const after = random.below(log.at(-1)!.seq)
    const readBy = readersOf(forms ?? [])
    const wanted = log.filter(({ seq, slug, key, former_form: former, about }) => {
      if (seq <= after || (sources && !sources.includes(slug))) return false
      if (key === null && forms) {
        return readBy.includes(slug) || (slug === 'filings' && (about?.some((form) => forms.includes(form)) ?? true))
      }
      if (key === null) return true
      if (forms && !forms.includes(formOf.get(key)!) && !forms.includes(former!)) return false
      return !ciks || (ciksOf.get(key) ?? []).some(({ cik }) => ciks.includes(cik))
    })
    const numbers = wanted.map(({ seq }) => seq)
    const params = { sources, forms: forms && { codes: forms, readBy }, ciks }
    const paged: number[] = []
    const limit = 1 + random.below(50)
    for (let page = { next_after: after, is_end: false }; !page.is_end; ) {
      const next = await eventsAfter(sql, { ...params, after: page.next_after, limit }, 1 + random.below(500))
      paged.push(...next.events.map(({ event_number }) => event_number))
      page = next
    }
    assert.deepEqual(paged, numbers, JSON.stringify(params))
    const matched: number[] = []
    const isWanted = meeting(params)
    for (let page = { next: after, isEnd: false }; !page.isEnd; ) {
      const { events, facts, ...next } = await newsAfter(sql, page.next, 1 + random.below(500))
      matched.push(...events.flatMap(({ event_number }, at) => (isWanted(facts[at]!) ? [event_number] : [])))
      page = next
    }
    assert.deepEqual(matched, numbers, JSON.stringify(params))
    found += numbers.length
  }
  assert.ok(found > 1_000, `${found} events were found`)
})
