import { NEWEST } from '../../declare/lists.ts'
import { choice, cik, known, states, whole } from '../../declare/route.ts'
import { FORM_D_INDUSTRIES } from '../../read/industry.ts'
import { EXEMPTION_CODES } from '../../read/sgml/items.ts'
import { show } from '../../serve/details.ts'
import { list } from '../../serve/lists.ts'
import * as queries from './queries.ts'

const READ = { families: { formd: 'notices on Form D' } }

export const search = list('/formd/filings', {
  name: 'formd_filings',
  summary: 'List notices of private placements (Form D)',
  description:
    'Companies and funds that raise money without a registered offering: what they offer, what is sold, and under which exemption. An amendment restates the whole offering. Notices and amendments are both listed, so amounts must not be summed: amended_by names the amendments of a notice, and amended=latest leaves out the notices that they restate.',
  tag: 'fundraising',
  rows: queries.rows,
  names: { says: 'Name of the primary issuer', of: ['name'] },
  filters: {
    cik: { column: 'cik', type: cik.describe('CIK of the primary issuer, with or without leading zeros') },
    state: { column: 'state', op: 'any', type: states, refuse: queries.refuseStates },
    industry: { column: 'industry', type: known(FORM_D_INDUSTRIES, 'industry', 'Only this industry group (Item 4)') },
    exemption: {
      column: 'exemptions',
      op: 'has',
      type: known(
        EXEMPTION_CODES,
        'exemption',
        'Exemption or exclusion claimed: 06b is Rule 506(b), 3C.1 Section 3(c)(1)',
      ),
    },
    form: { column: 'submission_type', type: choice(['D', 'D/A'], 'D: a new notice; D/A: an amendment') },
    min_amount: { column: 'total_offered', op: '>=', type: whole({ describe: 'Minimum amount offered, US dollars' }) },
  },
  counts: ['state', 'industry', 'exemption', 'form'],
  sorts: {
    date: NEWEST,
    amount: {
      keys: ['-total_offered', '-filed_date', '-accession'],
      turned: ['total_offered', '-filed_date', '-accession'],
    },
    name: ['name_key', '-filed_date', '-accession'],
  },
  sources: READ,
  examples: [
    { form: 'D' },
    { q: 'hashnote' },
    { industry: 'Pooled Investment Fund', state: 'NY,CA', form: 'D' },
    { exemption: '06b', min_amount: '1000000', from: '2009-01-01', to: '2026-12-31' },
    { cik: '1296490' },
  ],
})

export const detail = show('/formd/filings/by-accession/{accession}', {
  name: 'formd_detail',
  summary: 'Show a Form D with its amendments',
  description:
    'A notice of an exempt offering: issuers, terms, amounts sold, its chain of amendments and the company’s other filings. An amendment restates the whole offering, so amounts of a chain must not be summed. Use the amounts of the notice in `chain` whose is_effective is true, or add up new_sold.',
  tag: 'fundraising',
  detail: queries.detail,
  sources: READ,
  examples: [{ accession: '0000919574-09-006093' }],
})
