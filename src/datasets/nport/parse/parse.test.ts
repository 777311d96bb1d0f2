/**
 * The traps of Form N-PORT, each in the smallest report that has it. test/datasets/nport/nport-corpus.test.ts reads
 * real reports.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerWith } from '../../../../test/support/filing-made.ts'
import type { Tell } from '../../../declare/documents.ts'
import type { Problem } from '../../../read/xml.ts'
import { parse } from '../filing.ts'
import type { Row, RowOf } from './types.ts'

const LINE = `<invstOrSec><name>Apple Inc</name><lei>N/A</lei><title>Common Stock</title><cusip>037833100</cusip>
  <identifiers><isin value="US0378331005"/></identifiers><balance>100</balance><units>NS</units><curCd>USD</curCd>
  <valUSD>12000.50</valUSD><pctVal>1.20005</pctVal><payoffProfile>Long</payoffProfile><assetCat>EC</assetCat>
  <issuerCat>CORP</issuerCat><invCountry>US</invCountry><isRestrictedSec>N</isRestrictedSec><fairValLevel>1</fairValLevel>
  <securityLending><isCashCollateral>N</isCashCollateral><isNonCashCollateral>N</isNonCashCollateral><isLoanByFund>N</isLoanByFund></securityLending></invstOrSec>`
const GENERAL = `<genInfo><regName>Specimen Trust</regName><regFileNumber>811-1</regFileNumber><regCik>0009000001</regCik>
  <seriesName>Specimen Fund</seriesName><seriesId>S999000001</seriesId><seriesLei>N/A</seriesLei>
  <repPdEnd>2024-12-31</repPdEnd><repPdDate>2024-03-31</repPdDate><isFinalFiling>N</isFinalFiling></genInfo>`
const FUND = '<fundInfo><totAssets>1000000</totAssets><totLiabs>0</totLiabs><netAssets>1000000</netAssets></fundInfo>'
const HEADER = '<headerData><submissionType>NPORT-P</submissionType><isConfidential>false</isConfidential></headerData>'

const document = ({ header = HEADER, general = GENERAL, fund = FUND, lines = LINE, after = '' } = {}) =>
  `<edgarSubmission xmlns="http://www.sec.gov/edgar/nport" xmlns:n="urn:n">${header}<formData>${general}${fund}<invstOrSecs>${lines}</invstOrSecs>${after}</formData></edgarSubmission>`

async function read(text: string) {
  const notes = { problems: [] as Problem[], unread: [] as string[] }
  const rows: Row[] = []
  const filing = {
    header: headerWith({ form: 'NPORT-P', filedDate: '2024-05-28', cik: '0009000009' }),
    documents: { portfolio: stream(text) },
    tell({ problems = [], unread = [] }: Parameters<Tell>[0]) {
      notes.problems.push(...problems)
      notes.unread.push(...unread)
    },
  }
  for await (const row of parse(filing)) rows.push(row as Row)
  const of = <K extends Row[0]>(table: K) => rows.filter(([key]) => key === table).map(([, row]) => row) as RowOf<K>[]
  return { ...notes, of, one: <K extends Row[0]>(table: K) => of(table)[0] ?? assert.fail(`no ${table}`) }
}

async function* stream(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

/** Reads a report of one holding after replacing texts in it. */
const changed = (...changes: readonly (readonly [from: string, to: string])[]) =>
  read(
    document({
      lines: changes.reduce((line, [from, to]) => {
        assert.ok(line.includes(from), from)
        return line.replace(from, to)
      }, LINE),
    }),
  )

test('categories and the currency are read in either of their forms', async () => {
  const plain = await changed()
  assert.deepEqual([plain.one('security').asset_cat, plain.one('security').asset_description], ['EC', null])
  const { one, problems, unread } = await changed(
    ['<assetCat>EC</assetCat>', '<assetConditional assetCat="OTHER" desc="Special Purpose Vehicle"/>'],
    ['<issuerCat>CORP</issuerCat>', '<issuerConditional desc="Trust" issuerCat="OTHER"/>'],
    ['<curCd>USD</curCd>', '<currencyConditional curCd="EUR" exchangeRt="0.9214"/>'],
  )
  const { asset_cat, asset_description, issuer_cat, issuer_description } = one('security')
  assert.deepEqual(
    [asset_cat, asset_description, issuer_cat, issuer_description],
    ['OTHER', 'Special Purpose Vehicle', 'OTHER', 'Trust'],
  )
  assert.deepEqual([one('holding').currency, one('holding').exchange_rate], ['EUR', '0.9214'])
  assert.deepEqual([problems, unread], [[], []])
})

