/**
 * Profiles of chosen filers in the spine: the rows that they add, the rows that they leave unchanged, and faulty
 * profiles.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { requestedOf } from '../../src/commands/ingest/filings.ts'
import { chosenBefore, chosenOf } from '../../src/ingest/chosen.ts'
import { type ProfilesOptions, readProfiles } from '../../src/ingest/profiles.ts'
import { request, waitingOf } from '../../src/ingest/queue.ts'
import registry from '../../src/registry.ts'
import { APPLE, filingsOf, type Listed, listed, MICROSOFT, NVIDIA, profilesEdgar } from '../support/profiles-made.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'
import { openWorld, type World } from '../support/world.ts'

type After = Parameters<typeof openWorld>[0]

const NOW = new Date('2026-07-01T12:00:00Z')
const dataset = registry.bulk.find(({ slug }) => slug === 'companies')!

/**
 * Creates a database, and an EDGAR whose profiles the test writes.
 *
 * @param isIndexed whether the database has the indexes of the sample, which were read from another EDGAR
 */
async function chosenWorld(t: After, { isIndexed = false } = {}) {
  const edgar = await profilesEdgar(t)
  const world = await (isIndexed ? openIndexedWorld(t) : openWorld(t))
  const client = edgar.clientFor(t)
  const read = async (ciks: readonly string[], options: Partial<ProfilesOptions> = {}) => {
    const result = await readProfiles({
      ...{ sql: world.sql, catalog: registry, slices: registry.slices, store: world.store, dataset, now: NOW },
      ...{ client, dataClient: client, isMade: async () => true },
      filers: ciks.map((cik) => ({ cik, entry: cik })),
      ...options,
    })
    return result
  }
  return { ...world, edgar, read }
}

/** Returns the spine without times and row numbers. */
async function spineOf({ sql }: Pick<World, 'sql'>) {
  return {
    filings: await sql`
      select accession, form_type, family, filed_date, cik, company_name, name_key, filer_count, path, has_text
      from edgar.filing order by accession`,
    filers: await sql`
      select accession, r.cik, n.name, filed_date from edgar.filer r join edgar.filer_name n using (name_id)
      order by accession, r.cik`,
    names:
      await sql`select n.cik, n.name, s.kind, s.filings, s.last_filed from edgar.filer_search s join edgar.filer_name n using (name_id)
      order by 1, 2`,
    tasks: await sql`select accession, dataset, state, filed_date from edgar.task order by accession, dataset`,
    coverage: await sql`select * from edgar.coverage where filings > 0 order by form_type`,
  }
}

const made = (n: number, day: string, formType = 'D'): Listed => ({
  accession: `0000000007-26-${String(n).padStart(6, '0')}`,
  formType,
  filedDate: day,
})

test('filings of a profile that a later full index also lists are stored once, with the same rows as by the index alone', async (t) => {
  const chosen = await chosenWorld(t)
  for (const [cik, name] of [
    [APPLE, 'Apple Inc.'],
    [NVIDIA, 'NVIDIA CORP'],
    [MICROSOFT, 'MICROSOFT CORP'],
  ] as const) {
    const formerNames = cik === APPLE ? [{ name: 'APPLE COMPUTER INC', to: '2007-01-04T05:00:00.000Z' }] : []
    await chosen.edgar.profile(cik, { name, formerNames })
  }
  const result = await chosen.read([APPLE, NVIDIA, MICROSOFT])
  assert.equal(result.failed.length, 0)
  const before = await chosen.sql<{ n: number }[]>`select count(*)::int as n from edgar.filing`
  assert.equal(before[0]!.n, result.added)
  await chosen.crawl()
  const indexed = await openIndexedWorld(t)
  assert.deepEqual(await spineOf(chosen), await spineOf(indexed))
})

test('profiles that are read after an index do not change the rows that come from the index', async (t) => {
  const world = await chosenWorld(t, { isIndexed: true })
  await world.edgar.profile(APPLE, { name: 'Apple Inc.' })
  const before = await spineOf(world)
  const { added, filings } = await world.read([APPLE])
  assert.deepEqual([added, filings], [0, filingsOf(APPLE).length])
  assert.deepEqual(await spineOf(world), before)
})

