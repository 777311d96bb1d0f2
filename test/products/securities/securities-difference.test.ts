/**
 * Sums to which a refresh adds only the difference that a report makes equal the sums over all lines, whatever was
 * loaded in between.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import securities from '../../../src/products/securities/index.ts'
import type { Sql, Transaction } from '../../../src/store/db.ts'
import { within } from '../../../src/store/path.ts'
import { Random } from '../../support/adv/random.ts'
import { freshDatabase } from '../../support/database.ts'
import { remake } from '../../support/refreshed.ts'
import { loadManagers, remove, stored } from '../../support/securities-made.ts'
import { often } from '../../support/soak.ts'
import type { Filed, FiledLine } from '../../support/thirteenf/made.ts'

const { sql } = await freshDatabase({ after })

const STEPS = often('differences of securities', { usual: 60, soak: 1_500 })
const CUSIPS = ['037833100', '67066G104', '594918104', '88160R101', '345370860', '023135106']
const NAMES = ['SPECIMEN INC', 'SPECIMEN INCORPORATED', 'SPECIMEN CORP']
const QUARTERS = ['2023-06-30', '2023-09-30', '2023-12-31', '2024-03-31']
/**
 * Filing days. The first is before the end of the last quarter, so a report about this quarter on that day is an error.
 */
const DAYS = ['2024-03-15', '2024-05-15', '2024-05-16', '2024-06-10']

/** Returns the rows of a computation from all lines, and leaves the stored rows unchanged. */
async function made(of: Sql): Promise<{ rows: Record<string, readonly unknown[]>; leads: Leads }> {
  let found: Awaited<ReturnType<typeof made>> | undefined
  await assert.rejects(
    of.begin(async (tx) => {
      await within(tx, 'securities', () => securities.refresh.make(tx, null))
      // The code below uses only members of a pool that a transaction has too.
      const own = tx as unknown as Sql
      found = { rows: await stored(own), leads: await leadsOf(own) }
      throw new Error('keeps the rows')
    }),
    /keeps the rows/,
  )
  return found!
}

type Leads = Map<string, number>
const leadsOf = async (of: Sql): Promise<Leads> =>
  new Map(
    (
      await of<{ sec_id: string; quarter: string; lead: number }[]>`select sec_id, quarter, lead from securities.tally`
    ).map(({ sec_id, quarter, lead }) => [`${sec_id} ${quarter}`, lead]),
  )

/**
 * Asserts that the stored rows equal those that are computed from all lines. Each stored lead may be at most the
 * computed lead.
 */
async function compare(of: Sql, where = ''): Promise<void> {
  const { rows, leads } = await made(of)
  assert.deepEqual(await stored(of), rows, where)
  for (const [key, lead] of await leadsOf(of)) assert.ok(lead >= 0 && lead <= leads.get(key)!, `${where}: ${key}`)
}

/** A report with random lines: shares, principal, options, unknown amounts and values, and CUSIPs in small letters. */
function reportOf(random: Random, accession: string): Filed {
  const form = random.pick(['13F-HR', '13F-HR', '13F-HR', '13F-HR/A', '13F-HR/A', '13F-NT'])
  const lines = Array.from({ length: random.int(1, 9) }, (): FiledLine => {
    const cusip = random.pick(CUSIPS)
    const kind = random.chance(0.2) ? { putCall: 'Put' } : random.chance(0.1) ? { kind: 'PRN' as const } : {}
    const amount = random.chance(0.05) ? null : String(random.int(0, 3) * 10)
    const issuer = random.pick(NAMES)
    return [random.chance(0.2) ? cusip.toLowerCase() : cusip, random.int(0, 9) * 100, { amount, issuer, ...kind }]
  })
  return {
    ...{ accession, form, cik: `000000003${random.int(1, 5)}`, filed: random.pick(DAYS) },
    // If a manager reports two periods of a quarter, the later one counts.
    period: random.chance(0.1) ? '2023-12-30' : random.pick(QUARTERS),
    amendment: form === '13F-HR/A' ? random.pick(['restatement', 'new_holdings', null] as const) : null,
    number: form === '13F-HR/A' ? random.int(1, 3) : null,
    lines: form === '13F-NT' ? null : lines,
  }
}

