/** The profile of an adviser: core, sections, and the source of each. */
import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { diskStore } from '../../../src/archive/store.ts'
import adv from '../../../src/datasets/adv/index.ts'
import { profile } from '../../../src/datasets/adv/routes.ts'
import { edgarClient } from '../../../src/fetch/client.ts'
import { ingestBulk } from '../../../src/ingest/bulk/ingest.ts'
import type { Sql } from '../../../src/store/db.ts'
import { ADVISERS, ask } from '../../support/adv/rows.ts'
import { writeZip } from '../../support/bulk-world.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/world.ts'

const { sql } = await freshDatabase({ after })
const fixtures = path.join(import.meta.dirname, '../../../src/datasets/adv/fixtures')

before(() => loadFixtures(sql))

/** Loads the dataset's own fixtures as they would come from the publisher. */
async function loadFixtures(sql: Sql): Promise<void> {
  const root = await temporaryFolder({ after })
  const names: string[] = []
  for (const entry of await readdir(fixtures, { withFileTypes: true })) {
    if (entry.name.endsWith('.json')) continue
    const from = path.join(fixtures, entry.name)
    const to = path.join(root, entry.isDirectory() ? `${entry.name}.zip` : entry.name)
    if (entry.isDirectory()) {
      const members = await readdir(from)
      await writeZip(
        to,
        Object.fromEntries(
          await Promise.all(members.map(async (name) => [name, await readFile(path.join(from, name))] as const)),
        ),
      )
    } else await writeFile(to, await readFile(from))
    names.push(to)
  }
  const client = edgarClient({ baseUrl: 'http://127.0.0.1:9', userAgent: null })
  after(() => client.close())
  const outcomes = await ingestBulk({
    sql,
    slices: ADVISERS,
    datasets: [adv],
    store: diskStore(path.join(root, 'archive')),
    client,
    files: names,
  })
  for (const { error } of outcomes) assert.equal(error, null)
}

// biome-ignore lint/suspicious/noExplicitAny: what the answer holds is what is tested
type Answer = Record<string, any>

const SPECIMEN = '9000000101'
const CORE = [
  ...['adviser', 'latest_filing', 'funds_total', 'funds_by_type', 'funds_rest', 'fund_values_by_type'],
  ...['dominant_fund_type', 'registrations', 'sections'],
]
/** Members that come with a section. */
const WITH: Readonly<Record<string, readonly string[]>> = {
  ...{ filings: ['withdrawals'], funds: ['reported_funds'], part1a: ['part1a_schedules'] },
  linked: ['linked_filers', 'web_addresses', 'social_addresses', 'former_names'],
}
const SECTIONS = ['filings', 'funds', 'service_providers', 'drp', 'people', 'branches', 'part1a', 'sma', 'linked']

const of = (crd: string, include?: string) =>
  ask<Answer>(sql, profile, include === undefined ? { crd } : { crd, include })
/** Returns the rows of a section of the specimen, or of another firm. */
const section = async (name: string, crd = SPECIMEN) => (await of(crd, name))[name] as Answer[]

const some = (row: Answer | undefined, ...names: string[]) => names.map((name) => row?.[name])

