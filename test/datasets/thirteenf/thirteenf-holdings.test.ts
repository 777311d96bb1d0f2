/** A manager's holdings at the end of a quarter, as of a day, and the changes since the previous quarter. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Held } from '../../../src/datasets/thirteenf/answers.ts'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { managerHoldings } from '../../../src/datasets/thirteenf/routes.ts'
import type { Context } from '../../../src/declare/route.ts'
import { load } from '../../../src/ingest/load.ts'
import type { Sql } from '../../../src/store/db.ts'
import { Random } from '../../support/adv/random.ts'
import { corpus } from '../../support/corpus.ts'
import { freshDatabase } from '../../support/database.ts'
import { forged } from '../../support/list-walks.ts'
import { serveSample } from '../../support/served.ts'
import { composedOf } from '../../support/thirteenf/composed.ts'
import { listed, readSubmission } from '../../support/thirteenf/files.ts'
import { type Filed, type FiledLine, loadReports, removeReport } from '../../support/thirteenf/made.ts'

async function ask(sql: Sql, cik: string, query: Record<string, string> = {}): Promise<Held> {
  const answer = await managerHoldings.run(managerHoldings.input.parse({ cik, ...query }), { sql } as Context)
  managerHoldings.output!.parse(answer)
  return answer as Held
}

const { sql } = await freshDatabase({ after })
const served = await serveSample({ after })

type Row = Held['positions'][number]
const of = (answer: Held, cusip: string) => answer.positions.filter((row) => row.cusip === cusip)
const statesOf = ({ quarter, changes }: Held) => [quarter?.state, changes?.before.state, changes?.compared]
const countsOf = ({ changes }: Held) =>
  changes && [
    changes.new_count,
    changes.added_count,
    changes.reduced_count,
    changes.closed_count,
    changes.unchanged_count,
  ]
const moved = ({ change, amount, amount_change, value_change }: Row) => [change, amount, amount_change, value_change]

const BERKSHIRE = '1067983'

/** Loaded once: 27 years of one manager's filings. */
let loading: Promise<void> | undefined
const history = () => {
  loading ??= (async () => {
    const own = new Map(
      listed()
        .filter(({ cik }) => cik === BERKSHIRE)
        .map((one) => [one.accession, one]),
    )
    for (const filing of own.values()) {
      const { accession, filedDate, report, quality, positions, managers, securities } = await readSubmission(filing)
      const rows = [
        ['report', report] as const,
        ['quality', quality] as const,
        ...positions.map((row) => ['position', row] as const),
        ...managers.map((row) => ['manager', row] as const),
        ...[...securities.values()].map((row) => ['security', row] as const),
      ]
      await sql.begin((tx) => load(tx, thirteenf, [{ accession, filedDate, rows: rows }]))
    }
  })()
  return loading
}

// The values were added up by hand from the documents; values in thousands got three zeros.
test('CIK 1067983: a quarter as of a day has what was filed by that day; confidential positions came within a year', {
  skip: corpus.skip,
}, async () => {
  await history()
  const known = async (as_of?: string) => {
    const answer = await ask(sql, BERKSHIRE, { period: '2000-12-31', ...(as_of && { as_of }) })
    return [answer.quarter!.state, answer.total_value, of(answer, '36225X100')[0]?.shares ?? null]
  }
  assert.deepEqual(await known('2001-02-13'), ['not_filed', null, null])
  assert.deepEqual(await known('2001-02-14'), ['reported', '31619703000', null])
  assert.deepEqual(await known('2001-04-01'), ['reported', '31619703000', null])
  // Confidential treatment of the 4,921,300 shares of GPU was denied on March 23, 2001.
  assert.deepEqual(await known('2001-04-02'), ['reported', '35071782000', '4921300'])
  assert.deepEqual(await known('2001-05-15'), ['reported', '35234900000', '4921300'])
  assert.deepEqual(await known(), ['reported', '36252334000', '4921300'])
})

test('CIK 1067983: a restatement of one security, which writes its CUSIP in lower case, counts from its filing date on', {
  skip: corpus.skip,
}, async () => {
  await history()
  const shaw = async (as_of: string) => {
    const [row, ...others] = of(await ask(sql, BERKSHIRE, { period: '2000-06-30', as_of }), '82028K200')
    return [row!.shares, row!.value, others.length]
  }
  assert.deepEqual(await shaw('2000-09-05'), ['13788100', '340401000', 0])
  assert.deepEqual(await shaw('2000-09-06'), ['14288100', '352745000', 0])
})

