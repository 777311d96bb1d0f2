/**
 * Prices that funds report for securities: stored and answered values equal an independent, simple computation from the
 * counting reports.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { CORRECTIONS } from '../../../src/products/securities/aliases.ts'
import type { HolderPage, SecurityDetail } from '../../../src/products/securities/answers.ts'
import type { Aliases, Figures, History } from '../../../src/products/securities/answers-price.ts'
import { clusters } from '../../../src/products/securities/issuer/clusters.ts'
import type { Named } from '../../../src/products/securities/issuer/name.ts'
import { spoken } from '../../../src/products/securities/issuer/name.ts'
import { splitBetween } from '../../../src/products/securities/issuer/split.ts'
import { classesOf } from '../../../src/products/securities/queries/price-make.ts'
import { detail, holders } from '../../../src/products/securities/routes.ts'
import { aliases, priceHistory } from '../../../src/products/securities/routes-price.ts'
import { securityId } from '../../../src/read/securityid.ts'
import { decodeCursor, encodeCursor } from '../../../src/serve/page.ts'
import { connect } from '../../../src/store/db.ts'
import { Random } from '../../support/adv/random.ts'
import { readOf } from '../../support/list-walks.ts'
import { type FundLine, type FundReport, loadFunds, removeFunds } from '../../support/marks-made.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { openSampledWorld } from '../../support/sampled.ts'
import { makeAll, stored } from '../../support/securities-made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const APPLE = '037833100'
const idOf = ({ name, title = null, cusip = null }: { name: string; title?: string | null; cusip?: string | null }) =>
  securityId({ cusip, isin: null, name, title })!

const database = await reusedDatabase({ after })
const { sql } = database
const historyOf = (cusip: string, query: Record<string, string> = {}, of = sql) =>
  ask<History | null>(of, priceHistory, { cusip, ...query })
const aliasesOf = (cusip: string, of = sql) => ask<Aliases | null>(of, aliases, { cusip })

const privately = { restricted: true, category: 'EP' }
/** Companies with similar names, one vehicle, one name that differs in two letters, and a listed company. */
const HOLDINGS: readonly Omit<FundLine, 'value'>[] = [
  { name: 'Apple Inc.', cusip: APPLE, level: 1 },
  { name: 'Apple Inc.', cusip: APPLE, level: 1, units: 'PA' },
  { name: 'Space Exploration Technologies Corp.', title: 'Series C Preferred Stock', ...privately },
  { name: 'Space Exploration Technologies Corp.', title: 'Class A Common Stock', ...privately, category: 'EC' },
  { name: 'SpaceX', title: 'SER C PFD PP', ...privately },
  { name: 'DXYZ SpaceX I LLC (economic exposure to SpaceX)', ...privately, category: 'OTHER' },
  { name: 'Stripe, Inc.', title: 'Common Stock', ...privately, category: 'EC' },
  { name: 'Stripe', title: 'Common Stock', ...privately, category: 'EC' },
  { name: 'Stripe LLC', title: 'Common Stock', ...privately, category: 'EC' },
  { name: 'Stripes Group, LLC', title: 'Units', ...privately, category: 'OTHER' },
  { name: 'Databricks, Inc.', title: 'DATABRICKS INC PP', ...privately },
  { name: 'Databriks, Inc.', ...privately },
  { name: 'Alpha Robotics, Inc.', ...privately },
  { name: 'Omega Robotics', ...privately },
]
/** A name in few reports: its cluster splits again when these reports are removed. */
const RARE: FundLine = { name: 'Alpha Robotics, Inc. (aka Omega Robotics)', value: '1000', ...privately }

/** The report filed last for each fund and period; accessions break ties. */
function counting(reports: Iterable<FundReport>): FundReport[] {
  const of = Map.groupBy(reports, ({ cik, series, period }) => `${cik} ${series} ${period}`)
  return [...of.values()].map((own) => own.sort((a, b) => (a.filed + a.accession < b.filed + b.accession ? 1 : -1))[0]!)
}

interface Price {
  fund: string
  value: number
  balance: number | null
  mark: number | null
  /** The fund values the holding at zero, which is not a price. */
  isWrittenOff: boolean
}

const near = (a: string | number | null, b: number | null, what: string) =>
  assert.ok(
    a === null || b === null ? a === b : Math.abs(Number(a) - b) <= 1e-6 * Math.max(1, Math.abs(b)),
    `${what}: ${a} instead of ${b}`,
  )