test('the core has identity, newest filing and fund counts, but no section', async () => {
  const answer = await of('0000361')
  assert.deepEqual(Object.keys(answer), CORE)
  const { adviser, latest_filing } = answer
  assert.deepEqual(
    some(adviser, 'id', 'crd', 'sec_file_number', 'adviser_type', 'firm_name', 'street', 'city', 'state', 'country', 'zip'),
    ['361', '361', '801-16048', 'IA', 'GOLDMAN SACHS & CO. LLC', '200 WEST STREET', 'NEW YORK', 'NY', 'United States', '10282'],
  ) // biome-ignore format: one line each
  assert.deepEqual(
    some(
      adviser,
      'phone',
      'has_website',
      'execution_type',
      'registration_status',
      'registration_date',
      'is_terminated',
    ),
    ['212-902-1000', true, 'Domestic', 'APPROVED', '1981-05-13', false],
  )
  assert.deepEqual([typeof adviser.lat, typeof adviser.lng], ['number', 'number'])
  assert.equal(adviser.latest_raum, '133644228926')
  // Item 5.F(2) and 5.D of the filing.
  assert.deepEqual(
    some(latest_filing, 'id', 'filing_date', 'filing_type', 'total_raum', 'discretionary_aum', 'non_discretionary_aum'),
    ['9000000361', '2026-03-31', 'Annual Updating Amendment for Registered Adviser', '133644228926', '133354336653', '289892273'],
  ) // biome-ignore format: one line each
  assert.deepEqual(some(latest_filing, 'total_accounts', 'clients_individuals', 'clients_hnw', 'clients_banks'), [
    46269,
    0,
    29104,
    null,
  ])
  assert.deepEqual(some(latest_filing, 'comp_pct_aum', 'comp_hourly', 'serves_individuals', 'serves_hnw'), [
    true,
    false,
    false,
    true,
  ])
  assert.deepEqual([answer.funds_total, answer.funds_by_type], [0, []])
  assert.deepEqual(answer.sections, { available: SECTIONS, included: [], read_from: [] })
  assert.ok(JSON.stringify(answer).length < 16_384)
})

test('every value of the core names its filing or feed', async () => {
  const { adviser } = await of('361')
  assert.deepEqual(some(adviser.sources, 'city', 'latest_raum', 'registration_status'), [
    'filing 9000000361',
    'filing 9000000361',
    'IA_FIRM_SEC 2026-07-23',
  ])
})

test('answers match the declared schema, whatever sections are included', async () => {
  for (const crd of ['361', SPECIMEN, '149120', '9000000201', '9000000301']) {
    const answer = await of(crd, 'all')
    const declared = profile.output!.safeParse(answer)
    assert.deepEqual(declared.error?.issues ?? [], [], crd)
    assert.deepEqual(declared.data, answer, `${crd}: every member is declared`)
  }
})

test('requested sections come in a fixed order, each once', async () => {
  for (const name of SECTIONS) {
    const answer = await of(SPECIMEN, name)
    assert.deepEqual(answer.sections.included, [name])
    assert.deepEqual(Object.keys(answer).slice(CORE.length), [name, ...(WITH[name] ?? [])])
  }
  const two = await of(SPECIMEN, 'people, funds,people')
  assert.deepEqual(two.sections.included, ['funds', 'people'])
  assert.deepEqual((await of(SPECIMEN, 'all')).sections.included, SECTIONS)
  assert.deepEqual((await of(SPECIMEN, '')).sections.included, [])
})

test('an unknown section is refused by name, an unknown firm is not found', async () => {
  const { error } = profile.input.safeParse({ crd: '361', include: 'funds,nonsense' })
  assert.match(error!.issues[0]!.message, /^unknown section "nonsense"; use all or some of filings, funds, /)
  assert.equal(await profile.run(profile.input.parse({ crd: '999999999', include: 'all' }), testContext(sql)), null)
  for (const crd of ['abc', '12a', '-1', '']) assert.throws(() => profile.input.parse({ crd }), crd)
})

test('each section names its filing', async () => {
  const answer = await of(SPECIMEN, 'all')
  const filed = { filing_id: '9000000101', filing_date: '2026-06-24', source: 'ADV_FILING_DATA' }
  assert.deepEqual(
    answer.sections.read_from,
    SECTIONS.map((name) => ({ name, ...filed })),
  )
  // A firm that no data file has: the feed shows its newest filing, but its schedules are unknown.
  const feedOnly = await of('149120', 'part1a,people')
  assert.deepEqual(feedOnly.sections.read_from, [
    { name: 'people', filing_id: null, filing_date: null, source: null },
    { name: 'part1a', filing_id: null, filing_date: '2025-03-31', source: 'IA_FIRM_SEC' },
  ])
  assert.deepEqual(feedOnly.people, [])
  assert.equal(feedOnly.funds_total, null)
})

