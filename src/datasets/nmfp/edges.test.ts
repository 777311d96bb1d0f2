/** Form N-MFP: values at the limits of its schemas. Each is read exactly, or is null with a reason. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse as parseXml } from '../../read/xml.ts'
import type { Row, RowOf } from './parse/values.ts'
import { documentRows } from './parse.ts'

const HEADER = { form: 'N-MFP3', cik: '0000000071', name: 'Specimen Trust', period: '2025-06-30' }
const GENERAL = '<reportDate>2025-06-30</reportDate><cik>71</cik><seriesId>S000000071</seriesId>'

function read({ general = GENERAL, series = '', rest = '' }) {
  const doc = parseXml(
    `<edgarSubmission><headerData><submissionType>N-MFP3</submissionType></headerData><formData><generalInfo>${general}</generalInfo><seriesLevelInfo>${series}</seriesLevelInfo>${rest}</formData></edgarSubmission>`,
  )
  const rows = [...documentRows(doc, HEADER)]
  const of = <K extends Row[0]>(table: K) => rows.filter(([key]) => key === table).map(([, row]) => row) as RowOf<K>[]
  return {
    of,
    report: of('report')[0]!,
    unread: doc.unread(),
    problems: doc.problems().map(({ path, value }) => [path.split('/').at(-1), value]),
  }
}

const security = (leaves: string) =>
  read({ rest: `<scheduleOfPortfolioSecuritiesInfo>${leaves}</scheduleOfPortfolioSecuritiesInfo>` })

test('a CUSIP in small letters is kept as filed, and identifies the same security as in capitals', () => {
  const { of } = security('<nameOfIssuer>Aurora</nameOfIssuer><CUSIPMember>05252t001</CUSIPMember>')
  const upper = security('<nameOfIssuer>Aurora</nameOfIssuer><CUSIPMember>05252T001</CUSIPMember>')
  assert.deepEqual([of('holding')[0]!.cusip, of('holding')[0]!.sec_id], ['05252t001', upper.of('holding')[0]!.sec_id])
})

test('an empty security, an empty class and an empty day are not rows', () => {
  const { of, report, problems } = read({
    series:
      '<liquidAssetsDetails/><dailyNetAssetValuePerShareSeries> </dailyNetAssetValuePerShareSeries><sevenDayGrossYield/>',
    rest: '<classLevelInfo/><scheduleOfPortfolioSecuritiesInfo/>',
  })
  assert.deepEqual(
    (['holding', 'share_class', 'liquidity', 'nav', 'seven_day_yield'] as const).map((table) => of(table).length),
    [0, 0, 0, 0, 0],
  )
  assert.deepEqual([report.holding_count, report.read_class_count, problems], [0, 0, []])
})

test('an empty support, an empty rating and an empty collateral are not rows', () => {
  const { of } = security(
    `<nameOfIssuer>A</nameOfIssuer><assigningNRSRORating/><demandFeature/><guarantor><guarantorRatingOrNRSRO/></guarantor>
     <repurchaseAgreement><collateralIssuers/></repurchaseAgreement>`,
  )
  assert.deepEqual([of('rating').length, of('support').length, of('collateral').length], [0, 0, 0])
})

test('amounts and ratios with exponents and signs are exact', () => {
  const { of, problems } = security(
    '<yieldOfTheSecurityAsOfReportingDate>5.0065137e-05</yieldOfTheSecurityAsOfReportingDate><includingValueOfAnySponsorSupport>-1.5E1</includingValueOfAnySponsorSupport><percentageOfMoneyMarketFundNetAssets>.0100</percentageOfMoneyMarketFundNetAssets>',
  )
  const { yield: yielded, value, net_assets_ratio } = of('holding')[0]!
  assert.deepEqual([yielded, value, net_assets_ratio, problems], ['0.000050065137', '-15', '0.01', []])
})

test('the day 0001-01-01 is null and reported, and a day with a time zone is read without it', () => {
  const { of, problems } = security(
    '<investmentMaturityDateWAM>0001-01-01</investmentMaturityDateWAM><investmentMaturityDateWAL>2025-07-01-05:00</investmentMaturityDateWAL>',
  )
  const { maturity, life_maturity } = of('holding')[0]!
  assert.deepEqual(
    [maturity, life_maturity, problems],
    [null, '2025-07-01', [['investmentMaturityDateWAM', '0001-01-01']]],
  )
})

test('a number of days with decimals, and a box that is neither true nor false, are null and reported', () => {
  const { report, problems } = read({
    series: '<averagePortfolioMaturity>30.5</averagePortfolioMaturity><feederFundFlag>perhaps</feederFundFlag>',
  })
  assert.deepEqual([report.average_maturity, report.is_feeder], [null, null])
  assert.deepEqual(problems.map(([, value]) => value).sort(), ['30.5', 'perhaps'])
})

test('a series in small letters is the same fund; another text is null, reported, and leaves the fund unknown', () => {
  const small = read({ general: GENERAL.replace('S000000071', 's000000071') })
  assert.equal(small.report.fund, '0000000071-S000000071')
  const other = read({ general: GENERAL.replace('S000000071', 'S71') })
  assert.deepEqual([other.report.fund, other.problems], [null, [['seriesId', 'S71']]])
})

test('an unknown element of a security and of the series is unread', () => {
  assert.deepEqual(security('<nameOfIssuer>A</nameOfIssuer><isToken>Y</isToken>').unread, [
    '/edgarSubmission/formData/scheduleOfPortfolioSecuritiesInfo/isToken',
  ])
  assert.deepEqual(read({ series: '<cash>1</cash><cashInEscrow>2</cashInEscrow>' }).unread, [
    '/edgarSubmission/formData/seriesLevelInfo/cashInEscrow',
  ])
})
