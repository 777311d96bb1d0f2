/** The event log: its order, and the events that loads write. */
import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import formd from '../../src/datasets/formd/index.ts'
import { crawl } from '../../src/ingest/crawl.ts'
import { beginSample, claimOrigin } from '../../src/ingest/origin.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { eventsAfter, meeting, newsAfter } from '../../src/products/events/queries.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { after, append, type Event } from '../../src/store/events.ts'
import { dataVersions, versionOf, versionsOf } from '../../src/store/meta.ts'
import { syncFamilies } from '../../src/store/schema.ts'
import { freshDatabase } from '../support/database.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'
import { copyOfSample, madeLater, openWorld, temporaryFolder, writeIndex } from '../support/world.ts'

const last = async (sql: Sql) =>
  (await sql<{ seq: number }[]>`select coalesce(max(seq), 0)::float8 as seq from core.event`)[0]!.seq
const text = ({ slug, key, what }: Pick<Event, 'slug' | 'key' | 'what'>) => `${slug} ${key} ${what}`
const since = async (sql: Sql, seq: number) => (await after(sql, seq, 1000)).map(text)

test('an event that commits later has a higher number, so a client that asks for all events after a number misses none', async (t) => {
  const { sql } = await freshDatabase(t)
  const release = Promise.withResolvers<void>()
  const written = Promise.withResolvers<void>()
  const first = sql.begin(async (tx) => {
    await append(tx, [{ slug: 'formd', what: 'added', keys: ['a', 'b'] }])
    written.resolve()
    await release.promise
  })
  await written.promise
  const second = sql.begin((tx) => append(tx, [{ slug: 'adv', what: 'corrected', keys: ['c'] }]))
  await until('the second writer waits', async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
    return waiting.length === 1
  })
  assert.deepEqual(await since(sql, 0), [])
  release.resolve()
  await Promise.all([first, second])
  const events = await after(sql, 0, 10)
  assert.deepEqual(events.map(text), ['formd a added', 'formd b added', 'adv c corrected'])
  assert.deepEqual((await after(sql, events[1]!.seq, 10)).map(text), ['adv c corrected'])
  assert.deepEqual((await after(sql, 0, 1)).map(text), ['formd a added'])
  assert.ok(events.every(({ at }, i) => i === 0 || at >= events[i - 1]!.at))
})

test('a reader that resumes after the last number it saw gets every event of eight writers once, in order', async (t) => {
  const { sql } = await freshDatabase(t)
  const seen: Event[] = []
  let writing = true
  const reading = (async () => {
    for (;;) {
      const isLast = !writing
      const more = await after(sql, seen.at(-1)?.seq ?? 0, 1000)
      seen.push(...more)
      if (isLast && more.length === 0) return
    }
  })()
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; n < 40; n++) {
      await sql
        .begin(async (tx) => {
          const keys = [0, 1, 2].map((i) => `${writer} ${n} ${i}`)
          await append(tx, [{ slug: 'formd', what: 'added', keys }])
          // If writers did not wait for each other, this pause would make them commit in a different order than their
          // numbers.
          if (n % 3 === 0) await tx`select pg_sleep(${(writer % 4) / 1000})`
          if (n % 7 === 0) throw new Error('taken back')
        })
        .catch((error) => assert.equal(error.message, 'taken back'))
    }
  })
  await Promise.all(writers)
  writing = false
  await reading
  assert.equal(seen.length, 8 * 34 * 3)
  assert.equal(new Set(seen.map(({ key }) => key)).size, seen.length)
})

test('a transaction writes all its events with one statement at its commit', async (t) => {
  const { sql, ...world } = await openWorld(t)
  await sql`create table public.written (tx xid8 not null, n int not null)`
  await sql.unsafe(`
    create function public.note() returns trigger language plpgsql as
      $$ begin insert into public.written select pg_current_xact_id(), count(*) from fresh; return null; end $$;
    create trigger note after insert on core.event referencing new table as fresh
      for each statement execute function public.note()`)
  await world.crawl({ from: '2024-01-01' })
  await world.drain({ datasets: ['formd', 'rega', 'x17a5', 'header'] })
  await world.bulk()
  const [count] = await sql<{ commits: number; statements: number; events: number; logged: number }[]>`
    select count(distinct tx)::int as commits, count(*)::int as statements, sum(n)::int as events,
      (select count(*)::int from core.event) as logged from public.written`
  assert.equal(count!.statements, count!.commits)
  assert.ok(count!.commits > 10 && count!.events > 2 * count!.commits)
  assert.equal(count!.events, count!.logged)
})

const line = (n: number, form = 'D') => `111|Alpha Inc|${form}|2026-08-0${n}|edgar/data/111/0000000111-26-00001${n}.txt`
const named = (n: number) => `0000000111-26-00001${n}`

const THIRD = { from: '2026-07-01', to: '2026-09-30' }

