/** The SEC's data sets of Form N-PORT: the rows of real filings, out of their submissions and out of lines written of them. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../src/datasets/nport/filing.ts'
import nport from '../src/datasets/nport/index.ts'
import { FUND } from '../src/datasets/nport/parse-sets-fund.ts'
import { quarterlySets } from '../src/datasets/nport/sources.ts'
import { catalog } from '../src/declare/catalog.ts'
import type { ParsedRow } from '../src/declare/dataset.ts'
import { rebuild } from '../src/ingest/rebuild.ts'
import { ingestSets } from '../src/ingest/sets/ingest.ts'
import type { Element } from '../src/read/xml.ts'
import { missingOf } from '../src/serve/loaded.ts'
import { corpus } from './corpus.ts'
import { cargoSet } from './sets-cargo.ts'
import { byTable, documentOf, type Line, rowsOfSet, setDay, Written, without, write } from './sets-written.ts'
import { openWorld } from './world.ts'

/** Real documents, and the SEC's samples, which have every kind of derivative. */
const documents = (): string[] => [
  ...globSync(path.join(corpus.folder, 'sec/Archives/edgar/data/{313212,1843974,1905379}/*.txt')),
  ...globSync(path.join(corpus.folder, 'schemas/nport_sec_samples/*/*.xml')),
]

const accessionOf = (file: string, at: number) =>
  /\d{10}-\d\d-\d{6}/.exec(file)?.[0] ?? `9000000081-26-${String(at).padStart(6, '0')}`

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

