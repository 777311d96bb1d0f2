/** Reads Parts A and B of Form N-CEN: the registrant, its directors and officers, and its answers for all its funds. */
import { classAt, type Series, seriesAt } from '../../../read/fund.ts'
import { isNone } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import type { MATTERS } from '../tables/columns.ts'
import { providersOf } from './provider.ts'
import { amount, answer, day, fileNumber, lei, type Part, place, textAt, textsAt } from './values.ts'

/** Reads the header of the form. */
export function header(element: Element) {
  // These leaves only serve the submission to EDGAR. EDGAR replaces the password by XXXXXXXX.
  element.ignore('accessionNumber', 'filerInfo/liveTestFlag', 'filerInfo/filer/issuerCredentials/ccc')
  element.ignore('filerInfo/contact', 'filerInfo/notifications', 'filerInfo/flags')
  const listed = 'seriesClass/reportSeriesClass/rptSeriesClassInfo'
  // If this flag is set for a series, the report covers all of its classes without listing them. The flag is ignored,
  // since the table `share_class` has these classes.
  element.ignore(`${listed}/includeAllClassesFlag`, 'seriesClass/reportClass/rptIncludeAllClassesFlag')
  return {
    submissionType: element.text('submissionType'),
    cik: element.cik('filerInfo/filer/issuerCredentials/cik'),
    fileNumber: fileNumber(element, 'filerInfo/filer/fileNumber'),
    classification: textAt(element, 'filerInfo/investmentCompanyType'),
    rows: {
      covers_all_series: element.flag('seriesClass/reportSeriesClass/rptIncludeAllSeriesFlag'),
      series_ids: element.filled(`${listed}/seriesId`).flatMap((one) => seriesAt(one).id ?? []),
      class_ids: [`${listed}/classInfo/classId`, 'seriesClass/reportClass/classInfo/classId']
        .flatMap((at) => element.filled(at))
        .flatMap((one) => classAt(one) ?? []),
    },
  }
}

/** Reads Item A.1. */
export const period = (element: Element) => ({
  period: day(element, '@reportEndingPeriod'),
  is_short_period: element.flag('@isReportPeriodLt12'),
})

/** Reads the registrant's columns of part B. */
export function registrant(element: Element) {
  return {
    registrant_name: textAt(element, 'registrantFullName'),
    file_number: fileNumber(element, 'investmentCompFileNo'),
    cik: element.cik('registrantCik'),
    lei: lei(element, 'registrantLei'),
    classification: textAt(element, 'registrantClassificationType'),
    street1: textAt(element, 'registrantstreet1'),
    street2: textAt(element, 'registrantstreet2'),
    city: textAt(element, 'registrantcity'),
    ...place(element, { state: 'registrantstate', country: ['registrantcountry'] }),
    zip: textAt(element, 'registrantzipCode'),
    phone: textAt(element, 'registrantphoneNumber'),
    websites: textsAt(element, 'websites/website/@webpage'),
    is_first_filing: element.flag('isRegistrantFirstFiling'),
    is_last_filing: element.flag('isRegistrantLastFiling'),
    is_in_family: answer(element, 'isRegistrantFamilyInvComp', 'registrantFamilyInvComp'),
    family_name: textAt(element, 'registrantFamilyInvComp/@familyInvCompFullName'),
    series_count: element.count('totalSeries'),
    has_registered_securities: element.flag('isSecuritiesActRegistration'),
    has_vote: answer(element, 'isRegistrantSubmittedMatter', 'securityMatterSeriesInfo'),
    has_legal_proceedings: answer(element, 'isPreviousLegalProceeding', 'legalProceedingSeriesInfo'),
    has_ended_proceedings: answer(element, 'isPreviousProceedingTerminated', 'previousProceedingTerminated'),
    has_bond_claim: answer(element, 'isClaimFiled', 'claimFiled'),
    bond_claims: amount(element, 'claimFiled/@totalClaimAmount'),
    is_insured: answer(element, 'isCoveredByInsurancePolicy', 'coveredByInsurancePolicy'),
    has_insurance_claim: element.flag('coveredByInsurancePolicy/@isClaimFiledDuringPeriod'),
    has_financial_support: answer(element, 'isFinancialSupportDuringPeriod', 'financialSupportSeriesInfo'),
    is_exempted: answer(element, 'isExemptionFromAct', 'releaseNumbers'),
    exemption_releases: textsAt(element, 'releaseNumbers/releaseNumberInfo/@releaseNumber'),
    has_changed_underwriter: element.flag('isUnderwriterHiredOrTerminated'),
    has_changed_accountant: element.flag('isPublicAccountantChanged'),
    has_material_weakness: element.flag('isMaterialWeakness'),
    has_qualified_opinion: answer(element, 'isOpinionOffered', 'auditOpinionSeries'),
    has_changed_valuation: answer(element, 'isMaterialChange', 'valuationMethodsChanges'),
    has_changed_accounting: element.flag('isAccountingPrincipleChange'),
    has_nav_error: answer(element, 'isPaymentErrorInNetAssetValue', 'paymentErrorSeries'),
    has_dividend_statement: answer(element, 'isPaymentDividend', 'paymentDividendSeries'),
  }
}

