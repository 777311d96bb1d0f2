/** What Form N-CEN is read from. */
import { filings } from '../../declare/dataset.ts'
import { stream } from '../../declare/documents.ts'
import { parse } from './filing.ts'

export const ROLES = { form: stream({ name: 'primary_doc.xml' }) }

export const submissions = filings({ forms: ['N-CEN', 'N-CEN/A'], documents: ROLES, parse })
