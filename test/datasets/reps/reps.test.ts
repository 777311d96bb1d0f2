/** Stints, moves and headcounts of representatives, compared with numbers counted by hand. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { headcount, movements, repFlows } from '../../../src/datasets/reps/routes.ts'
import {
  flowsOf,
  headcountOf,
  load,
  movementsOf,
  movesOf,
  openReps,
  type Person,
  refresh,
  stintsOf,
} from '../../support/reps-rows.ts'

const sql = await openReps({ after })

/** The 30 stints from which the flows of firm 100 below were counted by hand; the newest feed is from 2024-06-15. */
const THIRTY: Person[] = [
  // Never registered before, and still there.
  { pk: 1, spells: [[100, '2019-03-04']] },
  // From firm 200, three days later.
  { pk: 2, spells: [[100, '2020-06-01'], [200, '2015-01-05', '2020-05-29']] },
  // New, then to firm 300.
  { pk: 3, spells: [[300, '2021-10-04'], [100, '2018-02-01', '2021-09-30']] },
  // New, then to no firm.
  { pk: 4, spells: [[100, '2017-01-10', '2019-12-31']] },
  // Two years next to firm 300, where the person stays.
  { pk: 5, spells: [[300, '2016-04-01'], [100, '2021-02-15', '2023-02-15']] },
  // New, gone for a year, back.
  { pk: 6, spells: [[100, '2020-09-01'], [100, '2018-06-01', '2019-06-28']] },
  // From firm 400, whose registration ended 19 days after the new one began.
  { pk: 7, spells: [[100, '2021-03-01'], [400, '2018-05-01', '2021-03-20']] },
  // New, then to firm 200, which had registered the person 25 days before.
  { pk: 8, spells: [[200, '2020-01-06'], [100, '2016-08-15', '2020-01-31']] },
  // Came from firm 300, not from firm 200; then went to no firm.
  { pk: 9, spells: [[100, '2019-01-07', '2024-03-29'], [300, '2013-02-01', '2018-12-31'], [200, '2012-01-01', '2013-01-01']] },
  // Firm 500 merges into 100: three of its four people on one day.
  { pk: 10, spells: [[100, '2022-04-01'], [500, '2020-01-02', '2022-03-31']] },
  { pk: 11, spells: [[100, '2022-04-01'], [500, '2020-01-02', '2022-03-31']] },
  { pk: 12, spells: [[100, '2022-04-01'], [500, '2020-01-02', '2022-03-31']] },
  { pk: 13, spells: [[200, '2022-07-01'], [500, '2020-01-02', '2022-06-30']] },
  // New; gone from the feed.
  { pk: 14, spells: [[100, '2015-05-04']], gone: '2023-11-20' },
  // New, then half a year of nothing, then firm 400.
  { pk: 15, spells: [[400, '2023-06-01'], [100, '2022-10-03', '2023-01-13']] },
  // Never with firm 100.
  { pk: 16, spells: [[400, '2020-02-03'], [200, '2014-01-01', '2016-01-01']] },
] // biome-ignore format: one line a person

