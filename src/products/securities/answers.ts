/** Shapes of the answers about securities. */
import { z } from 'zod'
import { nextCursorAlways } from '../../declare/paging.ts'
import { accession, cik, count, crd, cusip, date, percent, shares, text, usd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { security, span } from './rollups.ts'

const { sec_id, is_private, issuer_name, title_of_class, asset_cat, isin, lei, ticker } = security.columns
const said = { cusip: security.columns.cusip, is_private, issuer_name, title_of_class, asset_cat }

/** A row of the search. What a source says is null where none of its reports is loaded. */
export const securityRow = z
  .object({
    sec_id,
    ...said,
    ...{ isin, lei, ticker, cik: security.columns.cik },
    f13_holders: security.columns.f13_holders.nullable(),
    f13_value: security.columns.f13_value.nullable(),
    fund_count: security.columns.fund_count.nullable(),
    nport_value: security.columns.nport_value.nullable(),
    mmf_count: security.columns.mmf_count.nullable(),
    nmfp_value: security.columns.nmfp_value.nullable(),
    combined_value: security.columns.combined_value,
  })
  .meta({ id: 'SecurityRow' })

export const securityPage = z
  .object({ rows: z.array(securityRow), next_cursor: nextCursorAlways, ...notLoaded })
  .meta({ id: 'SecurityPage' })
export type SecurityPage = z.infer<typeof securityPage>

const spanOf = {
  newest_period: span.columns.newest.nullable().describe('The newest quarter of the source; null where none is loaded'),
  since: span.columns.since
    .nullable()
    .describe('Reports of quarters before this one do not count: 15 months before the newest'),
}

const amounts = {
  value: usd('What it holds is worth, US dollars, options left out'),
  shares: shares('Shares, or other units; null where it says none, or principal').nullable(),
}

const manager = z
  .object({
    manager: text('Name of the manager').nullable(),
    cik: cik('CIK of the manager'),
    crd: crd('CRD number of the adviser that it is, where a link says so').nullable(),
    ...amounts,
    principal: shares('Principal of debt, in US dollars, and no shares; null where there is none').nullable(),
    option_value: usd('What its puts and calls on the security are worth, US dollars; null without any').nullable(),
    percent: percent('Of all that its newest report is worth, options included').nullable(),
    period: date('Last day of the quarter that it reports'),
    accession: accession('The newest filing of which lines count'),
  })
  .meta({ id: 'SecurityManager' })

const other = z
  .object({
    sec_id,
    cusip: cusip('CUSIP'),
    title_of_class,
    combined_value: security.columns.combined_value,
  })
  .meta({ id: 'SecurityOfIssuer' })

export const securityDetail = z
  .object({
    sec_id,
    ...said,
    ...{ isin, lei, ticker, cik: security.columns.cik },
    f13: z
      .object({
        holder_count: count('Managers whose newest report holds it, options left out'),
        total_value: usd('What they hold is worth, US dollars'),
        ...spanOf,
        holders: z.array(manager).describe('The largest, by value'),
      })
      .meta({ id: 'SecurityManagers' }),
    issuer_securities: z
      .array(other)
      .describe('Other securities of the issuer, which have the same first six characters of the CUSIP, at most 50'),
    ...notLoaded,
  })
  .meta({ id: 'SecurityDetail' })
export type SecurityDetail = z.infer<typeof securityDetail>
