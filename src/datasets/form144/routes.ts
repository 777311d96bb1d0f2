import { accession, get } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { answer } from './answers.ts'
import * as queries from './queries.ts'

export const detail = get('/form144/filings/by-accession/{accession}', {
  name: 'form144_detail',
  summary: 'One Form 144: the securities that an insider proposes to sell, how they were acquired, and past sales',
  description:
    'A notice is an intention: it may not be followed by a sale, and an amendment restates it, so amounts of notices must not be summed.',
  tag: 'holdings',
  input: { accession },
  examples: [{ accession: '9000000145-23-000001' }],
  output: answer,
  run: async ({ accession }, { sql }) =>
    (await queries.detail(sql, accession)) ??
    nothing(sql, { families: { form144: 'proposed sales of insiders (Form 144)' } }, accession),
})
