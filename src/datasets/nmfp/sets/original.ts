/**
 * Rebuilds the first Form N-MFP from the SEC's data sets: puts the columns of the later forms, and those that end in
 * _L, into the elements of the first schema.
 */
import type { CsvRow } from '../../../read/csv.ts'
import type { Branch, Lines, Made } from '../../../read/made.ts'

/** Places the ratings of a type below the firm that has them. */
const rated =
  (type: RegExp, at: string, identity?: string) =>
  (made: Made, row: CsvRow, lines: Lines): void => {
    const firm = identity === undefined ? null : row.text(identity)
    for (const one of lines.where('NMFP_NRSRO', 'SECURITY_ID', row.text('SECURITY_ID'))) {
      // If two firms have one name, the first gets all ratings: a set has no other link.
      if (lines.placed.has(one) || !type.test(one.text('TYPE') ?? '')) continue
      if (identity !== undefined && one.text('IDENTITY') !== firm) continue
      made.child(at).fill(one, { RAN: 'NAMEOFNRSRO', R: 'RATING' })
      lines.placed.add(one)
    }
  }

const SERIES = 'seriesLevelInformation'
const EDGARS = ['ACCESSION_NUMBER', 'FILING_DATE', 'FILER_CIK', 'SERIES_NAME', 'CLASS_NAME', 'REGISTRANTFULLNAME']

