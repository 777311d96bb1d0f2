import type { Sql } from '../../store/db.ts'
import { BOUNDS, DELAY_DAYS, WORDS } from '../../store/delays.ts'

interface Delay {
  delay: (typeof WORDS)[number]
  /** Upper bound in seconds; null of the last two. */
  under_seconds: number | null
  /** Null while nothing was counted. */
  filings: number | null
}

/**
 * New filings of the last days by how long after their acceptance they were first seen. Read from counts that are kept a
 * day: 7 rows each.
 */
export async function firstSeen(sql: Sql): Promise<{ followed_days: number; first_seen: Delay[] }> {
  const rows = await sql<{ day: string; delay: string; filings: number }[]>`
    select day, delay, filings::float8 as filings from edgar.delay
    where day > (now() at time zone 'UTC')::date - ${DELAY_DAYS}::int`
  const followed = new Set(rows.filter(({ delay }) => delay !== 'not known').map(({ day }) => day))
  const first_seen = WORDS.map((delay, at) => ({
    delay,
    under_seconds: BOUNDS[at] ?? null,
    filings:
      rows.length === 0
        ? null
        : rows.filter((row) => row.delay === delay).reduce((sum, { filings }) => sum + filings, 0),
  }))
  return { followed_days: followed.size, first_seen }
}
