/**
 * Reads one Form 25-NSE. Only EDGAR's header states the form code: the document of an amendment has the same layout.
 */
import type { Filing } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { address } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { foundBy } from '../../stored-names.ts'
import type * as tables from './tables.ts'

/**
 * Yields the row of one filing.
 *
 * @throws Error if the document is not a notification of removal
 */
export function* parse({ documents: { form: doc }, header }: Filing<{ form: Element }>): Rows<typeof tables> {
  if (doc.name !== 'notificationOfRemoval') throw new Error(`not a Form 25-NSE: <${doc.name}>`)
  // All versions of the schema are read in the same way.
  doc.ignore('schemaVersion')
  const issuer = doc.one('issuer')
  const name = issuer.text('entityName')
  const found = foundBy(name === null ? [] : [name])
  const signature = doc.maybe('signatureData')
  yield [
    'removal',
    {
      submission_type: header.form,
      is_amendment: header.form.endsWith('/A'),
      cik: header.cik,
      exchange_cik: doc.cik('exchange/cik'),
      exchange_name: doc.text('exchange/entityName'),
      issuer_cik: issuer.cik('cik'),
      issuer_name: name,
      name_key: found.key,
      name_words: found.words,
      issuer_file_number: issuer.text('fileNumber'),
      ...addressOf(issuer),
      issuer_state_name: issuer.text('address/stateOrCountry'),
      issuer_phone: issuer.text('telephoneNumber'),
      security_class: doc.text('descriptionClassSecurity'),
      rule: doc.value('ruleProvision', paragraphOf, 'is not a paragraph of Rule 12d2-2'),
      signature: signature?.text('signatureName') ?? null,
      signature_title: signature?.text('signatureTitle') ?? null,
      signed: signature?.date('signatureDate') ?? null,
    },
  ]
}

/** Returns the paragraph: `17 CFR 240.12d2-2(a)(3)` → `(a)(3)`. */
const paragraphOf = (text: string) => /^17 CFR 240\.12d2-2\s?(\(a\)\([1-4]\)|\([bc]\))$/.exec(text)?.[1] ?? null

/**
 * Reads the address. This form has a separate element for the state's code. It has the state's name in the element that
 * holds the code in other forms.
 */
function addressOf(issuer: Element) {
  const { street1, street2, city, state, zip } = address((part) =>
    issuer.text(`address/${part === 'stateOrCountry' ? 'stateOrCountryCode' : part}`),
  )
  return { issuer_street1: street1, issuer_street2: street2, issuer_city: city, issuer_state: state, issuer_zip: zip }
}
