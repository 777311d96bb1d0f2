/** Shows the progress of long work: what, done of total, rate and time left, in the available width. */
import { thousands } from '../declare/thousands.ts'

export interface Progress {
  /** `reading filings` */
  what: string
  /** The counted unit, if `what` does not name it. */
  unit: 'bytes' | null
  done: number
  /** Null while the total is unknown. */
  total: number | null
  /** Null until enough was done to compute this value. */
  perSecond: number | null
  secondsLeft: number | null
}

export interface Stage {
  readonly what: string
  update(done: number, total: number | null, now: number): void
  at(now: number): Progress
}

/** The rate is computed over the last half minute: if a host slows down, the rate before that means little. */
const WINDOW_MS = 30_000
const SAMPLE_MS = 500
/** Minimum time for a rate; a rate over less time would vary too much. */
const RATE_AFTER_MS = 1000

/** Starts a stage of work whose rate is measured from now on; `now` is in milliseconds of any clock. */
export function stage(what: string, total: number | null, unit: Progress['unit'], now: number): Stage {
  const seen = [{ at: now, done: 0 }]
  let done = 0
  return {
    what,
    update(newDone, newTotal, at) {
      done = newDone
      total = newTotal
      if (at - seen.at(-1)!.at >= SAMPLE_MS) seen.push({ at, done })
      while (seen.length > 2 && at - seen[1]!.at > WINDOW_MS) seen.shift()
    },
    at(at) {
      const first = seen[0]!
      const passedMs = at - first.at
      const perSecond = passedMs >= RATE_AFTER_MS && done > first.done ? ((done - first.done) * 1000) / passedMs : null
      // New filings may arrive during the work, or another process may do a part of it. The shown total is never less
      // than the number done.
      const all = total === null ? null : Math.max(total, done)
      const secondsLeft = all !== null && perSecond !== null ? (all - done) / perSecond : null
      return { what, unit, done, total: all, perSecond, secondsLeft }
    },
  }
}

/**
 * `reading filings: 1,240 of 4,000 (31%), 12.4 a second, 3 min 42 s left`. If `width` is small, the rate is left out,
 * and then the time left.
 */
export function progressLine({ what, unit, done, total, perSecond, secondsLeft }: Progress, width: number): string {
  const shown = unit === 'bytes' ? size : number
  const ofTotal = total === null ? '' : ` of ${shown(total)}${percent(done, total)}`
  const count = total === null && done === 0 ? ' …' : `: ${shown(done)}${ofTotal}`
  const parts = [
    `${what}${count}`,
    ...(perSecond === null ? [] : [`${unit === 'bytes' ? size(perSecond) : rate(perSecond)} a second`]),
    ...(secondsLeft === null ? [] : [`${duration(secondsLeft)} left`]),
  ]
  // If the width is too small, the rate is left out before the time left.
  const shorter = [parts, [parts[0]!, ...parts.slice(1).slice(-1)], [parts[0]!]].map((some) => some.join(', '))
  return shorter.find((line) => line.length <= width) ?? `${shorter.at(-1)!.slice(0, Math.max(0, width - 1))}…`
}

const percent = (done: number, total: number) => (total === 0 ? '' : ` (${Math.floor((100 * done) / total)}%)`)

const rate = (perSecond: number) => (perSecond >= 10 ? number(Math.round(perSecond)) : perSecond.toPrecision(2))

/** `1,240` */
export const number = thousands

/** `40 s`, `3 min 42 s`, `2 h 5 min`, `3 days 4 h`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return seconds < 10 && whole !== seconds ? `${seconds.toFixed(1)} s` : `${whole} s`
  const [minutes, hours, days] = [Math.floor(whole / 60), Math.floor(whole / 3600), Math.floor(whole / 86_400)]
  if (minutes < 60) return `${minutes} min ${whole % 60} s`
  if (hours < 48) return `${hours} h ${minutes % 60} min`
  return `${number(days)} days ${hours % 24} h`
}

/** `12 kB`, `1.4 GB` */
export function size(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 || value >= 10 ? Math.round(value) : value.toFixed(1)} ${units[unit]}`
}

/** Time of day in the time zone of this machine, with the name of the zone: `14:05 UTC`. */
export const clock = (moment: Date) =>
  moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' })
