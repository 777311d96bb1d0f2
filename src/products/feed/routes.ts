import { z } from 'zod'
import { accession, choice, get, limit, list, offset, query } from '../../core/route.ts'
import * as queries from './queries.ts'

const source = z.enum(queries.SOURCES)

const row = z.object({
  source,
  accession: accession.describe('SEC accession number'),
  entity_name: z.string(),
  cik: z.string().nullable().describe('Ten digits'),
  street1: z.string().nullable(),
  street2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable().describe('EDGAR code of the state or country'),
  zip: z.string().nullable(),
  filing_date: z.iso.date(),
  submission_type: z.string(),
  industry: z.string().nullable(),
  amount: z.string().nullable().describe('Amount offered, US dollars; null when indefinite or not stated'),
  raised: z.string().nullable().describe('Amount sold so far, US dollars'),
  website: z.string().nullable(),
})

const answer = z.object({ rows: z.array(row), next_cursor: z.string().nullable() })

export type Page = z.infer<typeof answer>

export const search = get('/feed', {
  name: 'feed',
  summary: 'Fundraising filings, newest first: Form D, Regulation A and crowdfunding',
  description:
    'A filing that amends another restates its amounts: see the detail of the filing for the chain. next_cursor is given in the default order alone; other orders page by offset.',
  tag: 'feed',
  bucket: 'search',
  input: {
    type: list(source, 'Sources, comma-separated; all when absent').optional(),
    q: query('Part of the company’s name, compared without case and accents').optional(),
    state: list(
      z
        .string()
        .regex(/^[A-Za-z0-9]{2}$/, { error: 'must be a code of two letters' })
        .overwrite((code) => code.toUpperCase()),
      'State or country codes, comma-separated',
    ).optional(),
    industry: list(z.string(), 'Industries as rows have them, comma-separated, compared without case').optional(),
    sort: choice(queries.SORTS, 'date, amount, name or state; missing values come last').default('date'),
    dir: choice(['asc', 'desc'], 'Direction').default('desc'),
    limit: limit({ max: 50, default: 50 }),
    offset: offset(),
    cursor: z.string().max(500).describe('next_cursor of the page before; only in the default order').optional(),
  },
  output: answer,
  run: ({ type, ...input }, { sql }) => queries.search(sql, { ...input, sources: type ?? queries.SOURCES }),
})
