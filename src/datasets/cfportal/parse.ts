/**
 * Turns Form Funding Portal's `primary_doc.xml` into rows. Dates are MM-DD-YYYY; answers are Y and N. A withdrawal
 * repeats the whole form and adds Schedule D.
 */

import type { Filing } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { fold, foldedKey } from '../../read/fold.ts'
import { named } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { wordsOfNames } from '../../stored-names.ts'
import { answers, disclosures } from './parse-disclosure.ts'
import { statedAt, street, word, words } from './parse-fields.ts'
import type * as tables from './tables.ts'

const ENTITY_TYPES = words({ DE: 'domestic_entity', FE: 'foreign_entity', NP: 'natural_person' } as const)
const CHANGES = words({ A: 'addition', D: 'deletion', C: 'change' } as const)

/**
 * Yields the rows of one CFPORTAL, CFPORTAL/A or CFPORTAL-W.
 *
 * @throws Error if the document is another form, or lacks the filer's CIK or the portal's name, which every such
 *   form has
 */
export function* parse({ documents: { form: doc } }: Filing<{ form: Element }>): Rows<typeof tables> {
  const submissionType = doc.text('headerData/submissionType')
  if (doc.name !== 'edgarSubmission' || !/^CFPORTAL(\/A|-W)?$/.test(submissionType ?? '')) {
    throw new Error(`not a Form Funding Portal: <${doc.name}> with submissionType ${submissionType}`)
  }
  const filer = filerOf(doc)
  const form = doc.one('formData')
  const identity = form.one('identifyingInformation')
  const portal = identity.text('nameOfPortal')
  if (portal === null) throw new Error('identifyingInformation/nameOfPortal is missing')
  const names = namesOf(identity)
  const answered = answers(form)

  yield [
    'filing',
    {
      ...identityOf(identity),
      submission_type: submissionType as string,
      ...filer,
      name: portal,
      name_key: foldedKey(portal),
      search_key: [portal, ...names.flatMap(({ name, website }) => [name ?? [], website ?? []].flat())]
        .map(fold)
        .join('\n'),
      name_words: wordsOfNames([portal, ...names.flatMap(({ name }) => name ?? [])]),
      website: names.find(({ is_previous, website }) => !is_previous && website !== null)?.website ?? null,
      ...business(form),
      yes_items: answered.flatMap(({ item, yes }) => (yes ? item : [])),
      ...schedules(form),
    },
  ]
  for (const [position, row] of names.entries()) yield ['name', { ...row, position }]
  for (const [position, element] of identity.all('foreignRegistrations').entries()) {
    yield ['foreign_registration', { ...foreignRegistration(element), position }]
  }
  for (const [position, element] of form.all('successions/acquiredHistoryDetails').entries()) {
    yield ['acquisition', { ...acquisition(element), position }]
  }
  const owners = [
    ...form.all('scheduleA/entityOrNaturalPerson').map((element) => owner('A', element)),
    ...form.all('scheduleB/amendEntityOrNaturalPerson').map((element) => owner('B', element)),
  ]
  for (const [position, row] of owners.entries()) yield ['owner', { ...row, position }]
  for (const [position, element] of form.all('escrowArrangements/investorFundsContacts').entries()) {
    yield ['escrow', { ...escrow(element), position }]
  }
  for (const row of answered) yield ['answer', row]
  for (const [position, row] of disclosures(form).entries()) yield ['disclosure', { ...row, position }]
  for (const [position, element] of form.all('scheduleD/bookKeepingDetails').entries()) {
    yield ['books', { ...books(element), position }]
  }
}

/** Returns the first filer, who is the portal. The form allows only one filer, and the role of a second is unknown. */
function filerOf(doc: Element) {
  // These elements only serve the submission to EDGAR. EDGAR blanks the password and strips contacts before it
  // disseminates.
  doc.ignore('schemaVersion', 'documents')
  const info = doc.one('headerData/filerInfo')
  info.ignore('filer/filerCredentials/filerCcc', 'liveTestFlag', 'flags', 'contact', 'notifications')
  const [filer, ...others] = info.all('filer')
  const cik = filer?.cik('filerCredentials/filerCik') ?? null
  if (cik === null) {
    throw new Error(`filerCik is missing or not a valid CIK: ${filer?.text('filerCredentials/filerCik') ?? null}`)
  }
  for (const other of others) {
    other.problem(other.text('filerCredentials/filerCik') ?? '', 'is a second filer, but the form has only one')
    other.ignore('filerCredentials', 'fileNumber')
  }
  return { cik, file_number: statedAt(filer!, 'fileNumber') }
}