export const originalBranches: readonly Branch[] = [
  {
    member: 'NMFP_SUBMISSION',
    at: '',
    texts: {
      submissionType: 'SUBMISSIONTYPE',
      EntityCentralIndexKey: 'CIK',
      seriesId: 'SERIESID',
      totalClassesInSeries: 'TOTALSHARECLASSESINSERIES',
      isThisFinalFiling: 'FINALFILINGFLAG',
      isFundLiquidating: 'FUNDLIQUIDATINGFLAG',
      isFundMergingWithOrBeingAcquiredByAnotherFund: 'FUNDMRGORACQRDBYOTHRFLAG',
      hasFundAcquiredOrMergedWithAnotherFundSinceLastFiling: 'FUNDACQRDORMRGDWTHANTHRFLAG',
    },
    days: { DocumentPeriodEndDate: 'REPORTDATE' },
    ignored: EDGARS,
  },
  {
    member: 'NMFP_SERIESLEVELINFO',
    at: SERIES,
    once: true,
    texts: {
      ContainedFileInformationFileNumber: 'SECURITIESACTFILENUMBER',
      'independentPublicAccountant/name': 'INDPPUBACCTNAME',
      'independentPublicAccountant/city': 'INDPPUBACCTCITY',
      'independentPublicAccountant/state': 'INDPPUBACCTSTATECOUNTRY',
      isThisFeederFund: 'FEEDERFUNDFLAG',
      isThisMasterFund: 'MASTERFUNDFLAG',
      isThisSeriesPrimarilyUsedToFundInsuranceCompanySeperateAccounts: 'SERIESFUNDINSUCMPNYSEPACCNTFLA',
      InvestmentTypeDomain: 'MONEYMARKETFUNDCATEGORY',
      dollarWeightedAveragePortfolioMaturity: 'AVERAGEPORTFOLIOMATURITY',
      dollarWeightedAverageLifeMaturity: 'AVERAGELIFEMATURITY',
      AvailableForSaleSecuritiesAmortizedCost: 'AMORTIZEDCOSTPORTFOLIOSECURITI',
      OtherAssets: 'TOTALVALUEOTHERASSETS',
      Liabilities: 'TOTALVALUELIABILITIES',
      AssetsNet: 'NETASSETOFSERIES',
      MoneyMarketSevenDayYield: 'SEVENDAYGROSSYIELD',
    },
  },
  {
    member: 'NMFP_ADVISER',
    at: {
      column: 'ADVISER_TYPE',
      paths: {
        ADVISER: `${SERIES}/investmentAdviserList/adviser`,
        ADVISOR: `${SERIES}/investmentAdviserList/adviser`,
        SUBADVISER: `${SERIES}/subAdviserList/subAdviser`,
        SUBADVISOR: `${SERIES}/subAdviserList/subAdviser`,
      },
    },
    texts: { adviserName: 'ADVISERNAME', adviserFileNumber: 'ADVISERFILENUMBER' },
  },
  {
    member: 'NMFP_ADMINISTRATOR',
    at: `${SERIES}/administratorList/administrator`,
    more(made, row) {
      const name = row.text('ADMINISTRATORNAME')
      if (name !== null) made.say(name)
    },
  },
  {
    member: 'NMFP_TRANSFERAGENT',
    at: `${SERIES}/transferAgentList/transferAgent`,
    texts: { name: 'NAME', EntityCentralIndexKey: 'CIK', fileNumber: 'FILENUMBER' },
  },
  {
    member: 'NMFP_MASTERFEEDERFUND',
    at: {
      column: 'FUND_TYPE',
      paths: { MASTER: `${SERIES}/masterFund`, FEEDER: `${SERIES}/feederFundList/feederFund` },
    },
    texts: {
      EntityRegistrantName: 'NAME',
      EntityCentralIndexKey: 'CIK',
      ContainedFileInformationFileNumber: 'FILENUMBER',
      seriesIdentifier: 'SERIESID',
    },
  },
  {
    member: 'NMFP_SERIESSHADOWPRICE_L',
    at: `${SERIES}/seriesShadowPrice`,
    once: true,
    texts: {
      netValuePerShareIncludingCapitalSupportAgreement: 'NETVALUEPERSHAREINCLUDINGCAPIT',
      netValuePerShareExcludingCapitalSupportAgreement: 'NETVALUEPERSHAREEXCLUDINGCAPIT',
    },
    days: {
      dateCalculatedFornetValuePerShareIncludingCapitalSupportAgreement: 'NETVALUEPERSHAREINCAPCALCDATE',
      dateCalculatedFornetValuePerShareExcludingCapitalSupportAgreement: 'NETVALUEPERSHAREEXCAPCALCDATE',
    },
  },
  {
    member: 'NMFP_CLASSLEVELINFO',
    at: 'classLevelInformationList/classLevelInformation',
    by: 'CLASSESID',
    texts: {
      classId: 'CLASSESID',
      minInitialInvestment: 'MININITIALINVESTMENT',
      netAssetsOfClass: 'NETASSETSOFCLASS',
      grossSubscriptionsForMonthEnded: 'TOTALGROSSSUBSCRIPTIONS',
      grossRedemptionsForMonthEnded: 'TOTALGROSSREDEMPTIONS',
      netShareholderFlowActivityForMonthEnded: 'NETSHAREHOLDERFLOWACTIVITYFO_L',
      sevenDayNetYield: 'SEVENDAYNETYIELD',
      netAssetValuePerShare: 'NETASSETVALUEPERSHARE_L',
    },
    branches: [
      {
        member: 'NMFP_NETASSETVALUEPERSHARE_L',
        at: {
          column: 'TYPE',
          paths: {
            IN: 'classShadowPrice/netAssetValuePerShareIncludingCapitalSupportAgreement',
            EX: 'classShadowPrice/netAssetValuePerShareExcludingCapitalSupportAgreement',
          },
        },
        texts: { value: 'VALUE' },
        days: { dateAsOfWhichValueWasCalculated: 'DATEASOFWHICHVALUEWASCALCULATE' },
      },
    ],
  },
  {
    member: 'NMFP_SCHPORTFOLIOSECURITIES',
    at: 'scheduleOfPortfolioSecuritiesList/scheduleOfPortfolioSecurities',
    by: 'SECURITY_ID',
    texts: {
      InvestmentIssuer: 'NAMEOFISSUER',
      InvestmentTitle: 'TITLEOFISSUER',
      CUSIPMember: 'CUSIP_NUMBER',
      EntityCentralIndexKey: 'CIK',
      InvestmentIdentifier: 'OTHERUNIQUEID',
      InvestmentTypeDomain: 'INVESTMENTCATEGORY',
      categoryOfInvestmentDesc: 'BRIEFDESCRIPTION',
      isFundTreatingAsAcquisitionUnderlyingSecurities: 'FUNDACQSTNUNDRLYNGSECURITYFLAG',
      rating: 'RATING_L',
      doesSecurityHaveDemandFeature: 'SECURITYDEMANDFEATUREFLAG',
      doesSecurityHaveGuarantee: 'SECURITYGUARANTEEFLAG',
      doesSecurityHaveEnhancementsOnWhichFundRelying: 'SECURITYENHANCEMENTSFLAG',
      InvestmentOwnedBalancePrincipalAmount: 'INVESTMENTOWNEDBALANCEPRINCI_L',
      AvailableForSaleSecuritiesAmortizedCost: 'AVAILABLEFORSALESECURITIESAM_L',
      InvestmentOwnedAtFairValue: 'INCLUDINGVALUEOFANYSPONSORSUPP',
      valueOfSecurityExcludingValueOfCapitalSupportAgreement: 'EXCLUDINGVALUEOFANYSPONSORSUPP',
      InvestmentOwnedPercentOfNetAssets: 'PERCENTAGEOFMONEYMARKETFUNDNET',
      isThisIlliquidSecurity: 'ILLIQUIDSECURITYFLAG',
      InvestmentOwnedInvestmentAdditionalInformation: 'EXPLANATORYNOTES',
    },
    days: {
      InvestmentMaturityDate: 'INVESTMENTMATURITYDATEWAM',
      finalLegalInvestmentMaturityDate: 'FINALLEGALINVESTMENTMATURITYDA',
    },
    more: rated(/^security/i, 'designatedNRSROList/designatedNRSRO'),
    branches: [
      {
        member: 'NMFP_COLLATERALISSUERS',
        at: 'repurchaseAgreementList/RepurchaseAgreement',
        texts: {
          InvestmentIssuer: 'NAMEOFCOLLATERALISSUER',
          CR: 'COUPONORYIELD',
          AssetsSoldUnderAgreementsToRepurchaseCarryingAmounts: 'PRINCIPALAMOUNTTOTHENEARESTCEN',
          CashCollateralForBorrowedSecurities: 'VALUEOFCOLLATERALTOTHENEARESTC',
          InvestmentTypeDomain: 'CTGRYINVESTMENTSRPRSNTSCOLLATE',
          categoryOfInvestmentDesc: 'OTHERINSTRUMENTBRIEFDESC',
        },
        days: {
          'InvestmentMaturityDate/date': 'COLLATERALMATURITYDATE',
          'InvestmentMaturityDate/dateRange/from': 'TFROM',
          'InvestmentMaturityDate/dateRange/to': 'TTO',
        },
      },
      {
        member: 'NMFP_DEMANDFEATURE',
        at: 'demandFeatureIssuerList/demandFeatureIssuer',
        texts: { InvestmentIssuer: 'IDENTITYOFDEMANDFEATUREISSUER' },
        more: rated(/^demand/i, 'NRSRORatingList/NRSROSRating', 'IDENTITYOFDEMANDFEATUREISSUER'),
      },
      {
        member: 'NMFP_GUARANTOR',
        at: 'guarantorList/guarantor',
        texts: { O: 'IDENTITYOFTHEGUARANTOR' },
        more: rated(/^guarant/i, 'NRSRORatingList/NRSRORating', 'IDENTITYOFTHEGUARANTOR'),
      },
      {
        member: 'NMFP_ENHANCEMENTPROVIDER',
        at: 'enhancementsList/enhancement',
        texts: {
          'enhancementProviderList/Provider/enhancementProvider': 'IDENTITYOFENHANCEMENTPROVIDER',
          typeOfEnhancement: 'TYPEOFENHANCEMENT',
        },
        more: rated(
          /^enhance/i,
          'enhancementProviderList/Provider/NRSRORatingList/NRSRORating',
          'IDENTITYOFENHANCEMENTPROVIDER',
        ),
      },
    ],
  },
]
