/** Holders of a security and their changes, computed in memory from the reports that are loaded. */
import { quarterBefore, storedQuarter } from '../../src/declare/quarter.ts'
import { DERIVATIVES, type Source } from '../../src/products/securities/sources.ts'
import type { FundReport } from './securities-made.ts'
import { composedOf } from './thirteenf/composed.ts'
import type { Filed } from './thirteenf/made.ts'

export type Loaded = { source: 'f13'; report: Filed } | { source: 'nport' | 'nmfp'; report: FundReport }

export interface ExpectedRow {
  holder_id: string
  value: string | null
  shares: string | null
  principal: string | null
  option_value: string | null
  period: string | null
  accession: string | null
  change: string | null
  amount_change: string | null
}

interface Line {
  cusip: string | null
  accession: string
  /** Null: the report does not state it. */
  value: number | null
  shares: number | null
  principal: number | null
  isOption: boolean
}

/** What a holder reported about a quarter, with only the lines that count. */
interface Reported {
  period: string
  lines: readonly Line[]
  /** Whether all of its holdings are known. */
  isWhole: boolean
}

type Holding = ReturnType<typeof holdingOf>

/** Returns what each holder reported about a quarter. */
export function reportedOf(loaded: readonly Loaded[], source: Source, quarter: string): Map<string, Reported> {
  const found = new Map<string, Reported>()
  const own = loaded.filter((one) => one.source === source && storedQuarter(one.report.period) === quarter)
  for (const [holder, of] of Map.groupBy(own, holderOf)) {
    const reported = source === 'f13' ? ofManager(of) : ofFund(of, source)
    if (reported) found.set(holder, reported)
  }
  return found
}

const holderOf = (one: Loaded) => (one.source === 'f13' ? one.report.cik! : one.report.fund)

/**
 * Returns what a manager reported about a quarter. The lines of a filing that was filed before its period ended do not
 * count.
 */
function ofManager(of: readonly Loaded[]): Reported | null {
  const filings = of.flatMap((one) => (one.source === 'f13' ? [one.report] : []))
  const slips = new Set(filings.flatMap(({ accession, period, filed }) => (period! > filed ? [accession] : [])))
  const { steps, lines } = composedOf(filings)
  const counted = steps.filter(
    ({ accession, part }) => part !== 'replaced' && part !== 'left_out' && !slips.has(accession),
  )
  if (counted.length === 0) return null
  const at = (accession: string) => steps.findIndex((step) => step.accession === accession)
  return {
    period: of[0]!.report.period!,
    isWhole: counted.some(({ part }) => part === 'whole'),
    lines: lines
      .filter(({ accession }) => !slips.has(accession))
      .sort((a, b) => at(a.accession) - at(b.accession))
      .map(({ cusip, accession, value, amount, kind, putCall }) => ({
        ...{ cusip, accession, value, isOption: putCall !== null },
        shares: kind === 'PRN' ? null : Number(amount),
        principal: kind === 'PRN' ? Number(amount) : null,
      })),
  }
}

/** Returns the last report of a fund. Skips a report if its period was yet to come when it was filed. */
function ofFund(of: readonly Loaded[], source: Source): Reported | null {
  const orderOf = ({ period, filed, accession }: FundReport) => `${period} ${filed} ${accession}`
  const [last] = of
    .flatMap((one) => (one.source === 'f13' || isSlip(one.report, source) ? [] : [one.report]))
    .sort((a, b) => (orderOf(a) < orderOf(b) ? 1 : -1))
  if (!last) return null
  const held = last.lines.filter(
    ({ payoff, asset }) => source === 'nmfp' || (payoff !== 'Short' && !DERIVATIVES.includes(asset ?? '')),
  )
  const lines = held.map((line) => ({
    ...{ cusip: line.cusip ?? null, accession: last.accession, value: line.value, isOption: false },
    shares: source === 'nport' ? (line.balance ?? 10) : null,
    principal: source === 'nport' ? null : (line.principal ?? null),
  }))
  return { period: last.period, isWhole: true, lines }
}

/**
 * Tests whether a report is about a period that was not over when it was filed. A money market fund may report a month
 * that is not over.
 */
function isSlip({ period, filed }: FundReport, source: Source): boolean {
  const day = new Date(filed)
  day.setUTCDate(day.getUTCDate() + (source === 'nmfp' ? 31 : 0))
  return period > day.toISOString().slice(0, 10)
}

