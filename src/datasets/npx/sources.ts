/** The sources of Form N-PX: a cover, and since July 2024 a table of votes of any size. */
import { filings } from '../../declare/dataset.ts'
import { stream, xml } from '../../declare/documents.ts'
import { parse } from './filing.ts'

export const ROLES = {
  cover: xml({ name: 'primary_doc.xml', type: /^N-PX(\/A)?$/, optional: true }),
  table: stream({ type: 'PROXY VOTING RECORD', optional: true }),
}

export const submissions = filings({ forms: ['N-PX', 'N-PX/A'], documents: ROLES, parse })
