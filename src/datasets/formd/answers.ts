/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { issuer, offering } from './tables.ts'

const { submission_type, entity_name, industry, total_offered, total_sold, total_offered_indefinite } = offering.columns

const { accession, filed_date } = offering.row.shape
const { is_amendment, previous_accession, cik, city, state, fund_type, exemptions, first_sale } = offering.columns
const { minimum_investment, investor_count } = offering.columns

export const row = z
  .object({
    ...{ accession, filed_date, submission_type, is_amendment, previous_accession, entity_name, cik, city, state },
    ...{ industry, fund_type, exemptions, first_sale, minimum_investment, total_offered, total_offered_indefinite },
    ...{ total_sold, investor_count, amended_by: amendedBy },
  })
  .meta({ id: 'FormDNoticeRow' })

/** Link between a member of a chain and the filing that it amends. */
const link = z
  .enum(['original', 'held', 'not_held', 'not_stated'])
  .describe(
    'original: a new notice. held: amends a stored filing. not_held: amends a filing that is not stored. not_stated: an amendment that names no filing',
  )

const chainMember = z
  .object({
    accession,
    filed_date,
    submission_type,
    previous_accession,
    amended_by: amendedBy,
    link,
    total_offered,
    total_sold,
    is_effective: z
      .boolean()
      .describe('True for the newest filing of the chain: its amounts are the amounts of the whole offering'),
    new_offered: total_offered.describe(
      'Change of the offering amount since the previous filing of the chain; null if either amount is unknown or indefinite',
    ),
    new_sold: total_sold.describe(
      'Amount sold since the previous filing of the chain; null if either amount is unknown',
    ),
  })
  .meta({ id: 'FormDChainMember' })

export const chain = z
  .array(chainMember)
  .describe('This notice, and the notices that it amends or that amend it, oldest first')

export const company = issuer.parsed
  .omit({ position: true })
  .describe('The primary issuer')
  .meta({ id: 'FormDCompany' })