test('the flows of a firm equal the hand count from 30 stints', async () => {
  assert.equal(THIRTY.flatMap(({ spells }) => spells).length, 30)
  await load(sql, THIRTY)
  const flows = await flowsOf(sql, 100)
  assert.deepEqual(flows!.summary, {
    gained: 12,
    lost: 8,
    net: 4,
    from_firms: 3, // 2, 7, 9
    new_to_industry: 7, // 1, 3, 4, 6, 8, 14, 15
    gained_otherwise: 2, // 5 next to firm 300, 6 back
    to_firms: 3, // 3, 8, 15
    left_industry: 3, // 4, 9, 14
    lost_otherwise: 2, // 5, 6
  })
  assert.deepEqual(flows!.bulk, { gained: 3, lost: 0 })
  assert.deepEqual(flows!.byYear, [
    { year: 2024, gained: 0, lost: 1 },
    { year: 2023, gained: 0, lost: 3 },
    { year: 2022, gained: 1, lost: 0 },
    { year: 2021, gained: 2, lost: 1 },
    { year: 2020, gained: 2, lost: 1 },
    { year: 2019, gained: 2, lost: 2 },
    { year: 2018, gained: 2, lost: 0 },
    { year: 2017, gained: 1, lost: 0 },
    { year: 2016, gained: 1, lost: 0 },
    { year: 2015, gained: 1, lost: 0 },
  ])
  assert.deepEqual(movesOf(flows!.recentIn), [
    '15 2022-10-03 -',
    '7 2021-03-01 400',
    '5 2021-02-15 -',
    '6 2020-09-01 -',
    '2 2020-06-01 200',
    '1 2019-03-04 -',
    '9 2019-01-07 300',
    '6 2018-06-01 -',
    '3 2018-02-01 -',
    '4 2017-01-10 -',
    '8 2016-08-15 -',
    '14 2015-05-04 -',
  ])
  assert.deepEqual(movesOf(flows!.recentOut), [
    '9 2024-03-29 -',
    '14 2023-11-20 -',
    '5 2023-02-15 -',
    '15 2023-01-13 400',
    '3 2021-09-30 300',
    '8 2020-01-31 200',
    '4 2019-12-31 -',
    '6 2019-06-28 -',
  ])
  assert.deepEqual(flows!.recentIn[1], {
    indvl_pk: '7',
    first_nm: 'Sample',
    last_nm: 'Person 0007',
    other_org_pk: '400',
    other_org_nm: 'Firm 400',
    move_date: '2021-03-01',
    is_bulk: false,
    bulk_reason: null,
  })
})

test('people who move on a merger day are left out, as the answer states; with `include_bulk` they are counted and listed', async () => {
  await load(sql, THIRTY)
  const plain = await flowsOf(sql, 100)
  const whole = await flowsOf(sql, 100, { include_bulk: 'true' })
  assert.deepEqual(whole!.bulk, plain!.bulk)
  assert.deepEqual(
    [whole!.summary.gained, whole!.summary.net, whole!.summary.from_firms, whole!.summary.new_to_industry],
    [15, 7, 6, 7],
  )
  assert.deepEqual(
    whole!.byYear.find(({ year }) => year === 2022),
    { year: 2022, gained: 4, lost: 0 },
  )
  const added = whole!.recentIn.filter(({ is_bulk }) => is_bulk)
  assert.deepEqual(movesOf(added), ['10 2022-04-01 500', '11 2022-04-01 500', '12 2022-04-01 500'])
  assert.deepEqual(new Set(added.map(({ bulk_reason }) => bulk_reason)), new Set(['half_of_firm']))
  assert.deepEqual(
    whole!.recentIn.filter(({ is_bulk }) => !is_bulk),
    plain!.recentIn,
  )
  assert.deepEqual(
    whole!.recentIn.map(({ move_date }) => move_date),
    whole!.recentIn
      .map(({ move_date }) => move_date)
      .sort()
      .reverse(),
  )
  // The fourth person of firm 500 left three months later for another firm: a departure like any other.
  const left = await flowsOf(sql, 500)
  assert.deepEqual([left!.summary.lost, left!.bulk.lost], [1, 3])
  assert.deepEqual(movesOf(left!.recentOut), ['13 2022-06-30 200'])
})

test('years in which all moves were bulk are in the answer only with `include_bulk`', async () => {
  await load(sql, THIRTY)
  const years = async (query = {}) => (await flowsOf(sql, 500, query))!.byYear
  assert.deepEqual(await years(), [
    { year: 2022, gained: 0, lost: 1 },
    { year: 2020, gained: 4, lost: 0 },
  ])
  await load(
    sql,
    THIRTY.map((p) => (p.pk === 13 ? { ...p, spells: [[500, '2020-01-02']] } : p)),
  )
  assert.deepEqual(await years(), [{ year: 2020, gained: 4, lost: 0 }])
  assert.deepEqual(await years({ include_bulk: '1' }), [
    { year: 2022, gained: 0, lost: 3 },
    { year: 2020, gained: 4, lost: 0 },
  ])
})

