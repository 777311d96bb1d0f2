/** Scale, composition and rows of a filing. Each made-up filing answers one question. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compose, composed, type Reported } from './compose.ts'
import { bySecurity, type Line } from './holdings.ts'
import type { Holding } from './parse/types.ts'
import { nothingFound } from './parse/values.ts'
import { decideScale, explainScale, SCALE_SAMPLE, scaleByOthers } from './report/scale.ts'
import { securityKey } from './report/security.ts'
import { type Filing, rowsOf } from './report.ts'

const reported = (n: number, of: Partial<Reported>): Reported => ({
  accession: `9000000041-24-00000${n}`,
  filedDate: `2024-02-0${n}`,
  submissionType: '13F-HR',
  amendmentNumber: null,
  amendmentType: null,
  positions: 100,
  declaredEntries: 100,
  value: '1000000',
  ...of,
})
const restating = { submissionType: '13F-HR/A', amendmentType: 'restatement' }
const adding = { submissionType: '13F-HR/A', amendmentType: 'new_holdings' }
const parts = (...reports: Reported[]) => compose(reports).map(({ part, flags }) => [part, ...flags].join(' '))

test('a restatement replaces the report and its additions; new holdings add lines', () => {
  assert.deepEqual(
    parts(
      reported(1, {}),
      reported(2, { ...adding, positions: 5 }),
      reported(3, restating),
      reported(4, { ...adding, positions: 2 }),
    ),
    ['replaced', 'replaced', 'whole', 'adds'],
  )
})

test('a restatement of far fewer lines and far less value replaces the securities that it names, and is flagged', () => {
  const small = { ...restating, positions: 2, value: '1000' }
  assert.deepEqual(parts(reported(1, {}), reported(2, small)), ['whole', 'replaces_named partial_restatement'])
  // Both restatements are whole. One gives in dollars what was in thousands. The other has fewer lines of the same
  // value.
  assert.deepEqual(parts(reported(1, {}), reported(2, { ...small, value: '1000000' })), ['replaced', 'whole'])
  assert.deepEqual(parts(reported(1, {}), reported(2, { ...small, positions: 90 })), ['replaced', 'whole'])
})

test('an amendment whose original is missing counts, and is flagged', () => {
  assert.deepEqual(parts(reported(1, adding)), ['adds original_missing'])
  assert.deepEqual(parts(reported(1, restating)), ['whole original_missing'])
})

test('an amendment that calls itself new holdings but repeats the whole report does not count twice', () => {
  assert.deepEqual(parts(reported(1, {}), reported(2, adding)), ['replaced', 'whole repeats_report'])
})

test('an amendment of unknown kind or without its table changes nothing, nor does a notice or a confidential request', () => {
  assert.deepEqual(
    parts(
      reported(1, {}),
      reported(2, { submissionType: '13F-HR/A' }),
      reported(3, { ...restating, positions: 0 }),
      reported(4, { submissionType: '13F-NT', positions: null }),
      reported(5, { submissionType: '13F-CTR' }),
    ),
    [
      'whole',
      'left_out amendment_type_unknown',
      'left_out table_missing',
      'left_out notice',
      'left_out confidential_request',
    ],
  )
})

test('a restatement that declares no lines removes nothing, and is flagged', () => {
  const empty = { ...restating, positions: null, declaredEntries: 0, value: null }
  assert.deepEqual(parts(reported(1, { positions: 1 }), reported(2, empty)), [
    'whole',
    'replaces_named partial_restatement',
  ])
})

test('the later of two original reports replaces the earlier one, or only the securities that it names if it is far smaller', () => {
  assert.deepEqual(parts(reported(1, {}), reported(2, {})), ['replaced', 'whole second_original'])
  assert.deepEqual(parts(reported(1, {}), reported(2, { positions: 3, value: '5' })), [
    'whole',
    'replaces_named second_original',
  ])
})

test('filings of one day are ordered by amendment number, in whatever order they are given', () => {
  const day = { filedDate: '2024-02-05' }
  const all = [
    reported(3, { ...day, ...adding, amendmentNumber: 10, positions: 1 }),
    reported(1, { ...day, ...restating, amendmentNumber: 2 }),
    reported(9, day),
  ]
  assert.deepEqual(
    compose(all).map(({ accession }) => accession.at(-1)),
    ['9', '1', '3'],
  )
})

test('a restatement replaces lines with the same CUSIP, in upper or lower case, and lines without a CUSIP stay', () => {
  const lines: Record<string, { cusip: string | null; n: number }[]> = {
    '9000000041-24-000001': [
      { cusip: '82028K200', n: 1 },
      { cusip: '037833100', n: 2 },
      { cusip: null, n: 3 },
      { cusip: '20825c104', n: 5 },
    ],
    '9000000041-24-000002': [
      { cusip: '82028k200', n: 4 },
      { cusip: '20825C104', n: 6 },
    ],
  }
  const steps = compose([reported(1, {}), reported(2, { ...restating, positions: 1, value: '1' })])
  assert.deepEqual(
    composed(steps, (accession) => lines[accession]!).map(({ n }) => n),
    [2, 3, 4, 6],
  )
})

test('lines of one CUSIP add up; options and principal stay apart from shares', () => {
  const line = (of: Partial<Line>): Line => ({
    cusip: '037833100',
    value: '10',
    amount: '1',
    kind: 'SH',
    put_call: null,
    ...of,
  })
  const [held, ...rest] = bySecurity([
    line({}),
    line({}),
    line({ put_call: 'Put', value: '500' }),
    line({ kind: 'PRN', amount: '7' }),
  ])
  assert.deepEqual(rest, [])
  assert.deepEqual(held, { cusip: '037833100', value: 30n, shares: 2n, principal: 7n, optionValue: 500n, lines: 4 })
})

const holding = (of: Partial<Holding>): Holding => ({
  issuer: 'A',
  title: 'COM',
  cusip: '037833100',
  cusipFlag: null,
  figi: null,
  value: '100',
  amount: '1',
  kind: 'SH',
  putCall: null,
  discretion: 'SOLE',
  managers: null,
  sole: null,
  shared: null,
  none: null,
  ...of,
})
const at = (price: number, count: number, of: Partial<Holding> = {}) =>
  Array.from({ length: count }, (_, n) =>
    holding({ cusip: `${n}`.padStart(9, '1'), value: String(price * 1000), amount: '1000', ...of }),
  )

test('prices overrule the filing date if those of at least three securities agree; two prices, or prices that disagree, do not', () => {
  const decided = (lines: Holding[], day: string) => {
    const { factor, reason } = decideScale(lines, day)
    return [factor, reason]
  }
  assert.deepEqual(decided(at(0.05, 3), '2023-01-03'), [1000, 'implied prices'])
  assert.deepEqual(decided(at(0.05, 2), '2023-01-03'), [1, 'filing date, against few prices'])
  assert.deepEqual(decided(at(50, 3), '2023-01-02'), [1, 'implied prices'])
  assert.deepEqual(decided([...at(50, 3), ...at(0.05, 6).slice(3)], '2023-01-02'), [
    1000,
    'filing date, prices are mixed',
  ])
  assert.deepEqual(explainScale([...at(50, 3), ...at(0.05, 6).slice(3)]), {
    'price of a share in dollars': 3,
    'price of a share in thousands': 3,
  })
  // It is enough if four in five prices agree, but not if only seven in ten agree.
  assert.deepEqual(decided([...at(50, 8), ...at(0.05, 10).slice(8)], '2022-11-14'), [1, 'implied prices'])
  assert.deepEqual(decided([...at(50, 7), ...at(0.05, 10).slice(7)], '2022-11-14'), [
    1000,
    'filing date, prices are mixed',
  ])
  assert.deepEqual(decided([], '2022-11-14'), [1000, 'filing date'])
  assert.deepEqual(decided([], '2023-02-14'), [1, 'filing date'])
})

test('options, principal at par, placeholders and the most expensive share do not help to decide the scale', () => {
  const silent = [
    ...at(50, 3, { putCall: 'Call' }),
    ...at(1, 3, { kind: 'PRN' }),
    ...at(50, 3, { cusipFlag: 'placeholder' }),
    holding({ cusip: '084670108', value: '600', amount: '1' }),
  ]
  assert.deepEqual(decideScale(silent, '2020-02-14'), { factor: 1000, reason: 'filing date', compared: 0, agreed: 0 })
  assert.deepEqual(explainScale(silent), {})
})

test('the stored scale is corrected by the prices of other filers for three securities, or for all securities of a filing that has fewer', () => {
  const of = (count: number, price: number, how: { stored: number; securities: number }) =>
    scaleByOthers(Array(count).fill({ price, others: 400 }), how)?.factor ?? null
  assert.equal(of(1, 0.4, { stored: 1, securities: 20 }), null)
  assert.equal(of(2, 0.4, { stored: 1, securities: 3 }), null)
  assert.equal(of(3, 0.4, { stored: 1, securities: 20 }), 1000)
  assert.equal(of(2, 0.4, { stored: 1, securities: 2 }), 1000)
  assert.equal(of(1, 400, { stored: 1000, securities: 20 }), null)
  assert.equal(of(1, 0.4, { stored: 1000, securities: 20 }), 1000)
})

test('prices of other filers decide if four in five fit one unit; a price that fits neither counts against both', () => {
  const of = (...prices: number[]) => {
    const compared = prices.map((price) => ({ price, others: 400 }))
    const found = scaleByOthers(compared, { stored: 1, securities: prices.length })
    return found && [found.factor, found.compared, found.agreed]
  }
  assert.deepEqual(of(0.4), [1000, 1, 1])
  assert.deepEqual(of(300), [1, 1, 1])
  // 40 is a tenth of the price of other filers, so neither unit fits.
  assert.equal(of(40), null)
  assert.deepEqual(of(0.4, 0.5, 0.3, 0.35, 40), [1000, 5, 4])
  assert.equal(of(0.4, 0.5, 0.3, 40), null)
  assert.equal(of(0.4, 400), null)
  assert.equal(of(), null)
})

const filing = (of: Partial<Filing>): Filing => ({
  header: {
    submissionType: '13F-HR',
    filedDate: '2024-02-14',
    cik: '9000000041',
    period: '2023-12-31',
    name: 'Specimen',
  },
  cover: null,
  holdings: null,
  found: nothingFound(),
  source: 'xml',
  ...of,
})

async function rows(of: Partial<Filing>) {
  const all = []
  for await (const row of rowsOf(filing(of))) all.push(row)
  return all
}

test('a filing with only a cover or only a table is a report too, and a missing table is noted', async () => {
  // The rows of `report` and `quality` come in this order. With another order the comparison fails.
  const [[, bare], [, quality]] = (await rows({})) as unknown as [
    [string, { value: null }],
    [string, { notes: string[] }],
  ]
  assert.deepEqual([bare.value, quality.notes], [null, ['table_missing']])
  const table = await rows({ holdings: at(50, 3) })
  const report = table.find(([name]) => name === 'report')![1] as {
    manager_name: string
    position_count: number
    cik: string
  }
  assert.deepEqual([report.manager_name, report.position_count, report.cik], ['Specimen', 3, '9000000041'])
})

test('a text without lines has no total, unless its summary says that there are no lines', async () => {
  const read = async (declaredEntries: number | null, found = nothingFound()) => {
    const cover = { declaredEntries, declaredValue: null, managers: [] } as unknown as Filing['cover'] // the report reads only these
    const all = await rows({ cover, holdings: [], source: 'text', found })
    const of = (table: string) => all.find(([name]) => name === table)![1] as Record<string, unknown>
    const { source, parsed_value, entries_differ, notes } = of('quality')
    const { value, position_count, scale } = of('report')
    return [value, position_count, scale, source, parsed_value, entries_differ, notes]
  }
  const missing = [null, null, null, 'none', null, null, ['table_missing']]
  assert.deepEqual(await read(61), missing)
  assert.deepEqual(await read(null), missing)
  assert.deepEqual(await read(0), ['0', 0, 1, 'text', '0', 0, []])
  const unread = await read(61, { ...nothingFound(), looked: 61 })
  assert.deepEqual(unread, [null, null, null, 'text', null, null, ['table_missing', 'lines_unread']])
})

test('a notice with a table keeps its lines, and is marked', async () => {
  const header = { ...filing({}).header, submissionType: '13F-NT' }
  const all = await rows({ header, holdings: at(50, 2) })
  const quality = all.find(([name]) => name === 'quality')![1] as { notes: string[] }
  assert.deepEqual([all.filter(([name]) => name === 'position').length, quality.notes], [2, ['table_unexpected']])
})

test('a row that only states that there are no holdings is not a position, whether or not the summary counts it', async () => {
  const none = holding({ issuer: 'NONE', cusip: '000000000', cusipFlag: 'placeholder', value: '0', amount: '0' })
  const read = async (entries: number, holdings: Holding[]) => {
    const cover = { declaredEntries: entries, declaredValue: '0', managers: [] } as unknown as Filing['cover'] // the report reads only these
    const all = await rows({ cover, holdings })
    const of = (table: string) => all.find(([name]) => name === table)![1] as Record<string, unknown>
    const lines = all.flatMap(([name, row]) => (name === 'position' ? [(row as { n: number }).n] : []))
    return [lines, of('report').position_count, of('quality').entries_differ]
  }
  assert.deepEqual(await read(1, [none]), [[], 0, 0])
  assert.deepEqual(await read(0, [none]), [[], 0, 0])
  assert.deepEqual(await read(3, [none, holding({})]), [[2], 1, -1])
  // A row with a value or an amount, or with a real CUSIP, is a holding. An example is cash.
  assert.deepEqual(await read(1, [{ ...none, value: '1200' }]), [[1], 1, 0])
  assert.deepEqual(await read(1, [{ ...none, amount: '1200' }]), [[1], 1, 0])
  assert.deepEqual(await read(1, [{ ...none, cusip: '037833100', cusipFlag: null }]), [[1], 1, 0])
})

test('values in thousands become exact dollars; 0 stays 0, and null stays null', async () => {
  const lines = [
    ...at(0.05, 3),
    holding({ value: '999999999999999' }),
    holding({ value: '0' }),
    holding({ value: null }),
  ]
  const header = { ...filing({}).header, filedDate: '2020-02-14' }
  const all = await rows({ header, holdings: lines })
  const values = all.filter(([name]) => name === 'position').map(([, row]) => (row as { value: string | null }).value)
  assert.deepEqual(values.slice(3), ['999999999999999000', '0', null])
})

test('only the lines that the scale needs are held back, and the source is closed if the reader stops early', async () => {
  let given = 0
  let isClosed = false
  async function* endless() {
    try {
      for (;;) {
        given++
        yield holding({})
      }
    } finally {
      isClosed = true
    }
  }
  let seen = 0
  for await (const _ of rowsOf(filing({ holdings: endless() }))) if (++seen === 10_000) break
  assert.ok(given < 10_000 + 2, `${given} lines were taken for 10,000 rows`)
  assert.ok(given > SCALE_SAMPLE && isClosed)
})

test('lines with the same name, title, CUSIP and FIGI share one entry in the dictionary of securities', async () => {
  const all = await rows({ holdings: [holding({}), holding({ value: '7' }), holding({ title: 'CL B' })] })
  assert.equal(all.filter(([name]) => name === 'security').length, 2)
  assert.notEqual(
    securityKey(holding({ issuer: 'A', title: 'B' })),
    securityKey(holding({ issuer: 'AB', title: null })),
  )
  assert.ok(BigInt(securityKey(holding({}))) < 2n ** 63n)
})
