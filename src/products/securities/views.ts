/** Views of securities that other slices may read. */
import { view } from '../../declare/view.ts'
import { security } from './rollups.ts'
import { alias, company_id } from './rollups-issuer.ts'

const { sec_id, cusip, is_private, issuer_name, title_of_class, asset_cat, isin, lei } = security.columns
const { ticker, ticker_key, cik, combined_value } = security.columns

export const securitiesSecurity = view(
  'pub.securities_security',
  'One row per security, with its identifiers and the value that managers and funds hold',
  {
    ...{ sec_id, cusip, is_private, issuer_name, title_of_class, asset_cat, isin, lei },
    ...{ ticker, ticker_key, cik, combined_value },
  },
  `
select sec_id, cusip, is_private, issuer_name, title_of_class, asset_cat, isin, lei, ticker, ticker_key, cik,
  combined_value
from security`,
)

export const securitiesAlias = view(
  'pub.securities_alias',
  'One row per private security, with the company that issued it',
  {
    ...{ sec_id, issuer: alias.columns.issuer },
    ...{ company_id: alias.columns.company_id, company_name: alias.columns.company_name },
  },
  'select sec_id, issuer, company_id, company_name from alias',
)

export const securitiesCompanyId = view(
  'pub.securities_company_id',
  'One row per company of private securities and name of the company, with the id made from the name',
  company_id.columns,
  'select id, issuer, key, form, is_renamed from company_id',
)
