import { z } from 'zod'
import { crd, get, limit, list } from '../../core/route.ts'
import { profile as readProfile } from './queries-profile.ts'
import { similarTo } from './queries-similar.ts'
import { adviser as advisers, link } from './rollups.ts'
import * as shown from './sections.ts'
import { SECTIONS } from './sections.ts'
import { filing_type, withdrawal } from './tables.ts'

const own = advisers.columns
/** Columns that the answer has as JSON numbers. */
const lat = z.number().nullable().describe('Latitude of the postal code of the office; null outside the United States')
const lng = z.number().nullable().describe('Longitude of it')

const adviser = z
  .object({
    id: own.crd,
    crd: own.crd,
    sec_file_number: own.sec_file_number,
    adviser_type: own.adviser_type,
    firm_name: own.firm_name,
    legal_name: own.legal_name,
    business_name: own.business_name,
    registration_status: own.registration_status,
    registration_date: own.registration_date,
    is_terminated: own.is_terminated,
    terminated_on: own.terminated_on,
    feed: own.feed,
    street: own.street,
    city: own.city,
    state: own.state,
    country: own.country,
    zip: own.postal_code,
    phone: own.phone,
    lat,
    lng,
    has_website: own.has_website,
    primary_website: own.primary_website,
    execution_type: own.execution_type,
    employees: own.employees,
    latest_raum: own.latest_raum,
    private_fund_assets: own.private_fund_assets,
    first_filing_date: own.first_filing_date,
    latest_filing_date: own.latest_filing_date,
    sources: own.sources,
  })
  .describe('The firm as its newest filing shows it, and where each value is from')

const latestFiling = z
  .object({
    id: own.latest_id,
    filing_id: own.latest_filing_id,
    filing_date: own.latest_filing_date,
    filing_type: own.latest_filing_type,
    total_clients: own.total_clients,
    discretionary_aum: own.discretionary_aum,
    non_discretionary_aum: own.non_discretionary_aum,
    total_raum: own.latest_raum,
    total_accounts: own.total_accounts,
    total_assets: own.total_assets,
    clients_individuals: own.clients_individuals,
    clients_hnw: own.clients_hnw,
    clients_banks: own.clients_banks,
    clients_investment_cos: own.clients_investment_cos,
    clients_pooled: own.clients_pooled,
    clients_other: own.clients_other,
    client_shares: own.client_shares,
    comp_pct_aum: own.comp_pct_aum,
    comp_hourly: own.comp_hourly,
    comp_subscription: own.comp_subscription,
    comp_fixed: own.comp_fixed,
    comp_commissions: own.comp_commissions,
    comp_performance: own.comp_performance,
    comp_other: own.comp_other,
    serves_individuals: own.serves_individuals,
    serves_hnw: own.serves_hnw,
    serves_investment_cos: own.serves_investment_cos,
    serves_pooled: own.serves_pooled,
    serves_pensions: own.serves_pensions,
    serves_charities: own.serves_charities,
    serves_corps: own.serves_corps,
    serves_state_municipal: own.serves_state_municipal,
    serves_other: own.serves_other,
    has_disciplinary: own.has_disciplinary,
  })
  .describe('Its newest filing; values that it leaves blank are filled from other sources of the same day')

/** What every section has: where it is from, and rows; some have further lists. */
const section = <R extends z.ZodRawShape, L extends z.ZodRawShape>(rows: R, meaning: string, lists?: L) =>
  z
    .object({
      filing_id: z
        .string()
        .nullable()
        .describe('Filing that it is from; null where only a feed shows the newest, or none'),
      filing_date: z.iso.date().nullable().describe('Day of that filing'),
      source: z.string().nullable().describe('ADV_FILING_DATA, the monthly data files; or the feed: IA_FIRM_SEC'),
      rows: z.array(z.object(rows)).describe(meaning),
      ...(lists as L),
    })
    .optional()

const notice = withdrawal.columns

