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
    person_name: text(
      'The person with the largest percentage in the filing. If several persons have this percentage, such as a group that reports the same shares, the first of them',
    ).nullable(),
    ...{ person_count, cusip, title_of_class, event_date, shares, percent, amendment_number, previous_accession },
    amended_by: amendedBy,
  })
  .meta({ id: 'Schedule13FilingRow' })

/** The filing that a schedule amends, and the filings that amend it. */
export const chain = z.object({
  link: z
    .enum(LINKS)
    .describe(
      'original: the filing is not an amendment. stated: the amendment names the filing that it amends. sequence: it amends the filing before it by the same filer about the same issuer on the same schedule. not_held: the amended filing is not stored. ambiguous: two such filings were filed on the same day',
    ),
  amends: row
    .nullable()
    .describe('The filing that this filing amends, if the amended filing is known for certain and is loaded'),
  amended_by: z.array(row).describe('The filings that certainly amend this filing, newest first'),
})

export type Chain = z.infer<typeof chain>
