/** Parses Form N-MFP: names that differ between generations, and mistakes of filers and schemas. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse as parseXml } from '../../read/xml.ts'
import { fridayOf, type Header, type Row, type RowOf } from './parse/values.ts'
import { documentRows } from './parse.ts'

const HEADER: Header = { form: 'N-MFP2', cik: '0000000071', name: 'Specimen Trust', period: '2023-11-30' }

function read(xml: string, header: Partial<Header> = {}) {
  const doc = parseXml(xml)
  const rows = [...documentRows(doc, { ...HEADER, ...header })]
  const of = <K extends Row[0]>(table: K) => rows.filter(([key]) => key === table).map(([, row]) => row) as RowOf<K>[]
  return { rows, of, report: of('report')[0]!, unread: doc.unread(), problems: doc.problems() }
}

const fixture = (accession: string) => {
  const text = (name: string) => readFileSync(new URL(`fixtures/${accession}/${name}`, import.meta.url), 'utf8')
  return { xml: text('primary_doc.xml'), header: JSON.parse(text('header.json')) as Header }
}

const fromFixture = (
  accession: string,
  change: (xml: string) => string = (xml) => xml,
  header: Partial<Header> = {},
) => {
  const { xml, header: own } = fixture(accession)
  return read(change(xml), { ...own, ...header })
}

/** Returns an N-MFP2 document with these parts. */
const document = (parts: { form?: string; general?: string; series?: string; rest?: string } = {}) => `<edgarSubmission>
  <headerData><submissionType>${parts.form ?? 'N-MFP2'}</submissionType></headerData>
  <formData>
    <generalInfo>${parts.general ?? '<reportDate>2023-11-30</reportDate><cik>71</cik><seriesId>S000000071</seriesId>'}</generalInfo>
    <seriesLevelInfo>${parts.series ?? ''}</seriesLevelInfo>
    ${parts.rest ?? ''}
  </formData>
</edgarSubmission>`

const security = (leaves: string) =>
  document({ rest: `<scheduleOfPortfolioSecuritiesInfo>${leaves}</scheduleOfPortfolioSecuritiesInfo>` })

test('a fact that four generations name differently has one column', () => {
  const found = ['9000000071-11-000001', '9000000071-16-000001', '9000000071-23-000001', '9000000071-25-000001'].map(
    (accession) => fromFixture(accession),
  )
  const each = <T>(of: (one: ReturnType<typeof read>) => T) => found.map(of)
  assert.deepEqual(
    each(({ report }) => report.generation),
    ['N-MFP', 'N-MFP1', 'N-MFP2', 'N-MFP3'],
  )
  assert.deepEqual(
    each(({ report }) => [report.net_assets, report.seven_day_gross_yield, report.category]),
    [
      ['150075000.45', '0.0021', 'Prime Fund'],
      ['159903500.25', '0.0041', 'Prime'],
      ['161000000', '0.0041', 'Prime'],
      ['162000000', '0.052', 'Prime'],
    ],
  )
  assert.deepEqual(
    each(({ of }) => of('rating').map(({ n, support, agency, rating }) => [n, support, agency, rating])),
    Array(4).fill([
      [1, null, 'Specimen Ratings A', 'A-1+'],
      [1, null, 'Specimen Ratings B', 'P-1'],
      [2, 1, 'Specimen Ratings A', 'A-1'],
      [2, 2, 'Specimen Ratings B', 'Aa1'],
      [2, 3, 'Specimen Ratings A', 'AA'],
    ]),
  )
  assert.deepEqual(
    each(({ of }) => of('support').map(({ kind, name, type }) => [kind, name, type])),
    Array(4).fill([
      ['demand_feature', 'Specimen Bank N.A.', null],
      ['guarantee', 'Specimen Guaranty Corp.', null],
      ['enhancement', 'Specimen Assurance Inc.', 'Letter of credit'],
    ]),
  )
  assert.deepEqual(
    each(({ of }) =>
      of('collateral').map(({ n, issuer_name, value, maturity_to }) => [n, issuer_name, value, maturity_to]),
    ),
    [
      [
        [3, 'U.S. Treasury Notes', '102000000', null],
        [3, 'Specimen pool', '1000', '2019-12-31'],
      ],
      ...Array(3).fill([
        [3, 'U.S. Treasury Notes', '102000000', null],
        [3, 'Specimen pool', '1000', '2039-12-31'],
      ]),
    ],
  )
  for (const { unread, problems } of found) assert.deepEqual([unread, problems], [[], []])
})

test('each week has the day of its Friday; in a month with four Fridays, the fifth week has no day (0001145549-16-017346)', () => {
  const { of, report } = fromFixture('0001145549-16-017346')
  assert.deepEqual(
    of('liquidity').map(({ week, day, weekly_liquid_assets }) => [week, day, weekly_liquid_assets]),
    [
      [1, '2016-08-05', '193921854.47'],
      [2, '2016-08-12', '227885404.81'],
      [3, '2016-08-19', '250331109.92'],
      [4, '2016-08-26', '197695313.29'],
      [5, null, '0'],
    ],
  )
  assert.deepEqual([report.liquid_day, report.weekly_liquid_assets], ['2016-08-26', '197695313.29'])
})

