/** Shapes of the answers about Form N-PORT. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { countedTotal, nextCursor } from '../../declare/paging.ts'
import { accession, count, date, decimal, text, usd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { fund as newest, standing } from './rollups.ts'
import * as lines from './tables/lines.ts'
import * as tables from './tables.ts'
import { fund as fundView } from './views.ts'

const ofHolding = { n: true } as const

/** Members that only some holdings have; others lack them. */
export const more = z
  .object({
    identifiers: z.array(lines.identifier.parsed.omit({ n: true, quarter: true }).meta({ id: 'NportIdentifier' })),
    debt: lines.debt.parsed.omit({ n: true, quarter: true }).meta({ id: 'NportDebt' }),
    conversions: z.array(lines.conversion.parsed.omit(ofHolding).meta({ id: 'NportConversion' })),
    derivatives: z.array(lines.derivative.parsed.omit(ofHolding).meta({ id: 'NportDerivative' })),
    references: z.array(lines.reference.parsed.omit(ofHolding).meta({ id: 'NportReference' })),
    legs: z.array(lines.leg.parsed.omit(ofHolding).meta({ id: 'NportSwapLeg' })),
    counterparties: z.array(lines.counterparty.parsed.omit(ofHolding).meta({ id: 'NportCounterparty' })),
    repurchase: lines.repurchase.parsed.omit(ofHolding).meta({ id: 'NportRepurchase' }),
    repurchase_collateral: z.array(
      lines.repurchase_collateral.parsed.omit(ofHolding).meta({ id: 'NportRepurchaseCollateral' }),
    ),
    lending: lines.lending.parsed.omit(ofHolding).meta({ id: 'NportLending' }),
    liquidity: z.array(lines.liquidity.parsed.omit(ofHolding).meta({ id: 'NportLiquidity' })),
  })
  .partial()
  .meta({ id: 'NportMore' })

export type More = z.infer<typeof more>

const { quarter: _, security: __, ...held } = lines.holding.columns
const { security: ___, sec_id: ____, ...called } = lines.security.columns

const line = z.object({ ...held, ...called }).meta({ id: 'NportHolding' })
export type Line = z.infer<typeof line>

export const isCounted = z
  .boolean()
  .describe('True if the report counts: no report about the same fund and period was filed after it')

/** A page of the holdings of a report. */
export const page = z.object({
  holdings: z
    .array(
      line.extend({ more: more.describe('Details that only some holdings have') }).meta({ id: 'NportHoldingDetail' }),
    )
    .describe('Holdings in the order of the document'),
  next_cursor: nextCursor,
})

export type Page = z.infer<typeof page>

export const STATES = ['reported', 'not_filed', 'not_reported', 'not_loaded'] as const
export const CHANGES = ['new', 'added', 'reduced', 'unchanged'] as const

const fund = z
  .object({
    fund: standing.columns.fund,
    cik: standing.columns.cik,
    series_id: standing.columns.series_id,
    fund_name: standing.columns.fund_name,
    registrant_name: standing.columns.registrant_name,
  })
  .meta({ id: 'Fund' })

const reported = z
  .object({
    accession: accession('The report'),
    filed_date: date('Date the SEC gives as the filing date of the report'),
    submission_type: tables.report.columns.submission_type,
    period: standing.columns.period,
    net_assets: standing.columns.net_assets,
    total_assets: tables.report.columns.total_assets,
    holding_count: tables.report.columns.holding_count,
    holdings_value: tables.report.columns.holdings_value,
    amended_by: amendedBy,
  })
  .meta({ id: 'FundReport' })

const before = z
  .object({
    change: z
      .enum(CHANGES)
      .nullable()
      .describe('Change of the balance since the period before; null if nothing is compared or a balance is unknown'),
    balance_before: decimal('Balance in the period before', { unit: 'shares_or_principal' }).nullable(),
    value_before: usd('Value in the period before').nullable(),
  })
  .partial()

/**
 * Maximum number of closed holdings in an answer. All holdings of a fund may close at once, for example before a merger
 * of funds. The report of the preceding period lists all of them.
 */
export const CLOSED_MAX = 200

const fundHolding = z
  .object({ accession: accession('The report that states the holding'), ...line.shape, ...before.shape })
  .meta({ id: 'FundHolding' })

/** The holdings of a fund. */
export const fundHoldings = z
  .object({
    ...fund.shape,
    is_current: fundView.columns.is_current
      .nullable()
      .describe(`${fundView.columns.is_current.description}. Null with as_of, and if no report represents the fund`),
    period: standing.columns.period.nullable(),
    state: z
      .enum(STATES)
      .describe(
        'reported: a report was filed. not_filed: nothing about the period had been filed by as_of. not_reported: no report was filed, although the filings of the time in which it was due are loaded. not_loaded: unknown, because these filings are not loaded',
      ),
    note: text('Explanation of `state` for this period; null if the period was reported').nullable(),
    report: reported.nullable().describe('The report that counts: the last filed report about the period'),
    before: reported
      .nullable()
      .optional()
      .describe('The report of the previous period, with which holdings are compared. Present with changes=true'),
    closed: z
      .array(fundHolding)
      .optional()
      .describe(
        `Holdings of the previous period that are not in this period, the largest first, at most ${CLOSED_MAX}. Present with changes=true on the first page`,
      ),
    closed_count: count(
      'Number of all holdings of the previous period that are not in this period. If `closed` has fewer, the report of the previous period has the rest',
    ).optional(),
    periods: z.array(date('A period that is reported')).describe('All periods that are reported, newest first'),
    rows: z.array(fundHolding).describe('Holdings by value, the largest first; holdings without a value last'),
    ...countedTotal,
    next_cursor: nextCursor,
    ...notLoaded,
  })
  .meta({ id: 'FundHoldings' })

export type FundHoldings = z.infer<typeof fundHoldings>

/** A fund in the list of funds. */
export const fundRow = z
  .object({
    ...fund.shape,
    period: standing.columns.period,
    net_assets: standing.columns.net_assets,
    accession: standing.columns.accession,
    filed_date: standing.columns.filed_date,
    is_final: newest.columns.is_final,
    is_current: fundView.columns.is_current,
  })
  .meta({ id: 'FundRow' })
