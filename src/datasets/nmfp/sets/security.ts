/**
 * Rebuilds securities from the SEC's data sets of Form N-MFP, with their ratings, and collateral of repurchase
 * agreements.
 */
import type { CsvRow } from '../../../read/csv.ts'
import type { Branch, Lines, Made, Plan } from '../../../read/made.ts'

/** EDGAR's name for a series or a class, and EDGAR's own identifiers. */
export const EDGARS = ['ACCESSION_NUMBER', 'FILING_DATE', 'FILER_CIK', 'SERIES_NAME', 'CLASS_NAME']

const RATINGS = 'NMFP_NRSRO'
const RATING: Plan = { nameOfNRSRO: 'NAMEOFNRSRO', rating: 'RATING' }

/** Places the ratings of the firm that supports a security (they name the firm), or of the security itself. */
const rated =
  (type: RegExp, at: string, identity?: string) =>
  (made: Made, row: CsvRow, lines: Lines): void => {
    const firm = identity === undefined ? null : row.text(identity)
    for (const one of lines.where(RATINGS, 'SECURITY_ID', row.text('SECURITY_ID'))) {
      // If two firms have one name, the first gets all ratings: a set has no other link.
      if (lines.placed.has(one) || !type.test(one.text('TYPE') ?? '')) continue
      if (identity !== undefined && one.text('IDENTITY') !== firm) continue
      made.child(at).fill(one, RATING)
      lines.placed.add(one)
    }
  }

export const SECURITIES: Branch = {
  member: 'NMFP_SCHPORTFOLIOSECURITIES',
  at: 'formData/scheduleOfPortfolioSecuritiesInfo',
  by: 'SECURITY_ID',
  texts: {
    nameOfIssuer: 'NAMEOFISSUER',
    titleOfIssuer: 'TITLEOFISSUER',
    coupon: 'COUPON',
    CUSIPMember: 'CUSIP_NUMBER',
    LEIID: 'LEI',
    ISINId: 'ISIN',
    cik: 'CIK',
    RSSDID: 'RSSDID',
    otherUniqueId: 'OTHERUNIQUEID',
    investmentCategory: 'INVESTMENTCATEGORY',
    briefDescription: 'BRIEFDESCRIPTION',
    fundAcqstnUndrlyngSecurityFlag: 'FUNDACQSTNUNDRLYNGSECURITYFLAG',
    'repurchaseAgreement/repurchaseAgreementOpenFlag': 'REPURCHASEAGREEMENTOPENFLAG',
    'repurchaseAgreement/repurchaseAgreementClearedFlag': 'REPURCHASEAGREEMENTCLEAREDFLA',
    'repurchaseAgreement/nameOfCCP': 'NAMEOFCCP',
    'repurchaseAgreement/repurchaseAgreementTripartyFlag': 'REPURCHASEAGREEMENTTRIPARTYFL',
    securityEligibilityFlag: 'SECURITYELIGIBILITYFLAG',
    securityRated: 'RATING_L',
    securityDemandFeatureFlag: 'SECURITYDEMANDFEATUREFLAG',
    securityGuaranteeFlag: 'SECURITYGUARANTEEFLAG',
    securityEnhancementsFlag: 'SECURITYENHANCEMENTSFLAG',
    yieldOfTheSecurityAsOfReportingDate: 'YIELDOFTHESECURITYASOFREPORTIN',
    includingValueOfAnySponsorSupport: 'INCLUDINGVALUEOFANYSPONSORSUPP',
    excludingValueOfAnySponsorSupport: 'EXCLUDINGVALUEOFANYSPONSORSUPP',
    percentageOfMoneyMarketFundNetAssets: 'PERCENTAGEOFMONEYMARKETFUNDNET',
    securityCategorizedAtLevel3Flag: 'SECURITYCATEGORIZEDATLEVEL3FLA',
    dailyLiquidAssetSecurityFlag: 'DAILYLIQUIDASSETSECURITYFLAG',
    weeklyLiquidAssetSecurityFlag: 'WEEKLYLIQUIDASSETSECURITYFLAG',
    illiquidSecurityFlag: 'ILLIQUIDSECURITYFLAG',
    explanatoryNotes: 'EXPLANATORYNOTES',
  },
  days: {
    investmentMaturityDateWAM: 'INVESTMENTMATURITYDATEWAM',
    investmentMaturityDateWAL: 'INVESTMENTMATURITYDATEWAL',
    finalLegalInvestmentMaturityDate: 'FINALLEGALINVESTMENTMATURITYDA',
  },
  // Columns that only the first N-MFP fills.
  ignored: [...EDGARS, 'INVESTMENTOWNEDBALANCEPRINCI_L', 'AVAILABLEFORSALESECURITIESAM_L'],
  more: rated(/^security/i, 'assigningNRSRORating'),
  branches: [
    {
      member: 'NMFP_COLLATERALISSUERS',
      at: 'repurchaseAgreement/collateralIssuers',
      texts: {
        nameOfCollateralIssuer: 'NAMEOFCOLLATERALISSUER',
        LEIID: 'LEI',
        CUSIPMember: 'CUSIPMEMBER',
        couponOrYield: 'COUPONORYIELD',
        coupon: 'COUPON',
        yield: 'YIELD',
        principalAmountToTheNearestCent: 'PRINCIPALAMOUNTTOTHENEARESTCEN',
        valueOfCollateralToTheNearestCent: 'VALUEOFCOLLATERALTOTHENEARESTC',
        ctgryInvestmentsRprsntsCollateral: 'CTGRYINVESTMENTSRPRSNTSCOLLATE',
        otherInstrumentBriefDesc: 'OTHERINSTRUMENTBRIEFDESC',
      },
      days: {
        'maturityDate/date': 'COLLATERALMATURITYDATE',
        'maturityDate/dateRange/from': 'TFROM',
        'maturityDate/dateRange/to': 'TTO',
      },
    },
    {
      member: 'NMFP_DEMANDFEATURE',
      at: 'demandFeature',
      texts: {
        identityOfDemandFeatureIssuer: 'IDENTITYOFDEMANDFEATUREISSUER',
        amountProvidedByDemandFeatureIssuer: 'AMOUNTPROVIDEDBYDEMANDFEATUREI',
        remainingPeriodDemandFeature: 'REMAININGPERIODDEMANDFEATURE',
        demandFeatureConditionalFlag: 'DEMANDFEATURECONDITIONALFLAG',
      },
      more: rated(/^demand/i, 'demandFeatureRatingOrNRSRO', 'IDENTITYOFDEMANDFEATUREISSUER'),
    },
    {
      member: 'NMFP_GUARANTOR',
      at: 'guarantor',
      texts: {
        identityOfTheGuarantor: 'IDENTITYOFTHEGUARANTOR',
        amountProvidedByGuarantor: 'AMOUNTPROVIDEDBYGUARANTOR',
      },
      more: rated(/^guarant/i, 'guarantorRatingOrNRSRO', 'IDENTITYOFTHEGUARANTOR'),
    },
    {
      member: 'NMFP_ENHANCEMENTPROVIDER',
      at: 'enhancementProvider',
      texts: {
        identityOfTheEnhancementProvider: 'IDENTITYOFENHANCEMENTPROVIDER',
        typeOfEnhancement: 'TYPEOFENHANCEMENT',
        amountProvidedByEnhancement: 'AMOUNTPROVIDEDBYENHANCEMENT',
      },
      more: rated(/^enhance/i, 'enhancementRatingOrNRSRO', 'IDENTITYOFENHANCEMENTPROVIDER'),
    },
  ],
}
