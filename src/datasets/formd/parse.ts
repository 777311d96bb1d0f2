/**
 * Form D's `primary_doc.xml` to rows. The form has no namespace; names and addresses that a filer leaves out arrive as
 * the words None or N/A, an open amount as the word Indefinite.
 */

import type { Rows } from '../../declare/table.ts'
import { storedName } from '../../names.ts'
import { fold } from '../../read/fold.ts'
import { named } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import type * as tables from './tables.ts'

/** Item 9's boxes in the order of the form, and the words that rows hold for them. */
const SECURITY_TYPES = {
  isEquityType: 'equity',
  isDebtType: 'debt',
  isOptionToAcquireType: 'option',
  isSecurityToBeAcquiredType: 'security_to_be_acquired',
  isPooledInvestmentFundType: 'pooled_fund',
  isTenantInCommonType: 'tenant_in_common',
  isMineralPropertyType: 'mineral_property',
  isOtherType: 'other',
} as const

const INCORPORATED = {
  withinFiveYears: 'within_five_years',
  overFiveYears: 'over_five_years',
  yetToBeFormed: 'yet_to_be_formed',
} as const

/**
 * Rows of one Form D or D/A.
 *
 * @throws Error when the document is not a Form D, or lacks what every Form D has: its primary issuer with a name, its
 *   offering
 */
export function* parse(doc: Element): Rows<typeof tables> {
  const submissionType = doc.text('submissionType')
  if (doc.name !== 'edgarSubmission' || !/^D(\/A)?$/.test(submissionType ?? '')) {
    throw new Error(`not a Form D: <${doc.name}> with submissionType ${submissionType}`)
  }
  // Envelope, not form: EDGAR stamps the version, and strips contacts and passwords before it disseminates.
  doc.ignore('schemaVersion', 'testOrLive', 'returnCopy', 'contactData', 'notificationAddressList')
  const primary = doc.one('primaryIssuer')
  const entityName = primary.text('entityName')
  if (entityName === null) throw new Error('primaryIssuer/entityName is missing')
  const { street1, street2, city, state, zip } = address(primary.maybe('issuerAddress'))

  yield [
    'offering',
    {
      submission_type: submissionType as string,
      entity_name: entityName,
      name_key: fold(entityName),
      name_words: storedName(entityName).words,
      cik: cikOf(primary),
      ...{ street1, street2, city, state, zip },
      over_100_issuers: doc.flag('issuerList/over100IssuerFlag') ?? false,
      over_100_persons: doc.flag('relatedPersonsList/over100PersonsFlag') ?? false,
      ...offering(doc.one('offeringData')),
    },
  ]
  for (const [position, element] of [primary, ...doc.all('issuerList/issuer')].entries()) {
    yield ['issuer', { position, ...issuer(element) }]
  }
  for (const [position, element] of doc.all('relatedPersonsList/relatedPersonInfo').entries()) {
    yield ['person', { position, ...person(element) }]
  }
  for (const [position, element] of doc.all('offeringData/salesCompensationList/recipient').entries()) {
    yield ['recipient', { position, ...recipient(element) }]
  }
  for (const [position, element] of doc.all('offeringData/signatureBlock/signature').entries()) {
    yield ['signature', { position, ...signature(element) }]
  }
}

function offering(data: Element) {
  const filing = data.one('typeOfFiling')
  const sales = data.one('offeringSalesAmounts')
  return {
    is_amendment: filing.flag('newOrAmendment/isAmendment'),
    previous_accession: accessionOf(filing),
    industry: data.text('industryGroup/industryGroupType'),
    fund_type: data.text('industryGroup/investmentFundInfo/investmentFundType'),
    is_40_act: data.flag('industryGroup/investmentFundInfo/is40Act'),
    revenue_range: data.text('issuerSize/revenueRange'),
    net_asset_value_range: data.text('issuerSize/aggregateNetAssetValueRange'),
    exemptions: data.texts('federalExemptionsExclusions/item'),
    first_sale: filing.date('dateOfFirstSale/value', 'iso'),
    first_sale_yet_to_occur: filing.flag('dateOfFirstSale/yetToOccur') ?? false,
    more_than_one_year: data.flag('durationOfOffering/moreThanOneYear'),
    security_types: Object.entries(SECURITY_TYPES).flatMap(([box, word]) =>
      data.flag(`typesOfSecuritiesOffered/${box}`) ? word : [],
    ),
    other_security: data.text('typesOfSecuritiesOffered/descriptionOfOtherType'),
    business_combination: data.flag('businessCombinationTransaction/isBusinessCombinationTransaction'),
    business_combination_note: data.text('businessCombinationTransaction/clarificationOfResponse'),
    minimum_investment: data.money('minimumInvestmentAccepted'),
    over_100_recipients: data.flag('salesCompensationList/over100RecipientFlag') ?? false,
    total_offered: sales.money('totalOfferingAmount', ['Indefinite']),
    total_offered_indefinite: sales.text('totalOfferingAmount') === 'Indefinite',
    total_sold: sales.money('totalAmountSold'),
    total_remaining: sales.money('totalRemaining', ['Indefinite']),
    total_remaining_indefinite: sales.text('totalRemaining') === 'Indefinite',
    sales_note: sales.text('clarificationOfResponse'),
    has_non_accredited: data.flag('investors/hasNonAccreditedInvestors'),
    non_accredited_count: data.integer('investors/numberNonAccreditedInvestors')?.toString() ?? null,
    investor_count: data.integer('investors/totalNumberAlreadyInvested')?.toString() ?? null,
    sales_commissions: data.money('salesCommissionsFindersFees/salesCommissions/dollarAmount'),
    sales_commissions_estimated: data.flag('salesCommissionsFindersFees/salesCommissions/isEstimate') ?? false,
    finders_fees: data.money('salesCommissionsFindersFees/findersFees/dollarAmount'),
    finders_fees_estimated: data.flag('salesCommissionsFindersFees/findersFees/isEstimate') ?? false,
    commissions_note: data.text('salesCommissionsFindersFees/clarificationOfResponse'),
    insider_proceeds: data.money('useOfProceeds/grossProceedsUsed/dollarAmount'),
    insider_proceeds_estimated: data.flag('useOfProceeds/grossProceedsUsed/isEstimate') ?? false,
    proceeds_note: data.text('useOfProceeds/clarificationOfResponse'),
    authorized_representative: data.flag('signatureBlock/authorizedRepresentative'),
  }
}