test('daily liquid assets are read from fridayWeek in N-MFP1 and from fridayDay in N-MFP2 (0001145549-24-001106)', () => {
  const before = fromFixture('0001145549-16-017346').of('liquidity')[0]!
  const after = fromFixture('0001145549-24-001106').of('liquidity')[4]!
  assert.deepEqual([before.daily_liquid_assets, before.daily_liquid_ratio], ['115647462.01', '0.204'])
  assert.deepEqual(
    [after.day, after.daily_liquid_assets, after.daily_liquid_ratio],
    ['2023-12-29', '14190110031.93', '0.641'],
  )
})

test('the newest day of a daily list counts, even if the list is not in the order of days (0001410368-26-090983)', () => {
  const { of, report } = fromFixture('0001410368-26-090983')
  assert.deepEqual(
    of('liquidity').map(({ n, day }) => [n, day]),
    [
      [1, '2026-08-04'],
      [2, '2026-08-31'],
      [3, '2026-08-03'],
    ],
  )
  assert.deepEqual([report.liquid_day, report.daily_liquid_assets], ['2026-08-31', '16323469051.26'])
})

test('a listed day that lies after the reported month is kept, but does not count as the newest day', () => {
  const list = (day: string, value: string) =>
    `<sevenDayGrossYield><sevenDayGrossYieldValue>${value}</sevenDayGrossYieldValue><sevenDayGrossYieldDate>${day}</sevenDayGrossYieldDate></sevenDayGrossYield>`
  const { of, report } = read(document({ series: list('2032-11-29', '0.9') + list('2023-11-29', '0.05') }))
  assert.deepEqual([report.seven_day_gross_yield, report.yield_day], ['0.05', '2023-11-29'])
  assert.equal(of('seven_day_yield').length, 2)
})

test('all categories of a fund with several are kept (0001145549-24-001106)', () => {
  assert.equal(fromFixture('0001145549-24-001106').report.category, 'Exempt Government, Government/Agency')
})

test('liquid assets, which the first generation of N-MFP does not have, are absent and not zero (0001145549-16-009699)', () => {
  const { report, of } = fromFixture('0001145549-16-009699')
  assert.deepEqual([report.daily_liquid_assets, report.weekly_liquid_assets, of('liquidity')], [null, null, []])
})

test('a document under the form code of another generation is read whole by its content, and the difference is reported', () => {
  for (const [accession, form] of [
    ['9000000071-25-000001', 'N-MFP2'],
    ['9000000071-11-000001', 'N-MFP3'],
    ['9000000071-16-000001', 'N-MFP'],
    ['9000000071-23-000001', 'N-MFP1/A'],
  ] as const) {
    const own = fromFixture(accession)
    const other = fromFixture(accession, undefined, { form })
    assert.deepEqual(other.rows, own.rows, 'the form in the index decides nothing')
    assert.deepEqual(
      other.problems.map(({ reason }) => reason),
      [`the index lists it as ${form}`],
    )
  }
})

test('if a document states another generation than its elements show, its elements decide', () => {
  const rename = (to: string) => (xml: string) => xml.replace(/(?<=<submissionType>)[^<]+/, to)
  const third = fromFixture('9000000071-25-000001', rename('N-MFP1'))
  assert.deepEqual([third.report.generation, third.report.submission_type, third.unread], ['N-MFP3', 'N-MFP1', []])
  assert.equal(fromFixture('9000000071-23-000001', rename('N-MFP1')).report.generation, 'N-MFP2')
})

test('the form code in the document decides whether it is an amendment', () => {
  assert.equal(read(document({ form: 'N-MFP2/A' })).report.is_amendment, true)
  assert.equal(read(document({ form: 'N-MFP2' })).report.is_amendment, false)
})

test('reads the element for names of payers as an amount if it is a number, as in N-MFP3, and else as words, as in N-MFP1', () => {
  const paid = (text: string) => {
    const rest = `<classLevelInfo><nameOfPersonDescExpensePay>${text}</nameOfPersonDescExpensePay></classLevelInfo>`
    const [one] = read(document({ rest })).of('share_class')
    return [one!.expense_payer, one!.expense_paid]
  }
  assert.deepEqual(paid('Adviser, 2 basis points'), ['Adviser, 2 basis points', null])
  for (const amount of ['2500.75', '+2,500.75', '2’500.75', '250075e-2', '$2,500.75'])
    assert.deepEqual(paid(amount), [null, '2500.75'], amount)
})