/** Computes the figures of one class step by step. */
function expected(lines: readonly Price[]) {
  const marks = lines.flatMap(({ mark }) => (mark === null ? [] : [mark])).sort((a, b) => a - b)
  const middleOf = (sorted: readonly number[]) =>
    sorted.length === 0
      ? null
      : (sorted[Math.ceil(sorted.length / 2) - 1]! + sorted[Math.floor(sorted.length / 2)]!) / 2
  const middle = middleOf(marks)
  let times: number | null = null
  if (marks.length >= 3 && middle! > 0) {
    const away = marks.map((mark) => Math.max(mark / middle!, middle! / mark)).sort((a, b) => a - b)
    const usual = away[Math.ceil(away.length / 2) - 1]!
    times = marks.length < 5 ? 3 : Math.min(3, Math.max(1.25, 1 + 8 * (usual - 1)))
  }
  const counts = ({ mark }: Price) =>
    mark !== null && (times === null || (mark >= middle! / times - 1e-8 && mark <= middle! * times + 1e-8))
  const kept = lines.filter(counts)
  const value = kept.reduce((sum, line) => sum + line.value, 0)
  const balance = kept.reduce((sum, line) => sum + line.balance!, 0)
  const keptMarks = kept.map(({ mark }) => mark!).sort((a, b) => a - b)
  return {
    ...{ low: keptMarks[0] ?? null, median: middleOf(keptMarks), high: keptMarks.at(-1) ?? null },
    mean: balance > 0 ? value / balance : null,
    ...{ total_value: value, total_balance: balance, mark_count: kept.length },
    fund_count: new Set(kept.map(({ fund }) => fund)).size,
    held_value: lines.reduce((sum, line) => sum + line.value, 0),
    held_count: lines.length,
    outliers: marks.length - kept.length,
    written_off: lines.filter(({ isWrittenOff }) => isWrittenOff).length,
  }
}

const priceOf = (fund: string, { value, balance = '10', units = 'NS', payoff = 'Long' }: FundLine): Price => {
  const isShare = units === 'NS' && payoff === 'Long' && balance !== null && Number(balance) > 0
  const isPriced = isShare && Number(value) > 0
  return {
    fund,
    value: Number(value),
    balance: balance === null ? null : Number(balance),
    mark: isPriced ? Number(value) / Number(balance) : null,
    isWrittenOff: isShare && value !== null && Number(value) === 0,
  }
}

test('over random loads, amendments and removals, prices and companies equal an independent count and a full refresh', async () => {
  const random = new Random(26)
  const loaded = new Map<string, FundReport>()
  const report = (n: number): FundReport => ({
    accession: `900000000${random.pick([1, 2])}-26-${String(n).padStart(6, '0')}`,
    cik: `000000000${random.pick([1, 2, 3, 4, 5, 6])}`,
    ...(random.pick([true, false]) ? { series: 'S000000001' } : {}),
    filed: `2026-0${random.pick([1, 2, 3])}-15`,
    period: random.pick(['2025-06-30', '2025-09-30', '2025-10-31']),
    lines: Array.from({ length: random.pick([1, 6, 18]) }, () => ({
      ...random.pick(HOLDINGS),
      balance: random.pick(['10', '10', '10', '33', '100', null, '0']),
      value: random.pick(['1000', '1010', '990', '1100', '1300', '900', '1900', '500', '1', '0', '100000']),
      payoff: random.pick(['Long', 'Long', 'Long', 'Short'] as const),
    })),
  })
  for (let round = 0; round < 12; round++) {
    const batch = Array.from({ length: random.pick([1, 3, 8]) }, (_, n) => report(round * 10 + n))
    await loadFunds(sql, ...batch)
    for (const each of batch) loaded.set(each.accession, each)
    if (round % 3 === 2) {
      const gone = [random.pick([...loaded.keys()]), random.pick([...loaded.keys()])]
      await removeFunds(sql, ...new Set(gone))
      for (const accession of gone) loaded.delete(accession)
    }
    const joining = `9000000009-26-${String(round).padStart(6, '0')}`
    if (round % 2 === 0) {
      const rare = { accession: joining, cik: '0000000009', filed: '2026-01-15', period: '2025-06-30', lines: [RARE] }
      await loadFunds(sql, rare)
      loaded.set(joining, rare)
    } else {
      const last = `9000000009-26-${String(round - 1).padStart(6, '0')}`
      await removeFunds(sql, last)
      loaded.delete(last)
    }
    const before = await stored(sql)
    await checkAll(loaded.values())
    await makeAll(sql)
    assert.deepEqual(await stored(sql), before, `round ${round}`)
  }
})

