/** Finds reasons to doubt a section: it may contain the text of an item that was not found. */
import type { Candidate } from './in-order.ts'
import type { FormItem } from './titles.ts'

export interface Doubt {
  /** The doubt subtracts this from the confidence. */
  weight: number
  /** Null if there is no doubt. */
  reason: string | null
}

const NONE: Doubt = { weight: 0, reason: null }
/** A section that is shorter than this ("Not applicable.") cannot contain the text of another item. */
const TEXT_MIN = 200
/** Each missing item subtracts this: since no section has the item, its text is probably in this section. */
const MISSING = 0.1
/** Maximum number of characters of a heading that the reason shows. */
const HEADING_SHOWN = 80

interface Around {
  next: Candidate | null
  end: number
  /** Whether the section ends before the next section, at a part or the signatures. */
  isStopped: boolean
  candidates: readonly Candidate[]
  chosen: readonly Candidate[]
  form: readonly FormItem[]
}

export function doubtOf(own: Candidate, { next, end, isStopped, candidates, chosen, form }: Around): Doubt {
  const found = new Set(chosen.flatMap(({ ranks }) => ranks))
  const stray = candidates.find(
    ({ line, ranks, rest }) =>
      line.start > own.line.start &&
      line.start < end &&
      (line.isHeading || line.isBold) &&
      ranks.every((rank) => !found.has(rank)) &&
      ranks.some((rank) => form[rank]!.title.test(rest)),
  )
  if (stray) {
    const heading = stray.title.slice(0, HEADING_SHOWN)
    return { weight: 0.3, reason: `the heading "${heading}" stands in it, out of the order of the form` }
  }
  const last = own.ranks.at(-1)!
  const missing = form
    .slice(last + 1, next?.ranks[0] ?? form.length)
    .filter(({ isRequired, part }) => isRequired && part === form[last]!.part)
    .map(({ number }) => number)
  if (missing.length === 0 || end - own.line.next < TEXT_MIN) return NONE
  const usual = Math.max(...own.ranks.map((rank) => form[rank]!.usual ?? Number.POSITIVE_INFINITY))
  const which = missing.length > 1 ? `items ${missing.join(', ')} were` : `item ${missing[0]} was`
  const isLong = end - own.line.next > usual
  if (isLong)
    return { weight: 0.4, reason: `longer than usual, and ${which} not found after it: that text may stand in it` }
  return isStopped
    ? NONE
    : {
        weight: MISSING * Math.min(missing.length, 3),
        reason: `${which} not found after it: that text may stand in it`,
      }
}
