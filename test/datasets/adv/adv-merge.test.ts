/** Advisers merged from feeds and filings: the source that counts for each field. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdvWorld, facts, filed, openAdv, SPECIMEN } from '../../support/adv/load.ts'

const source = async (world: AdvWorld, column: string) => {
  const [sources] = await facts(world, 'sources')
  return (sources as Record<string, string>)[column]
}

test('the newer filing wins in every field, whichever source contains it, and the answer names the source', async (t) => {
  const world = await openAdv(t)
  await world.month('2026-02', {
    IA_ADV_Base_A: [filed('100', '2026-02-10', { '5F2c': '1000', '1F1-City': 'BOSTON', '1F1-State': 'MA', '5A': '7' })],
  })
  assert.deepEqual(await facts(world, 'latest_id', 'latest_filing_id', 'latest_raum'), ['100', '100', '1000'])
  assert.deepEqual(await facts(world, 'feed', 'city'), [null, 'BOSTON'])

  await world.feed('IA_FIRM_SEC', '2026-07-23', [{ ...SPECIMEN, items: { '5F': { Q5F2C: '2000' } } }])
  const id = 'IA_FIRM_SEC-9000000401-2026-03-31'
  assert.deepEqual(await facts(world, 'latest_id', 'latest_filing_id', 'latest_raum'), [id, null, '2000'])
  assert.deepEqual(await facts(world, 'feed', 'city', 'latest_filing_date'), ['IA_FIRM_SEC', 'NEW YORK', '2026-03-31'])
  assert.equal(await source(world, 'latest_raum'), 'IA_FIRM_SEC 2026-07-23')
  // Only the older filing states the number of employees, so the number is unknown for the newer filing.
  assert.deepEqual(await facts(world, 'employees', 'schedule_filing_id'), [null, '100'])
  assert.equal(await source(world, 'employees'), undefined)

  await world.month('2026-07', {
    IA_ADV_Base_A: [filed('103', '2026-07-01', { '5F2c': '3000', '1F1-City': 'ALBANY' })],
  })
  assert.deepEqual(await facts(world, 'latest_id', 'latest_raum', 'city', 'state'), ['103', '3000', 'ALBANY', null])
  assert.equal(await source(world, 'latest_raum'), 'filing 103')
  // Only the feed states the registration.
  assert.deepEqual(await facts(world, 'registration_status', 'registration_date'), ['APPROVED', '2012-05-06'])
  assert.equal(await source(world, 'registration_status'), 'IA_FIRM_SEC 2026-07-23')
})

test('data files win over a feed of the same day; the feed fills their blanks', async (t) => {
  const world = await openAdv(t)
  await world.feed('IA_FIRM_SEC', '2026-07-23', [
    {
      ...SPECIMEN,
      web: ['https://x.com/specimen', 'www.specimen.example'],
      items: { '5F': { Q5F2C: '2000' }, '11': { Q11: 'N' } },
    },
  ])
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('101', '2026-03-31', { '5F2c': '2001', 'Execution Type': 'Domestic' })],
    ADV_Filing_Types: [{ FilingID: '101', 'Annual Updating Amendment for Registered Adviser': 'Y' }],
  })
  assert.deepEqual(await facts(world, 'latest_raum', 'city', 'has_disciplinary'), ['2001', 'NEW YORK', false])
  assert.deepEqual(
    [await source(world, 'latest_raum'), await source(world, 'city')],
    ['filing 101', 'IA_FIRM_SEC 2026-07-23'],
  )
  assert.deepEqual(await facts(world, 'latest_id', 'latest_filing_type', 'execution_type'), [
    '101',
    'Annual Updating Amendment for Registered Adviser',
    'Domestic',
  ])
  assert.deepEqual(await facts(world, 'primary_website', 'has_website'), ['www.specimen.example', true])
})

test('counts only the later of two filings of one day', async (t) => {
  const world = await openAdv(t)
  await world.month('2026-06', {
    IA_ADV_Base_A: [
      filed('1000', '2026-06-15', { '5F2c': '2' }),
      filed('999', '2026-06-15', { '5F2c': '1', '5A': '9' }),
    ],
  })
  assert.deepEqual(await facts(world, 'latest_id', 'latest_raum', 'employees'), ['1000', '2', null])
})

test('the location of a firm is looked up by its postal code in the United States, and is null elsewhere', async (t) => {
  const world = await openAdv(t)
  const abroad = { ...SPECIMEN, crd: '9000000402', city: 'FRANKFURT', zip: '60311', country: 'Germany' }
  const { state: _, ...foreign } = abroad
  const odd = { ...SPECIMEN, crd: '9000000403', zip: '1028' }
  await world.feed('IA_FIRM_SEC', '2026-07-23', [SPECIMEN, foreign, odd])
  const rows = await world.sql`select lat, lng, street from adv.adviser order by crd`
  assert.deepEqual(
    rows.map(({ lat, lng }) => [lat, lng]),
    [
      ['40.7166', '-74.0146'],
      [null, null],
      [null, null],
    ],
  )
})

test('disciplinary history is yes, no or unknown', async (t) => {
  const world = await openAdv(t)
  await world.feed('IA_FIRM_SEC', '2026-07-23', [
    { ...SPECIMEN, crd: '9000000411', items: { '11': { Q11: 'N' }, '11A': { Q11A1: 'N' } } },
    { ...SPECIMEN, crd: '9000000412', items: { '11': { Q11: 'N' }, '11C': { Q11C2: 'Y' } } },
    { ...SPECIMEN, crd: '9000000413' },
  ])
  const rows = await world.sql`select has_disciplinary from adv.adviser order by crd`
  assert.deepEqual(
    rows.map((row) => row.has_disciplinary),
    [false, true, null],
  )
  assert.deepEqual(
    [...(await world.sql`select disciplinary, advisers from adv.adviser_tally where fund_type = '' order by 1`)],
    [
      { disciplinary: 'no', advisers: 1 },
      { disciplinary: 'unknown', advisers: 1 },
      { disciplinary: 'yes', advisers: 1 },
    ],
  )
})

test('recognizes an exempt reporting adviser by its feed record, its data file, or its status in states', async (t) => {
  const world = await openAdv(t)
  const kind = async (crd: string) => (await world.adviser(crd))?.adviser_type
  const { type: _, status: _s, registered: _r, number: _n, ...plain } = SPECIMEN
  await world.feed('IA_FIRM_SEC', '2026-07-23', [
    { ...SPECIMEN, crd: '9000000421', type: 'ERA', status: 'ACTIVE' },
    { ...SPECIMEN, crd: '9000000422' },
    { ...plain, crd: '9000000425', number: '802-900425' },
  ])
  await world.feed('IA_FIRM_STATE', '2026-07-23', [
    { ...plain, crd: '9000000423', era: [['TX', 'ACTIVE']] },
    { ...plain, crd: '9000000424', era: [['TX', 'ACTIVE']], states: [['UT', 'APPROVED', '2019-05-06']] },
  ])
  const own = (id: string, crd: string) => ({ ...filed(id, '2026-06-15'), '1E1': crd })
  await world.month('2026-06', {
    // The first of these firms became exempt in June. The second has filings of both kinds on the day of its change.
    ERA_ADV_Base: [{ ...own('200', '9000000422'), '2B-Assets': '5000' }, own('201', '9000000426')],
    IA_ADV_Base_A: [own('201', '9000000426')],
  })
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5, 6].map((n) => kind(`900000042${n}`))), [
    'ERA',
    'ERA',
    'ERA',
    'IA',
    'ERA',
    'IA',
  ])
  const row = await world.adviser('9000000422')
  assert.deepEqual([row?.private_fund_assets, row?.latest_raum, row?.serves_pooled], ['5000', null, null])
  const days = await world.sql`select count(*)::int as n from pub.adv_filing_day where crd = '9000000426'`
  assert.equal(days[0]!.n, 1)
})

test('numbers of clients are summed; a type of client is served if it has a count, assets or a ticked box; the shares of types are shares of assets, else of counts', async (t) => {
  const world = await openAdv(t)
  const clients = { Q5DA1: '10', Q5DB1: '0', Q5DC1: '2', Q5DD2: 'Fewer than 5 clients', Q5DG3: '250', Q5DA3: '750' }
  await world.feed('IA_FIRM_SEC', '2026-07-23', [
    { ...SPECIMEN, items: { '5D': clients, '5E': { Q5E1: 'Y', Q5E2: 'N' } } },
  ])
  assert.deepEqual(
    await facts(world, 'total_clients', 'clients_individuals', 'clients_hnw', 'clients_banks', 'clients_pooled'),
    [12, 10, 0, 2, null],
  )
  assert.deepEqual(
    await facts(world, 'serves_individuals', 'serves_hnw', 'serves_investment_cos', 'serves_pensions', 'serves_other'),
    [true, false, true, true, false],
  )
  assert.deepEqual(await facts(world, 'client_shares', 'comp_pct_aum', 'comp_hourly', 'comp_other'), [
    { individuals: 0.75, pensions: 0.25 },
    true,
    false,
    null,
  ])
  await world.feed('IA_FIRM_SEC', '2026-07-24', [{ ...SPECIMEN, items: { '5D': { Q5DA1: '1', Q5DC1: '3' } } }])
  assert.deepEqual(await facts(world, 'client_shares'), [{ individuals: 0.25, banks: 0.75 }])
  await world.feed('IA_FIRM_SEC', '2026-07-25', [SPECIMEN])
  assert.deepEqual(await facts(world, 'client_shares', 'total_clients', 'serves_individuals'), [null, null, null])
})

const fund = (filing: string, reference: string, type: string, value: string) => ({
  FilingID: filing,
  'Fund Name': `Specimen Fund ${reference}`,
  'Fund ID': `805-${reference}`,
  ReferenceID: reference,
  'Fund Type': type,
  'Gross Asset Value': value,
})

test('funds come from the newest filing in the data files; without such files they are unknown, or there are none if Item 7.B says no', async (t) => {
  const world = await openAdv(t)
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('300', '2026-03-01', { '7B': 'Y' })],
    IA_Schedule_D_7B1: [
      fund('300', '1', 'Hedge Fund', '100'),
      fund('300', '2', 'Hedge Fund', '200'),
      fund('300', '3', 'Venture Capital Fund', '900'),
    ],
    IA_Schedule_D_7B2: [{ FilingID: '300', 'Fund Name': 'Elsewhere', 'Fund ID': '805-9' }],
  })
  const columns = ['fund_count', 'fund_types', 'fund_values', 'fund_type_list', 'dominant_fund_type'] as const
  const known = [
    4,
    { 'Hedge Fund': 2, 'Venture Capital Fund': 1 },
    { 'Hedge Fund': '300', 'Venture Capital Fund': '900' },
    ['Hedge Fund', 'Venture Capital Fund'],
    'Venture Capital Fund',
  ]
  assert.deepEqual(await facts(world, ...columns), known)
  assert.equal(await source(world, 'fund_count'), 'filing 300')
  await world.feed('IA_FIRM_SEC', '2026-07-23', [{ ...SPECIMEN, items: { '7B': { Q7B: 'Y' } } }])
  assert.deepEqual(await facts(world, ...columns), known)
  await world.feed('IA_FIRM_SEC', '2026-07-24', [{ ...SPECIMEN, items: { '7B': { Q7B: 'N' } } }])
  assert.deepEqual(await facts(world, ...columns), [0, {}, {}, [], null])
  await world.month('2026-07', { IA_ADV_Base_A: [filed('301', '2026-07-01', { '7B': 'Y' })] })
  assert.deepEqual(await facts(world, ...columns), [null, {}, {}, [], null])
  const other = { ...SPECIMEN, crd: '9000000432' }
  await world.feed('IA_FIRM_SEC', '2026-07-25', [
    SPECIMEN,
    other,
    { ...other, crd: '9000000433', items: { '7B': { Q7B: 'N' } } },
  ])
  const rows = await world.sql`select fund_count from adv.adviser where crd <> ${SPECIMEN.crd} order by crd`
  assert.deepEqual([...rows], [{ fund_count: null }, { fund_count: 0 }])
})

test('a fund that one filing lists in the files of both kinds of adviser is one fund', async (t) => {
  const world = await openAdv(t)
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('300', '2026-03-01', { '7B': 'Y' })],
    ERA_ADV_Base: [filed('300', '2026-03-01', { '7B': 'Y' })],
    IA_Schedule_D_7B1: [fund('300', '1', 'Hedge Fund', '100')],
    ERA_Schedule_D_7B1: [fund('300', '1', 'Hedge Fund', '100')],
  })
  assert.deepEqual(await facts(world, 'fund_count', 'fund_values'), [1, { 'Hedge Fund': '100' }])
})

test('the names for the search have each current name, former name and number of a firm once', async (t) => {
  const world = await openAdv(t)
  await world.month('2025-03', {
    IA_ADV_Base_A: [
      filed('700', '2025-03-01', {
        '1A': 'Ångström Advisers, Inc.',
        '1B1': 'OPENFILINGS SPECIMEN CAPITAL',
        '1D': '802-77',
      }),
    ],
    IA_Schedule_D_1B: [{ FilingID: '700', 'Other Business Name': 'Old Side Name' }],
  })
  await world.month('2026-03', {
    IA_ADV_Base_A: [filed('701', '2026-03-31', { '1D': '801-900401' })],
    IA_Schedule_D_1B: [{ FilingID: '701', 'Other Business Name': 'Side Name' }],
  })
  await world.feed('IA_FIRM_SEC', '2026-07-23', [SPECIMEN])
  const rows = await world.sql`select kind, name, name_key from adv.adviser_name order by kind, name_key`
  assert.deepEqual(
    rows.map(({ kind, name, name_key }) => [kind, name, name_key]),
    [
      ['business', 'OpenFilings Specimen Capital', 'openfilings specimen capital'],
      ['crd', '9000000401', '9000000401'],
      ['former', 'Ångström Advisers, Inc.', 'angstrom advisers, inc.'],
      ['former', 'Old Side Name', 'old side name'],
      ['legal', 'OpenFilings Specimen Capital LLC', 'openfilings specimen capital llc'],
      ['other', 'Side Name', 'side name'],
      ['sec_number', '801-900401', '801-900401'],
      ['sec_number', '802-77', '802-77'],
    ],
  )
})

test('if a restated month lacks a filing or gives it to another firm, the first firm loses that filing', async (t) => {
  const world = await openAdv(t)
  const [own, other] = [filed('800', '2026-06-01', { '5F2c': '1' }), filed('801', '2026-06-02', { '5F2c': '2' })]
  await world.month('2026-06', { IA_ADV_Base_A: [own, other] })
  assert.deepEqual(await facts(world, 'latest_id'), ['801'])
  await world.month('2026-06', { IA_ADV_Base_A: [own, { ...other, '1E1': '9000000402' }] })
  assert.deepEqual(await facts(world, 'latest_id', 'latest_raum'), ['800', '1'])
  assert.equal((await world.adviser('9000000402'))?.latest_id, '801')
  await world.month('2026-06', { IA_ADV_Base_A: [own] })
  assert.equal(await world.adviser('9000000402'), undefined)
  const names = await world.sql`select from adv.adviser_name where crd = '9000000402'`
  assert.equal(names.length, 0)
})
