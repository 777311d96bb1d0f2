/** Shapes of answers about the filings of an adviser. */
import { z } from 'zod'
import { count, crd, date } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'

const adviser = crd('CRD number of the adviser')

export const activity = z
  .object({
    crd: adviser,
    from: z.iso.date().describe('First day that is counted'),
    days: z.array(
      z
        .object({
          form: z.string().describe('ADV, ADV-W, or the form code of EDGAR'),
          d: date('Day of filing'),
          n: count('Filings of that form on that day'),
        })
        .meta({ id: 'FilingDay' }),
    ),
    covered: z
      .array(
        z
          .object({
            source: z
              .string()
              .describe(
                'ADV_FILING_DATA: the months of the data files of Form ADV. ADV_W: the months of the data files of withdrawals. edgar: the listed filings',
              ),
            from: z.iso.date().describe('First covered day; for edgar, the day of the oldest filing'),
            to: z.iso.date().describe('Last covered day; for edgar, the day of the newest filing'),
          })
          .meta({ id: 'CoveredDays' }),
      )
      .describe(
        'Days for which filings are known; on any other day there may have been filings that `days` lacks. Empty with the bundled sample, which has only a selection of filings',
      ),
    ...notLoaded,
  })
  .meta({ id: 'FilingActivity' })

export type FilingActivity = z.infer<typeof activity>
