/** Profiles that have less than yesterday, filers that were merged, and tickers that move, as a user sees them. */
import assert from 'node:assert/strict'
import { utimes } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { readProfiles } from '../../../src/ingest/profiles.ts'
import registry from '../../../src/registry.ts'
import { type Listed, listed, profilesEdgar } from '../../support/profiles-made.ts'
import { serveWorld } from '../../support/served.ts'
import { openWorld } from '../../support/world.ts'

type After = Parameters<typeof openWorld>[0]

const TARGET = '0000000007'
const ACQUIRER = '0000000009'
const dataset = registry.bulk.find(({ slug }) => slug === 'companies')!

const filing = (n: number, day: string, filer = TARGET): Listed => ({
  accession: `${filer}-26-${String(n).padStart(6, '0')}`,
  formType: '8-K',
  filedDate: day,
})
const FILINGS = [filing(3, '2026-03-03'), filing(2, '2026-02-02'), filing(1, '2026-01-01')]

interface Profile {
  name: string
  tickers?: string[]
  formerNames?: string[]
  filings?: readonly Listed[]
  /** Names of continuation files. */
  files?: string[]
}

interface Company {
  name: string
  as_of: string
  tickers: string[]
  former_names: { name: string }[]
  filings_listed: number | null
}

/** Serves a database whose companies are read from a host with profiles that the test writes. */
async function open(t: After) {
  const edgar = await profilesEdgar(t)
  const world = await openWorld(t)
  const served = await serveWorld(t, world)
  const client = edgar.clientFor(t)
  let [day, second] = [1, 0]
  return {
    edgar,
    served,
    async put(cik: string, { name, tickers = [], formerNames = [], filings = [], files = [] }: Profile) {
      const former = formerNames.map((each) => ({
        name: each,
        from: '2001-01-01T05:00:00.000Z',
        to: '2010-01-01T05:00:00.000Z',
      }))
      const lists = { recent: listed(filings), files: files.map((file) => ({ name: file, filingCount: 1 })) }
      const exchanges = tickers.map(() => 'NYSE')
      const profile = { cik: Number(cik), name, tickers, exchanges, formerNames: former, filings: lists }
      await edgar.put(`CIK${cik}.json`, JSON.stringify(profile))
      // Each profile is made on the day on which it is read next.
      const madeAt = new Date(Date.UTC(2026, 6, day, 6, 0, ++second))
      await utimes(path.join(edgar.root, 'submissions', `CIK${cik}.json`), madeAt, madeAt)
    },
    /** Reads the profiles on the next day. */
    async read(...ciks: string[]) {
      const result = await readProfiles({
        ...{ sql: world.sql, catalog: registry, slices: registry.slices, store: world.store, dataset },
        ...{ client, dataClient: client, isMade: async () => true },
        now: new Date(Date.UTC(2026, 6, day++, 12)),
        filers: ciks.map((cik) => ({ cik, entry: cik })),
      })
      await served.known()
      return result
    },
    company: (cik: string) => served.json<Company>(`/companies/${Number(cik)}`),
    async found(q: string) {
      const { rows } = await served.json<{ rows: { cik: string; found_by: string }[] }>(
        `/companies?q=${encodeURIComponent(q)}`,
      )
      return rows.map(({ cik, found_by }) => `${Number(cik)} ${found_by}`)
    },
    async filings(cik: string) {
      const { rows } = await served.json<{ rows: { accession: string }[] }>(`/filings?cik=${Number(cik)}`)
      return rows.map(({ accession }) => accession)
    },
  }
}