test('CIK 1067983: each position has its change since the previous quarter', { skip: corpus.skip }, async () => {
  await history()
  const answer = await ask(sql, BERKSHIRE, { period: '2025-12-31', changes: 'true' })
  assert.deepEqual(statesOf(answer), ['reported', 'reported', true])
  assert.deepEqual(countsOf(answer), [4, 4, 9, 3, 25])
  assert.deepEqual([answer.position_count, answer.row_count, answer.positions.length], [42, 45, 45])
  assert.deepEqual([answer.total_value, answer.changes!.before.period_of_report], ['274160086701', '2025-09-30'])
  const one = (cusip: string) => moved(of(answer, cusip)[0]!)
  assert.deepEqual(one('650111107'), ['new', '5065744', '5065744', '351663948'])
  assert.deepEqual(one('023135106'), ['reduced', '2276000', '-7724000', '-1670353680'])
  assert.deepEqual(one('166764100'), ['added', '130156362', '8091570', '881689582'])
  assert.deepEqual(one('531229722'), ['closed', '0', '-10917661', '-1058685587'])
  assert.deepEqual(
    of(answer, '531229722').map(({ value, shares, value_before, amount_before, issuer_name }) => [value, shares, value_before, amount_before, issuer_name]),
    [['0', '0', '1058685587', '10917661', 'LIBERTY MEDIA CORP DEL']],
  ) // biome-ignore format: one line each
  // Closed positions come last.
  assert.deepEqual(
    answer.positions.slice(-4).map(({ change }) => change === 'closed'),
    [false, true, true, true],
  )
})

test('CIK 1067983: a position under confidential treatment is new in its quarter once it is disclosed, and not before', {
  skip: corpus.skip,
}, async () => {
  await history()
  const query = { period: '2023-09-30', changes: 'true' }
  const hidden = await ask(sql, BERKSHIRE, { ...query, as_of: '2024-05-14' })
  const shown = await ask(sql, BERKSHIRE, query)
  assert.deepEqual(
    [countsOf(hidden), countsOf(shown)],
    [
      [6, 0, 6, 9, 33],
      [7, 0, 6, 9, 33],
    ],
  )
  assert.deepEqual(of(hidden, 'H1467J104'), [])
  assert.deepEqual(moved(of(shown, 'H1467J104')[0]!), ['new', '8143530', '8143530', '1695320075'])
  // The position in GPU had been confidential in both quarters. Both reports were amended on one day in 2001.
  const gpu = { period: '2000-12-31', changes: 'true' }
  const before = await ask(sql, BERKSHIRE, { ...gpu, as_of: '2001-04-01' })
  assert.deepEqual(of(before, '36225X100'), [])
  const then = await ask(sql, BERKSHIRE, { ...gpu, as_of: '2001-04-02' })
  assert.deepEqual(moved(of(then, '36225X100')[0]!), ['unchanged', '4921300', '0', '21506000'])
})

test('CIK 1067983: nothing is new compared with a quarter that has no loaded reports or only additions', {
  skip: corpus.skip,
}, async () => {
  await history()
  const againstPart = await ask(sql, BERKSHIRE, { period: '2013-09-30', changes: 'true' })
  assert.deepEqual(statesOf(againstPart), ['reported', 'incomplete', false])
  assert.match(
    againstPart.changes!.note!,
    /^2013-06-30: only amendments that add holdings .* itself: 0000950123-13-009874/,
  )
  const part = await ask(sql, BERKSHIRE, { period: '2013-06-30', changes: 'true' })
  assert.deepEqual([statesOf(part), part.total_value], [['incomplete', 'reported', false], '2822906000'])
  // The report for 2023-12-31 is not in the corpus.
  const againstNothing = await ask(sql, BERKSHIRE, { period: '2024-03-31', changes: 'true' })
  assert.deepEqual(statesOf(againstNothing), ['reported', 'not_loaded', false])
  for (const { positions, changes } of [againstPart, part, againstNothing]) {
    assert.ok(
      positions.length > 0 && positions.every(({ change, amount_change }) => change === null && amount_change === null),
    )
    assert.deepEqual([changes!.new_count, changes!.closed_count], [null, null])
  }
  const nothing = await ask(sql, BERKSHIRE, { period: '2023-12-31' })
  assert.deepEqual([nothing.quarter!.state, nothing.positions, nothing.total_value], ['not_loaded', [], null])
  assert.deepEqual(
    nothing.not_loaded!.map(({ source }) => source),
    ['thirteenf'],
  )
  assert.equal(nothing.latest_period, '2025-12-31')
})

