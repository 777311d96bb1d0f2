/**
 * The registered funds of an adviser: the identifier that links a report to the adviser, the reports that count, the
 * sums.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { diskStore } from '../../../src/archive/store.ts'
import type { RegisteredFunds } from '../../../src/datasets/ncen/answers-adviser.ts'
import ncen from '../../../src/datasets/ncen/index.ts'
import { registeredFunds } from '../../../src/datasets/ncen/routes.ts'
import { quarterlySets } from '../../../src/datasets/ncen/sets.ts'
import { ingestSets } from '../../../src/ingest/sets/ingest.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import registry from '../../../src/registry.ts'
import { openAdv } from '../../support/adv/load.ts'
import { testContext } from '../../support/context.ts'
import { loadReports, type MadeAdviser, type MadeFund, type MadeReport, xmlOf } from '../../support/ncen/made.ts'
import { cargoSet } from '../../support/sets/cargo.ts'
import { linesOf } from '../../support/sets/ncen.ts'
import { loadFilings } from '../../support/spine-rows.ts'
import { temporaryFolder } from '../../support/world.ts'

const LEI = '549300SPECIMENADV010'
const world = await openAdv({ after })

before(async () => {
  const firm = { type: 'Registered', filed: '2026-03-31', state: 'NY' } as const
  await world.feed('IA_FIRM_SEC', '2026-07-22', [
    { ...firm, crd: '701', legal: 'First Advisers LLC', number: '801-701', items: { '1': { Q1P: LEI } } },
    { ...firm, crd: '702', legal: 'Second Advisers LLC', number: '801-702' },
    { ...firm, crd: '703', legal: 'Same Name LLC', number: '801-703' },
    { ...firm, crd: '704', legal: 'Same Name LLC', number: '801-704' },
    { ...firm, crd: '705', legal: 'Idle Advisers LLC', number: '801-705' },
    { ...firm, crd: '706', legal: 'Padded Advisers LLC', number: '801-000706' },
  ])
})

beforeEach(async () => {
  const { sql } = world
  for (const { id } of [...Object.values(ncen.tables), ...Object.values(ncen.rollups)])
    await sql`delete from ${sql(id)}`
  for (const table of ['edgar.filer', 'edgar.filing', 'edgar.coverage', 'edgar.task'])
    await sql`delete from ${sql(table)}`
})

const ask = async (crd: string) => {
  const answer = (await registeredFunds.run(
    registeredFunds.input.parse({ crd }),
    testContext(world.sql),
  )) as RegisteredFunds
  if (answer !== null) assert.deepEqual(registeredFunds.output!.safeParse(answer).error?.issues ?? [], [])
  return answer
}

const series = (n: number) => `S00000000${n}`
const fund = (n: number, advisers: readonly MadeAdviser[], more: Partial<MadeFund> = {}): MadeFund => ({
  ...{ series: series(n), name: `Fund ${n}`, assets: '100' },
  advisers,
  ...more,
})
const report = (
  n: number,
  period: string,
  filed: string,
  funds: readonly MadeFund[],
  more: Partial<MadeReport> = {},
) => ({
  ...{ accession: `0000000700-20-00000${n}`, filed, period, funds },
  ...more,
})
/** Loads one report for the year 2023, with these funds. */
const reportOf = (...funds: readonly MadeFund[]) =>
  loadReports(world.sql, [report(1, '2023-12-31', '2024-03-10', funds)])

const ways = ({ funds }: RegisteredFunds) =>
  funds.map(
    (one) =>
      `${one.fund_name} ${one.role} ${one.method} ${one.confidence} ${one.basis}${one.is_current ? '' : ' former'}`,
  )

test('a fund that only a data set contains is found by its adviser’s CRD number, and N-CEN counts as loaded', async (t) => {
  const { sql } = world
  const filedReport = report(1, '2023-12-31', '2024-03-10', [fund(1, [{ name: 'Anything', crd: '000000701' }])])
  const lines = linesOf(parseXml(xmlOf(filedReport)), filedReport.accession, filedReport.filed)
  const file = await cargoSet(t, lines.texts(quarterlySets), '2024q1_ncen.zip')
  const store = diskStore(path.join(await temporaryFolder(t), 'archive'))
  const [outcome] = await ingestSets({ sql, slices: registry.slices, store, dataset: ncen, from: { files: [file] } })
  assert.deepEqual([outcome!.error, outcome!.result], [null, { filings: 1, loaded: 1 }])
  const found = await ask('701')
  assert.deepEqual([ways(found), found.total_net_assets], [['Fund 1 adviser crd 1 701'], 100])
  assert.deepEqual(
    found.not_loaded?.map(({ source }) => source),
    ['nport', 'nmfp'],
  )
  await sql`delete from bulk.set_filing`
})

