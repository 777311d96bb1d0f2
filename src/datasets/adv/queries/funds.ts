/** SQL of the number of an adviser's funds in answers, with `a` as adv.adviser. */
import type { Sql } from '../../../store/db.ts'

/** Returns an object or, as the contract has it, an empty array if there are none. */
export const fundsByType = (sql: Sql) => sql`case when a.fund_types = '{}' then '[]' else a.fund_types end`

export const fundsRest = (sql: Sql) => sql`json_build_object(
  'without_type', a.funds_without_type, 'reported_by_another_adviser', a.funds_of_others)`