test('the headcount of a firm equals the hand count, for each month up to that of the newest feed', async () => {
  await load(sql, THIRTY)
  /** First days of months, each with the headcount on this day. Months without a change are left out. */
  const changes: [string, number][] = [
    ['2015-05-01', 0], // 14 begins on the 4th
    ['2015-06-01', 1],
    ['2016-09-01', 2],
    ['2017-02-01', 3],
    ['2018-02-01', 4], // 3 begins on this day
    ['2018-06-01', 5],
    ['2019-02-01', 6],
    ['2019-04-01', 7],
    ['2019-07-01', 6],
    ['2020-01-01', 5],
    ['2020-02-01', 4],
    ['2020-06-01', 5],
    ['2020-09-01', 6],
    ['2021-03-01', 8],
    ['2021-10-01', 7],
    ['2022-04-01', 10],
    ['2022-11-01', 11],
    ['2023-02-01', 10],
    ['2023-03-01', 9],
    ['2023-12-01', 8],
    ['2024-04-01', 7],
  ]
  const answer = await headcountOf(sql, 100)
  assert.deepEqual([answer!.crd, answer!.current, answer!.peak], ['100', 7, 11])
  assert.equal(answer!.series.length, 110)
  assert.equal(answer!.series.at(-1)!.month, '2024-06-01')
  const found = answer!.series.filter(({ headcount }, at) => headcount !== answer!.series[at - 1]?.headcount)
  assert.deepEqual(
    found.map(({ month, headcount }) => [month, headcount]),
    changes,
  )
})

test('a stint includes its first and its last day; months without people are 0 in the series', async () => {
  await load(sql, [
    {
      pk: 20,
      spells: [
        [600, '2023-11-15', '2024-01-01'],
        [600, '2024-04-01', '2024-04-30'],
        [600, '2024-06-02'],
      ],
    },
  ])
  const answer = await headcountOf(sql, 600)
  assert.deepEqual(
    answer!.series.map(({ headcount }) => headcount),
    [0, 1, 1, 0, 0, 1, 0, 0],
  )
  assert.deepEqual([answer!.series[0]!.month, answer!.current, answer!.peak], ['2023-11-01', 1, 1])
})

test('registrations that overlap, touch or are a day apart are one stint; two days apart, they are two stints', async () => {
  await load(sql, [
    { pk: 21, spells: [[610, '2010-01-01', '2012-06-30'], [610, '2011-01-01', '2011-02-01'], [610, '2012-07-01', '2013-01-01'], [610, '2013-01-01', '2014-01-01']] },
    { pk: 22, spells: [[610, '2010-01-01', '2012-06-30'], [610, '2012-07-02', '2013-01-01']] },
    // Two states at the same firm, one of them later; a former registration reaches into them.
    { pk: 23, spells: [[610, '2015-05-05'], [610, '2013-03-03'], [610, '2010-01-01', '2013-03-02']] },
  ]) // biome-ignore format: one line a person
  assert.deepEqual(await stintsOf(sql, 21), ['610 2010-01-01 2014-01-01'])
  assert.deepEqual(await stintsOf(sql, 22), ['610 2012-07-02 2013-01-01', '610 2010-01-01 2012-06-30'])
  assert.deepEqual(await stintsOf(sql, 23), ['610 2010-01-01'])
})

