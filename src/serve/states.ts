/** Refuses requested states that no row can have. */
import { apiError } from '../declare/api-errors.ts'
import { isPlaceCode, notAPlace } from '../declare/places.ts'
import type { Sql } from '../store/db.ts'

/**
 * Refuses the states if none of them is a code of EDGAR. If several states are requested, a row needs to match only one
 * of them, so one known code is enough. Filers may type codes that EDGAR does not have, so a code that some row has is
 * accepted too.
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
