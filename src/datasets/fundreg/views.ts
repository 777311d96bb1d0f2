/** Views of fund launches that other slices may read. */
import { view } from '../../declare/view.ts'
import { launch } from './rollups.ts'

const { accession, filed_date, fund, cik, trust_name, series_id, series_name, tickers } = launch.columns

export const fundregLaunch = view(
  'pub.fundreg_launch',
  'One row per fund that a filing announces',
  { accession, filed_date, fund, cik, trust_name, series_id, series_name, tickers },
  'select accession, filed_date, fund, cik, trust_name, series_id, series_name, tickers from launch',
)
