/** Shapes of the answer. */
import { z } from 'zod'
import { moment } from '../../declare/moment-type.ts'
import { accession, cik, date, text } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'

const filing = z
  .object({
    accession: accession('SEC accession number'),
    form_type: text('Form code in the index'),
    filed_date: date('Date the SEC gives as the filing date'),
    cik: cik('First filer'),
    company_name: text('Name of the first filer'),
    family: text('Slug of the family that the form belongs to; null if the form belongs to no family').nullable(),
    url: text('Path of the filing; if EDGAR removed the filing, the answer at this path says so'),
  })
  .meta({ id: 'EventFiling' })

const event = z
  .object({
    event_number: z.int().describe('Number of the event, greater than the number of every earlier event'),
    what: z
      .enum(['added', 'corrected', 'removed', 'restored'])
      .describe(
        'What happened to the thing that `key` names. added: it is new. corrected: it may have changed. removed: it is gone. restored: EDGAR lists a removed filing again',
      ),
    source: text('filings: the index of EDGAR. Otherwise the dataset whose rows changed: formd, adv'),
    key: text(
      'Accession of a filing, or series/record of a bulk series. Null if too many things changed to name them: then read all of this source again',
    ).nullable(),
    learned_at: moment.describe('When this service learned of the change'),
    filing: filing
      .nullable()
      .describe(
        'The filing that `key` names, as the index has it. If EDGAR removed the filing, it is shown as the index had it before. Null if `key` names no filing',
      ),
  })
  .meta({ id: 'Event' })

export const page = z
  .object({
    events: z.array(event),
    next_after: z.int().describe('Value of `after` for the next request'),
    is_end: z.boolean().describe('True if no event follows this page yet'),
    ...notLoaded,
  })
  .meta({ id: 'EventPage' })

export type EventRow = z.infer<typeof event>