/** The lines of one document: what the readme of the sets says of each column, by hand for all but plain figures. */
function linesOf(document: Element, accession: string): Written {
  const written = new Written()
  const common = { ACCESSION_NUMBER: accession }
  write(written, document, FUND, common, {
    SUBMISSION: (_, line) => Object.assign(line, { FILING_DATE: '25-FEB-2026' }),
    REGISTRANT(of, line) {
      const country = of.text('regCountry')
      if (country !== null) line.COUNTRY = country
    },
    FUND_REPORTED_INFO: (of, line) => set(line, 'IS_NON_CASH_COLLATERAL', of.text('isNonCashCollateral') ?? of.text('aggregateCondition/@isNonCashCollateral')), // biome-ignore format: one line
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
  // A set has one line of both parts.
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
    for (const one of of.all('identifiers/other')) add('IDENTIFIERS', made(one, { OTHER_IDENTIFIER: '@value', OTHER_IDENTIFIER_DESC: '@otherDesc' })) // biome-ignore format: one line
    const debt = of.maybe('debtSec')
    if (debt) {
      add('DEBT_SECURITY', made(debt, { COUPON_TYPE: 'couponKind', ANNUALIZED_RATE: 'annualizedRt', IS_DEFAULT: 'isDefault', ARE_ANY_INTEREST_PAYMENT: 'areIntrstPmntsInArrs', IS_ANY_PORTION_INTEREST_PAID: 'isPaidKind', IS_CONVTIBLE_MANDATORY: 'isMandatoryConvrtbl', IS_CONVTIBLE_CONTINGENT: 'isContngtConvrtbl' }, { MATURITY_DATE: 'maturityDt' })) // biome-ignore format: one line
      for (const one of debt.all('dbtSecRefInstruments/dbtSecRefInstrument')) add('DEBT_SECURITY_REF_INSTRUMENT', { ...made(one, { ISSUER_NAME: 'name', ISSUE_TITLE: 'title', CURRENCY_CODE: 'curCd' }), ...identified(one) }) // biome-ignore format: one line
      for (const one of debt.all('currencyInfos/currencyInfo')) add('CONVERTIBLE_SECURITY_CURRENCY', made(one, { CONVERSION_RATIO: '@convRatio', CURRENCY_CODE: '@curCd' })) // biome-ignore format: one line
    }
    const repo = of.maybe('repurchaseAgrmt')
    if (repo) {
      const own = made(repo, { TRANSACTION_TYPE: 'transCat', IS_TRIPARTY: 'isTriParty', REPURCHASE_RATE: 'repurchaseRt', CENTRAL_COUNTER_PARTY: 'clearedCentCparty/@centralCounterparty' }, { MATURITY_DATE: 'maturityDt' }) // biome-ignore format: one line
      set(own, 'IS_CLEARED', repo.text('clearedCentCparty/@isCleared') ?? repo.text('notClearedCentCparty/@isCleared'))
      add('REPURCHASE_AGREEMENT', own)
      for (const one of repo.all('notClearedCentCparty/counterpartyInfos/counterpartyInfo')) add('REPURCHASE_COUNTERPARTY', made(one, { NAME: '@name', LEI: '@lei' })) // biome-ignore format: one line
      for (const one of repo.all('repurchaseCollaterals/repurchaseCollateral')) {
        const collateral = made(one, { PRINCIPAL_AMOUNT: 'principalAmt', PRINCIPAL_CURRENCY_CODE: 'principalCd', COLLATERAL_AMOUNT: 'collateralVal', COLLATERAL_CURRENCY_CODE: 'collateralCd', OTHER_INSTRUMENT_DESC: 'invstCatConditional/@desc' }) // biome-ignore format: one line
        set(collateral, 'INVESTMENT_CAT', one.text('invstCat') ?? one.text('invstCatConditional/@invstCat'))
        add('REPURCHASE_COLLATERAL', collateral)
      }
    }
    const lent = of.maybe('securityLending')
    if (lent) {
      const own = made(lent, { CASH_COLLATERAL_AMOUNT: 'cashCollateralCondition/@cashCollateralVal', NON_CASH_COLLATERAL_VALUE: 'nonCashCollateralCondition/@nonCashCollateralVal', LOAN_VALUE: 'loanByFundCondition/@loanVal' }) // biome-ignore format: one line
      set(
        own,
        'IS_CASH_COLLATERAL',
        lent.text('isCashCollateral') ?? lent.text('cashCollateralCondition/@isCashCollateral'),
      )
      set(own, 'IS_NON_CASH_COLLATERAL', lent.text('isNonCashCollateral') ?? lent.text('nonCashCollateralCondition/@isNonCashCollateral')) // biome-ignore format: one line
      set(own, 'IS_LOAN_BY_FUND', lent.text('isLoanByFund') ?? lent.text('loanByFundCondition/@isLoanByFund'))
      add('SECURITIES_LENDING', own)
    }
    if (!derivative || !shape) return
    const one = derivative.one(shape)
    const unrealized = { UNREALIZED_APPRECIATION: 'unrealizedAppr' }
    if (one.text('amtCurSold') ?? one.text('amtCurPur'))
      add('FWD_FOREIGNCUR_CONTRACT_SWAP', made(one, { CURRENCY_SOLD_AMOUNT: 'amtCurSold', DESC_CURRENCY_SOLD: 'curSold', CURRENCY_PURCHASED_AMOUNT: 'amtCurPur', DESC_CURRENCY_PURCHASED: 'curPur', ...unrealized }, { SETTLEMENT_DATE: 'settlementDt' })) // biome-ignore format: one line
    else if (shape === 'futrDeriv' || shape === 'fwdDeriv')
      add('FUT_FWD_NONFOREIGNCUR_CONTRACT', made(one, { PAYOFF_PROFILE: 'payOffProf', NOTIONAL_AMOUNT: 'notionalAmt', CURRENCY_CODE: 'curCd', ...unrealized }, { EXPIRATION_DATE: 'expDate' })) // biome-ignore format: one line
    else if (shape === 'optionSwaptionWarrantDeriv')
      add('SWAPTION_OPTION_WARNT_DERIV', made(one, { PUT_OR_CALL: 'putOrCall', WRITTEN_OR_PURCHASED: 'writtenOrPur', SHARES_CNT: 'shareNo', PRINCIPAL_AMOUNT: 'principalAmt', CURRENCY_CODE: 'exercisePriceCurCd', EXERCISE_PRICE: 'exercisePrice', ...unrealized }, { EXPIRATION_DATE: 'expDt' })) // biome-ignore format: one line
    else if (shape === 'othDeriv') {
      add('OTHER_DERIV', made(one, { OTHER_DESC: '@othDesc', ...unrealized }, { TERMINATION_DATE: 'terminationDt' }))
      for (const each of one.all('notionalAmts/notionalAmt')) add('OTHER_DERIV_NOTIONAL_AMOUNT', made(each, { NOTIONAL_AMOUNT: '@amt', CURRENCY_CODE: '@curCd' })) // biome-ignore format: one line
    } else {
      const own = made(one, { SWAP_FLAG: 'swapFlag', UPFRONT_PAYMENT: 'upfrontPmnt', PMNT_CURRENCY_CODE: 'pmntCurCd', UPFRONT_RECEIPT: 'upfrontRcpt', RCPT_CURRENCY_CODE: 'rcptCurCd', NOTIONAL_AMOUNT: 'notionalAmt', CURRENCY_CODE: 'curCd', ...unrealized }, { TERMINATION_DATE: 'terminationDt' }) // biome-ignore format: one line
      for (const [side, word] of [
        ['RECEIPT', 'Rec'],
        ['PAYMENT', 'Pmnt'],
      ] as const) {
        // biome-ignore format: one line
        const [leg] = ['fixed', 'floating', 'other'].flatMap((kind) => one.all(`${kind}${word}Desc`))
        if (!leg) continue
        Object.assign(own, made(leg, { [`FIXED_OR_FLOATING_${side}`]: '@fixedOrFloating', [`FIXED_RATE_${side}`]: '@fixedRt', [`FLOATING_RATE_INDEX_${side}`]: '@floatingRtIndex', [`FLOATING_RATE_SPREAD_${side}`]: '@floatingRtSpread', [`CURRENCY_CODE_${side}`]: '@curCd' })) // biome-ignore format: one line
        set(own, `AMOUNT_${side}`, leg.text('@amount') ?? leg.text('@pmntAmt'))
        for (const tenor of leg.all('rtResetTenors/rtResetTenor')) add('FLOATING_RATE_RESET_TENOR', { RECEIPT_OR_PAYMENT: word === 'Rec' ? 'Receipt' : 'Payment', ...made(tenor, { RESET_DATE: '@resetDt', RESET_DATE_UNIT: '@resetDtUnit', RATE_TENOR: '@rateTenor', RATE_TENOR_UNIT: '@rateTenorUnit' }) }) // biome-ignore format: one line
      }
      add('NONFOREIGN_EXCHANGE_SWAP', own)
    }
    for (const each of one.all('counterparties')) add('DERIVATIVE_COUNTERPARTY', made(each, { DERIVATIVE_COUNTERPARTY_NAME: 'counterpartyName', DERIVATIVE_COUNTERPARTY_LEI: 'counterpartyLei' })) // biome-ignore format: one line
    for (const index of one.all('descRefInstrmnt/indexBasketInfo')) {
      add('DESC_REF_INDEX_BASKET', made(index, { INDEX_NAME: 'indexName', INDEX_IDENTIFIER: 'indexIdentifier', NARRATIVE_DESC: 'narrativeDesc' })) // biome-ignore format: one line
      for (const each of index.all('components/component')) add('DESC_REF_INDEX_COMPONENT', { ...made(each, { NAME: 'othIndName', NOTIONAL_AMOUNT: 'othIndNotAmt', CURRENCY_CODE: 'othIndCurCd', VALUE: 'othIndValue', ISSUER_CURRENCY_CODE: 'othIndIssCurCd' }), ...identified(each) }) // biome-ignore format: one line
    }
    for (const each of one.all('descRefInstrmnt/otherRefInst')) add('DESC_REF_OTHER', { ...made(each, { ISSUER_NAME: 'issuerName', ISSUE_TITLE: 'issueTitle' }), ...identified(each) }) // biome-ignore format: one line
  }
}

const set = (line: Line, column: string, text: string | null | undefined) => {
  if (text !== null && text !== undefined) line[column] = text.replace(/[\t\r\n]+ */g, ' ')
}
const put = (line: Line, of: Element, columns: Line) => {
  for (const [column, at] of Object.entries(columns)) set(line, column, of.text(at))
}
/** A set has one place for each kind. */
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

async function rowsOfDocument(file: string): Promise<ParsedRow[]> {
  const text = readFileSync(file, 'utf8')
  const xml = /<XML>\s*([\s\S]*?)\s*<\/XML>/.exec(text)?.[1] ?? text
  async function* bytes() {
    yield Buffer.from(xml)
  }
  const rows: ParsedRow[] = []
  const parts = { form: 'NPORT-P', cik: null, documents: { portfolio: bytes() }, tell() {} }
  for await (const row of parse(parts as never)) rows.push(row)
  return rows
}

/** What sets do not say: see parse-sets-fund.ts and parse-sets-holding.ts. */
const LACKING = [
  ...[
    'is_confidential',
    'class_ids',
    'company_type',
    'highly_liquid_minimum',
    'highly_liquid_days',
    'highly_liquid_changed',
  ],
  ...['highly_liquid_before', 'derivative_classification', 'derivative_classes', 'derivative_exposure', 'var_median'],
  ...[
    'currency_derivative_exposure',
    'rate_derivative_exposure',
    'exposure_excess_days',
    'var_median_ratio',
    'var_exceptions',
  ],
  ...['names_rule_terms', 'names_rule_basket', 'signed', 'applicant', 'signature', 'signer', 'signer_title'],
].map((column) => `report.${column}`)
const LACKING_LINES = [
  ...[
    'liquidity',
    'quality.source',
    'security.risk_country',
    'security.security',
    'holding.security',
    'holding.in_names_basket',
  ],
  ...['debt.delta', 'derivative.delta', 'leg.description', 'reference.more_identifiers'],
]

test('the rows of a filing are the same out of its submission and out of a set, but for what no set says', {
  skip: corpus.skip,
}, async (t) => {
  const met = new Map<string, number>()
  for (const [at, file] of documents().entries()) {
    const document = documentOf(file)
    const { rows, unread, problems } = await rowsOfSet(quarterlySets, linesOf(document, accessionOf(file, at)))
    const [expected, found] = [byTable(await rowsOfDocument(file)), byTable(rows)]
    const lacking = [...LACKING, ...LACKING_LINES]
    const [left, right] = [without(expected, lacking), without(outer(found), lacking)]
    for (const [table, own] of Object.entries(outer(left))) {
      assert.deepEqual(right[table] ?? [], own, `${path.basename(file)} ${table}`)
      met.set(table, (met.get(table) ?? 0) + own.length)
    }
    assert.deepEqual(Object.keys(right).filter((table) => !(table in left)), [], file) // biome-ignore format: one line
    assert.deepEqual(unread, [], file)
    t.diagnostic(`${path.basename(file)}: ${problems.length} problems`)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
})

/** Without what belongs to a derivative that another one refers to, of which sets have no lines. */
function outer(rows: ReturnType<typeof byTable>): ReturnType<typeof byTable> {
  const nested = new Set(
    (rows.derivative ?? []).filter(({ depth }) => depth !== 0).map(({ n, position }) => `${n}/${position}`),
  )
  const kept: ReturnType<typeof byTable> = {}
  for (const [table, own] of Object.entries(rows)) {
    kept[table] = own.filter((row) => {
      if (table === 'derivative') return !nested.has(`${row.n}/${row.position}`)
      return !nested.has(`${row.n}/${row.derivative}`)
    })
    if (kept[table].length === 0) delete kept[table]
  }
  return kept
}

test('a quarterly set of N-PORT fills the tables and its bare partitions, and a rebuild reads it to the same rows', {
  skip: corpus.skip,
}, async (t) => {
  // Alone: what others make of the invented securities of the samples is theirs to test.
  const world = await openWorld(t, { catalog: catalog([nport], [], []) })
  const { sql, slices, store } = world
  const all = new Written()
  const files = documents().filter((file) => !/Sample_[1-4]\.xml$/.test(file))
  const expected: Record<string, number> = {}
  for (const [at, file] of files.entries()) {
    const document = documentOf(file)
    const lines = linesOf(document, accessionOf(file, at))
    for (const [member, some] of lines.members) for (const line of some) all.add(member, line)
    expected[accessionOf(file, at)] = document.all('formData/invstOrSecs/invstOrSec').length
  }
  all.add('SUBMISSION', {
    ACCESSION_NUMBER: '0000000001-26-000001',
    SUB_TYPE: 'NT NPORT-P',
    FILING_DATE: '25-FEB-2026',
  })
  // Holdings of many filings stand mixed in real sets.
  const holdings = all.members.get('FUND_REPORTED_HOLDING')!
  all.members.set('FUND_REPORTED_HOLDING', [
    ...holdings.filter((_, at) => at % 2),
    ...holdings.filter((_, at) => !(at % 2)),
  ])
  const file = await cargoSet(t, all.texts(quarterlySets), '2026q1_nport.zip')
  const [outcome] = await ingestSets({ sql, slices, store, dataset: nport, from: { files: [file] } })
  assert.deepEqual([outcome!.error, outcome!.found.refusals, [...outcome!.found.unread]], [null, [], []])
  assert.deepEqual(outcome!.result, { filings: files.length, loaded: files.length })
  // No index lists them, and none of their submissions was read: the rows are there all the same.
  assert.deepEqual(await missingOf(sql, { families: { nport: 'reports of funds (N-PORT)', nmfp: 'others' } }), [
    { source: 'nmfp', note: 'no others have been loaded' },
  ])
  const count = async () =>
    Object.fromEntries(
      (
        await sql`
        select r.accession, (select count(*)::int from nport.holding h where h.accession = r.accession) as n
        from nport.report r order by 1`
      ).map(({ accession, n }) => [accession, n]),
    )
  assert.deepEqual(await count(), Object.fromEntries(Object.entries(expected).sort()))
  const rows = async () => JSON.stringify([await sql`select * from nport.holding order by accession, n`, await sql`select * from nport.identifier order by accession, n, position`]) // biome-ignore format: one line
  const before = await rows()
  await rebuild(world, nport)
  assert.ok((await rows()) === before)
})

/** Real lines of the set of 2026 Q1, by filing. */
const linesIn = (file: string) => {
  const [header, ...lines] = readFileSync(path.join(corpus.folder, 'bulk/nport', file), 'utf8')
    .trimEnd()
    .split('\n')
  const columns = header!.split('\t')
  return new Map(
    lines.map((line) => {
      const values = line.split('\t')
      return [values[0]!, Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']))] as const
    }),
  )
}

test('the real lines of all 13,148 filings of 2026 Q1 say whose report each is, about which day, and nothing that cannot be read', {
  skip: corpus.skip,
}, async () => {
  const [submissions, registrants, series] = ['SUBMISSION.tsv', 'REGISTRANT.tsv', 'info.tsv'].map(linesIn) as [
    Map<string, Line>,
    Map<string, Line>,
    Map<string, Line>,
  ]
  const counts = { filings: 0, amendments: 0, final: 0, problems: 0, withoutFund: 0, withoutPeriod: 0 }
  for (const [accession, submission] of submissions) {
    const written = new Written()
    written.add('SUBMISSION', submission)
    written.add('REGISTRANT', registrants.get(accession)!)
    written.add('FUND_REPORTED_INFO', series.get(accession)!)
    const { rows, problems } = await rowsOfSet(quarterlySets, written)
    const report = byTable(rows).report![0]!
    counts.filings++
    if (report.is_amendment) counts.amendments++
    if (report.is_final) counts.final++
    if (report.fund === undefined) counts.withoutFund++
    if (report.period === undefined) counts.withoutPeriod++
    counts.problems += problems.length
  }
  assert.deepEqual(counts, {
    filings: 13_148,
    amendments: 38,
    final: 58,
    problems: 0,
    withoutFund: 0,
    withoutPeriod: 0,
  })
})

/**
 * Filings of which the corpus has each holding among the real lines of 2026 Q1: their percentages come to 100, within a
 * twentieth. Lines, value and percentages were added up by another program.
 */
const WHOLE = [
  ['0000035402-26-001928', 49, '538211257.3615625', '101.922477444968'],
  ['0000035402-26-001949', 42, '4238065942.24', '100.677425539585'],
  ['0000035402-26-001973', 65, '8004400021.27', '100.591106604712'],
  ['0001049169-26-000753', 9, '54706704.73', '101.595264993343'],
  ['0001099263-26-002539', 116, '258962288.15', '103.4545650119'],
  ['0001099263-26-002543', 132, '457409088.39', '100.0532531939'],
  ['0001099263-26-002553', 82, '2975519301.61', '100.8518255797'],
  ['0001099263-26-002555', 73, '2879854017.89', '100.0270364455'],
  ['0001099263-26-002573', 94, '1176907377.29', '99.9684645759'],
  ['0001099263-26-002582', 125, '34239236.74', '99.904240118'],
  ['0001410368-26-019265', 23, '38826240.36', '96.906956096929'],
  ['0001410368-26-019284', 95, '160157738.37', '99.857973507657'],
  ['0001410368-26-019301', 71, '145672326.72', '99.974771223447'],
  ['0001410368-26-029994', 27, '33847812.68', '99.9756126444'],
  ['0002071691-26-006217', 24, '2503533904.66', '99.455584472794'],
] as const

test('fifteen real portfolios of 2026 Q1 add up to the net assets that each of their lines is a part of, and the difference is stored', {
  skip: corpus.skip,
}, async () => {
  const text = readFileSync(path.join(corpus.folder, 'bulk/nport/holding_part_092.tsv'), 'utf8')
  const [header, ...lines] = text.trimEnd().split(/\r?\n/)
  const columns = header!.split('\t')
  const [submissions, registrants, series] = ['SUBMISSION.tsv', 'REGISTRANT.tsv', 'info.tsv'].map(linesIn)
  const found = await Promise.all(
    WHOLE.map(async ([accession]) => {
      const own = lines
        .filter((line) => line.startsWith(accession))
        .map((line, at) => ({ HOLDING_ID: String(at + 1), ...Object.fromEntries(line.split('\t').map((value, n) => [columns[n]!, value])) }) as Line) // biome-ignore format: one line
      // What this part of the set lacks is said by the largest holding: its value, and what part of the net assets it is.
      const largest = own.reduce((one, other) => (Number(other.CURRENCY_VALUE) > Number(one.CURRENCY_VALUE) ? other : one)) // biome-ignore format: one line
      const net = ((Number(largest.CURRENCY_VALUE) / Number(largest.PERCENTAGE)) * 100).toFixed(2)
      const written = new Written()
      written.add('SUBMISSION', submissions!.get(accession)!)
      written.add('REGISTRANT', registrants!.get(accession)!)
      written.add('FUND_REPORTED_INFO', { ...series!.get(accession)!, NET_ASSETS: net })
      for (const line of own) written.add('FUND_REPORTED_HOLDING', line)
      const { rows, problems } = await rowsOfSet(quarterlySets, written)
      const { report, quality } = byTable(rows)
      const { holdings: count, holdings_value } = report![0]!
      const { percent_total, percent_differ, net_assets_differ, notes } = quality![0]!
      assert.deepEqual([problems, percent_differ, notes], [[], 0, []], accession)
      assert.ok(Math.abs(Number(holdings_value) - Number(net) - Number(net_assets_differ)) < 0.01, accession)
      return [accession, count, holdings_value, percent_total]
    }),
  )
  assert.deepEqual(found, WHOLE)
})
