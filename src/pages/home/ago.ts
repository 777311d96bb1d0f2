/** How long ago a day or a moment was, in words. */
const DAY_MS = 86_400_000

/** @param day `YYYY-MM-DD`; counted in whole days of UTC */
export function daysAgo(day: string, now: Date): string {
  const days = Math.floor(now.getTime() / DAY_MS) - Math.floor(Date.parse(day) / DAY_MS)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  if (days < 61) return `${days} days ago`
  return days < 730 ? `${Math.floor(days / 30.44)} months ago` : `${Math.floor(days / 365.25)} years ago`
}

/** @param moment ISO 8601. browser/explorer.js writes the same words for moments of the last two days. */
export function momentAgo(moment: string, now: Date): string {
  const minutes = Math.floor((now.getTime() - Date.parse(moment)) / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return `${hours} h ago`
  return daysAgo(moment.slice(0, 10), now)
}
