import type { DatasetRefresh } from '../../../declare/refresh.ts'
import { SLIP } from '../rollups-slip.ts'

/**
 * Returns marks of funds. A mark has the fund's key, a blank, and the period of a report, which later rollups use. A
 * late amendment of an older period replaces only the report of that period, so a fund's periods are ranked again
 * whenever one of its reports changes.
 */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ fund: string; period: string | null }[]>`
      select distinct fund, period from report where accession = any(${keys as string[]}) and fund is not null`
    return rows.map(({ fund, period }) => `${fund} ${period ?? ''}`)
  },

  async divide(tx, key) {
    if (key !== null) return []
    const rows = await tx<{ key: string }[]>`
      select fund || ' ' || coalesce(period::text, '') as key from report where fund is not null
      union select fund || ' ' || period from standing union select fund || ' ' || period from fund`
    return rows.map((row) => row.key)
  },

  async make(tx, marked) {
    const keys = marked && [...new Set(marked.map((key) => key.split(' ')[0]!))]
    const wanted = keys === null ? tx`true` : tx`fund = any(${keys})`
    await tx`delete from standing where ${wanted}`
    await tx`delete from fund where ${wanted}`
    await tx`
      insert into standing (fund, cik, series_id, fund_name, registrant_name, period, quarter, accession, filed_date,
        is_newest, net_assets)
      select fund, cik, series_id, fund_name, registrant_name, period,
        case when period < '1990-01-01' or period > '2099-12-31' then '0001-01-01'::date
          else (date_trunc('quarter', period) + interval '3 months - 1 day')::date end,
        accession, filed_date, period = max(period) over (partition by fund), net_assets
      from (
        select distinct on (fund, period) fund, cik, series_id, fund_name, registrant_name, period, accession, filed_date,
          net_assets
        from report
        where fund is not null and not (${tx.unsafe(SLIP)}) and ${wanted}
        order by fund, period, filed_date desc, accession desc
      ) newest`
    await tx`
      insert into fund (fund, cik, series_id, fund_name, registrant_name, period, accession, filed_date, net_assets,
        is_final, name_key, name_words)
      select s.fund, s.cik, s.series_id, s.fund_name, s.registrant_name, s.period, s.accession, s.filed_date, s.net_assets,
        r.is_final, coalesce(r.name_key, ''), coalesce(r.name_words, '')
      from standing s join report r using (accession)
      where s.is_newest and ${keys === null ? tx`true` : tx`s.fund = any(${keys as string[]})`}`
  },
}