test('if a profile loses tickers, former names and filings, the company shows only what is left, and no filing disappears', async (t) => {
  const { edgar, put, read, company, found, filings, served } = await open(t)
  const part = `CIK${TARGET}-submissions-001.json`
  await edgar.put(part, JSON.stringify(listed([filing(0, '2020-01-01')])))
  const more = {
    tickers: ['KEPT', 'LESS'],
    formerNames: ['Antique Specimen Corp', 'Bygone Specimen Corp'],
    filings: FILINGS,
    files: [part],
  }
  await put(TARGET, { name: 'Modern Specimen Corp', ...more })
  assert.deepEqual((await read(TARGET)).failed, [])
  const before = await company(TARGET)
  assert.deepEqual([before.tickers, before.former_names.length, before.filings_listed], [['KEPT', 'LESS'], 2, 4])
  assert.deepEqual([await found('less'), await found('bygone')], [['7 ticker'], ['7 name']])
  const less = { tickers: ['KEPT'], formerNames: ['Antique Specimen Corp'], filings: FILINGS.slice(0, 1) }
  await put(TARGET, { name: 'Modern Specimen Corp', ...less })
  assert.deepEqual((await read(TARGET)).failed, [])
  const now = await company(TARGET)
  assert.deepEqual(
    [now.tickers, now.former_names.map(({ name }) => name), now.filings_listed],
    [['KEPT'], ['Antique Specimen Corp'], 1],
  )
  assert.deepEqual([await found('less'), await found('bygone'), await found('antique')], [[], [], ['7 name']])
  assert.equal((await filings(TARGET)).length, 4)
  for (const { accession } of FILINGS)
    assert.equal(
      (await served.json<{ filers: { cik: string }[]; header: { cik: string } }>(`/filing/${accession}`)).header.cik,
      TARGET,
    )
  // The next day has everything again.
  await put(TARGET, { name: 'Modern Specimen Corp', ...more })
  await read(TARGET)
  assert.deepEqual(await company(TARGET), { ...before, as_of: '2026-07-03' })
  assert.deepEqual(await found('bygone'), ['7 name'])
})

test('a filer whose profile is missing, or is that of its successor, is reported and keeps its data; other filers are read', async (t) => {
  const { edgar, put, read, company, found, filings, served } = await open(t)
  await put(TARGET, { name: 'Target Specimen Corp', tickers: ['TGT'], filings: FILINGS })
  await put(ACQUIRER, {
    name: 'Acquirer Specimen Corp',
    tickers: ['ACQ'],
    filings: [filing(9, '2026-01-09', ACQUIRER)],
  })
  await read(TARGET, ACQUIRER)
  const before = await company(TARGET)
  // The successor's profile now lists the filings of both.
  const merged = { name: 'Merged Specimen Corp', tickers: ['ACQ', 'TGT'], formerNames: ['Acquirer Specimen Corp'] }
  await put(ACQUIRER, { ...merged, filings: [...FILINGS, filing(9, '2026-01-09', ACQUIRER)] })
  await edgar.remove(`CIK${TARGET}.json`)
  const gone = await read(TARGET, ACQUIRER)
  assert.deepEqual(
    gone.failed.map(({ cik }) => cik),
    [TARGET],
  )
  assert.match(gone.failed[0]!.reason, /^CIK0000000007\.json: there is no http/)
  assert.deepEqual(await company(TARGET), before)
  assert.equal((await company(ACQUIRER)).name, 'Merged Specimen Corp')
  assert.equal((await filings(ACQUIRER)).length, 4)
  assert.equal((await filings(TARGET)).length, 3)
  assert.deepEqual((await found('tgt')).sort(), ['7 ticker', '9 ticker'])
  const profile = JSON.stringify({
    cik: Number(ACQUIRER),
    ...merged,
    formerNames: [],
    exchanges: ['NYSE', 'NYSE'],
    filings: { recent: listed([]), files: [] },
  })
  await edgar.put(`CIK${TARGET}.json`, profile)
  const redirected = await read(TARGET, ACQUIRER)
  assert.deepEqual(
    redirected.failed.map(({ cik }) => cik),
    [TARGET],
  )
  assert.match(redirected.failed[0]!.reason, /the file of 0000000007 is about 0000000009/)
  assert.deepEqual(await company(TARGET), before)
  assert.equal((await served.json<{ name: string }>(`/companies/${Number(ACQUIRER)}`)).name, 'Merged Specimen Corp')
})

test('a ticker that moves between two profiles finds both companies, the newer profile first; once both are read, only its new company', async (t) => {
  const { put, read, company, found } = await open(t)
  await put(TARGET, { name: 'Target Specimen Corp', tickers: ['MOVE'] })
  await put(ACQUIRER, { name: 'Acquirer Specimen Corp' })
  await read(TARGET, ACQUIRER)
  assert.deepEqual(await found('move'), ['7 ticker'])
  await put(ACQUIRER, { name: 'Acquirer Specimen Corp', tickers: ['MOVE'] })
  await read(ACQUIRER)
  assert.deepEqual(await found('move'), ['9 ticker', '7 ticker'])
  await put(TARGET, { name: 'Target Specimen Corp' })
  await read(TARGET)
  assert.deepEqual(await found('move'), ['9 ticker'])
  assert.deepEqual([(await company(TARGET)).tickers, (await company(ACQUIRER)).tickers], [[], ['MOVE']])
})
