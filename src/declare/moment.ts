/** The one way in which answers write a moment: `2026-07-23T14:05:09.120+00:00`, with milliseconds, in UTC. */

/** How the database sends a moment if the time zone of the session is UTC: `2026-07-23 14:05:09.12+00`. */
const STORED = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/

/**
 * @param given as the database sends it, or ISO 8601 with any offset. Parts of a millisecond are dropped. Any other
 *   text, such as `infinity`, stays as it is
 */
export function momentOf(given: string): string {
  const stored = STORED.exec(given)
  if (stored) return `${stored[1]}T${stored[2]}.${(stored[3] ?? '').padEnd(3, '0').slice(0, 3)}+00:00`
  const time = Date.parse(given)
  return Number.isNaN(time) ? given : new Date(time).toISOString().replace('Z', '+00:00')
}

/** SQL format that writes a `timestamptz` this way if JSON is made in the database. */
export const MOMENT_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS.MS"+00:00"'
