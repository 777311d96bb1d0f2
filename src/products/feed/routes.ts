import { z } from 'zod'
import { SPINE } from '../../declare/catalog.ts'
import { byCursor, countedBy, filedOn } from '../../declare/paging.ts'
import { choice, cik, get, limit, list, offset, query, states, whole } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { withMissing } from '../../serve/loaded.ts'
import { answer, source } from './answers.ts'
import * as queries from './queries.ts'
import { DIRECTIONS, SORTS, SOURCES } from './queries-keyset.ts'

const FILINGS = { formd: 'notices on Form D', rega: 'Regulation A filings', crowdfunding: 'filings on Form C' }

export const search = get('/feed', {
  name: 'feed',
  summary: 'List exempt offerings (Form D, Reg A, Form C)',
  description:
    'Fundraising filings of Form D, Regulation A and Regulation Crowdfunding, newest first. An amendment restates the amounts of the filing that it amends. `amended_by` of the amended row names the amendment; do not add up the amounts of both. In the default order, the answer always has a next_cursor. In any other order, next_cursor is null unless the request has paginate=cursor or a cursor.',
  tag: 'fundraising',
  reads: [...SOURCES, SPINE],
  bucket: 'search',
  leads: {
    found: {
      cik: [
        { in: 'formd.offering', by: 'cik' },
        { in: 'rega.submission', by: 'cik' },
        { in: 'crowdfunding.submission', by: 'cik', isCounted: false },
      ],
    },
  },
  mistaken: { ids: ['q', 'cik'] },
  input: {
    type: list(source, 'Sources of the filings; without this parameter, all sources').optional(),
    q: query(`Name of the company. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of the company, with or without leading zeros').optional(),
    ...filedOn,
    state: states.optional(),
    industry: list(z.string(), 'Industries, spelled as in rows; case does not matter', { commas: true }).optional(),
    min_amount: whole({ describe: 'Minimum amount offered, US dollars' }).optional(),
    sort: choice(SORTS, 'Order of the list; missing values come last').default('date'),
    dir: choice(DIRECTIONS, 'Ascending (asc) or descending (desc) order').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    ...countedBy(['type', 'state', 'industry', 'month']),
  },
  examples: [
    { type: 'formd,crowdfunding' },
    { q: 'masterworks', state: 'NY,CA' },
    { industry: 'Pooled Investment Fund' },
    { cik: '1882020', from: '2020-01-01', to: '2026-12-31' },
    { sort: 'amount', dir: 'desc', min_amount: '1000000' },
  ],
  output: answer,
  unrequested: ({ sort, dir }) => (sort === 'date' && dir === 'desc' ? undefined : 'null'),
  rows: 'rows',
  run: async ({ type, ...input }, { sql }) => {
    const sources = type ?? SOURCES
    await queries.assertIndustries(sql, input.industry)
    const families = Object.fromEntries(sources.map((name) => [name, FILINGS[name]]))
    const page = await queries.search(sql, { ...input, sources })
    return withMissing(sql, { families }, queries.marked(sql, page))
  },
})
