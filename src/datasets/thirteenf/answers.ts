/** Shapes of the answers about Form 13F. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { nextCursor, nextCursorOnRequest } from '../../declare/paging.ts'
import { cusip, date, decimal, shares, text, usd } from '../../declare/table.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { notLoaded } from '../../serve/loaded.ts'
import type { Step } from './compose.ts'
import { filer } from './rollups.ts'
import { manager, position, quality, report, security } from './tables.ts'

const { submission_type, amendment_number, amendment_type, period, position_count } = report.columns
// Answers have corrected values (queries.ts), while the columns have the stored ones.
const value = report.columns.value.describe(
  'Value of all positions including options, US dollars; null without an information table',
)
const filed = position.columns

/** Flags that compose.ts sets on a filing. */
const FLAGS = [
  'original_missing',
  'partial_restatement',
  'second_original',
  'repeats_report',
  'repeats_lines',
  'amendment_type_unknown',
  'table_missing',
  'notice',
  'confidential_request',
] as const satisfies readonly Step['flags'][number][]

const member = z
  .object({
    accession: report.row.shape.accession,
    filed_date: report.row.shape.filed_date,
    submission_type,
    amendment_number,
    amendment_type,
    amended_by: amendedBy,
    part: z
      .enum(['whole', 'adds', 'replaces_named', 'replaced', 'left_out'])
      .describe(
        'How the filing contributes to the holdings of the quarter. whole: it is the report itself. adds: its lines are added to earlier lines. replaces_named: its lines replace earlier lines of the same CUSIPs. replaced: a later filing replaced it. left_out: it does not count, for the reason in its flags',
      ),
    flags: z
      .array(z.enum(FLAGS))
      .describe(
        'Special cases, which explain the part. original_missing: an amendment of a report that is not stored. partial_restatement: a restatement with less than half of the lines and of the value of the report that it restates. second_original: a report that was filed again, but not marked as an amendment. repeats_report: new holdings that contain all earlier lines again. repeats_lines: new holdings that repeat or correct earlier lines; each of these lines is used once, as this filing states it. amendment_type_unknown: an amendment that does not state its kind. table_missing: no table was read, and the summary does not say that there are no lines. notice: Form 13F-NT. confidential_request: Form 13F-CTR',
      ),
    position_count,
    value,
  })
  .meta({ id: 'Form13FChainMember' })

const line = z
  .object({
    n: filed.n,
    cusip: filed.cusip,
    cusip_flag: filed.cusip_flag,
    issuer_name: security.columns.issuer_name,
    title_of_class: security.columns.title_of_class,
    figi: security.columns.figi,
    value: filed.value.describe('Value of the line, US dollars'),
    amount: filed.amount,
    kind: filed.kind,
    put_call: filed.put_call,
    discretion: filed.discretion,
    manager_numbers: filed.manager_numbers,
    votes_sole: filed.votes_sole,
    votes_shared: filed.votes_shared,
    votes_none: filed.votes_none,
  })
  .meta({ id: 'Form13FLine' })

/** The answer about one filing. */
export const detail = z
  .object({
    filing: report.row
      .omit({ name_key: true, name_words: true, number_key: true })
      .extend({
        value,
        scale_reason: report.columns.scale_reason.describe(
          'Reason for the scale: implied prices (of the filing’s own lines), the filing date, or prices of other managers. If those prices are against both units, the filing date decides, and the reason says so',
        ),
        amended_by: amendedBy,
      })
      .meta({ id: 'Form13FReport' }),
    quality: quality.parsed
      .describe('How much of the table was read, and whether the table agrees with the summary')
      .meta({ id: 'Form13FQuality' }),
    managers: z
      .array(manager.parsed.meta({ id: 'Form13FOtherManager' }))
      .describe('Other managers of the cover and of the summary'),
    chain: z
      .array(member)
      .describe(
        'All filings of the manager about the same quarter, including this filing, in the order in which they are combined',
      ),
    positions: z.array(line).describe('Lines of the table in the order of the filing'),
    next_cursor: z.string().nullable().describe('Cursor of the next lines; null on the last page'),
    other_filings: z
      .array(
        filingWith({ submission_type, period, amendment_type, position_count, value }).meta({ id: 'Form13FFilingRow' }),
      )
      .describe('Up to 200 other Form 13F filings of the manager, newest first'),
  })
  .meta({ id: 'Form13FDetail' })

export type Detail = z.infer<typeof detail>

export const STATES = ['reported', 'incomplete', 'no_holdings', 'not_filed', 'not_reported', 'not_loaded'] as const

const state = {
  state: z
    .enum(STATES)
    .describe(
      'reported: a report with holdings was filed. incomplete: amendments add to a report that is not loaded. no_holdings: the filings about the quarter state no holdings, such as a notice that others report them. not_filed: nothing was filed by as_of. not_reported: no report was filed, although the filings of the time in which it was due are loaded. not_loaded: unknown, because these filings are not loaded',
    ),
  note: z.string().nullable().describe('Explanation of `state` for this quarter; null if the quarter was reported'),
}

