/**
 * Managers from their reports: the list, the filings that it includes, and updates after a change of one filing.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { managers } from '../../../src/datasets/thirteenf/routes.ts'
import { Random } from '../../support/adv/random.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { remake } from '../../support/refreshed.ts'
import { serveSample } from '../../support/served.ts'
import { composedOf } from '../../support/thirteenf/composed.ts'
import type { Filed } from '../../support/thirteenf/made.ts'
import * as made from '../../support/thirteenf/made.ts'
import { thirteenfSample } from '../../support/thirteenf/sample.ts'
import { sample } from '../../support/world.ts'

const { sql } = await freshDatabase({ after })

const loadReports = (...filed: readonly Filed[]) => made.loadReports(sql, ...filed)
const remove = (accession: string) => made.removeReport(sql, accession)

type Page = {
  total: number
  rows: { cik: string; name: string; period: string; value: string; position_count: number }[]
}

const list = (query: Record<string, string> = {}) =>
  managers.run(managers.input.parse(query), testContext(sql)) as Promise<Page>
/** Last digits of the CIKs, in order. */
const order = async (query: Record<string, string> = {}) =>
  (await list(query)).rows.map(({ cik }) => cik.slice(-1)).join('')
const rollup = async () => [...(await sql`select * from thirteenf.filer order by cik`)]

const LISTED: readonly (readonly [name: string, period: string, value: number])[] = [
  ['Zeta Capital', '2023-12-31', 500],
  ['Ångström & Co', '2023-12-31', 9_000],
  ['alpha_one LP', '2023-09-30', 700],
  ['Beta LLC', '2023-06-30', 700],
]

test('managers are sorted by value, by newest quarter or by name, ties by CIK, in pages without a gap', async () => {
  await loadReports(
    ...LISTED.map(([name, period, value], at) => ({
      ...{ accession: `000000000${at + 1}-24-000001`, cik: `000000000${at + 1}`, filed: '2024-02-14' },
      ...{ name, period, lines: [['A00000000', value] as const] },
    })),
  )
  assert.equal(await order(), '2431')
  assert.equal(await order({ dir: 'asc' }), '1342')
  assert.equal(await order({ sort: 'period' }), '2134')
  assert.equal(await order({ sort: 'name', dir: 'asc' }), '3241')
  const pages = await Promise.all([0, 2, 4].map((offset) => list({ limit: '2', offset: String(offset) })))
  assert.deepEqual(
    pages.map(({ total, rows }) => [total, rows.map(({ cik }) => cik.slice(-1)).join('')]),
    [
      [4, '24'],
      [4, '31'],
      [4, ''],
    ],
  )
  assert.equal(managers.input.safeParse({ limit: '101' }).success, false)
  assert.equal(managers.input.safeParse({ sort: 'size' }).success, false)
  const answer = await list()
  assert.deepEqual(managers.output!.safeParse(answer).error?.issues ?? [], [])
})

test('managers are found by words of their names in any spelling and order; % and _ are not wildcards', async () => {
  assert.equal(await order({ q: 'ANGSTROM' }), '2')
  assert.equal(await order({ q: 'co and angstrom' }), '2')
  assert.equal(await order({ q: 'a_one' }), '3')
  assert.equal((await list({ q: 'nobody' })).total, 0)
})

test('a manager that files only notices is not listed; a notice later than the holdings gives the manager’s name', async () => {
  const [cik, silent] = ['0000000011', '0000000012']
  const notice = { form: '13F-NT', filed: '2024-05-14', period: '2024-03-31', lines: null }
  await loadReports(
    { accession: '0000000011-24-000001', cik, filed: '2024-02-14', period: '2023-12-31', lines: [['A00000000', 10]] },
    { ...notice, accession: '0000000011-24-000002', cik, name: 'Renamed Capital' },
    { ...notice, accession: '0000000012-24-000001', cik: silent, name: 'Silent Capital' },
  )
  const { rows } = await list({ q: 'capital', limit: '100' })
  const found = rows.filter(({ cik: of }) => of === cik || of === silent)
  assert.deepEqual(
    found.map(({ name, period, value, position_count }) => [name, period, value, position_count]),
    [['Renamed Capital', '2023-12-31', '10', 1]],
  )
  await remove('0000000011-24-000002')
  assert.equal((await list({ q: 'renamed' })).total, 0)
})