function issuer(element: Element) {
  element.ignore('ccc')
  const choice = Object.entries(INCORPORATED).find(([box]) => element.flag(`yearOfInc/${box}`))
  return {
    cik: cikOf(element),
    entity_name: named(element.text('entityName')),
    ...address(element.maybe('issuerAddress')),
    phone: named(element.text('issuerPhoneNumber')),
    jurisdiction: named(element.text('jurisdictionOfInc')),
    entity_type: element.text('entityType'),
    entity_type_other: element.text('entityTypeOtherDesc'),
    incorporated: choice?.[1] ?? null,
    year_incorporated: element.integer('yearOfInc/value'),
    previous_names: previousNames(element, 'issuerPreviousNameList'),
    edgar_previous_names: previousNames(element, 'edgarPreviousNameList'),
  }
}

function person(element: Element) {
  return {
    first_name: named(element.text('relatedPersonName/firstName')),
    middle_name: named(element.text('relatedPersonName/middleName')),
    last_name: named(element.text('relatedPersonName/lastName')),
    ...address(element.maybe('relatedPersonAddress')),
    relationships: element.texts('relatedPersonRelationshipList/relationship'),
    relationship_note: element.text('relationshipClarification'),
  }
}

function recipient(element: Element) {
  // The names of the states whose codes are read.
  element.ignore('statesOfSolicitationList/description')
  return {
    name: named(element.text('recipientName')),
    crd: crd(element, 'recipientCRDNumber'),
    associated_bd_name: named(element.text('associatedBDName')),
    associated_bd_crd: crd(element, 'associatedBDCRDNumber'),
    ...address(element.maybe('recipientAddress')),
    all_states: element.text('statesOfSolicitationList/value') === 'All States',
    states: element.texts('statesOfSolicitationList/state'),
    foreign_solicitation: element.flag('foreignSolicitation'),
  }
}

function signature(element: Element) {
  return {
    issuer_name: named(element.text('issuerName')),
    signature: named(element.text('signatureName')),
    signer_name: named(element.text('nameOfSigner')),
    title: named(element.text('signatureTitle')),
    signed: element.date('signatureDate', 'iso'),
  }
}

function address(element: Element | null) {
  const state = named(element?.text('stateOrCountry') ?? null)
  const unknown = state === null || state === 'XX'
  const stateName = named(element?.text('stateOrCountryDescription') ?? null)
  return {
    street1: named(element?.text('street1') ?? null),
    street2: named(element?.text('street2') ?? null),
    city: named(element?.text('city') ?? null),
    state: unknown ? null : state,
    state_name: unknown ? null : stateName,
    zip: named(element?.text('zipCode') ?? null),
  }
}

/** Up to three; most filings give none as `<value>None</value>`, some as `<previousName>None</previousName>`. */
function previousNames(element: Element, list: string): string[] {
  return [...element.texts(`${list}/previousName`), ...element.texts(`${list}/value`)].filter(
    (name) => named(name) !== null,
  )
}

function cikOf(element: Element): string | null {
  const digits = element.text('cik')
  if (digits === null) return null
  if (/^\d{1,10}$/.test(digits)) return digits.padStart(10, '0')
  element.one('cik').problem(digits, 'is not a CIK')
  return null
}

/** CRD numbers compare as digits without leading zeros, as the adviser and broker files have them. */
function crd(element: Element, path: string): string | null {
  const digits = named(element.text(path))
  if (digits === null) return null
  if (/^\d{1,10}$/.test(digits)) return digits.replace(/^0+/, '') || null
  element.one(path).problem(digits, 'is not a CRD number')
  return null
}

/** The schema lets filers drop leading zeros of each part, and leave the element empty. */
function accessionOf(filing: Element): string | null {
  const path = 'newOrAmendment/previousAccessionNumber'
  const given = filing.text(path)
  if (given === null) return null
  const parts = /^(\d{1,10})-(\d{1,2})-(\d{1,6})$/.exec(given)
  if (parts) return [parts[1]!.padStart(10, '0'), parts[2]!.padStart(2, '0'), parts[3]!.padStart(6, '0')].join('-')
  filing.one(path).problem(given, 'is not an accession')
  return null
}
