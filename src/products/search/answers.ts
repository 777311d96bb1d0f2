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
        'What it is. A filer with several roles is one row: company if it has a ticker, else broker, portal, manager or insider',
      ),
    id: z
      .string()
      .describe(
        'Its key: CIK (company, manager, broker, portal, insider), CRD number (adviser, representative), series or CIK (funds), id of a security or private company, accession',
      ),
    name: z.string().describe('Its name of now; of a filing that of the first filer'),
    matched: z
      .enum(MATCHED)
      .describe('What of it matches q. ticker, former_ticker: its own, or of its company or of a class of it'),
    detail: z
      .string()
      .nullable()
      .describe('What tells it from others of the name, in a line for people: tickers, place, class, firm, form'),
    url: z.string().describe('Path of its page in this API'),
  })
  .meta({ id: 'SearchRow' })

export type Match = z.infer<typeof match>

export const page = z
  .object({
    rows: z.array(match),
    ...countedTotal,
    next_cursor: nextCursor,
    ...notLoaded,
  })
  .meta({ id: 'SearchPage' })