test('after any loads, changes and deletions of filings, the rows equal a full refresh and a composition in memory', async () => {
  const random = new Random(13)
  const filings = new Map<string, Filed>()
  const ciks = ['0000000021', '0000000022', '0000000023', null]
  const anyFiling = (accession: string): Filed => {
    const form = random.pick(['13F-HR', '13F-HR', '13F-HR/A', '13F-HR/A', '13F-NT', '13F-CTR'])
    const hasTable = form.startsWith('13F-HR') && random.chance(0.9)
    const count = random.pick([1, 1, 9])
    return {
      ...{ accession, form, cik: random.pick(ciks), name: random.chance(0.1) ? null : `Specimen ${random.int(1, 5)}` },
      filed: `2023-0${random.int(4, 9)}-1${random.int(0, 3)}`,
      period: random.chance(0.1) ? null : random.pick(['2022-12-31', '2023-03-31']),
      amendment: form === '13F-HR/A' ? random.pick(['restatement', 'new_holdings', null] as const) : null,
      number: form === '13F-HR/A' ? random.int(1, 3) : null,
      lines: hasTable
        ? Array.from({ length: count }, () => {
            const amount = String(random.int(1, 3) * 10)
            return [`C0000000${random.int(0, 9)}`, random.int(1, 40) * 100, { amount }] as const
          })
        : null,
    }
  }
  let replaced = 0
  let rows = 0
  for (let round = 0; round < 150; round++) {
    const accession = `0000000020-23-0000${String(random.int(1, 24)).padStart(2, '0')}`
    if (filings.has(accession) && random.chance(0.4)) {
      filings.delete(accession)
      await remove(accession)
    } else {
      const filing = anyFiling(accession)
      filings.set(accession, filing)
      await loadReports(filing)
    }
    const kept = await rollup()
    const expected = [...Map.groupBy(filings.values(), ({ cik }) => cik)].flatMap(([cik, own]) => {
      const newest = cik === null ? null : newestOf(own)
      if (newest?.steps.some(({ part }) => part === 'replaces_named')) replaced++
      return newest ? [[cik, newest.period, newest.value, newest.position_count]] : []
    })
    rows += expected.length
    const given = kept.filter(({ cik }) => ciks.includes(cik as string))
    assert.deepEqual(
      given.map(({ cik, period, value, position_count }) => [cik, period, value, position_count]),
      expected.sort(([a], [b]) => (a! < b! ? -1 : 1)),
      `round ${round}`,
    )
    await remake(sql, thirteenf)
    assert.deepEqual(await rollup(), kept, `round ${round}`)
  }
  assert.ok(replaced > 5 && rows > 250, `${replaced} quarters with lines replaced, ${rows} rows`)
})

/** Returns the newest quarter with holdings, composed in memory from the filings. */
function newestOf(own: readonly Filed[]) {
  const periods = [...new Set(own.flatMap(({ period }) => period ?? []))].sort().reverse()
  for (const period of periods) {
    const { steps, lines } = composedOf(own.filter((of) => of.period === period))
    if (steps.every(({ part }) => part === 'replaced' || part === 'left_out')) continue
    return { period, steps, position_count: lines.length, value: String(lines.reduce((sum, of) => sum + of.value, 0)) }
  }
  return null
}

test('the committed specimens of the sample are what `node test/support/thirteenf/sample.ts` writes', async () => {
  for (const [file, content] of await thirteenfSample(sample)) {
    assert.equal(await readFile(path.join(sample, file), 'utf8'), content, file)
  }
})