/** Compares all stored prices and companies with the reports. */
async function checkAll(reports: Iterable<FundReport>): Promise<void> {
  const lines = counting(reports).flatMap((report) => report.lines.map((line) => ({ line, report })))
  const named = lines
    .filter(({ line }) => line.restricted)
    .flatMap(({ line, report }): Named[] => {
      const sec_id = idOf(line)
      return spoken({ issuer_name: line.name, title: line.title ?? line.name }).mentions.map((each) => ({
        sec_id,
        accession: report.accession,
        ...each,
      }))
    })
  const companies = new Map(clusters(named, CORRECTIONS).aliases.map((row) => [row.sec_id, row.issuer]))
  const rows = await sql<
    { sec_id: string; issuer: string }[]
  >`select sec_id, issuer from securities.alias where reason <> 'misspelling'`
  const misspelt = await sql<{ sec_id: string }[]>`select sec_id from securities.alias where issuer = 'databricks'`
  for (const { sec_id, issuer } of rows) if (issuer !== 'databricks') assert.equal(issuer, companies.get(sec_id))
  const groups = new Map<string, Price[]>()
  for (const { line, report } of lines) {
    const fund = report.series ? `${report.cik}-${report.series}` : report.cik
    const classes = line.restricted
      ? classesOf({ issuer_name: line.name, title: line.title ?? line.name, asset_cat: line.category ?? null })
      : { class: '', company_class: '' }
    const add = (id: string, of: string) => {
      const key = [id, of, report.period].join('|')
      groups.set(key, [...(groups.get(key) ?? []), priceOf(fund, line)])
    }
    add(idOf(line), classes.class)
    const issuer = misspelt.some(({ sec_id }) => sec_id === idOf(line)) ? 'databricks' : companies.get(idOf(line))
    if (line.restricted) add(`issuer~${issuer}`, classes.company_class)
  }
  const found = await sql<(Figures & { id: string; period: string })[]>`select * from securities.price`
  const wanted = [...groups].filter(
    ([key, own]) => key.includes('~') || own.some(({ mark, isWrittenOff }) => mark !== null || isWrittenOff),
  )
  assert.deepEqual(
    found.map((row) => [row.id, row.class, row.period].join('|')).sort(),
    wanted.map(([key]) => key).sort(),
  )
  for (const row of found) {
    const key = [row.id, row.class, row.period].join('|')
    for (const [column, value] of Object.entries(expected(groups.get(key)!)))
      near(row[column as 'low'], value, `${key} ${column}`)
  }
}

const lines = (period: string, of: readonly (readonly [fund: number, line: FundLine])[], accession = 0): FundReport[] =>
  of.map(([fund, line], at) => ({
    accession: `9000000020-26-${String(accession * 100 + at).padStart(6, '0')}`,
    cik: `00000001${String(fund).padStart(2, '0')}`,
    filed: '2026-02-15',
    period,
    lines: [line],
  }))

const apple = (value: string, more: Partial<FundLine> = {}): FundLine => ({
  name: 'Apple Inc.',
  title: 'COM',
  cusip: APPLE,
  level: 1,
  value,
  balance: '10',
  ...more,
})

const classesIn = (found: History | null, period: string) =>
  found!.periods.find((each) => each.period === period)!.classes

test('prices up to a quarter away from the median count if most prices are near the median; otherwise prices up to eight usual distances away count', async () => {
  await database.emptied()
  const of = (values: readonly number[]) => values.map((value, fund) => [fund, apple(String(value))] as const)
  await loadFunds(sql, ...lines('2025-03-31', of([990, 995, 1000, 1005, 1029]), 1))
  // One price is farther away, but the usual distance is as small as before.
  await loadFunds(sql, ...lines('2025-06-30', of([960, 995, 1000, 1005, 1010]), 2))
  // Here the usual distance is a nineteenth of the median.
  await loadFunds(sql, ...lines('2025-09-30', of([900, 950, 1000, 1050, 1100]), 3))
  const limits = async () =>
    (await sql`select lower, upper, outliers from securities.price order by period`).map((row) => Object.values(row))
  const expected = [
    ['80', '125', 0],
    ['80', '125', 0],
    ['70.37037037', '142.10526316', 0],
  ]
  assert.deepEqual(await limits(), expected)
  await makeAll(sql)
  assert.deepEqual(await limits(), expected)
})

test('outlying prices are left out and marked: of three, beyond a factor of three; of five or more, beyond eight typical distances', async () => {
  await database.emptied()
  const of = (values: readonly string[]) => values.map((value, fund) => [fund, apple(value)] as const)
  await loadFunds(sql, ...lines('2025-03-31', of(['1000', '1100', '30000']), 1))
  await loadFunds(sql, ...lines('2025-06-30', of(['1000', '30000']), 2))
  // The usual distance is a tenth of the median: prices up to 1.8 times the median count.
  await loadFunds(sql, ...lines('2025-09-30', of(['900', '1000', '1100', '1210', '1790', '1810']), 3))
  // All are equal: prices within a quarter count.
  await loadFunds(sql, ...lines('2025-12-31', of(['1000', '1000', '1000', '1000', '1249', '1260']), 4))
  const found = await historyOf(APPLE, {}, sql)
  const of2025 = ['2025-03-31', '2025-06-30', '2025-09-30', '2025-12-31'].map((period) => classesIn(found, period)[0]!)
  assert.deepEqual(
    of2025.map(({ outliers }) => outliers),
    [1, 0, 0, 1],
  )
  assert.deepEqual(
    of2025.map(({ high }) => Number(high)),
    [110, 3000, 181, 124.9],
  )
  assert.deepEqual(
    of2025.map(({ median }) => Number(median)),
    [105, 1550, 115.5, 100],
  )
  assert.equal(Number(of2025[0]!.mean), 105)
  const { filings } = (await historyOf(APPLE, { period: '2025-12-31' }, sql))!
  assert.deepEqual(filings.map(({ mark, excluded }) => [Number(mark), excluded]).slice(0, 2), [
    [126, 'outlier'],
    [124.9, null],
  ])
})

