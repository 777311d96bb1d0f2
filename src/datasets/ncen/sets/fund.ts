/**
 * Rebuilds Part C of Form N-CEN from the data sets: the answers in a line of FUND_REPORTED_INFO, and the fund's lines
 * in other members.
 */
import type { Branch, Plan } from '../../../read/made.ts'
import { type Answers, type Boxes, boxesAt } from './boxes.ts'
import { linesOf, OF_FUND, partBranches } from './provider.ts'

/** Item C.3. */
const FUND_TYPES: Boxes = {
  ...boxesAt('fundTypes/fundType', {
    IS_ETF: 'Exchange-Traded Fund',
    IS_ETMF: 'Exchange-Traded Managed Fund',
    IS_MULTI_INVERSE_INDEX: 'Inverse of a benchmark',
    IS_INTERVAL: 'Interval Fund',
    IS_FUND_OF_FUND: 'Fund of Funds',
    IS_MONEY_MARKET: 'Money Market Fund',
    IS_TARGET_DATE: 'Target Date Fund',
    IS_UNDERLYING_FUND: 'Underlying fund',
  }),
  IS_INDEX: ['fundTypes/indexFundInfo/@fundType', 'Index Fund'],
  IS_MASTER_FEEDER: ['fundTypes/masterFeederFundInfo/@fundType', 'Master-Feeder Fund'],
  IS_FUND_TYPE_NA: ['fundType', 'N/A'],
}

/** Item C.6.e. */
const PAYMENTS: Boxes = {
  ...boxesAt('paymentToAgentManagers/paymentToAgentManagerType', {
    IS_PYMNT_REV_SHARING_SPLIT: 'Revenue sharing split',
    IS_PYMNT_NON_REV_SHARING_SPLIT: 'Non-revenue sharing split (other than administrative fee)',
    IS_PYMNT_ADMIN_FEE: 'Administrative fee',
    IS_PYMNT_CASH_COLLATERAL_FEE: 'Cash collateral reinvestment fee',
    IS_PYMNT_INDEMNI_FEE: 'Indemnification fee',
    IS_PYMNT_OTHER: 'Other',
  }),
  IS_PYMNT_NA: ['paymentToAgentManagerType', 'N/A'],
}

const RULE = 'relyOnRuleTypes/relyOnRuleType'
/** Item C.7 in the first version of the form. */
const RULES: Boxes = {
  ...boxesAt(RULE, {
    IS_RELYON_RULE_10F_3: 'Rule 10f-3 (17 CFR 270.10f-3)',
    IS_RELYON_RULE_12D1_1: 'Rule 12d1-1 (17 CFR 270.12d1-1)',
    IS_RELYON_RULE_15A_4: 'Rule 15a-4 (17 CFR 270.15a-4)',
    IS_RELYON_RULE_17A_6: 'Rule 17a-6 (17 CFR 270.17a-6)',
    IS_RELYON_RULE_17A_7: 'Rule 17a-7 (17 CFR 270.17a-7)',
    IS_RELYON_RULE_17A_8: 'Rule 17a-8 (17 CFR 270.17a-8)',
    IS_RELYON_RULE_17E_1: 'Rule 17e-1 (17 CFR 270.17e-1)',
    IS_RELYON_RULE_22D_1: 'Rule 22d-1 (17 CFR 270.22d-1)',
    IS_RELYON_RULE_23C_1: 'Rule 23c-1 (17 CFR 270.23c-1)',
    IS_RELYON_RULE_32A_4: 'Rule 32a-4 (17 CFR 270.32a-4)',
  }),
  IS_RELYON_RULE_NA: ['relyOnRuleType', 'N/A'],
}
/** Rules that the form has asked about since 2020 and 2022, spelt as in its schema, spaces included. */
const LATER_RULES: Boxes = boxesAt(RULE, {
  IS_RELYON_RULE_6C_11: 'Rule 6c-11 (17 CFR 270.6c-11)',
  IS_RELYON_RULE_12D1_4: 'Rule 12d1-4 (17 CFR 270.12d1-4)',
  IS_RELYON_RULE_12D1G: 'Section 12(d)(1)(G) of the Act (15 USC 80a-12(d)(1)(G))',
  IS_RELYON_RULE_18F_4: 'Rule 18f-4 (17 CFR 270.18f-4)',
  IS_RELYON_RULE_18F_4C4: 'Rule 18f-4(c)(4) (17CFR 270.18f-4(c)(4))',
  IS_RELYON_RULE_18F_4C2: 'Rule 18f-4(c)(2) (17 CFR 270.18f-4(c)(2))',
  IS_RELYON_RULE_18F_4DI: 'Rule 18f-4(d)(i) (17 CFR 270.18f-4(d)(i))',
  IS_RELYON_RULE_18F_4DII: 'Rule 18f-4(d)(ii) (17 CFR 270.18f-4(d)(ii))',
  IS_RELYON_RULE_18F_4E: 'Rule 18f-4(e) (17 CFR 270.18f-4(e))',
  IS_RELYON_RULE_18F_4F: 'Rule 18f-4(f)(17 CFR 270.18f-4(f))',
})

