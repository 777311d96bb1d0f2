/** Shapes of answers. */
import { z } from 'zod'
import { countedTotal, nextCursor } from '../../declare/paging.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { KINDS, MATCHED } from './kinds.ts'

const match = z
  .object({
    kind: z
      .enum(KINDS)
      .describe(
        'Kind of the thing. A filer with several roles has only one row: company if it has a ticker, else broker, portal, manager or insider',
      ),
    id: z
      .string()
      .describe(
        'Key of the thing. company, manager, broker, portal, insider: CIK. adviser, representative: CRD number. fund, money_market_fund: series or CIK. security, private_company: id. filing: accession. form: form code',
      ),
    name: z
      .string()
      .describe(
        'Current name of the thing. For a filing, the name of the first filer. For a form, the form, and the filer if q names one',
      ),
    matched: z
      .enum(MATCHED)
      .describe(
        'The part of the thing that q matches. ticker: its own ticker, or a ticker of its company or of one of its classes. former_ticker: a former ticker of one of these. For a form of a filer, the part of the filer',
      ),
    detail: z
      .string()
      .nullable()
      .describe(
        'A short text that distinguishes the thing from others with the same name: tickers, place, class, firm, form',
      ),
    url: z.string().describe('Path of the thing in this API; for a form, the path of the list of its filings'),
  })
  .meta({ id: 'SearchRow' })

export type Match = z.infer<typeof match>

const unknown = z
  .object({
    kind: z.string().describe('Kind of the number: cik, crd, file_number, lei, figi …'),
    id: z.string().describe('The number as the search interpreted it: without its label, and in the usual spelling'),
    note: z.string().describe('What is known about the number, and how to load data that may have it'),
  })
  .describe('Present if q is a number that no loaded data has')
  .meta({ id: 'UnknownNumber' })

export const page = z
  .object({
    rows: z.array(match),
    ...countedTotal,
    next_cursor: nextCursor,
    unknown: unknown.optional(),
    ...notLoaded,
  })
  .meta({ id: 'SearchPage' })
