import { show } from '../../serve/details.ts'
import * as queries from './queries.ts'

export const detail = show('/crowdfunding/filings/by-accession/{accession}', {
  name: 'crowdfunding_detail',
  summary: 'Show a crowdfunding filing (Form C)',
  description:
    'A crowdfunding offering: issuer, intermediary, terms and two years of figures. An amendment restates the terms of the offering and an update repeats them, so amounts of one offering must not be summed. Values that a form does not state are null.',
  tag: 'fundraising',
  detail: queries.detail,
  sources: { families: { crowdfunding: 'filings on Form C' } },
  examples: [{ accession: '0001669191-25-000007' }],
})