test('shares, principal, contracts and short positions have separate prices, and each excluded line states the reason', async () => {
  await database.emptied()
  const kinds: readonly Partial<FundLine>[] = [
    {},
    { units: 'PA' },
    { units: 'NC' },
    { payoff: 'Short' },
    { balance: null },
    { balance: '0' },
    { value: '-5' },
    { value: '0' },
  ]
  await loadFunds(
    sql,
    ...lines(
      '2025-12-31',
      kinds.map((more, fund) => [fund, apple('1000', more)] as const),
    ),
  )
  const found = (await historyOf(APPLE, { period: '2025-12-31' }, sql))!
  const [only] = classesIn(found, '2025-12-31')
  assert.deepEqual(
    [only!.mark_count, only!.fund_count, Number(only!.total_balance), only!.held_count, only!.unpriced],
    [1, 1, 10, 8, 6],
  )
  const reasons = new Map(found.filings.map(({ accession, excluded }) => [Number(accession.slice(-2)), excluded]))
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 7].map((at) => reasons.get(at)),
    [null, 'units', 'units', 'short', 'no_balance', 'no_balance', 'no_value', 'written_off'],
  )
  assert.ok(found.filings.every(({ mark, excluded }) => (mark === null) === (excluded !== null)))
})

test('holdings that funds have written off are counted, but give no price: the median of marks 0 and 10 is 10', async () => {
  await database.emptied()
  const of = (values: readonly string[]) => values.map((value, fund) => [fund, apple(value)] as const)
  await loadFunds(sql, ...lines('2025-03-31', of(['0', '100']), 1))
  await loadFunds(sql, ...lines('2025-06-30', of(['0', '0']), 2))
  await loadFunds(sql, ...lines('2025-09-30', of(['0', '0', '0', '100', '110']), 3))
  const found = (await historyOf(APPLE, {}, sql))!
  const figures = found.periods.map(({ median, classes: [own] }) => [
    ...[median, own!.low, own!.mean].map((price) => (price === null ? null : Number(price))),
    ...[own!.mark_count, own!.written_off, own!.unpriced, own!.outliers],
  ])
  assert.deepEqual(figures, [
    [10, 10, 10, 1, 1, 0, 0],
    [null, null, null, 0, 2, 0, 0],
    [10.5, 10, 10.5, 2, 3, 0, 0],
  ])
})

test('the report filed last about a period counts, and a late amendment of an older period hides no newer one', async () => {
  await database.emptied()
  const report = { cik: '0000000101', series: 'S000000001', lines: [apple('1000')] }
  await loadFunds(sql, { ...report, accession: '9000000020-26-000001', filed: '2025-08-01', period: '2025-06-30' })
  await loadFunds(sql, {
    ...report,
    accession: '9000000020-26-000002',
    filed: '2025-11-01',
    period: '2025-09-30',
    lines: [apple('2000')],
  })
  await loadFunds(sql, {
    ...report,
    accession: '9000000020-26-000003',
    filed: '2026-01-01',
    period: '2025-06-30',
    lines: [apple('1500')],
  })
  const found = await historyOf(APPLE, {}, sql)
  assert.deepEqual(
    found!.periods.map(({ period, median }) => [period, Number(median)]),
    [
      ['2025-06-30', 150],
      ['2025-09-30', 200],
    ],
  )
  assert.deepEqual(found!.periods[0]!.classes[0]!.largest, ['9000000020-26-000003'])
})

