/** Percentages of fee tables: out of the tags of inline XBRL, or out of the table as text. */
import type { InlineFact } from '../../read/ixbrl.ts'
import { decimal } from '../../read/values.ts'
import type { ITEMS } from './tables-words.ts'

export type Item = (typeof ITEMS)[number]

export interface Fee {
  /** Which table of the document, from 1. */
  table: number
  /** Column of it, from 1: a class. */
  column: number
  item: Item
  series_id: string | null
  class_id: string | null
  /** Head of the column; null where it has none. */
  class_name: string | null
  /** Percent of net assets a year: 0.45. A waiver is below zero. */
  value: string | null
  /** As it stands: 0.45%, None. */
  stated: string
  /** Why there is no value. */
  reason: string | null
  /** Of the line in the Markdown; null of what is tagged. */
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
}
const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Whether a tag is a line of the fee table: rr until 2023, oef since. */
export const isFeeTag = (name: string): boolean => /^(?:rr|oef):/.test(name) && local(name) in TAGS

const memberOf = ({ context }: InlineFact, axis: RegExp, id: RegExp): string | null => {
  const member = Object.entries(context.members).find(([name]) => axis.test(name))?.[1]
  return (member && id.exec(member)?.[0]) ?? null
}

/** Fees as tagged, each class of a series one column. */
export function taggedFees(facts: readonly InlineFact[]): Fee[] {
  const tables: string[] = []
  const columns = new Map<string, string[]>()
  return facts.filter(({ name }) => isFeeTag(name)).flatMap((fact): Fee[] => {
    const series = memberOf(fact, /:LegalEntityAxis$/, /S\d{9}/)
    const of = memberOf(fact, /:ProspectusShareClassAxis$/, /C\d{9}/)
    const key = series ?? ''
    if (!tables.includes(key)) tables.push(key)
    const classes = columns.get(key) ?? []
    columns.set(key, classes)
    if (!classes.includes(of ?? '')) classes.push(of ?? '')
    return [{
      table: tables.indexOf(key) + 1,
      column: classes.indexOf(of ?? '') + 1,
      item: TAGS[local(fact.name)]!,
      series_id: series,
      class_id: of,
      class_name: null,
      value: fact.value === null ? null : percent(fact.value),
      stated: fact.value ?? '',
      reason: fact.value === null ? (fact.reason ?? 'tagged as nil') : null,
      ...{ start: null, end: null },
    }]
  }) // biome-ignore format: one fee
}

/** A ratio as percent, exactly: 0.0045 → 0.45. */
function percent(ratio: string): string {
  const [whole = '0', fraction = ''] = ratio.replace('-', '').split('.')
  const digits = `${fraction}00`
  return decimal(`${ratio.startsWith('-') ? '-' : ''}${whole}${digits.slice(0, 2)}.${digits.slice(2)}`)!
}