test('securities are identified by CUSIP, else ISIN, else name; words and numbers that mean "none" are null', () => {
  const known = (leaves: string) => {
    const [row] = read(security(leaves)).of('holding')
    return [row!.cusip, row!.cusip_flag, row!.sec_id]
  }
  const name = '<nameOfIssuer>City of Specimen</nameOfIssuer>'
  const id = `name~${Buffer.from('city of specimen').toString('base64url')}`
  assert.deepEqual(known(`${name}<CUSIPMember>46625H100</CUSIPMember>`), ['46625H100', null, '46625H100'])
  assert.deepEqual(known(`${name}<CUSIPMember>N/A</CUSIPMember>`), [null, 'missing', id])
  assert.deepEqual(known(`${name}<CUSIPMember>0</CUSIPMember>`), ['0', 'length', id])
  assert.deepEqual(known(`${name}<CUSIPMember>000000000</CUSIPMember>`), ['000000000', 'placeholder', id])
  assert.deepEqual(known(`${name}<CUSIPMember>46625H101</CUSIPMember>`), ['46625H101', 'check_digit', id])
  assert.deepEqual(known(`${name}<ISINId>US46625H1005</ISINId>`), [null, 'missing', '46625H100'])
  assert.deepEqual(known(name), [null, 'missing', id])
  // 0001145549-23-075236 has another number in place of the CUSIP.
  assert.deepEqual(known(`${name}<otherUniqueId>03199T002_5.3200</otherUniqueId>`), [null, 'missing', id])
})

test('a part that a filing lacks is null or empty, unless the header or the index has it', () => {
  const { report, rows } = read(
    '<edgarSubmission><headerData><submissionType>N-MFP2</submissionType></headerData><formData/></edgarSubmission>',
  )
  assert.deepEqual(
    rows.map(([table]) => table),
    ['report'],
  )
  const { cik, period, fund, registrant_name, net_assets } = report
  assert.deepEqual(
    [cik, period, fund, registrant_name, net_assets],
    ['0000000071', '2023-11-30', '0000000071', 'Specimen Trust', null],
  )
})

test('a day or a number that cannot be read is null with a problem, never a guess', () => {
  const { report, problems } = read(
    document({
      general: '<reportDate>11/30/2023</reportDate><cik>71</cik><seriesId>S71</seriesId>',
      series:
        '<netAssetOfSeries>1.234,56</netAssetOfSeries><averagePortfolioMaturity>thirty</averagePortfolioMaturity>',
    }),
    { period: null },
  )
  assert.deepEqual([report.period, report.net_assets, report.average_maturity], [null, null, null])
  assert.deepEqual([report.series_id, report.fund], [null, null], 'a registrant has many series')
  assert.deepEqual(
    problems.map(({ value }) => value),
    ['11/30/2023', 'S71', 'thirty', '1.234,56'],
  )
})

test('ten thousand classes with ten days each are all read, each row with its own key', () => {
  const day = '<sevenDayNetYield><sevenDayNetYieldValue>0.01</sevenDayNetYieldValue></sevenDayNetYield>'
  const one = `<classLevelInfo><classesId>C000000001</classesId>${day.repeat(10)}</classLevelInfo>`
  const { of, report } = read(document({ rest: one.repeat(10_000) }))
  assert.equal(report.read_class_count, 10_000)
  assert.equal(new Set(of('share_class').map(({ class_position }) => class_position)).size, 10_000)
  assert.equal(new Set(of('seven_day_yield').map((row) => `${row.class_position} ${row.n}`)).size, 100_000)
})

test('refuses a document that is not an N-MFP', () => {
  for (const xml of [
    document({ form: '13F-HR' }),
    document({ form: 'N-MFP4' }),
    '<edgarSubmission><submissionType>NT N-MFP</submissionType></edgarSubmission>',
    '<other><headerData><submissionType>N-MFP2</submissionType></headerData></other>',
  ]) {
    assert.throws(() => read(xml), /not a Form N-MFP/)
  }
})

test('the Fridays of a month are those of the calendar, and no month has six', () => {
  for (let month = 0; month < 12 * 16; month++) {
    const days = [...Array(31).keys()].map((at) => new Date(Date.UTC(2010, month, at + 1)))
    const own = new Date(Date.UTC(2010, month, 1)).getUTCMonth()
    const fridays = days.filter((day) => day.getUTCMonth() === own && day.getUTCDay() === 5)
    const period = new Date(Date.UTC(2010, month + 1, 0)).toISOString().slice(0, 10)
    const expected = [...Array(6).keys()].map((at) => fridays[at]?.toISOString().slice(0, 10) ?? null)
    assert.deepEqual(
      expected.map((_, at) => fridayOf(period, at + 1)),
      expected,
    )
  }
})

test('reads zeros as no series and small letters as the same series; an invalid series leaves the fund unknown', () => {
  for (const [filed, fund, series_id] of [
    ['S000000000', '0000000071', null],
    ['0000000000', '0000000071', null],
    ['s000000071', '0000000071-S000000071', 'S000000071'],
    ['S71', null, null],
  ] as const) {
    const { report, problems } = read(
      document({ general: `<reportDate>2023-11-30</reportDate><cik>71</cik><seriesId>${filed}</seriesId>` }),
    )
    assert.deepEqual([report.fund, report.series_id, problems.length], [fund, series_id, fund === null ? 1 : 0], filed)
  }
})