test('`scope=company` has all classes with the issuer number or LEI, each separately; `scope=exact` has only the requested class', async () => {
  await database.emptied()
  const lei = '5493006MHB84DD0ZWV18'
  const alphabet: readonly FundLine[] = [
    { name: 'Alphabet Inc.', title: 'Class A', cusip: '02079K305', value: '3000', lei },
    { name: 'Alphabet Inc.', title: 'Class C', cusip: '02079K107', value: '3100', lei },
    { name: 'Google Finance B.V.', title: 'Ordinary Shares', isin: 'NL0010273215', value: '500', lei },
    { name: 'Alphabet Inc. 1.9% 2040', title: 'Note', cusip: '02079KAF4', value: '900', units: 'PA', category: 'DBT' },
    apple('1000'),
  ]
  await loadFunds(sql, {
    accession: '9000000020-26-000001',
    cik: '0000000101',
    filed: '2026-02-15',
    period: '2025-12-31',
    lines: alphabet,
  })
  const company = (await historyOf('02079k305', {}, sql))!
  assert.deepEqual(
    company.variants.map(({ sec_id, reason }) => [sec_id, reason]),
    [
      ['02079K305', 'asked'],
      ['02079K107', 'cusip'],
      ['isin~NL0010273215', 'lei'],
    ],
  )
  assert.deepEqual(
    classesIn(company, '2025-12-31').map(({ sec_id, class: of, median }) => [sec_id, of, Number(median)]),
    [
      ['02079K107', 'Class C', 310],
      ['02079K305', 'Class A', 300],
      ['isin~NL0010273215', 'Ordinary Shares', 50],
    ],
  )
  assert.deepEqual([company.periods[0]!.median, Number(company.periods[0]!.held_value)], [null, 6600])
  const exact = (await historyOf('02079K305', { scope: 'exact' }, sql))!
  assert.deepEqual([exact.variants.length, Number(exact.periods[0]!.median)], [1, 300])
  const note = (await historyOf('02079KAF4', { scope: 'exact', period: '2025-12-31' }, sql))!
  assert.deepEqual([note.periods, note.filings.map(({ excluded }) => excluded)], [[], ['units']])
  assert.deepEqual(note.variants, [], 'a note has no price per share')
  await assert.rejects(aliasesOf('02079K305', sql), /not found/)
})

test('a private company has one history: each class under all its names, with other classes and vehicles separate', async () => {
  await database.emptied()
  const held: readonly FundLine[] = [
    { name: 'Space Exploration Technologies Corp.', title: 'Series C Preferred Stock', value: '1000', ...privately },
    { name: 'SpaceX', title: 'SPACEX SER C CVT PFD PP', value: '1200', ...privately },
    {
      name: 'Space Exploration Technologies Corp.',
      title: 'Class A Common Stock',
      value: '400',
      ...privately,
      category: 'EC',
    },
    { name: 'DXYZ SpaceX I LLC (economic exposure to SpaceX)', value: '70000', ...privately, category: 'OTHER' },
    { name: 'SpaceX', title: 'Loan 2030', value: '900', units: 'PA', restricted: true, category: 'LON' },
  ]
  await loadFunds(
    sql,
    ...lines(
      '2025-12-31',
      held.map((line, fund) => [fund, line] as const),
    ),
  )
  const found = (await historyOf(idOf({ name: 'SpaceX' }), { period: '2025-12-31' }, sql))!
  assert.equal(found.company_name, 'SpaceX')
  assert.deepEqual(
    classesIn(found, '2025-12-31').map(({ class: of, mark_count, low, high, sec_id }) => [
      of,
      mark_count,
      Number(low),
      Number(high),
      sec_id,
    ]),
    [
      ['vehicle DXYZ SpaceX I LLC', 1, 7000, 7000, null],
      ['series c preferred', 2, 100, 120, null],
      ['debt', 0, 0, 0, null],
      ['class a common', 1, 40, 40, null],
    ],
  )
  assert.equal(found.filings.length, 5)
  assert.deepEqual(found.variants.map(({ reason }) => reason).sort(), ['exposure', 'name', 'override'])
  const exact = (await historyOf(idOf({ name: 'SpaceX' }), { scope: 'exact' }, sql))!
  assert.deepEqual(
    classesIn(exact, '2025-12-31').map(({ class: of }) => of),
    ['series c preferred', 'debt'],
  )
})

test('names that differ by one letter are one company only if one fund has the same balance under both, in two periods', async () => {
  await database.emptied()
  const of = (name: string, balance: string): FundLine => ({ name, value: '1000', balance, ...privately })
  const report = (n: number, cik: string, period: string, ...held: FundLine[]) => ({
    accession: `9000000020-26-00000${n}`,
    cik,
    filed: '2026-02-15',
    period,
    lines: held,
  })
  await loadFunds(
    sql,
    report(1, '0000000101', '2025-06-30', of('Databricks, Inc.', '37125'), of('Snowflaek, Inc.', '50')),
  )
  await loadFunds(
    sql,
    report(2, '0000000101', '2025-09-30', of('Databriks, Inc.', '37125'), of('Snowflaeks, Inc.', '60')),
  )
  await loadFunds(
    sql,
    report(3, '0000000102', '2025-09-30', of('Perplexity AI, Inc.', '70'), of('Perplexiti AI, Inc.', '70')),
  )
  await loadFunds(sql, report(4, '0000000102', '2025-06-30', of('Perplexity AI, Inc.', '70')))
  const issuerOf = async (name: string) => (await aliasesOf(idOf({ name }), sql))!
  const bricks = await issuerOf('Databriks, Inc.')
  assert.deepEqual(bricks.aliases.map(({ reason, confidence }) => [reason, Number(confidence)]).sort(), [
    ['misspelling', 0.6],
    ['name', 0.9],
  ])
  assert.match(
    bricks.aliases.find(({ reason }) => reason === 'misspelling')!.basis,
    /^fund 0000000101 reports 37125 of both, at 2025-06-30 and 2025-09-30$/,
  )
  assert.equal((await issuerOf('Snowflaek, Inc.')).aliases.length, 1)
  assert.equal((await issuerOf('Perplexity AI, Inc.')).aliases.length, 1)
  await removeFunds(sql, '9000000020-26-000001')
  assert.equal((await issuerOf('Databriks, Inc.')).aliases.length, 1)
})

