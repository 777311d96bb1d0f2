/** Whether words of names go on from one line to the next. */

/** Words that end a name and begin none. */
const LEGAL =
  'inc|incorporated|corp|corporation|co|cos|company|companies|ltd|limited|plc|llc|lp|group|grp|holdings?|hldgs?|trust|tr|bancorp|n\\.?v|s\\.?a|a\\.?g'
const ENDS = new RegExp(`(?:^|[\\s,])(?:${LEGAL})\\.?$`, 'i')
const BEGINS = new RegExp(`^(?:${LEGAL})\\b`, 'i')
/** Words that go on with a name where no others stand with them. */
const GENERAL =
  /^(?:new|del|wis|ind|intl|int'l|inds|industries|systems|sys|technologies|services|svcs|finl|partners|mfg)$/i

/** `INC`, `CORP.`: a word that ends names. */
export const endsName = (word: string): boolean => ENDS.test(word)

/** Whether a name goes on from one line to the next: above 0 it does, below 0 the first one ends it, 0 is either. */
export function joins(first: string, next: string): number {
  if (first === '' || next === '') return 0
  if (/[-&,/]$|\b(?:of|the|and|for|de)$/i.test(first)) return 2
  if (/^(?:&|and\b|of\b|[a-z])/.test(next) || BEGINS.test(next)) return 2
  const words = next.split(' ').slice(0, 8)
  if (words.every((word) => GENERAL.test(word.replace(/[.,]$/, '')) || BEGINS.test(word))) return 1
  return ENDS.test(first) ? -2 : 0
}

/** Parts of a name; one that ends in a hyphen goes on without a blank, and keeps it. */
export function joined(parts: readonly string[]): string | null {
  return (
    parts.reduce((whole, part) => (whole === '' || whole.endsWith('-') ? whole + part : `${whole} ${part}`), '') || null
  )
}
