/** Routes of Form N-CEN on rows as the loader stores them: a report with pages of funds, providers, a registrant. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { ProviderPage, Registrant } from '../../../src/datasets/ncen/answers.ts'
import type { Detail } from '../../../src/datasets/ncen/queries.ts'
import { detail, providers, registrant } from '../../../src/datasets/ncen/routes.ts'
import type { Route } from '../../../src/declare/route.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadReports } from '../../support/ncen/made.ts'

const { sql } = await freshDatabase({ after })
const accession = '0000000700-20-000001'
const other = '0000000700-20-000002'

async function ask<T>(route: Route, query: Record<string, string>): Promise<T> {
  const answer = await route.run(route.input.parse(query) as Record<string, unknown>, testContext(sql))
  if (answer !== null) assert.deepEqual(route.output!.safeParse(answer).error?.issues ?? [], [])
  return answer as T
}

test('an unknown report is a 404 that says that no report is loaded', async () => {
  await assert.rejects(ask(detail, { accession }), /no reports on Form N-CEN have been loaded/)
  await assert.rejects(ask(registrant, { cik: '700' }), /no reports on Form N-CEN have been loaded/)
})

test('funds come in pages, each with its own data; a cursor of another filing is refused', async () => {
  const broker = (n: number) =>
    `<brokers>${`<broker><brokerName>Broker ${n}</brokerName></broker>`.repeat(2)}</brokers>`
  const funds = [1, 2, 3].map((n) => ({
    series: `S00000000${n}`,
    advisers: [{ name: `Adviser ${n}` }],
    more: broker(n),
  }))
  await loadReports(sql, [
    { accession: other, filed: '2023-03-10', period: '2022-12-31', funds: funds.slice(0, 1) },
    { accession, filed: '2024-03-10', period: '2023-12-31', funds },
  ])
  const first = await ask<Detail>(detail, { accession, limit: '2' })
  assert.deepEqual(
    first.funds.map((one) => [
      one.series_id,
      one.is_counted,
      one.advisers.map(({ name }) => name),
      one.provider_counts,
    ]),
    [1, 2].map((n) => [`S00000000${n}`, true, [`Adviser ${n}`], { broker: 2 }]),
  )
  assert.equal(first.fund_count, 3)
  assert.deepEqual(
    first.other_filings.map((one) => one.accession),
    [other],
  )
  const cursor = first.next_cursor!
  const second = await ask<Detail>(detail, { accession, limit: '2', cursor })
  assert.deepEqual([second.funds.map(({ series_id }) => series_id), second.next_cursor], [['S000000003'], null])
  await assert.rejects(ask(detail, { accession: other, cursor }), /cursor: not a next_cursor of this filing/)
})

test('providers can be filtered by role and fund, and come in pages', async () => {
  const page = await ask<ProviderPage>(providers, { accession, role: 'broker', limit: '4' })
  assert.deepEqual([page.total, page.rows.length], [6, 4])
  const rest = await ask<ProviderPage>(providers, { accession, role: 'broker', limit: '4', cursor: page.next_cursor! })
  assert.deepEqual(
    [rest.total, rest.rows.map(({ name }) => name), rest.next_cursor],
    [6, ['Broker 3', 'Broker 3'], null],
  )
  const fund = '0000000700-S000000002'
  // Lines of a filing are numbered across its lists, so the page of another list would begin in the middle.
  const ofDetail = (await ask<Detail>(detail, { accession, limit: '2' })).next_cursor!
  for (const other of [{ cursor: ofDetail }, { cursor: page.next_cursor!, fund }, { cursor: page.next_cursor! }])
    await assert.rejects(ask(providers, { accession, ...other }), /cursor: not a next_cursor of this filing/)
  await assert.rejects(
    ask(detail, { accession, cursor: page.next_cursor! }),
    /cursor: not a next_cursor of this filing/,
  )
  const own = await ask<ProviderPage>(providers, { accession, fund })
  assert.deepEqual(
    own.rows.map((one) => [one.fund, one.name]),
    [1, 2].map(() => [fund, 'Broker 2']),
  )
  assert.equal((await ask<ProviderPage>(providers, { accession, role: 'custodian' })).total, 0)
})

test('a registrant is shown by its newest report, and each fund by the report that counts for this fund', async () => {
  const found = await ask<Registrant>(registrant, { cik: '700' })
  assert.deepEqual([found.accession, found.fund_count], [accession, 3])
  assert.deepEqual(
    found.funds.map(({ series_id, period, advisers }) => [series_id, period, advisers]),
    [...[1, 2, 3].map((n) => [`S00000000${n}`, '2023-12-31', [`Adviser ${n}`]])],
  )
  await sql`update edgar.coverage set extracted = 1`
  assert.equal(await ask(registrant, { cik: '701' }), null)
})

test('a registrant and its funds are shown by the same report, also if another report has an impossible period', async () => {
  const report = (n: number, filed: string, period: string) => ({
    ...{ accession: `0000000710-24-00000${n}`, cik: '0000000710', filed, period, name: `Name of ${filed}` },
    funds: [{ series: 'S000000011' }],
  })
  await loadReports(sql, [
    report(1, '2025-01-20', '2024-12-31'),
    // The period of this report counts as ended 75 days before the filing, on 2024-12-26.
    report(2, '2025-03-11', '2042-12-31'),
  ])
  const found = await ask<Registrant>(registrant, { cik: '710' })
  assert.deepEqual([found.accession, found.registrant_name], [found.funds[0]!.accession, 'Name of 2025-01-20'])
})
