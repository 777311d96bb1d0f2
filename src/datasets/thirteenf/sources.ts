/** What Form 13F is read from. */
import { filings } from '../../declare/dataset.ts'
import { stream, text, xml } from '../../declare/documents.ts'
import { parse } from './filing.ts'

export const ROLES = {
  cover: xml({ name: 'primary_doc.xml', type: /^13F-/, optional: true }),
  table: stream({ type: 'INFORMATION TABLE', optional: true }),
  old: text({ type: /^13F-/, optional: true }),
}

export const submissions = filings({
  forms: ['13F-HR', '13F-HR/A', '13F-NT', '13F-NT/A', '13F-CTR', '13F-CTR/A'],
  documents: ROLES,
  parse,
})