test('funds have every field and exact amounts; funds that another adviser reports are listed separately', async () => {
  const { funds: rows, reported_funds: reported } = await of(SPECIMEN, 'funds')
  assert.deepEqual(
    rows.map((row: Answer) => row.fund_id),
    ['805-4964869201', '805-9000000001'],
  )
  assert.deepEqual(some(rows[0], 'name', 'state', 'exclusion_3c1', 'exclusion_3c7', 'fund_type', 'gross_asset_value', 'minimum_investment', 'owner_count'),
    ['PALM PEAK CAPITAL FUND I, L.P.', 'Delaware', false, true, 'Private Equity Fund', '321687148', '0', 57]) // biome-ignore format: one line each
  assert.deepEqual(some(rows[1], 'is_feeder', 'master_fund_id', 'gross_asset_value', 'unqualified_opinion'), [
    true,
    '805-9000000002',
    null,
    'Report Not Yet Received',
  ])
  assert.deepEqual(
    reported.map((row: Answer) => some(row, 'name', 'fund_id', 'adviser_sec_number', 'clients_solicited')),
    [['OPENFILINGS SPECIMEN CO-INVEST LP', '805-9000000004', '801-900104', false]],
  )
  assert.equal((await of(SPECIMEN)).funds_total, 3)
})

test('a provider of several funds is listed once, with all of its funds', async () => {
  const rows = await section('service_providers')
  assert.deepEqual(
    rows.map((row: Answer) => some(row, 'kind', 'name', 'fund_ids')),
    [
      ['administrator', 'SPECIMEN FUND SERVICES LTD', ['805-9000000001']],
      ['auditor', 'SPECIMEN & PARTNERS LLP', ['805-9000000001']],
      ['custodian', 'SPECIMEN TRUST COMPANY', ['805-9000000001']],
      ['marketer', 'OPENFILINGS SPECIMEN BROKERS LLC', ['805-9000000001']],
      ['prime_broker', 'GOLDMAN SACHS & CO. LLC', ['805-9000000001']],
    ],
  )
  assert.deepEqual(some(rows[1]!.details, 'PCAOB Number', 'Independent', 'ReferenceID'), ['900', 'Y', undefined])
  await sql`
    insert into adv.fund_provider select filing_id, '518607', kind, name, business_name, city, state, country, crd,
      sec_number, lei, is_related, details || '{"ReferenceID": "518607"}', 100
    from adv.fund_provider where filing_id = '9000000101' and kind = 'auditor'`
  const both = await section('service_providers')
  assert.deepEqual(some(both[1], 'kind', 'fund_count', 'fund_ids'), [
    'auditor',
    2,
    ['805-4964869201', '805-9000000001'],
  ])
  assert.equal(both.length, 5)
})

test('people, offices, disclosures and accounts equal the lines of the filing', async () => {
  const people = await section('people')
  assert.deepEqual(
    people.map((row: Answer) => some(row, 'schedule', 'name', 'ownership_code', 'since')),
    [
      ['A', 'PERSON 0001, SAMPLE', 'D', '09/2012'],
      ['B', 'OPENFILINGS SPECIMEN HOLDINGS LTD', 'C', '01/2013'],
    ],
  )
  const branches = await section('branches')
  assert.deepEqual(
    branches.map((row: Answer) => some(row, 'city', 'employees', 'insurance')),
    [['PITTSBURGH', 35, true]],
  )
  const drp = await section('drp', '361')
  assert.deepEqual(
    drp.map((row: Answer) => some(row, 'kind', 'initiated_by', 'amount')),
    [
      ['affiliate', null, null],
      ['regulatory', 'FINRA', '5000'],
    ],
  )
  const sma = await section('sma', '361')
  assert.deepEqual(
    sma.map((row: Answer) => some(row, 'part', 'custodian_name', 'raum')),
    [
      ['5K1', null, null],
      ['5K2', null, null],
      ['5K3', 'SPECIMEN TRUST COMPANY', '12345678901'],
    ],
  )
  assert.equal(sma[0]!.details['5K(1)(a)(i)EOY'], '43')
})