function namesOf(identity: Element) {
  const present = identity.all('otherNamesAndWebsiteUrls').map((element) => ({
    is_previous: false,
    name: statedAt(element, 'otherNamesUsedPortal'),
    website: statedAt(element, 'webSiteOfPortal'),
  }))
  const previous = identity.all('prevNamesAndWebsiteUrls').map((element) => ({
    is_previous: true,
    name: statedAt(element, 'prevNamesOfPortal'),
    website: statedAt(element, 'prevWebSiteUrls'),
  }))
  return [...present, ...previous].filter(({ name, website }) => name !== null || website !== null)
}

function identityOf(identity: Element) {
  const person = identity.maybe('contactEmployeeName')
  const mailing = street(identity.maybe('portalMailingAddress'))
  const office = street(identity.maybe('otherOfficeLocationAddress'))
  const ownContact = contact(identity.maybe('portalContact'))
  const personContact = contact(identity.maybe('employeeContact'))
  return {
    amendment_explanation: identity.text('amendmentExplanation'),
    employer_id: statedAt(identity, 'irsEmployerIdNumber'),
    name_changes: identity.texts('legalNameChange'),
    ...street(identity.maybe('portalAddress')),
    mailing_different: identity.flag('mailingAddressDifferent'),
    mailing_street1: mailing.street1,
    mailing_street2: mailing.street2,
    mailing_city: mailing.city,
    mailing_state: mailing.state,
    mailing_zip: mailing.zip,
    office_street1: office.street1,
    office_street2: office.street2,
    office_city: office.city,
    office_state: office.state,
    office_zip: office.zip,
    phone: ownContact.phone,
    fax: ownContact.fax,
    email: ownContact.email,
    contact_prefix: statedAt(person, 'prefix'),
    contact_first_name: statedAt(person, 'firstName'),
    contact_middle_name: statedAt(person, 'middleName'),
    contact_last_name: statedAt(person, 'lastName'),
    contact_suffix: statedAt(person, 'suffix'),
    contact_title: statedAt(identity, 'contactEmployeeTitle'),
    contact_phone: personContact.phone,
    contact_fax: personContact.fax,
    contact_email: personContact.email,
    fiscal_year_end: statedAt(identity, 'fiscalYearEnd'),
    previously_registered: identity.flag('anyPreviousRegistrations'),
    sec_file_numbers: identity.texts('secFileNumbers'),
    foreign_registered: identity.flag('anyForeignRegistrations'),
  }
}

function contact(element: Element | null) {
  return {
    phone: statedAt(element, 'portalContactPhone'),
    fax: statedAt(element, 'portalContactFax'),
    email: statedAt(element, 'portalContactEmail'),
  }
}

/** Reads Items 2 to 7 except the answers of Item 5, and the execution. */
function business(form: Element) {
  return {
    legal_status: statedAt(form, 'formOfOrganization/legalStatusForm'),
    legal_status_other: statedAt(form, 'formOfOrganization/legalStatusOtherDesc'),
    jurisdiction: statedAt(form, 'formOfOrganization/jurisdictionOrganization'),
    organized: form.date('formOfOrganization/dateIncorporation', 'mdy'),
    is_successor: form.flag('successions/isSucceedingBusiness'),
    control_names: form.texts('controlRelationships/fullLegalNames/fullLegalName'),
    other_business: form.flag('nonSecuritiesRelatedBusiness/isEngagedInNonSecurities'),
    other_business_note: statedAt(form, 'nonSecuritiesRelatedBusiness/nonSecuritiesBusinessDesc'),
    compensation: statedAt(form, 'escrowArrangements/compensationDesc'),
    signed: form.date('execution/executionDate', 'mdy'),
    signed_for: statedAt(form, 'execution/fullLegalNameFundingPortal'),
    signature: statedAt(form, 'execution/personSignature'),
    signer_title: statedAt(form, 'execution/personTitle'),
  }
}

