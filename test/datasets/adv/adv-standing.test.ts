/** Current, former and first registration of advisers, from feeds, withdrawals, final reports and long silence. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedFirm, facts, filed, openAdv, SPECIMEN } from '../../support/adv/load.ts'

test('a firm that vanishes from its feed is terminated on that day, and active again when it returns', async (t) => {
  const world = await openAdv(t)
  const other = { ...SPECIMEN, crd: '9000000402', name: 'OpenFilings Specimen Other' }
  const standing = () => facts(world, 'is_terminated', 'terminated_on', 'feed')
  await world.feed('IA_FIRM_SEC', '2026-07-21', [SPECIMEN, other])
  assert.deepEqual(await standing(), [false, null, 'IA_FIRM_SEC'])
  await world.feed('IA_FIRM_SEC', '2026-07-22', [other])
  assert.deepEqual(await standing(), [true, '2026-07-22', 'IA_FIRM_SEC'])
  assert.deepEqual(await facts(world, 'latest_filing_date', 'city'), ['2026-03-31', 'NEW YORK'])
  await world.feed('IA_FIRM_SEC', '2026-07-23', [SPECIMEN, other])
  assert.deepEqual(await standing(), [false, null, 'IA_FIRM_SEC'])
})

test('a firm that moved from the SEC to a state is not terminated until the state’s feed lacks it too', async (t) => {
  const world = await openAdv(t)
  const other = { ...SPECIMEN, crd: '9000000402' }
  const { type: _, status: _s, registered: _r, ...plain } = SPECIMEN
  const inState = { ...plain, filed: '2026-05-01', states: [['NY', 'APPROVED', '2026-07-20']] as const }
  await world.feed('IA_FIRM_SEC', '2026-07-21', [SPECIMEN, other])
  await world.feed('IA_FIRM_STATE', '2026-07-21', [{ ...inState, crd: '9000000403' }])
  await world.feed('IA_FIRM_SEC', '2026-07-22', [other])
  await world.feed('IA_FIRM_STATE', '2026-07-22', [inState])
  const standing = () => facts(world, 'is_terminated', 'terminated_on', 'feed', 'registration_status')
  assert.deepEqual(await standing(), [false, null, 'IA_FIRM_STATE', 'APPROVED'])
  await world.feed('IA_FIRM_STATE', '2026-07-24', [{ ...inState, crd: '9000000403' }])
  assert.deepEqual((await standing()).slice(0, 2), [true, '2026-07-24'])
})

test('a withdrawal or an ended status terminates a firm that its feed still shows; a partial or an earlier withdrawal does not', async (t) => {
  const world = await openAdv(t)
  const withdrawal = (id: string, type: string, day: string) => ({
    'Filing ID': id,
    'CRD Number': SPECIMEN.crd,
    'Filing Type': type,
    'Filing Date': day,
  })
  const standing = () => facts(world, 'is_terminated', 'terminated_on')
  await world.feed('IA_FIRM_SEC', '2026-07-21', [SPECIMEN])
  await world.withdrawals('2026-03', [withdrawal('1', 'FULL', '03/30/2026'), withdrawal('2', 'PARTIAL', '03/31/2026')])
  assert.deepEqual(await standing(), [false, null])
  await world.withdrawals('2026-06', [withdrawal('3', 'FULL', '06/02/2026 10:00:00 AM')])
  assert.deepEqual(await standing(), [true, '2026-06-02'])
  await world.withdrawals('2026-06', [withdrawal('4', 'PARTIAL', '06/02/2026 10:00:00 AM')])
  assert.deepEqual(await standing(), [false, null])
  await world.feed('IA_FIRM_SEC', '2026-07-22', [{ ...SPECIMEN, status: 'TERMINATED', registered: '2026-07-20' }])
  assert.deepEqual(await standing(), [true, '2026-07-20'])
  await world.feed('IA_FIRM_SEC', '2026-07-23', [{ ...SPECIMEN, status: 'APPROVED-120', registered: '2026-07-20' }])
  assert.deepEqual(await standing(), [false, null])
})

test('a firm known only from data files is listed, and terminated if the feed lacks it half a year after its filing', async (t) => {
  const world = await openAdv(t)
  await world.month('2025-11', { IA_ADV_Base_A: [filed('400', '2025-11-20')] })
  assert.deepEqual(await facts(world, 'is_terminated', 'feed', 'firm_name'), [
    false,
    null,
    'OpenFilings Specimen Capital',
  ])
  const other = { ...SPECIMEN, crd: '9000000402' }
  await world.feed('IA_FIRM_SEC', '2026-05-20', [other])
  assert.deepEqual(await facts(world, 'is_terminated'), [false])
  await world.feed('IA_FIRM_SEC', '2026-05-23', [{ ...other, city: 'ALBANY' }])
  assert.deepEqual(await facts(world, 'is_terminated', 'terminated_on'), [true, null])
})

/** Values of `registration_status` that mean that a registration is over. */
const OVER = ['TERMINATED', 'TERMED', 'WITHDRAWN', 'CANCELLED', 'REVOKED']