test('over random reports, amendments, reports that are read again, slips and withdrawals, the stored rows equal those computed from all lines', async () => {
  const random = new Random(51)
  const filed = new Set<string>()
  for (let step = 0; step < STEPS; step++) {
    const reports = Array.from({ length: step === 0 ? 20 : random.pick([1, 1, 1, 3]) }, () =>
      reportOf(random, `0000000031-24-0000${random.int(10, 49)}`),
    )
    if (filed.size > 0 && random.chance(0.2)) {
      const gone = random.pick([...filed])
      filed.delete(gone)
      await remove(sql, 'thirteenf', gone)
    } else {
      const own = [...new Map(reports.map((report) => [report.accession, report])).values()]
      for (const { accession } of own) filed.add(accession)
      await loadManagers(sql, ...own)
    }
    if (step % 4 === 0) await compare(sql, `step ${step}`)
  }
  await compare(sql)
})

const [Q3, Q4] = ['2023-09-30', '2023-12-31']
const report = (manager: number, period: string, lines: Filed['lines'], more: Partial<Filed> = {}): Filed => ({
  ...{ cik: String(9_000_000_000 + manager), period, lines, filed: period === Q3 ? '2023-11-14' : '2024-02-14' },
  accession: `${9_000_000_000 + manager}-${period === Q3 ? '23' : '24'}-000001`,
  ...more,
})
const line = (cusip: string, issuer = NAMES[0]!, amount = 10): FiledLine => [
  cusip,
  amount * 10,
  { issuer, amount: String(amount) },
]
const [APPLE, NVIDIA] = CUSIPS as [string, string]
const heldOf = async (of: Sql, cusip = APPLE) =>
  (
    await of`
      select holders, value, shares, newest_holders, issuer_name, filed_as from securities.held
      where sec_id = ${cusip} and quarter = ${Q4}`
  ).map((row) => ({ ...row }))

test('the first reports of a quarter give the rows of all lines, in whichever order the quarters are loaded', async (t) => {
  const Q1 = '2024-03-31'
  for (const quarters of [
    [Q3, Q4, Q1],
    [Q1, Q4, Q3],
    [Q3, Q1, Q4],
    [Q4, Q3, Q1],
  ]) {
    const { sql } = await freshDatabase(t)
    for (const [at, period] of quarters.entries()) {
      for (const manager of [0, 1]) {
        const lines = [line(APPLE, NAMES[0], 10 * (at + 1)), line(CUSIPS[1 + ((at + manager) % 3)]!)]
        const accession = `900000000${manager}-24-00000${at + 1}`
        await loadManagers(sql, report(manager, period, lines, { accession, filed: '2024-05-15' }))
        await compare(sql, `${quarters}: ${manager} about ${period}`)
      }
    }
  }
})

test('if most lines have another name after an addition, the security gets this name', async (t) => {
  const { sql } = await freshDatabase(t)
  const names = ['SPECIMEN INC', 'SPECIMEN INC', 'SPECIMEN CORP']
  await loadManagers(sql, ...names.map((name, at) => report(at, Q4, [line(APPLE, name)])))
  const nameOf = async () => (await heldOf(sql))[0]!.issuer_name
  assert.equal(await nameOf(), 'SPECIMEN INC')
  await loadManagers(sql, report(10, Q4, [line(APPLE, 'SPECIMEN CORP')]))
  await compare(sql)
  await loadManagers(sql, report(11, Q4, [line(APPLE, 'SPECIMEN CORP')]))
  assert.equal(await nameOf(), 'SPECIMEN CORP')
  await compare(sql)
})