test('matches by CRD first, then 801 number, then LEI, then name with state; each row states its method', async () => {
  await reportOf(
    fund(1, [{ name: 'Anything', crd: '000000701' }]),
    fund(2, [{ name: 'Anything', file: '801-000701' }]),
    fund(3, [{ name: 'Anything', lei: LEI.toLowerCase() }]),
    fund(4, [{ name: 'FIRST ADVISERS LLC' }]),
    fund(5, [{ name: 'First Advisers LLC', state: 'US-CA' }]),
  )
  assert.deepEqual(ways(await ask('701')), [
    'Fund 1 adviser crd 1 701',
    'Fund 2 adviser 801_number 0.95 801-701',
    `Fund 3 adviser lei 0.9 ${LEI}`,
    'Fund 4 adviser name 0.6 first advisers llc, NY',
  ])
})

test('if a report gives an adviser the number of another adviser, the row belongs to the adviser with this number; a number that no adviser has is ignored', async () => {
  await reportOf(
    fund(1, [{ name: 'First Advisers LLC', crd: '000000702', file: '801-701', lei: LEI }]),
    fund(2, [{ name: 'First Advisers LLC', file: '801-702', lei: LEI }]),
    fund(3, [{ name: 'First Advisers LLC', crd: '000999999', file: '801-701' }]),
    fund(4, [{ name: 'First Advisers LLC', file: '801-999999', lei: LEI }]),
  )
  assert.deepEqual(ways(await ask('701')), ['Fund 3 adviser 801_number 0.95 801-701', `Fund 4 adviser lei 0.9 ${LEI}`])
  assert.deepEqual(ways(await ask('702')), ['Fund 1 adviser crd 1 702', 'Fund 2 adviser 801_number 0.95 801-702'])
})

test('leading zeros and blanks in a file number do not matter, in the report or the adviser’s data', async () => {
  await reportOf(
    fund(1, [{ name: 'Anything', file: '801-706' }]),
    fund(2, [{ name: 'Anything', file: ' 801- 0706 ' }]),
    // This number belongs to another adviser, whatever LEI the report states next to it.
    fund(3, [{ name: 'Anything', file: '801-00706', lei: LEI }]),
  )
  assert.deepEqual(
    ways(await ask('706')),
    [1, 2, 3].map((n) => `Fund ${n} adviser 801_number 0.95 801-706`),
  )
  assert.deepEqual((await ask('701')).funds, [])
})

test('N/A and zeros as a CRD number match nobody, and a name that two advisers share matches neither', async () => {
  await reportOf(
    fund(1, [{ name: 'Same Name LLC', crd: 'N/A' }]),
    fund(2, [{ name: 'Whoever', crd: '000000000', file: '801-0', lei: 'N/A' }]),
  )
  for (const crd of ['703', '704']) assert.deepEqual((await ask(crd)).funds, [])
})

test('an adviser under several numbers is one adviser: a fund that names it twice is counted once', async () => {
  await reportOf(
    fund(1, [
      { name: 'First', crd: '000000701' },
      { name: 'First', file: '801-701' },
    ]),
  )
  const answer = await ask('701')
  assert.deepEqual(ways(answer), ['Fund 1 adviser crd 1 701'])
  assert.deepEqual([answer.fund_count, answer.advised_count, answer.total_net_assets], [1, 1, 100])
})

test('a fund with the same firm as adviser and subadviser has one row, is in both counts, and its assets are summed once', async () => {
  await reportOf(
    fund(1, [{ crd: '000000701' }, { role: 'subadviser', crd: '000000701' }]),
    fund(2, [{ crd: '000000702' }, { role: 'subadviser', crd: '000000701' }]),
  )
  const answer = await ask('701')
  assert.deepEqual(
    answer.funds.map(({ fund_name, role, roles }) => [fund_name, role, roles]),
    [
      ['Fund 1', 'adviser', ['adviser', 'subadviser']],
      ['Fund 2', 'subadviser', ['subadviser']],
    ],
  )
  const { fund_count, advised_count, subadvised_count, current_count, total_net_assets } = answer
  assert.deepEqual([fund_count, advised_count, subadvised_count, current_count, total_net_assets], [2, 1, 2, 2, 200])
})

