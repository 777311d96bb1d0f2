/** Lists Forms 3, 4 and 5. */
import { rowsOf } from '../../serve/lists.ts'
import { filing } from './answers.ts'
import { report } from './tables.ts'
import { ownershipAmended } from './views.ts'

export const rows = rowsOf({
  of: report,
  row: filing,
  shown: {
    owners: (sql) => sql`
      (select coalesce(jsonb_agg(jsonb_build_object('cik', o.cik, 'name', o.name,
        'is_director', o.is_director, 'is_officer', o.is_officer, 'is_ten_percent_owner', o.is_ten_percent_owner,
        'is_other', o.is_other, 'officer_title', o.officer_title, 'other_relationship', o.other_relationship)
        order by o.position), '[]') from ownership.owner o where o.accession = t.accession)`,
  },
  amended: ownershipAmended,
})
