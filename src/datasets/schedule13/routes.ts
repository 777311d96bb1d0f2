import { accession, get } from '../../declare/route.ts'
import { nothing } from '../../serve/loaded.ts'
import { answer } from './answers.ts'
import * as queries from './queries.ts'

export const detail = get('/schedule13/filings/by-accession/{accession}', {
  name: 'schedule13_detail',
  summary: 'One Schedule 13D or 13G: the class of securities, who owns how much of it, and the answers to all items',
  description:
    'Persons of a group report the same shares, so theirs must not be summed: shares and percent of the filing are the largest of any person.',
  tag: 'holdings',
  input: { accession },
  examples: [{ accession: '0000950170-24-140615' }],
  output: answer,
  run: async ({ accession }, { sql }) =>
    (await queries.detail(sql, accession)) ??
    nothing(sql, { families: { schedule13: 'owners of more than 5% (Schedules 13D, 13G)' } }, accession),
})
