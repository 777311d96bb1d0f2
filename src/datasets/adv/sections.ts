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

/**
 * Columns of filings without the answers to Part 1A, which take 30 KB per filing. The section `part1a` has the answers
 * of the newest filing.
 */
export const filed = without(filing.columns, 'crd', 'base_a')
/** Columns of Form ADV-W. The lines of its schedules are a separate list in the answer. */
export const withdrawals = without(withdrawal.columns, 'crd')

/** Columns of funds of Sections 7.B.(1) and 7.B.(2). */
export const funds = without(fund.columns, 'filing_id')
export const reported = without(fund_reported.columns, 'filing_id')
/** Each provider has one row with all its funds, since most funds of a firm share their providers. */
export const providers = without(fund_provider.columns, 'filing_id', 'reference_id')
export const disclosures = without(disclosure.columns, 'filing_id')
export const people = without(owner.columns, 'filing_id')
export const branches = without(branch.columns, 'filing_id')
export const accounts = without(sma.columns, 'filing_id')
export const links = without(related.columns, 'filing_id')
