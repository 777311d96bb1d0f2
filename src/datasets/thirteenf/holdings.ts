/** Lines of a composed report by security: what is held, and apart from it what is an option or principal. */

export interface Line {
  cusip: string | null
  value: string | null
  amount: string | null
  kind: string | null
  put_call: string | null
}

export interface Held {
  /** In capitals, as far as it is one. */
  cusip: string | null
  /** US dollars, without options. */
  value: bigint
  /** Shares. Lines of text tables that do not say what their amount is are counted: debt is what they mark. */
  shares: bigint
  /** Principal of debt securities, never part of shares. */
  principal: bigint
  /** US dollars of puts and calls on the security. */
  optionValue: bigint
  lines: number
}

/** One row a CUSIP, in the order of their first lines: a table repeats it for every manager and discretion. */
export function bySecurity(lines: Iterable<Line>): Held[] {
  const held = new Map<string | null, Held>()
  for (const { cusip: filed, value, amount, kind, put_call: option } of lines) {
    const cusip = filed?.toUpperCase() ?? null
    let of = held.get(cusip)
    if (of === undefined) {
      of = { cusip, value: 0n, shares: 0n, principal: 0n, optionValue: 0n, lines: 0 }
      held.set(cusip, of)
    }
    of.lines++
    if (option !== null) of.optionValue += BigInt(value ?? 0)
    else {
      of.value += BigInt(value ?? 0)
      of[kind === 'PRN' ? 'principal' : 'shares'] += BigInt(amount ?? 0)
    }
  }
  return [...held.values()]
}