test('a filing of two chosen filers has both as filers, whether the filers were chosen together or one after the other', async (t) => {
  const shared = [made(1, '2026-01-05'), made(2, '2026-01-06')]
  const filersOf = async ({ sql }: Pick<World, 'sql'>) =>
    sql`select f.accession, f.filer_count, r.cik from edgar.filing f join edgar.filer r using (accession) order by 1, 3`
  const together = await chosenWorld(t)
  const apart = await chosenWorld(t)
  for (const { edgar } of [together, apart]) {
    await edgar.profile('0000000007', { name: 'Seven', filings: shared })
    await edgar.profile('0000000011', { name: 'Eleven', filings: shared.slice(1) })
  }
  await together.read(['0000000007', '0000000011'])
  await apart.read(['0000000007'])
  const { added } = await apart.read(['0000000011'])
  assert.equal(added, 0)
  assert.deepEqual(await filersOf(apart), await filersOf(together))
  assert.deepEqual(
    (await filersOf(apart)).map(({ filer_count, cik }) => [filer_count, cik]),
    [
      [1, '0000000007'],
      [2, '0000000007'],
      [2, '0000000011'],
    ],
  )
})

test('continuation files are read as far back as the first wanted day, and an earlier first day reads the rest', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const part = (n: number) => `CIK0000000007-submissions-00${n}.json`
  await edgar.profile('0000000007', {
    filings: [made(9, '2026-01-05')],
    files: [
      { name: part(1), filingFrom: '2018-01-01', filingTo: '2025-12-31' },
      { name: part(2), filingFrom: '2001-01-01', filingTo: '2017-12-31' },
    ],
  })
  await edgar.put(part(1), JSON.stringify(listed([made(8, '2025-12-31'), made(7, '2019-05-05')])))
  await edgar.put(part(2), JSON.stringify(listed([made(6, '2017-12-31'), made(5, '2001-01-02')])))
  const known = async () =>
    (await sql`select accession from edgar.filing order by 1`).map((row) => row.accession.slice(-1))
  await read(['0000000007'], { from: '2020-01-01' })
  assert.deepEqual(await known(), ['8', '9'])
  assert.deepEqual(edgar.asked(), ['200 /submissions/CIK0000000007.json', `200 /submissions/${part(1)}`])
  await read(['0000000007'], { from: '2025-12-31' })
  assert.deepEqual(
    edgar.asked(),
    ['304 /submissions/CIK0000000007.json'],
    'filings from a later day on are known already',
  )
  await read(['0000000007'])
  assert.deepEqual(
    edgar.asked(),
    ['304 /submissions/CIK0000000007.json'],
    'without a first day, the reading continues from the known one',
  )
  await read(['0000000007'], { from: '1993-01-01' })
  assert.deepEqual(await known(), ['5', '6', '7', '8', '9'])
  assert.equal((await chosenBefore(sql, ['0000000007'])).get('0000000007')!.from_day, '1993-01-01')
})

