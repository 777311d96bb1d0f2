/** The sources of Form 144. */
import { filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './filing.ts'

export const ROLES = { notice: xml({ name: 'primary_doc.xml', type: /^144(\/A)?$/, optional: true }) }

export const FORMS = ['144', '144/A'] as const

export const submissions = filings({ forms: FORMS, documents: ROLES, parse })
