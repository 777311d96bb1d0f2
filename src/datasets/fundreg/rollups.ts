/** Rollups of fund launches. `queries-refresh.ts` makes them from the announcements and later filings. */
import { accession, cik, count, date, integer, nameWords, rollup, text, texts } from '../../declare/table.ts'
import { BUCKETS, STAGES } from './tables-words.ts'

const own = accession('Accession number of the filing that announces the fund')
const key = text('Key of the fund: series identifier, S and nine digits; for a fund without series, its CIK')
const stage = text('Stage of the launch', { values: STAGES })

export const launch = rollup(
  'fundreg.launch',
  'One row per fund that a filing announces: a new series of an open-end fund or ETF, or a closed-end fund by its first N-2',
  ['accession', 'fund'],
  {
    accession: own,
    fund: key,
    cik: cik('CIK of the trust, or of the closed-end fund'),
    form: text('Form code of the filing that announces the fund'),
    filed_date: date('Date the SEC gives as the filing date of the announcement'),
    trust_name: text('Name of the trust, or of the closed-end fund').nullable(),
    series_id: text('Series identifier; null for a fund without series').nullable(),
    series_name: text('Name of the series; for a fund without series, the name of the fund'),
    name_key: text('Name of the series or fund, normalized for comparison: accents stripped, lower case'),
    name_words: nameWords('Words by which a search finds the series and the trust: names.ts'),
    class_count: count('Number of classes of the series'),
    tickers: texts('Tickers of the fund’s classes, from the newest filing that has any'),
    bucket: text('ETF/OEF: an open-end fund or ETF; CEF: a closed-end fund', { values: BUCKETS }),
    stage,
    stage_date: date('Day on which the launch reached its stage'),
  },
  {
    indexes: [
      // An index for each order of the list, which queries read in both directions. For the order by filing date, a second
      // index begins with the bucket.
      '(filed_date, accession, fund)',
      '(bucket, filed_date, accession, fund)',
      '(name_key, accession, fund)',
      '(stage_date, accession, fund)',
      '(cik, filed_date, accession, fund)',
    ],
  },
)

export const step = rollup(
  'fundreg.step',
  'One row per stage that a launch reached',
  ['launch_accession', 'fund', 'n'],
  {
    launch_accession: own,
    fund: key,
    n: integer('Number of the stage, from 1, in the order of days'),
    stage,
    date: date('Day of the stage: the day of effectiveness if the filing names one, else the filing date'),
    accession: accession('Accession number of the filing that states the stage'),
    form: text('Form code of the filing that states the stage'),
  },
)
