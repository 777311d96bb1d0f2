import { accession, get } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { answer } from './answers.ts'
import * as queries from './queries.ts'

export const detail = get('/rega/filings/by-accession/{accession}', {
  name: 'rega_detail',
  summary: 'Show a Regulation A filing',
  description:
    'An offering under Regulation A: terms and financial summary of a Form 1-A, or proceeds of a 1-K or 1-Z. An amendment restates the whole offering, and each report restates what was raised since qualification. So amounts of several filings must not be summed.',
  tag: 'fundraising',
  input: { accession },
  examples: [{ accession: '0001104659-24-098969' }],
  output: answer,
  run: async ({ accession }, { sql }) =>
    (await queries.detail(sql, accession)) ?? nothing(sql, { families: { rega: 'Regulation A filings' } }, accession),
})