const line = (cusip: string | null, value: number, amount: number | null, more: FiledLine[2] = {}): FiledLine => [
  cusip,
  value,
  { amount: amount === null ? null : String(amount), ...more },
]

test('options and principal are not compared with shares; an amount without a type is shares; an unknown amount gives no change', async () => {
  const cik = '0000000061'
  const [put, call, debt, none] = [{ putCall: 'Put' }, { putCall: 'Call' }, { kind: 'PRN' as const }, { kind: null }]
  const [before, now] = ['2023-09-30', '2023-12-31']
  await loadReports(
    sql,
    { accession: '0000000061-23-000001', cik, filed: '2023-11-14', period: before, lines: [
      line('A00000001', 100, 10), line('a00000001', 50, 5), line('A00000001', 7, 3, put), line('A00000001', 9, 900, debt),
      line('B00000002', 40, 4, none), line('C00000003', 30, null), line('D00000004', 20, 2, call), line(null, 5, 1, { issuer: 'BY NAME' }),
      line('E00000005', 11, 0), line('F00000006', 12, 6),
    ] },
    { accession: '0000000061-24-000001', cik, filed: '2024-02-14', period: now, lines: [
      line('A00000001', 160, 15), line('A00000001', 8, 4, put), line('A00000001', 2, 200, debt),
      line('B00000002', 50, 5), line('C00000003', 31, 3), line('D00000004', 25, 2), line(null, 6, 1, { issuer: 'BY NAME' }),
      line('E00000005', 13, 7), line('F00000006', 0, 0),
    ] },
  ) // biome-ignore format: one report a line
  const answer = await ask(sql, cik, { changes: 'true' })
  const rows = answer.positions.map(
    ({ cusip, kind, put_call, change, amount_change, value_change, value, shares, option_value, principal }) =>
      [
        cusip,
        kind,
        put_call,
        change,
        amount_change,
        value_change,
        [value, shares, option_value, principal].join(' '),
      ].join(' | '),
  )
  assert.deepEqual(rows.sort(), [
    ' | SH |  | unchanged | 0 | 1 | 6 1 0 0',
    'A00000001 | PRN |  | reduced | -700 | -7 | 2 0 0 200',
    'A00000001 | SH |  | unchanged | 0 | 10 | 160 15 0 0',
    'A00000001 | SH | Put | added | 1 | 1 | 0 0 8 0',
    'B00000002 | SH |  | added | 1 | 10 | 50 5 0 0',
    'C00000003 | SH |  |  |  | 1 | 31 3 0 0',
    'D00000004 | SH |  | new | 2 | 25 | 25 2 0 0',
    'D00000004 | SH | Call | closed | -2 | -20 | 0 0 0 0',
    'E00000005 | SH |  | new | 7 | 2 | 13 7 0 0',
    'F00000006 | SH |  | closed | -6 | -12 | 0 0 0 0',
  ])
  assert.deepEqual(countsOf(answer), [2, 2, 1, 2, 2])
  const plain = await ask(sql, cik)
  assert.equal(answer.position_count, plain.positions.length)
  // Rows of one security add up to its figures without changes.
  for (const { cusip, value, shares, option_value, principal } of plain.positions) {
    const sum = (name: 'value' | 'shares' | 'option_value' | 'principal') =>
      String(answer.positions.filter((row) => row.cusip === cusip).reduce((all, row) => all + BigInt(row[name]), 0n))
    assert.deepEqual(
      [sum('value'), sum('shares'), sum('option_value'), sum('principal')],
      [value, shares, option_value, principal],
    )
  }
})

