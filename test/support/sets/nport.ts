/** Writes Forms N-PORT as lines of the SEC's data sets, for tests. */
import { fundBranches } from '../../../src/datasets/nport/sets/fund.ts'
import type { Element } from '../../../src/read/xml.ts'
import { type Line, setDay, Written, write } from './written.ts'

const CONTRACTS = {
  commodityContracts: 'Commodity Contracts',
  creditContracts: 'Credit Contracts',
  equityContracts: 'Equity Contracts',
  foreignExchgContracts: 'Foreign Exchange Contracts',
  interestRtContracts: 'Interest Rate Contracts',
  otherContracts: 'Other Contracts',
}
const INSTRUMENTS = ['forward', 'future', 'option', 'swaption', 'swap', 'warrant', 'other']

let holdings = 5_000

/**
 * Returns the lines of one document, following the sets' readme for each column; typed by hand except for plain
 * figures.
 */
export function linesOf(document: Element, accession: string, filed = '2026-02-25'): Written {
  const written = new Written()
  const common = { ACCESSION_NUMBER: accession }
  write(written, document, fundBranches(), common, {
    SUBMISSION: (_, line) => Object.assign(line, { FILING_DATE: setDay(filed) }),
    REGISTRANT(of, line) {
      const country = of.text('regCountry')
      if (country !== null) line.COUNTRY = country
    },
    FUND_REPORTED_INFO: (of, line) =>
      set(
        line,
        'IS_NON_CASH_COLLATERAL',
        of.text('isNonCashCollateral') ?? of.text('aggregateCondition/@isNonCashCollateral'),
      ),
    BORROW_AGGREGATE(of, line) {
      const conditional = of.maybe('invstCatConditional')
      const category = of.text('invstCat') ?? conditional?.text('@invstCat')
      if (category) line.INVESTMENT_CAT = category
      const other = conditional?.text('@otherDesc')
      if (other) line.OTHER_DESC = other
    },
    MONTHLY_RETURN_CAT_INSTRUMENT(of) {
      for (const [at, name] of Object.entries(CONTRACTS)) {
        const contract = of.maybe(at)
        if (!contract) continue
        gain(contract, 'mon', name, '')
        for (const one of INSTRUMENTS) {
          const category = contract.maybe(`${one}Category`)
          if (category) gain(category, 'instrMon', name, one[0]!.toUpperCase() + one.slice(1))
        }
      }
    },
  })
  // A set has one line for both parts of the report.
  const [general, info] = written.members.get('FUND_REPORTED_INFO') ?? []
  written.members.set('FUND_REPORTED_INFO', [{ ...common, ...general, ...info }])
  written.members.set(
    'MONTHLY_RETURN_CAT_INSTRUMENT',
    (written.members.get('MONTHLY_RETURN_CAT_INSTRUMENT') ?? []).filter((line) => line.ASSET_CAT),
  )
  for (const one of document.all('formData/invstOrSecs/invstOrSec')) holding(one)
  return written

  function gain(of: Element, months: string, contract: string, instrument: string) {
    const line: Line = { ...common, ASSET_CAT: contract, INSTRUMENT_KIND: instrument }
    for (const month of [1, 2, 3]) {
      set(line, `NET_REALIZED_GAIN_MON${month}`, of.text(`${months}${month}/@netRealizedGain`))
      set(line, `NET_UNREALIZED_AP_MON${month}`, of.text(`${months}${month}/@netUnrealizedAppr`))
    }
    if (Object.keys(line).length > 3) written.add('MONTHLY_RETURN_CAT_INSTRUMENT', line)
  }

  function holding(of: Element) {
    const id = String(++holdings)
    const line: Line = { ...common, HOLDING_ID: id }
    const texts: Line = {
      ISSUER_NAME: 'name', ISSUER_LEI: 'lei', ISSUER_TITLE: 'title', ISSUER_CUSIP: 'cusip', BALANCE: 'balance', UNIT: 'units',
      OTHER_UNIT_DESC: 'descOthUnits', CURRENCY_VALUE: 'valUSD', PERCENTAGE: 'pctVal', PAYOFF_PROFILE: 'payoffProfile',
      INVESTMENT_COUNTRY: 'invCountry', IS_RESTRICTED_SECURITY: 'isRestrictedSec', FAIR_VALUE_LEVEL: 'fairValLevel',
      EXCHANGE_RATE: 'currencyConditional/@exchangeRt', OTHER_ASSET: 'assetConditional/@desc', OTHER_ISSUER: 'issuerConditional/@desc',
    } // biome-ignore format: a table
    put(line, of, texts)
    set(line, 'CURRENCY_CODE', of.text('curCd') ?? of.text('currencyConditional/@curCd'))
    set(line, 'ASSET_CAT', of.text('assetCat') ?? of.text('assetConditional/@assetCat'))
    set(line, 'ISSUER_TYPE', of.text('issuerCat') ?? of.text('issuerConditional/@issuerCat'))
    const derivative = of.maybe('derivativeInfo')
    const shape = derivative?.childNames()[0]
    if (derivative && shape) set(line, 'DERIVATIVE_CAT', derivative.text(`${shape}/@derivCat`))
    written.add('FUND_REPORTED_HOLDING', line)
    const add = (member: string, own: Line) =>
      Object.keys(own).length > 0 && written.add(member, { HOLDING_ID: id, ...own })
    const made = (element: Element, columns: Line, days: Line = {}): Line => {
      const own: Line = {}
      put(own, element, columns)
      for (const [column, at] of Object.entries(days)) {
        const text = element.text(at)
        if (text !== null) own[column] = setDay(text)
      }
      return own
    }
    for (const one of of.all('identifiers/isin')) add('IDENTIFIERS', made(one, { IDENTIFIER_ISIN: '@value' }))
    for (const one of of.all('identifiers/ticker')) add('IDENTIFIERS', made(one, { IDENTIFIER_TICKER: '@value' }))
    for (const one of of.all('identifiers/other'))
      add('IDENTIFIERS', made(one, { OTHER_IDENTIFIER: '@value', OTHER_IDENTIFIER_DESC: '@otherDesc' }))
    const debt = of.maybe('debtSec')
    if (debt) {
      add(
        'DEBT_SECURITY',
        made(
          debt,
          {
            COUPON_TYPE: 'couponKind',
            ANNUALIZED_RATE: 'annualizedRt',
            IS_DEFAULT: 'isDefault',
            ARE_ANY_INTEREST_PAYMENT: 'areIntrstPmntsInArrs',
            IS_ANY_PORTION_INTEREST_PAID: 'isPaidKind',
            IS_CONVTIBLE_MANDATORY: 'isMandatoryConvrtbl',
            IS_CONVTIBLE_CONTINGENT: 'isContngtConvrtbl',
          },
          { MATURITY_DATE: 'maturityDt' },
        ),
      )
      for (const one of debt.all('dbtSecRefInstruments/dbtSecRefInstrument'))
        add('DEBT_SECURITY_REF_INSTRUMENT', {
          ...made(one, { ISSUER_NAME: 'name', ISSUE_TITLE: 'title', CURRENCY_CODE: 'curCd' }),
          ...identified(one),
        })
      for (const one of debt.all('currencyInfos/currencyInfo'))
        add('CONVERTIBLE_SECURITY_CURRENCY', made(one, { CONVERSION_RATIO: '@convRatio', CURRENCY_CODE: '@curCd' }))
    }
    const repo = of.maybe('repurchaseAgrmt')
    if (repo) {
      const own = made(
        repo,
        {
          TRANSACTION_TYPE: 'transCat',
          IS_TRIPARTY: 'isTriParty',
          REPURCHASE_RATE: 'repurchaseRt',
          CENTRAL_COUNTER_PARTY: 'clearedCentCparty/@centralCounterparty',
        },
        { MATURITY_DATE: 'maturityDt' },
      )
      set(own, 'IS_CLEARED', repo.text('clearedCentCparty/@isCleared') ?? repo.text('notClearedCentCparty/@isCleared'))
      add('REPURCHASE_AGREEMENT', own)
      for (const one of repo.all('notClearedCentCparty/counterpartyInfos/counterpartyInfo'))
        add('REPURCHASE_COUNTERPARTY', made(one, { NAME: '@name', LEI: '@lei' }))
      for (const one of repo.all('repurchaseCollaterals/repurchaseCollateral')) {
        const collateral = made(one, {
          PRINCIPAL_AMOUNT: 'principalAmt',
          PRINCIPAL_CURRENCY_CODE: 'principalCd',
          COLLATERAL_AMOUNT: 'collateralVal',
          COLLATERAL_CURRENCY_CODE: 'collateralCd',
          OTHER_INSTRUMENT_DESC: 'invstCatConditional/@desc',
        })
        set(collateral, 'INVESTMENT_CAT', one.text('invstCat') ?? one.text('invstCatConditional/@invstCat'))
        add('REPURCHASE_COLLATERAL', collateral)
      }
    }
    const lent = of.maybe('securityLending')
    if (lent) {
      const own = made(lent, {
        CASH_COLLATERAL_AMOUNT: 'cashCollateralCondition/@cashCollateralVal',
        NON_CASH_COLLATERAL_VALUE: 'nonCashCollateralCondition/@nonCashCollateralVal',
        LOAN_VALUE: 'loanByFundCondition/@loanVal',
      })
      set(
        own,
        'IS_CASH_COLLATERAL',
        lent.text('isCashCollateral') ?? lent.text('cashCollateralCondition/@isCashCollateral'),
      )
      set(
        own,
        'IS_NON_CASH_COLLATERAL',
        lent.text('isNonCashCollateral') ?? lent.text('nonCashCollateralCondition/@isNonCashCollateral'),
      )
      set(own, 'IS_LOAN_BY_FUND', lent.text('isLoanByFund') ?? lent.text('loanByFundCondition/@isLoanByFund'))
      add('SECURITIES_LENDING', own)
    }
    if (!derivative || !shape) return
    const one = derivative.one(shape)
    const unrealized = { UNREALIZED_APPRECIATION: 'unrealizedAppr' }
    if (one.text('amtCurSold') ?? one.text('amtCurPur'))
      add(
        'FWD_FOREIGNCUR_CONTRACT_SWAP',
        made(
          one,
          {
            CURRENCY_SOLD_AMOUNT: 'amtCurSold',
            DESC_CURRENCY_SOLD: 'curSold',
            CURRENCY_PURCHASED_AMOUNT: 'amtCurPur',
            DESC_CURRENCY_PURCHASED: 'curPur',
            ...unrealized,
          },
          { SETTLEMENT_DATE: 'settlementDt' },
        ),
      )
    else if (shape === 'futrDeriv' || shape === 'fwdDeriv')
      add(
        'FUT_FWD_NONFOREIGNCUR_CONTRACT',
        made(
          one,
          { PAYOFF_PROFILE: 'payOffProf', NOTIONAL_AMOUNT: 'notionalAmt', CURRENCY_CODE: 'curCd', ...unrealized },
          { EXPIRATION_DATE: 'expDate' },
        ),
      )
    else if (shape === 'optionSwaptionWarrantDeriv')
      add(
        'SWAPTION_OPTION_WARNT_DERIV',
        made(
          one,
          {
            PUT_OR_CALL: 'putOrCall',
            WRITTEN_OR_PURCHASED: 'writtenOrPur',
            SHARES_CNT: 'shareNo',
            PRINCIPAL_AMOUNT: 'principalAmt',
            CURRENCY_CODE: 'exercisePriceCurCd',
            EXERCISE_PRICE: 'exercisePrice',
            ...unrealized,
          },
          { EXPIRATION_DATE: 'expDt' },
        ),
      )
    else if (shape === 'othDeriv') {
      add('OTHER_DERIV', made(one, { OTHER_DESC: '@othDesc', ...unrealized }, { TERMINATION_DATE: 'terminationDt' }))
      for (const each of one.all('notionalAmts/notionalAmt'))
        add('OTHER_DERIV_NOTIONAL_AMOUNT', made(each, { NOTIONAL_AMOUNT: '@amt', CURRENCY_CODE: '@curCd' }))
    } else {
      const own = made(
        one,
        {
          SWAP_FLAG: 'swapFlag',
          UPFRONT_PAYMENT: 'upfrontPmnt',
          PMNT_CURRENCY_CODE: 'pmntCurCd',
          UPFRONT_RECEIPT: 'upfrontRcpt',
          RCPT_CURRENCY_CODE: 'rcptCurCd',
          NOTIONAL_AMOUNT: 'notionalAmt',
          CURRENCY_CODE: 'curCd',
          ...unrealized,
        },
        { TERMINATION_DATE: 'terminationDt' },
      )
      for (const [side, word] of [
        ['RECEIPT', 'Rec'],
        ['PAYMENT', 'Pmnt'],
      ] as const) {
        const [leg] = ['fixed', 'floating', 'other'].flatMap((kind) => one.all(`${kind}${word}Desc`))
        if (!leg) continue
        Object.assign(
          own,
          made(leg, {
            [`FIXED_OR_FLOATING_${side}`]: '@fixedOrFloating',
            [`FIXED_RATE_${side}`]: '@fixedRt',
            [`FLOATING_RATE_INDEX_${side}`]: '@floatingRtIndex',
            [`FLOATING_RATE_SPREAD_${side}`]: '@floatingRtSpread',
            [`CURRENCY_CODE_${side}`]: '@curCd',
          }),
        )
        set(own, `AMOUNT_${side}`, leg.text('@amount') ?? leg.text('@pmntAmt'))
        for (const tenor of leg.all('rtResetTenors/rtResetTenor'))
          add('FLOATING_RATE_RESET_TENOR', {
            RECEIPT_OR_PAYMENT: word === 'Rec' ? 'Receipt' : 'Payment',
            ...made(tenor, {
              RESET_DATE: '@resetDt',
              RESET_DATE_UNIT: '@resetDtUnit',
              RATE_TENOR: '@rateTenor',
              RATE_TENOR_UNIT: '@rateTenorUnit',
            }),
          })
      }
      add('NONFOREIGN_EXCHANGE_SWAP', own)
    }
    for (const each of one.all('counterparties'))
      add(
        'DERIVATIVE_COUNTERPARTY',
        made(each, {
          DERIVATIVE_COUNTERPARTY_NAME: 'counterpartyName',
          DERIVATIVE_COUNTERPARTY_LEI: 'counterpartyLei',
        }),
      )
    for (const index of one.all('descRefInstrmnt/indexBasketInfo')) {
      add(
        'DESC_REF_INDEX_BASKET',
        made(index, { INDEX_NAME: 'indexName', INDEX_IDENTIFIER: 'indexIdentifier', NARRATIVE_DESC: 'narrativeDesc' }),
      )
      for (const each of index.all('components/component'))
        add('DESC_REF_INDEX_COMPONENT', {
          ...made(each, {
            NAME: 'othIndName',
            NOTIONAL_AMOUNT: 'othIndNotAmt',
            CURRENCY_CODE: 'othIndCurCd',
            VALUE: 'othIndValue',
            ISSUER_CURRENCY_CODE: 'othIndIssCurCd',
          }),
          ...identified(each),
        })
    }
    for (const each of one.all('descRefInstrmnt/otherRefInst'))
      add('DESC_REF_OTHER', {
        ...made(each, { ISSUER_NAME: 'issuerName', ISSUE_TITLE: 'issueTitle' }),
        ...identified(each),
      })
  }
}

const set = (line: Line, column: string, text: string | null | undefined) => {
  if (text !== null && text !== undefined) line[column] = text.replace(/[\t\r\n]+ */g, ' ')
}
const put = (line: Line, of: Element, columns: Line) => {
  for (const [column, at] of Object.entries(columns)) set(line, column, of.text(at))
}
/** A set has room for one identifier of each kind. */
function identified(of: Element): Line {
  const line: Line = {}
  const first = (kind: string, attribute = '@value') => of.all(`identifiers/${kind}`)[0]?.text(attribute)
  set(line, 'CUSIP', first('cusip'))
  set(line, 'ISIN', first('isin'))
  set(line, 'TICKER', first('ticker'))
  set(line, 'OTHER_IDENTIFIER', first('other'))
  set(line, 'OTHER_DESC', first('other', '@otherDesc'))
  return line
}
