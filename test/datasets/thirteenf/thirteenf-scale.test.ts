/** Filings whose own prices do not decide between dollars and thousands: the reports of other managers decide. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Detail, Held } from '../../../src/datasets/thirteenf/answers.ts'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { scaleByOthers } from '../../../src/datasets/thirteenf/report/scale.ts'
import { detail, managerHoldings, managers } from '../../../src/datasets/thirteenf/routes.ts'
import type { Context, Route } from '../../../src/declare/route.ts'
import { mark, type Touched, touch } from '../../../src/ingest/marks.ts'
import { refreshing } from '../../../src/ingest/refresh.ts'
import type { Sql } from '../../../src/store/db.ts'
import { Random } from '../../support/adv/random.ts'
import { corpus } from '../../support/corpus.ts'
import { freshDatabase } from '../../support/database.ts'
import { remake } from '../../support/refreshed.ts'
import { often } from '../../support/soak.ts'
import { listed, membersIn, type ReadReport, readSet, readSubmission } from '../../support/thirteenf/files.ts'
import { type Filed, type FiledLine, loadReports, removeReport, storeReports } from '../../support/thirteenf/made.ts'

async function ask<T>(sql: Sql, route: Route, input: Record<string, string>): Promise<T> {
  const answer = await route.run(route.input.parse(input), { sql } as Context)
  route.output!.parse(answer)
  return answer as T
}

const PERIOD = '2023-12-31'
const APPLE = '037833100'
const MICROSOFT = '594918104'
/** Number of shares, and their value in dollars or thousands as filed. */
const shares = (cusip: string, amount: number, value: number): FiledLine => [cusip, value, { amount: String(amount) }]

const accessionOf = (cik: string, n = 1) => `${cik}-24-${String(n).padStart(6, '0')}`
const report = (cik: string, lines: readonly FiledLine[] | null, more: Partial<Filed> = {}): Filed => ({
  ...{ accession: accessionOf(cik), cik, filed: '2024-02-14', period: PERIOD, lines },
  ...more,
})
/** Three managers that report the common holdings in dollars. */
const sure = (price = 190, period = PERIOD): Filed[] =>
  [1, 2, 3].map((n) =>
    report(
      `000000010${n}`,
      [APPLE, MICROSOFT].map((cusip) => shares(cusip, 1_000 * n, 1_000 * n * (price + n))),
      { period, accession: accessionOf(`000000010${n}`, Number(period.slice(5, 7))) },
    ),
  )
const DOUBTED = '0000000201'
/**
 * A report of 5,000 shares at 190 dollars, filed in thousands although the form required dollars. Its only price does
 * not prove the unit.
 */
const doubted = (more: Partial<Filed> = {}) => report(DOUBTED, [shares(APPLE, 5_000, 950)], more)

async function scaleOf(sql: Sql, accession = accessionOf(DOUBTED)) {
  const { filing, quality, positions, chain } = await ask<Detail>(sql, detail, { accession })
  const { scale, scale_reason: reason, value } = filing
  const values = positions.map((line) => line.value)
  const { scale_compared: compared, scale_agreed: agreed, notes } = quality
  return { scale, reason, value, values, compared, agreed, notes, chain: chain.map((member) => member.value) }
}

const { sql } = await freshDatabase({ after })

