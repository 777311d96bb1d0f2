/** Lines of generated filings in the form of the parsers. */
import type { Holding } from '../src/datasets/thirteenf/parse/types.ts'
import type { Made } from './thirteenf-sets.ts'

/** The table of a filing, line by line. */
export function* holdingsOf(made: Made): Generator<Holding> {
  for (const { issuer, title, cusip, value, amount, kind, putCall, discretion, manager } of made.lines()) {
    const sole = String(amount)
    yield {
      ...{ issuer, title, cusip, cusipFlag: null, figi: null, value: String(value), amount: sole, kind, putCall },
      ...{ discretion, managers: manager, sole, shared: '0', none: '0' },
    }
  }
}