const sections = {
  filings: section(
    {
      ...shown.filed,
      filing_type: z.string().nullable().describe('What it is, in the words of ADV_Filing_Types; several by "; "'),
      fiscal_year: filing_type.columns.fiscal_year,
    },
    'All filings of Form ADV in the data files, the newest first; one that made the firm another kind of adviser twice',
    {
      withdrawals: z
        .array(
          z.object({
            filing_id: notice.filing_id,
            date: notice.date,
            form_type: notice.form_type,
            status: notice.status,
            is_business_ceased: notice.is_business_ceased,
            ceased_date: notice.ceased_date,
            reasons: notice.reasons,
          }),
        )
        .describe('Its Forms ADV-W, the newest first'),
    },
  ),
  funds: section(shown.funds, 'Section 7.B.(1): private funds that the firm reports, as filed', {
    reported: z
      .array(z.object(shown.reported))
      .describe('Section 7.B.(2): private funds that it advises and another adviser reports'),
  }),
  service_providers: section(
    {
      ...shown.providers,
      fund_count: z.int().describe('Funds that it serves'),
      fund_ids: z.array(z.string()).describe('Their 805- numbers, where given'),
    },
    'Section 7.B.(1) B: auditors, prime brokers, custodians, administrators and marketers, by kind, those of most funds first',
  ),
  drp: section(shown.disclosures, 'Disclosure reporting pages, and the affiliates that each concerns'),
  people: section(shown.people, 'Schedules A and B: owners and executive officers'),
  branches: section(shown.branches, 'Section 1.F: other offices'),
  part1a: section(
    {
      member: z
        .string()
        .describe('File that the answers stand in: IA_ADV_Base_A, ADV_Base_B, Schedule_D_…; or the feed'),
      items: z.record(z.string(), z.unknown()).describe('Answers as filed, by column; of a feed by item and attribute'),
    },
    'Every item of the newest filing as filed, by file, that no other section has',
  ),
  sma: section(shown.accounts, 'Section 5.K: separately managed accounts'),
  linked: section(
    shown.links,
    'Related persons (7.A), relying advisers (R), CIKs (1.D), names (1.B), web addresses (1.I)',
    {
      ciks: z
        .array(
          z.object({
            cik: link.columns.cik,
            method: link.columns.method,
            confidence: z.number().describe('0 to 1: 1 for what the firm states itself'),
            evidence: link.columns.evidence,
          }),
        )
        .describe('Filers of EDGAR that are, or may be, the firm, the most certain first'),
    },
  ),
}

const include = list(
  z.enum([...SECTIONS, 'all'], {
    error: ({ input }) => `${JSON.stringify(input)} is no section; use all or some of ${SECTIONS.join(', ')}`,
  }),
  `Sections to add, or all: ${SECTIONS.join(', ')}`,
  { min: 0 },
)

export const profile = get('/adv/advisers/by-crd/{crd}', {
  name: 'adv_adviser',
  summary: 'One adviser: who it is, its newest filing and its private funds by number; sections on request',
  description:
    'Every section is of one shape: the filing that it is from (filing_id, filing_date, source) and rows. Schedules and disclosure pages are those of the newest filing in the monthly data files, which can be older than the newest filing that the daily feeds show. Amounts are decimal strings of US dollars.',
  tag: 'adv',
  input: { crd, include: include.optional() },
  output: z.object({
    adviser,
    latest_filing: latestFiling,
    funds_total: own.fund_count,
    funds_by_type: z
      .union([z.record(z.string(), z.int()), z.array(z.never())])
      .describe('Funds of Section 7.B.(1) by type; an empty array when none is known'),
    sections: z.object({ available: z.array(z.enum(SECTIONS)), included: z.array(z.enum(SECTIONS)) }),
    ...sections,
  }),
  run: ({ crd, include = [] }, { sql }) => {
    const wanted = SECTIONS.filter((name) => include.includes('all') || include.includes(name))
    return readProfile(sql, crd, wanted)
  },
})

const part = (meaning: string) => z.number().min(0).max(1).describe(meaning)

const similarAnswer = z.object({
  items: z.array(
    z.object({
      id: own.crd,
      crd: own.crd,
      firm_name: own.firm_name,
      city: own.city,
      state: own.state,
      lat,
      lng,
      total_raum: own.latest_raum,
      latest_filing_date: own.latest_filing_date,
      has_disciplinary: own.has_disciplinary,
      dominant_fund_type: own.dominant_fund_type,
      shared_fund_types: z.array(z.string()).describe('Types of private funds that both advise, sorted'),
      sim_size: part('The smaller regulatory assets divided by the larger; without any, gross assets of private funds'),
      sim_serves: part('Cosine of the client mixes, Item 5.D'),
      sim_fund: part('Cosine of the private funds by type; 1 where neither has any'),
      sim_comp: part('Cosine of the compensation boxes, Item 5.E'),
      same_state: part('1 for an office in the same state, else 0'),
      score: part('.35 sim_size + .30 sim_serves + .20 sim_fund + .10 sim_comp + .05 same_state'),
    }),
  ),
})

export type SimilarAnswer = z.infer<typeof similarAnswer>

export const similar = get('/adv/advisers/by-crd/{crd}/similar', {
  name: 'adv_similar',
  summary: 'The advisers most like one, best first',
  description:
    'All scores are 0 to 1, rounded to four decimals. sim_size is the ratio of regulatory assets (5.F), both 0 being 1; advisers that report none are compared among themselves, by the gross assets of their private funds. sim_serves is the cosine of the shares of regulatory assets by type of client (5.D), or of numbers of clients where a firm gives no assets, or of the boxes "fewer than 5". sim_fund is the cosine of gross assets of private funds by type (7.B.(1)), or of their numbers; two firms without private funds are alike. sim_comp is the cosine of the boxes of 5.E. A part is 0 where either firm gives nothing. score weighs the parts as shown; equal scores are ordered by CRD number. Firms whose registration ended are not suggested, nor are firms that agree in nothing but the state.',
  tag: 'adv',
  input: { crd, limit: limit({ max: 25, default: 10 }) },
  output: similarAnswer,
  run: ({ crd, limit }, { sql }) => similarTo(sql, crd, limit),
})
