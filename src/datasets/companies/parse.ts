/** Reads EDGAR's `submissions/CIK##########.json` with its continued files, and the lists of tickers. */

import type { BulkRows, JsonList, JsonRecords, Profile } from '../../declare/series.ts'
import type { Rows } from '../../declare/table.ts'
import { classId, seriesId } from '../../read/fund.ts'
import { type Json, JsonError } from '../../read/json.ts'
import { calendarDay, day } from '../../read/values.ts'
import { listedFilings, listings } from './parse-listing.ts'
import type * as tables from './tables.ts'

/** Yields the rows of a file. The key of a file is the CIK; the key of a continued file also has the file's number. */
export function* rows(document: Json, key: string): Rows<typeof tables> {
  if (key.length > CIK_LENGTH) return yield* listings(document, key)
  const cik = document.cik('cik')
  if (cik !== key) throw new JsonError(`the file of ${key} is about ${cik ?? 'no CIK'}`)
  const filings = document.one('filings')
  const parts = filings.maybe('files')?.items() ?? []
  const recent = [...listings(filings.one('recent'), key)]
  const files = parts.map((part) => ({
    cik,
    name: part.text('name') ?? '',
    filings: part.count('filingCount'),
    from_day: part.date('filingFrom'),
    to_day: part.date('filingTo'),
  }))
  const total = files.reduce((sum, { filings: some }) => sum + (some ?? 0), recent.length)
  yield ['company', companyOf(document, cik, total)]
  for (const former of document.maybe('formerNames')?.items() ?? []) {
    const name = former.text('name')
    const [from_day, to_day] = [dayOf(former, 'from'), dayOf(former, 'to')]
    if (name !== null) yield ['former_name', { cik, name, from_day, to_day }]
  }
  yield* tickers(document, cik)
  for (const file of files) yield ['part', file]
  yield* recent
}

const CIK_LENGTH = 10

/**
 * Reads the filings that a file lists, and the present and former names of its company. A continued file has no names.
 *
 * @throws JsonError for a file of another company
 */
function profile(document: Json, key: string): Profile {
  if (key.length > CIK_LENGTH) return { names: null, ...listedFilings(document) }
  const cik = document.cik('cik')
  if (cik !== key) throw new JsonError(`the file of ${key} is about ${cik ?? 'no CIK'}`)
  const before = (document.maybe('formerNames')?.items() ?? []).flatMap((former) => {
    const [name, to] = [former.text('name'), dayOf(former, 'to')]
    return name === null || to === null ? [] : [{ name, to }]
  })
  before.sort((a, b) => (a.to < b.to ? -1 : 1))
  const names = { now: document.text('name') ?? '', before }
  return { names, ...listedFilings(document.one('filings').one('recent')) }
}

/**
 * Dates of former names are midnight in New York, written in UTC (2007-01-10T05:00:00.000Z); the UTC day is the
 * intended day.
 */
const dayOf = (former: Json, name: string) => former.value(name, (text) => day(text, 'iso'), 'not a valid day')

function companyOf(document: Json, cik: string, filings: number) {
  const addresses = document.maybe('addresses')
  const business = addresses?.maybe('business') ?? null
  const mailing = addresses?.maybe('mailing') ?? null
  // Ignores the description, which repeats the state's code in words.
  document.ignore('stateOfIncorporationDescription')
  return {
    cik,
    name: document.text('name'),
    entity_type: document.text('entityType'),
    sic: document.text('sic'),
    sic_description: document.text('sicDescription'),
    owner_org: document.text('ownerOrg'),
    ein: document.value('ein', einOf, 'no EIN'),
    lei: document.text('lei'),
    state_of_incorporation: document.text('stateOfIncorporation'),
    fiscal_year_end: document.value('fiscalYearEnd', yearEnd, 'no MMDD'),
    // Splits categories of filer: "Non-accelerated filer<br>Smaller reporting company", "<br>Emerging growth company".
    categories: (document.text('category') ?? '')
      .split(/<br\s*\/?>/i)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
    flags: document.text('flags'),
    description: document.text('description'),
    website: document.text('website'),
    investor_website: document.text('investorWebsite'),
    phone: document.text('phone'),
    is_insider: document.flag('insiderTransactionForOwnerExists'),
    has_insiders: document.flag('insiderTransactionForIssuerExists'),
    ...addressOf('business_', business),
    ...addressOf('mailing_', mailing),
    filings,
  }
}

/** Reads nine digits, with or without a dash after the second; 000000000 means that the filer has no EIN. */
function einOf(text: string): string | null | undefined {
  const digits = /^(\d\d)-?(\d{7})$/.exec(text)
  if (/^[0-]+$/.test(text)) return undefined
  return digits && digits[1]! + digits[2]!
}

/** Checks the day in a leap year, so that 0229 is valid. */
const yearEnd = (text: string) => (calendarDay('2024', text.slice(0, 2), text.slice(2)) ? text : null)

