/** The N-CEN report that counts for a fund, and funds that have ended. */
import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import ncen from '../../../src/datasets/ncen/index.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadReports, type MadeFund, type MadeReport } from '../../support/ncen/made.ts'
import { changing, remake } from '../../support/refreshed.ts'

const { sql } = await freshDatabase({ after })
const A = 'S000000001'
const B = 'S000000002'

beforeEach(async () => {
  for (const { id } of [...Object.values(ncen.tables), ...Object.values(ncen.rollups)])
    await sql`delete from ${sql(id)}`
  await sql`delete from edgar.filer`
  await sql`delete from edgar.filing`
})

const fund = (series: string, more: Partial<MadeFund> = {}): MadeFund => ({ series, assets: '100', ...more })
const report = (
  n: number,
  filed: string,
  period: string,
  funds: readonly MadeFund[],
  more: Partial<MadeReport> = {},
) => ({
  ...{ accession: `0000000700-20-00000${n}`, filed, period, funds },
  ...more,
})

const standing = async () => {
  const rows = await sql<
    { fund: string; period: string; accession: string; is_newest: boolean; ended_by: string | null }[]
  >`
    select fund, period, accession, is_newest, ended_by from ncen.standing order by fund, period`
  return rows.map(
    (row) =>
      `${row.fund.slice(-1)} ${row.period} ${row.accession.at(-1)}${row.is_newest ? ' newest' : ''}${row.ended_by ? ` ${row.ended_by}` : ''}`,
  )
}

test('the last filed report of a period counts (ties by accession), and a late amendment of an older period does not replace a newer period', async () => {
  await loadReports(sql, [
    report(1, '2023-03-10', '2022-12-31', [fund(A)]),
    report(2, '2024-03-10', '2023-12-31', [fund(A)]),
    report(4, '2024-03-20', '2023-12-31', [fund(A)], { form: 'N-CEN/A' }),
    report(3, '2024-03-20', '2023-12-31', [fund(A)], { form: 'N-CEN/A' }),
    report(5, '2024-06-01', '2022-12-31', [fund(A)], { form: 'N-CEN/A' }),
  ])
  assert.deepEqual(await standing(), ['1 2022-12-31 5', '1 2023-12-31 4 newest'])
})

test('if the series of a trust have different fiscal years, each fund has its own newest report', async () => {
  await loadReports(sql, [
    report(1, '2024-01-10', '2023-10-31', [fund(A)]),
    report(2, '2024-03-10', '2023-12-31', [fund(B)]),
  ])
  assert.deepEqual(await standing(), ['1 2023-10-31 1 newest', '2 2023-12-31 2 newest'])
})

test('an amendment about some series leaves the other series with the previous report', async () => {
  await loadReports(sql, [
    report(1, '2024-03-10', '2023-12-31', [fund(A), fund(B)]),
    report(2, '2024-05-10', '2023-12-31', [fund(B)], { form: 'N-CEN/A' }),
  ])
  assert.deepEqual(await standing(), ['1 2023-12-31 1 newest', '2 2023-12-31 2 newest'])
})

test('a series is over if its registrant says so, if the registrant has made its last filing, or if a later report lacks the series', async () => {
  await loadReports(sql, [
    report(1, '2024-03-10', '2023-12-31', [fund(A), fund(B)]),
    report(2, '2025-03-10', '2024-12-31', [fund(B)], { ended: [A] }),
  ])
  assert.deepEqual(await standing(), ['1 2023-12-31 1 newest terminated', '2 2023-12-31 1', '2 2024-12-31 2 newest'])
  await loadReports(sql, [report(3, '2025-05-10', '2024-12-31', [fund(B)], { form: 'N-CEN/A' })])
  assert.equal(
    (await standing())[0],
    '1 2023-12-31 1 newest missing',
    'the amendment takes the end back, and has no fund A',
  )
  await loadReports(sql, [report(4, '2026-03-10', '2025-12-31', [fund(B)], { last: true })])
  assert.equal((await standing()).at(-1), '2 2025-12-31 4 newest last_filing')
})

test('a fund is over if a later report lacks it, and stays over after an amendment of the older report', async () => {
  await loadReports(sql, [
    report(1, '2024-03-10', '2023-12-31', [fund(A), fund(B)]),
    report(2, '2025-03-10', '2024-12-31', [fund(B)]),
    report(3, '2025-05-10', '2023-12-31', [fund(A), fund(B)], { form: 'N-CEN/A' }),
  ])
  assert.deepEqual(await standing(), ['1 2023-12-31 3 newest missing', '2 2023-12-31 3', '2 2024-12-31 2 newest'])
})

test('a fund is not over merely because its registrant reported series of another fiscal year', async () => {
  await loadReports(sql, [
    report(1, '2024-01-10', '2023-10-31', [fund(A)]),
    report(2, '2024-09-10', '2024-06-30', [fund(B)]),
  ])
  assert.deepEqual(await standing(), ['1 2023-10-31 1 newest', '2 2024-06-30 2 newest'])
  await loadReports(sql, [report(3, '2025-09-10', '2025-06-30', [fund(B)])])
  assert.equal((await standing())[0], '1 2023-10-31 1 newest missing', 'its own report is overdue by half a year')
})

test('a period that ends after its filing date is an error and does not hide other reports', async () => {
  await loadReports(sql, [
    report(1, '2024-03-10', '2032-12-31', [fund(A)]),
    report(2, '2025-03-10', '2024-12-31', [fund(A)]),
  ])
  assert.deepEqual(await standing(), ['1 2024-12-31 2 newest', '1 2032-12-31 1'])
})

test('removing a filing makes the previous report count again, as a full rebuild does', async () => {
  await loadReports(sql, [
    report(1, '2024-03-10', '2023-12-31', [fund(A)]),
    report(2, '2025-03-10', '2024-12-31', [fund(A)]),
  ])
  const key = '0000000700-20-000002'
  await changing(sql, ncen, { keys: [key] }, async (tx) => {
    for (const { id } of Object.values(ncen.tables)) await tx`delete from ${tx(id)} where accession = ${key}`
  })
  const left = await standing()
  assert.deepEqual(left, ['1 2023-12-31 1 newest'])
  await remake(sql, ncen)
  assert.deepEqual(await standing(), left)
})

test('a closed-end fund without series is identified by the CIK of its registrant', async () => {
  await loadReports(sql, [
    report(1, '2024-03-10', '2023-12-31', [{ name: 'Made Fund', assets: '5' }], { classification: 'N-2' }),
  ])
  const [row] = await sql`select fund, series_id, name, classification, monthly_avg_net_assets from pub.ncen_fund`
  assert.deepEqual(row, {
    ...{ fund: '0000000700', series_id: null, name: 'Made Fund', classification: 'N-2', monthly_avg_net_assets: '5' },
  })
})
