/**
 * Turns Form D's `primary_doc.xml` into rows. The form has no namespace. If a filer leaves out a name or an address,
 * the document has the word None or N/A. For an amount that is not fixed, it has the word Indefinite.
 */

import type { Filing } from '../../declare/documents.ts'
import type { Rows } from '../../declare/table.ts'
import { foldedKey } from '../../read/fold.ts'
import { accession, isAmong } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'
import { wordsOfNames } from '../../stored-names.ts'
import { issuer, person, place, recipient, signature } from './parse-people.ts'
import type * as tables from './tables.ts'

/** Boxes of Item 9 in the order of the form, each with the word that rows store. */
const SECURITY_TYPES = [
  ['typesOfSecuritiesOffered/isEquityType', 'equity'],
  ['typesOfSecuritiesOffered/isDebtType', 'debt'],
  ['typesOfSecuritiesOffered/isOptionToAcquireType', 'option'],
  ['typesOfSecuritiesOffered/isSecurityToBeAcquiredType', 'security_to_be_acquired'],
  ['typesOfSecuritiesOffered/isPooledInvestmentFundType', 'pooled_fund'],
  ['typesOfSecuritiesOffered/isTenantInCommonType', 'tenant_in_common'],
  ['typesOfSecuritiesOffered/isMineralPropertyType', 'mineral_property'],
  ['typesOfSecuritiesOffered/isOtherType', 'other'],
] as const

/**
 * Yields the rows of one Form D or D/A.
 *
 * @throws Error if the document is not a Form D, or lacks a part that every Form D has: its primary issuer with a name,
 *   its offering
 */
export function* parse({ documents }: Pick<Filing<{ form: Element }>, 'documents'>): Rows<typeof tables> {
  const { form: doc } = documents
  const submissionType = doc.text('submissionType')
  if (doc.name !== 'edgarSubmission' || !/^D(\/A)?$/.test(submissionType ?? '')) {
    throw new Error(`not a Form D: <${doc.name}> with submissionType ${submissionType}`)
  }
  // These leaves only serve the submission to EDGAR. EDGAR adds the version, and removes contacts and passwords before
  // publication.
  doc.ignore('schemaVersion', 'testOrLive', 'returnCopy', 'contactData', 'notificationAddressList')
  const primary = doc.one('primaryIssuer')
  const entityName = primary.text('entityName')
  if (entityName === null) throw new Error('primaryIssuer/entityName is missing')

  yield ['offering', offering(doc, submissionType as string, primary, entityName)]
  for (const [position, element] of [primary, ...doc.filled('issuerList/issuer')].entries()) {
    yield ['issuer', issuer(position, element)]
  }
  for (const [position, element] of doc.filled('relatedPersonsList/relatedPersonInfo').entries()) {
    yield ['person', person(position, element)]
  }
  for (const [position, element] of doc.filled('offeringData/salesCompensationList/recipient').entries()) {
    yield ['recipient', recipient(position, element)]
  }
  for (const [position, element] of doc.filled('offeringData/signatureBlock/signature').entries()) {
    yield ['signature', signature(position, element)]
  }
}

function offering(doc: Element, submissionType: string, primary: Element, entityName: string) {
  const data = doc.one('offeringData')
  const filing = data.one('typeOfFiling')
  const sales = data.one('offeringSalesAmounts')
  return {
    submission_type: submissionType,
    entity_name: entityName,
    name_key: foldedKey(entityName),
    name_words: wordsOfNames([entityName]),
    cik: primary.cik('cik'),
    ...place(primary.maybe('issuerAddress')),
    over_100_issuers: doc.flag('issuerList/over100IssuerFlag') ?? false,
    over_100_persons: doc.flag('relatedPersonsList/over100PersonsFlag') ?? false,
    is_amendment: filing.flag('newOrAmendment/isAmendment'),
    previous_accession: filing.value('newOrAmendment/previousAccessionNumber', accession, 'is not an accession'),
    industry: data.text('industryGroup/industryGroupType'),
    fund_type: data.text('industryGroup/investmentFundInfo/investmentFundType'),
    is_40_act: data.flag('industryGroup/investmentFundInfo/is40Act'),
    revenue_range: data.text('issuerSize/revenueRange'),
    net_asset_value_range: data.text('issuerSize/aggregateNetAssetValueRange'),
    exemptions: data.texts('federalExemptionsExclusions/item'),
    first_sale: filing.date('dateOfFirstSale/value', 'iso'),
    first_sale_yet_to_occur: filing.flag('dateOfFirstSale/yetToOccur') ?? false,
    more_than_one_year: data.flag('durationOfOffering/moreThanOneYear'),
    security_types: SECURITY_TYPES.filter(([box]) => data.flag(box)).map(([, word]) => word),
    other_security: data.text('typesOfSecuritiesOffered/descriptionOfOtherType'),
    business_combination: data.flag('businessCombinationTransaction/isBusinessCombinationTransaction'),
    business_combination_note: data.text('businessCombinationTransaction/clarificationOfResponse'),
    minimum_investment: data.money('minimumInvestmentAccepted'),
    over_100_recipients: data.flag('salesCompensationList/over100RecipientFlag') ?? false,
    total_offered: sales.money('totalOfferingAmount', ['Indefinite']),
    total_offered_indefinite: isAmong(sales.text('totalOfferingAmount') ?? '', ['Indefinite']),
    total_sold: sales.money('totalAmountSold'),
    total_remaining: sales.money('totalRemaining', ['Indefinite']),
    total_remaining_indefinite: isAmong(sales.text('totalRemaining') ?? '', ['Indefinite']),
    sales_note: sales.text('clarificationOfResponse'),
    has_non_accredited: data.flag('investors/hasNonAccreditedInvestors'),
    non_accredited_count: data.bigint('investors/numberNonAccreditedInvestors'),
    investor_count: data.bigint('investors/totalNumberAlreadyInvested'),
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