test('`registration_status` and `is_terminated` always agree', async (t) => {
  const world = await openAdv(t)
  const { type: _, status: _s, registered: _r, number: _n, ...plain } = SPECIMEN
  const firm = (n: number, more: Partial<FeedFirm> = {}): FeedFirm => ({ ...SPECIMEN, crd: `900000044${n}`, ...more })
  const inState = (n: number, states: FeedFirm['states'], era?: FeedFirm['era']): FeedFirm => ({
    ...plain,
    crd: `900000045${n}`,
    ...(states && { states }),
    ...(era && { era }),
  })
  const sec = [
    firm(0),
    firm(1, { status: 'APPROVED-120' }),
    firm(2, { type: 'ERA', status: 'ACTIVE' }),
    firm(3, { status: 'PENDING' }),
    firm(4, { status: 'TERMREQUEST' }),
    firm(5, { status: 'TERMINATED', registered: '2026-07-01' }),
    firm(6),
    firm(7),
    firm(8, { status: 'TERMED', registered: '2026-07-02' }),
  ]
  const gone = firm(9)
  await world.feed('IA_FIRM_SEC', '2026-07-21', [...sec, gone])
  const states = [
    inState(0, [['NY', 'APPROVED', '2020-01-02']]),
    inState(1, [['NY', 'TERMED', '2026-01-02'], ['TX', 'APPROVED', '2021-01-02'], ['CA', 'PENDING', '2026-07-01']]),
    inState(2, [['NY', 'TERMED', '2026-01-02'], ['TX', 'TERMED', '2026-03-04']]),
    inState(3, undefined, [['NY', 'ACTIVE', '2020-01-02']]),
    inState(4, [['NY', 'PENDING', '2026-07-01']]),
    inState(5, []),
    // This firm changed from the SEC to a state; the SEC's feed still shows the ended registration.
    { ...inState(6, [['NY', 'APPROVED', '2026-07-03']]), crd: '9000000448' },
  ] // biome-ignore format: a firm a line
  await world.feed('IA_FIRM_STATE', '2026-07-21', states)
  await world.feed('IA_FIRM_SEC', '2026-07-22', sec)
  const notice = { 'Filing ID': '1', 'Filing Type': 'FULL', 'Filing Date': '06/02/2026' }
  await world.withdrawals('2026-06', [
    { ...notice, 'CRD Number': '9000000446' },
    { ...notice, 'Filing ID': '2', 'Filing Type': 'PARTIAL', 'CRD Number': '9000000447' },
  ])
  await world.month('2026-06', {
    ERA_ADV_Base: [{ ...filed('500', '2026-06-20'), '1E1': '9000000460' }],
    IA_ADV_Base_A: [{ ...filed('501', '2026-06-20'), '1E1': '9000000461' }],
    ADV_Filing_Types: [{ FilingID: '500', 'Final SEC ERA Report': 'Y' }],
  })
  await world.month('2025-06', { IA_ADV_Base_A: [{ ...filed('50', '2025-06-20'), '1E1': '9000000462' }] })
  const rows = await world.sql`
    select crd, registration_status as status, registration_date as day, is_terminated, terminated_on, feed,
      sources ->> 'registration_status' as source
    from adv.adviser order by crd`
  for (const { crd, status, is_terminated } of rows)
    if (status !== null || is_terminated) assert.equal(OVER.includes(status), is_terminated, `${crd} ${status}`)
  assert.deepEqual(
    rows.map(({ crd, status, is_terminated, day, source }) => [crd.slice(-2), status, is_terminated, day, source]),
    [
      ['40', 'APPROVED', false, '2012-05-06', 'IA_FIRM_SEC 2026-07-21'],
      ['41', 'APPROVED-120', false, '2012-05-06', 'IA_FIRM_SEC 2026-07-21'],
      ['42', 'ACTIVE', false, '2012-05-06', 'IA_FIRM_SEC 2026-07-21'],
      ['43', 'PENDING', false, '2012-05-06', 'IA_FIRM_SEC 2026-07-21'],
      ['44', 'TERMREQUEST', false, '2012-05-06', 'IA_FIRM_SEC 2026-07-21'],
      ['45', 'TERMINATED', true, '2026-07-01', 'IA_FIRM_SEC 2026-07-21'],
      ['46', 'WITHDRAWN', true, '2026-06-02', 'ADV-W 1'],
      ['47', 'APPROVED', false, '2012-05-06', 'IA_FIRM_SEC 2026-07-21'],
      ['48', 'APPROVED', false, '2026-07-03', 'IA_FIRM_STATE 2026-07-21'],
      ['49', 'TERMINATED', true, '2026-07-22', 'IA_FIRM_SEC 2026-07-22'],
      ['50', 'APPROVED', false, '2020-01-02', 'IA_FIRM_STATE 2026-07-21'],
      ['51', 'APPROVED', false, '2021-01-02', 'IA_FIRM_STATE 2026-07-21'],
      ['52', 'TERMED', true, '2026-03-04', 'IA_FIRM_STATE 2026-07-21'],
      ['53', 'ACTIVE', false, '2020-01-02', 'IA_FIRM_STATE 2026-07-21'],
      ['54', 'PENDING', false, '2026-07-01', 'IA_FIRM_STATE 2026-07-21'],
      ['55', null, false, null, null],
      ['60', 'WITHDRAWN', true, '2026-06-20', 'filing 500'],
      ['61', null, false, null, null],
      ['62', 'TERMINATED', true, null, null],
    ],
  )
  assert.equal(rows.find(({ crd }) => crd === '9000000448')!.feed, 'IA_FIRM_STATE')
  assert.deepEqual(
    rows.map((row) => row.terminated_on),
    rows.map((row) => (row.is_terminated ? row.day : null)),
  )
})

