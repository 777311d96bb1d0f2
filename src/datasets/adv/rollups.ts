/** Rollups of advisers, merged from feeds and filings and keyed by CRD number. */
import { z } from 'zod'
import {
  advFiling,
  boolean,
  count,
  crd,
  date,
  decimal,
  fileNumber,
  json,
  rollup,
  text,
  texts,
  usd,
} from '../../declare/table.ts'
import { address, figures, office } from './tables/figures.ts'

const counts = z.record(z.string(), z.int())
const amounts = z.record(z.string(), z.string())
const shares = z.record(z.string(), z.number().min(0).max(1).meta({ 'x-unit': 'ratio' }))

const { clients, raum_discretionary, raum_non_discretionary, raum_total, accounts_total, ...figure } = figures

/** Types of client, Item 5.D; null if no part of the item is answered, as with exempt reporting advisers. */
const served = {
  serves_individuals: boolean(
    'Item 5.D(a): has clients who are individuals: the item states a number or assets above 0, or the box "fewer than 5" is checked',
  ).nullable(),
  serves_hnw: boolean('Item 5.D(b): has clients who are high net worth individuals').nullable(),
  serves_investment_cos: boolean('Item 5.D(d): has clients that are investment companies').nullable(),
  serves_pooled: boolean('Item 5.D(f): has clients that are pooled investment vehicles').nullable(),
  serves_pensions: boolean('Item 5.D(g): has clients that are pension and profit sharing plans').nullable(),
  serves_charities: boolean('Item 5.D(h): has clients that are charitable organisations').nullable(),
  serves_state_municipal: boolean(
    'Item 5.D(i): has clients that are state or municipal government entities',
  ).nullable(),
  serves_corps: boolean('Item 5.D(m): has clients that are corporations or other businesses').nullable(),
  serves_other: boolean('Item 5.D(n): has other clients').nullable(),
}

/** Filters of the list. */
const FILTERS = ['state', 'adviser_type', 'is_terminated', 'has_disciplinary', 'fund_type_list']

/**
 * Returns an index for one order of the list. The index includes all filter columns, so that the list reads only the
 * index, even for a page far from the first.
 */
const order = (...columns: string[]) =>
  `(${[...columns, 'crd'].join(', ')}) include (${FILTERS.filter((name) => !columns.includes(name)).join(', ')})`

/**
 * One row for each adviser. Facts come from the firm's newest filing, in feeds or data files. Within one filing day,
 * the data files come first, then the SEC's feed, then the states'. A blank is filled from the next source of the same
 * day, never from an older filing.
 */
