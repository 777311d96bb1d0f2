/**
 * Rebuilds the elements of N-MFP1, N-MFP2 and N-MFP3 from the columns of the SEC's data sets (since 2010 Q4). The sets
 * cut names at 30 characters. Columns that end in _L belong only to the first N-MFP: sets/original.ts.
 *
 * The sets lack these, so rows from them have null: the registrant's name, which before 2024 stands only in EDGAR's
 * header; the name of a merged fund; that of a paper copy.
 */
import type { Branch, Plan } from '../../../read/made.ts'
import { WEEKS } from '../parse/values.ts'
import { EDGARS, SECURITIES } from './security.ts'

/** Returns a plan with a column for each Friday. */
const weekly = (at: (week: number) => string, column: string): Plan =>
  Object.fromEntries(WEEKS.map((week) => [at(week), `${column}FRIDAYWEEK${week}`]))

const SUBMISSION: Branch = {
  member: 'NMFP_SUBMISSION',
  at: '',
  texts: {
    'headerData/submissionType': 'SUBMISSIONTYPE',
    'formData/generalInfo/cik': 'CIK',
    'formData/generalInfo/registrantFullName': 'REGISTRANTFULLNAME',
    'formData/generalInfo/registrantLEIId': 'REGISTRANTLEIID',
    'formData/generalInfo/nameOfSeries': 'NAMEOFSERIES',
    'formData/generalInfo/leiOfSeries': 'LEIOFSERIES',
    'formData/generalInfo/seriesId': 'SERIESID',
    'formData/generalInfo/totalShareClassesInSeries': 'TOTALSHARECLASSESINSERIES',
    'formData/generalInfo/finalFilingFlag': 'FINALFILINGFLAG',
    'formData/generalInfo/fundLiquidatingFlag': 'FUNDLIQUIDATINGFLAG',
    'formData/generalInfo/fundMrgOrAcqrdByOthrFlag': 'FUNDMRGORACQRDBYOTHRFLAG',
    'formData/generalInfo/fundAcqrdOrMrgdWthAnthrFlag': 'FUNDACQRDORMRGDWTHANTHRFLAG',
    'formData/signature/registrant': 'REGISTRANT',
    'formData/signature/signature': 'SIGNATURE',
    'formData/signature/nameOfSigningOfficer': 'NAMEOFSIGNINGOFFICER',
    'formData/signature/titleOfSigningOfficer': 'TITLEOFSIGNINGOFFICER',
  },
  days: { 'formData/generalInfo/reportDate': 'REPORTDATE', 'formData/signature/signatureDate': 'SIGNATUREDATE' },
  ignored: EDGARS,
}

/**
 * Long: it is a table of elements and columns.
 *
 * @param friday fridayWeek for N-MFP1, fridayDay for N-MFP2
 */
