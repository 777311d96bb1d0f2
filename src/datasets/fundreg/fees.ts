/** Reads the percentages of fee tables from the tags of inline XBRL. */
import type { InlineFact } from '../../read/ixbrl.ts'
import { decimal } from '../../read/values.ts'
import type { Item } from './fees/items.ts'
import { type FeeValue, waived } from './fees/waivers.ts'

export interface Fee extends FeeValue {
  /** Number of the table in the document, from 1. */
  table: number
  /** Number of the column, from 1; each class has a column. */
  column: number
  item: Item
  series_id: string | null
  class_id: string | null
  /** Head of the column; null if the column has no head. */
  class_name: string | null
  /** The value as the filing writes it: 0.45%, None. */
  stated: string
  /** Start of the line in the Markdown; null for tagged values. */
  start: number | null
  end: number | null
}

const TAGS: Readonly<Record<string, Item>> = {
  ManagementFeesOverAssets: 'management',
  DistributionAndService12b1FeesOverAssets: 'distribution',
  DistributionOrSimilarNon12b1FeesOverAssets: 'distribution',
  AcquiredFundFeesAndExpensesOverAssets: 'acquired_funds',
  OtherExpensesOverAssets: 'other',
  ExpensesOverAssets: 'total',
  FeeWaiverOrReimbursementOverAssets: 'waiver',
  NetExpensesOverAssets: 'net',
  // Tags of closed-end funds and business development companies, since 2022.
  ManagementFeesPercent: 'management',
  DistributionServicingFeesPercent: 'distribution',
  AcquiredFundFeesAndExpensesPercent: 'acquired_funds',
  InterestExpensesOnBorrowingsPercent: 'interest',
  IncentiveFeesPercent: 'incentive',
  OtherAnnualExpensesPercent: 'other',
  TotalAnnualExpensesPercent: 'total',
  WaiversAndReimbursementsOfFeesPercent: 'waiver',
  NetExpenseOverAssetsPercent: 'net',
}
const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Tests whether a tag marks a line of a fee table. Such a tag has the prefix rr until 2023, oef since 2023, and cef for
 * closed-end funds.
 */
export const isFeeTag = (name: string): boolean => /^(?:rr|oef|cef):/.test(name) && Object.hasOwn(TAGS, local(name))

/** Series and class of a fact. */
export function holderOf(fact: InlineFact): Pick<Fee, 'series_id' | 'class_id' | 'class_name'> & { member: string } {
  const of = memberOf(fact, CLASS_AXIS)
  const class_id = /C\d{9}/.exec(of ?? '')?.[0] ?? null
  return {
    series_id: /S\d{9}/.exec(memberOf(fact, /:LegalEntityAxis$/) ?? '')?.[0] ?? null,
    class_id,
    class_name: of === null || class_id !== null ? null : worded(of),
    member: of ?? '',
  }
}

const memberOf = ({ context }: InlineFact, axis: RegExp): string | null =>
  Object.entries(context.members).find(([name]) => axis.test(name))?.[1] ?? null

/**
 * Matches the axes that have a class as member. Classes of closed-end funds have no numbers:
 * cik0001949594:ClassIMember.
 */
const CLASS_AXIS = /:(?:ProspectusShareClassAxis|StatementClassOfStockAxis|ClassOfStockAxis)$/

/** Returns tagged fees, with one column for each class of a series. */
export function taggedFees(facts: readonly InlineFact[]): Fee[] {
  /**
   * The numbers of the tables by series, and the numbers of the columns by series and class, in the order of the facts.
   */
  const tables = new Map<string, number>()
  const columns = new Map<string, Map<string, number>>()
  const fees = facts
    .filter(({ name }) => isFeeTag(name))
    .map((fact): Fee => {
      const { member, ...holder } = holderOf(fact)
      const key = holder.series_id ?? ''
      const classes = columns.get(key) ?? new Map<string, number>()
      columns.set(key, classes)
      return {
        table: numberIn(tables, key),
        column: numberIn(classes, member),
        item: TAGS[local(fact.name)]!,
        ...holder,
        value: fact.value === null ? null : percent(fact.value),
        stated: fact.value ?? '',
        reason: fact.value === null ? (fact.reason ?? 'tagged as nil') : null,
        ...{ start: null, end: null },
      }
    })
  // If a class has several lines of one item, the first line counts.
  const first = new Map<string, string | null>()
  const keyOf = ({ table, column }: Fee, item: Item) => `${table} ${column} ${item}`
  for (const fee of fees.toReversed()) first.set(keyOf(fee, fee.item), fee.value)
  return fees.map((fee) =>
    fee.item === 'waiver' ? { ...fee, ...waiverOf(fee, (item) => first.get(keyOf(fee, item)) ?? null) } : fee,
  )
}

/** Returns the number of a key, from 1; a new key gets the next number. */
export function numberIn(numbers: Map<string, number>, key: string): number {
  const number = numbers.get(key) ?? numbers.size + 1
  numbers.set(key, number)
  return number
}

/**
 * Infers the sign of a waiver, which may be tagged wrongly or be a recoupment, from the totals before and after it.
 * Keeps the filed sign if the totals do not decide it.
 */
function waiverOf({ value, reason }: Fee, of: (item: Item) => string | null): Pick<Fee, 'value' | 'reason'> {
  const read = waived({ value, reason, label: null }, of('total'), of('net'))
  return read.value === null ? { value, reason } : read
}

/** Returns the words of a member: ClassIMember → Class I. */
const worded = (member: string) =>
  local(member)
    .replace(/Member$/, '')
    .replace(/([a-z])(?=[A-Z\d])/g, '$1 ')
    .trim() || null

/** Converts a ratio to percent, exactly: 0.0045 → 0.45. */
function percent(ratio: string): string {
  const [whole = '0', fraction = ''] = ratio.replace('-', '').split('.')
  const digits = `${fraction}00`
  return decimal(`${ratio.startsWith('-') ? '-' : ''}${whole}${digits.slice(0, 2)}.${digits.slice(2)}`)!
}