test('an employer that changes its name keeps its number: one stint under its newest name, and no move', async () => {
  await load(sql, [
    {
      pk: 24,
      spells: [
        [620, '2018-01-02'],
        [620, '2012-01-02', '2018-01-01'],
      ],
    },
  ])
  await sql`update reps.registration set org_nm = case n when 1 then 'Renamed LLC' else 'Former LLC' end where indvl_pk = '24'`
  await refresh(sql, ['24'])
  const { stints } = (await movementsOf(sql, 24))!
  assert.deepEqual(
    stints.map(({ org_nm, start_date }) => [org_nm, start_date]),
    [['Renamed LLC', '2012-01-02']],
  )
  assert.deepEqual(movesOf((await flowsOf(sql, 620))!.recentIn), ['24 2012-01-02 -'])
  assert.deepEqual((await flowsOf(sql, 620))!.recentOut, [])
})

test('the legal name is from Form ADV, else from the registration', async () => {
  await load(sql, [
    {
      pk: 25,
      spells: [
        [630, '2018-01-02'],
        [631, '2012-01-02', '2018-01-01'],
      ],
    },
  ])
  await sql`insert into pub.adv_adviser values ('630', 'Firm Six Hundred and Thirty, L.P.')`
  const { person, stints } = (await movementsOf(sql, 25))!
  assert.deepEqual(stints, [
    { org_pk: '630', org_nm: 'Firm 630', firm_legal_name: 'Firm Six Hundred and Thirty, L.P.', start_date: '2018-01-02', end_date: null, is_current: true },
    { org_pk: '631', org_nm: 'Firm 631', firm_legal_name: 'Firm 631', start_date: '2012-01-02', end_date: '2018-01-01', is_current: false },
  ]) // biome-ignore format: two rows
  assert.deepEqual(person, {
    indvl_pk: '25',
    first_nm: 'Sample',
    last_nm: 'Person 0025',
    mid_nm: null,
    suf_nm: null,
    link: 'https://adviserinfo.sec.gov/individual/summary/25',
  })
})

test('each change between overlapping employers is one move, to the nearest firm and not to an earlier one', async () => {
  await load(sql, [
    // Moves from 701 to 702 and stays there; 703 is parallel, and the person came to it from no firm.
    { pk: 31, spells: [[702, '2010-02-01'], [703, '2015-01-01', '2016-01-01'], [701, '2005-01-01', '2010-01-15']] },
    // Both begin on one day: nobody was left.
    { pk: 32, spells: [[702, '2012-01-01'], [703, '2012-01-01']] },
    // Leaves 701 for 703 while employed at 702.
    { pk: 33, spells: [[702, '2010-01-01'], [701, '2011-01-01', '2013-05-05'], [703, '2013-05-06']] },
    // The old registration ends 31 days after the new one began, so they were parallel.
    { pk: 34, spells: [[701, '2010-01-01', '2014-02-01'], [703, '2014-01-01']] },
    // Joins 702 and 703 in one month: 703 is nearest to the end of 701, and both came from 701.
    { pk: 35, spells: [[701, '2010-01-01', '2014-01-01'], [703, '2014-01-03'], [702, '2014-01-20']] },
  ]) // biome-ignore format: one line a person
  const people = (moves: string[]) => moves.filter((move) => Number(move.split(' ')[0]) < 40)
  const into = async (crd: number) => people(movesOf((await flowsOf(sql, crd))!.recentIn)).sort()
  const out = async (crd: number) => people(movesOf((await flowsOf(sql, crd))!.recentOut)).sort()
  assert.deepEqual(await into(701), ['31 2005-01-01 -', '33 2011-01-01 -', '34 2010-01-01 -', '35 2010-01-01 -'])
  assert.deepEqual(await into(702), ['31 2010-02-01 701', '32 2012-01-01 -', '33 2010-01-01 -', '35 2014-01-20 701'])
  assert.deepEqual(await into(703), [
    '31 2015-01-01 -',
    '32 2012-01-01 -',
    '33 2013-05-06 701',
    '34 2014-01-01 -',
    '35 2014-01-03 701',
  ])
  assert.deepEqual(await out(701), ['31 2010-01-15 702', '33 2013-05-05 703', '34 2014-02-01 -', '35 2014-01-01 703'])
  assert.deepEqual(await out(703), ['31 2016-01-01 -'])
  const { summary } = (await flowsOf(sql, 703))!
  // Person 32 is new to the industry. Persons 31 and 34 left no other firm when they came.
  assert.deepEqual([summary.from_firms, summary.new_to_industry, summary.gained_otherwise], [2, 1, 2])
})