test('shares of more than 13 digits are null with the reason, and principal may be longer', async () => {
  const long = `${'9'.repeat(14)}.5`
  const { one, problems } = await changed(['<balance>100', `<balance>${long}`])
  assert.deepEqual([one('holding').balance, one('holding').units, one('holding').value], [null, 'NS', '12000.5'])
  assert.deepEqual(
    problems.map(({ path, value, reason }) => [path.replace(/^.*\//, ''), value, reason]),
    [['balance', long, 'not a number of shares with at most 13 digits before the point']],
  )
  const short = `-${'9'.repeat(13)}.${'9'.repeat(20)}`
  assert.equal((await changed(['<balance>100', `<balance>${short}`])).one('holding').balance, short)
  const principal = await changed(['<balance>100', `<balance>${long}`], ['<units>NS', '<units>PA'])
  assert.deepEqual([principal.one('holding').balance, principal.problems], [long, []])
})

test('reads N/A, zeros and nines as no CUSIP, and the flag says which', async () => {
  for (const [filed, cusip, flag] of [
    ['N/A', null, 'missing'],
    ['000000000', null, 'placeholder'],
    ['999999999', null, 'placeholder'],
    ['037833101', '037833101', 'check_digit'],
    ['03783310', '03783310', 'length'],
  ] as const) {
    const { one } = await changed(['<cusip>037833100', `<cusip>${filed}`])
    assert.deepEqual([one('security').cusip, one('security').cusip_flag], [cusip, flag], filed)
    assert.equal(one('holding').sec_id, '037833100', 'its ISIN has the CUSIP')
  }
})

test('if the issuer is N/A, the title names the security; an ISIN of N/A is null', async () => {
  const { one } = await changed(
    ['<name>Apple Inc', '<name>N/A'],
    ['<title>Common Stock', '<title>DATABRICKS INC PP'],
    ['<cusip>037833100', '<cusip>000000000'],
    ['value="US0378331005"', 'value="N/A"'],
    ['<isRestrictedSec>N', '<isRestrictedSec>Y'],
  )
  const { sec_id, is_private } = one('holding')
  assert.deepEqual([sec_id, is_private], [`name~${Buffer.from('databricks inc pp').toString('base64url')}`, true])
  assert.deepEqual([one('security').issuer_name, one('security').isin], [null, null])
})

test('a balance of N/A is null, .000000000000 is zero, and a level of N/A is null: none of them is a problem', async () => {
  const { one, problems } = await changed(
    ['<balance>100', '<balance>N/A'],
    ['<valUSD>12000.50', '<valUSD>.000000000000'],
    ['<pctVal>1.20005', '<pctVal>0.0000000000'],
    ['<fairValLevel>1', '<fairValLevel>N/A'],
    ['<payoffProfile>Long', '<payoffProfile>N/A'],
  )
  const { balance, value, fair_value_level, payoff } = one('holding')
  assert.deepEqual([balance, value, fair_value_level, payoff, problems], [null, '0', null, null, []])
  assert.equal(one('quality').balances_missing, 1)
})

test('an invalid value is null, and the problem names the holding', async () => {
  const { one, problems } = await changed(
    ['<valUSD>12000.50', '<valUSD>12.000,50'],
    ['<fairValLevel>1', '<fairValLevel>4'],
  )
  assert.deepEqual([one('holding').value, one('holding').fair_value_level], [null, null])
  assert.deepEqual(
    problems.map(({ path, value }) => [path.split('/').slice(-2).join('/'), value]),
    [
      ['invstOrSec[1]/valUSD', '12.000,50'],
      ['invstOrSec[1]/fairValLevel', '4'],
    ],
  )
  assert.equal(one('quality').values_missing, 1)
})

const option = (reference: string) => `<derivativeInfo><optionSwaptionWarrantDeriv derivCat="OPT">
  <counterparties><counterpartyName>A</counterpartyName><counterpartyLei>N/A</counterpartyLei></counterparties>
  <putOrCall>Put</putOrCall><writtenOrPur>Written</writtenOrPur><descRefInstrmnt>${reference}</descRefInstrmnt>
  <shareNo>100</shareNo><exercisePrice>5.5</exercisePrice><exercisePriceCurCd>USD</exercisePriceCurCd>
  <expDt>2024-06-21</expDt><delta>XXXX</delta><unrealizedAppr>-3</unrealizedAppr></optionSwaptionWarrantDeriv></derivativeInfo>`

test('a delta of XXXX is undisclosed: it is null, without a problem', async () => {
  const { one, problems } = await changed(['<securityLending>', `${option('')}<securityLending>`])
  assert.deepEqual([one('derivative').delta, one('derivative').shares, problems], [null, '100', []])
})

test('reads the references of a derivative at every depth, each with the derivative that has it', async () => {
  const index = `<indexBasketInfo><indexName>Index</indexName><indexIdentifier>IX</indexIdentifier><components><component>
    <othIndName>Part</othIndName><identifiers><isin value="US0378331005"/></identifiers><othIndNotAmt>5</othIndNotAmt>
    <othIndCurCd>EUR</othIndCurCd><othIndValue>6</othIndValue><othIndIssCurCd>USD</othIndIssCurCd></component></components></indexBasketInfo>`
  const other = `<nestedDerivInfo><othDeriv derivCat="OTH" othDesc="Basket"><descRefInstrmnt>${index}</descRefInstrmnt>
    <terminationDt>2025-01-02</terminationDt><notionalAmts><notionalAmt amt="7" curCd="EUR"/></notionalAmts></othDeriv></nestedDerivInfo>`
  const swap = `<nestedDerivInfo><swapDeriv derivCat="SWP"><descRefInstrmnt>${other}</descRefInstrmnt>
    <floatingRecDesc curCd="USD" fixedOrFloating="Floating" floatingRtIndex="SOFR" floatingRtSpread="0.1" pmntAmt="2"><rtResetTenors>
    <rtResetTenor rateTenor="Month" rateTenorUnit="3" resetDt="Day" resetDtUnit="1"/></rtResetTenors></floatingRecDesc>
    <otherPmntDesc fixedOrFloating="Other">Total return</otherPmntDesc></swapDeriv></nestedDerivInfo>`
  const { of, unread, problems } = await changed(['<securityLending>', `${option(swap)}<securityLending>`])
  assert.deepEqual(
    of('derivative').map(({ position, parent, depth, shape }) => [position, parent, depth, shape]),
    [
      [1, null, 0, 'option'],
      [2, 1, 1, 'swap'],
      [3, 2, 2, 'other'],
    ],
  )
  assert.deepEqual(of('derivative')[2]!.notionals, [{ amount: '7', currency: 'EUR' }])
  assert.deepEqual(
    of('reference').map(({ derivative_position, kind, name, isin, notional, value }) => [
      derivative_position,
      kind,
      name,
      isin,
      notional,
      value,
    ]),
    [
      [3, 'index', 'Index', null, null, null],
      [3, 'component', 'Part', 'US0378331005', '5', '6'],
    ],
  )
  assert.deepEqual(
    of('leg').map(({ derivative_position, side, kind, spread, amount, description }) => [
      derivative_position,
      side,
      kind,
      spread,
      amount,
      description,
    ]),
    [
      [2, 'receive', 'Floating', '0.1', '2', null],
      [2, 'pay', 'Other', null, null, 'Total return'],
    ],
  )
  assert.deepEqual([unread, problems], [[], []])
})

test('keeps identifiers after the first ISIN and ticker, and repeated identifiers are not a problem', async () => {
  const { of, one } = await changed([
    '<isin value="US0378331005"/>',
    '<isin value="US0378331005"/><isin value="US5949181045"/><ticker value="AAPL"/><other otherDesc="SEDOL" value="2046251"/>',
  ])
  assert.deepEqual([one('security').isin, one('security').ticker], ['US0378331005', 'AAPL'])
  assert.deepEqual(
    of('identifier').map(({ kind, value, description }) => [kind, value, description]),
    [
      ['isin', 'US5949181045', null],
      ['other', '2046251', 'SEDOL'],
    ],
  )
})

test('three answers of N yield no lending row, and a Y with its value yields one', async () => {
  assert.deepEqual((await changed()).of('lending'), [])
  const { one } = await changed([
    '<isLoanByFund>N</isLoanByFund>',
    '<loanByFundCondition isLoanByFund="Y" loanVal="50.5"/>',
  ])
  const { is_cash_collateral, is_loaned, loaned } = one('lending')
  assert.deepEqual([is_cash_collateral, is_loaned, loaned], [false, true, '50.5'])
})

test('a fund is known by CIK and series, a closed-end fund by its CIK alone, and never by its name', async () => {
  assert.equal((await changed()).one('report').fund, '0009000001-S999000001')
  for (const none of ['', '<seriesId>N/A</seriesId>']) {
    const general = GENERAL.replace('<seriesId>S999000001</seriesId>', none)
    assert.equal((await read(document({ general }))).one('report').fund, '0009000001', none)
  }
  const without = GENERAL.replace('<regCik>0009000001</regCik>', '')
  const { one } = await read(document({ general: without }))
  assert.equal(one('report').fund, '0009000009-S999000001', 'the header of the submission names the series')
})

test('the period is the day that the report is about; the end of the fiscal year may be later', async () => {
  const { one } = await changed()
  assert.deepEqual([one('report').period, one('report').fiscal_year_end], ['2024-03-31', '2024-12-31'])
  assert.equal(one('holding').quarter, '2024-03-31')
})

test('reports elements that the form does not have, inside a holding or outside all parts', async () => {
  const inside = await changed(['<units>NS</units>', '<units>NS</units><newThing>1</newThing>'])
  assert.deepEqual(inside.unread, ['/edgarSubmission/formData/invstOrSecs/invstOrSec/newThing'])
  const { unread } = await read(document({ after: '<miscSecs n:a="b"><amount>5</amount></miscSecs>' }))
  assert.deepEqual(unread.sort(), [
    '/edgarSubmission/formData/miscSecs/@a',
    '/edgarSubmission/formData/miscSecs/amount',
  ])
})

test('an element that occurs twice makes its holding unreadable, and the other holdings are kept', async () => {
  const lines = LINE + LINE.replace('<units>NS</units>', '<units>NS</units><units>PA</units>') + LINE
  const { of, one, problems } = await read(document({ lines }))
  assert.deepEqual([of('holding').length, one('quality').line_count, one('quality').lines_read], [2, 3, 2])
  assert.deepEqual(one('quality').notes.includes('lines_unread'), true)
  assert.match(problems[0]!.reason, /one units is allowed/)
})

test('a document that is cut off keeps the holdings before the cut, and says that they are incomplete', async () => {
  const whole = document({ lines: LINE + LINE })
  const { of, one, problems } = await read(whole.slice(0, whole.lastIndexOf('<units>')))
  assert.equal(of('holding').length, 1)
  assert.match(one('quality').cut_off!, /cut off/)
  assert.deepEqual([one('quality').notes.includes('cut_off'), problems.length], [true, 1])
})

test('a document without its first part, or cut off before it, is refused', async () => {
  await assert.rejects(read(document({ general: '' })), /no genInfo/)
  await assert.rejects(read(HEADER.slice(0, 20)), /./)
  await assert.rejects(read('<edgarSubmission xmlns="x"><formData></formData></edgarSubmission>'), /no genInfo/)
})

test('the sum of the holdings is compared with the assets of the fund, and only a difference above a twentieth is noted', async () => {
  const of = async (value: string, more = '') => {
    const fund = FUND.replace('</fundInfo>', `${more}</fundInfo>`)
    const percent = (Number(value) / 10_000).toFixed(6)
    const lines = LINE.replace('12000.50', value).replace('1.20005', percent)
    const { one } = await read(document({ fund, lines }))
    const { net_assets_differ, total_assets_differ, notes } = one('quality')
    return [net_assets_differ, total_assets_differ, notes]
  }
  assert.deepEqual(await of('960000.25'), ['-39999.75', '-39999.75', []])
  assert.deepEqual(await of('900000'), ['-100000', '-100000', ['below_net_assets']])
  assert.deepEqual(await of('900000', '<cshNotRptdInCorD>90000</cshNotRptdInCorD>'), ['-100000', '-10000', []])
  assert.deepEqual(await of('1060000'), ['60000', '60000', ['above_total_assets']])
})

test('sums keep every digit, and a percentage that does not fit its value is counted', async () => {
  const value = '123456789012345678901234.123456789012'
  const big = LINE.replace('12000.50', value).replace('<pctVal>1.20005', '<pctVal>N/A')
  const { one } = await read(document({ lines: big + big.replace(value, '-0.000000000012') }))
  assert.equal(one('report').holdings_value, '123456789012345678901234.123456789')
  const { one: of } = await changed(['<pctVal>1.20005', '<pctVal>0.0120005'])
  assert.deepEqual([of('quality').percent_differ, of('quality').notes.includes('percent_differs')], [1, true])
})

test('a report without Part B has a note, and a report without holdings is still a report', async () => {
  const trimmed = await read(document({ fund: '' }))
  assert.deepEqual([trimmed.one('report').net_assets, trimmed.one('quality').notes], [null, ['no_fund_info']])
  const empty = await read(
    document({ lines: '', after: '<signature><n:dateSigned>2024-05-28</n:dateSigned></signature>' }),
  )
  assert.deepEqual([empty.one('report').holding_count, empty.one('report').signed], [0, '2024-05-28'])
})

test('a document is refused if a part that may occur only once is repeated, such as the information on the fund', async () => {
  for (const [second, of] of [
    [GENERAL.replace('Specimen Fund', 'Another'), /genInfo occurs twice/],
    [FUND, /fundInfo occurs twice/],
    [HEADER, /headerData occurs twice/],
  ] as const) {
    await assert.rejects(read(document({ after: second })), of)
  }
})

test('figures of the fund after its holdings, and a header after the first part, are read and reported as problems', async () => {
  const { one, problems } = await read(document({ fund: '', after: FUND }))
  assert.deepEqual(
    [one('report').net_assets, one('report').holding_count, one('quality').notes],
    ['1000000', 1, ['below_net_assets']],
  )
  assert.match(problems[0]!.reason, /after holdings/)
  const late = await read(document({ header: '', after: HEADER }))
  assert.match(late.problems[0]!.reason, /after genInfo/)
})

test('200,000 legs, identifiers or classes in one holding are all read as rows', async () => {
  const swap = `<derivativeInfo><swapDeriv derivCat="SWP">${'<otherPmntDesc fixedOrFloating="Other">x</otherPmntDesc>'.repeat(200_000)}</swapDeriv></derivativeInfo>`
  assert.equal((await changed(['<securityLending>', `${swap}<securityLending>`])).of('leg').length, 200_000)
  const { of } = await changed(['<isin value="US0378331005"/>', '<isin value="US0378331005"/>'.repeat(200_000)])
  assert.equal(of('identifier').length, 199_999)
})

test('reading ends at derivatives that are nested deeper than allowed, and the holdings before them are kept', async () => {
  const nested = (depth: number): string =>
    depth === 0
      ? ''
      : `<othDeriv derivCat="OTH" othDesc="x"><descRefInstrmnt><nestedDerivInfo>${nested(depth - 1)}</nestedDerivInfo></descRefInstrmnt></othDeriv>`
  const deep = (depth: number) =>
    LINE.replace('<securityLending>', `<derivativeInfo>${nested(depth)}</derivativeInfo><securityLending>`)
  assert.equal((await read(document({ lines: deep(30) }))).of('derivative').length, 30)
  const { of, one } = await read(document({ lines: LINE + deep(90) + LINE }))
  assert.equal(of('holding').length, 1)
  assert.match(one('quality').cut_off!, /deep/)
})

test('reports values that Postgres would accept but the form does not: 1E+05, NaN, Infinity, a day of year 0', async () => {
  for (const value of ['1E+05', 'NaN', 'Infinity', '-', '9'.repeat(65), '0x10']) {
    const { one, problems } = await changed(['<balance>100', `<balance>${value}`])
    assert.deepEqual([one('holding').balance, problems.length], [null, 1], value)
  }
  const { one, problems } = await changed(
    ['<balance>100', '<balance>-12000.50'],
    ['<valUSD>12000.50', `<valUSD>-${'9'.repeat(60)}`],
  )
  assert.deepEqual([one('holding').balance, one('holding').value, problems], ['-12000.5', `-${'9'.repeat(60)}`, []])
})

test('reads zeros as no series and small letters as the same series; an invalid series leaves the fund unknown', async () => {
  for (const [filed, fund, series_id] of [
    ['S000000000', '0009000001', null],
    ['s999000001', '0009000001-S999000001', 'S999000001'],
    ['S1', null, null],
  ] as const) {
    const general = GENERAL.replace('S999000001', filed)
    const { one, problems } = await read(document({ general }))
    assert.deepEqual([one('report').fund, one('report').series_id], [fund, series_id], filed)
    assert.equal(problems.length, fund === null ? 1 : 0, filed)
  }
})
