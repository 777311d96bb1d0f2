/**
 * Rebuilds the form's elements about the registrant from the SEC's data sets of Form N-CEN (since 2019 Q3).
 *
 * Columns follow the SEC's own description of the sets (ncen_metadata.json), which is unchanged since 2021 Q3 except
 * for REDEEMED_SHARES_PER_CREATION_UNIT of ETF, added in 2024 Q1. The sets lack these, so rows from them have null or
 * nothing: the series and classes that the header of the form names, the telephone of a compliance officer, and RSSD
 * IDs.
 */
import type { CsvRow } from '../../../read/csv.ts'
import type { Branch, Made, Plan } from '../../../read/made.ts'
import { PROVIDERS } from '../parse/provider.ts'
import { providerBranch } from './provider.ts'

const KEY = 'ACCESSION_NUMBER'

export const HEADER: readonly Branch[] = [
  {
    member: 'SUBMISSION',
    at: '',
    texts: {
      submissionType: 'SUBMISSION_TYPE',
      'filerInfo/filer/issuerCredentials/cik': 'CIK',
      'filerInfo/filer/fileNumber': 'FILE_NUM',
    },
    ignored: [KEY, 'FILING_DATE'],
  },
]

export const GENERAL: readonly Branch[] = [
  {
    member: 'SUBMISSION',
    at: '',
    texts: { '@isReportPeriodLt12': 'IS_REPORT_PERIOD_LT_12MONTH' },
    days: { '@reportEndingPeriod': 'REPORT_ENDING_PERIOD' },
  },
]

export const ATTACHMENTS: readonly Branch[] = [
  {
    member: 'SUBMISSION',
    at: '',
    texts: {
      isLegalProceedings: 'IS_LEGAL_PROCEEDINGS',
      isProvisionFinancialSupport: 'IS_PROVISION_FINANCIAL_SUPPORT',
      isIPAReportInternalControl: 'IS_IPA_REPORT_INTERNAL_CONTROL',
      isChangeAccPrinciples: 'IS_CHANGE_ACC_PRINCIPLES',
      isInfoRequiredEO: 'IS_INFO_REQUIRED_EO',
      isOtherInfoRequired: 'IS_OTHER_INFO_REQUIRED',
      isMaterialAmendments: 'IS_MATERIAL_AMENDMENTS',
      isInstDefiningRights: 'IS_INST_DEFINING_RIGHTS',
      isNewOrAmendedInvAdvContracts: 'IS_NEW_OR_AMENDED_INV_ADV_CONT',
      isInfoItem405: 'IS_INFO_ITEM405',
      isCodeOfEthics: 'IS_CODE_OF_ETHICS',
    },
  },
]

export const SIGNATURE: readonly Branch[] = [
  {
    member: 'SUBMISSION',
    at: '',
    texts: { '@registrantSignedName': 'REGISTRANT_SIGNED_NAME', '@signature': 'SIGNATURE', '@title': 'TITLE' },
    days: { '@signedDate': 'DATE_SIGNED' },
  },
]

const seriesInfo: Plan = { '@seriesName': 'SERIES_NAME', '@seriesId': 'SERIES_ID' }

