/** All stored data of an adviser is served, each fact with its source, and none of it misleads. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import adv from '../../../src/datasets/adv/index.ts'
import { list, profile } from '../../../src/datasets/adv/routes.ts'
import { type AdvWorld, type FeedFirm, filed, openAdv, SPECIMEN } from '../../support/adv/load.ts'
import { ask } from '../../support/adv/rows.ts'

// biome-ignore lint/suspicious/noExplicitAny: what the answer holds is what is tested
type Answer = Record<string, any>

async function profileOf({ sql }: AdvWorld, include = '', crd = SPECIMEN.crd): Promise<Answer> {
  const answer = await ask<Answer>(sql, profile, { crd, include })
  assert.deepEqual(profile.output!.safeParse(answer).error?.issues ?? [], [])
  const members = [answer, answer.adviser, answer.latest_filing].flatMap((object) => Object.keys(object))
  const unnamed = Object.keys(answer.adviser.sources).filter((name) => !members.includes(name))
  assert.deepEqual(unnamed, [], 'each source is that of a member')
  return answer
}

const STATES = ['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'DC', 'FL', 'GA', 'GU', 'HI', 'IA', 'ID', 'IL', 'IN', 'KS', 'KY', 'LA', 'MA', 'MD', 'ME', 'MI', 'MN', 'MO', 'MS', 'MT', 'NC', 'ND', 'NE', 'NH', 'NJ', 'NM', 'NV', 'NY', 'OH', 'OK', 'OR', 'PA', 'PR', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VA', 'VI', 'VT', 'WA', 'WI', 'WV', 'WY'] // biome-ignore format: one list

const WEB = [
  'https://www.linkedin.com/company/specimen',
  'HTTPS://SPECIMEN.EXAMPLE',
  'N/A',
  'https://x.com/specimen',
  'https://linkedinvestments.example',
]

test('the profile has each of these facts of a feed, with its day: notice filings, region, umbrella, form version, fax, mailing address, web addresses', async (t) => {
  const world = await openAdv(t)
  const firm: FeedFirm = {
    ...SPECIMEN,
    region: 'NYRO',
    umbrella: 'Y',
    fax: '212-555-0101',
    mailing: { street: 'PO BOX 7', city: 'ALBANY', state: 'NY' },
    notices: STATES.map((state) => [state, 'FILED', '2013-01-01'] as const),
    web: WEB,
    items: { '1': { Q1I: 'Y', Q1P: '549300SPECIMEN000001' } },
  }
  await world.feed('IA_FIRM_SEC', '2026-07-22', [{ ...SPECIMEN, crd: '9000000499' }, firm])
  await world.feed('IA_FIRM_STATE', '2026-07-23', [
    { crd: SPECIMEN.crd, filed: '2026-01-31', era: [['TX', 'ACTIVE', '2020-02-03']], states: [['UT', 'TERMED']] },
  ])
  const { adviser, latest_filing, registrations } = await profileOf(world)
  assert.deepEqual(
    [adviser.fax, adviser.lei, adviser.has_web_addresses],
    ['212-555-0101', '549300SPECIMEN000001', true],
  )
  assert.deepEqual(adviser.mailing_address, {
    ...{ street1: 'PO BOX 7', street2: null, city: 'ALBANY', state: 'NY', country: null, postal_code: null },
  })
  assert.deepEqual(adviser.web_addresses, ['HTTPS://SPECIMEN.EXAMPLE', 'N/A', 'https://linkedinvestments.example'])
  assert.deepEqual(adviser.social_addresses, ['https://www.linkedin.com/company/specimen', 'https://x.com/specimen'])
  assert.deepEqual([adviser.web_address_count, adviser.social_address_count], [3, 2])
  assert.equal(latest_filing.form_version, '10/2021')
  for (const name of ['fax', 'mailing_address', 'web_addresses', 'social_addresses', 'lei', 'form_version'])
    assert.equal(adviser.sources[name], 'IA_FIRM_SEC 2026-07-22', name)
  assert.equal(registrations.length, 2)
  const [sec, state] = registrations
  assert.deepEqual(sec.notice_filings.length, 54)
  assert.deepEqual(sec.notice_filings[0], { state: 'AK', status: 'FILED', date: '2013-01-01' })
  const { notice_filings: _, ...own } = sec
  assert.deepEqual(own, {
    ...{ feed: 'IA_FIRM_SEC', source: 'IA_FIRM_SEC 2026-07-22', shown_since: '2026-07-22', gone_on: null },
    ...{ sec_file_number: '801-900401', sec_region: 'NYRO', is_umbrella: true, type: 'Registered', status: 'APPROVED' },
    ...{ status_date: '2012-05-06', filing_date: '2026-03-31', form_version: '10/2021' },
    ...{ state_registrations: [], era_states: [] },
  })
  assert.deepEqual([state.feed, state.source, state.is_umbrella], ['IA_FIRM_STATE', 'IA_FIRM_STATE 2026-07-23', null])
  assert.deepEqual(state.era_states, [{ state: 'TX', status: 'ACTIVE', date: '2020-02-03' }])
  assert.deepEqual(state.state_registrations, [{ state: 'UT', status: 'TERMED', date: null }])
  // The core of the firm with the most notice filings stays within a few KB.
  assert.ok(JSON.stringify(await profileOf(world)).length < 8_000)
  await world.feed('IA_FIRM_SEC', '2026-07-24', [{ ...SPECIMEN, crd: '9000000499' }])
  const gone = (await profileOf(world)).registrations
  assert.deepEqual(
    gone.map(({ feed, gone_on }: Answer) => [feed, gone_on]),
    [
      ['IA_FIRM_STATE', null],
      ['IA_FIRM_SEC', '2026-07-24'],
    ],
  )
})

test('the core cuts long lists and states their full length; the linked section has all entries', async (t) => {
  const world = await openAdv(t)
  const web = Array.from({ length: 300 }, (_, n) => `https://site-${n}.specimen.example/${'x'.repeat(60)}`)
  const social = web.map((_, n) => `https://x.com/specimen-${n}`)
  await world.feed('IA_FIRM_SEC', '2026-07-22', [{ ...SPECIMEN, web: [...social, ...web] }])
  const { adviser } = await profileOf(world)
  assert.deepEqual(adviser.web_addresses, web.slice(0, 20))
  assert.deepEqual([adviser.web_address_count, adviser.social_address_count], [300, 300])
  assert.ok(JSON.stringify(await profileOf(world)).length < 8_000)
  const linked = await profileOf(world, 'linked')
  assert.deepEqual([linked.web_addresses, linked.social_addresses], [web, social])
})

test('`has_website` is true if an address is not on a social platform, false if the firm says so or all are, and else null', async (t) => {
  const world = await openAdv(t)
  const site = async () => {
    const { adviser } = await profileOf(world)
    assert.equal(adviser.web_addresses === null, adviser.has_website === null)
    return [adviser.has_website, adviser.primary_website]
  }
  const social = WEB.filter((address) => address.includes('linkedin.com') || address.includes('x.com'))
  await world.feed('IA_FIRM_SEC', '2026-07-01', [SPECIMEN])
  assert.deepEqual(await site(), [null, null])
  await world.feed('IA_FIRM_SEC', '2026-07-02', [{ ...SPECIMEN, web: social }])
  assert.deepEqual(await site(), [false, null])
  await world.feed('IA_FIRM_SEC', '2026-07-03', [{ ...SPECIMEN, web: WEB }])
  assert.deepEqual(await site(), [true, 'HTTPS://SPECIMEN.EXAMPLE'])
  await world.feed('IA_FIRM_SEC', '2026-07-04', [{ ...SPECIMEN, items: { '1': { Q1I: 'N' } } }])
  assert.deepEqual(await site(), [false, null])
  await world.month('2026-07', {
    IA_ADV_Base_A: [
      filed('1', '2026-07-05', { '1I': 'Y', '1G-Street 1': 'PO BOX 8', '1G-City': 'TROY', '1P': 'LEI9' }),
    ],
    IA_Schedule_D_1I: [...social, 'www.specimen.example'].map((Website) => ({ FilingID: '1', Website })),
  })
  assert.deepEqual(await site(), [true, 'www.specimen.example'])
  const { adviser } = await profileOf(world)
  assert.deepEqual([adviser.web_addresses, adviser.social_addresses], [['www.specimen.example'], social])
  assert.deepEqual(
    [adviser.mailing_address.street1, adviser.mailing_address.zip, adviser.lei],
    ['PO BOX 8', undefined, 'LEI9'],
  )
  assert.deepEqual([adviser.sources.web_addresses, adviser.sources.mailing_address], ['filing 1', 'filing 1'])
  await world.month('2026-07', { IA_ADV_Base_A: [filed('1', '2026-07-05', { '1I': 'N' })] })
  assert.deepEqual(await site(), [false, null])
})

const fund = (reference: string, type: string, value = '1') => ({
  ...{ FilingID: '300', 'Fund Name': `Specimen ${reference}`, 'Fund ID': `805-${reference}`, ReferenceID: reference },
  ...{ 'Fund Type': type, 'Gross Asset Value': value },
})

test('the number of funds equals the funds by type plus the rest that the answer names, in profile and list', async (t) => {
  const world = await openAdv(t)
  const elsewhere = (id: string) => ({ FilingID: '300', 'Fund Name': `Elsewhere ${id}`, 'Fund ID': `805-9${id}` })
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('300', '2026-03-01', { '7B': 'Y' })],
    IA_Schedule_D_7B1: [fund('1', 'Hedge Fund', '5'), fund('2', 'Hedge Fund'), fund('3', 'Other'), fund('4', ''), fund('5', '')],
    IA_Schedule_D_7B2: [elsewhere('1'), elsewhere('2'), elsewhere('3')],
  }) // biome-ignore format: a file a line
  const counts = async () => {
    const { funds_total, funds_by_type, funds_rest, ...answer } = await profileOf(world)
    const { rows } = await ask<{ rows: Answer[] }>(world.sql, list)
    const { fund_count, ...row } = rows[0]!
    assert.deepEqual([fund_count, row.funds_by_type, row.funds_rest], [funds_total, funds_by_type, funds_rest])
    const sum = (parts: object) => Object.values(parts).reduce((all: number, n) => all + (n as number), 0)
    if (funds_total !== null) assert.equal(funds_total, sum(funds_by_type) + sum(funds_rest))
    return [funds_total, funds_by_type, funds_rest, answer.fund_values_by_type]
  }
  const rest = (without_type: number | null, reported_by_another_adviser: number | null) => ({
    without_type,
    reported_by_another_adviser,
  })
  assert.deepEqual(await counts(), [8, { 'Hedge Fund': 2, Other: 1 }, rest(2, 3), { 'Hedge Fund': '6', Other: '1' }])
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('300', '2026-03-01', { '7B': 'Y' })],
    IA_Schedule_D_7B2: [elsewhere('1')],
  })
  assert.deepEqual(await counts(), [1, [], rest(0, 1), {}])
  await world.month('2026-03', { IA_ADV_Base_A: [filed('300', '2026-03-01', { '7B': 'N' })] })
  assert.deepEqual(await counts(), [0, [], rest(0, 0), {}])
  await world.month('2026-03', { IA_ADV_Base_A: [filed('300', '2026-03-01')] })
  assert.deepEqual(await counts(), [null, [], rest(null, null), {}])
})

test('if only a feed shows the newest filing, part 1A still has the data files of the previous filing', async (t) => {
  const world = await openAdv(t)
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('1', '2026-03-01', { '5A': '7' })],
    Schedule_D_Misc: [{ FilingID: '1', Text: 'A SPECIMEN NOTE' }],
  })
  const schedules = async () => (await profileOf(world, 'part1a')).part1a_schedules
  assert.deepEqual(await schedules(), { filing_id: null, filing_date: null, rows: [] })
  await world.feed('IA_FIRM_SEC', '2026-07-23', [{ ...SPECIMEN, items: { '5A': { TtlEmp: '8' } } }])
  const { part1a, part1a_schedules: before } = await profileOf(world, 'part1a')
  assert.deepEqual(part1a, [{ member: 'IA_FIRM_SEC', as_filed: { '5A': { TtlEmp: '8' } } }])
  assert.deepEqual([before.filing_id, before.filing_date], ['1', '2026-03-01'])
  assert.deepEqual(
    before.rows.map(({ member, as_filed }: Answer) => [member, as_filed['5A'] ?? as_filed.Text]),
    [
      ['IA_ADV_Base_A', '7'],
      ['Schedule_D_Misc', 'A SPECIMEN NOTE'],
    ],
  )
})

test('a withdrawal is served with its statements and schedules, an older filing with its address and clients', async (t) => {
  const world = await openAdv(t)
  await world.month('2025-03', {
    IA_ADV_Base_A: [filed('1', '2025-03-01', { '1F1-Street 1': '1 OLD STREET', '5D1a': '12', '1F3': '555' })],
  })
  await world.month('2026-03', { IA_ADV_Base_A: [filed('2', '2026-03-01')] })
  await world.withdrawals('2026-06', [
    { 'Filing ID': '9', 'CRD Number': SPECIMEN.crd, 'Filing Type': 'FULL', 'Filing Date': '06/02/2026', 'SEC File Number': '801-1', Remark: 'X' },
  ]) // biome-ignore format: a line a row
  await world.sql`insert into adv.withdrawal_line (filing_id, member, details, n) values ('9', 'W2', '{"Cash": "5"}', 1)`
  const { filings, withdrawals } = await profileOf(world, 'filings')
  const [, older] = filings
  assert.deepEqual([older.street1, older.phone, older.clients.individuals.count], ['1 OLD STREET', '555', 12])
  const [withdrawal] = withdrawals
  assert.deepEqual([withdrawal.sec_number, withdrawal.details.Remark], ['801-1', 'X'])
  assert.deepEqual(withdrawal.lines, [{ member: 'W2', details: { Cash: '5' } }])
})

/** Columns whose name no member of the profile has. For each: where it is served, or why it is not. */
const OTHERWISE: Readonly<Record<string, string>> = {
  'firm.umbrella': 'registrations[].is_umbrella',
  'firm.mailing': 'adviser.mailing_address',
  'firm.registration_type': 'registrations[].type',
  'filing.base_a': 'part1a[].as_filed; of older filings not served: 30 KB each',
  'filing_type.types': 'filings[].filing_type',
}

test('every stored column is a member of the profile, or is listed here with the reason', () => {
  const names = new Set<string>()
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    for (const [name, part] of Object.entries(schema)) {
      if (name === 'properties') for (const own of Object.keys(part as object)) names.add(own)
      collect(part)
    }
  }
  collect(z.toJSONSchema(profile.output!, { io: 'output', unrepresentable: 'any' }))
  const unserved = Object.entries(adv.tables).flatMap(([table, { row }]) =>
    // A line number is only the order in which the lines are served.
    Object.keys(row.shape).flatMap((column) => (names.has(column) || column === 'n' ? [] : [`${table}.${column}`])),
  )
  assert.deepEqual(unserved.sort(), Object.keys(OTHERWISE).sort())
})