function addressOf<P extends string>(prefix: P, of: Json | null) {
  // Ignores the description, which repeats the code in words, and two elements about the country, which follows from
  // the code.
  of?.ignore('stateOrCountryDescription', 'isForeignLocation', 'foreignStateTerritory')
  // Some foreign addresses have their code only in `countryCode` (CIK 940418).
  const countryCode = of?.text('countryCode') ?? null
  const parts = {
    street1: of?.text('street1') ?? null,
    street2: of?.text('street2') ?? null,
    city: of?.text('city') ?? null,
    state: of?.text('stateOrCountry') ?? countryCode,
    zip: of?.text('zipCode') ?? null,
    country: of?.text('country') ?? null,
  }
  return Object.fromEntries(Object.entries(parts).map(([name, value]) => [prefix + name, value])) as {
    [K in keyof typeof parts as `${P}${K}`]: string | null
  }
}

/** Pairs tickers and exchanges in their order. If one list is longer than the other, the exchanges are unknown. */
function* tickers(document: Json, cik: string): Rows<typeof tables> {
  const symbols = document.maybe('tickers')?.texts() ?? []
  const exchanges = document.maybe('exchanges')?.texts() ?? []
  if (symbols.length !== exchanges.length) {
    document.problem(
      'exchanges',
      `${exchanges.length}`,
      `the number of exchanges differs from that of the ${symbols.length} tickers`,
    )
  }
  for (const [at, ticker] of symbols.entries()) {
    if (ticker === null) continue
    const exchange = symbols.length === exchanges.length ? (exchanges[at] ?? null) : null
    yield ['ticker', { cik, ticker, exchange }]
  }
}

const submissions: JsonRecords = {
  format: 'json',
  kind: 'update',
  tables: ['company', 'former_name', 'ticker', 'part', 'listing'],
  file: /^(?:submissions|CIK\d+(?:-submissions-\d{3})?)(?:[_-](?<day>\d{4}-\d\d-\d\d))?\.(?:zip|json)$/,
  example: 'CIK0000320193.json',
  record: /^CIK(?<key>\d+(?:-submissions-\d{3})?)(?:[_-]\d{4}-\d\d-\d\d)?\.json$/,
  at: {
    all: '/Archives/edgar/daily-index/bulkdata/submissions.zip',
    one: (cik) => `/submissions/CIK${cik}.json`,
  },
  more: (document, from) =>
    (document.maybe('filings')?.maybe('files')?.items() ?? []).flatMap((part) => {
      const last = part.date('filingTo')
      return from !== null && last !== null && last < from ? [] : [part.text('name') ?? '']
    }),
  profile,
  spineHints: 'listing',
  rows,
}

/** Declares the series of a list of tickers. Each line of a list gives a CIK and a symbol. */
function list(
  source: 'company_tickers' | 'company_tickers_exchange' | 'company_tickers_mf',
  records: JsonList['records'],
  row: (line: Json) => Record<string, unknown>,
): JsonList {
  return {
    format: 'json',
    kind: 'snapshot',
    tables: ['listed_ticker'],
    scope: { source },
    file: new RegExp(`^${source}(?:[_-](?<day>\\d{4}-\\d\\d-\\d\\d))?\\.json$`),
    example: `${source}.json`,
    at: `/files/${source}.json`,
    records,
    rows: (line, id): BulkRows => [
      ['listed_ticker', { ...NOTHING, ...row(line), id, ticker: id.slice(CIK_LENGTH + 1) }],
    ],
  }
}

const NOTHING = { name: null, exchange: null, series_id: null, class_id: null }

/** Skips lines without a symbol, because they define no ticker. The real list of funds has such lines. */
function* keyed(lines: Iterable<Json>, cikName: string, tickerName: string) {
  for (const line of lines) {
    const before = line.problems().length
    const [cik, ticker] = [line.cik(cikName), line.text(tickerName)]
    if (ticker === null && line.problems().length === before) line.ignore(...line.names())
    else yield [cik === null || ticker === null ? null : `${cik}/${ticker}`, line] as const
  }
}

export const series = {
  SUBMISSIONS: submissions,
  TICKERS: list(
    'company_tickers',
    (document) =>
      keyed(
        document.entries().map(([, line]) => line),
        'cik_str',
        'ticker',
      ),
    (line) => ({ cik: line.cik('cik_str'), name: line.text('title') }),
  ),
  TICKERS_EXCHANGE: list(
    'company_tickers_exchange',
    (document) => keyed(document.table('fields', 'data'), 'cik', 'ticker'),
    (line) => ({ cik: line.cik('cik'), name: line.text('name'), exchange: line.text('exchange') }),
  ),
  TICKERS_FUND: list(
    'company_tickers_mf',
    (document) => keyed(document.table('fields', 'data'), 'cik', 'symbol'),
    (line) => ({
      cik: line.cik('cik'),
      series_id: line.value('seriesId', seriesId, 'is not a valid series identifier, S and nine digits'),
      class_id: line.value('classId', classId, 'is not a valid class identifier, C and nine digits'),
    }),
  ),
} as const
