/**
 * Reads events with the newest first, since people read them in this order. The API returns events in the order of the
 * log.
 */

interface Numbered {
  event_number: number
}

/** A page of the log, as the API returns it. */
export interface EventPage<E extends Numbered = Numbered> {
  events: readonly E[]
  next_after: number
  is_end: boolean
}

/** Maximum number of events of a request. */
const ASKED = 1_000
/**
 * A step back requests the events with the next lower numbers. This is the maximum number of event numbers that one
 * step back in a filtered log covers. The first step is short, since a filter that most events pass fills the page at
 * once. Each further step is ten times as long, up to this maximum.
 */
const STEP = 5_000
const STEP_GROWS = 10
/**
 * Maximum number of steps back that one page takes. So a page may have too few events; its link to older events
 * continues after the last step.
 */
const STEPS = 6

/**
 * Returns the last events before a number, the newest first. Older events have numbers below `older`; null if there are
 * no older events.
 *
 * @param ask requests the events after a number, the oldest first
 * @param isFiltered whether `ask` may leave events out
 */
export async function eventsBefore<E extends Numbered>(
  ask: (after: number, limit: number) => Promise<EventPage<E>>,
  { before, limit, isFiltered }: { before: number; limit: number; isFiltered: boolean },
): Promise<{ events: readonly E[]; older: number | null }> {
  const events: E[] = []
  let last = before - 1
  for (let step = 0; step < STEPS && last > 0 && events.length < limit; step++) {
    const first = Math.max(0, last - (isFiltered ? Math.min(STEP, limit * STEP_GROWS ** step) : limit))
    events.push(...(await between(first, last)).reverse())
    last = first
  }
  const shown = events.slice(0, limit)
  const oldest = events.length > limit ? shown.at(-1)!.event_number : last + 1
  return { events: shown, older: oldest > 1 ? oldest : null }

  /** All events after the number `first`, up to `last`. */
  async function between(first: number, last: number): Promise<E[]> {
    const found: E[] = []
    for (let after = first; after < last; ) {
      const page = await ask(after, Math.min(ASKED, last - after))
      found.push(...page.events.filter(({ event_number: number }) => number <= last))
      if (page.is_end || page.next_after <= after) break
      after = page.next_after
    }
    return found
  }
}