test('a page of rows has the counts of all pages; a page beyond the end is empty', async () => {
  const cik = '0000000062'
  const lines = Array.from({ length: 7 }, (_, at) => line(`A0000000${at}`, 100 - at, 1))
  await loadReports(
    sql,
    { accession: '0000000062-23-000001', cik, filed: '2023-11-14', period: '2023-09-30', lines: lines.slice(2) },
    { accession: '0000000062-24-000001', cik, filed: '2024-02-14', period: '2023-12-31', lines: lines.slice(0, 5) },
  )
  const pages = await Promise.all(
    ['0', '3', '6', '9'].map((offset) => ask(sql, cik, { changes: 'true', limit: '3', offset })),
  )
  assert.deepEqual(
    pages.map(({ positions }) => positions.map(({ cusip }) => cusip!.at(-1)).join('')),
    ['012', '345', '6', ''],
  )
  for (const page of pages) {
    assert.deepEqual([page.row_count, page.position_count, countsOf(page)], [7, 5, [2, 0, 0, 2, 3]])
  }
  const plain = await ask(sql, cik, { limit: '2', offset: '4' })
  assert.deepEqual([plain.positions.length, plain.row_count, plain.changes], [1, 5, undefined])
})

test('a cursor stays valid for the same holdings until the manager files again; a foreign or damaged cursor, or one with an offset, is answered with 400', async () => {
  const cik = '0000000063'
  const reported = (accession: string, filed: string, value: number) => ({
    ...{ accession, cik, filed, period: '2023-09-30' },
    lines: ['A', 'B', 'C'].map((letter, at) => line(`${letter}00000000`, value - at, 1)),
  })
  await loadReports(sql, reported('0000000063-23-000001', '2023-11-14', 100))
  const first = await ask(sql, cik, { limit: '2' })
  const cursor = first.next_cursor!
  const rest = await ask(sql, cik, { limit: '2', cursor })
  assert.deepEqual([rest.positions.map(({ cusip }) => cusip), rest.next_cursor], [['C00000000'], null])
  assert.equal((await ask(sql, cik)).next_cursor, null)
  const refused = (query: Record<string, string>, message: RegExp) =>
    assert.rejects(ask(sql, cik, query), { status: 400, message })
  await refused({ cursor, offset: '1' }, /^cursor: cannot be combined with offset$/)
  const foreign = /^cursor: not a next_cursor of the current reports; repeat the request without cursor$/
  await refused({ cursor, changes: 'true' }, foreign)
  await refused({ cursor, period: '2022-12-31' }, foreign)
  await refused({ cursor: forged(cursor, 5, '1.5') }, foreign)
  await refused({ cursor: forged(cursor, 5, null) }, foreign)
  await loadReports(sql, reported('0000000063-23-000002', '2023-11-20', 200))
  await refused({ cursor }, foreign)
})

const DUE = '2022-08-19'

