import { byDayOfFiling } from '../../declare/paging.ts'
import { accession, choice, cik, get, query } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { nothing, withMissing } from '../../serve/loaded.ts'
import { answer, page } from './answers.ts'
import { FORMS } from './forms.ts'
import * as queries from './queries.ts'

const READ = { families: { form144: 'proposed sales of insiders (Form 144)' } }

export const search = get('/form144/filings', {
  name: 'form144_filings',
  summary: 'List sales that insiders propose (Form 144)',
  description:
    'Finds notices of proposed sales by company, seller and form, the last filed first. A notice is an intention: it may not be followed by a sale, and an amendment restates it, so amounts of notices must not be summed: amended_by names the amendments. Only the header is known of a notice without XML, as most before 2023-04-13.',
  tag: 'holdings',
  input: {
    q: query(`Name of the company, or of the seller. ${NAME_MEANING}`).optional(),
    cik: cik.describe('CIK of the issuer, with or without leading zeros').optional(),
    person: cik.describe('CIK under which the notice was filed: the seller, or who files for it').optional(),
    form: choice(FORMS, 'Form code').optional(),
    ...byDayOfFiling,
  },
  examples: [
    {},
    { q: 'palantir' },
    { cik: '320193', form: '144' },
    { person: '1823951', from: '2026-01-01', to: '2026-12-31' },
  ],
  output: page,
  rows: 'rows',
  run: async (input, { sql }) => {
    const found = await queries.search(sql, input)
    return found.rows.length > 0 ? found : withMissing(sql, READ, found)
  },
})

export const detail = get('/form144/filings/by-accession/{accession}', {
  name: 'form144_detail',
  summary: 'Show a proposed sale (Form 144)',
  description:
    'The securities that an insider proposes to sell, how they were acquired, and past sales. A notice is an intention: it may not be followed by a sale, and an amendment restates it, so amounts of notices must not be summed.',
  tag: 'holdings',
  input: { accession },
  examples: [{ accession: '0001958244-23-000454' }],
  output: answer,
  run: async ({ accession }, { sql }) => (await queries.detail(sql, accession)) ?? nothing(sql, READ, accession),
})
