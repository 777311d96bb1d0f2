import { choice, cik } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { list } from '../../serve/lists.ts'
import { FORMS } from './forms.ts'
import * as queries from './queries.ts'

const READ = { families: { form144: 'proposed sales of insiders (Form 144)' } }

export const search = list('/form144/filings', {
  name: 'form144_filings',
  summary: 'List sales that insiders propose (Form 144)',
  description:
    'Finds notices of proposed sales by company, seller and form, newest first. A notice is an intention and does not prove a sale. An amendment restates a notice. Both are listed, so amounts of notices must not be summed: amended_by names the amendments, and amended=latest leaves out the notices that they restate. For a notice without XML (most before 2023-04-13), only the header is known.',
  tag: 'holdings',
  rows: queries.rows,
  names: { says: 'Name of the company, or of the seller', of: ['name', 'seller'] },
  filters: {
    cik: { column: 'issuer_cik', type: cik.describe('CIK of the issuer, with or without leading zeros') },
    person: {
      column: 'seller_cik',
      type: cik.describe(
        'CIK under which the notice was filed: of the seller, or of a person who files for the seller',
      ),
    },
    form: { column: 'submission_type', type: choice(FORMS, 'Only filings with this form code') },
  },
  counts: ['form'],
  sources: READ,
  examples: [
    {},
    { q: 'palantir' },
    { cik: '320193', form: '144' },
    { person: '1823951', from: '2026-01-01', to: '2026-12-31' },
  ],
})

export const detail = show('/form144/filings/by-accession/{accession}', {
  name: 'form144_detail',
  summary: 'Show a proposed sale (Form 144)',
  description:
    'The securities that an insider proposes to sell, how they were acquired, and past sales. A notice is an intention and does not prove a sale. An amendment restates a notice, so amounts of notices must not be summed.',
  tag: 'holdings',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0001958244-23-000454' }],
})
