import { z } from 'zod'
import { SPINE } from '../../declare/catalog.ts'
import { byCursor } from '../../declare/paging.ts'
import { choice, get, JsonText, limit, list, offset, query, states } from '../../declare/route.ts'
import { notKnown } from '../../misspelt.ts'
import { NAME_MEANING } from '../../names.ts'
import { withMissing } from '../../serve/loaded.ts'
import { answer, type Page, row, source } from './answers.ts'
import * as queries from './queries.ts'
import { DIRECTIONS, SORTS, SOURCES } from './queries-keyset.ts'

const FILINGS = { formd: 'notices on Form D', rega: 'Regulation A filings', crowdfunding: 'filings on Form C' }

const FIELDS = row.keyof().options
const fields = (describe: string) =>
  list(
    z.enum(FIELDS, {
      error: ({ input }) => notKnown(String(input), 'field', FIELDS),
    }),
    describe,
  ).optional()

type Choice = { fields?: readonly string[] | undefined; omit?: readonly string[] | undefined }

/** Returns the page with the chosen fields of each row, in the order of the row. */
function only({ rows, ...page }: Page, { fields, omit }: Choice): JsonText {
  const chosen = FIELDS.filter((name) => (fields?.includes(name) ?? true) && !omit?.includes(name))
  const cut = rows.map((row) => Object.fromEntries(chosen.map((name) => [name, row[name]])))
  return new JsonText(JSON.stringify({ rows: cut, ...page }))
}

export const search = get('/feed', {
  name: 'feed',
  summary: 'Fundraising filings, newest first: Form D, Regulation A and crowdfunding',
  description:
    'A filing that amends another restates its amounts: amended_by of the row that it replaces names it, so that both are not summed. In the default order next_cursor is given without paginate=cursor too; in any other a cursor is taken only with it.',
  tag: 'fundraising',
  reads: [...SOURCES, SPINE],
  bucket: 'search',
  input: {
    type: list(source, 'Sources; all when absent').optional(),
    q: query(`Name of the company. ${NAME_MEANING}`).optional(),
    state: states.optional(),
    industry: list(z.string(), 'Industries as rows have them, compared without case', { commas: true }).optional(),
    sort: choice(SORTS, 'date, amount, name or state; missing values come last').default('date'),
    dir: choice(DIRECTIONS, 'Direction').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    ...byCursor,
    fields: fields('Fields that rows hold; all when absent'),
    omit: fields('Fields that rows do not hold'),
  },
  examples: [
    { type: 'formd,crowdfunding' },
    { q: 'masterworks', state: 'NY,CA' },
    { industry: 'Pooled Investment Fund' },
    { sort: 'amount', dir: 'desc', fields: 'entity_name,filing_date,amount' },
    { omit: 'street1,street2,zip' },
  ],
  output: answer,
  unrequested: ({ sort, dir }) => (sort === 'date' && dir === 'desc' ? undefined : 'null'),
  rows: 'rows',
  run: async ({ type, fields, omit, ...input }, { sql }) => {
    const sources = type ?? SOURCES
    await queries.assertIndustries(sql, input.industry)
    const families = Object.fromEntries(sources.map((name) => [name, FILINGS[name]]))
    const page = await withMissing(sql, { families }, await queries.search(sql, { ...input, sources }))
    return fields || omit ? only(page, { fields, omit }) : page
  },
})
