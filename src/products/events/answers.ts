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
    family: text('Family of the form; null for one that no family claims').nullable(),
    url: text('Path of the filing, which for one that EDGAR took back says so'),
  })
  .meta({ id: 'EventFiling' })

const event = z
  .object({
    event_number: z.int().describe('Number of the event, greater than that of every event before it'),
    what: z
      .enum(['added', 'corrected', 'removed', 'restored'])
      .describe(
        'added: it was not there. corrected: it may be another now. removed: it is gone. restored: a filing that was removed is listed by EDGAR again',
      ),
    source: text('filings: the index of EDGAR. Else the dataset whose rows of it changed: formd, adv'),
    key: text(
      'Accession of a filing, or series/record of a bulk series. Null: too many to be named, so all of this source is to be read again',
    ).nullable(),
    learned_at: moment.describe('When this service learned of it'),
    filing: filing.nullable().describe('The filing that the key names, as the index has it or had it'),
  })
  .meta({ id: 'Event' })

export const page = z
  .object({
    events: z.array(event),
    next_after: z.int().describe('What to send as after to ask for what comes next'),
    is_end: z.boolean().describe('Whether there is nothing behind this page yet'),
    ...notLoaded,
  })
  .meta({ id: 'EventPage' })

export type EventRow = z.infer<typeof event>