export const REGISTRANT: readonly Branch[] = [
  {
    member: 'REGISTRANT',
    at: '',
    texts: {
      registrantFullName: 'REGISTRANT_NAME',
      investmentCompFileNo: 'FILE_NUM',
      registrantCik: 'CIK',
      registrantLei: 'LEI',
      registrantstreet1: 'ADDRESS1',
      registrantstreet2: 'ADDRESS2',
      registrantcity: 'CITY',
      registrantstate: 'STATE',
      registrantcountry: 'COUNTRY',
      registrantzipCode: 'ZIP',
      registrantphoneNumber: 'PHONE',
      isRegistrantFirstFiling: 'IS_FIRST_FILING',
      isRegistrantLastFiling: 'IS_LAST_FILING',
      isRegistrantFamilyInvComp: 'IS_FAMILY_INVESTMENT_COMPANY',
      'registrantFamilyInvComp/@familyInvCompFullName': 'FAMILY_INVESTMENT_COMPANY_NAME',
      registrantClassificationType: 'INVESTMENT_COMPANY_TYPE',
      totalSeries: 'TOTAL_SERIES',
      isSecuritiesActRegistration: 'IS_REGISTERED_UNDER_ACT_1933',
      isRegistrantSubmittedMatter: 'HAS_SECURITY_HOLDER_VOTE',
      isPreviousLegalProceeding: 'HAS_LEGAL_PROCEEDING',
      isPreviousProceedingTerminated: 'IS_PROCEEDING_TERMINATED',
      isClaimFiled: 'IS_FIDELITY_BOND_CLAIMED',
      'claimFiled/@totalClaimAmount': 'FIDELITY_BOND_CLAIMED_AMOUNT',
      isCoveredByInsurancePolicy: 'HAS_DIRECTOR_INSURANCE_POLICY',
      'coveredByInsurancePolicy/@isClaimFiledDuringPeriod': 'HAS_DIRECTOR_FILED_CLAIM',
      isFinancialSupportDuringPeriod: 'FINANCIAL_SUPPORT_2REGISTRANT',
      isExemptionFromAct: 'IS_EXEMPTIVE_ORDER',
      isUnderwriterHiredOrTerminated: 'IS_UNDERWRITER_HIRED_OR_FIRED',
      isPublicAccountantChanged: 'IS_PUB_ACCOUNTANT_CHANGED',
      isMaterialWeakness: 'IS_MATERIAL_WEAKNESS_NOTED',
      isOpinionOffered: 'IS_ACCT_OPINION_QUALIFIED',
      isMaterialChange: 'IS_VALUE_METHOD_CHANGED',
      isAccountingPrincipleChange: 'IS_ACCT_PRINCIPLE_CHANGED',
      isPaymentErrorInNetAssetValue: 'IS_NAV_ERROR_CORRECTED',
      isPaymentDividend: 'ANY_DIVIDEND_PAYMENT',
    },
    ignored: [KEY],
  },
  {
    member: 'REGISTRANT_WEBSITE',
    at: 'websites/website',
    texts: { '@webpage': 'WEBPAGE' },
    ignored: [KEY],
  },
  {
    member: 'LOCATION_BOOKS_RECORD',
    at: 'locationBooksRecords/locationBooksRecord',
    texts: {
      officeName: 'OFFICE_NAME',
      officeAddress1: 'ADDRESS1',
      officeAddress2: 'ADDRESS2',
      officeCity: 'CITY',
      'officeStateCountry/@officeState': 'STATE',
      'officeStateCountry/@officeCountry': 'COUNTRY',
      officeRecordsZipCode: 'ZIP',
      officePhone: 'PHONE',
      booksRecordsDesc: 'BOOKS_RECORDS_DESC',
    },
    ignored: [KEY],
  },
  {
    member: 'TERMINATED_ORGANIZATION',
    at: 'terminatedSeries/terminatedSeriesInfo',
    texts: { ...seriesInfo, '@terminationDate': 'TERMINATION_DATE' },
    ignored: [KEY],
  },
  {
    member: 'DIRECTOR',
    at: 'directors/director',
    texts: {
      directorName: 'DIRECTOR_NAME',
      crdNumber: 'CRD_NUMBER',
      isDirectorInterestedPerson: 'IS_INTERESTED_PERSON',
    },
    ignored: [KEY],
    by: 'DIRECTOR_SEQNUM',
    branches: [{ member: 'DIRECTOR_FILE_NUMBER', at: 'fileNumbers', once: true, ignored: [KEY], more: fileNumbers }],
  },
  {
    member: 'CHIEF_COMPLIANCE_OFFICER',
    at: 'chiefComplianceOfficers/chiefComplianceOfficer',
    texts: {
      ccoName: 'CCO_NAME',
      crdNumber: 'CRD_NUMBER',
      ccoStreet1: 'CCO_ADDRESS1',
      ccoStreet2: 'CCO_ADDRESS2',
      ccoCity: 'CCO_CITY',
      'ccoStateCountry/@ccoState': 'STATE',
      'ccoStateCountry/@ccoCountry': 'COUNTRY',
      ccoZipCode: 'CCO_ZIP',
      isCcoChangedSinceLastFiling: 'IS_CHANGED_SINCE_LAST_FILING',
    },
    ignored: [KEY],
    by: 'CCO_SEQNUM',
    branches: [
      {
        member: 'CCO_EMPLOYER',
        at: 'ccoEmployers/ccoEmployer',
        texts: { '@ccoEmployerName': 'CCO_EMPLOYER_NAME', '@ccoEmployerId': 'CCO_EMPLOYER_ID' },
        ignored: [KEY],
      },
    ],
  },
  {
    member: 'REGISTRANT_REPORTING_SERIES',
    at: {
      column: 'SOURCE',
      paths: {
        'SECURITY SUBMITTED': 'securityMatterSeriesInfo/seriesInfo',
        'LEGAL PROCEEDING': 'legalProceedingSeriesInfo/seriesInfo',
        'PROCEEDING TERMINATED': 'previousProceedingTerminated/seriesInfo',
        'FINANCIAL SUPPORT': 'financialSupportSeriesInfo/seriesInfo',
        'AUDIT OPINION': 'auditOpinionSeries/seriesInfo',
        'PAYMENT ERROR': 'paymentErrorSeries/seriesInfo',
        'PAYMENT DIVIDEND': 'paymentDividendSeries/seriesInfo',
      },
    },
    texts: seriesInfo,
    ignored: [KEY],
  },
  {
    member: 'RELEASE_NUMBER',
    at: 'releaseNumbers/releaseNumberInfo',
    texts: { '@releaseNumber': 'RELEASE_NUMBER' },
    ignored: [KEY],
  },
  {
    member: 'VALUATION_METHOD_CHANGE',
    at: 'valuationMethodsChanges/valuationMethodsChange',
    texts: {
      changeExplanation: 'CHANGE_EXPLANATION',
      assetType: 'ASSET_TYPE',
      assetTypeOtherDesc: 'ASSET_TYPE_OTHER_DESC',
      investmentType: 'INVESTMENT_TYPE',
      statutoryRegulatoryBasis: 'STATUTORY_REGULATORY_BASIS',
    },
    days: { dateOfChange: 'DATE_OF_CHANGE' },
    ignored: [KEY],
    by: 'VALUATION_METHOD_CHANGE_SEQNUM',
    branches: [
      {
        member: 'VALUATION_METHOD_CHANGE_SERIES',
        at: 'valuationMethodsChangeSeries/seriesInfo',
        texts: seriesInfo,
        ignored: [KEY],
      },
    ],
  },
  providerBranch('PRINCIPAL_UNDERWRITER', PROVIDERS.registrant.principal_underwriter, {
    ...{ name: 'UNDERWRITER_NAME', file: 'FILE_NUM', crd: 'CRD_NUM', lei: 'UNDERWRITER_LEI' },
    affiliated: 'IS_AFFILIATED',
  }),
  providerBranch(
    'PUBLIC_ACCOUNTANT',
    PROVIDERS.registrant.accountant,
    { name: 'PUB_ACCOUNTANT_NAME', lei: 'PUB_ACCOUNTANT_LEI' },
    { pcaobNumber: 'PCAOB_NUM' },
  ),
]

/** Splits the file numbers of a director, which stand in one line with spaces between them. */
function fileNumbers(made: Made, row: CsvRow): void {
  for (const number of row.text('FILE_NUMBER')?.split(/\s+/) ?? []) {
    made.child('fileNumberInfo').put('@fileNumber', number)
  }
}
