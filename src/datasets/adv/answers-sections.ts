/** Shapes of the sections of a firm's profile. */
import { z } from 'zod'
import { advFiling, count, date } from '../../declare/table.ts'
import { linksLink } from '../../products/links/views.ts'
import { formerName } from './answers.ts'
import * as shown from './sections.ts'
import { filing_type, withdrawal_line } from './tables.ts'

/** Every section has its source and rows; some have further lists. */
const section = <R extends z.ZodRawShape, L extends z.ZodRawShape>(
  id: string,
  row: z.ZodObject<R>,
  meaning: string,
  lists?: L,
) =>
  z
    .object({
      filing_id: advFiling('Filing that it is from; null where only a feed shows the newest, or none').nullable(),
      filing_date: date('Day of that filing').nullable(),
      source: z
        .enum(['ADV_FILING_DATA', 'IA_FIRM_SEC', 'IA_FIRM_STATE'])
        .nullable()
        .describe('ADV_FILING_DATA, the monthly data files; or the feed that shows the newest'),
      rows: z.array(row).describe(meaning),
      ...(lists as L),
    })
    .meta({ id })
    .optional()

const { member, details } = withdrawal_line.columns

const items = z
  .object({
    member: z.string().describe('File that the answers stand in: IA_ADV_Base_A, ADV_Base_B, Schedule_D_…; or the feed'),
    items: z.record(z.string(), z.unknown()).describe('Answers as filed, by column; of a feed by item and attribute'),
  })
  .meta({ id: 'FormADVItems' })

/** The sections of a profile by name. */
export const sections = {
  filings: section(
    'AdviserFilings',
    z
      .object({
        ...shown.filed,
        filing_type: z.string().nullable().describe('What it is, in the words of ADV_Filing_Types; several by "; "'),
        fiscal_year: filing_type.columns.fiscal_year,
      })
      .meta({ id: 'FormADVFiling' }),
    'All filings of Form ADV in the data files, the newest first; one that made the firm another kind of adviser twice',
    {
      withdrawals: z
        .array(
          z
            .object({
              ...shown.withdrawals,
              lines: z.array(z.object({ member, details }).meta({ id: 'FormADVWLine' })),
            })
            .meta({ id: 'FormADVW' }),
        )
        .describe('Its Forms ADV-W, the newest first, each with the lines of its Schedules W1 and W2'),
    },
  ),
  funds: section(
    'AdviserFunds',
    z.object(shown.funds).meta({ id: 'PrivateFund' }),
    'Section 7.B.(1): private funds that the firm reports, as filed',
    {
      reported: z
        .array(z.object(shown.reported).meta({ id: 'ReportedPrivateFund' }))
        .describe('Section 7.B.(2): private funds that it advises and another adviser reports'),
    },
  ),
  service_providers: section(
    'AdviserServiceProviders',
    z
      .object({
        ...shown.providers,
        fund_count: count('Funds that it serves'),
        fund_ids: z.array(z.string()).describe('Their 805- numbers, where given'),
      })
      .meta({ id: 'FundServiceProvider' }),
    'Section 7.B.(1) B: auditors, prime brokers, custodians, administrators and marketers, by kind, those of most funds first',
  ),
  drp: section(
    'AdviserDisclosures',
    z.object(shown.disclosures).meta({ id: 'AdviserDisclosure' }),
    'Disclosure reporting pages, and the affiliates that each concerns',
  ),
  people: section(
    'AdviserPeople',
    z.object(shown.people).meta({ id: 'AdviserOwner' }),
    'Schedules A and B: owners and executive officers',
  ),
  branches: section(
    'AdviserBranches',
    z.object(shown.branches).meta({ id: 'AdviserBranch' }),
    'Section 1.F: other offices',
  ),
  part1a: section(
    'AdviserPart1A',
    items,
    'Every item of the newest filing as filed, by file, that no other section has',
    {
      schedules: z
        .object({
          filing_id: z.string().nullable().describe('Filing that they are from; null without rows'),
          filing_date: z.iso.date().nullable().describe('Day of that filing'),
          rows: z.array(items),
        })
        .meta({ id: 'FormADVSchedules' })
        .describe(
          'The same of the newest filing in the data files, where the newest filing is known from a feed alone; else without rows',
        ),
    },
  ),
  sma: section(
    'AdviserAccounts',
    z.object(shown.accounts).meta({ id: 'SeparatelyManagedAccounts' }),
    'Section 5.K: separately managed accounts',
  ),
  linked: section(
    'AdviserLinks',
    z.object(shown.links).meta({ id: 'AdviserRelation' }),
    'Related persons (7.A), relying advisers (R), CIKs (1.D), names (1.B), web addresses (1.I)',
    {
      ciks: z
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
        .describe('Filers of EDGAR that are, or may be, the firm, the most certain first'),
      web_addresses: z
        .array(z.string())
        .nullable()
        .describe('All web addresses of Item 1.I, as adviser has the first of them'),
      social_addresses: z.array(z.string()).nullable().describe('All addresses at social-media platforms'),
      former_names: z.array(formerName).describe('All names that the firm had, the latest first'),
    },
  ),
}