test('the final report of an exempt reporting adviser terminates it', async (t) => {
  const world = await openAdv(t)
  await world.month('2026-06', {
    ERA_ADV_Base: [filed('500', '2026-06-20')],
    ADV_Filing_Types: [{ FilingID: '500', 'Final SEC ERA Report': 'Y' }],
  })
  assert.deepEqual(await facts(world, 'adviser_type', 'is_terminated', 'terminated_on', 'first_filing_date'), [
    'ERA',
    true,
    '2026-06-20',
    null,
  ])
})

test('the first filing is the earliest registration, notice or filing known; an amendment alone does not count', async (t) => {
  const world = await openAdv(t)
  const first = () => facts(world, 'first_filing_date')
  const amendment = { FilingID: '600', 'Other-Than Anual Amendment For Registered Adviser': 'Y' }
  await world.month('2026-06', { IA_ADV_Base_A: [filed('600', '2026-06-20')], ADV_Filing_Types: [amendment] })
  assert.deepEqual(await first(), [null])
  await world.feed('IA_FIRM_SEC', '2026-07-23', [SPECIMEN])
  assert.deepEqual(await first(), ['2012-05-06'])
  await world.feed('IA_FIRM_SEC', '2026-07-24', [
    {
      ...SPECIMEN,
      notices: [
        ['NY', 'FILED', '2013-01-01'],
        ['CT', 'FILED', '2011-12-31'],
      ],
    },
  ])
  assert.deepEqual(await first(), ['2011-12-31'])
  await world.month('2010-03', { IA_ADV_Base_A: [filed('50', '2010-03-04')] })
  assert.deepEqual(await first(), ['2010-03-04'])
})
