/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { acquisition, notice, past_sale, plan, sale } from './tables.ts'

const { submission_type, previous_accession, seller_cik, seller_name, notice_date } = notice.columns
const { source, issuer_cik, issuer_name, relationships } = notice.columns

export const other = z
  .object({
    accession: notice.row.shape.accession,
    filed_date: notice.row.shape.filed_date,
    submission_type,
    previous_accession,
    seller_cik,
    seller_name,
    notice_date,
    amended_by: amendedBy,
  })
  .meta({ id: 'Form144OtherNotice' })

export const row = z
  .object({
    accession: notice.row.shape.accession,
    filed_date: notice.row.shape.filed_date,
    ...{
      submission_type,
      source,
      previous_accession,
      amended_by: amendedBy,
      issuer_cik,
      issuer_name,
      seller_cik,
      seller_name,
    },
    ...{ relationships, notice_date },
    sales: z
      .array(
        sale.parsed
          .pick({ security_class: true, units: true, market_value: true, sale_date: true, exchange: true })
          .meta({ id: 'Form144SaleRow' }),
      )
      .describe('What is to be sold (Item 3), in the order of the notice; empty where source is text'),
  })
  .meta({ id: 'Form144Row' })

const hidden = { name_key: true, name_words: true, seller_key: true, seller_words: true } as const

export const answer = z
  .object({
    filing: notice.row.omit(hidden).extend({ amended_by: amendedBy }).meta({ id: 'Form144Notice' }),
    sales: z.array(sale.parsed.meta({ id: 'Form144Sale' })).describe('What is to be sold (Item 3)'),
    acquisitions: z
      .array(acquisition.parsed.meta({ id: 'Form144Acquisition' }))
      .describe('How it was acquired (Table I)'),
    past_sales: z
      .array(past_sale.parsed.meta({ id: 'Form144PastSale' }))
      .describe('Sales of the past three months (Table II)'),
    plans: z
      .array(plan.parsed.meta({ id: 'Form144Plan' }))
      .describe('Plans or instructions under Rule 10b5-1 under which it is sold'),
    amended_by: z
      .array(other)
      .describe('Notices that amend this one, directly or one through another, the last filed first'),
    other_filings: z
      .array(other)
      .describe('Up to 200 other notices about the same issuer that were read, newest first'),
  })
  .meta({ id: 'Form144Detail' })

export type Detail = z.infer<typeof answer>
