import { NO_QUARTER, storedQuarter } from '../../../declare/quarter.ts'
import type { DatasetRefresh } from '../../../declare/refresh.ts'
import type { Transaction } from '../../../store/db.ts'
import { compose } from '../compose.ts'
import { counted, linesIn, newestReports, type ReportedOf, worthOf } from './composed.ts'
import { makeCounted } from './counted.ts'
import { decideByOthers, managersInDoubt } from './scale.ts'

/**
 * Returns marks of managers. A mark has the CIK, a blank, and the period of a filing. Without the period, later rollups
 * would have to look at every quarter of a manager. A manager's report of a quarter depends on all its filings about
 * that quarter, so each marked quarter is composed again. With 8,000 managers and 320,000 reports, a refresh took 13 ms
 * for the managers of 20 filings, and 1.2 s for all managers (measured). The last day of a quarter is a key too. This
 * key means all managers with a filing of doubtful scale about the quarter. Reports of other managers may decide the
 * scale of such a filing. Marking each of these managers would take hundreds of marks per batch; the key of the quarter
 * is a single mark. Every batch marks it, even without a doubtful filing: another worker may be about to commit such a
 * filing.
 */
export const refresh: DatasetRefresh = {
  async touched(tx, { keys }) {
    const rows = await tx<{ cik: string | null; period: string | null }[]>`
      select distinct cik, period from report where accession = any(${keys as string[]})`
    const quarters = new Set(rows.map(({ period }) => storedQuarter(period)))
    quarters.delete(NO_QUARTER)
    return [...rows.flatMap(({ cik, period }) => (cik === null ? [] : `${cik} ${period ?? ''}`)), ...quarters]
  },

  async divide(tx, key) {
    const ciks = key === null ? null : isQuarter(key) ? await managersInDoubt(tx, [key]) : []
    const only = ciks === null ? tx`true` : tx`cik = any(${ciks})`
    const rows = await tx`
      select cik || ' ' || coalesce(period::text, '') as key from report where cik is not null and ${only}
      union select cik || ' ' || period from filer where ${only}
      union select cik || ' ' || period from counted where ${only}`
    return rows.map((row) => String(row.key))
  },

  async make(tx, keys) {
    const ciks = keys && (await managersOf(tx, keys))
    await decideByOthers(tx, ciks)
    await makeCounted(tx, ciks)
    await tx`delete from filer where ${ciks ? tx`cik = any(${ciks})` : tx`true`}`
    const newest: Newest[] = []
    for (const [cik, reports] of Map.groupBy(await newestReports(tx, ciks), (report) => report.cik)) {
      newest.push(await newestOf(tx, cik, reports))
    }
    await insert(tx, newest)
  },
}

const isQuarter = (key: string) => /^\d{4}-/.test(key)

async function managersOf(tx: Transaction, keys: readonly string[]): Promise<string[]> {
  const { ciks = [], quarters = [] } = Object.groupBy(keys, (key) => (isQuarter(key) ? 'quarters' : 'ciks'))
  const named = ciks.map((key) => key.split(' ')[0]!)
  return [...new Set([...named, ...(quarters.length === 0 ? [] : await managersInDoubt(tx, quarters))])]
}

interface Newest {
  cik: string
  period: string
  value: string
  position_count: number
}

/** Returns the value and the number of lines of the reports that count; both are 0 if these reports have no lines. */
async function newestOf(tx: Transaction, cik: string, reports: readonly ReportedOf[]): Promise<Newest> {
  const steps = counted(compose(reports))
  return {
    cik,
    period: reports[0]!.period,
    value: (await worthOf(tx, reports, steps, '')) ?? '0',
    position_count: await linesIn(tx, reports, steps, ''),
  }
}

async function insert(tx: Transaction, newest: readonly Newest[]): Promise<void> {
  await tx`
    insert into filer (cik, accession, filed_date, name_key, name_words, period, value, position_count)
    select n.cik, r.accession, r.filed_date, coalesce(r.name_key, ''), coalesce(r.name_words, ''), n.period, n.value,
      n.position_count
    from jsonb_to_recordset(${tx.json(newest as never)})
      as n (cik text, period date, value numeric, position_count integer)
    cross join lateral (
      select accession, filed_date, name_key, name_words from report
      where cik = n.cik order by name_key is null, filed_date desc, accession desc limit 1
    ) r`
}