test('the lines of a period come in pages by value, each line once; a cursor of another history is refused', async () => {
  await database.emptied()
  const values = Array.from({ length: 23 }, (_, fund) => [fund, apple(String(1000 + (fund % 4)))] as const)
  await loadFunds(sql, ...lines('2025-12-31', values))
  const seen: string[] = []
  let cursor: string | undefined
  do {
    const page: History = (await historyOf(
      APPLE,
      { period: '2025-12-31', limit: '5', ...(cursor ? { cursor } : {}) },
      sql,
    ))!
    assert.ok(page.filings.length <= 5)
    assert.equal(page.periods.length, seen.length === 0 ? 1 : 0, 'the period comes once')
    seen.push(...page.filings.map(({ value, accession }) => `${value} ${accession}`))
    cursor = page.next_cursor ?? undefined
    if (seen.length === 5) {
      const other = { period: '2025-09-30', limit: '5', cursor: cursor! }
      await assert.rejects(historyOf(APPLE, other, sql), /cursor: belongs to other filters/)
      await assert.rejects(historyOf(APPLE, { cursor: cursor! }, sql), /cursor: belongs to another order/)
    }
  } while (cursor)
  assert.equal(new Set(seen).size, 23)
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => Number(b.split(' ')[0]) - Number(a.split(' ')[0]) || (a < b ? -1 : 1)),
  )
  assert.equal((await historyOf(APPLE, {}, sql))!.filings.length, 0)
})

