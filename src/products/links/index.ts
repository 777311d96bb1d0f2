import * as routes from './routes.ts'

/** What an adviser is in the rest of EDGAR: its filings, holdings and funds, by the CIKs that it is linked to. */
export default Object.values(routes)
