/**
 * Divides keys of the refresh whose rows the database refuses: everything into quarters, and a quarter or a report into
 * its securities. The holder of a divided report gets a key for its holdings alone. Otherwise one security that the
 * database refuses would keep every report with this security from being stored. This key, `f13 alone 0001067983
 * 2024-09-30,2024-12-31`, names the quarters whose sums the keys of securities make.
 */
import { quarterAfter, quarterBefore } from '../../../declare/quarter.ts'
import type { Fragment, Transaction } from '../../../store/db.ts'
import { quartersOf } from '../quarters.ts'
import { type Report, SOURCES, type Source } from '../sources.ts'
import { HELD } from './held.ts'

/** Relation (id, quarter): the reports of the quarter, also those that are no longer used but still have rows. */
const reportsIn = (tx: Transaction, source: Source, quarter: string): Fragment =>
  source === 'f13'
    ? tx`(
      select cik as id, quarter from pub.thirteenf_composed where quarter = ${quarter}
      union select cik, quarter from summed where quarter = ${quarter}
      union select holder, quarter from holder where source = 'f13' and quarter = ${quarter})`
    : tx`(
      select fund as id, quarter from ${tx.unsafe(`pub.${source}_standing`)} where quarter = ${quarter}
      union select holder, quarter from holder where source = ${source} and quarter = ${quarter})`

async function inQuarter(tx: Transaction, source: Source, quarter: string) {
  const reports = await tx<Report[]>`select id, quarter from ${reportsIn(tx, source, quarter)} r order by id`
  const securities = await tx<Report[]>`
    select sec_id as id, quarter from ${HELD[source].securitiesOf(tx, reports)} l where sec_id is not null
    union select sec_id, quarter from held where source = ${source} and quarter = ${quarter}
    ${source === 'f13' ? tx`union select sec_id, quarter from flow where quarter = ${quarter}` : tx``}`
  return { reports, securities }
}

/**
 * Returns what a report affects: the quarters that were or are the newest of its holder, and the securities of all
 * these quarters. Purchases and sales are also compared with the quarters before and after.
 */
async function ofReport(tx: Transaction, source: Source, { id, quarter }: Report) {
  const from = HELD[source]
  const newest = await tx<{ quarter: string }[]>`
    select quarter from holder where source = ${source} and holder = ${id}
    union select quarter from ${from.newest(tx, [id])} n`
  const reports = [...new Set([quarter, ...newest.map((row) => row.quarter)])].map((q) => ({ id, quarter: q }))
  const securities: Report[] = []
  for (const report of reports) {
    const { quarter: q } = report
    const read =
      source === 'f13' ? [quarterBefore(q), q, quarterAfter(q)].map((near) => ({ id, quarter: near })) : [report]
    const rows = await tx<{ id: string }[]>`
      select distinct sec_id as id from ${from.securitiesOf(tx, read)} l where sec_id is not null`
    securities.push(...rows.map((row) => ({ id: row.id, quarter: q })))
  }
  return { reports: [{ id, quarter: reports.map((report) => report.quarter).join() }], securities }
}

const keysOf = (source: Source, kind: string, of: readonly Report[]) =>
  of.map(({ id, quarter }) => `${source} ${kind} ${id} ${quarter}`)

/** Divides a key into keys of its parts; this is `divide` of the refresh. */
export async function divide(tx: Transaction, key: string | null): Promise<readonly string[]> {
  if (key === null) return everyQuarter(tx)
  const [source, kind, id, quarter] = key.split(' ') as [Source, string, string, string]
  if (!SOURCES.includes(source)) return []
  const parts =
    kind === 'quarter'
      ? await inQuarter(tx, source, id)
      : kind === 'of' || kind === 'replaced'
        ? await ofReport(tx, source, { id, quarter })
        : { reports: [], securities: [] }
  return [...keysOf(source, 'alone', parts.reports), ...keysOf(source, 'security', parts.securities)]
}

async function everyQuarter(tx: Transaction): Promise<string[]> {
  const stored = await tx<{ source: Source; quarter: string }[]>`
    select distinct source, quarter from held union select distinct source, quarter from holder
    union select distinct 'f13', quarter from summed union select distinct 'f13', quarter from flow`
  const keys = new Set(stored.map(({ source, quarter }) => `${source} quarter ${quarter}`))
  for (const source of SOURCES) {
    for (const quarter of await quartersOf(tx, source)) keys.add(`${source} quarter ${quarter}`)
  }
  return [...keys].sort()
}

/**
 * Replaces each key of a quarter by keys of the reports and of the securities in this quarter, since the lines may have
 * changed after the key was made.
 */
export async function withoutQuarters(tx: Transaction, keys: readonly string[]): Promise<readonly string[]> {
  const isQuarter = (key: string) => key.split(' ')[1] === 'quarter'
  const made = keys.filter((key) => !isQuarter(key))
  for (const key of keys.filter(isQuarter)) {
    const [source, , quarter] = key.split(' ') as [Source, string, string]
    const { reports, securities } = await inQuarter(tx, source, quarter)
    made.push(...keysOf(source, 'alone', reports), ...keysOf(source, 'security', securities))
  }
  return made
}