test('a return to the same firm is not a move from the previous firm', async () => {
  await load(sql, [
    {
      pk: 41,
      spells: [
        [711, '2001-01-01', '2005-01-01'],
        [712, '2005-02-01', '2010-01-01'],
        [712, '2015-01-01'],
      ],
    },
  ])
  assert.deepEqual(movesOf((await flowsOf(sql, 712))!.recentIn), ['41 2015-01-01 -', '41 2005-02-01 711'])
  assert.deepEqual(movesOf((await flowsOf(sql, 712))!.recentOut), ['41 2010-01-01 -'])
  assert.deepEqual(movesOf((await flowsOf(sql, 711))!.recentOut), ['41 2005-01-01 712'])
})

test('people who vanish from the feed have left on the first day without them, and a return undoes this', async () => {
  const person: Person = {
    pk: 42,
    spells: [
      [721, '2020-01-01'],
      [722, '2018-01-01', '2019-12-31'],
    ],
  }
  await load(sql, [{ ...person, gone: '2024-03-05' }])
  assert.deepEqual(await stintsOf(sql, 42), ['721 2020-01-01 2024-03-05', '722 2018-01-01 2019-12-31'])
  assert.deepEqual(movesOf((await flowsOf(sql, 721))!.recentOut), ['42 2024-03-05 -'])
  assert.deepEqual([(await headcountOf(sql, 721))!.current, (await flowsOf(sql, 721))!.summary.left_industry], [0, 1])
  await load(sql, [person])
  assert.deepEqual(await stintsOf(sql, 42), ['721 2020-01-01', '722 2018-01-01 2019-12-31'])
  assert.deepEqual((await flowsOf(sql, 721))!.recentOut, [])
})

test('people absent for more than ten years are deleted with all their rows, moves and months', async () => {
  await load(sql, [
    { pk: 43, spells: [[731, '2005-01-01']], gone: '2014-06-14', stated: '2014-06-01' },
    { pk: 44, spells: [[731, '2005-01-01']], gone: '2014-06-15', stated: '2014-06-01' },
  ])
  assert.equal(await movementsOf(sql, 43), null)
  assert.deepEqual(await stintsOf(sql, 44), ['731 2005-01-01 2014-06-15'])
  assert.deepEqual(movesOf((await flowsOf(sql, 731))!.recentOut), ['44 2014-06-15 -'])
  assert.equal((await headcountOf(sql, 731))!.peak, 1)
  const [left] = await sql`select count(*)::int as n from reps.registration where indvl_pk = '43'`
  assert.equal(left!.n, 0)
  // A day later another edition comes, in which nobody of the firm changed.
  await refresh(sql, [], '2024-06-16')
  assert.equal(await movementsOf(sql, 44), null)
  assert.equal(await flowsOf(sql, 731), null)
})

