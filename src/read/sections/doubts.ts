/** Finds reasons to doubt a section: it may contain the text of an item that was not found. */
import type { Candidate } from './in-order.ts'
import type { Line } from './lines.ts'
import type { FormItem, Titled } from './titles.ts'
import type { Mark } from './unnumbered.ts'

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
/** A section that is this many times as long as the longest usual section contains other text too. */
const TIMES_USUAL = 3
/** Maximum number of characters of a heading that the reason shows. */
const HEADING_SHOWN = 80

interface Around {
  next: Candidate | null
  end: number
  /** Whether the section ends before the next section, at a part or the signatures. */
  isStopped: boolean
  candidates: readonly Candidate[]
  /** Lines that may be headings of items without the word "Item". */
  marks: readonly Mark[]
  chosen: readonly Candidate[]
  form: readonly FormItem[]
}

/** Returns a doubt about a section whose length is unusual. */
export function doubtOfLength(length: number, { usual, least }: Pick<Titled, 'usual' | 'least'>): Doubt {
  if (usual !== undefined && length > TIMES_USUAL * usual) {
    const reason = `more than ${TIMES_USUAL} times as long as usual: text of another section may stand in it`
    return { weight: 0.3, reason }
  }
  if (least === undefined || length >= least) return NONE
  return { weight: 0.3, reason: 'shorter than usual: a heading in its text may have ended it' }
}

/**
 * Returns a doubt about a part of an item.
 *
 * @param whole the item, if the part is its last part, since a doubt about the end of the item is also a doubt about
 * its last part
 * @param skipped ids of the parts that were not found before the next part
 */
export function doubtOfPart(whole: { doubt: string | null } | null, skipped: readonly string[], length: number): Doubt {
  if (whole?.doubt) return { weight: 0, reason: whole.doubt }
  if (skipped.length === 0 || length < TEXT_MIN) return NONE
  const which = skipped.length > 1 ? `parts ${skipped.join(', ')} were` : `part ${skipped[0]} was`
  return {
    weight: MISSING * Math.min(skipped.length, 3),
    reason: `${which} not found after it: that text may stand in it`,
  }
}

export function doubtOf(own: Candidate, { next, end, isStopped, candidates, marks, chosen, form }: Around): Doubt {
  const found = new Set(chosen.flatMap(({ ranks }) => ranks))
  const isStray = ({ line, ranks }: { line: Line; ranks: readonly number[] }) =>
    line.start > own.line.start &&
    line.start < end &&
    (line.isHeading || line.isBold) &&
    ranks.every((rank) => !found.has(rank))
  const stray =
    candidates.find((each) => isStray(each) && each.ranks.some((rank) => form[rank]!.title.test(each.rest))) ??
    marks.find(isStray)
  if (stray) {
    const heading = stray.line.plain.slice(0, HEADING_SHOWN)
    return { weight: 0.3, reason: `the heading "${heading}" stands in it, out of the order of the form` }
  }
  const last = own.ranks.at(-1)!
  const missing = form
    .slice(last + 1, next?.ranks[0] ?? form.length)
    .filter(({ isRequired, part }, i) => isRequired && part === form[last]!.part && !found.has(last + 1 + i))
    .map(({ number }) => number)
  const usual = Math.max(...own.ranks.map((rank) => form[rank]!.usual ?? Number.POSITIVE_INFINITY))
  if (missing.length === 0) return doubtOfLength(end - own.line.next, { usual })
  if (end - own.line.next < TEXT_MIN) return NONE
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