test('the first index of a quarter is one event with its forms; a later index gives events for added, corrected, removed and restored filings', async (t) => {
  const root = await temporaryFolder(t)
  const { sql, ...world } = await openWorld(t, { root })
  const read = async (lines: string[]) => {
    const before = await last(sql)
    await writeIndex(root, '2026/QTR3', lines, { lastReceived: 'September 30, 2026' })
    for (const _ of ['suspected', 'removed'])
      await world.crawl({ ...THIRD, again: true, now: await madeLater(root, '2026/QTR3') })
    return since(sql, before)
  }
  assert.deepEqual(await read([line(1), line(2, 'D/A'), line(3)]), ['filings null added'])
  assert.deepEqual([...(await sql`select forms from core.event where key is null`)], [{ forms: ['D', 'D/A'] }])
  assert.deepEqual(await read([line(1), line(2), line(3)]), [`filings ${named(2)} corrected`])
  assert.deepEqual(await read([line(1), line(2), line(3)]), [])
  assert.deepEqual(await read([line(1), line(2, 'D/A'), line(4)]), [
    `filings ${named(2)} corrected`,
    `filings ${named(4)} added`,
    `filings ${named(3)} removed`,
  ])
  assert.deepEqual(await read([line(1), line(2, 'D/A'), line(3), line(4)]), [`filings ${named(3)} restored`])
})

test('a client that follows a form or a filer also gets events when a filing changes its form or is removed by EDGAR', async (t) => {
  const root = await temporaryFolder(t)
  const { sql, ...world } = await openWorld(t, { root })
  const read = async (lines: string[]) => {
    const before = await last(sql)
    await writeIndex(root, '2026/QTR3', lines, { lastReceived: 'September 30, 2026' })
    for (const _ of ['suspected', 'removed'])
      await world.crawl({ ...THIRD, again: true, now: await madeLater(root, '2026/QTR3') })
    return async (filters: { forms?: string[]; ciks?: string[] }) => {
      const forms = filters.forms ? { codes: filters.forms, readBy: [] } : null
      const wanted = { sources: null, forms, ciks: filters.ciks ?? null }
      const { events } = await eventsAfter(sql, { after: before, limit: 100, ...wanted })
      const news = await newsAfter(sql, before, 100)
      assert.deepEqual(
        news.events.filter((_, at) => meeting(wanted)(news.facts[at]!)),
        events,
      )
      return events.map(({ what, key, filing }) => `${key} ${what} ${filing!.form_type}`)
    }
  }
  const other = line(1).replaceAll(/^111\|Alpha/g, '222|Beta')
  await read([line(1), other, line(2), line(3)])
  const forms = await read([line(2, 'D/A'), line(3)])
  const [corrected, removed] = [`${named(2)} corrected D/A`, `${named(1)} removed D`]
  assert.deepEqual(await forms({ forms: ['D'] }), [corrected, removed])
  assert.deepEqual(await forms({ forms: ['D/A'] }), [corrected])
  assert.deepEqual(await forms({ forms: ['10-K'] }), [])
  assert.deepEqual(await forms({ ciks: ['0000000222'] }), [removed])
  assert.deepEqual(await forms({ ciks: ['0000000111'] }), [corrected, removed])
  // Simulates that the filing was removed before all its filers were stored.
  await sql`update edgar.tombstone set ciks = null`
  assert.deepEqual(await forms({ ciks: ['0000000222'] }), [])
  assert.deepEqual(await forms({ ciks: ['0000000111'] }), [corrected, removed])
})

test('a first index with an unreadable line is announced once, although the watermark of its quarter does not advance', async (t) => {
  const root = await temporaryFolder(t)
  const { sql, ...world } = await openWorld(t, { root })
  for (const [lines, events] of [
    [[line(1)], ['filings null added']],
    [[line(1), line(2)], [`filings ${named(2)} added`]],
  ] as const) {
    const before = await last(sql)
    await writeIndex(root, '2026/QTR3', [...lines, '222|Beta|D|yesterday|edgar/data/222/0000000222-26-000010.txt'])
    await world.crawl({ from: '2026-07-01', to: '2026-09-30', again: true })
    assert.deepEqual(await since(sql, before), events)
  }
  assert.equal((await sql`select from edgar.watermark`).length, 0)
})

