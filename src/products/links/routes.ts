import { BULK, SPINE } from '../../declare/catalog.ts'
import { crd, get, whole } from '../../declare/route.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { activity } from './answers.ts'
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

export const filingActivity = get('/adv/advisers/by-crd/{crd}/filing-activity', {
  name: 'adv_filing_activity',
  summary: 'Count an adviser’s filings by day',
  description: `Filings of an adviser by day and form: Form ADV, ADV-W, and the filings of EDGAR filers that are linked to it. Days are counted back from the day of the newest filing that this service knows, so an answer changes only when the data change. At most the newest ${queries.FILINGS_MAX} filings of EDGAR are counted; if there are more, \`from\` of the answer is later than requested.`,
  tag: 'advisers',
  reads: ['adv', BULK, SPINE],
  cost: 'list',
  leads: { found: { crd: { in: 'adv.adviser', by: 'crd' } } },
  input: { crd, years: whole({ min: 1, max: 50, describe: 'Years to look back, 1 to 50' }).default(5) },
  examples: [{ crd: '361', years: '5' }],
  output: activity,
  rows: 'days',
  run: async (input, { sql }) => {
    const found = await queries.filingActivity(sql, input)
    return found ? withMissing(sql, FILINGS, found) : nothing(sql, ADVISERS)
  },
})
