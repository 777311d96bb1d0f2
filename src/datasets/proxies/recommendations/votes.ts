/** Recognizes a vote without other words: in the cell of a table, or on a line below the label of a proposal. */

/** Maximum length of a text that is only a vote: "AGAINST each shareholder proposal, if properly presented" fits. */
const ALONE_MAX = 60
/**
 * Matches a vote at the beginning of a text. Any words may follow a vote in capitals. After "For" and "Against", only
 * "each", "all" or "every" may follow.
 */
const ALONE =
  /^[^\w]*(?:[Vv]otes?\s{1,3}|VOTES?\s{1,3})?["“‘]?\s?(?:(FOR|AGAINST|ABSTAIN|WITHHOLD)\b|(For|Against|Abstain|Withhold)(?=[”"’\s.]*$|[”"’]?\s{1,3}(?:each|all|every)\b))/
const OTHER = /\b(?:FOR|AGAINST|ABSTAIN|WITHHOLD|[Aa]gainst|[Aa]bstain|[Ww]ithhold)\b/

/**
 * Returns the vote in lower case. Returns null if the text says more than a vote, or also has another vote, as a proxy
 * card has.
 */
export function voteAlone(text: string): string | null {
  if (text.length > ALONE_MAX) return null
  const found = ALONE.exec(text)
  const vote = found?.[1] ?? found?.[2]
  if (!found || !vote || OTHER.test(text.slice(found[0].length))) return null
  return vote.toLowerCase()
}

/** Matches the line below the head of a table. */
export const RULE = /^\|(?:\s*:?-{3,}:?\s*\|)+\s*$/

/** Returns the cells of a row of a table, without the bars; none for a text that is not a row. */
export const cellsOf = (text: string): string[] =>
  text.startsWith('|')
    ? text
        .split('|', CELLS_MAX)
        .slice(1)
        .map((cell) => cell.trim())
    : []

const CELLS_MAX = 40

/** Returns the vote of a row if its cells have exactly one. */
export function voteOfCells(cells: readonly string[]): string | null {
  const votes = new Set(cells.flatMap((cell) => voteAlone(cell) ?? []))
  return votes.size === 1 ? [...votes][0]! : null
}
