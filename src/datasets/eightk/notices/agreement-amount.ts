/** Reads the amount of an agreement. */
import { amountFor, type ReadAmount } from '../../../read/prose/money.ts'
import type { Collector } from './notice.ts'
import type { Section } from './prepared.ts'
import { type Statement, statementsIn } from './statements.ts'
import { firstTitle, type Title } from './titles.ts'

/** Words right before the amount of an agreement. */
const BEFORE_AMOUNT =
  /\b(?:principal amount|purchase price|consideration|commitments?|borrowings?|proceeds|amount|offering price|sale price|price|valued|facility|loans?|total|cash|note|notes|sale|credit)\b(?:\s(?:not to exceed|equal|is|of|to|at|the|an?|up|in|cash|initial|approximately|about|amount|aggregate|total|sum|maximum|payment|will be|principal|outstanding|or|exceed|not)){0,9}\s$/i
/** Words right after the amount of an agreement. */
const AFTER_AMOUNT =
  /^,?\s(?:in\s)?(?:(?:aggregate|initial|original|stated|total|senior|secured|unsecured|revolving|term|new|convertible|bridge|syndicated|committed|delayed|draw|supplemental|subordinated|amended and restated|[a-z]{3,6}-year|\d{1,3}-(?:day|year|month))\s){0,6}(?:principal amount|in cash|cash|facility|loan|credit|notes?|commitments?|line of credit|purchase price|of (?:the|its)\b|(?:[A-Z][\w-]{1,20}\s){0,4}(?:Loan|Credit|Purchase|Note|Facility|Term|Revolving))/
const PARTIAL =
  /\b(?:includ\w+|plus|additional|option|over-?allot\w*|sub-?limit|of which|increase\w*|total of|accordion|fees?|expenses|interest|penalt\w+|termination|reimburse\w*|minimum|escrow|holdback|deposit|incremental increases?|repay\w*|prepay\w*|replac\w*|refinanc\w*|terminat\w*|swing\w*|letters? of credit|per annum|exceed(?:s|ed|ing)|maintain\w*|requires?|covenants?|break-?up|reverse)\b[^$;]{0,70}$|\b(?:existing|prior|previous|former|outstanding|from)\s(?:[a-z]{1,14}\s){0,3}$/i

interface Of {
  statement: Statement
  titles: readonly Title[]
}

/** Matches the beginning of a sentence that is about the agreement which an earlier sentence reported. */
const GOES_ON =
  /^(?:(?:Pursuant to|Under|Subject to|In accordance with) (?:the terms (?:and conditions )?(?:of|set forth in) )?)?(?:[Tt]he |[Tt]his |[Ss]uch )(?:(?:[A-Z][\w-]{1,20} ){0,4}(?:Agreements?|Notes?|Amendment|Joinder|Loans?|Facility|Lease|Indenture|Letter|Commitment Letter)\b|aggregate|total|purchase price|transaction|consideration|loan|facility|principal)|\bthe aggregate (?:merger )?consideration\b/

/**
 * Adds the amount of an agreement. The amount is in the sentence that reports the agreement, or in one of the next
 * three sentences if that sentence is about the same agreement.
 */
export function amountOf(section: Section, i: number, { statement, titles }: Of, out: Collector): void {
  const { said, sentence } = section.sentences[i]!
  const isDone = out.putAmount('agreement_amount', wholeIn(said.slice(statement.verb, statement.to)), sentence)
  // The sentences after a list may be about any agreement of the list, so they are not read.
  if (isDone || titles.length > 1 || sentence.isPart) return
  for (const later of section.sentences.slice(i + 1, i + 4)) {
    if (later.sentence.isFirst || statementsIn(later.said).length > 0 || isOfOther(later.said, titles, out)) return
    if (!GOES_ON.test(later.said)) continue
    if (out.putAmount('agreement_amount', wholeIn(later.said), later.sentence, sentence)) return
  }
}

/** Tests whether a sentence begins with the title of another agreement that the item reported earlier. */
function isOfOther(said: string, titles: readonly Title[], { read }: Collector): boolean {
  const named = /^(?:[Tt]he|[Tt]his|[Ss]uch)\s/.test(said) ? firstTitle(said.slice(0, 120))?.toLowerCase() : undefined
  const isEnd = (title: string) => named !== undefined && title.toLowerCase().endsWith(named)
  return (
    !titles.some(({ title }) => isEnd(title)) &&
    read.facts.some(({ name, value }) => name === 'agreement' && isEnd(value))
  )
}

/** Returns the only amount that the words give as the amount of the whole agreement. */
const wholeIn = (said: string): ReadAmount =>
  amountFor(
    said,
    ({ start, end }) => {
      const before = said.slice(Math.max(0, start - 160), start)
      return (BEFORE_AMOUNT.test(before) || AFTER_AMOUNT.test(said.slice(end, end + 120))) && !PARTIAL.test(before)
    },
    // `takesEqual` is not set, since two equal amounts may be two parts of a sum: "$250 million of 2022 Notes and $250
    // million of 2042 Notes".
    { takesMost: true },
  )
