import { z } from 'zod'
import { byCursor, counted, filedOn } from '../../declare/paging.ts'
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
    'New funds and how far they have come, newest first. A new series that an N-1A or a 485APOS announces in EDGAR’s header, or a closed-end fund by its first N-2. A 485APOS for series that exist announces none, nor does an N-2 of a fund that reported before. Which N-2 is the first is known as far as the index that is loaded goes back.',
  tag: 'funds',
  reads: FUND_READS,
  bucket: 'search',
  leads: { found: { cik: { in: 'fundreg.launch', by: 'cik' } } },
  input: {
    q: query(`Name of the series or trust. ${NAME_MEANING} ${FUND_MEANING}`).optional(),
    cik: cik.describe('CIK of the trust, or of the closed-end fund, with or without leading zeros').optional(),
    from: filedOn.from.describe('First day of filing of the announcement'),
    to: filedOn.to.describe('Last day of it'),
    bucket: choice(['etf', 'cef'], 'etf: open-end funds and ETFs; cef: closed-end funds').optional(),
    sort: choice(
      queries.SORTS,
      'date of filing, name of the series, or stage_date: the day on which it came to its stage',
    ).default('date'),
    dir: choice(['asc', 'desc'], 'Direction').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...counted,
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
    'The series and classes of a new fund, its stages, its fees, its prose, and who works for the fund. Any registration statement or summary prospectus of a fund is found. Fees are as tagged, else read from the table as text, each with its place. A part whose source is missing is left out: a new filing has only its series.',
  tag: 'funds',
  reads: ['ncen', 'nport'],
  input: {
    accession,
    series: z
      .string()
      .regex(/^S\d{9}$/, { error: 'must be S and nine digits' })
      .describe('Series to look at where the filing announces several: S and nine digits. Without it the first')
      .optional(),
  },
  examples: [{ accession: '0001193125-24-100942' }, { accession: '9000000151-23-000001', series: 'S000099002' }],
  output: answer,
  run: async (input, { sql }) =>
    (await queries.detail(sql, input.accession, input.series)) ?? nothing(sql, READ, input.accession),
})
