/**
 * Reads the offering statement, Part I of Form 1-A: terms, financial statement summary, classes, unregistered sales.
 */

import type { Rows } from '../../declare/table.ts'
import type { Element } from '../../read/xml.ts'
import { services } from './parse-services.ts'
import { cusipOf, named } from './parse-values.ts'
import type * as tables from './tables.ts'

const SECURITY_TYPES = [
  ['Equity (common or preferred stock)', 'equity'],
  ['Debt', 'debt'],
  ['Option, warrant or other right to acquire another security', 'option'],
  [
    'Security to be acquired upon exercise of option, warrant or other right to acquire security',
    'security_to_be_acquired',
  ],
  ['Tenant-in-common securities', 'tenant_in_common'],
  ['Other(describe)', 'other'],
] as const
const SECURITY_WORDS = new Map(SECURITY_TYPES.map(([words, type]) => [spelled(words), type] as const))

/** The words without differences in case and blanks. */
function spelled(words: string): string {
  return words.toLowerCase().replace(/\s+/g, '')
}

/** Returns our word for a type of the form. Any other type is kept as filed and reported. */
function securityType(element: Element): string[] {
  const words = element.text()
  if (words === null) return []
  const type = SECURITY_WORDS.get(spelled(words))
  if (type === undefined) element.problem(words, 'not a type of security of the form')
  return [type ?? words]
}

/** Yields the rows of `formData` that only an offering statement has. */
export function* statement(form: Element): Rows<typeof tables> {
  const summary = form.one('summaryInfo')
  yield ['offering', offering(form, summary)]
  yield ['financials', financials(form.one('issuerInfo'))]
  yield* services(summary, 0)
  for (const [position, row] of classes(form).entries()) yield ['security_class', { ...row, position }]
  for (const [position, element] of form.filled('securitiesIssued').entries()) {
    yield ['unregistered', unregistered(position, element)]
  }
}

function offering(form: Element, summary: Element) {
  return {
    audit_status: summary.text('financialStatementAuditStatus'),
    security_types: summary.all('securitiesOfferedTypes').flatMap(securityType),
    other_security: summary.text('securitiesOfferedOtherDesc'),
    delayed_or_continuous: summary.flag('offerDelayedContinuousFlag'),
    more_than_one_year: summary.flag('offeringYearFlag'),
    priced_after_qualification: summary.flag('offeringAfterQualifFlag'),
    best_efforts: summary.flag('offeringBestEffortsFlag'),
    solicited_interest: summary.flag('solicitationProposedOfferingFlag'),
    affiliate_resale: summary.flag('resaleSecuritiesAffiliatesFlag'),
    securities_offered: summary.bigint('securitiesOffered'),
    securities_outstanding: summary.bigint('outstandingSecurities'),
    price_per_security: summary.money('pricePerSecurity'),
    issuer_amount: summary.money('issuerAggregateOffering'),
    holder_amount: summary.money('securityHolderAggegate'),
    prior_amount: summary.money('qualificationOfferingAggregate'),
    concurrent_amount: summary.money('concurrentOfferingAggregate'),
    broker_crd: summary.crd('brokerDealerCrdNumber'),
    estimated_net_proceeds: summary.money('estimatedNetAmount'),
    fees_note: summary.text('clarificationResponses'),
    jurisdictions: form.texts('juridictionSecuritiesOffered/issueJuridicationSecuritiesOffering'),
    dealer_jurisdictions: form.texts('juridictionSecuritiesOffered/dealersJuridicationSecuritiesOffering'),
    no_dealer_jurisdictions: form.flag('juridictionSecuritiesOffered/jurisdictionsOfSecOfferedNone'),
    same_dealer_jurisdictions: form.flag('juridictionSecuritiesOffered/jurisdictionsOfSecOfferedSame'),
    no_unregistered_securities: form.flag('unregisteredSecurities/ifUnregsiteredNone'),
    unregistered_exemption: form.text('unregisteredSecuritiesAct/securitiesActExcemption'),
    eligible: form.flag('issuerEligibility/certifyIfTrue'),
    not_disqualified: form.flag('applicationRule262/certifyIfNotDisqualified'),
    bad_actor_disclosure: form.flag('applicationRule262/certifyIfBadActor'),
  }
}

function financials(info: Element) {
  return {
    layout: info.text('industryGroup'),
    cash: info.money('cashEquivalents'),
    investment_securities: info.money('investmentSecurities'),
    total_investments: info.money('totalInvestments'),
    accounts_receivable: info.money('accountsReceivable'),
    loans: info.money('loans'),
    // The general layout uses the first element name, the layout of banks and insurers the second.
    property: info.money('propertyPlantEquipment') ?? info.money('propertyAndEquipment'),
    total_assets: info.money('totalAssets'),
    accounts_payable: info.money('accountsPayable'),
    policy_liabilities: info.money('policyLiabilitiesAndAccruals'),
    deposits: info.money('deposits'),
    long_term_debt: info.money('longTermDebt'),
    total_liabilities: info.money('totalLiabilities'),
    equity: info.money('totalStockholderEquity'),
    liabilities_and_equity: info.money('totalLiabilitiesAndEquity'),
    revenues: info.money('totalRevenues'),
    interest_income: info.money('totalInterestIncome'),
    costs_and_expenses: info.money('costAndExpensesApplToRevenues'),
    interest_expenses: info.money('totalInterestExpenses'),
    depreciation: info.money('depreciationAndAmortization'),
    net_income: info.money('netIncome'),
    eps_basic: info.money('earningsPerShareBasic'),
    eps_diluted: info.money('earningsPerShareDiluted'),
    auditor: named(info.text('nameAuditor')),
  }
}

function classes(form: Element) {
  const of = (
    list: string,
    kind: string,
    [name, outstanding, cusip, market]: readonly [string, string, string, string],
  ) =>
    form.filled(list).map((element) => ({
      kind,
      name: named(element.text(name)),
      outstanding: element.bigint(outstanding),
      cusip: cusipOf(element, cusip),
      market: named(element.text(market)),
    }))
  return [
    ...of('commonEquity', 'common', [
      'commonEquityClassName',
      'outstandingCommonEquity',
      'commonCusipEquity',
      'publiclyTradedCommonEquity',
    ]),
    ...of('preferredEquity', 'preferred', [
      'preferredEquityClassName',
      'outstandingPreferredEquity',
      'preferredCusipEquity',
      'publiclyTradedPreferredEquity',
    ]),
    ...of('debtSecurities', 'debt', [
      'debtSecuritiesClassName',
      'outstandingDebtSecurities',
      'cusipDebtSecurities',
      'publiclyTradedDebtSecurities',
    ]),
  ]
}

function unregistered(position: number, element: Element) {
  return {
    position,
    issuer_name: element.text('securitiesIssuerName'),
    title: element.text('securitiesIssuerTitle'),
    total_issued: element.bigint('securitiesIssuedTotalAmount'),
    sold_by_holders: element.bigint('securitiesPrincipalHolderAmount'),
    consideration: element.text('securitiesIssuedAggregateAmount'),
    consideration_basis: element.text('aggregateConsiderationBasis'),
  }
}
