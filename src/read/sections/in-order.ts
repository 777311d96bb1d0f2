/**
 * Chooses the headings among the candidates: the lines in the order of the form that together have the highest score.
 */
import type { Line } from './lines.ts'

export interface Candidate {
  line: Line
  /** Positions in the form's order of the items that this heading begins, ascending. */
  ranks: readonly number[]
  title: string
  /** The text of the heading after its numbers. */
  rest: string
  score: number
  /** Amount that this kind of heading subtracts from the confidence. */
  weakness: number
}

interface Way {
  score: number
  candidate: Candidate
  before: Way | null
}

/**
 * Returns the candidates with the highest total score whose ranks ascend. Several candidates from one line must be
 * neighbours in the input.
 */
export function inOrder(candidates: readonly Candidate[], ranks: number): Candidate[] {
  const best: (Way | null)[] = Array.from({ length: ranks }, () => null)
  for (let from = 0; from < candidates.length; ) {
    let to = from
    while (candidates[to]?.line === candidates[from]!.line) to++
    // All candidates of a line are computed before they are stored, so that no candidate follows another candidate of
    // the same line.
    const ways = candidates.slice(from, to).map((candidate): Way => {
      let before: Way | null = null
      for (let rank = 0; rank < candidate.ranks[0]!; rank++) {
        const way = best[rank]!
        if (way && (!before || way.score > before.score)) before = way
      }
      return { score: candidate.score + (before?.score ?? 0), candidate, before }
    })
    for (const way of ways) {
      const last = way.candidate.ranks.at(-1)!
      const known = best[last]
      if (!known || way.score > known.score) best[last] = way
    }
    from = to
  }
  let way = best.reduce<Way | null>((most, each) => (each && (!most || each.score > most.score) ? each : most), null)
  const chosen: Candidate[] = []
  for (; way; way = way.before) chosen.unshift(way.candidate)
  return chosen
}
