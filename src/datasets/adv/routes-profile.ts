import { z } from 'zod'
import { crd, get, list } from '../../declare/route.ts'
import { nothing, notLoaded } from '../../serve/loaded.ts'
import { formerName, fundsByType, fundsRest, lat, lng } from './answers.ts'
import { readFrom, sections } from './answers-sections.ts'
import { ADDRESSES_MAX, NAMES_MAX, profile as readProfile } from './queries/profile.ts'
import { adviser as advisers } from './rollups.ts'
import { SECTIONS } from './sections.ts'
import { firm } from './tables.ts'
import { advAdviser } from './views.ts'

const own = advisers.columns

const shown = firm.columns

const registration = z
  .object({
    feed: shown.feed,
    source: z
      .string()
      .describe(
        'Feed that shows this registration, and the first day on which the feed showed it: IA_FIRM_SEC 2026-07-23',
      ),
    shown_since: z.iso.date().nullable().describe('Day of the first feed that had the firm'),
    gone_on: z.iso.date().nullable().describe('Day of the first feed without the firm; null while a feed has it'),
    sec_file_number: shown.sec_number,
    sec_region: shown.sec_region,
    is_umbrella: z
      .boolean()
      .nullable()
      .describe(
        'Whether one registration covers several advisers under one management (umbrella); null when not stated',
      ),
    type: shown.registration_type,
    status: shown.registration_status,
    status_date: shown.registration_date,
    filing_date: shown.filing_date,
    form_version: shown.form_version,
    notice_filings: shown.notice_filings,
    state_registrations: shown.state_registrations,
    era_states: shown.era_states,
  })
  .meta({ id: 'AdviserRegistration' })

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
    fax: own.fax,
    mailing_address: own.mailing_address,
    lat,
    lng,
    has_website: own.has_website,
    primary_website: own.primary_website,
    has_web_addresses: own.has_web_addresses,
    web_addresses: z
      .array(z.string())
      .nullable()
      .describe(
        `Item 1.I: web addresses as filed, without those at social-media platforms; only the first ${ADDRESSES_MAX} (include=linked has all); null if the item is unknown`,
      ),
    web_address_count: z
      .int()
      .nullable()
      .describe('Number of all web addresses of Item 1.I that are not at social-media platforms'),
    social_addresses: z
      .array(z.string())
      .nullable()
      .describe(`Item 1.I: addresses at social-media platforms; only the first ${ADDRESSES_MAX}`),
    social_address_count: z.int().nullable().describe('Number of all addresses at social-media platforms'),
    lei: own.lei,
    execution_type: own.execution_type,
    employees: own.employees,
    latest_raum: own.latest_raum,
    private_fund_assets: own.private_fund_assets,
    first_filing_date: own.first_filing_date,
    latest_filing_date: own.latest_filing_date,
    former_names: z
      .array(formerName)
      .describe(`Former names of the firm, the latest first; at most ${NAMES_MAX} (include=linked has all)`),
    former_name_count: z.int().describe('Number of all former names'),
    sources: own.sources.describe(
      'Source of each value that is merged from several sources, by the name of its field: {"legal_name": "filing 2107670", "zip": "IA_FIRM_SEC 2026-07-23"}. Null values have no source',
    ),
  })
  .describe('The firm as its newest filing shows it, and the source of each value')
  .meta({ id: 'Adviser' })

const latestFiling = z
  .object({
    id: own.latest_id,
    filing_id: own.latest_filing_id,
    filing_date: own.latest_filing_date,
    filing_type: own.latest_filing_type,
    form_version: own.form_version,
    total_clients: own.total_clients,
    discretionary_aum: own.discretionary_aum,
    non_discretionary_aum: own.non_discretionary_aum,
    total_raum: own.latest_raum,
    total_accounts: own.total_accounts,
    accounts_discretionary: own.accounts_discretionary,
    accounts_non_discretionary: own.accounts_non_discretionary,
    gives_continuous_supervision: own.gives_continuous_supervision,
    total_assets: own.total_assets,
    clients_individuals: own.clients_individuals,
    clients_hnw: own.clients_hnw,
    clients_banks: own.clients_banks,
    clients_investment_cos: own.clients_investment_cos,
    clients_pooled: own.clients_pooled,
    clients_other: own.clients_other,
    clients: own.clients,
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
    employees: own.employees,
    advisory_employees: own.advisory_employees,
    advises_private_funds: own.advises_private_funds,
    has_disciplinary: own.has_disciplinary,
  })
  .describe(
    'The newest filing; a value that the monthly data files leave blank is taken from a daily feed with the same filing date',
  )
  .meta({ id: 'AdviserFiling' })

const SOURCES = { series: { ...advAdviser.sources.series, ADV_W: 'withdrawals are not known' } }

const include = list(
  z.enum([...SECTIONS, 'all'], {
    error: ({ input }) => `unknown section ${JSON.stringify(input)}; use all or some of ${SECTIONS.join(', ')}`,
  }),
  `Sections to add, or all: ${SECTIONS.join(', ')}`,
  { min: 0 },
)

export const profile = get('/adv/advisers/by-crd/{crd}', {
  name: 'adv_adviser',
  summary: 'Show an adviser’s profile',
  description:
    'The names and addresses of an adviser, its newest filing, and the number of its private funds; `include` adds further sections. Every section is a list of rows; sections.read_from names the filing from which each section comes. Schedules and disclosure pages are those of the newest filing in the monthly data files, which can be older than the newest filing that the daily feeds show. Amounts are decimal strings of US dollars.',
  tag: 'advisers',
  reads: ['links'],
  leads: {
    found: { crd: { in: 'adv.adviser', by: 'crd' } },
    also: [
      {
        ...{ name: 'company', in: 'links.link', by: 'crd', gives: 't.cik', order: 't.confidence desc, t.cik' },
        to: '/companies/{cik}',
      },
    ],
  },
  input: { crd, include: include.optional() },
  examples: [{ crd: '108477' }, { crd: '999000001', include: 'funds,people' }],
  output: z
    .object({
      adviser,
      latest_filing: latestFiling,
      funds_total: own.fund_count,
      funds_by_type: fundsByType,
      funds_rest: fundsRest,
      fund_values_by_type: own.fund_values,
      dominant_fund_type: own.dominant_fund_type,
      registrations: z
        .array(registration)
        .describe('Registrations of the firm with the SEC and with the states, as the daily feeds show them'),
      sections: z
        .object({
          available: z.array(z.enum(SECTIONS)).describe('Sections that `include` accepts'),
          included: z.array(z.enum(SECTIONS)).describe('Sections that this answer contains'),
          read_from: z.array(readFrom).describe('The filing from which each included section comes'),
        })
        .meta({ id: 'AdviserSections' }),
      ...sections,
      ...notLoaded,
    })
    .meta({ id: 'AdviserProfile' }),
  run: async ({ crd, include = [] }, { sql }) => {
    const wanted = SECTIONS.filter((name) => include.includes('all') || include.includes(name))
    return (await readProfile(sql, crd, wanted, SOURCES)) ?? nothing(sql, advAdviser.sources)
  },
})
