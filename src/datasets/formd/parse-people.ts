/** Issuers, related persons, recipients of sales compensation and signatures of a Form D (Items 1 to 3 and 12). */
import { address, isNone, named } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'

const INCORPORATED = [
  ['yearOfInc/withinFiveYears', 'within_five_years'],
  ['yearOfInc/overFiveYears', 'over_five_years'],
  ['yearOfInc/yetToBeFormed', 'yet_to_be_formed'],
] as const

export function issuer(position: number, element: Element) {
  element.ignore('ccc')
  return {
    position,
    cik: element.cik('cik'),
    entity_name: named(element.text('entityName')),
    ...placeInWords(element.maybe('issuerAddress')),
    phone: named(element.text('issuerPhoneNumber')),
    jurisdiction: named(element.text('jurisdictionOfInc')),
    entity_type: element.text('entityType'),
    entity_type_other: element.text('entityTypeOtherDesc'),
    incorporated: incorporated(element),
    year_incorporated: element.count('yearOfInc/value'),
    previous_names: previousNames(element.texts('issuerPreviousNameList/previousName', 'issuerPreviousNameList/value')),
    edgar_previous_names: previousNames(
      element.texts('edgarPreviousNameList/previousName', 'edgarPreviousNameList/value'),
    ),
  }
}

/**
 * Returns the ticked box about the year of incorporation. The form allows only one ticked box: if several are ticked,
 * returns null.
 */
function incorporated(element: Element): string | null {
  const ticked = INCORPORATED.filter(([box]) => element.flag(box)).map(([, word]) => word)
  if (ticked.length > 1) element.problem(ticked.join(', '), 'several boxes of yearOfInc are ticked')
  return ticked.length === 1 ? ticked[0]! : null
}

export function person(position: number, element: Element) {
  return {
    position,
    first_name: named(element.text('relatedPersonName/firstName')),
    middle_name: named(element.text('relatedPersonName/middleName')),
    last_name: named(element.text('relatedPersonName/lastName')),
    ...placeInWords(element.maybe('relatedPersonAddress')),
    relationships: element.texts('relatedPersonRelationshipList/relationship'),
    relationship_note: element.text('relationshipClarification'),
  }
}

export function recipient(position: number, element: Element) {
  // The names of the states; only their codes are read.
  element.ignore('statesOfSolicitationList/description')
  return {
    position,
    name: named(element.text('recipientName')),
    crd: element.crd('recipientCRDNumber'),
    associated_bd_name: named(element.text('associatedBDName')),
    associated_bd_crd: element.crd('associatedBDCRDNumber'),
    ...placeInWords(element.maybe('recipientAddress')),
    all_states: element.value('statesOfSolicitationList/value', allStates, 'is not All States') ?? false,
    states: element.texts('statesOfSolicitationList/state'),
    foreign_solicitation: element.flag('foreignSolicitation'),
  }
}

const allStates = (text: string) => (isNone(text) ? undefined : /^all\s+states$/i.test(text) || null)

export function signature(position: number, element: Element) {
  return {
    position,
    issuer_name: named(element.text('issuerName')),
    signature: named(element.text('signatureName')),
    signer_name: named(element.text('nameOfSigner')),
    title: named(element.text('signatureTitle')),
    signed: element.date('signatureDate', 'iso'),
  }
}

export const place = (element: Element | null) => address((part) => element?.text(part) ?? null)

/** Reads a place and adds the state's name, or null if the state code is unknown. */
function placeInWords(element: Element | null) {
  const found = place(element)
  const name = named(element?.text('stateOrCountryDescription') ?? null)
  return { ...found, state_name: found.state === null ? null : name }
}

/**
 * Returns up to three previous names. If an issuer had no previous name, most filings have `<value>None</value>`, and
 * some have `<previousName>None</previousName>`.
 */
const previousNames = (names: readonly string[]) => names.filter((name) => named(name) !== null)
