/** Groups the lines of a composed report by security. Keeps options and principal apart from shares. */

export interface Line {
  cusip: string | null
  value: string | null
  amount: string | null
  kind: string | null
  put_call: string | null
}

export interface Held {
  /** In capitals; null if the line has none. */
  cusip: string | null
  /** Value, US dollars, without options. */
  value: bigint
  /** Shares. Includes lines of text tables that do not state the kind of their amount: such tables mark only debt. */
  shares: bigint
  /** Principal of debt securities, never part of shares. */
  principal: bigint
  /** Value of puts and calls on the security, US dollars. */
  optionValue: bigint
  lines: number
}

/**
 * Returns one row for each CUSIP, in the order of their first lines. A table repeats a CUSIP for every manager and
 * discretion.
 */
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
