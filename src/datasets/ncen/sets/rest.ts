/**
 * Rebuilds Parts D, E and F of Form N-CEN from the data sets: closed-end funds, exchange-traded funds, unit investment
 * trusts.
 */
import type { Branch, Plan } from '../../../read/made.ts'
import { ETF_AMOUNTS } from '../parse/rest.ts'
import { type Answers, type Boxes, boxesAt, tick } from './boxes.ts'
import { OF_TRUST, PARTICIPANT, partBranches } from './provider.ts'

/** Items D.2 to D.4. */
const kinds = (path: string, stem: string): Boxes =>
  boxesAt(path, {
    [`${stem}_COMMON`]: 'Common stock',
    [`${stem}_PREFERRED`]: 'Preferred stock',
    [`${stem}_WARRANTS`]: 'Warrants',
    [`${stem}_CONVERTIBLES`]: 'Convertible securities',
    [`${stem}_BONDS`]: 'Bonds',
    [`${stem}_OTHER`]: 'Other',
  })
export const RIGHTS = kinds('rightsOfferingTypes/rightsOfferingType', 'IS_RIGHTS_OFFER')
const OFFERINGS = {
  ...kinds('secondaryOfferings/secondaryOfferingType', 'IS_SECONDARY'),
  ...kinds('repurchaseSecurities/repurchaseSecurityType', 'IS_REPUR'),
}

/** Items of part D, in the line of a fund. */
const PART_D: Plan = {
  isRightsOffering: 'DID_MAKE_RIGHTS_OFFERING',
  isSecondaryOffering: 'DID_MAKE_SECOND_OFFERING',
  'secondaryOfferings/otherSecondaryOfferingDesc': 'OTHER_SECONDARY_DESC',
  isRepurchaseSecurity: 'DID_REPURCHASE_SECURITY',
  'repurchaseSecurities/otherRepurchaseSecurityDesc': 'OTHER_REPUR_DESC',
  isDefaultLongTermDebt: 'IS_LONG_TERM_DEBT_DEFAULT',
  isDividendsInArrears: 'IS_ACCUM_DIVIDEND_IN_ARREARS',
  isSecuritiesModified: 'IS_SECURITY_MAT_MODIFIED',
  managementFee: 'MANAGEMENT_FEE',
  netOperatingExpenses: 'NET_OPERATING_EXPENSES',
  marketPricePerShare: 'MARKET_PRICE_PER_SHARE',
  netAssetValuePerShare: 'NAV_PER_SHARE',
  isSmallTransferAgentHiredOrTerminated: 'HAS_XAGENT_HIRED_FIRED_CE',
  isSmallCustodianHiredTerminated: 'HAS_CUSTODIAN_HIRED_FIRED_CE',
}

export const CLOSED_ANSWERS: Answers = { plan: PART_D, boxes: OFFERINGS }

const KEY = ['FUND_ID']

/** Part D of a filing, which has only one: all its lines belong there, whatever fund they name. */
export const CLOSED_END: readonly Branch[] = [
  {
    member: 'SECURITY_RELATED_ITEM',
    at: 'securityRelatedItems/securityRelatedItem',
    texts: {
      description: 'DESCRIPTION',
      securityClassTitle: 'SECURITY_CLASS_TITLE',
      otherSecurityDescription: 'OTHER_SECURITY_DESCRIPTION',
      'commonStocks/commonStock/@commonStockExchange': 'EXCHANGE',
      'commonStocks/commonStock/@commonStockTickerSymbol': 'TICKER_SYMBOL',
    },
    ignored: ['FUND_ID', 'SECURITY_RELATED_ITEM_SEQNUM'],
  },
  {
    member: 'RIGHTS_OFFERING_FUND',
    at: 'rightsOfferingFunds/rightsOfferingFund',
    texts: {
      'rightsOfferingTypes/rightsOfferingDesc': 'RIGHTS_OFFER_DESC',
      rightsOfferingParticipationPercent: 'PCT_PARTCI_PRIMARY_OFFERING',
    },
    ignored: KEY,
    more: (made, row) => tick(made, row, RIGHTS),
  },
  {
    member: 'LONGTERM_DEBT_DEFAULT',
    at: 'longTermDebtDefault/longTermDebtDefaults/longTermDebtDefault',
    texts: {
      '@defaultNature': 'DEFAULT_NATURE',
      '@defaultPerThousandAmount': 'DEFAULT_AMNT_PER_1000',
      '@defaultTotalAmount': 'TOTAL_DEFAULT_AMNT',
    },
    days: { '@defaultDate': 'DEFAULT_DATE' },
    ignored: KEY,
  },
  {
    member: 'DIVIDENDS_IN_ARREAR',
    at: 'divdInArrears/dividendsInArrears/dividendsInArrear',
    texts: {
      '@dividendIssueTitle': 'ISSUE_TITLE',
      '@dividendAmountPerShareInArrear': 'AMOUNT_PER_SHARE_IN_ARREAR',
    },
    ignored: KEY,
  },
  ...partBranches('D'),
]