export const adviser = rollup(
  'adv.adviser',
  'One row per adviser, with the facts of its newest filing, from feeds or data files',
  ['crd'],
  {
    crd: crd('CRD number of the firm, digits without leading zeros'),
    firm_name: text('Primary business name, else legal name, else the letters CRD and the CRD number'),
    name_key: text('The firm name, normalized for comparison'),
    legal_name: text('Item 1.A: full legal name').nullable(),
    business_name: text('Item 1.B: primary business name').nullable(),
    adviser_type: text('IA: registered adviser. ERA: exempt reporting adviser', { values: ['IA', 'ERA'] }),
    feed: text(
      'Feed that shows the firm, or that showed it last: IA_FIRM_SEC or IA_FIRM_STATE; null if no feed ever showed it',
      {
        values: ['IA_FIRM_SEC', 'IA_FIRM_STATE'],
      },
    ).nullable(),
    sec_file_number: fileNumber(
      'SEC file number: it begins with 801- for a registered adviser, and with 802- for an exempt reporting adviser',
    ).nullable(),
    number_key: text('The SEC file number, normalized for comparison: 801-16048 for 801-016048').nullable(),
    registration_status: text(
      'Status of the registration in the feed: with the SEC, else with the states. If the statuses with states differ, a status in force takes precedence, and an ended status comes last. If is_terminated is true: WITHDRAWN, TERMINATED, or the ended status in the feed. Null if the registration has not ended and no feed states a status',
    ).nullable(),
    registration_date: date(
      'Date of the registration status; if several registrations with states have not ended, the earliest of their dates. If is_terminated is true, it is equal to terminated_on',
    ).nullable(),
    is_terminated: boolean(
      'True if the registration ended: (a) a full Form ADV-W is not older than the newest filing; (b) the newest filing is the final report of an exempt reporting adviser that no feed shows any more; (c) feeds showed the firm, but none shows it now; (d) each feed that shows the firm gives an ended status; or (e) no feed ever showed the firm, and its newest filing is more than 183 days older than the SEC’s newest feed',
    ),
    terminated_on: date(
      'Day of the Form ADV-W or final report, else day of the ended status in the feed, else day of the first feed without the firm; null if unknown or if the registration has not ended',
    ).nullable(),
    ...office,
    mailing_address: json(address, 'Item 1.G: mailing address; null if it is the principal office').nullable(),
    street: text('Both lines of the street, separated by a comma').nullable(),
    city_key: text('City, normalized for comparison').nullable(),
    lat: decimal('Latitude of the postal code of the office; null outside the United States', {
      unit: 'degrees',
    }).nullable(),
    lng: decimal('Longitude of the postal code of the office; null outside the United States', {
      unit: 'degrees',
    }).nullable(),
    web_addresses: texts(
      'Item 1.I: web addresses as filed, in their order, without those at social-media platforms; null when none is given',
    ).nullable(),
    social_addresses: texts('Item 1.I: addresses at social-media platforms; null when none is given').nullable(),
    has_web_addresses: boolean('Item 1.I: has web sites or accounts at social-media platforms').nullable(),
    primary_website: text('The first web address whose host is not a social-media platform').nullable(),
    has_website: boolean(
      'Whether the firm has a web address other than social media; false if Item 1.I is answered without one, null if unknown',
    ).nullable(),
    lei: text('Item 1.P: legal entity identifier', { entity: 'lei' }).nullable(),
    form_version: text('Version of Form ADV that was filed: 10/2021').nullable(),
    execution_type: text(
      'Execution page: Domestic or Non-Resident; null if the data files have no filing of the firm',
    ).nullable(),
    latest_id: text('FilingID of the newest filing, or IA_FIRM_SEC-<crd>-<date> if only a feed shows that filing'),
    latest_filing_id: advFiling('FilingID of the newest filing; null if only a feed shows that filing').nullable(),
    latest_filing_date: date('Day of the newest filing').nullable(),
    latest_filing_type: text(
      'Type of the newest filing, in the words of ADV_Filing_Types; several types are separated by "; "',
    ).nullable(),
    first_filing_date: date(
      'Earliest known date of a registration, notice filing or Form ADV; null if no registration date is known and older filings may exist',
    ).nullable(),
    schedule_filing_id: advFiling(
      'FilingID of the newest filing in the data files, which has the newest known schedules',
    ).nullable(),
    ...figure,
    discretionary_aum: raum_discretionary,
    non_discretionary_aum: raum_non_discretionary,
    latest_raum: raum_total,
    total_accounts: accounts_total,
    total_assets: text('Item 1.O: own assets, a range as filed; null when below $1 billion or blank').nullable(),
    private_fund_assets: usd('Item 2.B of an exempt reporting adviser: private fund assets, US dollars').nullable(),
    clients: clients.nullable(),
    client_shares: json(
      shares,
      'Item 5.D: share of each type of client in the regulatory assets, or in the number of clients if no assets are given; shares of 0 are left out; null if neither is given',
    ).nullable(),
    total_clients: count('Item 5.D(1): sum of the numbers of clients; null if all are blank').nullable(),
    clients_individuals: count(
      'Item 5.D(1)(a): number of clients who are individuals without high net worth',
    ).nullable(),
    clients_hnw: count('Item 5.D(1)(b): number of clients who are high net worth individuals').nullable(),
    clients_banks: count('Item 5.D(1)(c): number of clients that are banks or thrifts').nullable(),
    clients_investment_cos: count('Item 5.D(1)(d): number of clients that are investment companies').nullable(),
    clients_pooled: count('Item 5.D(1)(f): number of clients that are pooled investment vehicles').nullable(),
    clients_other: count('Item 5.D(1)(n): number of other clients').nullable(),
    ...served,
    fund_count: count(
      'Number of funds in Sections 7.B.(1) and 7.B.(2) of the newest filing in the data files; 0 if Item 7.B is answered no; null if unknown',
    ).nullable(),
    funds_without_type: count(
      'Number of funds in Section 7.B.(1) whose type is not stated; null if unknown',
    ).nullable(),
    funds_of_others: count(
      'Number of funds in Section 7.B.(2), which another adviser reports; null if unknown',
    ).nullable(),
    fund_types: json(counts, 'Number of funds in Section 7.B.(1) by type: {"Hedge Fund": 3}; empty if none is known'),
    fund_values: json(amounts, 'Gross asset value of the funds in Section 7.B.(1) by type, US dollars'),
    fund_type_list: texts('Types of the funds in Section 7.B.(1), sorted'),
    dominant_fund_type: text(
      'Type of fund with the largest gross asset value; among types with equal values, the type with the most funds, then the first by name',
    ).nullable(),
    sources: json(
      z.record(z.string(), z.string()),
      'Source of each merged value: "filing 2107670" or "IA_FIRM_SEC 2026-07-23"; null values have no source',
    ),
  },
  {
    indexes: [
      // Orders of the list, for all firms and for the firms of one state. Unknown assets and dates come last in either
      // direction, so an index serves only one direction of such an order. An index by name serves both directions.
      order('latest_raum desc nulls last'),
      order('latest_raum asc nulls last'),
      order('latest_filing_date desc nulls last'),
      order('latest_filing_date asc nulls last'),
      order('name_key'),
      // Exempt reporting advisers have no regulatory assets, so in an index of all firms they come after 30,000 other
      // firms.
      order('adviser_type', 'latest_raum desc nulls last'),
      order('adviser_type', 'latest_raum asc nulls last'),
      order('state', 'latest_raum desc nulls last'),
      order('state', 'latest_filing_date desc nulls last'),
      order('state', 'name_key'),
      // These indexes serve orders that begin with the newest advisers and end with advisers without a date.
      '(first_filing_date desc nulls last, crd desc)',
      '(state, first_filing_date desc nulls last, crd desc)',
      '(city_key, first_filing_date desc nulls last, crd desc)',
      'using gin (name_key public.gin_trgm_ops)',
      'using gin (fund_type_list)',
      // The refresh uses this index to find firms that are known only from old filings, since the registration status
      // of these firms depends on the day of the newest feed.
      '(latest_filing_date) where feed is null and not is_terminated',
      '(number_key)',
      '(latest_filing_id)',
    ],
  },
)

