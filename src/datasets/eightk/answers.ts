/** Shapes of answers. */
import { z } from 'zod'
import { countedValues, nextCursorOnRequest } from '../../declare/paging.ts'
import { text } from '../../declare/table.ts'
import { evidence, PLACE } from '../../serve/evidence.ts'
import { filingRow } from '../../serve/filings-of.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { delisting, earnings, fact, filing, item, officer, section, vote } from './tables.ts'
import { EVENT_KINDS } from './tables-words.ts'

export const KINDS = ['officer', 'earnings', 'delisting', ...EVENT_KINDS, 'item'] as const

const person = z.object(officer.columns).omit(PLACE).extend({ evidence }).meta({ id: 'OfficerEvent' })
const { period, period_end, revenue, net_income, eps_diluted } = earnings.columns
const results = z
  .object({
    ...earnings.columns,
    periods: z
      .array(z.object({ period, period_end, revenue, net_income, eps_diluted }).meta({ id: 'EarningsPeriod' }))
      .describe('Each period for which the release states figures; the main period of the results comes first'),
  })
  .meta({ id: 'EarningsRelease' })
const stated = z.object(fact.columns).omit(PLACE).extend({ evidence }).meta({ id: 'CurrentReportFact' })
const counted = z.object(vote.columns).omit(PLACE).extend({ evidence }).meta({ id: 'CurrentReportVote' })
const listing = z.object(delisting.columns).meta({ id: 'DelistingNotice' })

const { accession, cik, company_name, form_type, filed_date, period_of_report } = filingRow.shape
const filer_count = z
  .int()
  .describe('Number of filers of the report. If there are several, an event or a figure may be about any of them')

const row = z
  .object({
    ...{ accession, cik, company_name, filer_count, form_type, filed_date, period_of_report },
    item: item.columns.item,
    title: item.columns.title,
    source: item.columns.source,
    excerpt: item.columns.excerpt,
    officers: z
      .array(person)
      .nullable()
      .describe(
        'With kind=officer: events of officers and directors. Empty if no event is certain; null if the text has no item on officers',
      ),
    earnings: results
      .nullable()
      .describe('With kind=earnings: period and headline figures; null if the text has no item on results'),
    delisting: listing
      .nullable()
      .describe('With kind=delisting: the notice of the exchange; null if the text has no item on listings'),
    facts: z
      .array(stated)
      .nullable()
      .describe(
        'The facts of the event, each with its evidence. Null if the kind is none of agreement, termination, deal, exit, sale, amendment, repurchase and dividend',
      ),
    votes: z.array(counted).nullable().describe('With kind=vote: votes for each nominee and on each proposal'),
  })
  .meta({ id: 'CurrentReportEvent' })

export const page = z
  .object({
    kind: z.enum(KINDS).describe('The requested kind'),
    rows: z.array(row),
    ...countedValues,
    next_cursor: nextCursorOnRequest,
    ...notLoaded,
  })
  .meta({ id: 'CurrentReportPage' })

export type Page = z.infer<typeof page>

const exhibit = z
  .object({
    sequence: z.int().describe('Sequence of the document in the submission'),
    type: text('Type of the document: EX-99.1'),
    description: text('Description that the filer gave').nullable(),
    filename: text('File name').nullable(),
  })
  .meta({ id: 'CurrentReportExhibit' })

export const answer = z
  .object({
    filing: z
      .object({
        ...{ accession, cik, company_name, filer_count, form_type, filed_date, period_of_report },
        items: filing.columns.items,
        items_differ: filing.columns.items_differ,
        left_out_count: filing.columns.left_out_count,
        left_out: filing.columns.left_out,
      })
      .meta({ id: 'CurrentReportFiling' }),
    items: z
      .array(z.object(item.columns).omit({ filed_date: true }).meta({ id: 'CurrentReportItem' }))
      .describe('Every item that the header or the text lists, with its source'),
    sections: z
      .array(z.object(section.columns).meta({ id: 'CurrentReportSection' }))
      .describe('Sections of the items that have text, in the order of the text'),
    officers: z
      .array(person)
      .describe(
        'Directors and officers who are appointed, leave or are paid, each with the sentence that says so (item 5.02, before 2004-08-23 item 6)',
      ),
    earnings: results
      .nullable()
      .describe('Period and headline figures of the results; null if the text has no item 2.02'),
    delisting: listing.nullable().describe('The notice of the exchange; null if the text has no item 3.01'),
    votes: z
      .array(counted)
      .describe(
        'Votes of holders for each nominee and on each proposal (item 5.07), each with the row or sentence that states them',
      ),
    facts: z
      .array(stated)
      .describe('Facts that items other than 5.02 state, each with the sentence that states the fact'),
    exhibits: z.array(exhibit).describe('The exhibits that were filed with the report'),
  })
  .meta({ id: 'CurrentReportDetail' })

export type Detail = z.infer<typeof answer>
