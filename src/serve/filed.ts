/** SQL conditions that restrict a list of filings to a filer and to a range of days. */
import type { Fragment, Sql } from '../store/db.ts'

/** Parameters that lists of filings share; `filedOn` of declare/paging.ts declares the days. */
export interface Filed {
  /** Earliest filing date; `to` is the latest. */
  from?: string | undefined
  to?: string | undefined
  /** CIK of the filer, with ten digits. */
  cik?: string | undefined
}

/**
 * SQL conditions for the filings that `Filed` describes. Each condition begins with `and`.
 *
 * @param of the prefix of the columns: `f.`
 * @param day the column with the day of filing
 */
export function filedAs(sql: Sql, { from, to, cik }: Filed, of = '', day = 'filed_date'): Fragment {
  const filed = sql.unsafe(of + day)
  return sql`
    ${from ? sql`and ${filed} >= ${from}` : sql``}
    ${to ? sql`and ${filed} <= ${to}` : sql``}
    ${cik ? sql`and ${sql.unsafe(`${of}cik`)} = ${cik}` : sql``}`
}