export const adviser_name = rollup(
  'adv.adviser_name',
  'One row per name or number by which a search finds a firm',
  ['crd', 'kind', 'name_key'],
  {
    crd: crd('CRD number of the firm'),
    kind: text(
      'business, legal: current names. other: other business names (1.B) and a new name (1.C). former: names in older filings and feeds. sec_number, crd, cik: numbers',
    ),
    name: text('Name or number as filed'),
    name_key: text('Name or number, normalized for comparison; numbers: 801-16048, 361, 0000769993'),
  },
  { indexes: ['(name_key, crd)', 'using gin (name_key public.gin_trgm_ops)'], inner: true },
)

/** Counts of advisers for each combination of filters, so that the total of the list is a sum of few rows. */
export const adviser_tally = rollup(
  'adv.adviser_tally',
  'One row per combination of values of the list’s filters, with the number of advisers that match',
  ['fund_type', 'state', 'adviser_type', 'is_terminated', 'disciplinary'],
  {
    fund_type: text(
      'Type of private fund that the advisers have; none: advisers without a typed fund; empty: all advisers',
    ),
    state: text('State of the principal office; empty if none is given'),
    adviser_type: text('IA or ERA'),
    is_terminated: boolean('Value of adviser.is_terminated'),
    disciplinary: text('Value of adviser.has_disciplinary: yes, no or unknown'),
    advisers: count('Number of advisers that match the combination'),
  },
  { inner: true },
)
