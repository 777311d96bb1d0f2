/** Decides whether a name continues from one line to the next. */
import { firstOf, type Signal } from '../../../../read/signals.ts'

/** Words that end a name and never begin one. */
const LEGAL =
  'inc|incorporated|corp|corporation|co|cos|company|companies|ltd|limited|plc|llc|lp|group|grp|holdings?|hldgs?|trust|tr|bancorp|n\\.?v|s\\.?a|a\\.?g'
const ENDS = new RegExp(`(?:^|[\\s,])(?:${LEGAL})\\.?$`, 'i')
const BEGINS = new RegExp(`^(?:${LEGAL})\\b`, 'i')
/** Words that continue the name of the line above, if their line has only such words and legal forms. */
const GENERAL =
  /^(?:new|del|wis|ind|intl|int'l|inds|industries|systems|sys|technologies|services|svcs|finl|partners|mfg)$/i

/** Tests for a word that ends names: `INC`, `CORP.`. */
export const endsName = (word: string): boolean => ENDS.test(word)

interface Lines {
  first: string
  next: string
}

/** The first signal that applies decides. */
const SIGNALS: readonly Signal<Lines>[] = [
  { name: 'one of them is empty', weight: 0, test: ({ first, next }) => first === '' || next === '' },
  {
    name: 'ends within a name',
    weight: 2,
    test: ({ first }) => /[-&,/]$|\b(?:of|the|and|for|de)$/i.test(first),
  },
  {
    name: 'begins within a name, or with a legal form',
    weight: 2,
    test: ({ next }) => /^(?:&|and\b|of\b|[a-z])/.test(next) || BEGINS.test(next),
  },
  {
    name: 'has only words that continue a name',
    weight: 1,
    test: ({ next }) =>
      next
        .split(' ')
        .slice(0, 8)
        .every((word) => GENERAL.test(word.replace(/[.,]$/, '')) || BEGINS.test(word)),
  },
  { name: 'ends with a legal form', weight: -2, test: ({ first }) => ENDS.test(first) },
]

/** Returns the signal by which a name continues on the next line or ends; undefined if no signal applies. */
export const explainJoin = (first: string, next: string) => firstOf(SIGNALS, { first, next })

/**
 * Scores whether a name continues on the next line. Above 0 the name continues, below 0 it ends; 0 means that this is
 * unknown.
 */
export const joins = (first: string, next: string): number => explainJoin(first, next)?.weight ?? 0

/** A line that ends within a word: at least four letters, the last in lower case, and a hyphen. */
const DIVIDES = /(?:^|\s)([A-Za-z]{3,30}[a-z])-$/
/**
 * Common words of names. A hyphen certainly divides a word if such a word ends at the next blank and begins before the
 * hyphen. Other hyphens may belong to names, also in tables that write second parts in lower case: Coca-cola.
 */
const DIVIDED = new RegExp(
  `^(?:${[
    'acceptance|aerospace|agricultural|airlines|american|bancorporation|bancshares|broadcasting|chemicals?',
    'commercial|communications?|community|computers?|consolidated|construction|consumer|containers?',
    'corporation|development|devices|diagnostics|distribution|dynamics|electric|electrical|electronics?',
    'energy|engineering|enterprises?|entertainment|environmental|equipment|exploration|federal|financial',
    'general|hospitality|hospitals?|incorporated|industrial|industries|information|instruments?|insurance',
    'interactive|international|investments?|investors|laboratories|limited|logistics|machinery|machines?',
    'management|manufacturing|materials|medical|minerals|mortgage|networks?|northern|packaging|partners',
    'partnership|petroleum|pharmaceuticals?|products?|properties|publishing|railroad|realty|resources?',
    'restaurants?|savings|sciences?|securities|semiconductors?|services?|software|solutions|southern',
    'steakhouse|systems?|technology|technologies|telecommunications|telephone|textiles|therapeutics',
    'transportation|universal|utilities|western|wireless',
  ].join('|')})$`,
  'i',
)

/** Whether a word is divided at the end of the line: "Shaw Communi-", "cations Inc." (0000950150-00-000753). */
function isDivided(whole: string, part: string): boolean {
  const begin = DIVIDES.exec(whole)?.[1]
  const rest = /^[a-z]{3,30}(?![A-Za-z-])/.exec(part)?.[0]
  // "Tele-", "communications" is a name with a hyphen: its second part is a whole word.
  return begin !== undefined && rest !== undefined && DIVIDED.test(begin + rest) && !DIVIDED.test(rest)
}

/**
 * Joins the parts of a name with blanks. No blank follows a part that ends in a hyphen. Such a part keeps its hyphen,
 * unless the hyphen certainly divides a word at the end of a line.
 */
export function joined(parts: readonly string[]): string | null {
  return (
    parts.reduce((whole, part) => {
      if (isDivided(whole, part)) return whole.slice(0, -1) + part
      return whole === '' || whole.endsWith('-') ? whole + part : `${whole} ${part}`
    }, '') || null
  )
}
