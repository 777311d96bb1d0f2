import { z } from 'zod'
import { apiError } from '../../declare/api-errors.ts'
import { BULK, SPINE } from '../../declare/catalog.ts'
import { cik, get, security as securityId } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { companySecurities, securityIdentifiers } from './answers.ts'
import * as queries from './queries.ts'

const READ = {
  families: {
    schedule13: 'owners of more than 5% (Schedules 13D, 13G)',
    nport: 'portfolios of funds (N-PORT)',
    thirteenf: 'reports of institutional managers (13F)',
  },
}

/** Whether the text is an id that other answers give for a security or a company without a CUSIP. */
const isWithoutCusip = (text: string) => text.includes('~') && securityId.safeParse(text).success

const cusip = z
  .string()
  .max(2_000)
  .refine((text) => isWithoutCusip(text) || /^[A-Za-z0-9]{9}$/.test(text), {
    error: 'must be a CUSIP of nine letters and digits, such as 037833100; /v1/search finds it',
  })
  .transform((text) => (isWithoutCusip(text) ? text : text.toUpperCase()))
  .describe('CUSIP of nine letters and digits; an ISIN or a ticker works too')
  .meta({ 'x-entity': 'cusip' })

export const security = get('/adv/securities/{cusip}/identifiers', {
  name: 'security_identifiers',
  summary: 'Show CIK, ticker, ISIN and LEI of a CUSIP',
  description:
    'Identifiers of a CUSIP: who states each identifier, since when, and how certain it is. The relation is many-to-many and dated: a ticker passes from one company to another, and a company has many securities. Covers of Schedules 13D and 13G count most, then reports of funds together with EDGAR’s lists of tickers, then other securities of the same issuer. Names count least. If the name in the source resembles neither the current nor a former name of the company, the identifier has less confidence and is not used. The same applies to an ISIN that contains another CUSIP, and to an ISIN or LEI whose check digits are wrong.',
  tag: 'securities',
  reads: [BULK, SPINE],
  leads: { found: { cusip: { in: 'identifiers.best', by: 'cusip' } } },
  input: { cusip },
  examples: [{ cusip: '51509P103' }],
  output: securityIdentifiers,
  rows: 'rows',
  run: async ({ cusip }, { sql }) => {
    if (isWithoutCusip(cusip)) {
      throw apiError('not_found', { detail: ': identifiers are found by CUSIP, and this security has no CUSIP' })
    }
    return (await queries.ofSecurity(sql, cusip)) ?? nothing(sql, READ)
  },
})

export const company = get('/companies/{cik}/securities', {
  name: 'company_securities',
  summary: 'List the securities of a company',
  description:
    'Securities that a company has issued, with their CUSIPs and tickers. At most 1000 securities, ordered by CUSIP.',
  tag: 'companies',
  reads: [BULK, SPINE],
  leads: { found: { cik: { in: 'identifiers.best', by: 'cik' } } },
  input: { cik },
  examples: [{ cik: '1721386' }],
  output: companySecurities,
  rows: 'rows',
  run: async ({ cik }, { sql }) => (await queries.ofCompany(sql, cik)) ?? nothing(sql, READ),
})