/** Reads Schedule C, and Schedule D except its list of bookkeepers. */
function schedules(form: Element) {
  const agent = street(form.maybe('scheduleC/agentAddress'))
  return {
    agent_name: statedAt(form, 'scheduleC/agentName'),
    agent_street1: agent.street1,
    agent_street2: agent.street2,
    agent_city: agent.city,
    agent_state: agent.state,
    agent_zip: agent.zip,
    agent_signature: statedAt(form, 'scheduleC/personSignature'),
    agent_signer: statedAt(form, 'scheduleC/printedName'),
    agent_signer_title: statedAt(form, 'scheduleC/personTitle'),
    agent_signed: form.date('scheduleC/signatureDate', 'mdy'),
    ceased: form.date('scheduleD/dateBusinessCeasedWithdrawn', 'mdy'),
    is_investigated: form.flag('scheduleD/isInvestigated'),
    has_investor_complaint: form.flag('scheduleD/investorInitiatedComplaint'),
    has_private_litigation: form.flag('scheduleD/privateCivilLitigation'),
  }
}

function foreignRegistration(element: Element) {
  return {
    regulator: statedAt(element, 'foreignFinancialRegulatory'),
    registration_number: statedAt(element, 'registrationNumber'),
    country: statedAt(element, 'country'),
  }
}

function acquisition(element: Element) {
  return {
    name: statedAt(element, 'acquiredFundingPortal'),
    file_number: statedAt(element, 'acquiredPortalFileNumber'),
    description: statedAt(element, 'acquiredDesc'),
  }
}

function owner(schedule: 'A' | 'B', element: Element) {
  // The form asks persons without a CRD number for their tax number, and promises not to publish that number.
  element.ignore('irsTaxNumber', 'irsTaxEmployerIdNumber')
  return {
    schedule,
    change: word(element, 'typeOfAmendment', CHANGES),
    name: statedAt(element, 'fullLegalName'),
    entity_type: word(element, 'entityType', ENTITY_TYPES),
    title: statedAt(element, 'titleStatus'),
    since: month(element, 'dateOfTitleStatusAcquired'),
    // NA is the code for less than 5 percent, and not an abbreviation of "not applicable".
    ownership: element.text('ownershipCode'),
    is_control_person: element.flag('controlPerson'),
    is_public_reporting: element.text('pr') === 'PR',
    crd: element.crd('crdNumber'),
  }
}

function escrow(element: Element) {
  return {
    name: statedAt(element, 'investorFundsContactName'),
    ...street(element.maybe('investorFundsAddress')),
    phone: statedAt(element, 'investorFundsContactPhone'),
  }
}

function books(element: Element) {
  const isPrivate = element.flag('isAddressPrivateResidence')
  // Private addresses are not kept.
  if (isPrivate) element.ignore('bookKeepingEntityAddress', 'bookKeepingEntityPhone', 'bookKeepingEntityFax')
  return {
    name: statedAt(element, 'bookKeepingEntityName'),
    keeper_type: statedAt(element, 'bookKeepingEntityType'),
    is_private_residence: isPrivate,
    ...street(isPrivate ? null : element.maybe('bookKeepingEntityAddress')),
    phone: isPrivate ? null : statedAt(element, 'bookKeepingEntityPhone'),
    fax: isPrivate ? null : statedAt(element, 'bookKeepingEntityFax'),
    location_note: statedAt(element, 'bookKeepingLocationDesc'),
  }
}

/** Reads `MM/YYYY` as `YYYY-MM`; null if absent. Reports other text. */
function month(element: Element, path: string): string | null {
  return element.value(path, monthOf, 'not a month written as MM/YYYY')
}

function monthOf(text: string): string | null | undefined {
  if (named(text) === null) return undefined
  const [, month, year] = /^(0?[1-9]|1[0-2])[/-](\d{4})$/.exec(text) ?? []
  return month === undefined ? null : `${year}-${month.padStart(2, '0')}`
}