test('a registration that lacks a date gives what it states, and is ignored if a complete one exists', async () => {
  await load(sql, [
    { pk: 51, spells: [[741, '2010-01-01', null]] },
    { pk: 52, spells: [[741, null, '2012-01-01']] },
    { pk: 53, spells: [[741, null, null]] },
    { pk: 54, spells: [[741, null]] },
    { pk: 55, spells: [[741, '2010-01-01', '2011-01-01'], [741, '2010-06-01', null], [741, null, '2015-01-01'], [741, null, null]] },
    { pk: 56, spells: [[741, '2016-01-01'], [741, null], [741, null, '2015-01-01']] },
    { pk: 57, spells: [[741, null], [741, '2010-01-01', '2011-01-01']] },
    { pk: 58, spells: [[741, '2015-01-01', null], [741, null, '2010-01-01']] },
  ]) // biome-ignore format: one line a person
  assert.deepEqual(await Promise.all([51, 52, 53, 54].map((pk) => stintsOf(sql, pk))), [
    ['741 2010-01-01 ?'],
    ['741 ? 2012-01-01'],
    ['741 ? ?'],
    ['741 ?'],
  ])
  assert.deepEqual(await stintsOf(sql, 55), ['741 2010-01-01 2011-01-01'])
  assert.deepEqual(await stintsOf(sql, 56), ['741 2016-01-01'])
  assert.deepEqual(await stintsOf(sql, 57), ['741 ?', '741 2010-01-01 2011-01-01'])
  assert.deepEqual(await stintsOf(sql, 58), ['741 2015-01-01 ?'])
  const flows = await flowsOf(sql, 741)
  assert.deepEqual(movesOf(flows!.recentIn), [
    '56 2016-01-01 -',
    '58 2015-01-01 -',
    '51 2010-01-01 -',
    '55 2010-01-01 -',
    '57 2010-01-01 -',
  ])
  assert.deepEqual(movesOf(flows!.recentOut), ['52 2012-01-01 -', '55 2011-01-01 -', '57 2011-01-01 -'])
  const answer = await headcountOf(sql, 741)
  assert.deepEqual([answer!.current, answer!.peak, answer!.series[0]!.month], [3, 2, '2010-01-01'])
})

test('a date later than the feed that states it is not believed', async () => {
  await load(sql, [
    {
      pk: 59,
      spells: [
        [742, '2026-01-01'],
        [743, '2020-01-01', '2204-01-01'],
      ],
    },
  ])
  assert.deepEqual(await stintsOf(sql, 59), ['742 ?', '743 2020-01-01 ?'])
})

test('moves of ten people on one day are bulk at any firm, those of nine only if they are half of the firm, those of two never', async () => {
  const group = (first: number, size: number, from: number, to: number): Person[] =>
    Array.from({ length: size }, (_, at) => ({
      pk: first + at,
      spells: [
        [to, '2023-05-01'],
        [from, '2020-01-01', '2023-04-28'],
      ],
    }))
  const stay = (first: number, size: number, firm: number): Person[] =>
    Array.from({ length: size }, (_, at) => ({ pk: first + at, spells: [[firm, '2020-01-01']] }))
  const bulk = async (crd: number) => {
    const { bulk, recentIn } = (await flowsOf(sql, crd, { include_bulk: 'true' }))!
    return [bulk.gained, new Set(recentIn.map(({ bulk_reason }) => bulk_reason)).size, recentIn[0]!.bulk_reason]
  }
  await load(sql, [...group(1000, 10, 751, 752), ...stay(1100, 40, 751)])
  assert.deepEqual(await bulk(752), [10, 1, 'many_people'])
  await load(sql, [...group(1200, 9, 753, 754), ...stay(1300, 10, 753)])
  assert.deepEqual(await bulk(754), [0, 1, null])
  // 9 of 18 are half; those that left the day before no longer count.
  await load(sql, stay(1300, 1, 755))
  assert.deepEqual(await bulk(754), [9, 1, 'half_of_firm'])
  await load(sql, [...group(1400, 2, 756, 757)])
  assert.deepEqual(await bulk(757), [0, 1, null])
  // The tenth person comes in a later load, and the departures from the other firm follow.
  await load(sql, stay(1300, 10, 753))
  await load(sql, group(1250, 1, 753, 754))
  assert.deepEqual(await bulk(754), [10, 1, 'many_people'])
  assert.deepEqual((await flowsOf(sql, 753))!.bulk, { gained: 0, lost: 10 })
})

test('if a firm registers its former people again on one day, their departures and returns count only as bulk moves', async () => {
  await load(
    sql,
    Array.from({ length: 5 }, (_, at) => ({
      pk: 1500 + at,
      spells: [
        [761, '2023-02-01'],
        [761, '2020-01-01', '2022-12-31'],
      ],
    })),
  )
  const flows = await flowsOf(sql, 761)
  assert.deepEqual([flows!.summary.gained, flows!.summary.lost, flows!.bulk], [5, 0, { gained: 5, lost: 5 }])
})