test('a spelling that no line has any more is no longer listed', async (t) => {
  const { sql } = await freshDatabase(t)
  const lower = NVIDIA.toLowerCase()
  await loadManagers(sql, ...[0, 1, 2].map((at) => report(at, Q4, [line(at === 2 ? lower : NVIDIA)])))
  assert.deepEqual((await heldOf(sql, NVIDIA))[0]!.filed_as, [NVIDIA, lower])
  const restated = { accession: '9000000002-24-000002', form: '13F-HR/A', amendment: 'restatement', number: 1 } as const
  await loadManagers(sql, report(2, Q4, [line(NVIDIA)], { ...restated, filed: '2024-02-20' }))
  assert.deepEqual((await heldOf(sql, NVIDIA))[0]!.filed_as, [NVIDIA])
  await compare(sql)
})

test('if a security has no line any more, its row and its purchases are removed', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadManagers(sql, report(1, Q3, [line(APPLE)]), report(1, Q4, [line(APPLE), line(NVIDIA)]))
  assert.equal((await sql`select from securities.flow where sec_id = ${NVIDIA}`).length, 1)
  const restated = { accession: '9000000001-24-000002', form: '13F-HR/A', amendment: 'restatement', number: 1 } as const
  await loadManagers(sql, report(1, Q4, [line(APPLE)], { ...restated, filed: '2024-02-20' }))
  assert.deepEqual(await heldOf(sql, NVIDIA), [])
  assert.equal((await sql`select from securities.flow`).length, 0)
  await compare(sql)
})

/** Refreshes the report of a manager, even if it is not marked as changed. */
const refresh = (of: Sql, manager: number, kind = 'of') =>
  remake(of, securities, [`f13 ${kind} ${9_000_000_000 + manager} ${Q4}`])

test('if a stored count is too small for a subtraction, the security is computed from all lines', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadManagers(
    sql,
    ...[0, 1, 2].flatMap((at) => [report(at, Q3, [line(APPLE)]), report(at, Q4, [line(APPLE, NAMES[0], 20)])]),
  )
  await sql`update securities.held set holders = 0 where quarter = ${Q4}`
  await sql`update securities.flow set buyer_count = 0, bought = 0`
  const restated = { accession: '9000000002-24-000002', form: '13F-HR/A', amendment: 'restatement', number: 1 } as const
  await loadManagers(sql, report(2, Q4, [line(NVIDIA)], { ...restated, filed: '2024-02-20' }))
  await compare(sql)
})

test('if the scale of a report is corrected, its securities are computed from all lines', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadManagers(sql, ...[0, 1, 2].map((at) => report(at, Q4, [line(APPLE)])))
  await sql`update thirteenf.counted set scale = 1000 where cik = '9000000001'`
  await refresh(sql, 1)
  assert.equal((await heldOf(sql))[0]!.value, '100200')
  await compare(sql)
})

test('a report that another process composed during a refresh is not added a second time', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadManagers(sql, ...[0, 1, 2].map((at) => report(at, Q4, [line(APPLE)])))
  const hide = (tx: Transaction | Sql, until: string | null) =>
    tx`update thirteenf.counted set until = ${until}, is_newest = ${until === null} where cik = '9000000001'`
  await hide(sql, '2024-02-15')
  await refresh(sql, 1)
  assert.equal((await heldOf(sql))[0]!.holders, 2)
  await hide(sql, null)
  // The refresh of another report computes the security from all lines, so the sums have the report before its own
  // refresh.
  await refresh(sql, 0, 'replaced')
  assert.equal((await heldOf(sql))[0]!.holders, 3)
  await refresh(sql, 1)
  assert.equal((await heldOf(sql))[0]!.holders, 3)
  await compare(sql)
})

test('if the loaded reports are a large part of their quarter, sums are computed from all lines; later reports are added to the sums', async (t) => {
  const { sql } = await freshDatabase(t)
  const managers = Array.from({ length: 80 }, (_, at) => at)
  for (const period of [Q3, Q4])
    await loadManagers(sql, ...managers.map((at) => report(at, period, [line(APPLE), line(NVIDIA)])))
  await compare(sql)
  await loadManagers(sql, report(90, Q4, [line(APPLE)]))
  assert.equal((await heldOf(sql))[0]!.holders, 81)
  await compare(sql)
})
