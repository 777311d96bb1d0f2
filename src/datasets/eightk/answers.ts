/** Shapes of answers. */
import { z } from 'zod'
import { countedTotal, nextCursorOnRequest } from '../../declare/paging.ts'
import { text } from '../../declare/table.ts'
import { evidence, PLACE } from '../../serve/evidence.ts'
import { filingRow } from '../../serve/filings-of.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { delisting, earnings, fact, filing, item, officer, section } from './tables.ts'

export const KINDS = ['officer', 'earnings', 'delisting', 'item'] as const

const person = z.object(officer.columns).omit(PLACE).extend({ evidence }).meta({ id: 'OfficerEvent' })
const results = z.object(earnings.columns).meta({ id: 'EarningsRelease' })
const listing = z.object(delisting.columns).meta({ id: 'DelistingNotice' })

const { accession, cik, company_name, form_type, filed_date, period_of_report } = filingRow.shape

const row = z
  .object({
    ...{ accession, cik, company_name, form_type, filed_date, period_of_report },
    item: item.columns.item,
    title: item.columns.title,
    source: item.columns.source,
    excerpt: item.columns.excerpt,
    officers: z
      .array(person)
      .nullable()
      .describe(
        'With kind=officer: the events of the filing; empty where none is certain, null where the text has no such item',
      ),
    earnings: results
      .nullable()
      .describe('With kind=earnings: period and headline figures; null where the text has no such item'),
    delisting: listing
      .nullable()
      .describe('With kind=delisting: what the exchange says; null where the text has no such item'),
  })
  .meta({ id: 'CurrentReportEvent' })

export const page = z
  .object({
    kind: z.enum(KINDS).describe('The kind asked for'),
    rows: z.array(row),
    ...countedTotal,
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
        ...{ accession, cik, company_name, form_type, filed_date, period_of_report },
        items: filing.columns.items,
        items_differ: filing.columns.items_differ,
        left_out_count: filing.columns.left_out_count,
      })
      .meta({ id: 'CurrentReportFiling' }),
    items: z
      .array(z.object(item.columns).omit({ filed_date: true }).meta({ id: 'CurrentReportItem' }))
      .describe('Every item by the header or by the text; where they disagree both stand with their source'),
    sections: z
      .array(z.object(section.columns).meta({ id: 'CurrentReportSection' }))
      .describe('The items that have a text, in its order'),
    officers: z
      .array(person)
      .describe(
        'Who comes, goes or is paid, each with the sentence that says it (item 5.02, before 2004-08-23 item 6)',
      ),
    earnings: results.nullable().describe('Null where the text has no item 2.02'),
    delisting: listing.nullable().describe('Null where the text has no item 3.01'),
    facts: z
      .array(z.object(fact.columns).omit(PLACE).extend({ evidence }).meta({ id: 'CurrentReportFact' }))
      .describe('What other items state, each with the sentence that says it'),
    exhibits: z.array(exhibit).describe('The exhibits that were filed with it'),
  })
  .meta({ id: 'CurrentReportDetail' })

export type Detail = z.infer<typeof answer>
