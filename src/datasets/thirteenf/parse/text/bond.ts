/** Decides whether words of names continue from one line to the next. */

/** Words that end a name and never begin one. */
const LEGAL =
  'inc|incorporated|corp|corporation|co|cos|company|companies|ltd|limited|plc|llc|lp|group|grp|holdings?|hldgs?|trust|tr|bancorp|n\\.?v|s\\.?a|a\\.?g'
const ENDS = new RegExp(`(?:^|[\\s,])(?:${LEGAL})\\.?$`, 'i')
const BEGINS = new RegExp(`^(?:${LEGAL})\\b`, 'i')
/** Words that continue a name if they stand alone. */
const GENERAL =
  /^(?:new|del|wis|ind|intl|int'l|inds|industries|systems|sys|technologies|services|svcs|finl|partners|mfg)$/i

/** Tests for a word that ends names: `INC`, `CORP.`. */
export const endsName = (word: string): boolean => ENDS.test(word)

/** Scores whether a name continues on the next line: above 0 it does, below 0 it ends, 0 leaves it open. */
export function joins(first: string, next: string): number {
  if (first === '' || next === '') return 0
  if (/[-&,/]$|\b(?:of|the|and|for|de)$/i.test(first)) return 2
  if (/^(?:&|and\b|of\b|[a-z])/.test(next) || BEGINS.test(next)) return 2
  const words = next.split(' ').slice(0, 8)
  if (words.every((word) => GENERAL.test(word.replace(/[.,]$/, '')) || BEGINS.test(word))) return 1
  return ENDS.test(first) ? -2 : 0
}

/** Joins the parts of a name with blanks. A part that ends in a hyphen keeps it and gets no blank. */
export function joined(parts: readonly string[]): string | null {
  return (
    parts.reduce((whole, part) => (whole === '' || whole.endsWith('-') ? whole + part : `${whole} ${part}`), '') || null
  )
}
