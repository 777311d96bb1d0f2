/** SQL conditions that are true for reports and votes that no restatement replaces. */
import { anyAmendment, keptSql } from '../../declare/amended.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { npxAmended } from './views.ts'

/**
 * Selects true if the amendment `a` names a series that meets the condition, else null. Does not use `exists`, which
 * the planner may turn into a hash of the whole table.
 */
const series = (is: string) => `(select true from npx.series n where n.accession = a.accession and ${is} limit 1)`

/** Tests whether a restatement covers the series. A restatement that names no series covers all series. */
const isOf = (sql: Sql, one: string) =>
  sql.unsafe(`(${series('n.series_id is not null')} is null or ${series(`n.series_id = ${one}`)})`)

/**
 * SQL that is true for a report `t` that is not replaced. A report that names series is replaced when all of its series
 * are restated.
 */
export const reportKept = (sql: Sql, isWanted: Fragment): Fragment =>
  keptSql(
    sql,
    npxAmended,
    sql`${anyAmendment(sql, isWanted)}
      and (select true from npx.series s where s.accession = m.accession and s.series_id is not null
        and not ${anyAmendment(sql, sql`${isOf(sql, 's.series_id')} and ${isWanted}`)} limit 1) is null`,
  )

/** SQL that is true for a vote `t` that is not replaced. Applies the rule of `votesAmended`. */
export const voteKept = (sql: Sql): Fragment =>
  keptSql(sql, npxAmended, anyAmendment(sql, sql`(t.series_id is null or ${isOf(sql, 't.series_id')})`))
