/** Lists that are also feeds: their rows have a day, and requests can restrict them by day. */
import type { z } from 'zod'

/** How the rows of a list become entries of a feed. */
export interface Feed {
  /**
   * Members with the moment or the day of a row, the most exact first, with a dot between a nested object and its
   * member. A row is dated by the first of these members that has a value. Rows from an index have only a day, because
   * an index states the day of each filing but no moment.
   */
  readonly moments: readonly string[]
  /**
   * Members that together identify a row among all rows that the list ever has, with the same notation for nested
   * objects.
   */
  readonly ids: readonly string[]
}

/** Members that say when a row was filed, the most exact first. */
const MOMENTS = ['accepted_at', 'filed_date', 'filing_date', 'first_filing_date']

/** Members that distinguish rows of one filing: a number, or the thing that a row is about. */
const PARTS = ['corpus', 'item', 'fund', 'series_id', 'sequence', 'brochure', 'derivative', 'line']

/**
 * The member with the newest filing of a thing. A list of things is sorted by this filing, and each new filing is a new
 * entry of the feed.
 */
const LATEST = 'latest_filing'

/**
 * @returns null for a list that requests cannot restrict by day. Also null if its rows have no day, or no members that
 * distinguish them
 */
export function feedOf(row: z.ZodObject, input: z.ZodRawShape): Feed | null {
  const has = (name: string) => name in row.shape
  const moments = MOMENTS.filter(has)
  // A list that requests cannot restrict by day is not in the order of days, so it is not a feed.
  if (!('limit' in input && 'from' in input && 'to' in input)) return null
  // A list of filers, such as funding portals: each new filing of a filer is a new entry.
  if (moments.length === 0 && has(LATEST) && has('cik'))
    return { moments: [`${LATEST}.filed_date`], ids: ['cik', `${LATEST}.accession`] }
  if (moments.length === 0) return null
  if (has('accession')) return { moments, ids: ['accession', ...PARTS.filter(has)] }
  return has('crd') ? { moments, ids: ['crd'] } : null
}

/** The value of a member, or of a member of a nested object: `latest_filing.filed_date`. */
export const valueAt = (row: Readonly<Record<string, unknown>>, name: string): unknown =>
  name.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | null | undefined)?.[part], row)

/** The most exact moment or day that a row states; null if it states none. */
export const momentIn = ({ moments }: Pick<Feed, 'moments'>, row: Readonly<Record<string, unknown>>): string | null =>
  moments.map((name) => valueAt(row, name)).find((value) => typeof value === 'string') ?? null

/** The accession of the filing that a row is about. */
export const accessionOf = (row: Readonly<Record<string, unknown>>): unknown =>
  row.accession ?? valueAt(row, 'filing.accession') ?? valueAt(row, `${LATEST}.accession`)

/** The key of a row, which is the same each time that the row is read. Null for a row that nothing identifies. */
export function rowKey({ ids }: Feed, row: Readonly<Record<string, unknown>>): string | null {
  const values = ids.map((name) => valueAt(row, name))
  if (values.every((value) => value === null || value === undefined)) return null
  return values.map((value) => encodeURIComponent(String(value ?? ''))).join('/')
}

/** Parameters that make a list begin with its newest rows, unless the request orders them. */
export function newestFirst(input: z.ZodRawShape, given: Readonly<Record<string, unknown>>): Record<string, string> {
  const type = input.sort as z.ZodType | undefined
  const hasDate = type?.safeParse('date').success ?? false
  return hasDate && given.sort === undefined ? { sort: 'date' } : {}
}