/** Removes the filings of earlier tests. */
async function emptied(): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select format('thirteenf.%I', relname) as name from pg_class
    where relnamespace = 'thirteenf'::regnamespace and relkind in ('r', 'p') and not relispartition`
  await sql.unsafe(`truncate ${tables.map(({ name }) => name).join()}`)
}

test('a filing of one security, in thousands instead of dollars, is detected by the prices of three other managers', async () => {
  await emptied()
  await loadReports(sql, doubted())
  assert.deepEqual(await scaleOf(sql), {
    ...{ scale: 1, reason: 'filing date, against few prices', value: '950', values: ['950'], chain: ['950'] },
    ...{ compared: 1, agreed: 0, notes: ['scale_unsure'] },
  })
  await loadReports(sql, ...sure().slice(1))
  assert.equal((await scaleOf(sql)).scale, 1, 'two other managers are too few')
  await loadReports(sql, sure()[0]!)
  assert.deepEqual(await scaleOf(sql), {
    ...{ scale: 1000, reason: 'prices of other managers', value: '950000', values: ['950000'], chain: ['950000'] },
    ...{ compared: 1, agreed: 1, notes: ['scale_unusual'] },
  })
  const held = await ask<Held>(sql, managerHoldings, { cik: DOUBTED })
  assert.deepEqual(
    [held.total_value, held.trend.map(({ total_value: of }) => of), held.positions.map(({ value }) => value)],
    ['950000', ['950000'], ['950000']],
  )
  const listed = await ask<{ rows: { cik: string; value: string }[] }>(sql, managers, {})
  assert.equal(listed.rows.find(({ cik }) => cik === DOUBTED)!.value, '950000')
  // Removes the report of one of the three managers.
  await removeReport(sql, sure()[0]!.accession)
  assert.equal((await scaleOf(sql)).value, '950')
})

test('dollars that were filed instead of thousands are restored to the last digit', async () => {
  await emptied()
  const period = '2019-12-31'
  const early = { period, filed: '2020-02-14' }
  const thousands = sure(290, period).map((filed) => ({
    ...filed,
    ...early,
    lines: [APPLE, MICROSOFT, '023135106'].map((cusip, at) => shares(cusip, 1_000, 290 + at)),
  }))
  await loadReports(sql, doubted({ ...early, lines: [shares(APPLE, 5_000, 1_450_001)] }))
  assert.deepEqual((await scaleOf(sql)).values, ['1450001000'])
  await loadReports(sql, ...thousands)
  const { scale, values, value, notes } = await scaleOf(sql)
  assert.deepEqual([scale, values, value, notes], [1, ['1450001'], '1450001', ['scale_unusual']])
})

test('if the prices of a filing look like dollars but those of other managers fit neither unit, the filing date decides, and the answer says so', async () => {
  await emptied()
  const period = '2012-12-31'
  const early = { period, filed: '2013-02-14' }
  const three = [APPLE, MICROSOFT, '023135106']
  // The values are in thousands, as the form required then. The price is 190 dollars a share.
  const others = sure(0, period).map((filed, n) => ({
    ...filed,
    ...early,
    lines: three.map((cusip, at) => shares(cusip, 100_000 * (n + 1), 19_000 * (n + 1) + at)),
  }))
  // In thousands, these values mean a hundred times that price. In dollars, they mean 19 dollars a share.
  await loadReports(sql, doubted({ ...early, lines: three.map((cusip) => shares(cusip, 1_000, 19_000)) }))
  const alone = await scaleOf(sql)
  assert.deepEqual([alone.scale, alone.reason, alone.notes], [1, 'implied prices', ['scale_unusual']])
  await loadReports(sql, ...others)
  const { scale, reason, value, values, compared, agreed, notes } = await scaleOf(sql)
  assert.deepEqual([scale, value, values, compared, agreed], [1000, '57000000', Array(3).fill('19000000'), 3, 0])
  assert.deepEqual([reason, notes], ['filing date, prices of other managers are against both units', ['scale_unsure']])
  await remake(sql, thirteenf)
  assert.equal((await scaleOf(sql)).scale, 1000)
  await removeReport(sql, others[0]!.accession)
  assert.equal((await scaleOf(sql)).scale, 1)
})

test('a filing is no longer doubtful once other managers agree with it; one whose values fit neither unit stays doubtful', async () => {
  await emptied()
  const penny = (n: number) => report(`000000010${n}`, [shares('18538Q105', 1_000, 2_890), ...sure()[n - 1]!.lines!])
  await loadReports(sql, penny(1), penny(2), penny(3))
  const other = '0000000202'
  await loadReports(sql, doubted({ lines: [shares('18538Q105', 320_884, 927_355)] }))
  await loadReports(sql, report(other, [shares('18538Q105', 320_884, 92_736)]))
  const confirmed = await scaleOf(sql)
  assert.deepEqual(
    [confirmed.scale, confirmed.reason, confirmed.value, confirmed.notes],
    [1, 'prices of other managers', '927355', []],
  )
  const neither = await scaleOf(sql, accessionOf(other))
  assert.deepEqual(
    [neither.scale, neither.reason, neither.notes],
    [1, 'filing date, against few prices', ['scale_unsure']],
  )
})

test('options, principal, other quarters, impossible quarters, and doubtful filings decide nothing', async () => {
  await emptied()
  const silent = [
    ...sure(190, '2023-09-30'),
    ...[1, 2, 3].map((n) => doubted({ accession: accessionOf(`000000030${n}`), cik: `000000030${n}` })),
    ...[4, 5, 6].map((n) =>
      report(`000000030${n}`, [
        ...sure()[0]!.lines!.map(([cusip, value, more]): FiledLine => [cusip, value, { ...more, putCall: 'Put' }]),
        ...sure()[0]!.lines!.map(([cusip, value, more]): FiledLine => [cusip, value, { ...more, kind: 'PRN' }]),
        ...['023135106', '17275R102', '458140100'].map((cusip) => shares(cusip, 100, 5_000)),
      ]),
    ),
  ]
  const slip = { period: '0201-12-31' }
  const slips = [
    ...sure(190, '0201-12-31'),
    doubted({ ...slip, accession: accessionOf('0000000203'), cik: '0000000203' }),
  ]
  await loadReports(sql, doubted(), ...silent, ...slips)
  assert.equal((await scaleOf(sql)).reason, 'filing date, against few prices')
  assert.deepEqual([...(await sql`select * from thirteenf.rescaled`)], [])
})

test('an amendment is composed in the scale that prices of other managers show: a restatement in thousands is not taken for a partial one', async () => {
  await emptied()
  const lines = [shares(APPLE, 5_000, 950_000), shares(MICROSOFT, 1_000, 190_000), shares('023135106', 10, 1_900)]
  const original = doubted({ lines })
  const restated = doubted({
    ...{ accession: accessionOf(DOUBTED, 2), form: '13F-HR/A', amendment: 'restatement', number: 1 },
    ...{ filed: '2024-03-01', lines: [shares(APPLE, 5_000, 950)] },
  })
  await loadReports(sql, original, restated)
  const parts = async () =>
    (await ask<Detail>(sql, detail, { accession: original.accession })).chain.map(({ part, value }) => [part, value])
  assert.deepEqual(await parts(), [
    ['whole', '1141900'],
    ['replaces_named', '950'],
  ])
  await loadReports(sql, ...sure())
  // The restatement now has at least half of the original's value, so it is the whole report.
  assert.deepEqual(await parts(), [
    ['replaced', '1141900'],
    ['whole', '950000'],
  ])
})

test('the price of one other manager does not outweigh the evidence of a filing itself: a filing of many securities needs three such prices', async () => {
  await emptied()
  const known = [APPLE, MICROSOFT, '023135106']
  const others = sure().map((filed) => ({ ...filed, lines: known.map((cusip) => shares(cusip, 10, 10_000)) }))
  // With the lines below, the filing has prices of one and of about three dollars. Both are possible in dollars and in
  // thousands.
  const unknown = Array.from({ length: 17 }, (_, n) => shares(`18538Q${100 + n}`, 1_000, 2_890))
  const lines = (count: number) => [...known.slice(0, count).map((cusip) => shares(cusip, 5_000, 5_000)), ...unknown]
  await loadReports(sql, ...others)
  for (const [count, scale] of [
    [1, 1],
    [2, 1],
    [3, 1000],
  ] as const) {
    await loadReports(sql, doubted({ lines: lines(count) }))
    assert.equal((await scaleOf(sql)).scale, scale, `${count} of ${count + unknown.length}`)
  }
  // A filing with only two securities; other filings give the prices of both.
  await loadReports(sql, doubted({ lines: lines(2).slice(0, 2) }))
  assert.equal((await scaleOf(sql)).scale, 1000)
})

test('prices of other managers are found even if a CUSIP has small letters or has lost its leading zero', async () => {
  for (const [own, theirs] of [
    ['37833100', APPLE],
    [APPLE, '37833100'],
    ['02079k305', '02079K305'],
    ['02079K305', '02079k305'],
  ] as const) {
    await emptied()
    const others = sure().map((filed) => ({
      ...filed,
      lines: filed.lines!.map(([cusip, ...line]): FiledLine => [cusip === APPLE ? theirs : cusip, ...line]),
    }))
    await loadReports(sql, ...others, doubted({ lines: [shares(own, 5_000, 950)] }))
    assert.equal((await scaleOf(sql)).value, '950000', `${own} and ${theirs}`)
  }
})

test('a filing that another worker commits while a stored batch is still uncommitted is decided by the prices of this batch', async () => {
  await emptied()
  // These reports make the partition of the quarter, so that the load below does not have to.
  await loadReports(sql, ...sure().slice(0, 2))
  const [last] = sure().slice(2)
  await sql.begin(async (tx) => {
    const touched: Touched = new Map()
    await storeReports(tx, last!)
    await touch(tx, touched, [thirteenf], thirteenf, { series: null, day: null, keys: [last!.accession] }, 'after_load')
    await mark(tx, touched)
    // A distinct name, because a transaction waits for a dictionary entry that another one makes.
    await loadReports(sql, doubted({ lines: [[APPLE, 950, { amount: '5000', issuer: 'APPLE INC' }]] }))
    assert.equal((await scaleOf(sql)).value, '950')
  })
  await refreshing({ sql, slices: [thirteenf] }, async () => {})
  assert.equal((await scaleOf(sql)).value, '950000')
})

test('a filing that was read again with another scale is shown as stored until its scale is decided again', async () => {
  await emptied()
  await loadReports(sql, ...sure(), doubted())
  const composed = async () => {
    const held = await ask<Held>(sql, managerHoldings, { cik: DOUBTED })
    return [held.total_value, held.positions.map(({ value }) => value)]
  }
  assert.deepEqual(await composed(), ['950000', ['950000']])
  const again = doubted({ filed: '2022-12-30' })
  await sql.begin(async (tx) => {
    for (const table of Object.keys(thirteenf.tables)) {
      await tx`delete from ${tx(`thirteenf.${table}`)} where accession = ${again.accession}`
    }
    await storeReports(tx, again)
  })
  const { scale, value, values, chain } = await scaleOf(sql)
  assert.deepEqual([scale, value, values, chain], [1000, '950000', ['950000'], ['950000']])
  assert.deepEqual(await composed(), ['950000', ['950000']])
  // A scale that the filing itself determines now is not corrected either.
  await sql`
    update thirteenf.report set scale = 1, scale_reason = 'implied prices', filed_date = '2024-02-14' where accession = ${again.accession}`
  assert.equal((await scaleOf(sql)).reason, 'implied prices')
})

interface Decided {
  accession: string
  scale: number
  compared: number
  agreed: number
}

/** The rule of queries/scale.ts, in memory, filing by filing. */
function decidedOf(filings: readonly Filed[], isSure: (accession: string) => boolean): Decided[] {
  const priceIn = ({ lines }: Filed, cusip: string) => {
    const own = lines!.filter(([of]) => of === cusip)
    const sum = (of: (line: FiledLine) => number) => own.reduce((all, line) => all + of(line), 0)
    return own.length === 0 ? null : sum(([, value]) => value) / sum(([, , more]) => Number(more!.amount))
  }
  return filings
    .filter(({ accession }) => !isSure(accession))
    .flatMap(({ accession, cik, period, lines, ...of }) => {
      const voices = [...new Set(lines!.map(([cusip]) => cusip!))].flatMap((cusip) => {
        const others = Map.groupBy(
          filings.filter((one) => one.period === period && one.cik !== cik && isSure(one.accession)),
          (one) => one.cik,
        )
        const prices = [...others.values()]
          .flatMap((own) => priceIn({ ...own[0]!, lines: own.flatMap((one) => one.lines!) }, cusip) ?? [])
          .sort((one, other) => one - other)
        if (prices.length < 3) return []
        const ratio = priceIn({ accession, cik, period, lines, ...of }, cusip)! / prices[prices.length >> 1]!
        return ratio > 0.5 && ratio < 2 ? 1 : ratio > 0.0005 && ratio < 0.002 ? 1000 : 0
      })
      const [one, thousand] = [1, 1000].map((unit) => voices.filter((voice) => voice === unit).length) as [
        number,
        number,
      ]
      const [scale, agreed] = one >= thousand ? [1, one] : [1000, thousand]
      const securities = new Set(lines!.map(([cusip]) => cusip)).size
      // All are stored as dollars.
      return voices.length >= (scale === 1 ? 1 : Math.min(3, securities)) && agreed >= voices.length * 0.8
        ? [{ accession, scale, compared: voices.length, agreed }]
        : []
    })
    .sort((one, other) => (one.accession < other.accession ? -1 : 1))
}

test('after any loads and deletions in any order, the stored scales equal the scales that are computed in memory from all reports at once', async (t) => {
  await emptied()
  const [one, other] = [sql, (await freshDatabase(t)).sql]
  const ROUNDS = often('compared filings', { usual: 60, soak: 80 })
  const random = new Random(29)
  const CUSIPS = [APPLE, MICROSOFT, '023135106', '17275R102', '458140100']
  const PENNY = '18538Q105'
  const filings = new Map<string, Filed>()
  const isSure = new Map<string, boolean>()
  const rollups = async (sql: Sql) => [
    [...(await sql<Decided[]>`select accession, scale, compared, agreed from thirteenf.rescaled order by 1`)],
    [...(await sql`select cik, value from thirteenf.filer order by cik`)],
  ]
  const seen = { dollars: 0, thousands: 0, none: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    const accession = accessionOf(`00000004${String(random.int(1, 14)).padStart(2, '0')}`)
    if (filings.has(accession) && random.chance(0.25)) {
      filings.delete(accession)
      await removeReport(one, accession)
    } else {
      const isDoubted = random.chance(0.4)
      const unit = isDoubted ? random.pick([1, 1_000, 10]) : 1
      // A report of doubtful scale has only one price, which suggests thousands or fits either unit.
      const held = !isDoubted ? [...CUSIPS.slice(random.int(0, 2)), PENNY] : [unit === 1 ? PENNY : random.pick(CUSIPS)]
      const lines = held.map((cusip) => {
        const amount = random.int(1, 9) * 1_000
        return shares(cusip, amount, (amount * (cusip === PENNY ? 3 : random.int(150, 230))) / unit)
      })
      const filing = report(accession.slice(0, 10), lines, { period: random.pick([PERIOD, '2023-09-30']) })
      filings.set(accession, filing)
      await loadReports(one, filing)
    }
    const sureOnes = await one<{ accession: string; sure: boolean }[]>`
      select accession, scale_reason = 'implied prices' as sure from thirteenf.report`
    for (const { accession: of, sure: is } of sureOnes) isSure.set(of, is)
    const [scales, worth] = await rollups(one)
    assert.deepEqual(
      scales,
      decidedOf([...filings.values()], (of) => isSure.get(of)!),
      `round ${round}`,
    )
    for (const { scale } of scales as Decided[]) seen[scale === 1 ? 'dollars' : 'thousands']++
    seen.none += [...filings.keys()].filter((of) => !isSure.get(of)).length - scales!.length
    await remake(one, thirteenf)
    assert.deepEqual(await rollups(one), [scales, worth], `round ${round}`)
  }
  for (const filing of [...filings.values()].reverse()) await loadReports(other, filing)
  assert.deepEqual(await rollups(other), await rollups(one))
  assert.ok(seen.dollars > 15 && seen.thousands > 7 && seen.none > 30, JSON.stringify(seen))
})

/** Dollars per share by CUSIP. */
function pricesOf({ positions }: ReadReport): Map<string, number> {
  const sums = new Map<string, [value: number, amount: number]>()
  for (const { cusip, value, amount, kind, put_call: option } of positions) {
    if (cusip === null || option !== null || kind === 'PRN' || !(Number(value) > 0) || !(Number(amount) > 0)) continue
    const [values, amounts] = sums.get(cusip) ?? [0, 0]
    sums.set(cusip, [values + Number(value), amounts + Number(amount)])
  }
  return new Map([...sums].map(([cusip, [value, amount]]) => [cusip, value / amount]))
}

test('every real table has the scale that the prices of other managers confirm, except two with values in neither unit; two others stay doubtful', {
  skip: corpus.skip,
}, async () => {
  const all = new Map<string, ReadReport>()
  for (const filing of listed()) all.set(filing.accession, await readSubmission(filing))
  for (const [key, one] of (await readSet(await membersIn('bulk/dataset_13F/2013q2_form13f.zip'))).filings)
    all.set(key, one)
  const tables = [...all.values()].filter(({ positions }) => positions.length > 0)
  const isSure = ({ report }: ReadReport) => report.scale_reason === 'implied prices'
  const known = new Map<string, { cik: string | null; price: number }[]>()
  for (const one of tables.filter(isSure)) {
    for (const [cusip, price] of pricesOf(one)) {
      const key = `${one.report.period} ${cusip}`
      if (!known.get(key)?.push({ cik: one.report.cik, price })) known.set(key, [{ cik: one.report.cik, price }])
    }
  }
  const differ: [string, number | undefined][] = []
  let agree = 0
  for (const one of tables) {
    const compared = [...pricesOf(one)].flatMap(([cusip, price]) => {
      const others = (known.get(`${one.report.period} ${cusip}`) ?? []).filter(({ cik }) => cik !== one.report.cik)
      const prices = others.map((other) => other.price).sort((a, b) => a - b)
      return prices.length < 3 ? [] : [{ price: price / one.report.scale!, others: prices[prices.length >> 1]! }]
    })
    const found = scaleByOthers(compared, { stored: one.report.scale!, securities: compared.length })
    if (found?.factor === one.report.scale) agree++
    else if (compared.length > 0) differ.push([one.accession, found?.factor])
  }
  assert.deepEqual(differ, [
    // Every value is a tenth of the true value, or ten times the true value. The filing's own prices do not show this.
    ['0001387131-13-002055', undefined],
    ['0001140361-13-025388', undefined],
  ])
  assert.deepEqual([tables.length, agree], [297, 109])
  // The first has only debt, whose principal is in thousands too. The second has one security below five dollars, with
  // a CUSIP of eight characters.
  assert.deepEqual(
    tables.filter((one) => !isSure(one)).map(({ accession }) => accession),
    ['0001533551-13-000004', '0001132716-13-000045'],
  )
})
