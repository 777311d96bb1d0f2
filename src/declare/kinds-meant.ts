/** The kinds of things that a word means, for words that people use and the search does not: a person, an ETF. */
const MEANT: ReadonlyMap<string, readonly string[]> = new Map([
  ['person', ['insider', 'representative']],
  ['people', ['insider', 'representative']],
  ['stock', ['security']],
  ['etf', ['fund']],
  ['mutual fund', ['fund']],
  ['broker-dealer', ['broker']],
])

/** Returns the kinds that a word means; none for any other word. */
export const kindsMeant = (word: string): readonly string[] => MEANT.get(word.trim().toLowerCase()) ?? []