test('part 1A has every item of the newest filing as filed, by file', async () => {
  const rows = await section('part1a')
  const members = ['IA_ADV_Base_A', 'ADV_1J_1K', 'Schedule_D_7A_CIK', 'Schedule_D_7B1A22', 'Schedule_D_7B1A28_websites', 'Schedule_D_7B1A3a', 'Schedule_D_Books_and_Records'] // biome-ignore format: one list
  assert.deepEqual(
    rows.map((row: Answer) => row.member),
    members,
  )
  assert.deepEqual(some(rows[0]!.as_filed, '1A', '1F1-City', 'DateSubmitted', '5F2c'), [
    'OPENFILINGS SPECIMEN ADVISERS LLC',
    'MONTRÉAL',
    '6/24/2026',
    undefined,
  ])
  const [feed] = await section('part1a', '149120')
  assert.equal(feed!.member, 'IA_FIRM_SEC')
  assert.equal(feed!.as_filed['5A'].TtlEmp, '56')
})

test('the linked section has related persons, relying advisers, names and EDGAR filers', async () => {
  const { linked: rows, linked_filers: ciks } = await of(SPECIMEN, 'linked')
  const kinds = rows.map((row: Answer) => row.kind)
  assert.deepEqual(new Set(kinds), new Set(['other_crd', 'relying_adviser', 'other_name', 'web', 'related_person']))
  assert.deepEqual(ciks, [])
  const known = await of('361', 'linked')
  const stated = await sql`select cik, method, confidence, basis from links.link where crd = '361' order by 1`
  assert.deepEqual(known.linked_filers, [...stated])
  assert.ok(stated.length > 0)
})

test('filings come newest first, and include withdrawals', async () => {
  await sql`
    insert into adv.filing (filing_id, form, crd, submitted_date, raum_total, clients, base_a)
    values ('99', 'IA', '361', '2019-03-29', 12345678901234567890, '{}', '{}'),
      ('100', 'IA', '361', '2019-03-29', null, '{}', '{}'), ('101', 'ERA', '361', null, null, '{}', '{}')`
  await sql`
    insert into adv.withdrawal (filing_id, crd, status, date, details) values ('7', '361', 'PARTIAL', '2020-01-02', '{}')`
  const { filings: rows, withdrawals } = await of('361', 'filings')
  assert.deepEqual(
    rows.map((row: Answer) => row.filing_id),
    ['9000000361', '100', '99', '101'],
  )
  assert.deepEqual(some(rows[0], 'filing_type', 'fiscal_year', 'raum_total', 'form'), [
    'Annual Updating Amendment for Registered Adviser',
    2025,
    '133644228926',
    'IA',
  ])
  assert.equal(rows[2].raum_total, '12345678901234567890')
  assert.deepEqual(
    withdrawals.map((row: Answer) => some(row, 'filing_id', 'status')),
    [['7', 'PARTIAL']],
  )
})

test('lines that one filing has in the files of both kinds of adviser are listed once', async () => {
  const before = await of(SPECIMEN, 'people,funds')
  await sql.begin(async (tx) => {
    for (const table of ['adv.owner', 'adv.fund']) {
      await tx`create temporary table twin on commit drop as select * from ${tx(table)} where filing_id = '9000000101'`
      await tx`update twin set n = n + 100`
      await tx`insert into ${tx(table)} select * from twin`
      await tx`drop table twin`
    }
  })
  assert.deepEqual(await of(SPECIMEN, 'people,funds'), before)
})
