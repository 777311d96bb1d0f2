/** Shapes of the answers about securities. */
import { z } from 'zod'
import { countedTotal, nextCursor, nextCursorNull } from '../../declare/paging.ts'
import { accession, cik, count, crd, date, decimal, percent, shares, text, usd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { WAYS } from '../../serve/traded.ts'
import { flow, security, span } from './rollups.ts'
import { alias } from './rollups-issuer.ts'
import { CHANGES } from './sources.ts'

const { sec_id, is_private, issuer_name, title_of_class, asset_cat, isin, lei, ticker } = security.columns
const shared = { cusip: security.columns.cusip, is_private, issuer_name, title_of_class, asset_cat }

const ofCompany = {
  company_name: text(
    'Name of the company. For a private company, the name that most of its securities have; for another company, the name of the company with the CIK',
  ).nullable(),
  company_id: alias.columns.company_id.describe(
    'Permanent id of the private company: company~spacex. Any parameter that takes a security accepts it. Null for a security that is not private',
  ),
  company_url: z.string().nullable().meta({
    format: 'uri-reference',
    description: 'Address of the company on this server; null if its CIK is unknown',
  }),
}

/** A row of the search. A source's figures are null if none of its reports is loaded. */
export const securityRow = z
  .object({
    sec_id,
    ...shared,
    ...{ isin, lei, ticker, cik: security.columns.cik },
    f13_holders: security.columns.f13_holders.nullable(),
    f13_value: security.columns.f13_value.nullable(),
    fund_count: security.columns.fund_count.nullable(),
    nport_value: security.columns.nport_value.nullable(),
    mmf_count: security.columns.mmf_count.nullable(),
    nmfp_value: security.columns.nmfp_value.nullable(),
    combined_value: security.columns.combined_value,
    ...ofCompany,
    found_by: z
      .enum(WAYS)
      .nullable()
      .describe(
        'How q matches the security. number: by CUSIP, ISIN, LEI, CIK or id. ticker: q is the ticker of the security, in any spelling. ticker_of_company: q is a ticker of its company, but it is unknown which security of the company has this ticker; securities with another known ticker of the company are left out. former_ticker: q is a former ticker of its company. name: q is the name of the security. company: q is another current or former name of its company; such rows come after the rows that are found in any of these ways. near: a name of its company is spelled similarly, and nothing else is found. Null if the request has no q',
      ),
  })
  .meta({ id: 'SecurityRow' })

export const securityPage = z
  .object({ rows: z.array(securityRow), ...countedTotal, next_cursor: nextCursorNull, ...notLoaded })
  .meta({ id: 'SecurityPage' })
export type SecurityPage = z.infer<typeof securityPage>

const spanOf = {
  newest_period: span.columns.newest.nullable().describe('The newest quarter of the source; null if none is loaded'),
  since: span.columns.since
    .nullable()
    .describe('Oldest quarter whose reports count: 15 months before the newest quarter'),
}

const amounts = {
  value: usd(
    'Value of the position, US dollars, without options; null if the report of the manager does not state it',
  ).nullable(),
  shares: shares('Shares or other units; null if the report states none, or states principal').nullable(),
}

const units = (meaning: string) => decimal(meaning, { unit: 'shares_or_principal' }).nullable()

const manager = z
  .object({
    manager_name: text('Name of the manager').nullable(),
    cik: cik('CIK of the manager'),
    crd: crd('CRD number of the manager; null if no link says that the manager is also an adviser').nullable(),
    ...amounts,
    principal: shares('Principal of debt (not shares), in US dollars; null if there is none').nullable(),
    option_value: usd(
      'Value of the puts and calls on the security that the manager holds, US dollars; null if it holds none',
    ).nullable(),
    percent: percent(
      'Value of the position in percent of the value of the whole newest report of the manager, options included',
    ).nullable(),
    period: date('Last day of the quarter that the report is about'),
    accession: accession('The newest filing whose lines are part of the position'),
  })
  .meta({ id: 'SecurityManager' })

const fundColumns = {
  fund: text('Name of the fund').nullable(),
  fund_id: text('Key of the fund: CIK of the registrant, followed by a dash and its series if it has one'),
  cik: cik('CIK of the registrant'),
  series_id: text('Series identifier of EDGAR; null for a fund without series').nullable(),
  registrant_name: text('Name of the registrant').nullable(),
}
const fundReports = {
  percent: percent('Percentage of the net assets of the fund').nullable(),
  period: date('The day that the newest report of the fund is about'),
  accession: accession('Accession of the report'),
}

const fund = z
  .object({
    ...fundColumns,
    value: usd(
      'Value of the position, US dollars, without derivatives and short positions. Null if the report of the fund does not state it',
    ).nullable(),
    shares: units('Shares or other units; null if the report states none'),
    principal: units('Principal of debt (not shares), in the currency of the debt; null if there is none'),
    ...fundReports,
  })
  .meta({ id: 'SecurityFund' })

const moneyMarketFund = z
  .object({
    ...fundColumns,
    value: usd('Value of the position, US dollars; null if the report of the fund does not state it').nullable(),
    principal: usd('Principal, US dollars; only the first generation of Form N-MFP states it').nullable(),
    ...fundReports,
  })
  .meta({ id: 'SecurityMoneyMarketFund' })

const other = z
  .object({
    sec_id,
    cusip: security.columns.cusip,
    title_of_class,
    combined_value: security.columns.combined_value,
  })
  .meta({ id: 'SecurityOfIssuer' })

export const securityDetail = z
  .object({
    sec_id,
    ...shared,
    ...{ isin, lei, ticker, cik: security.columns.cik },
    ...ofCompany,
    f13: z
      .object({
        holder_count: count(
          'Number of managers whose newest report has a position in the security, without options; null if no report of managers is loaded',
        ).nullable(),
        total_value: usd('Value of the holdings of all these holders, US dollars').nullable(),
        ...spanOf,
        holders: z.array(manager).describe('The largest holders, by value'),
      })
      .meta({ id: 'SecurityManagers' }),
    nport: z
      .object({
        fund_count: count(
          'Number of funds whose newest report has a position in the security, without derivatives and short positions. Null if no report of funds is loaded',
        ).nullable(),
        total_value: usd('Value of the holdings of all these holders, US dollars').nullable(),
        ...spanOf,
        holders: z.array(fund).describe('The largest holders, by value'),
      })
      .meta({ id: 'SecurityFunds' }),
    nmfp: z
      .object({
        fund_count: count(
          'Number of money market funds whose newest report has a position in the security; null if no report of money market funds is loaded',
        ).nullable(),
        total_value: z
          .number()
          .nullable()
          .describe('Value of the holdings of all these holders, US dollars')
          .meta({ 'x-unit': 'USD' }),
        ...spanOf,
        holders: z.array(moneyMarketFund).describe('The largest holders, by value'),
      })
      .meta({ id: 'SecurityMoneyMarketFunds' }),
    issuer_securities: z
      .array(other)
      .describe(
        'Other securities of the issuer, at most 50. They have the same first six characters of the CUSIP. For a private company, they are the other securities that /adv/securities/{cusip}/aliases lists',
      ),
    ...notLoaded,
  })
  .meta({ id: 'SecurityDetail' })
export type SecurityDetail = z.infer<typeof securityDetail>

const holderRow = z
  .object({
    holder: text('Name of the manager or fund').nullable(),
    holder_id: text('CIK of a manager, or key of a fund'),
    cik: cik('CIK of the manager, or of the registrant of the fund').nullable(),
    series_id: text('Series identifier of a fund').nullable(),
    value: usd(
      'Value of the position at the end of the quarter, US dollars, without options, derivatives and short positions. 0 if the position was closed; null if the report of the holder does not state the value',
    ).nullable(),
    shares: units('Shares, or other units'),
    principal: units('Principal of debt (not shares); null if the report states none'),
    option_value: usd('Value of the puts and calls on the security that the manager holds (13F)').nullable(),
    change: z
      .enum(CHANGES)
      .nullable()
      .describe(
        'Change of the position since the quarter before, in shares, else in principal: new, added, reduced, unchanged or closed. Null if the holder does not have complete reports of both quarters, or states neither shares nor principal, as most money market funds do',
      ),
    amount_change: units(
      'Change of shares or principal since the quarter before; null if the two quarters cannot be compared',
    ),
    amount_before: units('Shares, or principal, at the end of the quarter before'),
    value_before: usd('Value at the end of the quarter before').nullable(),
    period: date('The day that the report is about; null if the position was closed').nullable(),
    accession: accession('Accession of the report; null if the position was closed').nullable(),
    accession_before: accession('Accession of the report of the quarter before').nullable(),
  })
  .meta({ id: 'SecurityHolder' })

export const holderPage = z
  .object({
    sec_id,
    ...{ issuer_name, title_of_class },
    source: span.columns.source,
    period: date('Last day of the quarter; null if no quarter has a holder of the security').nullable(),
    period_before: date('Last day of the quarter before').nullable(),
    as_of: date(
      'Day of the parameter as_of: filings that were filed later are ignored. Null without this parameter',
    ).nullable(),
    counts: z
      .object({
        holder_count: count('Number of holders at the end of the quarter'),
        new_count: count('Number of holders that did not hold the security in the quarter before'),
        added_count: count('Number of holders that increased their position'),
        reduced_count: count('Number of holders that reduced their position'),
        unchanged_count: count('Number of holders whose position did not change'),
        closed_count: count(
          'Number of holders of the quarter before whose reports of this quarter do not have the security',
        ),
        not_compared_count: count('Number of holders whose two quarters cannot be compared: their `change` is null'),
      })
      .meta({ id: 'SecurityHolderCounts' }),
    rows: z.array(holderRow),
    ...countedTotal,
    next_cursor: nextCursor,
    ...notLoaded,
  })
  .meta({ id: 'SecurityHolderPage' })
export type HolderPage = z.infer<typeof holderPage>

const { quarter: _, sec_id: __, ...flows } = flow.columns

export const moverPage = z
  .object({
    period: date('Last day of the quarter; null if no report is loaded').nullable(),
    managers_compared: count(
      'Number of managers with complete reports of this quarter and the quarter before; other managers are left out',
    ),
    rows: z.array(
      z
        .object({ sec_id, cusip: security.columns.cusip, issuer_name, title_of_class, ticker, ...flows })
        .meta({ id: 'SecurityMover' }),
    ),
    ...countedTotal,
    next_cursor: nextCursor,
    ...notLoaded,
  })
  .meta({ id: 'SecurityMoverPage' })
export type MoverPage = z.infer<typeof moverPage>
