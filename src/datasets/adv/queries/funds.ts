/** SQL that counts an adviser's funds in answers; `a` is adv.adviser. */
import type { Sql } from '../../../store/db.ts'

/**
 * Selects the counts of funds by type as an object. Selects an empty array for an adviser without funds, because the
 * API promises an empty array.
 */
export const fundsByType = (sql: Sql) => sql`case when a.fund_types = '{}' then '[]' else a.fund_types end`

export const fundsRest = (sql: Sql) => sql`json_build_object(
  'without_type', a.funds_without_type, 'reported_by_another_adviser', a.funds_of_others)`
