/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { text } from '../../declare/table.ts'
import { LINKS } from './chain.ts'
import { report } from './tables.ts'

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

/** The filing that a schedule amends, and the filings that amend it. */
export const chain = z.object({
  link: z
    .enum(LINKS)
    .describe(
      'original: no amendment. Of an amendment: stated, it names the filing that it amends; sequence, it is the next of the same filer, issuer and schedule; not_held, that filing is not here; ambiguous, two were filed on one day',
    ),
  amends: row.nullable().describe('The filing that it amends, where that is known for certain and held here'),
  amended_by: z.array(row).describe('The filings that amend this one for certain, the last filed first'),
})

export type Chain = z.infer<typeof chain>
