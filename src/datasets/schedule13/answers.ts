/** Shapes of answers. */
import { z } from 'zod'
import { text } from '../../declare/table.ts'
import { contact, item, person, report, security, signature } from './tables.ts'

const { submission_type, cik, cusip, event_date, shares, percent, previous_accession } = report.columns

const other = z
  .object({
    accession: report.row.shape.accession,
    filed_date: report.row.shape.filed_date,
    submission_type,
    cik,
    person: text('First person that reports in it').nullable(),
    cusip,
    event_date,
    shares,
    percent,
    previous_accession,
  })
  .meta({ id: 'Schedule13FilingRow' })

export const answer = z
  .object({
    filing: report.row.omit({ name_key: true, name_words: true }).meta({ id: 'Schedule13Report' }),
    securities: z.array(security.parsed.meta({ id: 'Schedule13Security' })).describe('CUSIPs that the cover states'),
    persons: z
      .array(person.parsed.meta({ id: 'Schedule13Person' }))
      .describe('Who reports, in the order of the filing'),
    contacts: z.array(contact.parsed.meta({ id: 'Schedule13Contact' })).describe('Who receives notices (13D)'),
    items: z
      .array(item.parsed.meta({ id: 'Schedule13Item' }))
      .describe('Answers to the items, in the order of the form'),
    signatures: z.array(signature.parsed.meta({ id: 'Schedule13Signature' })),
    other_filings: z
      .array(other)
      .describe('Up to 200 other Schedules 13D and 13G about the same issuer that were read, newest first'),
  })
  .meta({ id: 'Schedule13Detail' })

export type Detail = z.infer<typeof answer>
