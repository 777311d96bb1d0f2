/** Views of the numbers of securities that other slices may read. */
import { view } from '../../declare/view.ts'
import { best, identifier, symbol } from './rollups.ts'

export const identifiersSecurity = view(
  'pub.identifiers_security',
  'One row per CUSIP, identifier of the security or issuer, and source that connects the two',
  identifier.columns,
  `
select cusip, kind, value, source, name, first_seen, last_seen, reports, confidence, accession from identifier`,
)

export const identifiersBest = view(
  'pub.identifiers_best',
  'One row per CUSIP with known identifiers, with the best value of each kind',
  best.columns,
  `
select cusip, cik, ticker, isin, lei, company_name, source, confidence, accession from best`,
)

export const identifiersSymbol = view(
  'pub.identifiers_symbol',
  'One row per company and ticker that Forms 3, 4 and 5 about the company name',
  symbol.columns,
  `
select cik, ticker_key, ticker, first_seen, last_seen, reports, is_newest from symbol`,
)