const PART_C: Plan = {
  mgmtInvFundName: 'FUND_NAME',
  mgmtInvSeriesId: 'SERIES_ID',
  mgmtInvLei: 'LEI',
  isFirstFilingByFund: 'IS_FIRST_FILING',
  numAuthorizedClass: 'AUTHORIZED_SHARES_CNT',
  numAddedClass: 'ADDED_NEW_SHARES_CNT',
  numTerminatedClass: 'TERMINATED_SHARES_CNT',
  'fundTypes/indexFundInfo/isIndexFundAffiliated': 'IS_INDEX_AFFILIATED',
  'fundTypes/indexFundInfo/isIndexFundExclusive': 'IS_INDEX_EXCLUSIVE',
  'fundTypes/indexFundInfo/indexFundReturnDiffBeforeExpense': 'RETURN_B4_FEES_AND_EXPENSES',
  'fundTypes/indexFundInfo/indexFundReturnDiffAfterExpense': 'RETURN_AFTR_FEES_AND_EXPENSES',
  'fundTypes/indexFundInfo/indexFundReturnDailyStdevBeforeExpense': 'STDV_B4_FEES_AND_EXPENSES',
  'fundTypes/indexFundInfo/indexFundReturnDailyStdevAfterExpense': 'STDV_AFTR_FEES_AND_EXPENSES',
  isNonDiversifiedCompany: 'IS_NON_DIVERSIFIED',
  isForeignSubsidiary: 'IS_FOREIGN_SUBSIDIARY',
  isFundSecuritiesLending: 'IS_SEC_LENDING_AUTHORIZED',
  didFundLendSecurities: 'DID_LEND_SECURITIES',
  'fundLendSecurities/isFundLiquidated': 'IS_COLLATERAL_LIQUIDATED',
  'fundLendSecurities/isFundAdverselyImpacted': 'IS_IMPACTED_ADVERSELY',
  'paymentToAgentManagers/otherFeeDesc': 'OTHER_FEE_DESC',
  avgPortfolioSecuritiesValue: 'AVG_VALUE_SEC_LOAN',
  netIncomeSecuritiesLending: 'NET_INCOME_SEC_LENDING',
  isExpenseLimitationInPlace: 'HAS_EXP_LIMIT',
  isExpenseReducedOrWaived: 'HAS_EXP_REDUCED_WAIVED',
  isFeesWaivedRecoupable: 'HAS_EXP_SUBJ_RECOUP',
  isExpenseWaivedRecoupable: 'HAS_EXP_RECOUPED',
  isTransferAgentHiredOrTerminated: 'HAS_XAGENT_HIRED_FIRED_MI',
  isPricingServiceHiredOrTerminated: 'HAS_PRICING_SRVC_HIRED_FIRED',
  isCustodianHiredOrTerminated: 'HAS_CUSTODIAN_HIRED_FIRED_MI',
  isShareholderServiceHiredTerminated: 'HAS_SH_SRVC_HIRED_FIRED',
  isAdminHiredOrTerminated: 'HAS_ADMIN_HIRED_FIRED',
  aggregateCommission: 'AGG_COMMISSION',
  principalAggregatePurchase: 'AGG_PRINCIPAL',
  isBrokerageResearchPayment: 'DID_PAY_BROKER_RESEARCH',
  mnthlyAvgNetAssets: 'MONTHLY_AVG_NET_ASSETS',
  dailyAvgNetAssets: 'DAILY_AVG_NET_ASSETS',
  hasLineOfCredit: 'HAS_LINE_OF_CREDIT',
  isInterfundLending: 'HAS_INTERFUND_LENDING',
  isInterfundBorrowing: 'HAS_INTERFUND_BORROWING',
  isSwingPricing: 'HAS_SWING_PRICING',
  'swingPricingDetail/@swingUpperLimit': 'SWING_FACTOR_UPPER_LIMIT',
}
export const ANSWERS: Answers = { plan: PART_C, boxes: { ...FUND_TYPES, ...PAYMENTS, ...RULES }, later: LATER_RULES }

