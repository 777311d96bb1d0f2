/** What Form N-PORT is read from. */
import { filings } from '../../declare/dataset.ts'
import { stream } from '../../declare/documents.ts'
import { parse } from './filing.ts'

export const ROLES = { portfolio: stream({ name: 'primary_doc.xml', type: /^NPORT-P/ }) }

export const submissions = filings({ forms: ['NPORT-P', 'NPORT-P/A'], documents: ROLES, parse })