/** Returns the sum of the stated numbers; null if none is stated. */
function sum(numbers: readonly (number | null)[]): number | null {
  const stated = numbers.filter((each) => each !== null)
  return stated.length === 0 ? null : stated.reduce((a, b) => a + b, 0)
}

/** Returns what a holder held of a security; null if it held nothing but options. */
function holdingOf(reported: Reported | undefined, cusip: string) {
  const lines = (reported?.lines ?? []).filter((line) => line.cusip?.toUpperCase() === cusip)
  const held = lines.filter(({ isOption }) => !isOption)
  if (!reported || held.length === 0) return null
  const [shares, principal] = [sum(held.map((line) => line.shares)), sum(held.map((line) => line.principal))]
  return {
    ...{ period: reported.period, accession: lines.at(-1)!.accession, shares, principal },
    value: sum(held.map(({ value }) => value)),
    options: sum(lines.map(({ isOption, value }) => (isOption ? value : null))),
    amount: shares ?? principal,
  }
}

const isComparable = (now: Holding, before: Holding) =>
  (now!.shares === null) === (before!.shares === null) && now!.amount !== null && before!.amount !== null

function changeOf(now: Holding, before: Holding, isWholeBefore: boolean): string | null {
  if (now === null) return 'closed'
  if (before === null) return isWholeBefore ? 'new' : null
  if (!isComparable(now, before)) return null
  const by = now.amount! - before.amount!
  return by > 0 ? 'added' : by < 0 ? 'reduced' : 'unchanged'
}

const text = (of: number | null | undefined) => (of === null || of === undefined ? null : String(of))

/** Returns holders and former holders of a security in a quarter, by their ids. */
export function expectedRows(loaded: readonly Loaded[], source: Source, cusip: string, quarter: string): ExpectedRow[] {
  const [now, before] = [quarter, quarterBefore(quarter)].map((day) => reportedOf(loaded, source, day)) as [
    Map<string, Reported>,
    Map<string, Reported>,
  ]
  return [...new Set([...now.keys(), ...before.keys()])].sort().flatMap((holder_id): ExpectedRow[] => {
    const [held, past] = [holdingOf(now.get(holder_id), cusip), holdingOf(before.get(holder_id), cusip)]
    if (held === null && (past === null || !now.get(holder_id)?.isWhole)) return []
    const change = changeOf(held, past, before.get(holder_id)?.isWhole ?? false)
    const amounts = [held === null ? 0 : held.amount, past === null ? 0 : past.amount]
    const isKnown = change !== null && !amounts.includes(null)
    return [
      {
        ...{ holder_id, change, value: held === null ? '0' : text(held.value) },
        ...{ shares: text(held?.shares), principal: text(held?.principal), option_value: text(held?.options) },
        ...{ period: held?.period ?? null, accession: held?.accession ?? null },
        amount_change: isKnown ? String(amounts[0]! - amounts[1]!) : null,
      },
    ]
  })
}

/** Returns the present holders of a security: those of each holder's newest quarter, if that is recent. */
export function expectedHolders(
  loaded: readonly Loaded[],
  source: Source,
  cusip: string,
): (Pick<ExpectedRow, 'holder_id' | 'value' | 'shares' | 'principal' | 'accession'> & { period: string })[] {
  const quarters = [...new Set(loaded.map(({ report }) => storedQuarter(report.period)))].sort().reverse()
  const newest = new Map<string, { quarter: string; reported: Reported }>()
  for (const quarter of quarters)
    for (const [holder, reported] of reportedOf(loaded, source, quarter))
      if (!newest.has(holder)) newest.set(holder, { quarter, reported })
  const last = [...newest.values()].reduce((latest, { quarter }) => (quarter > latest ? quarter : latest), '')
  const since = [1, 2, 3, 4, 5].reduce((day) => quarterBefore(day), last)
  return [...newest].sort().flatMap(([holder_id, { quarter, reported }]) => {
    const held = quarter < since ? null : holdingOf(reported, cusip)
    if (held === null) return []
    const { period, accession } = held
    return [
      {
        holder_id,
        value: text(held.value),
        shares: text(held.shares),
        principal: text(held.principal),
        period,
        accession,
      },
    ]
  })
}