/** Columns of ETF that hold amounts, by the stored column. */
const AMOUNTS: Readonly<Record<keyof typeof ETF_AMOUNTS, string>> = {
  unit_shares: 'NUM_SHARES_PER_CREATION_UNIT',
  unit_shares_redeemed: 'REDEEMED_SHARES_PER_CREATION_UNIT',
  purchased_cash: 'PURCHASED_AVG_PCT_CASH',
  purchased_cash_deviation: 'PURCHASED_STDV_PCT_CASH',
  purchased_in_kind: 'PURCHASED_AVG_PCT_NON_CASH',
  purchased_in_kind_deviation: 'PURCHASED_STDV_PCT_NON_CASH',
  redeemed_cash: 'REDEEMED_AVG_PCT_CASH',
  redeemed_cash_deviation: 'REDEEMED_STDV_PCT_CASH',
  redeemed_in_kind: 'REDEEMED_AVG_PCT_NON_CASH',
  redeemed_in_kind_deviation: 'REDEEMED_STDV_PCT_NON_CASH',
  purchase_fee_per_unit: 'PURCH_AVG_FEE_PER_UNIT',
  purchase_fee_per_order: 'PURCH_AVG_FEE_SAME_DAY',
  purchase_fee_percent: 'PURCH_AVG_FEE_PERCENTAGE',
  purchase_cash_fee_per_unit: 'PURCH_AVG_FEE_CASH_PER_UNIT',
  purchase_cash_fee_per_order: 'PURCH_AVG_FEE_CASH_SAME_DAY',
  purchase_cash_fee_percent: 'PURCH_AVG_FEE_CASH_PERCENTAGE',
  redemption_fee_per_unit: 'REDEEM_AVG_FEE_PER_UNIT',
  redemption_fee_per_order: 'REDEEM_AVG_FEE_SAME_DAY',
  redemption_fee_percent: 'REDEEM_AVG_FEE_PERCENTAGE',
  redemption_cash_fee_per_unit: 'REDEEM_AVG_FEE_CASH_PER_UNIT',
  redemption_cash_fee_per_order: 'REDEEM_AVG_FEE_CASH_SAME_DAY',
  redemption_cash_fee_percent: 'REDEEM_AVG_FEE_CASH_PERCENTAGE',
  index_difference_before: 'ANNUAL_DIFF_B4_FEE_EXPENSE',
  index_difference_after: 'ANNUAL_DIFF_AFTER_FEE_EXPENSE',
  index_deviation_before: 'ANNUAL_STDV_B4_FEE_EXPENSE',
  index_deviation_after: 'ANNUAL_STDV_AFTER_FEE_EXPENSE',
}

/** Part E: a line of ETF. */
export const ETF: Plan = {
  fundName: 'FUND_NAME',
  etfSeriesId: 'SERIES_ID',
  isCollateralRequired: 'IS_COLLATERAL_REQUIRED',
  ...Object.fromEntries(
    Object.entries(ETF_AMOUNTS).map(([ours, path]) => [path, AMOUNTS[ours as keyof typeof AMOUNTS]]),
  ),
  isByAffiliatedPerson: 'IS_PERF_TRACKED_AFFILIA_PERSON',
  isExclusiveFund: 'IS_PERF_TRACKED_EXCLUSIVELY',
  isInKindETF: 'IS_FUND_IN_KIND_ETF',
}

/** Members that name an exchange-traded fund by FUND_ID. */
export const OF_ETF: readonly Branch[] = [
  {
    member: 'SECURITY_EXCHANGE',
    at: 'securityExchanges/securityExchange',
    texts: { '@fundExchange': 'FUND_EXCHANGE', '@fundsTickerSymbol': 'FUND_TICKER_SYMBOL' },
    ignored: KEY,
  },
  PARTICIPANT,
]

