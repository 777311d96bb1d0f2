/**
 * Columns that feed and data files share, with the same types. So the merged record of an adviser can take each column
 * from the newer source.
 */
import { z } from 'zod'
import { boolean, count, json, text, usd } from '../../../declare/table.ts'

/** Types of client in the order of Item 5.D, (a) to (n). */
export const CLIENT_TYPES = [
  'individuals',
  'hnw',
  'banks',
  'investment_cos',
  'bdcs',
  'pooled',
  'pensions',
  'charities',
  'state_municipal',
  'advisers',
  'insurers',
  'sovereign',
  'corporations',
  'other',
] as const

const clientType = z.enum(CLIENT_TYPES)

const clients = z
  .object({
    count: count('5.D(1): number of clients').nullable(),
    fewer_than_5: z
      .boolean()
      .nullable()
      .describe('5.D(2): the box "fewer than 5 clients", which some advisers tick instead of giving a number'),
    raum: usd('5.D(3): regulatory assets of the clients of this type, whole US dollars').nullable(),
  })
  .meta({ id: 'ClientsOfType' })

export const figures = {
  employees: count('Item 5.A: number of employees, without clerical staff').nullable(),
  advisory_employees: count('Item 5.B(1): number of employees who perform investment advisory functions').nullable(),
  gives_continuous_supervision: boolean(
    'Item 5.F(1): provides continuous and regular supervisory or management services to securities portfolios',
  ).nullable(),
  raum_discretionary: usd(
    'Item 5.F(2)(a): discretionary regulatory assets under management, whole US dollars',
  ).nullable(),
  raum_non_discretionary: usd('Item 5.F(2)(b): non-discretionary regulatory assets, whole US dollars').nullable(),
  raum_total: usd(
    'Item 5.F(2)(c): total regulatory assets under management, whole US dollars; null if blank, which is not 0',
  ).nullable(),
  accounts_discretionary: count('Item 5.F(2)(d): number of discretionary accounts').nullable(),
  accounts_non_discretionary: count('Item 5.F(2)(e): number of non-discretionary accounts').nullable(),
  accounts_total: count('Item 5.F(2)(f): total number of accounts').nullable(),
  clients: json(
    z.partialRecord(clientType, clients),
    'Item 5.D: number of clients, box "fewer than 5" and regulatory assets for each type of client; types without an answer are left out. Empty for forms before 10/2017, which ask for percentages',
  ),
  comp_pct_aum: boolean('Item 5.E(1): compensated by a percentage of assets under management').nullable(),
  comp_hourly: boolean('Item 5.E(2): compensated by hourly charges').nullable(),
  comp_subscription: boolean('Item 5.E(3): compensated by subscription fees for a newsletter or periodical').nullable(),
  comp_fixed: boolean('Item 5.E(4): compensated by fixed fees other than subscription fees').nullable(),
  comp_commissions: boolean('Item 5.E(5): compensated by commissions').nullable(),
  comp_performance: boolean('Item 5.E(6): compensated by performance-based fees').nullable(),
  comp_other: boolean('Item 5.E(7): compensated by other means').nullable(),
  advises_private_funds: boolean('Item 7.B: advises a private fund').nullable(),
  has_disciplinary: boolean(
    'Item 11: whether any question on disciplinary history is answered yes; null if none is answered',
  ).nullable(),
}

/** A postal address in its parts, each as filed. */
export const address = z
  .object({
    street1: z.string().nullable().describe('Street'),
    street2: z.string().nullable().describe('Second line of the street'),
    city: z.string().nullable().describe('City'),
    state: z.string().nullable().describe('State, two letters'),
    country: z.string().nullable().describe('Name of the country'),
    postal_code: z.string().nullable().describe('Postal code'),
  })
  .meta({ id: 'MailingAddress' })

/** The principal office, Item 1.F: its address, telephone and facsimile. */
export const office = {
  street1: text('Item 1.F(1): street of the principal office; null if the office is a private residence').nullable(),
  street2: text('Item 1.F(1): second line of the street').nullable(),
  city: text('Item 1.F(1): city').nullable(),
  state: text('Item 1.F(1): state, two letters; null outside the United States').nullable(),
  country: text('Item 1.F(1): name of the country').nullable(),
  postal_code: text('Item 1.F(1): postal code').nullable(),
  phone: text('Item 1.F(3): telephone, as filed').nullable(),
  fax: text('Item 1.F(4): facsimile, as filed').nullable(),
}
