/** Days and moments as a header writes them. */

/** @returns `YYYY-MM-DD` of `YYYYMMDD`, or null when there is no such day; PostgreSQL has no year 0 */
export function dayOf(digits: string): string | null {
  const parts = /^(\d{4})(\d{2})(\d{2})$/.exec(digits)
  if (!parts || parts[1] === '0000') return null
  const iso = parts.slice(1).join('-')
  const time = Date.parse(`${iso}T00:00:00Z`)
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso ? null : iso
}

const NEW_YORK = new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'longOffset' })

/**
 * A New York wall clock time with the offset it had: `20240313150033` → `2024-03-13T15:00:33-04:00`.
 *
 * @returns null for what is no such time. The hour that comes twice in autumn is read as its first, summer time
 */
export function newYorkMoment(digits: string): string | null {
  const day = dayOf(digits.slice(0, 8))
  const time = /^([01]\d|2[0-3])([0-5]\d)([0-5]\d)$/.exec(digits.slice(8))
  if (!day || !time) return null
  const local = `${day}T${time.slice(1).join(':')}`
  const isSummer = NEW_YORK.format(new Date(`${local}-04:00`)).endsWith('GMT-04:00')
  return `${local}${isSummer ? '-04:00' : '-05:00'}`
}