test('the family’s feed has the values of its columns, and every facet finds the filings with its value', async (t) => {
  const served = await serveSample(t)
  const of = async (field: string, op: string, value: string | number) => {
    const filters = encodeURIComponent(JSON.stringify({ field, op, value }))
    const address = `/filings?family=thirteenf&limit=50&filters=${filters}`
    const { rows } = await served.json<{ rows: { accession: string; fam_rows: object[] }[] }>(address)
    return rows
  }
  const [added, ...others] = await of('amendment_type', 'eq', 'new_holdings')
  assert.deepEqual([added!.accession, others], ['9000000053-19-000002', []])
  const { manager_name, period, report_type, position_count } = added!.fam_rows[0] as Record<string, unknown>
  assert.deepEqual(
    [manager_name, period, report_type, position_count],
    ['OpenFilings Specimen Wealth Inc.', '2018-12-31', 'holdings', 2],
  )
  const counts = {
    state: (await of('state', 'eq', 'CO')).length,
    period: (await of('period', 'eq', '2019-09-30')).length,
    report_type: (await of('report_type', 'eq', 'notice')).length,
    position_count: (await of('position_count', 'lte', 6)).length,
    value: (await of('value', 'eq', 11_019_796)).length,
  }
  assert.deepEqual(counts, { state: 7, period: 3, report_type: 1, position_count: 2, value: 1 })
})

test('the sample’s specimens, found by CRD or 801 number, hold the same securities, over five quarters and with amendments', async (t) => {
  const served = await serveSample(t)
  interface Holdings {
    manager: { cik: string }
    positions: { cusip: string; option_value: string; principal: string; value: string }[]
    trend: { period_of_report: string; total_value: string }[]
    total_value: string
  }
  const held = new Map<string, Holdings>()
  for (const crd of ['999000001', '999000003', '999000004']) {
    held.set(crd, await served.json<Holdings>(`/adv/advisers/by-crd/${crd}/holdings-13f`))
  }
  const all = [...held.values()]
  assert.deepEqual(
    all.map(({ manager, trend }) => [manager.cik, trend.length]),
    [
      ['9000000051', 5],
      ['9000000053', 5],
      ['9000000054', 5],
    ],
  )
  const names = all.map(({ positions }) => new Set(positions.map(({ cusip }) => cusip)))
  assert.ok([...names[0]!].every((cusip) => names[1]!.has(cusip) && names[2]!.has(cusip)))
  assert.ok(held.get('999000001')!.positions.some(({ option_value: options }) => options !== '0'))
  assert.ok(held.get('999000004')!.positions.some(({ principal }) => principal !== '0'))
  const chain = async (accession: string) => {
    const answer = await served.json<{
      chain: { part: string; amendment_type: string | null; position_count: number }[]
    }>(`/thirteenf/filings/by-accession/${accession}`)
    return answer.chain.map(({ part, amendment_type: type, position_count }) => [part, type, position_count])
  }
  assert.deepEqual(await chain('9000000051-19-000003'), [
    ['replaced', null, 17],
    ['whole', 'restatement', 17],
  ])
  assert.deepEqual(await chain('9000000053-19-000001'), [
    ['whole', null, 14],
    ['adds', 'new_holdings', 2],
  ])
  const { rows } = await served.json<Page>('/thirteenf/managers?q=specimen&sort=name&dir=asc')
  assert.deepEqual(
    rows.map(({ cik, value }) => [cik, value]),
    [all[0]!, all[2]!, all[1]!].map(({ manager, total_value: value }) => [manager.cik, value]),
  )
  assert.equal((await served.json<Page>('/thirteenf/managers')).total, 10)
  const untrue = await served.sql`
    select accession, notes from thirteenf.quality where accession like '90000000%' and notes <> '{}'`
  assert.deepEqual([...untrue], [])
})
