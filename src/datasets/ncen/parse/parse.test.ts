/** Traps of Form N-CEN, each in the smallest document that has it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MadeReport, readNcen, xmlOf } from '../../../../test/support/ncen/made.ts'

const A = 'S000000001'
const made = (more: Partial<MadeReport> = {}): MadeReport => ({
  ...{ accession: '0000000700-20-000001', filed: '2024-03-10', period: '2023-12-31' },
  funds: [{ series: A }],
  ...more,
})
const read = async (more: Partial<MadeReport> = {}, change = (text: string) => text) => {
  const { rows, problems, unread } = await readNcen(change(xmlOf(made(more))))
  const of = (table: string) => rows.filter(([name]) => name === table).map(([, row]) => row as Record<string, unknown>)
  return { of, problems, unread }
}

test('reads N/A and zeros as a missing CRD number, LEI or file number, without a problem', async () => {
  for (const none of [
    { crd: 'N/A', lei: '00000000000000000000', file: 'N/A' },
    { crd: '000000000', lei: 'N/A', file: '8-000' },
  ]) {
    const { of, problems } = await read({ funds: [{ series: A, advisers: [none] }] })
    const [{ crd, lei, file_number } = {}] = of('adviser')
    assert.deepEqual([crd, lei, file_number], [null, null, null])
    assert.deepEqual(problems, [])
  }
})

test('ten digits in the place of an LEI are an RSSD ID; any other text is null with a problem', async () => {
  const { of } = await read({ funds: [{ series: A, advisers: [{ lei: '0000480228' }] }] })
  assert.deepEqual([of('adviser')[0]!.lei, of('adviser')[0]!.rssd_id], [null, '480228'])
  const bad = await read({ funds: [{ series: A, advisers: [{ lei: 'ABC' }] }] })
  assert.equal(bad.of('adviser')[0]!.lei, null)
  assert.deepEqual(
    bad.problems.map(({ value }) => value),
    ['ABC'],
  )
})

test('a number that a pricing service gives in place of its LEI is stored as its other identifier', async () => {
  const service = (lei: string) => `<pricingServices><pricingService><pricingServiceName>P</pricingServiceName>
    <pricingServiceLei>${lei}</pricingServiceLei></pricingService></pricingServices>`
  const { of, problems } = await read({ funds: [{ series: A, more: service('13-3668779') }] })
  assert.deepEqual([of('provider')[0]!.lei, of('provider')[0]!.other_id], [null, '13-3668779'])
  assert.deepEqual(problems, [])
})

test('258 custodians of one fund are 258 rows, in their order', async () => {
  const one = (n: number) => `<custodian><custodianName>Bank ${n}</custodianName><custodianCountry>FR</custodianCountry>
    <isCustodianAffiliated>N</isCustodianAffiliated><isSubCustodian>Y</isSubCustodian><custodyType>Other</custodyType></custodian>`
  const custodians = Array.from({ length: 258 }, (_, at) => one(at + 1)).join('')
  const { of, unread } = await read({ funds: [{ series: A, more: `<custodians>${custodians}</custodians>` }] })
  assert.deepEqual(
    of('provider').map(({ n, name }) => [n, name]),
    Array.from({ length: 258 }, (_, at) => [at + 1, `Bank ${at + 1}`]),
  )
  assert.deepEqual(unread, [])
})

test('reads the month in which a series ended, in whatever spelling', async () => {
  for (const [written, month] of [
    ['09/2024', '2024-09'],
    ['9/2024', '2024-09'],
    ['09/30/2024', '2024-09'],
    ['2024-09-30', '2024-09'],
    ['N/A', null],
  ] as const) {
    const { of, problems } = await read({ ended: [A] }, (text) => text.replace('"09/2024"', `"${written}"`))
    assert.deepEqual([of('terminated_series')[0]!.fund, of('terminated_series')[0]!.ended], [`0000000700-${A}`, month])
    assert.deepEqual(problems, [])
  }
  const { of, problems } = await read({ ended: [A] }, (text) => text.replace('"09/2024"', '"13/2024"'))
  assert.equal(of('terminated_series')[0]!.ended, null)
  assert.equal(problems.length, 1)
})

test('a day is read if its month has one digit; a day that does not exist is a problem', async () => {
  const { of } = await read({ funds: [{ series: A, advisers: [{ ended: '2024-2-9' }] }] })
  assert.equal(of('adviser')[0]!.ended, '2024-02-09')
  // A day of XML may have a time and a time zone.
  for (const ended of ['2024-02-09-05:00', '2024-02-09Z', '2024-02-09T00:00:00'])
    assert.equal((await read({ funds: [{ series: A, advisers: [{ ended }] }] })).of('adviser')[0]!.ended, '2024-02-09')
  const bad = await read({ funds: [{ series: A, advisers: [{ ended: '2024-02-30' }] }] })
  assert.equal(bad.of('adviser')[0]!.ended, null)
  assert.equal(bad.problems.length, 1)
})

test('a registrant without part C is stored as a fund itself, and as an exchange-traded fund if it answers part E', async () => {
  const part =
    '<exchangeSeriesInfo><exchangeTradedFund><fundName>Made</fundName></exchangeTradedFund></exchangeSeriesInfo>'
  const { of } = await read({ funds: [], classification: 'S-6', more: part })
  assert.deepEqual(
    of('fund').map(({ fund, series_id, is_etf, is_money_market }) => [fund, series_id, is_etf, is_money_market]),
    [['0000000700', null, true, null]],
  )
  assert.equal((await read({ funds: [], classification: 'N-4' })).of('fund')[0]!.is_etf, false)
})

test('a kind of fund that the form does not have is kept as text, with a problem', async () => {
  const { of, problems } = await read({ funds: [{ series: A, types: ['Money Market Fund', 'Moon Fund'] }] })
  assert.deepEqual(
    [of('fund')[0]!.fund_types, of('fund')[0]!.is_money_market],
    [['Money Market Fund', 'Moon Fund'], true],
  )
  assert.deepEqual(
    problems.map(({ value }) => value),
    ['Moon Fund'],
  )
})

test('if a question has both Yes and No, the answer with details counts, and a problem is reported', async () => {
  const both = '<isForeignSubsidiary>N</isForeignSubsidiary><foreignInvestments isForeignSubsidiary="Y"/>'
  const { of, problems } = await read({ funds: [{ series: A, more: both }] })
  assert.equal(of('fund')[0]!.has_foreign_subsidiary, true)
  assert.equal(problems.length, 1)
})

test('if the form has another CIK than the filer’s, the filer’s counts, with a problem', async () => {
  const { of, problems } = await read({}, (text) =>
    text.replace('<registrantCik>0000000700', '<registrantCik>0000000701'),
  )
  assert.deepEqual([of('report')[0]!.cik, of('fund')[0]!.fund], ['0000000700', `0000000700-${A}`])
  assert.equal(problems.length, 1)
})

test('reports an unknown part of the form as unread, wherever it stands', async () => {
  const { unread } = await read({
    more: '<newPart><leaf>x</leaf></newPart>',
    funds: [{ series: A, more: '<newLeaf>y</newLeaf>' }],
  })
  assert.deepEqual(unread.map((at) => at.split('/').at(-1)).sort(), ['leaf', 'newLeaf'])
})

test('another form is refused, and so is a report without its registrant; the error names the fault', async () => {
  await assert.rejects(
    read({}, (text) => text.replace('>N-CEN<', '>N-PORT<')),
    /not a Form N-CEN/,
  )
  await assert.rejects(
    read({}, (text) => text.replace(/<registrantInfo>[\s\S]*<\/registrantInfo>/, '')),
    /registrantInfo is missing/,
  )
})

test('reads zeros as no series and small letters as the same series; an invalid series leaves the fund unknown', async () => {
  for (const [filed, fund, series_id] of [
    ['S000000000', '0000000700', null],
    ['s000000001', '0000000700-S000000001', 'S000000001'],
    ['S1', null, null],
  ] as const) {
    const { of, problems } = await read({ funds: [{ series: filed }] })
    assert.deepEqual([of('fund')[0]!.fund, of('fund')[0]!.series_id], [fund, series_id], filed)
    assert.equal(problems.length, fund === null ? 1 : 0, filed)
  }
})

test('a file number of thousands of characters, which an index would refuse, is null with a problem', async () => {
  const { of, problems } = await read({ fileNumber: '8'.repeat(5_000) })
  assert.deepEqual([of('report')[0]!.file_number, problems[0]?.reason], [null, 'is longer than any file number'])
})