/** Yields the lists of part B. */
export function* registrantLists(element: Element, fundOf: (series: Series) => string | null): Generator<Part> {
  for (const director of element.filled('directors/director')) yield ['person', directorOf(director)]
  for (const officer of element.filled('chiefComplianceOfficers/chiefComplianceOfficer'))
    yield ['person', officerOf(officer)]
  for (const office of element.filled('locationBooksRecords/locationBooksRecord')) yield ['office', officeOf(office)]
  for (const series of element.filled('terminatedSeries/terminatedSeriesInfo')) {
    const which = seriesAt(series, '@seriesId')
    const ended = series.value('@terminationDate', monthOf, 'is not a month and year')
    yield [
      'terminated_series',
      { fund: which.id && fundOf(which), series_id: which.id, series_name: textAt(series, '@seriesName'), ended },
    ]
  }
  for (const [matter, at] of Object.entries(MATTER_AT)) {
    for (const series of element.filled(`${at}/seriesInfo`)) {
      const about = { series_id: seriesAt(series, '@seriesId').id, series_name: textAt(series, '@seriesName') }
      if (about.series_id !== null || about.series_name !== null) yield ['series_matter', { matter, ...about }]
    }
  }
  for (const change of element.filled('valuationMethodsChanges/valuationMethodsChange')) {
    yield ['valuation_change', valuationChange(change)]
  }
  yield* providersOf(element, 'registrant', null)
}

const MATTER_AT: Readonly<Record<(typeof MATTERS)[number], string>> = {
  vote: 'securityMatterSeriesInfo',
  legal_proceeding: 'legalProceedingSeriesInfo',
  ended_proceeding: 'previousProceedingTerminated',
  financial_support: 'financialSupportSeriesInfo',
  qualified_opinion: 'auditOpinionSeries',
  nav_error: 'paymentErrorSeries',
  dividend_statement: 'paymentDividendSeries',
}

/** The form asks for month and year, 09/2017; some filers give the day. */
function monthOf(text: string): string | null | undefined {
  if (isNone(text)) return undefined
  const { month, year } = /^(?<month>\d\d?)[-/](?:\d\d?[-/])?(?<year>\d{4})$/.exec(text)?.groups ?? {}
  const iso = month === undefined ? text : `${year}-${month.padStart(2, '0')}`
  return /^\d{4}-(0[1-9]|1[0-2])(-\d\d)?$/.test(iso) ? iso.slice(0, 7) : null
}

const NO_ADDRESS = { street1: null, street2: null, city: null, state: null, country: null, zip: null, phone: null }

