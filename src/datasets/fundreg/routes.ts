import { z } from 'zod'
import { byCursor, countedBy, filedOn } from '../../declare/paging.ts'
import { accession, choice, cik, get, limit, offset, query } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { FUND_MEANING, FUND_READS } from '../../serve/funds.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { answer, page } from './answers.ts'
import * as queries from './queries.ts'

const READ = { families: { fundreg: 'fund registration statements (N-1A, N-2, 485)' } }

export const search = get('/fund-launches', {
  name: 'fund_launches',
  summary: 'List funds that are being launched',
  description:
    'New funds with the stage of their launch, newest first. A launch is a new series that an N-1A or a 485APOS announces in EDGAR’s header, or the first N-2 of a closed-end fund. A 485APOS for existing series is not a launch, nor is an N-2 of a fund that reported before. Whether an N-2 is the first is known only as far back as the loaded index goes.',
  tag: 'funds',
  reads: FUND_READS,
  bucket: 'search',
  leads: { found: { cik: { in: 'fundreg.launch', by: 'cik' } } },
  mistaken: { ids: ['q', 'cik'] },
  input: {
    q: query(`Name of the series or trust. ${NAME_MEANING} ${FUND_MEANING}`).optional(),
    cik: cik.describe('CIK of the trust, or of the closed-end fund, with or without leading zeros').optional(),
    from: filedOn.from.describe('Only funds whose announcement was filed on this day or later'),
    to: filedOn.to.describe('Only funds whose announcement was filed on this day or earlier'),
    bucket: choice(['etf', 'cef'], 'etf: open-end funds and ETFs; cef: closed-end funds').optional(),
    sort: choice(
      queries.SORTS,
      'Sorts by the date of filing, by the name of the series, or by stage_date: the day on which the launch reached its stage',
    ).default('date'),
    dir: choice(['asc', 'desc'], 'Ascending (asc) or descending (desc) order').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(['bucket', 'month']),
  },
  examples: [
    {},
    { bucket: 'cef' },
    { q: 'ishares', sort: 'name', dir: 'asc' },
    { cik: '1100663', from: '2020-01-01', to: '2026-12-31' },
  ],
  output: page,
  unrequested: 'null',
  rows: 'rows',
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.rows.length > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = get('/fund-launches/by-accession/{accession}', {
  name: 'fund_launch',
  summary: 'Show the launch of a fund',
  description:
    'The series and classes of a new fund, its stages, its fees, its expense examples, its prose, and who works for the fund. The accession of any registration statement or summary prospectus of a fund is accepted. Fees and examples are taken from tags, else read from the tables in the text, each with its position. If the source of a part is missing, the answer lacks that part; a new filing may have only its series.',
  tag: 'funds',
  reads: ['ncen', 'nport'],
  input: {
    accession,
    series: z
      .string()
      .regex(/^S\d{9}$/, { error: 'must be S and nine digits' })
      .describe(
        'Series to show if the filing announces several: S and nine digits. Without this parameter, the first series is shown',
      )
      .optional(),
  },
  examples: [{ accession: '0001193125-24-100942' }, { accession: '9000000151-23-000001', series: 'S000099002' }],
  output: answer,
  run: async (input, { sql }) =>
    (await queries.detail(sql, input.accession, input.series)) ?? nothing(sql, READ, input.accession),
})
