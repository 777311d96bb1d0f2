/** Reads expense examples from the tags of inline XBRL: expenses over 1, 3, 5 and 10 years. */
import type { InlineFact } from '../../read/ixbrl.ts'
import { INVESTMENT, type Period } from './examples/amounts.ts'
import { redemptionOf } from './examples/redemption.ts'
import { holderOf, numberIn } from './fees.ts'

export interface Example {
  /** Number of the example in the document, from 1. */
  table: number
  series_id: string | null
  class_id: string | null
  /** Name of the class as stated; null if the example has none, or if the class is known by its number. */
  class_name: string | null
  is_redeemed: boolean | null
  years: Period
  /** Whole US dollars: 1234. */
  value: string | null
  /** The amount as the filing writes it: $1,234. */
  stated: string
  /** Reason for a missing amount. */
  reason: string | null
  /** Amount that the example invests, US dollars; null if unknown. */
  investment: string | null
  /** Start of the row in the Markdown; null for tagged amounts. */
  start: number | null
  end: number | null
}

type Tag = Pick<Example, 'years' | 'is_redeemed'>

const tagsOf = (before: string, is_redeemed: boolean): [string, Tag][] => [
  [`${before}Year01`, { years: 1, is_redeemed }],
  [`${before}Year03`, { years: 3, is_redeemed }],
  [`${before}Year05`, { years: 5, is_redeemed }],
  [`${before}Year10`, { years: 10, is_redeemed }],
]

const TAGS: ReadonlyMap<string, Tag> = new Map([
  ...['rr', 'oef'].flatMap((prefix) => [
    ...tagsOf(`${prefix}:ExpenseExample`, true),
    ...tagsOf(`${prefix}:ExpenseExampleNoRedemption`, false),
  ]),
  // Form N-2 does not say whether the shares of the example are sold.
  ['cef:ExpenseExampleYear01', { years: 1, is_redeemed: null }],
  ['cef:ExpenseExampleYears1to3', { years: 3, is_redeemed: null }],
  ['cef:ExpenseExampleYears1to5', { years: 5, is_redeemed: null }],
  ['cef:ExpenseExampleYears1to10', { years: 10, is_redeemed: null }],
])

/** Matches the blocks of text that state the investment. */
const INVESTS = /^(?:rr|oef|cef):ExpenseExample(?:NarrativeTextBlock|TableTextBlock)$/

/** Tests for a tag of an amount of an expense example, or of the text that states its investment. */
export const isExampleTag = (name: string): boolean => TAGS.has(name) || INVESTS.test(name)

/** Returns the tagged amounts, in the order of the facts. */
export function taggedExamples(facts: readonly InlineFact[]): Example[] {
  const investments = investmentsIn(facts)
  const tables = new Map<string, number>()
  return facts.flatMap((fact): Example[] => {
    const tag = TAGS.get(fact.name)
    if (tag === undefined) return []
    const { series_id, class_id, class_name } = holderOf(fact)
    // Members of closed-end funds may name the case: ClassCSharesRepurchasedMember.
    const isSold = redemptionOf(class_name ?? '') === 'redeemed'
    return [
      {
        table: numberIn(tables, series_id ?? ''),
        ...{ series_id, class_id, class_name },
        years: tag.years,
        is_redeemed: tag.is_redeemed ?? (isSold ? true : null),
        value: fact.value,
        stated: fact.value ?? '',
        reason: fact.value === null ? (fact.reason ?? 'tagged as nil') : null,
        investment: investments.get(series_id ?? '') ?? null,
        ...{ start: null, end: null },
      },
    ]
  })
}

/** Returns the investment by series. */
function investmentsIn(facts: readonly InlineFact[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const fact of facts) {
    if (!INVESTS.test(fact.name)) continue
    const [amount] = (fact.value ?? '').match(INVESTMENT) ?? []
    const key = holderOf(fact).series_id ?? ''
    if (amount !== undefined && !found.has(key)) found.set(key, amount.replace(/[$\s,]/g, ''))
  }
  return found
}
