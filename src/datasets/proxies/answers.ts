/** Shapes of answers. */
import { z } from 'zod'
import { countedTotal, nextCursorOnRequest } from '../../declare/paging.ts'
import { text } from '../../declare/table.ts'
import { evidence, PLACE } from '../../serve/evidence.ts'
import { headerAddress } from '../../serve/header-address.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { fact, pay, proposal, statement } from './tables.ts'

const { accession, filed_date } = statement.row.shape
const { form, category, is_preliminary, is_amendment, cik, company_name } = statement.columns
const { filed_by_cik, filed_by_name, meeting_date, meeting_kind, record_date, proposal_count } = statement.columns

const row = z
  .object({
    ...{ accession, cik, form_type: form, filed_date, company_name, category, is_preliminary, is_amendment },
    ...{ filed_by_cik, filed_by_name, meeting_date, meeting_kind, record_date, proposal_count },
  })
  .meta({ id: 'ProxyRow' })

export const page = z
  .object({ rows: z.array(row), ...countedTotal, next_cursor: nextCursorOnRequest, ...notLoaded })
  .meta({ id: 'ProxyPage' })

export type ProxyPage = z.infer<typeof page>

const part = (meaning: string) => text(meaning).nullable()

const stated = fact.parsed
  .omit({ n: true, ...PLACE })
  .extend({ evidence })
  .meta({ id: 'ProxyFact' })

export const answer = z
  .object({
    filing: row
      .extend({
        left_out: statement.columns.left_out.describe('Facts of which it says something that was not certain'),
      })
      .meta({ id: 'ProxyFiling' }),
    issuer: z
      .object({
        cik,
        company_name,
        sic: part('Standard industrial classification, four digits'),
        sic_description: part('That industry in the words of the SEC'),
        state_of_incorporation: part('State of incorporation as an EDGAR code'),
        fiscal_year_end: part('End of the fiscal year, MMDD'),
        address: headerAddress.nullable().describe('Business address'),
      })
      .meta({ id: 'ProxyIssuer' })
      .describe('The company, as the header of the filing has it'),
    meeting: z
      .object({ date: meeting_date, kind: meeting_kind, record_date })
      .meta({ id: 'ProxyMeeting' })
      .describe('What the statement says of the meeting; null where it does not say so for certain'),
    proposals: z
      .array(proposal.parsed.meta({ id: 'ProxyProposal' }))
      .describe('What is put to the vote, in the order of the statement; empty where no list of it is whole'),
    facts: z.array(stated).describe('Each fact with the sentence or line that says it'),
    pay_versus_performance: z
      .array(pay.parsed.omit({ n: true }).meta({ id: 'ProxyPay' }))
      .describe('One row a fiscal year and principal executive officer, as tagged since December 2022'),
    other_filings: z.array(row).describe('Up to 200 other filings about the same company, newest first'),
  })
  .meta({ id: 'ProxyDetail' })

export type ProxyDetail = z.infer<typeof answer>
