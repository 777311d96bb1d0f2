/** Rollups of the numbers of a security and its issuer, with their sources and days. */
import { accession, boolean, cik, confidence, count, cusip, date, rollup, text } from '../../declare/table.ts'

const KINDS = ['cik', 'ticker', 'isin', 'lei']
const SOURCES = ['schedule13', 'nport', 'tickers', 'issuer_number', 'name']

export const identifier = rollup(
  'identifiers.identifier',
  'One row per CUSIP, a number or ticker that goes with it, and who says so',
  ['cusip', 'kind', 'value', 'source'],
  {
    cusip: cusip('CUSIP of the security'),
    kind: text('What the value is: the CIK of the issuer, a ticker, an ISIN, the LEI of the issuer', { values: KINDS }),
    value: text('The value'),
    source: text(
      'schedule13: a cover of Schedule 13D or 13G names both. nport: a fund reports both. tickers: EDGAR’s list has the ticker that funds report. issuer_number: another security with the same first six characters. name: one company with a ticker has that name',
      { values: SOURCES },
    ),
    name: text('Latest name of the issuer in the source').nullable(),
    first_seen: date('First day, or end of the first quarter, for which the source states it').nullable(),
    last_seen: date('Last of these days').nullable(),
    reports: count('How often it was found: on covers, or among the largest holdings of a quarter that were examined'),
    confidence: confidence('0 to 1: how reliable the source is, less if names disagree or check digits are wrong'),
    accession: accession('The last filing that states it').nullable(),
  },
  { indexes: ['(kind, value)', '(substr(cusip, 1, 6))'] },
)

export const best = rollup(
  'identifiers.best',
  'One row per CUSIP with known identifiers, with the believed value of each kind',
  ['cusip'],
  {
    cusip: cusip('CUSIP of the security'),
    cik: cik('CIK of the issuer').nullable(),
    ticker: text('Ticker of the security').nullable(),
    isin: text('ISIN of the security').nullable(),
    lei: text('LEI of the issuer', { entity: 'lei' }).nullable(),
    company_name: text('Name of the company with that CIK').nullable(),
    source: text('Source that states the CIK', { values: SOURCES }).nullable(),
    confidence: confidence('How certain the CIK is, 0 to 1').nullable(),
    accession: accession('The last filing that states the CIK').nullable(),
  },
  { indexes: ['(cik) where cik is not null', '(ticker) where ticker is not null', '(substr(cusip, 1, 6))'] },
)

/** A form names one or several tickers in any spelling; each ticker is a row under the form's company. */
export const symbol = rollup(
  'identifiers.symbol',
  'One row per company and ticker that Forms 3, 4 and 5 about it name, in any spelling',
  ['cik', 'ticker_key'],
  {
    cik: cik('CIK of the issuer'),
    ticker_key: text('The ticker as it is compared: BRK.B, JPM.PR.C'),
    ticker: text('The ticker, spelled as the SEC’s lists do: BRK-B'),
    first_seen: date('Day of the first form that names it'),
    last_seen: date('Day of the last form that names it'),
    reports: count('Forms that name it'),
    is_newest: boolean('The last form about the company that names any ticker names this one'),
  },
  { indexes: ['(ticker_key)'] },
)
