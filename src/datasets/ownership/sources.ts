/** The sources of Forms 3, 4 and 5. */
import { filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './filing.ts'

/**
 * The document may have any file name: form4.xml, doc4.xml, edgar.xml. It is the one of the form's type that EDGAR
 * wrapped as XML.
 */
export const ROLES = { report: xml({ type: /^[345](\/A)?$/, optional: true }) }

export const FORMS = ['3', '3/A', '4', '4/A', '5', '5/A'] as const

export const submissions = filings({
  forms: FORMS,
  documents: ROLES,
  parse,
})
