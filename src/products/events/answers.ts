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
    family: text('Family of the form; null if no family has it').nullable(),
    url: text('Path of the filing; if EDGAR removed the filing, the answer at this path says so'),
  })
  .meta({ id: 'EventFiling' })

const event = z
  .object({
    event_number: z.int().describe('Number of the event, greater than the number of every earlier event'),
    what: z
      .enum(['added', 'corrected', 'removed', 'restored'])
      .describe(
        'added: it is new. corrected: it may have changed. removed: it is gone. restored: a filing that was removed is listed by EDGAR again',
      ),
    source: text('filings: the index of EDGAR. Otherwise the dataset whose rows changed: formd, adv'),
    key: text(
      'Accession of a filing, or series/record of a bulk series. Null: too many to name, so read all of this source again',
    ).nullable(),
    learned_at: moment.describe('When this service learned of it'),
    filing: filing.nullable().describe('The filing that the key names, as the index has it or had it'),
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