const [SEPARATE, OTHER] = ['registrantSeparateInsuranceAccount', 'notRegistrantSeparateInsuranceAccount']
const ACCESSION = ['ACCESSION_NUMBER']

/** Part F of a filing, which has only one. */
export const UNIT_TRUST: readonly Branch[] = [
  {
    member: 'UIT',
    at: '',
    texts: {
      isUitAdminHiredTerminated: 'IS_ADMIN_HIRED_FIRED',
      [`${SEPARATE}/@separateAccountSeriesId`]: 'SERIES_ID',
      [`${OTHER}/numOfExistingSeries`]: 'EXISTING_SERIES_CNT',
      [`${OTHER}/numOfNewSeriesRegistration`]: 'NEW_SERIES_CNT',
      [`${OTHER}/newSeriesAggregateValue`]: 'NEW_SERIES_AGG_VALUE',
      [`${OTHER}/numOfSeriesCurrentProspectus`]: 'SERIES_CURRENT_PROSPECTUS',
      [`${OTHER}/numOfExistingSeriesAdditionalUnits`]: 'SERIES_CNT_ADDITIONAL_UNITS',
      [`${OTHER}/additionalUnitsTotalValue`]: 'TOTAL_VALUE_ADDITIONAL_UNIT',
      [`${OTHER}/unitInPortfolioValue`]: 'VALUE_UNIT_PLACED_SUBSEQUENT',
      [`${OTHER}/totalAssetsSeries`]: 'TOTAL_ASSET_FOR_ALL_SERIES',
      numOfContracts: 'NUM_CONTRACTS',
      isRule6C7Reliance: 'IS_RELYON_RULE_6C_7',
      isRule11A2Reliance: 'IS_RELYON_RULE_11A_2',
      isRule12D1Dash4Reliance: 'IS_RELYON_RULE_12D1_4',
      isRule12D1GReliance: 'IS_RELYON_RULE_12D1G',
    },
    ignored: ACCESSION,
    // The sets' own spelling.
    more(made, row) {
      const is = row.text('IS_SEPERATE_ACCT')
      made.put(`${is === 'N' ? OTHER : SEPARATE}/@isRegistrantSeparateInsuranceAccount`, is)
    },
  },
  { member: 'SERIES_CIK', at: `${OTHER}/seriesCIKs/seriesCIK`, texts: { '@cik': 'SERIES_CIK' }, ignored: ACCESSION },
  {
    member: 'CONTRACT_SECURITY',
    at: 'contractSecurities/contractSecurity',
    texts: {
      '@separateAccountSecurityName': 'SECURITY_NAME',
      '@separateAccountContractId': 'CONTRACT_ID',
      '@separateAccountTotalAsset': 'TOTAL_ASSET',
      '@numContractsSold': 'NUM_CONTRACT_SOLD',
      '@grossPremiumReceived': 'GROSS_PREMIUM_RECEIVED',
      '@grossPremiumReceivedSection1035': 'GROSS_PREMIUM_RECEIVED_SEC1035',
      '@numContractsAffected': 'NUM_CONTRACT_AFFECTED_PAID',
      '@contractValueRedeemed': 'CONTRACT_VALUE_REDEEMED',
      '@contractValueRedeemedSection1035': 'CONTRAC_VALUE_REDEEMED_SEC1035',
      '@numContractsAffectedRedeemed': 'NUM_CONTRACT_AFFECTED_REDEEMED',
    },
    ignored: ACCESSION,
  },
  {
    member: 'DIVESTMENT',
    at: 'divestments/divestment',
    texts: {
      '@divestmentSecurityName': 'ISSUER_NAME',
      '@divestmentSecurityTickerSymbol': 'TICKER',
      '@divestmentSecurityCusipNo': 'CUSIP',
      '@divestedNumShares': 'DIVESTED_NUM_SHARES',
      '@divestmentStatuteName': 'STATUTE_NAME',
    },
    days: { '@divestedDate': 'DIVESTED_DATE' },
    ignored: ACCESSION,
  },
  {
    member: 'REGISTRANT_HELDS_SECURITY',
    at: 'registrantHeldSecurities/registrantHeldSecurity',
    texts: {
      '@registrantHeldSecurityTickerSymbol': 'TICKER',
      '@registrantHoldsSecurityCusipNo': 'CUSIP',
      '@registrantNumShare': 'TOTAL_NUM_SHARES',
    },
    ignored: ACCESSION,
  },
  ...OF_TRUST,
]