test('a feeder whose master has the same adviser is shown but not summed, whether the feeder or the master names the link', async () => {
  const feeders = `<fundTypes><fundType>Money Market Fund</fundType><masterFeederFundInfo fundType="Master-Feeder Fund"><feederFunds
    feederFundName="Fund 2" regFeederFundFileNo="811-00700" regFeederFundSeriesIdNo="${series(2)}" regFeederFundLei="N/A"
    unregFeederFileNo="N/A"/></masterFeederFundInfo></fundTypes>`
  const masters = `<fundTypes><masterFeederFundInfo fundType="Master-Feeder Fund"><masterFunds masterFundName="Fund 1"
    masterFundFileNo="811-00700" masterFundSECFileNo="N/A" masterFundLei="${LEI}"/></masterFeederFundInfo></fundTypes>`
  const own = [{ crd: '000000701' }]
  await reportOf(
    fund(1, own, { assets: '1000', more: `<mgmtInvLei>${LEI}</mgmtInvLei>${feeders}`, noTypes: true }),
    fund(2, own, { assets: '300' }),
    fund(3, own, { assets: '200', more: masters, noTypes: true }),
  )
  const answer = await ask('701')
  const master = `0000000700-${series(1)}`
  assert.deepEqual(
    answer.funds.map((one) => [one.fund_name, one.net_assets, one.master, one.is_money_market]),
    [
      ['Fund 1', '1000', null, true],
      ['Fund 2', '300', master, false],
      ['Fund 3', '200', master, false],
    ],
  )
  assert.deepEqual([answer.fund_count, answer.total_net_assets], [3, 1000])
})

const mastered = (
  master: string,
) => `<fundTypes><masterFeederFundInfo fundType="Master-Feeder Fund"><masterFunds masterFundName="x"
    masterFundFileNo="811-00700" masterFundSECFileNo="N/A" masterFundLei="${master}"/></masterFeederFundInfo></fundTypes>`
const leiOf = (n: number) => `549300SPECIMENFUND0${n}`
/** Makes a fund that names another as its master. */
const feeding = (n: number, master: number, assets?: string) =>
  fund(n, [{ crd: '000000701' }], {
    assets: assets!,
    more: `<mgmtInvLei>${leiOf(n)}</mgmtInvLei>${mastered(leiOf(master))}`,
    noTypes: true,
  })
const own = (n: number, assets?: string) =>
  fund(n, [{ crd: '000000701' }], { assets: assets!, more: `<mgmtInvLei>${leiOf(n)}</mgmtInvLei>` })
const summed = async () => {
  const { funds, total_net_assets } = await ask('701')
  const names = funds.filter(({ is_summed }) => is_summed).map(({ fund_name }) => fund_name!)
  return [names.sort(), total_net_assets]
}

test('if two funds name each other as master, both are shown and only the larger is summed', async () => {
  await reportOf(feeding(1, 2, '300'), feeding(2, 1, '1000'))
  assert.deepEqual(await summed(), [['Fund 2'], 1000])
  assert.deepEqual(
    (await ask('701')).funds.map(({ fund_name, master }) => [fund_name, master?.slice(-1)]),
    [
      ['Fund 2', '1'],
      ['Fund 1', '2'],
    ],
  )
})

test('if three funds name each other as master in a circle, only the largest is summed; a feeder of one is not summed', async () => {
  await reportOf(feeding(1, 2, '300'), feeding(2, 3, '200'), feeding(3, 1, '400'), feeding(4, 2, '50'))
  assert.deepEqual(await summed(), [['Fund 3'], 400])
})

test('a feeder whose master has no assets figure is summed', async () => {
  await reportOf(own(1), feeding(2, 1, '300'))
  assert.deepEqual(await summed(), [['Fund 2'], 300])
})

test('a feeder of a feeder is summed only if their common master has no assets figure', async () => {
  await reportOf(feeding(1, 2, '100'), feeding(2, 3, '200'), own(3, '900'))
  assert.deepEqual(await summed(), [['Fund 3'], 900])
  const amended = [feeding(1, 2, '100'), feeding(2, 3, '200'), own(3)]
  await loadReports(world.sql, [report(2, '2023-12-31', '2024-04-10', amended, { form: 'N-CEN/A' })])
  assert.deepEqual(await summed(), [['Fund 2'], 200])
})

test('if a registrant’s report is long overdue compared with other funds, its fund is over and is shown by its last report', async () => {
  const us = (n: number, cik: string, period: string, filed: string) =>
    report(n, period, filed, [fund(n, [{ crd: '000000701' }])], { cik })
  await loadReports(world.sql, [
    us(1, '0000000701', '2022-12-31', '2023-03-10'),
    us(2, '0000000702', '2023-01-01', '2023-03-10'),
    // This period ends 456 days after that of the second report and 457 days after that of the first.
    us(3, '0000000703', '2024-04-01', '2024-06-10'),
  ])
  const answer = await ask('701')
  assert.deepEqual(
    answer.funds.map((one) => [one.fund_name, one.is_current, one.ended_by, one.ncen_filing_date, one.net_assets]),
    [
      ['Fund 2', true, null, '2023-03-10', '100'],
      ['Fund 3', true, null, '2024-06-10', '100'],
      ['Fund 1', false, 'silent', '2023-03-10', '100'],
    ],
  )
  assert.deepEqual([answer.current_count, answer.total_net_assets], [2, 200])
})

