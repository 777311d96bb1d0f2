/**
 * Stores which filings, and which part of them, make up the holdings of managers: applies compose.ts to every quarter.
 */
import { NO_QUARTER, storedQuarter } from '../../../declare/quarter.ts'
import type { Transaction } from '../../../store/db.ts'
import { compose, type Part } from '../compose.ts'
import { decidedByOthers, type ReportedOf, reportsFor } from './composed.ts'
import { findRepeated } from './repeated.ts'

/**
 * Number of managers whose reports are read together. A batch has about a hundred thousand rows from thirty years; a
 * larger batch would not fit in memory.
 */
const MANAGERS = 500

interface Counted {
  accession: string
  cik: string
  period: string
  quarter: string
  part: Part
  seq: number
  until: string | null
  is_newest: boolean
  filed_date: string
}

/** Rewrites the rows of these managers; null means all. */
export async function makeCounted(tx: Transaction, ciks: readonly string[] | null): Promise<void> {
  for (const table of ['counted', 'superseded', 'repeated']) {
    await tx`delete from ${tx(table)} where ${ciks ? tx`cik = any(${ciks as string[]})` : tx`true`}`
  }
  const all =
    ciks ??
    (
      await tx<{ cik: string }[]>`
    select distinct cik from report where cik is not null`
    ).map(({ cik }) => cik)
  let inserted = 0
  for (let from = 0; from < all.length; from += MANAGERS) {
    const reports = await reportsFor(tx, all.slice(from, from + MANAGERS))
    const byManager = [...Map.groupBy(reports, ({ cik }) => cik).values()]
    for (const own of byManager) {
      if (!own.some(({ amendmentType }) => amendmentType === 'new_holdings')) continue
      for (const of of Map.groupBy(own, ({ period }) => period).values()) {
        const quarter = storedQuarter(of[0]!.period)
        if (quarter !== NO_QUARTER) await findRepeated(tx, quarter, of)
      }
    }
    const rows = byManager.flatMap(countedOf)
    await insert(tx, rows)
    await supersede(tx, rows)
    inserted += rows.length
  }
  await analyzeCounted(tx, inserted)
}

/**
 * Updates the planner's statistics of `counted` after many new rows, since every later rollup joins lines with it.
 * Without statistics of `counted`, the planner expects that it matches no line, and looks each line up in `superseded`
 * and `repeated`. These two tables are usually empty. Without their statistics, the planner expects 600 rows in each,
 * and sorts or hashes all lines to join them: reading the lines of a quarter then took a tenth longer.
 */
async function analyzeCounted(tx: Transaction, inserted: number): Promise<void> {
  const [row] = await tx<[{ due: boolean }]>`
    select ${inserted} > greatest(reltuples, 0) / 10 as due from pg_class where oid = 'counted'::regclass`
  if (row.due) await tx`analyze counted, superseded, repeated`
}

/**
 * Returns the rows of one manager. If filings name two periods in one quarter, one of them is a slip. Only the later
 * period with holdings is used, so that no holding is counted twice.
 */
function countedOf(own: readonly ReportedOf[]): Counted[] {
  const quarters = Map.groupBy(own, ({ period }) => storedQuarter(period))
  quarters.delete(NO_QUARTER)
  const rows: Counted[] = []
  for (const [quarter, ofQuarter] of quarters) {
    const periods = [...Map.groupBy(ofQuarter, ({ period }) => period)].sort(([a], [b]) => (a < b ? 1 : -1))
    const reported = periods.map(([, reports]) => rowsOf(quarter, reports)).filter((found) => found.length > 0)
    rows.push(...(reported[0] ?? []))
  }
  // A period that ends after its filing date is also a slip. As the newest quarter, it would hide all other holdings.
  const newest = rows
    .filter(({ until, period, filed_date }) => until === null && period <= filed_date)
    .reduce((last, { quarter }) => (quarter > last ? quarter : last), '')
  return rows.map((row) => ({ ...row, is_newest: row.until === null && row.quarter === newest }))
}

/**
 * Returns the filings about one period that are or were part of its holdings, in the order in which they are applied.
 * Each filing has the part that it had when it was filed; later filings can only replace the filing.
 */
function rowsOf(quarter: string, reports: readonly ReportedOf[]): Counted[] {
  const byAccession = new Map(reports.map((report) => [report.accession, report]))
  const inOrder = compose(reports).map(({ accession }) => byAccession.get(accession)!)
  const rows: Counted[] = []
  for (const [at, { accession, cik, period, filedDate }] of inOrder.entries()) {
    const { part } = compose(inOrder.slice(0, at + 1))[at]!
    if (part === 'left_out') continue
    if (part === 'whole') for (const before of rows) before.until ??= filedDate
    const seq = rows.length + 1
    rows.push({ accession, cik, period, quarter, part, seq, until: null, is_newest: false, filed_date: filedDate })
  }
  return rows
}

async function insert(tx: Transaction, rows: readonly Counted[]): Promise<void> {
  await tx`
    insert into counted (accession, cik, period, quarter, part, seq, until, is_newest, filed_date, manager_name, scale, stored)
    select c.accession, c.cik, c.period, c.quarter, c.part, c.seq, c.until, c.is_newest, c.filed_date, r.manager_name,
      coalesce(d.scale, 1), coalesce(d.stored, 1)
    from jsonb_to_recordset(${tx.json(rows as never)}) as c (accession text, cik text, period date, quarter date, part text,
      seq integer, until date, is_newest boolean, filed_date date)
    join report r using (accession)
    left join ${decidedByOthers(tx, '')} using (accession)`
}

/**
 * Stores the lines that partial restatements replace. Each quarter, these are lines of a hundred securities in a few
 * filings.
 */
async function supersede(tx: Transaction, rows: readonly Counted[]): Promise<void> {
  const partial = rows.filter(({ part }) => part === 'replaces_named').map(({ accession }) => accession)
  if (partial.length === 0) return
  await tx`
    insert into superseded (accession, cusip, cik, until)
    select old.accession, upper(l.cusip), old.cik, min(new.filed_date)
    from unnest(${partial}::text[]) partial (accession)
    join counted new using (accession)
    join counted old on old.cik = new.cik and old.quarter = new.quarter and old.seq < new.seq
    join position l on l.accession = old.accession and l.quarter = old.quarter
    where exists (
      select from position n
      where n.accession = new.accession and n.quarter = new.quarter and upper(n.cusip) = upper(l.cusip))
    group by old.accession, upper(l.cusip), old.cik`
}