test('a filing gives an event "added" when it is read, "corrected" when it is read again, and "removed" when an index gives it another family', async (t) => {
  const root = await copyOfSample(t)
  const { sql, ...world } = await openIndexedWorld(t, { root })
  const read = async () => {
    const before = await last(sql)
    await world.drain({ datasets: ['formd'], workers: 1 })
    return since(sql, before)
  }
  const { count } = await sql`select from edgar.task where dataset = 'formd'`
  const first = await read()
  assert.equal(first.length, count)
  assert.ok(first.every((event) => /^formd \S+ added$/.test(event)))
  const [filing] = await sql<{ accession: string; path: string; cik: string; company_name: string }[]>`
    select accession, path, cik, company_name from edgar.filing where form_type = 'D' order by accession limit 1`
  await sql`update edgar.task set state = 'pending' where accession = ${filing!.accession}`
  assert.deepEqual(await read(), [`formd ${filing!.accession} corrected`])
  // A filing that cannot be read again keeps its rows, so there is no event.
  await sql`update edgar.task set state = 'pending' where accession = ${filing!.accession}`
  await sql`update edgar.submission set documents = '[]' where accession = ${filing!.accession}`
  assert.deepEqual(await read(), [])
  assert.equal((await sql`select from edgar.task where state = 'failed' and dataset = 'formd'`).count, 1)
  const before = await last(sql)
  const other = `${Number(filing!.cik)}|${filing!.company_name}|10-K|2026-04-01|${filing!.path}`
  await writeIndex(root, '2026/QTR2', [other])
  await world.crawl({ from: '2026-04-01', to: '2026-06-30', again: true })
  assert.deepEqual(await since(sql, before), [
    `formd ${filing!.accession} removed`,
    `filings ${filing!.accession} corrected`,
  ])
  const forms = { codes: ['D'], readBy: ['formd'] }
  const { events: logged } = await eventsAfter(sql, { after: before, limit: 9, sources: null, forms, ciks: null })
  assert.deepEqual(
    logged.map(({ source }) => source),
    ['formd', 'filings'],
  )
})

test('a rebuild, and the replacement of the sample by real data, give one event for each slice', async (t) => {
  const { sql, ...world } = await openIndexedWorld(t)
  await sql.begin((tx) => claimOrigin(tx, registry.datasets, 'sample'))
  await world.drain({ datasets: ['formd', 'rega'] })
  const rebuilt = await last(sql)
  await rebuild({ sql, ...world }, formd)
  assert.deepEqual(await since(sql, rebuilt), ['formd null corrected'])
  const versions = async () => versionsOf(await dataVersions(sql))
  const old = await versions()
  const before = await last(sql)
  const claim = (tx: Parameters<typeof claimOrigin>[0]) => claimOrigin(tx, registry.datasets, 'edgar')
  await crawl({
    ...world,
    sql,
    catalog: registry,
    from: '2019-01-01',
    to: '2019-03-31',
    now: new Date('2026-11-21'),
    again: true,
    claim,
  })
  const events = await since(sql, before)
  assert.deepEqual(events, ['filings null removed', 'formd null removed', 'rega null removed', 'filings null added'])
  const now = await versions()
  for (const slug of ['filings', 'formd', 'rega']) assert.notEqual(versionOf(now, [slug]), versionOf(old, [slug]), slug)
  const begun = await last(sql)
  await beginSample(sql, registry.datasets)
  assert.deepEqual(await since(sql, begun), ['filings null removed', 'formd null removed', 'rega null removed'])
})

test('the migration copies the former log of editions into the event log, ordered by days', async (t) => {
  const { sql } = await freshDatabase(t, { empty: true })
  const folder = new URL('../../src/store/migrations/', import.meta.url)
  const files = (await readdir(folder)).sort()
  const own = files.findIndex((name) => name.endsWith('_events.sql'))
  assert.ok(own > 0)
  await sql.unsafe('create schema core')
  for (const name of files.slice(0, own)) await sql.unsafe(await readFile(new URL(name, folder), 'utf8'))
  await sql`
    insert into bulk.change (series, key, day, what)
    values ('IA_INDVL', '7', '2026-07-02', 'new'), ('IA_FIRM_SEC', '361', '2026-07-01', 'changed'),
      ('ADV_FILING_DATA', '5', '2026-07-03', 'gone'), ('IA_FIRM_SEC', '9', '2026-07-03', 'back')`
  await sql.unsafe(await readFile(new URL(files[own]!, folder), 'utf8'))
  assert.deepEqual(await since(sql, 0), [
    'adv IA_FIRM_SEC/361 corrected',
    'reps IA_INDVL/7 added',
    'adv ADV_FILING_DATA/5 removed',
    'adv IA_FIRM_SEC/9 added',
  ])
  await sql`insert into core.event (slug, what, key) values ('adv', 'added', 'later')`
  assert.equal((await since(sql, 0)).at(-1), 'adv later added')
})

test('if the registry assigns a form to another family, the data version of the spine changes', async (t) => {
  const { sql } = await openIndexedWorld(t)
  const version = async () => versionOf(versionsOf(await dataVersions(sql)), ['filings'])
  const before = await version()
  await syncFamilies(sql, registry)
  assert.equal(await version(), before)
  await sql`update edgar.coverage set family = 'other' where form_type = 'D'`
  await syncFamilies(sql, registry)
  assert.notEqual(await version(), before)
})
