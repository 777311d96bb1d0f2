/** What Form N-MFP is read from. */
import { filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './filing.ts'

export const ROLES = { report: xml({ name: 'primary_doc.xml', type: /^N-MFP/ }) }

export const submissions = filings({
  forms: ['N-MFP', 'N-MFP/A', 'N-MFP1', 'N-MFP1/A', 'N-MFP2', 'N-MFP2/A', 'N-MFP3', 'N-MFP3/A'],
  documents: ROLES,
  parse,
})