const series = (friday: string): Branch => ({
  member: 'NMFP_SERIESLEVELINFO',
  at: 'formData/seriesLevelInfo',
  once: true,
  texts: {
    securitiesActFileNumber: 'SECURITIESACTFILENUMBER',
    'indpPubAccountant/name': 'INDPPUBACCTNAME',
    'indpPubAccountant/city': 'INDPPUBACCTCITY',
    'indpPubAccountant/stateCountry': 'INDPPUBACCTSTATECOUNTRY',
    feederFundFlag: 'FEEDERFUNDFLAG',
    masterFundFlag: 'MASTERFUNDFLAG',
    seriesFundInsuCmpnySepAccntFlag: 'SERIESFUNDINSUCMPNYSEPACCNTFLA',
    moneyMarketFundCategory: 'MONEYMARKETFUNDCATEGORY',
    fundExemptRetailFlag: 'FUNDEXEMPTRETAILFLAG',
    fundRetailMoneyMarketFlag: 'FUNDRETAILMONEYMARKETFLAG',
    govMoneyMrktFundFlag: 'GOVMONEYMRKTFUNDFLAG',
    averagePortfolioMaturity: 'AVERAGEPORTFOLIOMATURITY',
    averageLifeMaturity: 'AVERAGELIFEMATURITY',
    ...weekly((week) => `totalValueDailyLiquidAssets/${friday}${week}`, 'TOTDLYLIQUIDASSET'),
    ...weekly((week) => `totalValueWeeklyLiquidAssets/fridayWeek${week}`, 'TOTWLYLIQUIDASSET'),
    ...weekly((week) => `percentageDailyLiquidAssets/${friday}${week}`, 'PCTDLYLIQUIDASSET'),
    ...weekly((week) => `percentageWeeklyLiquidAssets/fridayWeek${week}`, 'PCTWKLYLIQUIDASSET'),
    cash: 'CASH',
    totalValuePortfolioSecurities: 'TOTALVALUEPORTFOLIOSECURITIES',
    amortizedCostPortfolioSecurities: 'AMORTIZEDCOSTPORTFOLIOSECURITI',
    totalValueOtherAssets: 'TOTALVALUEOTHERASSETS',
    totalValueLiabilities: 'TOTALVALUELIABILITIES',
    netAssetOfSeries: 'NETASSETOFSERIES',
    numberOfSharesOutstanding: 'NUMBEROFSHARESOUTSTANDING',
    seekStablePricePerShare: 'SEEKSSTABLEPRICEPERSHARE',
    stablePricePerShare: 'STABLEPRICEPERSHARE',
    sevenDayGrossYield: 'SEVENDAYGROSSYIELD',
    ...weekly((week) => `netAssetValue/fridayWeek${week}`, 'NETASSETVALUE'),
    cashMgmtVehicleAffliatedFundFlag: 'CASHMGMTVEHICLEAFFLIATEDFUNDF',
    liquidityFeeFundApplyFlag: 'LIQUIDITYFEEFUNDAPPLYFLAG',
  },
  branches: [
    {
      member: 'NMFP_ADVISER',
      at: {
        column: 'ADVISER_TYPE',
        paths: { ADVISER: 'adviser', ADVISOR: 'adviser', SUBADVISER: 'subAdviser', SUBADVISOR: 'subAdviser' },
      },
      texts: { adviserName: 'ADVISERNAME', adviserFileNumber: 'ADVISERFILENUMBER' },
    },
    { member: 'NMFP_ADMINISTRATOR', at: 'administrator', texts: { administratorName: 'ADMINISTRATORNAME' } },
    {
      member: 'NMFP_TRANSFERAGENT',
      at: 'transferAgent',
      texts: { name: 'NAME', cik: 'CIK', fileNumber: 'FILENUMBER' },
    },
    {
      member: 'NMFP_MASTERFEEDERFUND',
      at: { column: 'FUND_TYPE', paths: { MASTER: 'masterFeederFund', FEEDER: 'feederFund' } },
      texts: { name: 'NAME', cik: 'CIK', fileNumber: 'FILENUMBER', seriesId: 'SERIESID' },
    },
    {
      member: 'NMFP_LIQUIDASSETSDETAILS',
      at: 'liquidAssetsDetails',
      texts: {
        totalValueDailyLiquidAssets: 'TOTVALUEDAILYLIQUIDASSETS',
        totalValueWeeklyLiquidAssets: 'TOTVALUEWEEKLYLIQUIDASSETS',
        percentageDailyLiquidAssets: 'PCTDAILYLIQUIDASSETS',
        percentageWeeklyLiquidAssets: 'PCTWEEKLYLIQUIDASSETS',
      },
      days: { totalLiquidAssetsNearPercentDate: 'TOTLIQUIDASSETSNEARPCTDATE' },
    },
    {
      member: 'NMFP_SEVENDAYGROSSYIELD',
      at: 'sevenDayGrossYield',
      texts: { sevenDayGrossYieldValue: 'SEVENDAYGROSSYIELDVALUE' },
      days: { sevenDayGrossYieldDate: 'SEVENDAYGROSSYIELDDATE' },
    },
    {
      member: 'NMFP_DLYNETASSETVALUEPERSHARS',
      at: 'dailyNetAssetValuePerShareSeries',
      texts: { dailyNetAssetValuePerShareSeries: 'DLYNETASSETVALUEPERSHARESER' },
      days: { dailyNetAssetValuePerShareDateSeries: 'DLYNETASSETVALPERSHAREDATES' },
    },
    {
      member: 'NMFP_LIQUIDITYFEEREPORTINGPER',
      at: 'liquidityFeeReportingPeriod',
      texts: {
        liquidityFeeTypeForReportingPeriod: 'LIQUIDITYFEETYPEFORREPTNGPERI',
        liquidityFeeAmountApplyToRedemption: 'LIQUIDITYFEEAMTAPPLYTOREDEMPT',
        liquidityFeePercentSharesRedeemed: 'LIQUIDITYFEEPCTSHARESREDEEMED',
      },
      days: { liquidityFeeApplyDate: 'LIQUIDITYFEEAPPLYDATE' },
    },
  ],
})