test('a quarter without holdings states the reason: a notice, unread reports, no report when due, or nothing loaded', async () => {
  const cik = '0000000063'
  const lines = [line('A00000001', 5, 1)]
  await loadReports(
    sql,
    { accession: '0000000063-22-000001', cik, filed: '2022-02-14', period: '2021-12-31', form: '13F-NT', lines: null },
    { accession: '0000000063-22-000002', cik, filed: '2022-05-13', period: '2022-03-31', lines },
  )
  const state = async (period: string, as_of?: string) => {
    const { quarter, not_loaded, positions } = await ask(sql, cik, { period, ...(as_of && { as_of }) })
    assert.deepEqual(
      [positions.length > 0, not_loaded !== undefined],
      [quarter!.state === 'reported', quarter!.state === 'not_loaded'],
    )
    return quarter!.state
  }
  assert.equal(await state('2021-12-31'), 'no_holdings')
  assert.equal(await state('2022-06-30'), 'not_loaded')
  const index = { host: 'https://www.sec.gov', source: '/Archives/edgar/full-index/2022/QTR3/master.idx' }
  await sql`insert into edgar.watermark ${sql({ ...index, through: '2022-08-18' })}`
  assert.equal(await state('2022-06-30'), 'not_loaded', 'reports may still come')
  await sql`update edgar.watermark set through = ${DUE}`
  assert.equal(await state('2022-06-30'), 'not_reported')
  assert.equal(await state('2022-06-30', '2022-08-18'), 'not_filed')
  assert.equal(await state('2022-06-30', DUE), 'not_reported')
  const changes = await ask(sql, cik, { period: '2022-03-31', changes: 'true' })
  assert.deepEqual(statesOf(changes), ['reported', 'no_holdings', false])
  assert.match(changes.changes!.note!, /^2021-12-31: .*0000000063-22-000001 \(13F-NT\)/)
  // Listed but not read.
  const filing = { accession: '0000000063-22-000003', filed_date: '2022-08-12' }
  await sql`
    insert into edgar.filing ${sql({ ...filing, form_type: '13F-HR', family: 'thirteenf', cik, company_name: 'Specimen', name_key: 'specimen', path: 'x' })}`
  await sql`insert into edgar.filer_name ${sql({ cik, name: 'Specimen', name_key: 'specimen' })}`
  await sql`insert into edgar.filer (accession, cik, filed_date, name_id) select ${filing.accession}, cik, ${filing.filed_date}, name_id from edgar.filer_name`
  assert.equal(await state('2022-06-30'), 'not_loaded')
  assert.equal(await state('2022-06-30', '2022-08-11'), 'not_filed', 'a report that was filed later is not known')
  await sql`delete from edgar.filing`
  await sql`delete from edgar.watermark`
  // A set that covers the days proves as much as the index.
  const set = {
    dataset: 'thirteenf',
    name: '2022q3',
    from_day: '2022-07-01',
    to_day: '2022-09-30',
    sha256: '',
    bytes: 1,
    source_url: '',
  }
  await sql`insert into bulk.filing_set ${sql({ ...set, state: 'begun' })}`
  assert.equal(await state('2022-06-30'), 'not_loaded', 'the set is not loaded whole')
  await sql`update bulk.filing_set set state = 'done', refused = 1`
  assert.equal(await state('2022-06-30'), 'not_loaded', 'the report that the set refused may be the one')
  await sql`update bulk.filing_set set refused = 0`
  assert.equal(await state('2022-06-30'), 'not_reported')
  await sql`insert into core.meta ${sql({ name: 'origin', value: 'sample' })}`
  assert.equal(await state('2022-06-30'), 'not_loaded', 'the sample is a selection')
  await sql`delete from core.meta where name = 'origin'`
  await sql`delete from bulk.filing_set`
  // The profile of a chosen filer is read during a day that is not over.
  await sql`insert into edgar.chosen (cik, entry, through, read_at) values (${cik}, 'x', ${DUE}, now())`
  assert.equal(await state('2022-06-30'), 'not_loaded', 'a report may still come on that day')
  await sql`update edgar.chosen set through = through + 1`
  assert.equal(await state('2022-06-30'), 'not_reported')
  await sql`delete from edgar.chosen`
})

test('for a manager that files only notices the answer says so, without a quarter; an unknown filer is not found', async () => {
  const cik = '0000000064'
  await loadReports(sql, {
    accession: '0000000064-24-000001',
    cik,
    filed: '2024-02-14',
    period: '2023-12-31',
    form: '13F-NT',
    lines: null,
  })
  const answer = await ask(sql, cik)
  assert.deepEqual(
    [answer.latest_period, answer.positions, answer.quarter!.period_of_report, answer.quarter!.state],
    [null, [], '2023-12-31', 'no_holdings'],
  )
  assert.deepEqual(answer.quarter!.accessions, [], 'a notice states no positions')
  const early = await ask(sql, cik, { as_of: '2023-11-15' })
  assert.deepEqual([early.quarter!.period_of_report, early.quarter!.state], ['2023-09-30', 'not_loaded'])
  await assert.rejects(ask(sql, '65'), /not found/)
})

/** Composes the filings of a quarter as known on a day, in memory; null if it was not reported as a whole. */
function heldIn(all: readonly Filed[], period: string, asOf?: string): Leg[] | null {
  const { steps, lines } = composedOf(
    all.filter((filing) => filing.period === period),
    asOf,
  )
  if (!steps.some(({ part }) => part === 'whole')) return null
  const legs = new Map<string, Leg>()
  for (const { cusip, value, amount, kind, putCall } of lines) {
    const key = [cusip!.toUpperCase(), kind === 'PRN' ? 'PRN' : 'SH', putCall ?? ''].join(' ')
    const leg = legs.get(key) ?? { key, value: 0, amount: 0 }
    legs.set(key, { key, value: leg.value + value, amount: leg.amount + Number(amount) })
  }
  return [...legs.values()]
}

