/** States that are asked for and that no row can have. */
import { apiError } from '../declare/api-errors.ts'
import { isPlaceCode, notAPlace } from '../declare/places.ts'
import type { Sql } from '../store/db.ts'

/**
 * Refuses states of which none is a code of EDGAR. Any match qualifies where several are asked for, so one that is known
 * is enough. Filers type what they like: a code that some row has is answered too.
 *
 * @param relations tables or views with the column `state`
 */
export async function assertStates(
  sql: Sql,
  given: readonly string[] = [],
  relations: readonly string[],
): Promise<void> {
  if (given.length === 0 || given.some(isPlaceCode)) return
  for (const relation of relations) {
    const found = await sql`select from ${sql(relation)} where state = any(${given as string[]}) limit 1`
    if (found.length > 0) return
  }
  const reason = `${JSON.stringify(given[0])} ${notAPlace(given[0]!)}`
  throw apiError('invalid_parameter', { parameter: 'state', reason })
}