test('at most 100 moves are listed in each direction, the latest first, with bulk moves sorted among the others', async () => {
  const day = (at: number) => new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10)
  await load(
    sql,
    Array.from({ length: 120 }, (_, at) => ({ pk: 2000 + at, spells: [[771, day(at), day(at + 400)]] })),
  )
  await load(
    sql,
    Array.from({ length: 20 }, (_, at) => ({
      pk: 2200 + at,
      spells: [
        [771, '2020-04-01'],
        [772, '2019-01-01', '2020-03-31'],
      ],
    })),
  )
  const plain = await flowsOf(sql, 771)
  assert.deepEqual(
    [plain!.summary.gained, plain!.bulk.gained, plain!.recentIn.length, plain!.recentOut.length],
    [120, 20, 100, 100],
  )
  assert.deepEqual([plain!.recentIn[0]!.move_date, plain!.recentIn[99]!.move_date], [day(119), day(20)])
  const whole = await flowsOf(sql, 771, { include_bulk: 'true' })
  assert.deepEqual([whole!.recentIn.length, whole!.recentIn[99]!.move_date], [100, day(40)])
  assert.equal(whole!.recentIn.filter(({ is_bulk }) => is_bulk).length, 20)
})

test('a known firm without people has zeros and empty lists; an unknown number gives null', async () => {
  await sql`insert into pub.adv_adviser values ('801', 'Firm without people')`
  const flows = await flowsOf(sql, '0801')
  assert.equal(flows!.crd, '801')
  assert.deepEqual(new Set(Object.values(flows!.summary)), new Set([0]))
  assert.deepEqual(
    [flows!.bulk, flows!.byYear, flows!.recentIn, flows!.recentOut],
    [{ gained: 0, lost: 0 }, [], [], []],
  )
  assert.deepEqual(await headcountOf(sql, 801), { crd: '801', current: 0, peak: 0, series: [] })
  assert.deepEqual([await flowsOf(sql, 999999999), await headcountOf(sql, 999999999)], [null, null])
  assert.equal(await movementsOf(sql, 999999999999), null)
  for (const bad of ['abc', '12a', '-1', '', '12345678901'])
    assert.equal(repFlows.input.safeParse({ crd: bad }).success, false)
  assert.equal(movements.input.safeParse({ indvlPk: '1.5' }).success, false)
})

test('a person without registrations has a name and no stints', async () => {
  await load(sql, [{ pk: 61, spells: [] }])
  assert.deepEqual((await movementsOf(sql, 61))!.stints, [])
})

test('a person is shown with every regulator of the current firm, and the category, status and date of each', async () => {
  await load(sql, [
    {
      pk: 62,
      spells: [
        [781, '2020-01-02'],
        [782, '2010-01-01', '2019-12-31'],
      ],
    },
  ])
  await sql`update reps.registration set regulator = 'NY', category = 'RA', status = 'APPROVED' where indvl_pk = '62' and n = 1`
  assert.deepEqual((await movementsOf(sql, 62))!.registrations, [
    { org_pk: '781', regulator: 'NY', category: 'RA', status: 'APPROVED', date: '2020-01-02' },
  ])
})

test('answers have the declared schema and no other members', async () => {
  await load(sql, THIRTY)
  const answers = [
    [repFlows, await flowsOf(sql, 100, { include_bulk: 'true' })],
    [headcount, await headcountOf(sql, 100)],
    [movements, await movementsOf(sql, 9)],
  ] as const
  for (const [route, answer] of answers) {
    const parsed = route.output!.safeParse(answer)
    assert.deepEqual(parsed.error?.issues ?? [], [])
    assert.deepEqual(parsed.data, answer)
  }
})
