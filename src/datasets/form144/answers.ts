/** Shapes of rows. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { notice, sale } from './tables.ts'

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
      .describe('What is to be sold (Item 3), in the order of the notice; empty if `source` is `text`'),
  })
  .meta({ id: 'Form144Row' })
