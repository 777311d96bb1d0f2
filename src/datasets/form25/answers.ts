/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { removal } from './tables.ts'

const { accession, filed_date } = removal.row.shape
const { submission_type, exchange_cik, exchange_name, issuer_cik, issuer_name, security_class, rule, signed } =
  removal.columns

export const row = z
  .object({
    ...{ accession, filed_date, submission_type, amended_by: amendedBy, exchange_cik, exchange_name },
    ...{ issuer_cik, issuer_name, security_class, rule, signed },
  })
  .meta({ id: 'Form25Row' })

export const answer = z
  .object({
    filing: removal.row
      .omit({ name_key: true, name_words: true })
      .extend({ amended_by: amendedBy })
      .meta({ id: 'Form25Removal' }),
    other_filings: z.array(row).describe('Up to 200 other notices about the same issuer that were read, newest first'),
  })
  .meta({ id: 'Form25Detail' })

export type Detail = z.infer<typeof answer>