test('a filer whose profile is missing, truncated, not JSON, or of another filer is reported; the others are loaded, and the next run tries again', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const ciks = ['0000000007', '0000000008', '0000000009', '0000000010', '0000000011', '0000000012']
  const [good, missing, cut, other, noPart, lists] = ciks as [string, string, string, string, string, string]
  await edgar.profile(good, { filings: [made(1, '2026-01-05')] })
  await edgar.put(`CIK${cut}.json`, '{"cik": 9, "filings": {"recent": {"accessionNumber": ["0000')
  await edgar.put(
    `CIK${other}.json`,
    JSON.stringify({ cik: 99, name: 'x', filings: { recent: listed([]), files: [] } }),
  )
  const part = `CIK${noPart}-submissions-001.json`
  await edgar.profile(noPart, { filings: [made(2, '2026-01-06')], files: [{ name: part }] })
  const uneven = { ...listed([made(3, '2026-01-07')]), form: [] }
  await edgar.put(`CIK${lists}.json`, JSON.stringify({ cik: 12, name: 'x', filings: { recent: uneven, files: [] } }))
  const first = await read(ciks)
  assert.deepEqual(
    first.failed.map(({ cik }) => cik),
    [missing, cut, other, noPart, lists],
  )
  const [ofMissing, ofCut, ofOther, ofPart, ofLists] = first.failed.map(({ reason }) => reason)
  assert.match(ofMissing!, /^CIK0000000008\.json: there is no http/)
  assert.match(ofCut!, /CIK0000000009\.json.*cut off/)
  assert.match(ofOther!, /the file of 0000000010 is about 0000000099/)
  assert.match(ofPart!, /^CIK0000000011-submissions-001\.json: there is no http/)
  assert.match(ofLists!, /has 0 values, accessionNumber has 1/)
  assert.deepEqual(
    (await sql`select accession from edgar.filing order by 1`).map((row) => row.accession),
    [made(1, '').accession, made(2, '').accession],
  )
  assert.deepEqual(
    { ...(await chosenOf(sql)), through: null },
    { filers: 6, failed: 5, from: null, through: null, hasIndexes: false },
  )
  edgar.asked()
  // The profile has not changed, but its continuation file is there now.
  await edgar.put(part, JSON.stringify(listed([made(4, '2020-01-06')])))
  const second = await read([noPart])
  assert.deepEqual([second.failed, second.added], [[], 1])
  assert.deepEqual(edgar.asked(), [`304 /submissions/CIK${noPart}.json`, `200 /submissions/${part}`])
  await edgar.profile(good, { filings: [made(5, '2026-01-08'), made(1, '2026-01-05')] })
  const third = await read([good])
  assert.deepEqual([third.read, third.added, third.filings], [1, 1, 2])
})

test('after a failed reading of a profile, the covered days of the last complete reading stay', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  await edgar.profile('0000000007', { name: 'Seven', filings: [made(1, '2026-01-05')] })
  await read(['0000000007'], { from: '2020-01-01' })
  await edgar.remove('CIK0000000007.json')
  await read(['0000000007'], { from: '2010-01-01', now: new Date('2026-08-01T12:00:00Z') })
  const { from_day, through, problem, name } = (await chosenBefore(sql, ['0000000007'])).get('0000000007')!
  assert.deepEqual([from_day, through, name], ['2020-01-01', '2026-07-01', 'Seven'])
  assert.match(problem!, /there is no http/)
})

test('a profile cannot cause a fetch of another filer’s file, and its unreadable lines are counted', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const files = [
    '../../etc/passwd',
    'CIK0000000008-submissions-001.json',
    'CIK0000000007-submissions-001.json',
    'CIK0000000007-2026-01-01.json',
    'CIK0000000007-submissions-001-2026-01-01.json',
  ].flatMap((name) => [{ name }, { name }])
  const bad = [
    { ...made(1, '2026-01-05'), formType: '' },
    { ...made(2, '2026-13-45') },
    { ...made(3, '2026-01-05'), formType: 'X'.repeat(50) },
    { ...made(4, '2026-01-05'), accession: 'none' },
  ]
  await edgar.profile('0000000007', { filings: [...bad, made(5, '2026-01-05')], files })
  await edgar.put('CIK0000000007-submissions-001.json', JSON.stringify(listed([])))
  const { unread, added, failed } = await read(['0000000007'])
  assert.deepEqual([unread, added, failed], [4, 1, []])
  assert.deepEqual(edgar.asked(), [
    '200 /submissions/CIK0000000007.json',
    '200 /submissions/CIK0000000007-submissions-001.json',
  ])
  const row = async () => {
    const { through, digest, problem } = (await chosenBefore(sql, ['0000000007'])).get('0000000007')!
    return [through, digest === null, problem]
  }
  assert.deepEqual(await row(), [null, true, '4 of its lines cannot be read'])
  const again = await read(['0000000007'])
  assert.deepEqual(
    [again.read, again.unchanged, again.unread],
    [1, 0, 4],
    'the profile is read again, although its bytes are the same',
  )
  await edgar.profile('0000000007', { filings: [made(5, '2026-01-05')] })
  await read(['0000000007'])
  assert.deepEqual(await row(), ['2026-07-01', false, null])
})

