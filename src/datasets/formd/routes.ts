import { accession, get } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { answer } from './answers.ts'
import * as queries from './queries.ts'

export const detail = get('/formd/filings/by-accession/{accession}', {
  name: 'formd_detail',
  summary: 'Show a Form D with its amendments',
  description:
    'A notice of an exempt offering: issuers, terms, amounts sold, its chain of amendments and the company’s other filings. An amendment restates the whole offering, so amounts of a chain must not be summed: take the effective member, or new_sold.',
  tag: 'fundraising',
  input: { accession },
  examples: [{ accession: '0000919574-09-006093' }],
  output: answer,
  run: async ({ accession }, { sql }) =>
    (await queries.detail(sql, accession)) ?? nothing(sql, { families: { formd: 'notices on Form D' } }, accession),
})
