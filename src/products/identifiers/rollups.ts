/** Rollups of the identifiers of a security and its issuer, with their sources and days. */
import { accession, boolean, cik, confidence, count, cusip, date, rollup, text } from '../../declare/table.ts'

const KINDS = ['cik', 'ticker', 'isin', 'lei']
const SOURCES = ['schedule13', 'nport', 'tickers', 'issuer_number', 'name']

export const identifier = rollup(
  'identifiers.identifier',
  'One row per CUSIP, identifier of the security or issuer, and source that connects the two',
  ['cusip', 'kind', 'value', 'source'],
  {
    cusip: cusip('CUSIP of the security'),
    kind: text(
      'Kind of identifier. cik: CIK of the issuer. ticker: ticker of the security. isin: ISIN of the security. lei: LEI of the issuer',
      { values: KINDS },
    ),
    value: text('Value of the identifier'),
    source: text(
      'Source that connects CUSIP and identifier. schedule13: the cover of a Schedule 13D or 13G states both. nport: a fund reports both. tickers: EDGAR’s list has the ticker that funds report for the CUSIP. issuer_number: the identifier is known for another security with the same first six characters of the CUSIP. name: exactly one company with a ticker has the same name as the issuer',
      { values: SOURCES },
    ),
    name: text('Latest name of the issuer in the source').nullable(),
    first_seen: date(
      'First day for which the source states the identifier; if the source states quarters, the last day of the first quarter',
    ).nullable(),
    last_seen: date(
      'Last day for which the source states the identifier; if the source states quarters, the last day of the last quarter',
    ).nullable(),
    reports: count(
      'Number of times that the source states the identifier: on covers of Schedules 13D and 13G, or in the five largest holdings of each quarter (other holdings are not read)',
    ),
    confidence: confidence(
      'Confidence in the identifier, 0 to 1: that of its source, lower if names disagree or check digits are wrong',
    ),
    accession: accession('The last filing that states the identifier').nullable(),
  },
  { indexes: ['(kind, value)', '(substr(cusip, 1, 6))'] },
)

export const best = rollup(
  'identifiers.best',
  'One row per CUSIP with known identifiers, with the best value of each kind',
  ['cusip'],
  {
    cusip: cusip('CUSIP of the security'),
    cik: cik('CIK of the issuer').nullable(),
    ticker: text('Ticker of the security').nullable(),
    isin: text('ISIN of the security').nullable(),
    lei: text('LEI of the issuer', { entity: 'lei' }).nullable(),
    company_name: text('Name of the company with the CIK').nullable(),
    source: text('Source that states the CIK', { values: SOURCES }).nullable(),
    confidence: confidence('Confidence in the CIK, 0 to 1').nullable(),
    accession: accession('The last filing that states the CIK').nullable(),
  },
  { indexes: ['(cik) where cik is not null', '(ticker) where ticker is not null', '(substr(cusip, 1, 6))'] },
)

/** A form names one or several tickers in any spelling; each ticker is a row with the CIK of the form's company. */
export const symbol = rollup(
  'identifiers.symbol',
  'One row per company and ticker that Forms 3, 4 and 5 about the company name; spellings of one ticker share a row',
  ['cik', 'ticker_key'],
  {
    cik: cik('CIK of the issuer'),
    ticker_key: text('Ticker in the form used for comparisons: BRK.B, JPM.PR.C'),
    ticker: text('Ticker in the spelling of the SEC’s lists: BRK-B'),
    first_seen: date('Filing date of the first form that names the ticker'),
    last_seen: date('Filing date of the last form that names the ticker'),
    reports: count('Number of forms that name the ticker'),
    is_newest: boolean('True if the last form about the company with any ticker names this ticker'),
  },
  { indexes: ['(ticker_key)'] },
)