test('a filer whose first reading failed is later read from the first day that was given for that reading', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  await read(['0000000007'], { from: '2020-01-01' })
  await edgar.profile('0000000007', { filings: [made(2, '2020-01-01'), made(1, '2019-12-31')] })
  const { filings } = await read(['0000000007'])
  assert.equal(filings, 1)
  const { from_day, through } = (await chosenBefore(sql, ['0000000007'])).get('0000000007')!
  assert.deepEqual([from_day, through], ['2020-01-01', '2026-07-01'])
})

test('a filing that is both in the profile and in a continuation file is counted once', async (t) => {
  const world = await chosenWorld(t)
  const part = 'CIK0000000007-submissions-001.json'
  await world.edgar.profile('0000000007', { name: 'Seven', filings: [made(1, '2026-01-05')], files: [{ name: part }] })
  await world.edgar.put(part, JSON.stringify(listed([made(1, '2026-01-05'), made(2, '2026-01-04')])))
  const { added } = await world.read(['0000000007'])
  assert.equal(added, 2)
  const { names } = await spineOf(world)
  assert.deepEqual(
    names.map(({ name, filings }) => [name, filings]),
    [['Seven', 2]],
  )
})

test('a profile that is too large fails before it fills the memory', async (t) => {
  const { store, edgar, read } = await chosenWorld(t)
  await edgar.profile('0000000007', { filings: [made(1, '2026-01-05')] })
  const chunk = Buffer.alloc(1024 ** 2, ' ')
  let most = 0
  const endless = async function* () {
    for (let chunks = 1; chunks < 200; chunks++) {
      most = Math.max(most, chunks)
      yield chunk
    }
  }
  const { failed } = await read(['0000000007'], { store: Object.assign(Object.create(store), { read: endless }) })
  assert.match(failed[0]!.reason, /is larger than 100663296 bytes/)
  assert.equal(most, 97)
})

test('a run that ends because EDGAR refuses it keeps the profiles that it has read, and throws the refusal', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const ciks = ['0000000007', '0000000008']
  for (const [at, cik] of ciks.entries()) await edgar.profile(cik, { filings: [made(at, '2026-01-05')] })
  const ended = (options: Partial<ProfilesOptions> = {}) =>
    read(ciks, {
      onNext(_edition, done) {
        if (done === 1) throw new Error('EDGAR refuses')
      },
      ...options,
    })
  const known = async () => (await sql`select cik, through from edgar.chosen`).map((row) => [row.cik, row.through])
  // Storing fails too, but the error that came first is thrown.
  const claim = () => Promise.reject(new Error('the database is away'))
  await assert.rejects(ended({ claim }), /EDGAR refuses/)
  assert.deepEqual(await known(), [])
  await assert.rejects(ended(), /EDGAR refuses/)
  assert.deepEqual(await known(), [['0000000007', '2026-07-01']])
  assert.deepEqual(
    (await sql`select accession from edgar.filing`).map((row) => row.accession),
    [made(0, '').accession],
  )
})

test('if the database refuses filings, the run fails and no filer counts as read, even if later filings are stored', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  await sql.unsafe(`alter table edgar.filing add constraint refused check (accession <> '${made(1, '').accession}')`)
  await edgar.profile('0000000007', { filings: [made(1, '2026-01-05')] })
  await edgar.profile('0000000008', { filings: [made(2, '2026-01-05')] })
  const refused = /the filings that the profiles list were not stored: the database refuses it: .*"refused"/
  await assert.rejects(read(['0000000007', '0000000008']), refused)
  // Each filing is now stored in its own transaction, so the second filing is stored.
  await assert.rejects(read(['0000000007', '0000000008'], { batch: 1 }), refused)
  assert.equal((await sql`select from edgar.filing`).length, 1)
  assert.equal((await sql`select from edgar.chosen`).length, 0)
})

