/** The shape of a row. */
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
