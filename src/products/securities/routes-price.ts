import { apiError } from '../../declare/api-errors.ts'
import { SPINE } from '../../declare/catalog.ts'
import { byCursor } from '../../declare/paging.ts'
import { choice, day, get, limit, security } from '../../declare/route.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import * as answers from './answers-price.ts'
import { idOf } from './queries/ids.ts'
import * as queries from './queries/price.ts'

const READ = { families: { nport: 'reports of funds (N-PORT)' } }

/** Anthropic, under the name that one of the sample's funds uses; another fund holds it through a vehicle. */
const ANTHROPIC = 'name~YW50aHJvcGljIHBiYw'

export const priceHistory = get('/adv/securities/{cusip}/price-history', {
  name: 'security_price_history',
  summary: 'Show prices that funds put on a security',
  description:
    'Prices that funds put on a security, or on all securities of its company, by period, with their sources. A price is the value of a line (one holding in a Form N-PORT) divided by its balance. The line must be in shares and held long, with a value above zero. For each fund and period, only the report that was filed last counts. Classes are never averaged with each other, and a vehicle is a separate class. If there are three prices or more, a price over three times the median or under a third of it is left out. If there are five or more, a price is also left out if its distance from the median is large: more than eight times the median of all such distances, and more than a quarter. The distance of two prices is the larger one divided by the smaller one, minus 1. Prices are not corrected for splits. A page lists periods; with `period`, it lists the lines of that period. A file has a row for each period; in CSV, the classes of the period are JSON in one cell.',
  tag: 'securities',
  reads: [SPINE, 'nport', 'identifiers'],
  cost: 'list',
  leads: {
    found: {
      cusip: [
        { in: 'securities.price', by: 'id' },
        {
          ...{ in: 'securities.security', by: 'sec_id' },
          where:
            "exists (select from securities.price p where p.id >= left(t.cusip, 6) and p.id < left(t.cusip, 6) || '~')",
        },
        {
          ...{ in: 'securities.alias', by: 'sec_id' },
          where: "exists (select from securities.price p where p.id = 'issuer~' || t.issuer)",
        },
      ],
    },
  },
  input: {
    cusip: security,
    scope: choice(
      ['company', 'exact'],
      'company: securities with the same issuer number (first six of the CUSIP) or LEI; for a private security, all securities of its company. exact: this security alone',
    ).default('company'),
    period: day(
      'Lists the lines of one period, the largest value first; give the last day of the period, as listed in `periods`',
    ).optional(),
    limit: limit({ max: 200, default: 200 }),
    ...byCursor,
  },
  examples: [
    { cusip: '037833100', scope: 'exact' },
    { cusip: '037833100', scope: 'exact', period: '2026-06-30' },
    { cusip: ANTHROPIC },
  ],
  output: answers.history,
  rows: 'periods',
  run: async ({ cusip, ...params }, { sql }) => {
    const sec_id = await idOf(sql, cusip)
    const found = sec_id === null ? null : await queries.history(sql, { sec_id, ...params })
    return found ? withMissing(sql, READ, found) : nothing(sql, READ)
  },
})

export const aliases = get('/adv/securities/{cusip}/aliases', {
  name: 'security_aliases',
  summary: 'List all securities of a private company',
  description:
    'All securities of the company of a private security, each with the reason why it belongs to the company. Securities are never joined only because their names are similar. `reason` and `basis` state why a security belongs to the company. The reasons are: the same name without class and legal form; a vehicle that states its holding; another name that a filer states; a title that names the company; the same LEI; a misspelling under which one fund has the same balance; a decision of a reviewer.',
  tag: 'securities',
  reads: [SPINE, 'nport'],
  leads: { found: { cusip: { in: 'securities.alias', by: 'sec_id' } } },
  input: { cusip: security },
  examples: [{ cusip: ANTHROPIC }],
  output: answers.aliases,
  rows: 'aliases',
  run: async ({ cusip }, { sql }) => {
    const sec_id = await idOf(sql, cusip)
    if (sec_id === null) return nothing(sql, READ)
    const found = await queries.aliases(sql, sec_id)
    if (!found) {
      // Without reports of funds, no security is known to be private.
      await nothing(sql, READ)
      throw apiError('not_found', {
        detail: ': only securities of private companies have aliases, and this security is not one of them',
      })
    }
    return withMissing(sql, READ, found)
  },
})
