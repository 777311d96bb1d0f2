/** Counting lines of Form 13F: queries about a security use the decisions of compose.ts, now and as of any day. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { Random } from '../../support/adv/random.ts'
import { freshDatabase } from '../../support/database.ts'
import { remake } from '../../support/refreshed.ts'
import { composedOf } from '../../support/thirteenf/composed.ts'
import { type Filed, type FiledLine, loadReports, removeReport } from '../../support/thirteenf/made.ts'

const { sql } = await freshDatabase({ after })

const APPLE = '037833100'
const MICROSOFT = '594918104'
const NVIDIA = '67066G104'

const stored = async () => ({
  counted: [...(await sql`select * from thirteenf.counted order by accession`)],
  superseded: [...(await sql`select * from thirteenf.superseded order by accession, cusip`)],
  repeated: [...(await sql`select * from thirteenf.repeated order by accession, n`)],
})

type Line = { cik: string; quarter: string; cusip: string; value: string }
const plain = (lines: readonly Line[]) =>
  lines.map(({ cik, quarter, cusip, value }) => [cik, quarter, cusip, value].join(' ')).sort()

const held = (cik: string, quarter: string) =>
  sql<Line[]>`select cik, quarter, cusip, value from pub.thirteenf_holding where cik = ${cik} and quarter = ${quarter}`

const knownOn = (day: string) =>
  sql<Line[]>`
    select cik, quarter, cusip, value from pub.thirteenf_line where filed_date <= ${day} and (until is null or until > ${day})`

test('a restatement replaces, new holdings add, and a partial restatement replaces the securities that it names', async () => {
  const one = { cik: '0000000001', period: '2023-12-31' }
  const nine = [100, 200, 300, 400, 500, 600, 700, 800].map((value, at) => [`C0000000${at}`, value] as const)
  await loadReports(
    sql,
    { ...one, accession: '0000000001-24-000001', filed: '2024-02-01', lines: [[APPLE, 7]] },
    {
      ...{ ...one, accession: '0000000001-24-000002', filed: '2024-02-14', form: '13F-HR/A', amendment: 'restatement' },
      lines: [[APPLE, 1000], ...nine],
    },
    {
      ...{ ...one, accession: '0000000001-24-000003', filed: '2024-03-01', form: '13F-HR/A', amendment: 'restatement' },
      lines: [
        [APPLE.toLowerCase(), 900],
        ['c00000007', 1],
      ],
    },
    {
      ...{
        ...one,
        accession: '0000000001-24-000004',
        filed: '2024-04-01',
        form: '13F-HR/A',
        amendment: 'new_holdings',
      },
      lines: [[NVIDIA, 5]],
    },
  )
  assert.deepEqual(
    plain(await held('0000000001', '2023-12-31')),
    plain(
      [[APPLE, 900], ['c00000007', 1], ...nine.slice(0, 7), [NVIDIA, 5]].map(([cusip, value]) => ({
        ...{ cik: '0000000001', quarter: '2023-12-31', cusip: String(cusip), value: String(value) },
      })),
    ),
  )
  const parts = await sql<{ part: string; seq: number; until: string | null }[]>`
    select part, seq, until from pub.thirteenf_composed where cik = '0000000001' order by seq`
  assert.deepEqual(
    parts.map(({ part, seq, until }) => [seq, part, until]),
    [
      [1, 'whole', '2024-02-14'],
      [2, 'whole', null],
      [3, 'replaces_named', null],
      [4, 'adds', null],
    ],
  )
  const counted = await sql`select accession from pub.thirteenf_counted where cik = '0000000001'`
  assert.equal(counted.length, 3)
})

test('new holdings that repeat or correct existing ones count once, in any order and unit; true additions are added', async () => {
  const cik = '0000000005'
  const lines: FiledLine[] = [
    [APPLE, 2_550_000, { amount: '10000', discretion: 'SOLE' }],
    [MICROSOFT, 4_000_000, { amount: '10000', discretion: 'SOLE' }],
    ['C00000001', 500_000, { amount: '5000', discretion: 'DFND', managers: '1' }],
  ]
  const nvidia: FiledLine = [NVIDIA, 1_900_000, { amount: '10000', discretion: 'SOLE' }]
  const worth = async (period: string, ...added: (readonly FiledLine[])[]) => {
    const of = { cik, period, form: '13F-HR/A', amendment: 'new_holdings' as const }
    const number = period.slice(2, 4) + period.slice(5, 7)
    await loadReports(
      sql,
      { cik, period, accession: `0000000005-25-${number}01`, filed: '2025-02-01', lines },
      ...added.map((own, at) => ({
        ...{ ...of, accession: `0000000005-25-${number}0${at + 2}`, filed: `2025-02-1${at}`, lines: own },
      })),
    )
    const rows = await held(cik, period)
    return [rows.length, rows.reduce((sum, { value }) => sum + Number(value), 0)]
  }
  const all = 2_550_000 + 4_000_000 + 500_000
  assert.deepEqual(
    await worth('2020-03-31', [...lines, nvidia]),
    [4, all + 1_900_000],
    'the amendment has the lines of the report and a new line',
  )
  assert.deepEqual(
    await worth('2020-06-30', [nvidia, ...lines.toReversed()]),
    [4, all + 1_900_000],
    'the lines are in reverse order',
  )
  assert.deepEqual(
    await worth('2020-09-30', [nvidia], [nvidia]),
    [4, all + 1_900_000],
    'the new line is in a second amendment too',
  )
  assert.deepEqual(
    await worth('2020-12-31', [lines[0]!, nvidia]),
    [4, all + 1_900_000],
    'the amendment has one line of the report and a new line',
  )
  const more: FiledLine = [APPLE, 3_060_000, { amount: '12000', discretion: 'SOLE' }]
  assert.deepEqual(
    await worth('2021-03-31', [more, nvidia]),
    [4, all + 510_000 + 1_900_000],
    'the amendment corrects a line',
  )
  const others: FiledLine = [APPLE, 255_000, { amount: '1000', discretion: 'DFND', managers: '2' }]
  assert.deepEqual(
    await worth('2021-06-30', [nvidia, others]),
    [5, all + 255_000 + 1_900_000],
    'the amendment has only new lines',
  )
  const put: FiledLine = [APPLE, 2_550_000, { amount: '10000', discretion: 'SOLE', putCall: 'Put' }]
  assert.deepEqual(
    await worth('2021-09-30', [put]),
    [4, all + 2_550_000],
    'the amendment has an option on a security of the report',
  )
  // The values are in thousands. Three prices cannot outweigh the date, which indicates dollars.
  const cheap = [lines[0]!, nvidia].map(([cusip, value, own]): FiledLine => [cusip, value / 1000, own!])
  assert.deepEqual(await worth('2021-12-31', cheap), [4, all + 1_900_000], 'the amendment is in thousands')
  const parts =
    await sql`select part, until from pub.thirteenf_composed where cik = ${cik} and quarter = '2020-03-31' order by seq`
  assert.deepEqual(
    parts.map(({ part, until }) => [part, until]),
    [
      ['whole', '2025-02-10'],
      ['whole', null],
    ],
  )
})

test('the newest quarter is the last one that a manager reported after the quarter’s end: a period in the future hides nothing', async () => {
  const cik = '0000000002'
  await loadReports(
    sql,
    { cik, accession: '0000000002-24-000001', filed: '2024-02-01', period: '2023-12-31', lines: [[APPLE, 7]] },
    { cik, accession: '0000000002-24-000002', filed: '2024-02-02', period: '2042-12-31', lines: [[APPLE, 8]] },
    // A late amendment of an older quarter.
    { cik, accession: '0000000002-24-000003', filed: '2024-05-02', period: '2022-12-31', lines: [[APPLE, 9]] },
  )
  const rows = await sql`select quarter, is_newest from pub.thirteenf_counted where cik = ${cik} order by quarter`
  assert.deepEqual(rows.map(({ quarter, is_newest: newest }) => [quarter, newest]), [
    ['2022-12-31', false],
    ['2023-12-31', true],
  ]) // biome-ignore format: a table
  // The report for 2042 stays stored, but its positions do not count as held.
  const filed =
    await sql`select quarter, is_newest from thirteenf.counted where cik = ${cik} and quarter = '2042-12-31'`
  assert.deepEqual(
    filed.map(({ is_newest: newest }) => newest),
    [false],
  )
  assert.equal((await sql`select from pub.thirteenf_holding where cik = ${cik} and quarter = '2042-12-31'`).length, 0)
})

test('if a manager reports two periods in a quarter, only one of them counts, so that nothing is held twice', async () => {
  const cik = '0000000003'
  await loadReports(
    sql,
    { cik, accession: '0000000003-24-000001', filed: '2024-02-01', period: '2023-12-30', lines: [[APPLE, 7]] },
    { cik, accession: '0000000003-24-000002', filed: '2024-02-02', period: '2023-12-31', lines: [[APPLE, 8]] },
  )
  assert.deepEqual(plain(await held(cik, '2023-12-31')), [`${cik} 2023-12-31 ${APPLE} 8`])
})

test('placeholders and CUSIPs of other lengths or with punctuation are not securities; lower case is the same security', async () => {
  const cik = '0000000004'
  const filed = [APPLE, '67066g104', '000000000', '999999999', '59491810', 'N/A', '0378331*0', null, '037833101']
  await loadReports(sql, {
    ...{ cik, accession: '0000000004-24-000001', filed: '2024-02-01', period: '2023-12-31' },
    lines: filed.map((cusip) => [cusip, 1] as const),
  })
  const rows = await sql<{ id: string | null }[]>`
    select sec_id as id from pub.thirteenf_holding where cik = ${cik} order by n`
  assert.deepEqual(
    rows.map(({ id }) => id),
    [APPLE, NVIDIA, null, null, null, null, null, null, '037833101'],
  )
  const [named] = await sql`select filed, cusip, sec_id from pub.thirteenf_security where cusip = ${NVIDIA}`
  assert.ok(named!.sec_id === NVIDIA)
})

test('over random loads, changes and removals, counting lines equal compose.ts and a full refresh, as of any day', async () => {
  await sql`truncate thirteenf.report, thirteenf.quality, thirteenf.position, thirteenf.counted, thirteenf.superseded, thirteenf.repeated`
  const random = new Random(31)
  const filings = new Map<string, Filed>()
  const ciks = ['0000000021', '0000000022', null]
  const days = ['2023-04-10', '2023-05-10', '2023-06-10', '2023-07-10']
  const anyFiling = (accession: string): Filed => {
    const form = random.pick(['13F-HR', '13F-HR', '13F-HR/A', '13F-HR/A', '13F-NT'])
    const lines = Array.from({ length: random.pick([1, 2, 9]) }, () => {
      const more = { amount: String(random.int(1, 3) * 10), managers: random.pick([null, '1']) }
      return [random.pick([APPLE, MICROSOFT, NVIDIA, 'C00000001', 'c00000001']), random.int(1, 40) * 100, more] as const
    })
    return {
      ...{ accession, form, cik: random.pick(ciks), filed: random.pick(days) },
      period: random.chance(0.1) ? null : random.pick(['2022-12-31', '2023-03-31']),
      amendment: form === '13F-HR/A' ? random.pick(['restatement', 'new_holdings', null] as const) : null,
      number: form === '13F-HR/A' ? random.int(1, 3) : null,
      lines: form === '13F-NT' ? null : lines,
    }
  }
  let superseded = 0
  let repeated = 0
  for (let round = 0; round < 120; round++) {
    const accession = `0000000020-23-0000${String(random.int(1, 20)).padStart(2, '0')}`
    if (filings.has(accession) && random.chance(0.4)) {
      filings.delete(accession)
      await removeReport(sql, accession)
    } else {
      const filing = anyFiling(accession)
      filings.set(accession, filing)
      await loadReports(sql, filing)
    }
    for (const day of [...days, null]) {
      const expected = linesOf([...filings.values()], day ?? undefined)
      const given = day === null ? await sql<Line[]>`select * from pub.thirteenf_holding` : await knownOn(day)
      assert.deepEqual(plain(given), plain(expected), `round ${round}, ${day}`)
    }
    const kept = await stored()
    superseded += kept.superseded.length
    repeated += kept.repeated.length
    await remake(sql, thirteenf)
    assert.deepEqual(await stored(), kept, `round ${round}`)
  }
  assert.ok(superseded > 20 && repeated > 20, `${superseded} securities replaced, ${repeated} lines repeated`)
})

/** Returns lines of all managers, composed in memory. */
function linesOf(filings: readonly Filed[], asOf?: string): Line[] {
  const groups = Map.groupBy(filings, ({ cik, period }) => `${cik} ${period}`)
  return [...groups.values()].flatMap((own) => {
    const { cik, period } = own[0]!
    if (cik === null || period === null) return []
    const { lines } = composedOf(own, asOf)
    return lines.map(({ cusip, value }) => ({ cik, quarter: period, cusip: cusip!, value: String(value) }))
  })
}
