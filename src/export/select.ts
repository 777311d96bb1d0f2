/**
 * Makes the SQL that reads a table for a file. Names come from declarations and days were checked, so names and days
 * can be written into the text of the SQL.
 */
import type { z } from 'zod'
import { columnType } from '../declare/table.ts'
import type { Days, Offer } from './offer.ts'

/** Takes the SQL of the value of a column. Returns the SQL that reads this value in the form that the file needs. */
export type Reading = (value: string, type: z.ZodType, name: string) => string

/** @param partition if given, this partition is read instead of the whole table */
export function selectOf(offer: Offer, days: Days | null, reading: Reading, partition?: string): string {
  const columns = Object.entries(offer.columns).map(([name, type]) => reading(sqlOf(offer, name), type, name))
  return `select ${columns.join(', ')} ${fromOf(offer, days, partition)} order by ${offer.order.join(', ')}`
}

export const sqlOf = ({ sqlOf = {} }: Offer, name: string): string => sqlOf[name] ?? `t.${name}`

export function fromOf(offer: Offer, days: Days | null, partition?: string): string {
  const where = days && offer.within ? ` where ${offer.within(days)}` : ''
  return `from ${partition === undefined ? offer.from : `${partition} t`}${where}`
}

/** Reads the columns for NDJSON: a list as JSON, and any other value unchanged. */
export const asText: Reading = (value, type) => (columnType(type)!.kind === 'list' ? `to_json(${value})` : value)

/**
 * Code points of the characters that make a spreadsheet read a text as a formula if it begins with them: = + - @, tab,
 * CR, LF and the first four in full width. A plain number is not a formula. Files over HTTP follow the same rule.
 * Testing the first character alone costs 30 ns a cell; a regular expression would cost 60.
 */
const SIGNS = [0x3d, 0x2b, 0x2d, 0x40, 0x09, 0x0d, 0x0a, 0xff1d, 0xff0b, 0xff0d, 0xff20]
const PLAIN_NUMBER = '^[+-]?[0-9]+([.][0-9]+)?$'

/** A cell of CSV: text that looks like a formula gets an apostrophe before it. */
export const asCell: Reading = (value, type) => {
  const { kind, postgres } = columnType(type)!
  if (kind === 'list') return `to_json(${value})`
  if (kind === 'boolean') return `${value}::text`
  if (!postgres.startsWith('text')) return value
  return `case when ascii(${value}) in (${SIGNS.join(', ')}) and ${value} !~ '${PLAIN_NUMBER}' then '''' || ${value} else ${value} end`
}