/** All pages of a history. */
async function pagesOf(cusip: string, limit: string): Promise<History[]> {
  const pages: History[] = []
  let cursor: string | undefined
  do {
    const page = (await historyOf(cusip, { limit, ...(cursor && { cursor }) }))!
    pages.push(page)
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  return pages
}

test('periods come in pages in their order, each once and equal to one large page, for a company too', async () => {
  await database.emptied()
  const stock = (price: string, balance: string) => ({ ...HOLDINGS[3]!, value: price, balance })
  await loadFunds(
    sql,
    ...lines(
      '2024-12-31',
      [
        [1, apple('1000', { balance: '40' })],
        [2, stock('9', '1')],
      ],
      1,
    ),
    ...lines(
      '2025-03-31',
      [
        [1, apple('1000', { balance: '80' })],
        [2, stock('9', '1')],
      ],
      2,
    ),
    ...lines(
      '2025-06-30',
      [
        [1, apple('1000', { balance: '160' })],
        [2, stock('9', '3')],
      ],
      3,
    ),
    ...lines('2025-09-30', [[1, apple('1000', { balance: '160' })]], 4),
    ...lines(
      '2025-10-31',
      [
        [2, stock('9', '3')],
        [3, { ...HOLDINGS[4]!, value: '9', balance: '1' }],
      ],
      5,
    ),
  )
  for (const cusip of [APPLE, idOf({ name: 'SpaceX' })]) {
    const whole = (await historyOf(cusip))!
    for (const limit of ['1', '2', '3']) {
      const pages = await pagesOf(cusip, limit)
      assert.deepEqual(
        pages.map(({ periods }) => periods.length <= Number(limit)),
        pages.map(() => true),
      )
      assert.deepEqual(
        pages.flatMap(({ periods }) => periods),
        whole.periods,
      )
    }
  }
  const splits = (await pagesOf(APPLE, '1')).flatMap(({ periods }) => periods.map(({ classes }) => classes[0]!.split))
  assert.deepEqual(splits, [null, 2, 2, null], 'a page knows the period before it')
  const { next_cursor: cursor } = (await historyOf(APPLE, { limit: '1' }))!
  await assert.rejects(historyOf(APPLE, { cursor: cursor!, scope: 'exact' }), /cursor: belongs to other filters/)
  await assert.rejects(historyOf(APPLE, { cursor: cursor!, period: '2025-06-30' }), /cursor: belongs to another order/)
})

test('a page of a history of thousands of periods reads only its own periods from an index, at any depth', async (t) => {
  await database.emptied()
  await loadFunds(sql, ...lines('2025-12-31', [[1, apple('1000')]]))
  await sql`
    insert into securities.price
    select made.* from securities.price p, generate_series(1, 8000) n,
      lateral jsonb_populate_record(p, jsonb_build_object('period', date '2026-01-01' + n)) made where p.id = ${APPLE}`
  await sql`vacuum analyze securities.price`
  const one = connect({ target: database.target, max: 1 })
  t.after(() => one.end())
  for (const after of ['2026-01-10', '2047-01-10']) {
    const { next_cursor: cursor } = (await historyOf(APPLE, { limit: '5' }))!
    const [...head] = decodeCursor(cursor!)
    const deep = encodeCursor([...head.slice(0, -1), after])
    let page: History | null = null
    const read = await readOf(one, ['securities.price'], async () => {
      page = await historyOf(APPLE, { limit: '5', cursor: deep }, one)
    })
    assert.equal(page!.periods.length, 5)
    // A page reads its periods twice, and the half year before them, to compare each period with the one before.
    assert.ok(read < 6 + 5 + 184 + 60, `${after}: ${read}`)
  }
})

test('an unknown security is not found, and the answer says if no fund report is loaded', async () => {
  await database.emptied()
  await assert.rejects(historyOf('ZZZZZZZZ9', {}, sql), /no reports of funds \(N-PORT\) have been loaded/)
  await assert.rejects(historyOf(APPLE, { scope: 'x' }, sql))
  await assert.rejects(historyOf('name~', {}, sql))
})

test('a jump of all prices by a split’s ratio is reported as a split if the share counts moved inversely, and no other jump is', () => {
  const prices = (low: number, median: number, high: number, shares = 10) => ({
    low: String(low),
    median: String(median),
    high: String(high),
    total_balance: String(shares),
  })
  assert.equal(splitBetween(prices(99, 100, 101), prices(24, 25, 26, 40)), 4)
  // First a slip: the number of shares is unchanged. Then a split, although funds sold some shares meanwhile.
  assert.equal(splitBetween(prices(99, 100, 101), prices(24, 25, 26, 10)), null)
  assert.equal(splitBetween(prices(99, 100, 101), prices(24, 25, 26, 25)), 4)
  assert.equal(splitBetween(prices(90, 100, 110), prices(11, 11, 11.5, 100)), null)
  assert.equal(splitBetween(prices(99, 100, 101), prices(10.5, 10.5, 10.6, 100)), 10)
  assert.equal(splitBetween(prices(1, 1, 1), prices(10, 10, 10.2, 1)), -10)
  assert.equal(splitBetween(prices(1, 1, 1), prices(10, 10, 10.2, 10)), null)
  assert.equal(splitBetween(prices(100, 100, 100), prices(70, 80, 90)), null)
  assert.equal(splitBetween(prices(100, 100, 100), prices(24, 25, 100, 40)), null)
  assert.equal(splitBetween(prices(0, 100, 100), prices(25, 25, 25, 40)), null)
  const nothing = { low: null, median: null, high: null, total_balance: '0' }
  assert.equal(splitBetween(nothing, prices(25, 25, 25, 40)), null)
  assert.equal(splitBetween(prices(25, 25, 25, 40), nothing), null)
})

test('a split is reported for the period after it, if at most half a year lies between the periods', async () => {
  await database.emptied()
  await loadFunds(
    sql,
    ...lines('2024-06-30', [[1, apple('1000')]], 1),
    ...lines('2025-03-31', [[1, apple('1000', { balance: '40' })]], 2),
    ...lines('2025-06-30', [[1, apple('1000', { balance: '80' })]], 3),
    ...lines('2025-09-30', [[1, apple('10000', { balance: '80' })]], 4),
  )
  const found = (await historyOf(APPLE, {}, sql))!
  assert.deepEqual(
    found.periods.map(({ classes }) => classes[0]!.split),
    [null, null, 2, null],
  )
  assert.equal(classesIn(await historyOf(APPLE, { period: '2025-06-30' }, sql), '2025-06-30')[0]!.split, 2)
})

test('the bundled sample has a company under several names and prices over four quarters, and reports missing data', async (t) => {
  const world = await openSampledWorld(t)
  const own = (cusip: string, query: Record<string, string> = {}) => historyOf(cusip, query, world.sql)
  const rockets = (await own(idOf({ name: 'Specimen Rockets' })))!
  assert.equal(rockets.company_name, 'Specimen Rockets Corp.')
  assert.equal(rockets.variants.length, 3)
  const spacex = (await own(
    idOf({
      name: 'DXYZ SpaceX I LLC (economic exposure to Space Exploration Technologies Corp., 96% Common units & stock eq.;3% Series E, 1% Series C preferred shares)',
    }),
  ))!
  assert.deepEqual([spacex.company_name, spacex.variants.length], ['SpaceX', 3])
  const anthropic = (await own(idOf({ name: 'ANTHROPIC, PBC' })))!
  // Computed by hand: 134,092,223.28 / 386,088 of 0000894189-26-016628, and 12,517,242 / 48,236 of
  // 0001193125-26-239358.
  assert.deepEqual(
    anthropic.periods.map(({ period, classes }) => [period, classes.map((each) => [each.class, Number(each.median)])]),
    [
      [
        '2026-03-31',
        [
          ['vehicle Magnitude ANC III, LLC', 347.31],
          ['preferred', 259.5],
        ],
      ],
    ],
  )
  assert.equal(rockets.periods.length, 4)
  for (const { classes } of [...rockets.periods, ...spacex.periods])
    assert.ok(classes.every(({ largest, held_count }) => largest.length > 0 && held_count > 0))
  const names = (await aliasesOf(idOf({ name: 'Specimen Rockets' }), world.sql))!
  const whole = await ask<SecurityDetail>(world.sql, detail, { cusip: idOf({ name: 'Specimen Rockets' }) })
  assert.equal(whole.company_name, 'Specimen Rockets Corp.')
  // Every id of the company means the most valuable of its securities, in each answer about a security.
  assert.ok(names.ids.length > 1 && names.ids.includes(names.company_id!))
  const [main] = rockets.variants
  for (const cusip of [...names.ids, 'company~Specimen Rockets Corp.']) {
    const found = await ask<SecurityDetail>(world.sql, detail, { cusip })
    assert.deepEqual([found.sec_id, found.company_id], [main!.sec_id, names.company_id], cusip)
    assert.deepEqual((await own(cusip))!.periods, rockets.periods, cusip)
    assert.equal((await ask<HolderPage>(world.sql, holders, { cusip })).sec_id, main!.sec_id)
  }
  assert.deepEqual(
    new Set(whole.issuer_securities.map(({ sec_id }) => sec_id)),
    new Set(names.aliases.map(({ sec_id }) => sec_id).filter((id) => id !== whole.sec_id)),
  )
  assert.equal(names.aliases.length, rockets.variants.length)
  // Managers hold Chevron, and no fund of the sample reports a price.
  const chevron = (await own('166764100'))!
  assert.deepEqual([chevron.company_name !== null, chevron.variants, chevron.periods], [true, [], []])
  // Computed by hand from the documents. The last quarter of 2021 has 40,000 shares worth 7,102,800.00 and 20,000 worth
  // 3,551,400.00; the three earlier quarters have the same shares. Apple in 2026: first 466,211,410 shares of
  // 0000036405-26-000323; then 466,272,244 shares worth 134,920,536,523.84 of 0000036405-26-000480, and 177,966,046
  // worth 51,496,255,070.56 of 0001410368-26-089410.
  const pricesOf = async (cusip: string) =>
    (await own(cusip, { scope: 'exact' }))!.periods.map(({ period, median, classes: [of] }) => [
      ...[period, Number(median), Number(of!.mean), Number(of!.total_value), Number(of!.total_balance)],
      ...[of!.fund_count, of!.outliers],
    ])
  assert.deepEqual(
    [...(await pricesOf('990115107')), ...(await pricesOf(APPLE))],
    [
      ['2021-03-31', 122.15, 122.15, 7329000, 60000, 2, 0],
      ['2021-06-30', 136.96, 136.96, 8217600, 60000, 2, 0],
      ['2021-09-30', 141.5, 141.5, 8490000, 60000, 2, 0],
      ['2021-12-31', 177.57, 177.57, 10654200, 60000, 2, 0],
      ['2026-03-31', 253.79, 253.79, 118319793743.9, 466211410, 1, 0],
      ['2026-06-30', 289.36, 289.36, 186416791594.4, 644238290, 2, 0],
    ],
  )
  // Series N by hand: 9,000 shares in each quarter, with the values 3,600,000; 3,969,000 (from the amendment
  // 9000000082-22-000005, not 3,780,000); 4,500,000; 5,040,000. Class C: 3,000 shares, of which 9000000083-21-000003 states ten times the value. Class A: 5,200.
  const classes = (of: string) =>
    rockets.periods.map(({ period, classes }) => {
      const found = classes.find((each) => each.class === of)
      return [period, found ? Number(found.median) : null, found?.largest ?? [], found?.split ?? null]
    })
  assert.deepEqual(classes('series n preferred'), [
    ['2021-03-31', 400, ['9000000082-21-000001'], null],
    ['2021-06-30', 441, ['9000000082-22-000005'], null],
    ['2021-09-30', 500, ['9000000082-21-000003'], null],
    ['2021-12-31', 560, ['9000000082-22-000004'], null],
  ])
  assert.deepEqual(
    classes('class c common').map(([, median, , split]) => [median, split]),
    [
      [408, null],
      [428.4, null],
      [4500, null],
      [571.2, null],
    ],
  )
  assert.deepEqual(
    classes('class a common').map(([, median]) => median),
    [400, 420, 500, 560],
  )
  const vehicle = rockets.periods[1]!.classes.find((each) => each.class.startsWith('vehicle'))!
  assert.deepEqual([vehicle.class, Number(vehicle.median)], ['vehicle Specimen Access SPV II, LLC', 420])
  // The number is unknown while reports are loaded: the answer is 404, and names no data as not loaded.
  assert.equal(await own('ZZZZZZZZ9'), null)
  await assert.rejects(aliasesOf(APPLE, world.sql), { status: 404, message: /only securities of private companies/ })
})
