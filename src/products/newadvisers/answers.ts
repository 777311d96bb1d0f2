/** Shapes of answers. */
import { z } from 'zod'
import { advAdviser } from '../../datasets/adv/views.ts'
import { countedValues, nextCursor } from '../../declare/paging.ts'
import { notLoaded } from '../../serve/loaded.ts'

const { crd, firm_name, first_filing_date, adviser_type, latest_raum, has_disciplinary, primary_website } =
  advAdviser.columns

const row = z
  .object({
    crd,
    firm_name,
    location: z.string().nullable().describe('City with state, or with country if there is no state'),
    ...{ first_filing_date, adviser_type, latest_raum, has_disciplinary, primary_website },
  })
  .meta({ id: 'NewAdviser' })

export const page = z
  .object({ rows: z.array(row), ...countedValues, next_cursor: nextCursor, ...notLoaded })
  .meta({ id: 'NewAdviserPage' })

export type Page = z.infer<typeof page>
