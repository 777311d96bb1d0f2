/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { text } from '../../declare/table.ts'
import { evidence, PLACE } from '../../serve/evidence.ts'
import { LINKS } from './chain.ts'
import { contact, fact, item, person, report, security, signature } from './tables.ts'

const { submission_type, source, issuer_cik, issuer_name, cik, person_count, cusip, title_of_class } = report.columns
const { event_date, shares, percent, amendment_number, previous_accession } = report.columns

export const row = z
  .object({
    accession: report.row.shape.accession,
    filed_date: report.row.shape.filed_date,
    ...{ submission_type, source, issuer_cik, issuer_name, cik },
    person_name: text('First person that reports in it').nullable(),
    ...{ person_count, cusip, title_of_class, event_date, shares, percent, amendment_number, previous_accession },
    amended_by: amendedBy,
  })
  .meta({ id: 'Schedule13FilingRow' })

const hidden = { name_key: true, name_words: true, person_key: true, person_words: true } as const

export const answer = z
  .object({
    filing: report.row.omit(hidden).extend({ amended_by: amendedBy }).meta({ id: 'Schedule13Report' }),
    securities: z.array(security.parsed.meta({ id: 'Schedule13Security' })).describe('CUSIPs that the cover states'),
    persons: z
      .array(person.parsed.meta({ id: 'Schedule13Person' }))
      .describe('Who reports, in the order of the filing'),
    contacts: z.array(contact.parsed.meta({ id: 'Schedule13Contact' })).describe('Who receives notices (13D)'),
    items: z
      .array(item.parsed.meta({ id: 'Schedule13Item' }))
      .describe('Answers to the items, in the order of the form'),
    signatures: z.array(signature.parsed.meta({ id: 'Schedule13Signature' })),
    facts: z
      .array(fact.parsed.omit(PLACE).extend({ evidence }).meta({ id: 'Schedule13Fact' }))
      .describe('Of a text each fact with the row of the cover that says it; empty where XML was read'),
    link: z
      .enum(LINKS)
      .describe(
        'original: no amendment. Of an amendment: stated, it names the filing that it amends; sequence, it is the next of the same filer, issuer and schedule; not_held, that filing is not here; ambiguous, two were filed on one day',
      ),
    amends: row.nullable().describe('The filing that it amends, where that is known for certain and held here'),
    amended_by: z.array(row).describe('The filings that amend this one for certain, the last filed first'),
    other_filings: z
      .array(row)
      .describe('Up to 200 other Schedules 13D and 13G about the same issuer that were read, newest first'),
  })
  .meta({ id: 'Schedule13Detail' })

export type Detail = z.infer<typeof answer>
