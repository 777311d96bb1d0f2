import { accession, get } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { answer } from './answers.ts'
import * as queries from './queries.ts'

export const detail = get('/crowdfunding/filings/by-accession/{accession}', {
  name: 'crowdfunding_detail',
  summary: 'Show a crowdfunding filing (Form C)',
  description:
    'A crowdfunding offering: issuer, intermediary, terms and two years of figures. An amendment restates the terms of the offering and an update repeats them, so amounts of one offering must not be summed. What a form does not state is null.',
  tag: 'fundraising',
  input: { accession },
  examples: [{ accession: '0001669191-25-000007' }],
  output: answer,
  run: async ({ accession }, { sql }) =>
    (await queries.detail(sql, accession)) ??
    nothing(sql, { families: { crowdfunding: 'filings on Form C' } }, accession),
})
