import { choice, cik } from '../../declare/route.ts'
import { show } from '../../serve/details.ts'
import { list } from '../../serve/lists.ts'
import { FORMS } from './forms.ts'
import * as queries from './queries.ts'
import { RULES } from './tables-words.ts'

const READ = { families: { form25: 'removals from listing by exchanges (25-NSE)' } }

export const search = list('/form25/filings', {
  name: 'form25_filings',
  summary: 'List removals from listing (Form 25-NSE)',
  description:
    'Classes of securities that exchanges remove from listing, newest first. An exchange files a notice for a class that was merged away, redeemed or exchanged, and for a class that it no longer lists. A notice and its amendments are both listed and must not be counted twice: amended_by names the amendments, and amended=latest leaves out the notices that they restate. An issuer that withdraws its class files Form 25 itself, which has no XML: /filings?family=delistings lists it.',
  tag: 'companies',
  rows: queries.rows,
  names: { says: 'Name of the issuer', of: ['name'] },
  filters: {
    cik: { column: 'issuer_cik', type: cik.describe('CIK of the issuer, with or without leading zeros') },
    exchange: { column: 'exchange_cik', type: cik.describe('CIK of the exchange, with or without leading zeros') },
    rule: { column: 'rule', type: choice(RULES, 'Only removals under this paragraph of Rule 12d2-2') },
    form: { column: 'submission_type', type: choice(FORMS, 'Only filings with this form code') },
  },
  counts: ['rule', 'form'],
  sources: READ,
  examples: [
    {},
    { q: 'spirit airlines' },
    { cik: '1122304', form: '25-NSE' },
    { exchange: '876661', rule: '(b)', from: '2015-01-01', to: '2024-12-31' },
  ],
})

export const detail = show('/form25/filings/by-accession/{accession}', {
  name: 'form25_detail',
  summary: 'Show a removal from listing (Form 25-NSE)',
  description:
    'The class of securities that an exchange removes from listing, and the reason: the paragraph of Rule 12d2-2 that the form cites. The day of the removal is in the exhibit EX-99.25, as text.',
  tag: 'companies',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0000876661-24-001142' }],
})