const KEY = ['FUND_ID']

/** Members that name a fund by FUND_ID. */
export const FUND: readonly Branch[] = [
  {
    member: 'SHARES_OUTSTANDING',
    at: 'sharesOutstandings/sharesOutstanding',
    texts: {
      '@sharesOutstandingClassName': 'CLASS_NAME',
      '@sharesOutstandingClassId': 'CLASS_ID',
      '@sharesOutstandingTickerSymbol': 'TICKER',
    },
    ignored: KEY,
  },
  {
    member: 'FEEDER_FUNDS',
    at: 'fundTypes/masterFeederFundInfo/feederFunds',
    texts: {
      '@feederFundName': 'FUND_NAME',
      '@regFeederFundFileNo': 'REGISTERED_FILE_NUM',
      '@regFeederFundSeriesIdNo': 'REGISTERED_SERIES_ID',
      '@regFeederFundLei': 'REGISTERED_FUND_LEI',
      '@unregFeederFileNo': 'UNREGISTERED_FILE_NUM',
      '@unregFeederFundLei': 'UNREGISTERED_FUND_LEI',
    },
    ignored: KEY,
  },
  {
    member: 'MASTER_FUNDS',
    at: 'fundTypes/masterFeederFundInfo/masterFunds',
    texts: {
      '@masterFundName': 'FUND_NAME',
      '@masterFundFileNo': 'FILE_NUM',
      '@masterFundSECFileNo': 'SEC_FILE_NUM',
      '@masterFundLei': 'FUND_LEI',
    },
    ignored: KEY,
  },
  {
    member: 'FOREIGN_INVESTMENT',
    at: 'foreignInvestments/foreignInvestment',
    texts: { '@foreignSubsidiaryName': 'FOREIGN_SUBSIDIARY_NAME', '@foreignSubsidiaryLei': 'FOREIGN_SUBSIDIARY_LEI' },
    ignored: KEY,
  },
  {
    member: 'LINE_OF_CREDIT_DETAIL',
    at: 'lineOfCredit/lineOfCreditDetails/lineOfCreditDetail',
    texts: {
      isCreditLineCommitted: 'IS_CREDIT_LINE_COMMITTED',
      lineOfCreditSize: 'LINE_OF_CREDIT_SIZE',
      isCreditLineUsed: 'IS_CREDIT_LINE_USED',
      'creditLineUsed/@averageCreditLineUsed': 'AVERAGE_CREDIT_LINE_USED',
      'creditLineUsed/@daysCreditUsed': 'DAYS_CREDIT_USED',
    },
    ignored: KEY,
    more(made, row, lines) {
      const type = row.value(
        'CREDIT_TYPE',
        (text) => CREDIT_TYPES[text.toUpperCase()] ?? null,
        'is neither Sole nor Shared',
      )
      if (type !== null) made.put(`${type.toLowerCase()}CreditType/@creditType`, type)
      const own = (member: string) => linesOf(row, 'LINE_OF_CREDIT_SEQNUM', member, lines)
      for (const one of own('LINE_OF_CREDIT_INSTITUTION')) {
        made.child('lineOfCreditInstitutions/lineOfCreditInstitution').fill(one, INSTITUTION)
      }
      for (const one of own('CREDIT_USER')) made.child('sharedCreditType/creditUser').fill(one, CREDIT_USER)
    },
  },
  {
    member: 'INTER_FUND_LENDING_DETAIL',
    at: 'interfundLendingDetails/interfundLending',
    texts: {
      '@interfundLendingLoanAverage': 'LENDING_LOAN_AVERAGE',
      '@interfundLendingDaysOutstanding': 'LENDING_DAYS_OUTSTANDING',
    },
    ignored: KEY,
  },
  {
    member: 'INTER_FUND_BORROWING_DETAIL',
    at: 'interfundBorrowingDetails/interfundBorrowing',
    texts: {
      '@interfundBorrowingLoanAverage': 'BORROWING_LOAN_AVERAGE',
      '@interfundBorrowingDaysOutstanding': 'BORROWING_DAYS_OUTSTANDING',
    },
    ignored: KEY,
  },
  ...partBranches('C'),
  ...OF_FUND,
]

const CREDIT_TYPES: Readonly<Record<string, string>> = { SOLE: 'Sole', SHARED: 'Shared' }
export const INSTITUTION: Plan = { '@creditInstitutionName': 'CREDIT_INSTITUTION_NAME' }
export const CREDIT_USER: Plan = { '@fundName': 'FUND_NAME', '@secFileNo': 'SEC_FILE_NUM' }
