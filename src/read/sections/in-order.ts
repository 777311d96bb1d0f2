/** Which of the lines that may be headings are: those in the order of the form that fit it best together. */
import type { Line } from './lines.ts'

export interface Candidate {
  line: Line
  /** Places in the form of the items that it heads, ascending. */
  ranks: readonly number[]
  title: string
  /** What stands after its numbers. */
  rest: string
  score: number
  /** What it takes from the confidence. */
  weakness: number
}

interface Way {
  score: number
  candidate: Candidate
  before: Way | null
}

/** The candidates of highest score together whose ranks ascend. Options of one line stand together. */
export function inOrder(candidates: readonly Candidate[], ranks: number): Candidate[] {
  const best: (Way | null)[] = Array.from({ length: ranks }, () => null)
  for (let from = 0; from < candidates.length; ) {
    let to = from
    while (candidates[to]?.line === candidates[from]!.line) to++
    // No option of a line follows another one.
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
