let offset: Intl.DateTimeFormat | undefined

/** Whether New York has summer time at a moment: it is then four hours behind UTC, not five. */
export function isSummer(moment: string): boolean {
  // The formatter is made on first use: making the first one takes 25 ms, which would delay every start of a command.
  offset ??= new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', timeZoneName: 'longOffset' })
  return offset.format(new Date(moment)).endsWith('GMT-04:00')
}

/** Returns the moment at which a day, `YYYY-MM-DD`, begins in New York. */
export const midnight = (day: string): Date =>
  new Date(`${day}T00:00:00${isSummer(`${day}T04:30:00Z`) ? '-04:00' : '-05:00'}`)

/** Returns New York's wall clock at a moment: `2026-11-25` and `17:30`. */
export function newYorkClock(moment: string | Date): { day: string; time: string } {
  const at = new Date(moment)
  const local = new Date(at.getTime() - (isSummer(at.toISOString()) ? 4 : 5) * 3_600_000).toISOString()
  return { day: local.slice(0, 10), time: local.slice(11, 16) }
}
