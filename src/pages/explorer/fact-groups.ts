/** Headings for the facts of a thing that has too many facts for one list, by the name of the thing's shape. */
import { z } from 'zod'

export interface FactGroup {
  title: string
  /** Members of the group, with their labels in this group; null for the usual label. */
  members: Readonly<Record<string, string | null>>
  /** Whether each member is a yes-or-no flag: if so, the group is shown as one list with marks. */
  isChoice?: true
}

const GROUPS: Readonly<Record<string, readonly FactGroup[]>> = {
  Status: [
    {
      title: 'Feed of current filings',
      members: {
        ...{ day_count: 'Days covered', followed_day_count: 'Days on which it was read' },
        ...{ open_gap_count: 'Open gaps', unread_entry_count: 'Unread entries' },
      },
    },
    { title: 'Filings', members: { unlisted_count: 'Not in the index', of_sets_count: 'Only from quarterly sets' } },
  ],
  AdviserProfile: [{ title: 'Private funds', members: { funds_total: 'Number', dominant_fund_type: 'Most are' } }],
  Adviser: [
    {
      title: 'Name and numbers',
      members: {
        ...{ firm_name: 'Name', legal_name: 'Legal name', business_name: 'Business name', crd: 'CRD number' },
        ...{ sec_file_number: null, lei: null, former_name_count: 'Former names' },
      },
    },
    {
      title: 'Registration',
      members: {
        ...{ adviser_type: 'Kind', registration_status: 'Status', registration_date: 'Since', is_terminated: 'Ended' },
        ...{ terminated_on: 'Ended on', feed: 'Source', execution_type: 'Execution page' },
        ...{ first_filing_date: 'First filing', latest_filing_date: 'Newest filing' },
      },
    },
    { title: 'Size', members: { latest_raum: null, private_fund_assets: null, employees: null } },
    {
      title: 'Office',
      members: {
        ...{ street: null, city: null, state: null, zip: null, country: null, phone: null, fax: null, lat: null },
        ...{
          lng: null,
          has_website: 'Has a website',
          primary_website: 'Website',
          has_web_addresses: 'Lists addresses',
        },
        ...{ web_addresses: 'Web addresses', social_addresses: 'Social media' },
        ...{ web_address_count: 'Number of web addresses', social_address_count: 'Number on social media' },
      },
    },
  ],
  AdviserFiling: [
    {
      title: 'The filing',
      members: { filing_id: 'Number', filing_date: null, filing_type: 'Kind', form_version: 'Version of the form' },
    },
    {
      title: 'What it manages',
      members: {
        ...{ total_raum: null, discretionary_aum: 'With discretion', non_discretionary_aum: 'Without discretion' },
        ...{ total_accounts: 'Accounts', accounts_discretionary: 'Accounts with discretion' },
        ...{ accounts_non_discretionary: 'Accounts without discretion', total_assets: 'Its own assets' },
        ...{ gives_continuous_supervision: 'Manages continuously', advises_private_funds: 'Advises private funds' },
      },
    },
    {
      title: 'How it is paid',
      isChoice: true,
      members: {
        ...{ comp_pct_aum: 'A share of the assets', comp_hourly: 'By the hour', comp_subscription: 'Subscriptions' },
        ...{ comp_fixed: 'Fixed fees', comp_commissions: 'Commissions', comp_performance: 'Performance fees' },
        ...{ comp_other: 'In other ways' },
      },
    },
    {
      title: 'Whom it serves',
      isChoice: true,
      members: {
        ...{ serves_individuals: 'Individuals', serves_hnw: 'Wealthy individuals', serves_pensions: 'Pension plans' },
        ...{ serves_investment_cos: 'Registered funds', serves_pooled: 'Private funds and other pools' },
        ...{ serves_charities: 'Charities', serves_corps: 'Companies', serves_state_municipal: 'States and cities' },
        ...{ serves_other: 'Others' },
      },
    },
    {
      title: 'Number of clients',
      members: {
        ...{ total_clients: 'All', clients_individuals: 'Individuals', clients_hnw: 'Wealthy individuals' },
        ...{ clients_banks: 'Banks', clients_investment_cos: 'Registered funds', clients_pooled: 'Pools' },
        ...{ clients_other: 'Others' },
      },
    },
    {
      title: 'People and conduct',
      members: {
        ...{ employees: null, advisory_employees: 'Employees who advise', has_disciplinary: 'Reports disclosures' },
      },
    },
  ],
}

/** Members that are left out, because the page shows the same facts elsewhere. */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  Adviser: ['id'],
  AdviserFiling: ['id'],
  AdviserProfile: ['web_addresses', 'social_addresses'],
}

const idOf = (type: z.ZodType | null): string | undefined =>
  type ? (z.globalRegistry.get(type)?.id as string | undefined) : undefined

/** The headings for the facts of a shape; none for a shape that has few facts. */
export const groupsOf = (type: z.ZodType | null): readonly FactGroup[] => GROUPS[idOf(type) ?? ''] ?? []

/**
 * Whether the page shows a fact elsewhere. The id of a security is such a fact if it equals the CUSIP of the security.
 */
export const isRepeatedFact = (
  type: z.ZodType | null,
  name: string,
  values: Readonly<Record<string, unknown>>,
): boolean =>
  (REPEATED[idOf(type) ?? '']?.includes(name) ?? false) || (name === 'sec_id' && values.sec_id === values.cusip)
