import { BULK, SPINE } from '../../declare/catalog.ts'
import { crd, get, whole } from '../../declare/route.ts'
import { type Missing, nothing, withMissing } from '../../serve/loaded.ts'
import type { Sql } from '../../store/db.ts'
import { activity, registeredFunds } from './answers.ts'
import * as queries from './queries.ts'

const ADVISERS = {
  series: {
    IA_FIRM_SEC: 'advisers registered with the SEC are missing',
    IA_FIRM_STATE: 'advisers registered with states are missing',
    ADV_FILING_DATA: 'filings of Form ADV are not known',
  },
}
const FILINGS = {
  series: { ADV_FILING_DATA: 'filings of Form ADV are not known', ADV_W: 'withdrawals are not known' },
  edgar: true,
  whole: true,
}

/** Until the reports are read there is nothing to find: of a firm that is known the answer says so. */
async function whenKnown<T extends object>(sql: Sql, crd: string, missing: Missing, answer: T) {
  return (await queries.isKnown(sql, crd)) ? { ...answer, not_loaded: [missing] } : nothing(sql, ADVISERS)
}

const unread = (source: string, what: string): Missing => ({
  source,
  note: `Form ${source} is not read by this release: ${what}`,
})

export const registered = get('/adv/advisers/by-crd/{crd}/registered-funds', {
  name: 'adv_registered_funds',
  summary: 'Registered funds that an adviser advises or subadvises (N-CEN)',
  description: 'Form N-CEN is not read by this release: no fund is known, the list is empty, and not_loaded says so.',
  tag: 'advisers',
  reads: ['adv', BULK],
  input: { crd },
  examples: [{ crd: '105958' }],
  output: registeredFunds,
  rows: 'funds',
  run: ({ crd }, { sql }) =>
    whenKnown(sql, crd, unread('N-CEN', 'whether the firm advises registered funds is not known'), {
      crd,
      fund_count: 0,
      advised_count: 0,
      subadvised_count: 0,
      total_net_assets: null,
      funds: [],
    }),
})

export const filingActivity = get('/adv/advisers/by-crd/{crd}/filing-activity', {
  name: 'adv_filing_activity',
  summary: 'Filings of an adviser by day and form: Form ADV, ADV-W and those of the EDGAR filers it is linked to',
  description: `Days are counted back from the newest day on which this service knows any filing, so that an answer changes only with the data. At most ${queries.FILINGS_MAX} filings of EDGAR are counted, the newest; from is then later than asked.`,
  tag: 'advisers',
  reads: ['adv', BULK, SPINE],
  cost: 'list',
  input: { crd, years: whole({ min: 1, max: 50, describe: 'Years to look back, 1 to 50' }).default(5) },
  examples: [{ crd: '361', years: '5' }],
  output: activity,
  rows: 'days',
  run: async (input, { sql }) => {
    const found = await queries.filingActivity(sql, input)
    return found ? withMissing(sql, FILINGS, found) : nothing(sql, ADVISERS)
  },
})