const directorOf = (element: Element) => ({
  role: 'director',
  name: textAt(element, 'directorName'),
  indvl_pk: element.crd('crdNumber'),
  is_interested: element.flag('isDirectorInterestedPerson'),
  director_of: textsAt(element, 'fileNumbers/fileNumberInfo/@fileNumber'),
  ...NO_ADDRESS,
  is_changed: null,
  employers: [],
})

const officerOf = (element: Element) => ({
  role: 'chief_compliance_officer',
  name: textAt(element, 'ccoName'),
  indvl_pk: element.crd('crdNumber'),
  is_interested: null,
  director_of: [],
  street1: textAt(element, 'ccoStreet1'),
  street2: textAt(element, 'ccoStreet2'),
  city: textAt(element, 'ccoCity'),
  ...place(element, {
    state: 'ccoStateCountry/@ccoState',
    country: ['ccoStateCountry/@ccoCountry', 'ccoCountry'],
  }),
  zip: textAt(element, 'ccoZipCode'),
  // EDGAR replaces the telephone of every officer with XXXXXX.
  phone: element.value('ccoPhone', (text) => (/^X+$/.test(text) ? undefined : text), ''),
  is_changed: element.flag('isCcoChangedSinceLastFiling'),
  employers: element
    .filled('ccoEmployers/ccoEmployer')
    .map((employer) => ({
      name: textAt(employer, '@ccoEmployerName'),
      employer_id: textAt(employer, '@ccoEmployerId'),
    }))
    .filter(({ name, employer_id }) => name !== null || employer_id !== null),
})

const officeOf = (element: Element) => ({
  name: textAt(element, 'officeName'),
  street1: textAt(element, 'officeAddress1'),
  street2: textAt(element, 'officeAddress2'),
  city: textAt(element, 'officeCity'),
  ...place(element, {
    state: 'officeStateCountry/@officeState',
    country: ['officeStateCountry/@officeCountry', 'officeCountry'],
  }),
  zip: textAt(element, 'officeRecordsZipCode'),
  phone: textAt(element, 'officePhone'),
  description: textAt(element, 'booksRecordsDesc'),
})

const valuationChange = (element: Element) => ({
  changed: day(element, 'dateOfChange'),
  explanation: textAt(element, 'changeExplanation'),
  asset_type: textAt(element, 'assetType'),
  asset_type_other: textAt(element, 'assetTypeOtherDesc'),
  investment_type: textAt(element, 'investmentType'),
  basis: textAt(element, 'statutoryRegulatoryBasis'),
  series: element.filled('valuationMethodsChangeSeries/seriesInfo').map((series) => ({
    series_id: seriesAt(series, '@seriesId').id,
    series_name: textAt(series, '@seriesName'),
  })),
})

/** Item G.1: the boxes of attachments, each with the word that rows store. */
const ATTACHMENTS = [
  ['isLegalProceedings', 'legal_proceedings'],
  ['isProvisionFinancialSupport', 'financial_support'],
  ['isIPAReportInternalControl', 'internal_control_report'],
  ['isChangeAccPrinciples', 'accounting_principles'],
  ['isInfoRequiredEO', 'exemptive_orders'],
  ['isOtherInfoRequired', 'other_information'],
  ['isMaterialAmendments', 'charter_amendments'],
  ['isInstDefiningRights', 'instruments_of_rights'],
  ['isNewOrAmendedInvAdvContracts', 'advisory_contracts'],
  ['isInfoItem405', 'item_405'],
  ['isCodeOfEthics', 'code_of_ethics'],
] as const

export const attachments = (element: Element): string[] =>
  ATTACHMENTS.filter(([box]) => element.flag(box)).map(([, word]) => word)

export const signature = (element: Element) => ({
  signed_by: textAt(element, '@registrantSignedName'),
  signature: textAt(element, '@signature'),
  signer_title: textAt(element, '@title'),
  signed: day(element, '@signedDate'),
})