test('a report period that ends after its filing date does not make other funds overdue', async () => {
  await loadReports(world.sql, [
    report(1, '2023-12-31', '2024-03-10', [fund(1, [{ crd: '000000701' }])]),
    report(2, '2032-12-31', '2024-03-11', [fund(2, [{ crd: '000000701' }])], { cik: '0000000702' }),
  ])
  assert.deepEqual(
    (await ask('701')).funds.map(({ ended_by }) => ended_by),
    [null, null],
  )
})

test('an adviser is not current if it was dismissed, is no longer named by the fund, or if the fund is over', async () => {
  const first = { crd: '000000701' }
  const second = { crd: '000000702' }
  await loadReports(world.sql, [
    report(1, '2022-12-31', '2023-03-10', [fund(1, [first]), fund(2, [first]), fund(3, [first])]),
    report(2, '2023-12-31', '2024-03-10', [fund(1, [second, { ...first, ended: '2023-06-30' }]), fund(2, [second])], {
      ended: [series(3)],
    }),
  ])
  const former = await ask('701')
  assert.deepEqual(
    former.funds.map((one) => [one.fund_name, one.is_current, one.last_advised_period, one.ended_by]),
    [1, 2, 3].map((n) => [`Fund ${n}`, false, '2022-12-31', n === 3 ? 'terminated' : null]),
  )
  assert.deepEqual([former.fund_count, former.current_count, former.total_net_assets], [3, 0, null])
  const now = await ask('702')
  assert.deepEqual([now.current_count, now.total_net_assets], [2, 200])
})

test('a late amendment of an older year that names another adviser changes nothing', async () => {
  await loadReports(world.sql, [
    report(1, '2022-12-31', '2023-03-10', [fund(1, [{ crd: '000000701' }])]),
    report(2, '2023-12-31', '2024-03-10', [fund(1, [{ crd: '000000702' }], { assets: '500' })]),
    report(3, '2022-12-31', '2024-06-10', [fund(1, [{ crd: '000000703' }])], { form: 'N-CEN/A' }),
  ])
  assert.deepEqual(ways(await ask('702')), ['Fund 1 adviser crd 1 702'])
  assert.deepEqual(ways(await ask('703')), ['Fund 1 adviser crd 1 703 former'])
  assert.deepEqual((await ask('701')).funds, [], 'the report that named it was amended')
})

test('for a closed-end fund, the answer has its file number, the years of its filings, and whether it still files', async () => {
  const own = [{ crd: '000000701' }]
  const closed = { classification: 'N-2', fileNumber: '811-00777' } as const
  await loadReports(world.sql, [
    report(1, '2023-12-31', '2024-03-10', [{ name: 'Closed', assets: '7', advisers: own }], {
      ...closed,
      cik: '0000000777',
    }),
    report(2, '2023-12-31', '2024-03-10', [{ name: 'Gone', assets: '6', advisers: own }], {
      ...closed,
      cik: '0000000778',
    }),
    report(3, '2023-12-31', '2024-03-10', [fund(1, own)]),
  ])
  const filing = (n: number, form: string, filed: string, cik: string) => ({
    ...{ accession: `0000000777-21-00000${n}`, form, filed },
    filers: [[cik, 'Closed']] as const,
  })
  await loadFilings(world.sql, [
    filing(1, 'N-2', '1999-05-01', '777'),
    filing(2, 'N-CSR', '2025-03-01', '777'),
    filing(3, 'N-8F ORDR', '2025-01-01', '778'),
  ])
  const { funds } = await ask('701')
  assert.deepEqual(
    funds.map((one) => [
      ...[one.fund_name, one.series_id, one.cef_file_number, one.cef_first_seen_year, one.cef_last_seen_year],
      one.cef_active,
    ]),
    [
      ['Fund 1', series(1), null, null, null, null],
      ['Closed', null, '811-00777', 1999, 2025, true],
      ['Gone', null, '811-00777', 2024, 2025, false],
    ],
  )
})

test('an unknown CRD number, an adviser without funds, and reports that were never loaded give three different answers', async () => {
  assert.equal(await ask('799'), null)
  assert.deepEqual(
    (await ask('705')).not_loaded?.map(({ source }) => source),
    ['ncen', 'edgar'],
  )
  await reportOf(fund(1, [{ crd: '000000701' }]))
  await world.sql`update edgar.coverage set extracted = 1`
  const none = await ask('705')
  assert.deepEqual([none.fund_count, none.funds, none.not_loaded], [0, [], undefined])
})