interface Leg {
  key: string
  value: number
  amount: number
}

const changeOf = (now: Leg | undefined, before: Leg | undefined) =>
  !before
    ? 'new'
    : !now
      ? 'closed'
      : now.amount > before.amount
        ? 'added'
        : now.amount < before.amount
          ? 'reduced'
          : 'unchanged'

const row = (key: string, change: string | null, now?: Leg, before?: Leg) =>
  [
    key,
    change,
    now?.amount ?? 0,
    now?.value ?? 0,
    ...(change ? [before?.amount ?? 0, before?.value ?? 0] : ['', '']),
  ].join(' | ')

test('after any loads and deletions, the changes as of any day equal the changes that are computed in memory from both quarters', async () => {
  const random = new Random(17)
  const cik = '0000000071'
  const periods = ['2023-03-31', '2023-06-30', '2023-09-30']
  const anyFiling = (accession: string): Filed => {
    const form = random.pick(['13F-HR', '13F-HR', '13F-HR', '13F-HR/A', '13F-HR/A', '13F-NT'])
    return {
      ...{ accession, form, cik, filed: `2023-${random.pick(['05', '08', '11'])}-1${random.int(0, 4)}` },
      period: random.pick(periods),
      amendment: form === '13F-HR/A' ? random.pick(['restatement', 'new_holdings', null] as const) : null,
      number: form === '13F-HR/A' ? random.int(1, 3) : null,
      lines: form === '13F-NT' ? null : Array.from({ length: random.pick([1, 2, 9, 9]) }, () => {
        const amount = random.int(1, 4) * 10
        const cusip = random.pick(['A', 'a', 'B', 'C', 'D']) + `0000000${random.int(0, 1)}`
        const more = random.pick([{}, {}, {}, { putCall: 'Put' }, { putCall: 'Call' }, { kind: 'PRN' as const }, { kind: null }])
        return line(cusip, amount * random.int(10, 12), amount, more)
      }),
    } // biome-ignore format: lines with their filing
  }
  const filings = new Map<string, Filed>()
  const seen = { compared: 0, closed: 0, reduced: 0, refused: 0 }
  for (let round = 0; round < 150; round++) {
    const accession = `0000000071-23-0000${String(random.int(1, 14)).padStart(2, '0')}`
    if (filings.has(accession) && random.chance(0.2)) {
      filings.delete(accession)
      await removeReport(sql, accession)
    } else {
      const filing = anyFiling(accession)
      filings.set(accession, filing)
      await loadReports(sql, filing)
    }
    if (filings.size === 0) continue
    const asOf = random.chance(0.5) ? `2023-${random.pick(['05', '08', '11'])}-1${random.int(0, 4)}` : undefined
    const at = random.int(1, 2)
    const answer = await ask(sql, cik, { period: periods[at]!, changes: 'true', ...(asOf && { as_of: asOf }) })
    const all = [...filings.values()]
    const [now, before] = [heldIn(all, periods[at]!, asOf), heldIn(all, periods[at - 1]!, asOf)]
    const message = `round ${round}, ${periods[at]} as of ${asOf}`
    assert.equal(answer.quarter!.state === 'reported', now !== null, message)
    assert.equal(answer.changes!.compared, now !== null && before !== null, message)
    const compared = answer.changes!.compared
    if (now === null) {
      seen.refused++
      continue
    }
    const keys = new Set([...now, ...(compared ? before! : [])].map(({ key }) => key))
    const expected = [...keys].map((key) => {
      const [leg, old] = [now, before ?? []].map((legs) => legs.find((one) => one.key === key))
      return row(key, compared ? changeOf(leg, old) : null, leg, old)
    })
    const given = answer.positions.map((position) => {
      const { cusip, kind, put_call, change, amount, value, option_value, amount_before, value_before } = position
      const dollars = put_call === null ? value : option_value
      return [[cusip, kind, put_call ?? ''].join(' '), change, amount, dollars, amount_before, value_before].join(' | ')
    })
    assert.deepEqual(given.sort(), expected.sort(), message)
    if (!compared) seen.refused++
    else {
      seen.compared++
      seen.closed += answer.changes!.closed_count!
      seen.reduced += answer.changes!.reduced_count!
    }
  }
  assert.ok(seen.compared > 40 && seen.closed > 100 && seen.reduced > 30 && seen.refused > 20, JSON.stringify(seen))
})

