/** Shapes of the answers about securities. */
import { z } from 'zod'
import { countedTotal, nextCursor, nextCursorNull } from '../../declare/paging.ts'
import { accession, cik, count, crd, date, decimal, percent, shares, text, usd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { WAYS } from '../../serve/traded.ts'
import { flow, security, span } from './rollups.ts'
import { alias } from './rollups-issuer.ts'

const { sec_id, is_private, issuer_name, title_of_class, asset_cat, isin, lei, ticker } = security.columns
const shared = { cusip: security.columns.cusip, is_private, issuer_name, title_of_class, asset_cat }

const ofCompany = {
  company_name: text(
    'Name of the company: of a private one the name that its aliases put together, else that of the company with the CIK',
  ).nullable(),
  company_id: alias.columns.company_id.describe(
    'Lasting id of the private company: company~spacex. It is accepted wherever a security is. Null for a security that is not private',
  ),
  company_url: z
    .string()
    .nullable()
    .meta({ format: 'uri-reference', description: 'The company on this server; null where its CIK is not known' }),
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
        'How q finds it. number: CUSIP, ISIN, LEI, CIK or id. ticker: its own ticker, in any spelling. ticker_of_company: q is a ticker of its company, or of a class of it, and nothing says which security has it; those that are known by another ticker of the company are left out. former_ticker: its company had that ticker before. name: its own name. company: another name of its company, of now or before; these come behind all of the former. near: a name of its company is spelled nearly so, and nothing else is found. Null without q',
      ),
  })
  .meta({ id: 'SecurityRow' })

export const securityPage = z
  .object({ rows: z.array(securityRow), ...countedTotal, next_cursor: nextCursorNull, ...notLoaded })
  .meta({ id: 'SecurityPage' })
export type SecurityPage = z.infer<typeof securityPage>

const spanOf = {
  newest_period: span.columns.newest.nullable().describe('The newest quarter of the source; null where none is loaded'),
  since: span.columns.since
    .nullable()
    .describe('Reports of quarters before this one do not count: 15 months before the newest'),
}

const amounts = {
  value: usd('What it holds is worth, US dollars, options left out; null where its report does not say it').nullable(),
  shares: shares('Shares, or other units; null where it says none, or principal').nullable(),
}

const units = (meaning: string) => decimal(meaning, { unit: 'shares_or_principal' }).nullable()

const manager = z
  .object({
    manager_name: text('Name of the manager').nullable(),
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

const fundColumns = {
  fund: text('Name of the fund').nullable(),
  fund_id: text('Key of the fund: CIK of the registrant, and its series after a dash where it has one'),
  cik: cik('CIK of the registrant'),
  series_id: text('Series identifier of EDGAR; null for a fund without series').nullable(),
  registrant_name: text('Name of the registrant').nullable(),
}
const fundReports = {
  percent: percent('Of the net assets of the fund').nullable(),
  period: date('The day that the newest report of the fund is about'),
  accession: accession('The report'),
}

const fund = z
  .object({
    ...fundColumns,
    value: usd(
      'What it holds is worth, US dollars; derivatives and what it sold short are left out. Null where its report does not say it',
    ).nullable(),
    shares: units('Shares or other units; null where it says none'),
    principal: units('Principal of debt, in its currency, and no shares; null where there is none'),
    ...fundReports,
  })
  .meta({ id: 'SecurityFund' })

const moneyMarketFund = z
  .object({
    ...fundColumns,
    value: usd('What it holds is worth, US dollars; null where its report does not say it').nullable(),
    principal: usd('Principal, US dollars (the first generation of the form)').nullable(),
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
          'Managers whose newest report holds it, options left out; null where no report of managers is loaded',
        ).nullable(),
        total_value: usd('What they hold is worth, US dollars').nullable(),
        ...spanOf,
        holders: z.array(manager).describe('The largest, by value'),
      })
      .meta({ id: 'SecurityManagers' }),
    nport: z
      .object({
        fund_count: count(
          'Funds whose newest report holds it; derivatives and what was sold short are left out. Null where no report of funds is loaded',
        ).nullable(),
        total_value: usd('What they hold is worth, US dollars').nullable(),
        ...spanOf,
        holders: z.array(fund).describe('The largest, by value'),
      })
      .meta({ id: 'SecurityFunds' }),
    nmfp: z
      .object({
        fund_count: count(
          'Money market funds whose newest report holds it; null where no report of them is loaded',
        ).nullable(),
        total_value: z.number().nullable().describe('What they hold is worth, US dollars').meta({ 'x-unit': 'USD' }),
        ...spanOf,
        holders: z.array(moneyMarketFund).describe('The largest, by value'),
      })
      .meta({ id: 'SecurityMoneyMarketFunds' }),
    issuer_securities: z
      .array(other)
      .describe(
        'Other securities of the issuer, at most 50: those with the same first six characters of the CUSIP; of a private company those that its aliases name',
      ),
    ...notLoaded,
  })
  .meta({ id: 'SecurityDetail' })
export type SecurityDetail = z.infer<typeof securityDetail>

const changes = ['new', 'added', 'reduced', 'unchanged', 'closed'] as const

const holderRow = z
  .object({
    holder: text('Name of the manager or fund').nullable(),
    holder_id: text('CIK of a manager; of a fund its key'),
    cik: cik('CIK of the manager, or of the registrant of the fund').nullable(),
    series_id: text('Series identifier of a fund').nullable(),
    value: usd(
      'What it held at the end of the quarter was worth, US dollars; 0 where it was closed, null where its report does not say it. Options, derivatives and what was sold short are left out',
    ).nullable(),
    shares: units('Shares, or other units'),
    principal: units('Principal of debt, and no shares; null where the report says none'),
    option_value: usd('What its puts and calls on the security were worth (13F)').nullable(),
    change: z
      .enum(changes)
      .nullable()
      .describe(
        'new, added, reduced, unchanged or closed since the quarter before, by shares, else by principal; null where the holder has not reported both quarters as a whole, or has it in both and says neither shares nor principal, as most money market funds do',
      ),
    amount_change: units(
      'Shares, or principal, more or less than in the quarter before; null where it cannot be compared',
    ),
    amount_before: units('Shares, or principal, at the end of the quarter before'),
    value_before: usd('What it was worth at the end of the quarter before').nullable(),
    period: date('The day that the report is about; null where it was closed').nullable(),
    accession: accession('The report; null where it was closed').nullable(),
    accession_before: accession('The report of the quarter before').nullable(),
  })
  .meta({ id: 'SecurityHolder' })

export const holderPage = z
  .object({
    sec_id,
    ...{ issuer_name, title_of_class },
    source: span.columns.source,
    period: date('Last day of the quarter; null where nobody held it').nullable(),
    period_before: date('Last day of the quarter before').nullable(),
    as_of: date('The day of which it is told what was known; null for today').nullable(),
    counts: z
      .object({
        holder_count: count('Who held it at the end of the quarter'),
        new_count: count('Of those, who did not the quarter before'),
        added_count: count('Who held more'),
        reduced_count: count('Who held less'),
        unchanged_count: count('Who held as much'),
        closed_count: count('Who held it the quarter before and reported that it does not any more'),
        not_compared_count: count('Of the holders, those without a change: see there'),
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
    period: date('Last day of the quarter; null where no report is loaded').nullable(),
    managers_compared: count('Managers that reported it and the quarter before as a whole: the others are left out'),
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
