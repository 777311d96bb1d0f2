/**
 * Turns `primary_doc.xml` of Schedules 13D and 13G into rows. The two forms name the same facts differently (issuerCIK
 * and issuerCik, percentOfClass and classPercent). The schema of each has two versions: with a single CUSIP, and since
 * X0202 with a list of CUSIPs. Days are MM/DD/YYYY.
 */
import type { Rows } from '../../declare/table.ts'
import { foldedKey } from '../../read/fold.ts'
import { accession, address, named } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { wordsOfNames } from '../../stored-names.ts'
import { foundBy, personOf13d, personOf13g } from './parse/person.ts'
import { cusipOf } from './parse/values.ts'
import type * as tables from './tables.ts'

/** Paths of the facts that both forms have. */
const PLACES = {
  '13D': {
    event: 'dateOfEvent',
    issuerCik: 'issuerCIK',
    cusip: 'issuerCUSIP',
    address: 'address',
    persons: 'reportingPersons/reportingPersonInfo',
    person: personOf13d,
    items: 'items1To7',
    signatures: 'signatureInfo/signaturePerson',
    signer: 'signatureReportingPerson',
    signatureComment: 'signatureInfo/commentText',
  },
  '13G': {
    event: 'eventDateRequiresFilingThisStatement',
    issuerCik: 'issuerCik',
    cusip: 'issuerCusip',
    address: 'issuerPrincipalExecutiveOfficeAddress',
    persons: 'coverPageHeaderReportingPersonDetails',
    person: personOf13g,
    items: 'items',
    signatures: 'signatureInformation',
    signer: 'reportingPersonName',
    signatureComment: 'signatureComments',
  },
} as const

/**
 * Elements with the answers to each item, as the schemas of both forms name them. Answers are prose, even if they
 * contain a number.
 */
const ITEMS: Record<keyof typeof PLACES, Readonly<Record<string, readonly string[]>>> = {
  '13D': {
    1: ['securityTitle', 'issuerName', ...addressBelow('issuerPrincipalAddress'), 'commentText'],
    2: [
      'filingPersonName',
      'principalBusinessAddress',
      'principalJob',
      'hasBeenConvicted',
      'convictionDescription',
      'citizenship',
    ],
    3: ['fundsSource'],
    4: ['transactionPurpose'],
    5: [
      'percentageOfClassSecurities',
      'numberOfShares',
      'transactionDesc',
      'listOfShareholders',
      'date5PercentOwnership',
    ],
    6: ['contractDescription'],
    7: ['filedExhibits'],
  },
  '13G': {
    1: ['issuerName', 'issuerPrincipalExecutiveOfficeAddress'],
    2: ['filingPersonName', 'principalBusinessOfficeOrResidenceAddress', 'citizenship'],
    3: ['notApplicableFlag', 'typeOfPersonFiling', 'otherTypeOfPersonFiling'],
    4: [
      'amountBeneficiallyOwned',
      'classPercent',
      'numberOfSharesPersonHas/solePowerOrDirectToVote',
      'numberOfSharesPersonHas/sharedPowerOrDirectToVote',
      'numberOfSharesPersonHas/solePowerOrDirectToDispose',
      'numberOfSharesPersonHas/sharedPowerOrDirectToDispose',
    ],
    5: ['notApplicableFlag', 'classOwnership5PercentOrLess'],
    6: ['notApplicableFlag', 'ownershipMoreThan5PercentOnBehalfOfAnotherPerson'],
    7: ['notApplicableFlag', 'subsidiaryIdentificationAndClassification'],
    8: ['notApplicableFlag', 'identificationAndClassificationOfGroupMembers'],
    9: ['notApplicableFlag', 'groupDissolutionNotice'],
    10: ['notApplicableFlag', 'certifications'],
  },
}

/**
 * Yields the rows of one Schedule 13D or 13G, or of an amendment. Long: it yields the parts of the form in their order.
 *
 * @param repairs repairs that were needed to read the document
 * @throws Error if the document is another form; XmlError if it lacks its cover or the issuer
 */