test('positions of the sample’s specimens are opened, closed, corrected and disclosed late, by adviser and by manager alike', async () => {
  const [wealth, advisers] = ['999000003', '999000001']
  const get = (crd: string, query = '') =>
    served.json<Held & { match: boolean }>(`/adv/advisers/by-crd/${crd}/holdings-13f${query}`)
  const plain = await get(advisers)
  assert.deepEqual(Object.keys(plain), [
    'match',
    'manager',
    'latest_period',
    'position_count',
    'total_value',
    'positions',
    'trend',
  ])
  assert.deepEqual(Object.keys(plain.positions[0]!), [
    'cusip',
    'issuer_name',
    'title_of_class',
    'value',
    'shares',
    'option_value',
    'principal',
    'period_of_report',
  ])
  assert.deepEqual(await get(advisers, '?changes=false'), plain)
  const { links, ...own } = await served.json<Held & { links: object }>(
    '/thirteenf/managers/by-cik/9000000051/holdings',
  )
  assert.ok('filings' in links)
  assert.deepEqual({ match: true, ...own }, { ...plain, next_cursor: null })
  // Typed from the tables below sample/Archives.
  const opened = await get(advisers, '?period=2018-12-31&changes=true')
  assert.deepEqual(countsOf(opened), [2, 4, 5, 0, 6])
  const closed = await get(advisers, '?period=2019-06-30&changes=true')
  assert.deepEqual(
    closed.positions
      .filter(({ change }) => change === 'closed')
      .map(({ issuer_name, amount_before }) => [issuer_name, amount_before]),
    [['SPECIMEN FREIGHT CORP', '2600']],
  )
  const wrong = async (day: string) => {
    const answer = await get(advisers, `?period=2019-03-31&changes=true&as_of=${day}`)
    return moved(answer.positions.find(({ issuer_name }) => issuer_name === 'SPECIMEN CHEMICAL CORP')!)
  }
  assert.deepEqual(await wrong('2019-06-02'), ['reduced', '110', '-940', '-86000'])
  assert.deepEqual(await wrong('2019-06-03'), ['added', '1100', '50', '15000'])
  const secret = async (day: string) => (await get(wealth, `?period=2018-12-31&as_of=${day}`)).position_count
  assert.deepEqual([await secret('2019-05-02'), await secret('2019-05-03')], [14, 16])
  // A real manager of one report.
  const none = await served.json<Held>('/thirteenf/managers/by-cik/1099219/holdings?period=2020-06-30&changes=true')
  assert.deepEqual(statesOf(none), ['not_loaded', 'not_loaded', false])
})

test('a date that does not end a quarter, an impossible date, and invalid flags are refused by name', async () => {
  const refused = async (query: string) => {
    const response = await served.get(`/thirteenf/managers/by-cik/9000000051/holdings?${query}`)
    assert.equal(response.status, 400, query)
    return ((await response.json()) as { error: string }).error
  }
  for (const bad of ['2024-12-30', '2024-04-31', '2024Q4', '1977-12-31', '']) {
    assert.match(await refused(`period=${bad}`), /^period: must be (the last day of a quarter|a day)/, bad)
  }
  for (const bad of ['2023-02-29', '0000-01-01', 'yesterday'])
    assert.match(await refused(`as_of=${bad}`), /^as_of: must be a day/, bad)
  assert.match(await refused('changes=yes'), /^changes: /)
  assert.match(await refused('limit=1001'), /^limit: must be a whole number from 1 to 1000/)
  assert.match(await refused('periods=2024-12-31'), /^"periods": unknown parameter/)
  for (const fine of [
    'as_of=0001-01-01',
    'as_of=9999-12-31',
    'period=9999-12-31&changes=true',
    'period=1978-03-31&changes=true&as_of=1978-01-01',
  ]) {
    const response = await served.get(`/thirteenf/managers/by-cik/9000000051/holdings?${fine}`)
    assert.equal(response.status, 200, fine)
    managerHoldings.output!.parse(await response.json())
  }
})