const CLASSES: Branch = {
  member: 'NMFP_CLASSLEVELINFO',
  at: 'formData/classLevelInfo',
  by: 'CLASSESID',
  texts: {
    classesId: 'CLASSESID',
    classFullName: 'CLASSFULLNAME',
    minInitialInvestment: 'MININITIALINVESTMENT',
    netAssetsOfClass: 'NETASSETSOFCLASS',
    numberOfSharesOutstanding: 'NUMBEROFSHARESOUTSTANDING',
    ...weekly((week) => `netAssetPerShare/fridayWeek${week}`, 'NETASSETPERSHARE'),
    ...weekly((week) => `fridayWeek${week}/weeklyGrossSubscriptions`, 'GROSSSUBSCRIPTION'),
    ...weekly((week) => `fridayWeek${week}/weeklyGrossRedemptions`, 'GROSSREDEMPTION'),
    'totalForTheMonthReported/weeklyGrossSubscriptions': 'TOTFORMNTHWLYGROSSSUBSCRIPTION',
    'totalForTheMonthReported/weeklyGrossRedemptions': 'TOTFORMNTHWLYGROSSREDEMPTION',
    'monthlyShareholderFlowReported/totalGrossSubscriptions': 'TOTALGROSSSUBSCRIPTIONS',
    'monthlyShareholderFlowReported/totalGrossRedemptions': 'TOTALGROSSREDEMPTIONS',
    sevenDayNetYield: 'SEVENDAYNETYIELD',
    personPayForFundFlag: 'PERSONPAYFORFUNDFLAG',
    nameOfPersonDescExpensePay: 'NAMEOFPERSONDESCEXPENSEPAY',
    percentShareHolderCompNonFinancialCorp: 'PCTSHAREHOLDERCOMPNONFINANCIAL',
    percentShareHolderCompPensionPlan: 'PCTSHAREHOLDERCOMPPENSIONPLAN',
    percentShareHolderCompNonProfit: 'PCTSHAREHOLDERCOMPNONPROFIT',
    percentShareHolderCompMunicipal: 'PCTSHAREHOLDERCOMPMUNICIPAL',
    percentShareHolderCompRegInvestment: 'PCTSHAREHOLDERCOMPREGINVESTME',
    percentShareHolderCompPrivateFunds: 'PCTSHAREHOLDERCOMPPRIVATEFUND',
    percentShareHolderCompDepositoryInst: 'PCTSHAREHOLDERCOMPDEPOSITORYI',
    percentShareHolderCompSovereignFund: 'PCTSHAREHOLDERCOMPSOVEREIGNFU',
    percentShareHolderCompBrokerDealer: 'PCTSHAREHOLDERCOMPBROKERDEALE',
    percentShareHolderCompInsurance: 'PCTSHAREHOLDERCOMPINSURANCE',
    percentShareHolderCompOther: 'PCTSHAREHOLDERCOMPOTHER',
    otherInvestorTypeDescription: 'OTHERINVESTORTYPEDESCRIPTION',
    shareCancellationReportingPeriod: 'SHARECANCELLATIONREPORTPERIOD',
  },
  ignored: EDGARS,
  // One element in the form: words before N-MFP3, an amount since.
  more: (made, row) => made.put('nameOfPersonDescExpensePay', row.text('NAMEOFPERSONDESCEXPENSEPAY_AMOUNT')),
  branches: [
    {
      member: 'NMFP_DLYNETASSETVALUEPERSHARC',
      at: 'dailyNetAssetValuePerShareClass',
      texts: { dailyNetAssetValuePerShareClass: 'DLYNETASSETVALUEPERSHARECLASS' },
      days: { dailyNetAssetValuePerShareDateClass: 'DLYNETASSETVALUEPERSHAREDATEC' },
    },
    {
      member: 'NMFP_DLYSHAREHOLDERFLOWREPORT',
      // The form's own spelling.
      at: 'dialyShareholderFlowReported',
      texts: { dailyGrossSubscriptions: 'DAILYGROSSSUBSCRIPTIONS', dailyGrossRedemptions: 'DAILYGROSSREDEMPTIONS' },
      days: { dailyShareHolderFlowDate: 'DAILYSHAREHOLDERFLOWDATE' },
    },
    {
      member: 'NMFP_SEVENDAYNETYIELD',
      at: 'sevenDayNetYield',
      texts: { sevenDayNetYieldValue: 'SEVENDAYNETYIELDVALUE' },
      days: { sevenDayNetYieldDate: 'SEVENDAYNETYIELDDATE' },
    },
    {
      member: 'NMFP_BENEFICIALRECORDOWNERCAT',
      at: 'beneficialRecordOwnerCategory',
      texts: {
        beneficialRecordOwnerCategoryType: 'BENEFICIALRECORDOWNERCATETYPE',
        otherInvestorCategory: 'OTHERINVESTORCATEGORY',
        percentOutstandingSharesRecord: 'PCTOUTSTANDINGSHARESRECORD',
        percentOutstandingSharesBeneficial: 'PCTOUTSTANDINGSHARESBENEFICIA',
      },
    },
    {
      member: 'NMFP_CANCELLEDSHARESPERBUSDAY',
      at: 'cancelledSharesPerBusinessDay',
      texts: { cancelledShareDollarValue: 'CANCELLEDSHAREDOLLARVALUE', cancelledShareNumber: 'CANCELLEDSHARENUMBER' },
      days: { cancelledShareDate: 'CANCELLEDSHAREDATE' },
    },
  ],
}

