/** Sections of a firm's profile and their columns, for the query and for the schema of the answer. */
import type { Columns } from '../../declare/table.ts'
import {
  branch,
  disclosure,
  filing,
  fund,
  fund_provider,
  fund_reported,
  owner,
  related,
  sma,
  withdrawal,
} from './tables.ts'

export const SECTIONS = [
  'filings',
  'funds',
  'service_providers',
  'drp',
  'people',
  'branches',
  'part1a',
  'sma',
  'linked',
] as const

export type Section = (typeof SECTIONS)[number]

function without<C extends Columns, K extends keyof C>(columns: C, ...names: K[]): Omit<C, K> {
  return Object.fromEntries(Object.entries(columns).filter(([name]) => !(names as string[]).includes(name))) as Omit<
    C,
    K
  >
}

/** Filings without their answers (30 KB each): part1a has the newest ones. */
export const filed = without(filing.columns, 'crd', 'base_a')
/** Forms ADV-W; their lines are a separate list next to them. */
export const withdrawals = without(withdrawal.columns, 'crd')

/** Funds of Sections 7.B.(1) and 7.B.(2). */
export const funds = without(fund.columns, 'filing_id')
export const reported = without(fund_reported.columns, 'filing_id')
/** One row for each provider, with all its funds: a firm's funds mostly share providers. */
export const providers = without(fund_provider.columns, 'filing_id', 'reference_id')
export const disclosures = without(disclosure.columns, 'filing_id')
export const people = without(owner.columns, 'filing_id')
export const branches = without(branch.columns, 'filing_id')
export const accounts = without(sma.columns, 'filing_id')
export const links = without(related.columns, 'filing_id')