export function* parse(doc: Element, repairs: readonly string[] = []): Rows<typeof tables> {
  const submissionType = doc.text('headerData/submissionType')
  const [, schedule, amends] = /^SCHEDULE (13[DG])(\/A)?$/.exec(submissionType ?? '') ?? []
  if (doc.name !== 'edgarSubmission' || schedule === undefined) {
    throw new Error(`not a Schedule 13D or 13G: <${doc.name}> with submissionType ${submissionType}`)
  }
  // These leaves only serve the submission to EDGAR. EDGAR removes the password and contacts before publication.
  doc.ignore('schemaVersion', 'documents', 'headerData/filerInfo/filer/filerCredentials/ccc')
  for (const name of ['liveTestFlag', 'flags', 'contact', 'notifications']) doc.ignore(`headerData/filerInfo/${name}`)
  const form = doc.one('formData')
  const cover = form.one('coverPageHeader')
  const issuer = cover.one('issuerInfo')
  const places = PLACES[schedule as keyof typeof PLACES]
  const persons = form.all(places.persons).map(places.person)
  const securities = [...issuer.all(places.cusip), ...issuer.all('issuerCusips/issuerCusipNumber')].flatMap(cusipOf)
  const name = named(issuer.text('issuerName'))
  const street = issuer.maybe(places.address)
  const place = address((part) => street?.text(part) ?? null)

  yield [
    'report',
    {
      submission_type: submissionType as string,
      source: 'xml',
      schedule,
      is_amendment: amends !== undefined,
      amendment_number: cover.count('amendmentNo'),
      previous_accession: doc.value('headerData/previousAccessionNumber', accession, 'is not an accession'),
      cik: doc.cik('headerData/filerInfo/filer/filerCredentials/cik'),
      issuer_cik: issuer.cik(places.issuerCik),
      issuer_name: name,
      name_key: name === null ? null : foldedKey(name),
      name_words: name === null ? null : wordsOfNames([name]),
      ...foundBy(persons),
      cusip: securities.find(({ cusip_flag }) => cusip_flag === null)?.cusip ?? null,
      title_of_class: named(cover.text('securitiesClassTitle')),
      event_date: cover.date(places.event, 'mdy'),
      previously_filed: cover.flag('previouslyFiledFlag'),
      rules: cover.texts('designateRulesPursuantThisScheduleFiled/designateRulePursuantThisScheduleFiled'),
      issuer_street1: place.street1,
      issuer_street2: place.street2,
      issuer_city: place.city,
      issuer_state: place.state,
      issuer_zip: place.zip,
      person_count: persons.length,
      shares: largest(persons.map(({ shares }) => shares)),
      percent: largest(persons.map(({ percent }) => percent)),
      exhibit_text: form.text('exhibitInfo'),
      signature_comment: form.text(places.signatureComment),
      is_malformed: repairs.length > 0,
      repairs: [...repairs],
      left_out: [],
    },
  ]
  for (const [position, row] of securities.entries()) yield ['security', { ...row, position }]
  for (const [position, row] of persons.entries()) yield ['person', { ...row, position }]
  for (const [position, element] of cover.all('authorizedPersons/notificationInfo').entries()) {
    yield ['contact', { ...contact(element), position }]
  }
  for (const [position, row] of answers(form, schedule as keyof typeof PLACES).entries()) {
    yield ['item', { ...row, position }]
  }
  let position = 0
  for (const element of form.all(places.signatures)) {
    for (const row of signatures(element, places.signer)) yield ['signature', { ...row, position: position++ }]
  }
}

function contact(element: Element) {
  const street = element.maybe('personAddress')
  return {
    name: named(element.text('personName')),
    phone: element.text('personPhoneNum'),
    ...address((part) => street?.text(part) ?? null),
  }
}

function answers(form: Element, schedule: keyof typeof PLACES) {
  const { items } = PLACES[schedule]
  return Object.entries(ITEMS[schedule]).flatMap(([item, parts]) =>
    parts.flatMap((what) =>
      form.texts(`${items}/item${item}/${what}`).map((answer) => ({ item, what: what.split('/').at(-1)!, answer })),
    ),
  )
}

/** A person without a signature still has a row, with the person's name. */
function signatures(element: Element, signer: string) {
  const person_name = element.text(signer)
  const signed = element.all('signatureDetails').map((details) => ({
    person_name,
    signature: details.text('signature'),
    title: details.text('title'),
    signed: details.date('date', 'mdy'),
  }))
  return signed.length > 0 ? signed : [{ person_name, signature: null, title: null, signed: null }]
}

/** Returns the largest of exact decimals; null if there is none. */
export function largest(values: readonly (string | null)[]): string | null {
  const read = values.flatMap((value) => (value === null ? [] : value))
  return read.reduce<string | null>(
    (most, value) => (most === null || Number(value) > Number(most) ? value : most),
    null,
  )
}

function addressBelow(path: string): string[] {
  return ['street1', 'street2', 'city', 'stateOrCountry', 'zipCode'].map((part) => `${path}/${part}`)
}