const OTHERS: readonly Branch[] = [
  {
    member: 'NMFP_FUND',
    at: {
      column: 'FUND_TYPE',
      paths: {
        SUCCESSORFUND: 'formData/generalInfo/successorFund',
        ACQUIREDMERGEDFUND: 'formData/generalInfo/acquiredMergedFund',
      },
    },
    texts: { cik: 'CIK', fileNumber: 'FILENUMBER', seriesId: 'SERIESID' },
  },
  {
    member: 'NMFP_DISPOSITIONOFPORTFOLIOSE',
    at: 'formData/dispositionOfPortfolioSecurities',
    once: true,
    texts: {
      depositionUSTreasuryDebtAmt: 'DEPOSITIONUSTREASURYDEBTAMT',
      govtAgencyCouponPayingDebtAmt: 'GOVTAGENCYCOUPONPAYINGDEBTAMT',
      govtAgencyNonCouponPayingDebtAmt: 'GOVTAGENONCOUPONPAYINGDEBTAMT',
      nonUSSovereignSupraNationalDebtAmt: 'NONUSSOVEREIGNSUPRANATDEBTAMT',
      certificateDepositAmt: 'CERTIFICATEDEPOSITAMT',
      nonNegotiableTimeDepositAmt: 'NONNEGOTIABLETIMEDEPOSITAMT',
      variableRateDemandNoteAmt: 'VARIABLERATEDEMANDNOTEAMT',
      otherMunicipalSecurityAmt: 'OTHERMUNICIPALSECURITYAMT',
      assetBackedCommercialPaperAmt: 'ASSETBACKEDCOMMERCIALPAPERAMT',
      otherAssetBackedSecuritiesAmt: 'OTHERASSETBACKEDSECURITIESAMT',
      usTreasuryRepurchaseAgreementAmt: 'USTREASURYREPURCHASEAGREEMAMT',
      usGovtAgencyRepurchaseAgreementAmt: 'USGOVTAGENCYREPURCHASEAGREAMT',
      otherRepurchaseAgreementAmt: 'OTHERREPURCHASEAGREEMENTAMT',
      insuranceCompanyFundAgreementAmt: 'INSURANCECOMPANYFUNDAGREEMAMT',
      investmentCompanyAmt: 'INVESTMENTCOMPANYAMT',
      financialCompanyCommercialAmt: 'FINANCIALCOMPANYCOMMERCIALAMT',
      nonFinancialCompanyCommercialAmt: 'NONFINANCIALCOMPCOMMERCIALAMT',
      tenderOptionBondAmt: 'TENDEROPTIONBONDAMT',
      otherInstrumentAmt: 'OTHERINSTRUMENTAMT',
      otherInstrumentBriefDescription: 'OTHERINSTRUMENTBRIEFDESCRIPTI',
    },
  },
]

/**
 * Returns the parts of a filing by generation; each line of a member belongs to the filing, or to the line that it
 * names.
 */
export const branchesOf = (type: string): readonly Branch[] => [
  SUBMISSION,
  series(type.startsWith('N-MFP1') ? 'fridayWeek' : 'fridayDay'),
  CLASSES,
  SECURITIES,
  ...OTHERS,
]
