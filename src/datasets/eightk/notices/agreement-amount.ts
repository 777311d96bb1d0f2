/** Reads the amount of an agreement. */
import type { Sentence } from '../prose.ts'
import { amountsIn, pointsIn } from './money.ts'
import type { Collector } from './notice.ts'
import type { Section } from './prepared.ts'
import { type Statement, statementsIn } from './statements.ts'
import type { Title } from './titles.ts'

/** Words right before the amount of an agreement. */
const BEFORE_AMOUNT =
  /\b(?:principal amount|purchase price|consideration|commitments?|borrowings?|proceeds|amount|offering price|sale price|price|valued|facility|loans?|total|cash|note|notes|sale|credit)\b(?:\s(?:not to exceed|equal|is|of|to|at|the|an?|up|in|cash|initial|approximately|about|amount|aggregate|total|sum|maximum|payment|will be|principal|outstanding|or|exceed|not)){0,9}\s$/i
/** Words right after the amount of an agreement. */
const AFTER_AMOUNT =
  /^,?\s(?:in\s)?(?:(?:aggregate|initial|original|stated|total|senior|secured|unsecured|revolving|term|new|convertible|bridge|syndicated|committed|delayed|draw|[a-z]{3,6}-year|\d{1,3}-(?:day|year|month))\s){0,6}(?:principal amount|in cash|cash|facility|loan|credit|notes?|commitments?|line of credit|purchase price|of (?:the|its)\b|(?:[A-Z][\w-]{1,20}\s){0,4}(?:Loan|Credit|Purchase|Note|Facility|Term|Revolving))/
const PARTIAL =
  /\b(?:includ\w+|plus|additional|option|over-?allot\w*|sub-?limit|of which|increase\w*|total of|accordion|fees?|expenses|interest|penalt\w+|termination|reimburse\w*|minimum|escrow|holdback|deposit|incremental increases?|repay\w*|prepay\w*|swing\w*|letters? of credit|per annum|exceed(?:s|ed|ing)|maintain\w*|requires?|covenants?|break-?up|reverse)\b[^$;]{0,70}$|\b(?:existing|outstanding|from)\s(?:[a-z]{1,14}\s){0,3}$/i

interface Of {
  statement: Statement
  titles: readonly Title[]
}

/** Words of a sentence that continues with the agreement of the sentence before. */
const GOES_ON =
  /^(?:(?:Pursuant to|Under|Subject to|In accordance with) (?:the terms (?:and conditions )?(?:of|set forth in) )?)?(?:[Tt]he |[Tt]his |[Ss]uch )(?:(?:[A-Z][\w-]{1,20} ){0,4}(?:Agreements?|Notes?|Amendment|Joinder|Loans?|Facility|Lease|Indenture|Letter|Commitment Letter)\b|aggregate|total|purchase price|transaction|consideration|loan|facility|principal)|\bthe aggregate (?:merger )?consideration\b/

/** Puts the amount of an agreement from its own sentence, or from one of the next three about the same agreement. */
export function amountOf(section: Section, i: number, { statement, titles }: Of, out: Collector): void {
  const { said, sentence } = section.sentences[i]!
  const isDone = putAmount(strongIn(said.slice(statement.verb, statement.to)), sentence, sentence, out)
  if (isDone || titles.length > 1) return
  for (const later of section.sentences.slice(i + 1, i + 4)) {
    if (later.sentence.isFirst || statementsIn(later.said).length > 0) return
    if (GOES_ON.test(later.said) && putAmount(strongIn(later.said), later.sentence, sentence, out)) return
  }
}

/** Puts an amount, or leaves it out if there are several; returns whether the words state any. */
function putAmount(found: string | null, sentence: Sentence, from: Sentence, out: Collector): boolean {
  if (found === 'several') out.leave('agreement_amount', 'the words state several amounts')
  else out.put('agreement_amount', found, sentence, from)
  return found !== null
}

/** Returns the only amount that the words call the whole one; "several" if two are, or for the ends of a range. */
function strongIn(said: string): string | 'several' | null {
  const strong = pointsIn(said).filter(({ start, end }) => {
    const before = said.slice(Math.max(0, start - 160), start)
    return (BEFORE_AMOUNT.test(before) || AFTER_AMOUNT.test(said.slice(end, end + 120))) && !PARTIAL.test(before)
  })
  // Two equal amounts may be two parts: "$250 million of 2022 Notes and $250 million of 2042 Notes".
  const hasRange = pointsIn(said).length < amountsIn(said).length
  return strong.length > 1 || (hasRange && strong.length === 0) ? 'several' : (strong[0]?.value ?? null)
}
