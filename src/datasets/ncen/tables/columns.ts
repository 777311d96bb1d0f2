/** Columns that several tables of Form N-CEN share, and values that columns may have. */
import { boolean, integer, text } from '../../../declare/table.ts'

/** The key of a row within its filing, because rows have no natural key. */
export const numbering = { n: integer('Order in the filing, from 1') }

/** A Legal Entity Identifier, twenty letters and digits. */
export const lei = (meaning: string) => text(meaning, { entity: 'lei' })

/** A place in ISO codes, as this form gives it. */
export const place = (of: string) => ({
  state: text(`State of ${of}, two letters; null outside the United States`).nullable(),
  country: text(`Country of ${of}, two letters of ISO 3166`).nullable(),
})

/** An answer of yes or no; null without an answer. */
export const yes = (meaning: string) => boolean(meaning).nullable()

/** The fund that a row belongs to, among the funds of the filing. */
export const ofFund = {
  ...numbering,
  fund: text(
    'Key of the fund: ten digits of the CIK and, if the fund has one, the series identifier: 0000081443-S000045542',
  ).nullable(),
}

/**
 * Days from the end of a period until the next report is overdue. This is the sum of 380 for a fiscal year of 53 weeks
 * with some slack, 75 until a report is due, and 1.
 */
export const OVERDUE_DAYS = 456

export const MATTERS = [
  'vote',
  'legal_proceeding',
  'ended_proceeding',
  'financial_support',
  'qualified_opinion',
  'nav_error',
  'dividend_statement',
] as const

export const ROLES = [
  'transfer_agent',
  'pricing_service',
  'custodian',
  'shareholder_agent',
  'administrator',
  'affiliated_broker',
  'broker',
  'principal_dealer',
  'lending_agent',
  'indemnity_provider',
  'collateral_manager',
  'liquidity_service',
  'authorized_participant',
  'principal_underwriter',
  'accountant',
  'depositor',
  'sponsor',
  'trustee',
] as const

/** Sources that a report is read from. */
export const SOURCES = ['xml', 'set'] as const
