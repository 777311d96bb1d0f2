/** Shapes of answers. */
import { z } from 'zod'
import { countedValues, nextCursorOnRequest } from '../../declare/paging.ts'
import { text } from '../../declare/table.ts'
import { headerAddress } from '../../serve/header-address.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { statement } from './tables.ts'

const { accession, filed_date } = statement.row.shape
const { form, category, is_preliminary, is_amendment, cik, company_name, company_count } = statement.columns
const { filed_by_cik, filed_by_name, meeting_date, meeting_kind, record_date, proposal_count } = statement.columns

export const row = z
  .object({
    ...{ accession, cik, form_type: form, filed_date, company_name, company_count },
    ...{ category, is_preliminary, is_amendment },
    ...{ filed_by_cik, filed_by_name, meeting_date, meeting_kind, record_date, proposal_count },
  })
  .meta({ id: 'ProxyRow' })

export const page = z
  .object({ rows: z.array(row), ...countedValues, next_cursor: nextCursorOnRequest, ...notLoaded })
  .meta({ id: 'ProxyPage' })

export type ProxyPage = z.infer<typeof page>

const part = (meaning: string) => text(meaning).nullable()

export const leftOut = statement.columns.left_out.describe('Facts that the statement gives only ambiguously')

export const issuer = z
  .object({
    cik,
    company_name,
    sic: part('Standard industrial classification, four digits'),
    sic_description: part('Name of the industry in the words of the SEC'),
    state_of_incorporation: part('State of incorporation as an EDGAR code'),
    fiscal_year_end: part('End of the fiscal year, MMDD'),
    address: headerAddress.nullable().describe('Business address'),
  })
  .meta({ id: 'ProxyIssuer' })
  .describe('The company according to the header of the filing')