test('a filer that was never read and is no longer on the list is forgotten, and others stay', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const [good, slip, part] = ['0000000007', '0000000008', '0000000009'] as const
  await edgar.profile(good, { filings: [made(1, '2026-01-05')] })
  await edgar.profile(part, { filings: [made(2, '2026-01-05')], files: [{ name: `CIK${part}-submissions-001.json` }] })
  const known = async () => (await sql`select cik from edgar.chosen order by 1`).map((row) => row.cik)
  await read([good, slip, part])
  assert.deepEqual(await known(), [good, slip, part])
  await read([slip])
  assert.deepEqual(await known(), [good, slip, part])
  await read([good])
  assert.deepEqual(await known(), [good, part], 'filings of the third are listed')
})

test('a profile adds a filer to a known filing only after the worker with the filing’s task has ended, and locks nothing before', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const { accession } = made(1, '')
  for (const cik of ['0000000007', '0000000008']) await edgar.profile(cik, { filings: [made(1, '2026-01-05')] })
  await read(['0000000007'])
  const held = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  const worker = sql.begin(async (tx) => {
    await tx`select from edgar.task where accession = ${accession} for update`
    held.resolve()
    await finish.promise
    await tx`select from edgar.filing where accession = ${accession} for update nowait`
  })
  await held.promise
  let isRead = false
  const reading = read(['0000000008']).finally(() => {
    isRead = true
  })
  const waiting = () =>
    sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await until('the reading waits', async () => isRead || (await waiting()).length > 0)
  const hasWaited = !isRead
  finish.resolve()
  await Promise.all([worker, reading])
  assert.ok(hasWaited)
  const [row] = await sql`select filer_count from edgar.filing where accession = ${accession}`
  assert.equal(row!.filer_count, 2)
})

test('a request for a dataset without a first day covers the time since the earliest first day of the chosen filers', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const documents = registry.filings.find(({ slug }) => slug === 'documents')!
  const ofChosen = async (...ciks: string[]) => {
    const chosen = ciks.map((cik) => ({ cik, entry: cik, place: cik }))
    const [wanted] = await requestedOf({ sql }, { datasets: ['documents'], chosen })
    return wanted!.from
  }
  await assert.rejects(ofChosen('0000000007'), /documents: give the first day/)
  await read(['0000000007', '0000000008'], { from: '2020-01-01' })
  assert.equal(await ofChosen('0000000008'), '2020-01-01', 'the day that was given when its profile failed')
  const filings = ['2026-01-05', '2025-01-05', '2024-01-05'].map((day, at) => made(at, day, '8-K'))
  await edgar.profile('0000000007', { filings })
  await read(['0000000007'])
  await request(sql, documents, { from: '2025-01-01', ciks: ['0000000007'] })
  assert.equal(await ofChosen('0000000007', '0000000008'), '2025-01-05')
})

test('a filing that was removed because of an index does not return through a profile', async (t) => {
  const { sql, edgar, read } = await chosenWorld(t)
  const { accession } = made(1, '')
  await sql`
    insert into edgar.tombstone (accession, form_type, filed_date, cik, company_name, index_url, index_made)
    values (${accession}, 'D', '2026-01-05', '0000000007', 'Seven', 'x', '2026-02-01')`
  await edgar.profile('0000000007', { filings: [made(1, '2026-01-05'), made(2, '2026-01-05')] })
  const { added } = await read(['0000000007'])
  assert.equal(added, 1)
  assert.equal((await sql`select from edgar.filing where accession = ${accession}`).length, 0)
})

test('pending filings of chosen filers are read newest first, page by page, each once, and those of other filers stay pending', async (t) => {
  const world = await chosenWorld(t, { isIndexed: true })
  const { sql } = world
  const selection = { datasets: ['ownership', 'eightk'], ciks: [APPLE, NVIDIA] }
  const whole = (await Array.fromAsync(waitingOf(sql, selection))).flat()
  const pages = await Array.fromAsync(waitingOf(sql, selection, { page: 2 }))
  assert.ok(whole.length > 4)
  assert.deepEqual(pages.flat(), whole)
  assert.equal(new Set(whole).size, whole.length)
  const { done } = await world.drain({ selection })
  assert.equal(done, whole.length)
  const [left] = await sql<{ n: number }[]>`
    select count(*)::int as n from edgar.task where state = 'pending' and dataset = any(${selection.datasets})`
  assert.ok(left!.n > 0, 'filings of other filers wait')
})
