import { z } from 'zod'
import { accession, choice, get, limit, offset, query, states } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { nothing, notLoaded, withMissing } from '../../serve/loaded.ts'
import * as queries from './queries.ts'
import { acquisition, answer, books, disclosure, escrow, filing, foreign_registration, name, owner } from './tables.ts'

const READ = { families: { cfportal: 'filings of funding portals (CFPORTAL)' } }

const { cik, website, city, state, submission_type, amendment_explanation } = filing.columns

const reference = z.object({
  accession: filing.row.shape.accession,
  filed_date: filing.row.shape.filed_date,
  submission_type,
})

const portal = z.object({
  cik,
  name: filing.columns.name.describe('Name in the latest filing'),
  website: website.describe('First website in the latest filing'),
  city: city.describe('Main office in the latest filing: city'),
  state: state.describe('Main office in the latest filing: EDGAR code of the state or country'),
  status: z
    .enum(queries.STATUSES)
    .describe('withdrawn: a withdrawal was filed and no registration since; an amendment changes nothing'),
  filings: z.int().describe('Filings that are here'),
  registrations: z.int().describe('Of them CFPORTAL'),
  amendments: z.int().describe('Of them CFPORTAL/A'),
  withdrawals: z.int().describe('Of them CFPORTAL-W'),
  first_filing: reference.describe('The oldest filing that is here'),
  latest_filing: reference,
})

const page = z.object({
  rows: z.array(portal),
  total: z.int().describe('Portals that match'),
  limit: z.int(),
  offset: z.int(),
  ...notLoaded,
})

export type Page = z.infer<typeof page>

export const portals = get('/cfportal', {
  name: 'cfportal',
  summary: 'Funding portals, one row a portal, with their status and latest filing',
  tag: 'cfportal',
  bucket: 'search',
  input: {
    q: query(`A name of the portal, or part of a website, former ones included. ${NAME_MEANING}`).optional(),
    state: states.optional(),
    status: choice(queries.STATUSES, 'active or withdrawn; both when absent').optional(),
    sort: choice(queries.SORTS, 'date of the latest filing, name, date of the first filing, number of filings').default(
      'date',
    ),
    dir: choice(['asc', 'desc'], 'Direction').default('desc'),
    limit: limit({ max: 100, default: 50 }),
    offset: offset(),
  },
  output: page,
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.total > 0 ? found : withMissing(sql, READ, found)
  },
})

const answered = z.object({
  filing: filing.row.omit({ name_key: true, name_words: true, search_key: true }).extend({
    names: z.array(name.parsed).describe('Other names and websites, present and previous'),
    foreign_registrations: z.array(foreign_registration.parsed),
    acquisitions: z.array(acquisition.parsed).describe('Funding portals to whose business it succeeds'),
    owners: z.array(owner.parsed).describe('Schedules A and B: direct owners and executive officers, and changes'),
    escrow: z.array(escrow.parsed).describe('Who holds the funds of investors'),
    books: z.array(books.parsed).describe('Who keeps the books and records after a withdrawal'),
    answers: z.array(answer.parsed).describe('The questions on disciplinary history'),
    disclosures: z.array(disclosure.parsed).describe('The pages that explain answers of yes'),
  }),
  portal,
  filings: z
    .array(filingWith({ submission_type, name: filing.columns.name, amendment_explanation }))
    .describe('Up to 200 filings of the portal, newest first, this one included'),
})

export type Detail = z.infer<typeof answered>

export const detail = get('/cfportal/filing/{accession}', {
  name: 'cfportal_detail',
  summary: 'One filing of a funding portal with all it says, its portal and the portal’s other filings',
  tag: 'cfportal',
  input: { accession },
  output: answered,
  run: async ({ accession }, { sql }) => (await queries.detail(sql, accession)) ?? nothing(sql, READ),
})
