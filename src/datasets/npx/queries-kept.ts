/** Conditions for the reports and votes that no restatement replaces. */
import { keptSql } from '../../declare/amended.ts'
import { npxAmended } from './views.ts'

/** Not `exists`, which could be a hash of the whole table. */
const series = (is: string) => `(select true from npx.series n where n.accession = a.accession and ${is} limit 1)`

/** Tests whether a restatement covers the series. A restatement that names no series covers all of them. */
const isOf = (one: string) => `(${series('n.series_id is not null')} is null or ${series(`n.series_id = ${one}`)})`

/** SQL for a report `t`. A report that names series is replaced when all of its series are restated. */
export const REPORT_KEPT = keptSql(
  npxAmended,
  't',
  `(select true from npx.series s where s.accession = m.accession and s.series_id is not null
    and not exists (select from unnest(m.amended_by) a (accession) where ${isOf('s.series_id')}) limit 1) is null`,
)

/** SQL for a vote `t`, with the rule by which `votesAmended` marks it. */
export const VOTE_KEPT = keptSql(
  npxAmended,
  't',
  `exists (select from unnest(m.amended_by) a (accession) where t.series_id is null or ${isOf('t.series_id')})`,
)