const quarter = z
  .object({
    period_of_report: date('Last day of the quarter'),
    ...state,
    accessions: z
      .array(report.row.shape.accession)
      .describe(
        'Filings that state the positions of the quarter, in the order in which they are combined. They are the report, and amendments that add to it or replace it. Empty if no filing states any',
      ),
  })
  .meta({ id: 'Quarter' })

export const CHANGES = ['new', 'added', 'reduced', 'closed', 'unchanged'] as const

const rowsWith = (change: (typeof CHANGES)[number]) =>
  z.int().nullable().describe(`Number of rows whose change is ${change}; null if nothing is compared`)

const amount = (meaning: string) => decimal(meaning, { unit: 'shares_or_principal' })

const held = z.object({
  cusip: cusip('CUSIP in capitals; null if the line of the report has none').nullable(),
  issuer_name: text('Name of the issuer as filed').nullable(),
  title_of_class: text('Title of the class as filed').nullable(),
  value: usd('Value, US dollars, without options'),
  shares: shares('Shares, without options and without principal of debt'),
  option_value: usd('Value of puts and calls on the security, US dollars'),
  principal: usd('Principal of debt securities, US dollars'),
  period_of_report: date('Last day of the quarter'),
})

/**
 * Members that rows have with `changes=true`, in addition to the members that the contract of the API names. A row with
 * changes has one kind of amount, and never mixes an option with shares.
 */
const changed = z
  .object({
    kind: z.enum(['SH', 'PRN']).describe('SH: shares; PRN: principal of debt'),
    put_call: z
      .string()
      .nullable()
      .describe('Put or Call if the row is an option on the security; null if it is the security itself'),
    change: z
      .enum(CHANGES)
      .nullable()
      .describe(
        'Change of the amount since the quarter before; null if nothing is compared, or an amount is unknown. Amounts are compared by CUSIP and not adjusted, so a split or a new CUSIP appears as a change',
      ),
    amount: amount('Shares or principal; for an option, the underlying shares; null if unknown').nullable(),
    amount_before: amount('Amount a quarter before; null if unknown').nullable(),
    amount_change: amount('Change of the amount since the quarter before; null if unknown').nullable(),
    value_before: usd('Value a quarter before, US dollars; for an option, the value of the option').nullable(),
    value_change: usd(
      'Change of the value since the quarter before, US dollars; for an option, the change of its value',
    ).nullable(),
  })
  .partial()

/** The holdings of a manager; the members that the contract of the API names come first. */
export const held13f = z
  .object({
    manager: z
      .object({
        name: report.columns.manager_name,
        cik: filer.columns.cik,
        city: report.columns.city,
        state: report.columns.state,
      })
      .meta({ id: 'HoldingsManager' })
      .nullable(),
    latest_period: date('Last day of the quarter of the positions').nullable(),
    position_count: z.int().describe('Number of securities held, on all pages, without closed positions'),
    total_value: usd(
      'Total value of all lines, US dollars. It includes options, as the totals in the tables of managers do',
    ).nullable(),
    positions: z.array(held.extend(changed.shape).meta({ id: 'Position' })),
    trend: z
      .array(
        z
          .object({ period_of_report: date('Last day of the quarter'), total_value: usd('US dollars').nullable() })
          .meta({ id: 'QuarterValue' }),
      )
      .describe('Value of the holdings at the end of each quarter, newest first'),
    next_cursor: nextCursor,
    quarter: quarter
      .optional()
      .describe(
        'The quarter of the positions. Present if the request has a query parameter, and if any quarter is known',
      ),
    changes: z
      .object({
        before: quarter.describe('The quarter before'),
        compared: z
          .boolean()
          .describe('True if both quarters have complete reports; otherwise all changes are null, and `note` says why'),
        note: z.string().nullable().describe('Why nothing is compared; null if both quarters are compared'),
        new_count: rowsWith('new'),
        added_count: rowsWith('added'),
        reduced_count: rowsWith('reduced'),
        closed_count: rowsWith('closed'),
        unchanged_count: rowsWith('unchanged'),
      })
      .meta({ id: 'HoldingsChanges' })
      .optional()
      .describe('Changes since the quarter before. Present with changes=true, if any quarter is known'),
    row_count: z
      .int()
      .optional()
      .describe('Number of rows of positions on all pages. Present if the request has a query parameter'),
    ...notLoaded,
  })
  .meta({ id: 'Holdings' })

export type Held = z.infer<typeof held13f>

/** The holdings of an adviser. */
export const adviserHeld = z
  .object({
    match: z.boolean().describe('True if a manager that reports holdings on Form 13F was found'),
    ...held13f.shape,
    next_cursor: nextCursorOnRequest,
  })
  .meta({ id: 'AdviserHoldings' })

export type AdviserHeld = z.infer<typeof adviserHeld>

/** A manager in the list of managers. */
export const managerRow = z
  .object({
    cik: filer.columns.cik,
    name: report.columns.manager_name,
    city: report.columns.city,
    state: report.columns.state,
    crd: report.columns.crd,
    sec_file_number: report.columns.sec_file_number,
    period: filer.columns.period,
    value: filer.columns.value,
    position_count: filer.columns.position_count,
    accession: filer.columns.accession,
    filed_date: filer.columns.filed_date,
  })
  .meta({ id: 'Manager' })
