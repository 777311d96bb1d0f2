/**
 * Shapes of the sections of a firm's profile. Each section is a list of rows; data that accompany a section are
 * separate members.
 */
import { z } from 'zod'
import { advFiling, count, date } from '../../declare/table.ts'
import { linksLink } from '../../products/links/views.ts'
import { formerName } from './answers.ts'
import * as shown from './sections.ts'
import { SECTIONS } from './sections.ts'
import { filing_type, withdrawal_line } from './tables.ts'

/** Declares a section as an array of rows. */
const section = <R extends z.ZodRawShape>(row: z.ZodObject<R>, meaning: string) =>
  z.array(row).describe(meaning).optional()

/** The filing that a section was read from. */
export const readFrom = z
  .object({
    name: z.enum(SECTIONS).describe('The section'),
    filing_id: advFiling(
      'Filing from which the section comes; null if the newest filing is unknown, or known only from a feed',
    ).nullable(),
    filing_date: date('Day of the filing from which the section comes').nullable(),
    source: z
      .enum(['ADV_FILING_DATA', 'IA_FIRM_SEC', 'IA_FIRM_STATE'])
      .nullable()
      .describe(
        'Source of the filing from which the section comes: ADV_FILING_DATA for the monthly data files, or the name of the daily feed',
      ),
  })
  .meta({ id: 'AdviserSectionSource' })

const { member, details } = withdrawal_line.columns

const items = z
  .object({
    member: z
      .string()
      .describe('File that states the answers: IA_ADV_Base_A, ADV_Base_B, Schedule_D_…; or the daily feed'),
    as_filed: z
      .record(z.string(), z.unknown())
      .describe('Answers as filed, by column; for a feed, by item and attribute'),
  })
  .meta({ id: 'FormADVItems' })

/** The sections of a profile by name, and the members that accompany some of them. */
export const sections = {
  filings: section(
    z
      .object({
        ...shown.filed,
        filing_type: z
          .string()
          .nullable()
          .describe('Type of the filing, in the words of ADV_Filing_Types; several are separated by "; "'),
        fiscal_year: filing_type.columns.fiscal_year,
      })
      .meta({ id: 'FormADVFiling' }),
    'All filings of Form ADV in the data files, newest first; a filing by which the firm became another kind of adviser is listed twice',
  ),
  withdrawals: z
    .array(
      z
        .object({
          ...shown.withdrawals,
          lines: z.array(z.object({ member, details }).meta({ id: 'FormADVWLine' })),
        })
        .meta({ id: 'FormADVW' }),
    )
    .describe('With include=filings: Forms ADV-W, newest first, each with the lines of its Schedules W1 and W2')
    .optional(),
  funds: section(
    z.object(shown.funds).meta({ id: 'PrivateFund' }),
    'Section 7.B.(1): private funds that the firm reports, as filed',
  ),
  reported_funds: z
    .array(z.object(shown.reported).meta({ id: 'ReportedPrivateFund' }))
    .describe('With include=funds: Section 7.B.(2), private funds that the firm advises and another adviser reports')
    .optional(),
  service_providers: section(
    z
      .object({
        ...shown.providers,
        fund_count: count('Number of funds that the provider serves'),
        fund_ids: z.array(z.string()).describe('805- numbers of the funds that the provider serves, where given'),
      })
      .meta({ id: 'FundServiceProvider' }),
    'Section 7.B.(1) B: auditors, prime brokers, custodians, administrators and marketers, in the order of their kinds. Within a kind, providers with the most funds come first',
  ),
  drp: section(
    z.object(shown.disclosures).meta({ id: 'AdviserDisclosure' }),
    'Disclosure reporting pages, and the affiliates that each page concerns',
  ),
  people: section(
    z.object(shown.people).meta({ id: 'AdviserOwner' }),
    'Schedules A and B: owners and executive officers',
  ),
  branches: section(z.object(shown.branches).meta({ id: 'AdviserBranch' }), 'Section 1.F: other offices'),
  part1a: section(items, 'All items of the newest filing that are in no other section, as filed, grouped by data file'),
  part1a_schedules: z
    .object({
      filing_id: z.string().nullable().describe('Filing that the rows come from; null if there are no rows'),
      filing_date: z.iso.date().nullable().describe('Day of the filing that the rows come from'),
      rows: z.array(items),
    })
    .meta({ id: 'FormADVSchedules' })
    .describe(
      'With include=part1a, and only if the adviser’s newest filing is known only from a feed: the items of `part1a` from the newest filing in the data files. Otherwise `rows` is empty',
    )
    .optional(),
  sma: section(
    z.object(shown.accounts).meta({ id: 'SeparatelyManagedAccounts' }),
    'Section 5.K: separately managed accounts',
  ),
  linked: section(
    z.object(shown.links).meta({ id: 'AdviserRelation' }),
    'Related persons (7.A), relying advisers (Schedule R), CIKs (1.D), names (1.B), web addresses (1.I)',
  ),
  linked_filers: z
    .array(
      z
        .object({
          cik: linksLink.columns.cik,
          method: linksLink.columns.method,
          confidence: linksLink.columns.confidence,
          basis: linksLink.columns.basis,
        })
        .meta({ id: 'LinkedFiler' }),
    )
    .describe('With include=linked: filers of EDGAR that are, or may be, the firm, the most certain first')
    .optional(),
  web_addresses: z
    .array(z.string())
    .nullable()
    .describe('With include=linked: all web addresses of Item 1.I; `adviser` has only the first of them')
    .optional(),
  social_addresses: z
    .array(z.string())
    .nullable()
    .describe('With include=linked: all addresses at social-media platforms')
    .optional(),
  former_names: z
    .array(formerName)
    .describe('With include=linked: all former names of the firm, the latest first')
    .optional(),
}
