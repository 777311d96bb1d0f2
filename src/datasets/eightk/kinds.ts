/** Decides which kinds of events a filing reports for certain, from the facts that were read. */
import type { FactName } from './facts/fact.ts'
import { EVENT_KINDS } from './tables-words.ts'

export type EventKind = (typeof EVENT_KINDS)[number]

interface Declared {
  /** Items that state the event: their present numbers, and their numbers before 2004-08-23. */
  items: readonly string[]
  /** The item must have at least one fact of each list. Otherwise the text does not say what happened. */
  needs: readonly (readonly FactName[])[]
  /** Further facts of the event. */
  more: readonly FactName[]
}

/** Items and facts of each kind. `vote` needs no facts, because it is read from the votes of holders. */
export const EVENTS: Readonly<Record<EventKind, Declared>> = {
  agreement: {
    items: ['1.01'],
    needs: [['agreement'], ['agreement_party']],
    more: ['agreement_kind', 'agreement_date', 'agreement_amount'],
  },
  termination: {
    items: ['1.02'],
    needs: [['agreement']],
    more: ['agreement_kind', 'agreement_party', 'termination_date', 'termination_fee'],
  },
  deal: {
    items: ['2.01', '5.01', '2'],
    needs: [['acquired', 'disposed']],
    more: ['deal_party', 'completion_date', 'consideration', 'consideration_shares'],
  },
  exit: { items: ['2.05'], needs: [['exit_date', 'exit_cost', 'exit_cost_low']], more: ['exit_cost_high'] },
  sale: { items: ['3.02'], needs: [['security']], more: ['securities_sold', 'sale_amount', 'sale_date'] },
  amendment: {
    items: ['5.03', '8'],
    needs: [['amended']],
    more: ['amendment_date', 'amendment_effective_date', 'fiscal_year_end'],
  },
  repurchase: {
    items: ['7.01', '8.01', '5'],
    needs: [['repurchase_amount', 'repurchase_shares', 'repurchase_total', 'repurchase_total_shares']],
    more: ['repurchase_kind', 'repurchase_expiry'],
  },
  dividend: {
    items: ['7.01', '8.01', '5'],
    needs: [['dividend']],
    more: ['dividend_record_date', 'dividend_payment_date'],
  },
  vote: { items: ['5.07'], needs: [], more: [] },
}

/** Names of the facts of a kind. */
export const factsOfKind = (kind: EventKind): readonly FactName[] => [
  ...EVENTS[kind].needs.flat(),
  ...EVENTS[kind].more,
]

/**
 * Returns each kind of event that the facts name, with an item: the first item that has all the facts that the kind
 * needs.
 *
 * @param hasVotes whether the text states votes of holders
 */
export function eventsOf(
  facts: readonly { item: string; name: FactName }[],
  hasVotes: boolean,
): { kind: EventKind; item: string }[] {
  return EVENT_KINDS.flatMap((kind) => {
    const { items, needs } = EVENTS[kind]
    if (needs.length === 0) return hasVotes ? [{ kind, item: items[0]! }] : []
    const item = items.find((one) =>
      needs.every((names) => facts.some((fact) => fact.item === one && names.includes(fact.name))),
    )
    return item === undefined ? [] : [{ kind, item }]
  })
}
