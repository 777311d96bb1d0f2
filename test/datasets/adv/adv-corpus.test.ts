/** The real firm feed of the corpus, loaded and queried. */
import assert from 'node:assert/strict'
import { copyFile, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { corpus } from '../../support/corpus.ts'
import { serveWorld } from '../../support/served.ts'
import { openWorld, temporaryFolder } from '../../support/world.ts'

const NAME = 'IA_FIRM_SEC_Feed_07_23_2026.xml.gz'
const feed = path.join(corpus.folder, 'adviserinfo/feeds', NAME)

/**
 * Read from the feed by a person. For a CRD number with several records, the record with the newest filing was read.
 */
const TRUTHS = [
  ['105958', 'THE VANGUARD GROUP, INC.', 'MALVERN', 'PA', '7909760294676', '2024-12-18'],
  ['108281', 'FIDELITY MANAGEMENT & RESEARCH COMPANY LLC', 'BOSTON', 'MA', '3964385404654', '2024-09-20'],
  ['104559', 'PACIFIC INVESTMENT MANAGEMENT COMPANY LLC', 'NEWPORT BEACH', 'CA', '2614785311527', '2024-11-26'],
  ['361', 'GOLDMAN SACHS & CO. LLC', 'NEW YORK', 'NY', '133644228926', '2026-03-31'],
  ['153395', 'DAI ASSET MANAGEMENT, LLC', 'BETHESDA', 'MD', '225501554', '2024-12-12'],
  ['328607', 'ION PACIFIC, INC.', 'VENICE', 'CA', '0', '2024-11-27'],
  ['332818', 'ATHIR CAPITAL LP', 'CHICAGO', 'IL', null, '2024-12-17'],
  ['307090', 'BLUECOVE LIMITED', 'LONDON', null, '11114184261', '2025-03-26'],
  ['171365', 'ADVANTAGE CAPITAL INVESTMENT ADVISER, LLC', 'NEW ORLEANS', 'LA', '784880510', '2025-05-22'],
  ['158149', 'BAKER BROS. ADVISORS LP', 'NEW YORK', 'NY', '18024640582', '2025-03-28'],
] as const

interface Row {
  crd: string
  firm_name: string
  city: string
  state: string | null
  latest_raum: string | null
  latest_filing_date: string
}

test('the 6,031 records of the real feed', corpus, async (t) => {
  const root = await temporaryFolder(t)
  await mkdir(path.join(root, 'feeds'))
  await copyFile(feed, path.join(root, 'feeds', NAME))
  const world = await openWorld(t, { root })
  const files = [path.join(root, 'feeds', NAME)]
  const [outcome] = await world.bulk({ files })
  const served = await serveWorld(t, world)

  await t.test('are 5,971 advisers, none refused, nothing unread', () => {
    const { records, added, refused, notes } = outcome!.result!
    assert.deepEqual([records, added, refused, [...notes.unread]], [5971, 5971, 0, []])
  })
  await t.test('two different names on one filing date are reported for seven advisers', () => {
    const { problems, problemCount } = outcome!.result!.notes
    assert.equal(problemCount, 7)
    assert.deepEqual(problems.map(({ path: crd }) => crd).sort(), [
      '136940',
      '139173',
      '139184',
      '157049',
      '167408',
      '168955',
      '289384',
    ])
    assert.deepEqual(
      [...new Set(problems.map(({ reason }) => reason))],
      ['these records have the same key and differ; the first one is kept'],
    )
  })
  await t.test('are listed by regulatory assets, the largest first; advisers without assets come last', async () => {
    const first = await served.json<{ total: number; rows: Row[] }>('/adv/advisers/list?limit=100')
    assert.equal(first.total, 5971)
    assert.deepEqual(
      first.rows.slice(0, 3).map(({ crd }) => crd),
      TRUTHS.slice(0, 3).map(([crd]) => crd),
    )
    const last = await served.json<{ rows: Row[] }>('/adv/advisers/list?limit=100&offset=5964')
    assert.deepEqual(
      last.rows.map(({ latest_raum }) => latest_raum),
      ['0', null, null, null, null, null, null],
    )
  })
  for (const [crd, firm_name, city, state, latest_raum, latest_filing_date] of TRUTHS) {
    await t.test(`${firm_name} is found by its name and by its number, and its profile is as filed`, async () => {
      const found = await served.json<{ id: string }[]>(`/adv/advisers/search?q=${encodeURIComponent(firm_name)}`)
      assert.equal(found[0]?.id, crd)
      assert.equal((await served.json<{ id: string }[]>(`/adv/advisers/search?q=${crd}`))[0]?.id, crd)
      const listed = await served.json<{ rows: Row[] }>(`/adv/advisers/list?q=${encodeURIComponent(firm_name)}`)
      const row = listed.rows.find((one) => one.crd === crd)!
      assert.deepEqual(
        [row.crd, row.firm_name, row.city, row.state, row.latest_raum, row.latest_filing_date],
        [crd, firm_name, city, state, latest_raum, latest_filing_date],
      )
    })
  }
  await t.test('the one firm with a complete record has its fields as filed, with their source', async () => {
    const { adviser, latest_filing, part1a } = await served.json<Record<string, Record<string, unknown>>>(
      '/adv/advisers/by-crd/361?include=part1a',
    )
    assert.deepEqual(
      [adviser!.sec_file_number, adviser!.street, adviser!.zip, adviser!.phone, adviser!.has_website],
      ['801-16048', '200 WEST STREET', '10282', '212-902-1000', true],
    )
    assert.deepEqual(
      [latest_filing!.discretionary_aum, latest_filing!.non_discretionary_aum, latest_filing!.total_accounts],
      ['133354336653', '289892273', 46269],
    )
    assert.deepEqual(
      [latest_filing!.clients_hnw, latest_filing!.clients_other, latest_filing!.serves_banks],
      [29104, 15580, undefined],
    )
    assert.deepEqual(
      [
        latest_filing!.comp_pct_aum,
        latest_filing!.comp_hourly,
        latest_filing!.comp_fixed,
        latest_filing!.has_disciplinary,
      ],
      [true, false, true, true],
    )
    assert.match(JSON.stringify(part1a), /"Q1ODesc":"More than \$50 billion"/)
    assert.match(JSON.stringify(adviser), /IA_FIRM_SEC 2026-07-23/)
  })
  await t.test('each adviser has the status APPROVED, however its record states the registration', async () => {
    const odd = await world.sql`
      select crd from adv.adviser where is_terminated or registration_status is distinct from 'APPROVED'`
    assert.deepEqual([...odd], [])
  })
  await t.test('loading the same records again changes nothing', async () => {
    const [again] = await world.bulk({ files, again: true })
    const { added, changed, gone } = again!.result!
    assert.deepEqual([added, changed, gone], [0, 0, 0])
  })
})
