/** Views of representatives that other slices may read. */
import { text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { person } from './tables.ts'

const { indvl_pk, first_nm, mid_nm, last_nm, suf_nm } = person.columns

export const repsPerson = view(
  'pub.reps_person',
  'One row per representative, with the current firm (the one joined last, if there are several)',
  {
    ...{ indvl_pk, first_nm, mid_nm, last_nm, suf_nm },
    firm_name: text(
      'Name of the current firm that the person joined last; null if the person is not registered with any firm',
    ).nullable(),
  },
  `
select p.indvl_pk, p.first_nm, p.mid_nm, p.last_nm, p.suf_nm, s.org_nm as firm_name
from person p
left join lateral (
  select org_nm from stint where indvl_pk = p.indvl_pk and is_current order by start_date desc nulls last, n desc limit 1
) s on true`,
)
