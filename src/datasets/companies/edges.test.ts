/** Companies' JSON: values at the limits of what EDGAR writes. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson as parse } from '../../read/json.ts'
import { rows, series } from './parse.ts'

const KEY = '0000000071'
const RECENT = {
  accessionNumber: ['0000000071-24-000001'],
  acceptanceDateTime: ['2024-05-06T09:00:00.000Z'],
  reportDate: ['2024-03-31'],
}

function read(own: Record<string, unknown>, recent: Record<string, unknown> = RECENT) {
  const document = parse(JSON.stringify({ cik: '71', name: 'A', filings: { recent, files: [] }, ...own }))
  const found = [...rows(document, KEY)]
  const of = (table: string) =>
    found.filter(([name]) => name === table).map(([, row]) => row as Record<string, unknown>)
  return {
    of,
    company: of('company')[0]!,
    unread: document.unread(),
    problems: document.problems().map(({ path, value }) => [path.replace(/^\//, ''), value]),
  }
}

test('a ticker that is null or blank is not a row, and the others keep their own exchanges', () => {
  const { of, problems } = read({ tickers: [null, 'B', ' '], exchanges: ['NYSE', 'OTC', null] })
  assert.deepEqual(
    of('ticker').map(({ ticker, exchange }) => [ticker, exchange]),
    [['B', 'OTC']],
  )
  assert.deepEqual(problems, [])
})

test('a foreign address that has no code of a state gets the code of its country as its state', () => {
  const address = (own: Record<string, unknown>) => ({ city: 'BERLIN', stateOrCountryDescription: null, ...own })
  const { company, unread, problems } = read({
    addresses: {
      mailing: address({ stateOrCountry: null, isForeignLocation: 1, country: 'Germany', countryCode: '2M' }),
      business: address({ stateOrCountry: 'A6', isForeignLocation: 1, country: 'Canada', countryCode: 'Z4' }),
    },
  })
  assert.deepEqual([company.mailing_state, company.mailing_country, company.business_state], ['2M', 'Germany', 'A6'])
  assert.deepEqual([unread.filter((path) => path.includes('address')), problems], [[], []])
})

test('if there are more exchanges than tickers, or fewer, the exchanges are unknown and this is reported', () => {
  const { of, problems } = read({ tickers: ['A', 'B'], exchanges: ['NYSE'] })
  assert.deepEqual(
    of('ticker').map(({ ticker, exchange }) => [ticker, exchange]),
    [
      ['A', null],
      ['B', null],
    ],
  )
  assert.equal(problems.length, 1)
})

test('former names with days that are missing or 0001-01-01 have null days, and 0001-01-01 is reported', () => {
  const { of, problems } = read({
    formerNames: [
      { name: 'OLD', from: '0001-01-01T00:00:00.000Z', to: null },
      { name: ' ', from: '2007-01-10T05:00:00.000Z', to: '2008-01-10T05:00:00.000Z' },
    ],
  })
  assert.deepEqual(of('former_name'), [{ cik: KEY, name: 'OLD', from_day: null, to_day: null }])
  assert.deepEqual(problems, [['formerNames/0/from', '0001-01-01T00:00:00.000Z']])
})

test('an EIN is read with and without its dash, zeros mean no EIN, and any other text is null and reported', () => {
  for (const [filed, ein, reported] of [
    ['123456789', '123456789', []],
    ['12-3456789', '123456789', []],
    ['000000000', null, []],
    ['00-0000000', null, []],
    ['1234', null, [['ein', '1234']]],
  ] as const) {
    const { company, problems } = read({ ein: filed })
    assert.deepEqual([company.ein, problems], [ein, reported], filed)
  }
})

test('the end of a fiscal year is a day of the year, or null and reported', () => {
  for (const [filed, end, reported] of [
    ['1231', '1231', []],
    ['0229', '0229', []],
    ['', null, []],
    ['0230', null, [['fiscalYearEnd', '0230']]],
    ['--12', null, [['fiscalYearEnd', '--12']]],
  ] as const) {
    const { company, problems } = read({ fiscalYearEnd: filed })
    assert.deepEqual([company.fiscal_year_end, problems], [end, reported], filed)
  }
})

test('categories are split at a line break in any spelling, and blank ones are left out', () => {
  for (const category of ['Large<br>Shell', '<BR/> Large <br /> <br>Shell<br>']) {
    assert.deepEqual(read({ category }).company.categories, ['Large', 'Shell'])
  }
})

test('a filing that is listed twice is one row, a filing without a valid number is left out, and both are reported', () => {
  const { of, problems } = read(
    {},
    {
      accessionNumber: ['0000000071-24-000001', '0000000071-24-000001', 'x'],
      acceptanceDateTime: ['2024-05-06T09:00:00.000Z', '2024-05-06T09:00:00.000Z', ''],
      reportDate: ['2024-03-31', '', '0001-01-01'],
    },
  )
  assert.equal(of('listing').length, 1)
  assert.equal(problems.length, 3)
})

test('an unknown member is unread', () => {
  assert.deepEqual(read({ token: 'x', addresses: { business: { city: 'Reno', planet: 'Earth' } } }).unread, [
    '/addresses/business/planet',
    '/token',
  ])
})

test('a series or class in the list of fund tickers is a valid identifier, or null and reported, and the ticker stays', () => {
  const fields = ['cik', 'seriesId', 'classId', 'symbol']
  const data = [
    [71, 'S000009184', 'C000024954', 'LACAX'],
    [71, 'x'.repeat(4_000), 'C1', 'LIACX'],
  ]
  const read = [...series.TICKERS_FUND.records(parse(JSON.stringify({ fields, data })))].map(([id, line]) => {
    const [[, row] = ['', {}]] = series.TICKERS_FUND.rows(line, id!) as [string, Record<string, unknown>][]
    return [row.ticker, row.series_id, row.class_id, line.problems().map(({ reason }) => reason)]
  })
  assert.deepEqual(read, [
    ['LACAX', 'S000009184', 'C000024954', []],
    [
      ...['LIACX', null, null],
      ['is not a valid series identifier, S and nine digits', 'is not a valid class identifier, C and nine digits'],
    ],
  ])
})
