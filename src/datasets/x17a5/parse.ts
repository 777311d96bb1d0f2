/**
 * Turns the cover of an X-17A-5 (`primary_doc.xml`) into a row. Two layouts are in use. Covers of 2020 give the type of
 * registrant as the text of one element. The present schema has an element for each box.
 */

import type { Filing } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { foldedKey } from '../../read/fold.ts'
import { address, named } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { wordsOfNames } from '../../stored-names.ts'
import type * as tables from './tables.ts'

/**
 * Yields the row of one X-17A-5 or X-17A-5/A.
 *
 * @throws Error if the document is not such a cover or names no broker
 */
export function* parse({ documents: { form: doc } }: Filing<{ form: Element }>): Rows<typeof tables> {
  const submissionType = doc.text('headerData/submissionType')
  if (doc.name !== 'edgarSubmission' || !/^X-17A-5(\/A)?$/.test(submissionType ?? '')) {
    throw new Error(`not an X-17A-5: <${doc.name}> with submissionType ${submissionType}`)
  }
  // These leaves only serve the submission to EDGAR. Before publication, EDGAR removes contacts and passwords, and
  // splits off the documents.
  doc.ignore('schemaVersion', 'documents', 'headerData/filerInfo/liveTestFlag', 'headerData/filerInfo/flags')
  doc.ignore('headerData/filerInfo/contact', 'headerData/filerInfo/notifications')
  const broker = doc.one('formData/registrantIdentification')
  const brokerName = broker.text('brokerDealerName')
  if (brokerName === null) throw new Error('registrantIdentification/brokerDealerName is missing')
  const filers = doc.all('headerData/filerInfo/filer')

  yield [
    'report',
    {
      submission_type: submissionType as string,
      cik: cikOf(filers),
      file_numbers: filers.flatMap(fileNumbers),
      ...submission(doc.one('formData/submissionInformation')),
      broker_name: brokerName,
      name_key: foldedKey(brokerName),
      name_words: wordsOfNames([brokerName]),
      ...place(broker.maybe('businessAddress')),
      contact_name: named(broker.text('contactPersonName')),
      contact_phone: named(broker.text('contactPersonPhoneNumber')),
      ...accountant(doc.maybe('formData/accountantIdentification')),
      ...oath(doc.maybe('formData/oathSignature')),
    },
  ]
}

function submission(information: Element) {
  const begin = information.date('periodBegin', 'mdy')
  const end = information.date('periodEnd', 'mdy')
  if (begin !== null && end !== null && begin > end) {
    information.one('periodEnd').problem(end, `is before periodBegin ${begin}; both are kept as filed`)
  }
  return {
    period_begin: begin,
    period_end: end,
    registrant_types: information.texts(
      'typeOfRegistrant',
      'typeOfRegistrant/typeOfBDRegistrant',
      'typeOfRegistrant/typeOfSDRegistrant',
    ),
    registrant_subtypes: information.texts('subTypeOfBDRegistrant', 'subTypeOfSDRegistrant'),
    material_weakness: information.flag('materialWeakness'),
    amendment_description: information.text('amendmentDescription'),
  }
}

function accountant(part: Element | null) {
  const name = named(part?.text('accountantName') ?? null)
  const { street1, street2, city, state, zip } = place(part?.maybe('accountantAddress') ?? null)
  return {
    auditor: name,
    auditor_key: name && foldedKey(name),
    auditor_words: name && wordsOfNames([name]),
    auditor_type: part?.text('accountantType') ?? null,
    auditor_street1: street1,
    auditor_street2: street2,
    auditor_city: city,
    auditor_state: state,
    auditor_zip: zip,
  }
}

function oath(part: Element | null) {
  return {
    signer_name: named(part?.text('signPersonName') ?? null),
    signer_title: named(part?.text('oathTitle') ?? null),
    signer_entity: named(part?.text('entityName') ?? null),
    signature: named(part?.text('signature') ?? null),
    signed: part?.date('signDate', 'mdy') ?? null,
    exceptions: named(part?.text('explanation') ?? null),
    notarized: part?.flag('confirmNotarizedFlag') ?? null,
  }
}

const place = (element: Element | null) => address((part) => element?.text(part) ?? null)

/** Returns the CIK of the first filer, the broker. A report has one filer; any others are reported as problems. */
function cikOf(filers: readonly Element[]): string | null {
  const [first = null, ...others] = filers.map((filer) => {
    filer.ignore('filerCredentials/filerCcc')
    return filer.cik('filerCredentials/filerCik')
  })
  for (const [index, other] of others.entries()) {
    if (other !== null && other !== first)
      filers[index + 1]!.problem(other, 'is a second filer, but the report has only one')
  }
  return first
}

/**
 * Returns the file numbers. `confirmingCopyNumber` belongs to the older layout; newer covers have separate elements for
 * the two registrations.
 */
const fileNumbers = (filer: Element): string[] =>
  filer.texts('confirmingCopyNumber', 'confirming008CopyNumber', 'confirming026CopyNumber')
