/** Turns rows of a list into entries of a feed. */

import type { z } from 'zod'
import type { Catalog } from '../../declare/catalog.ts'
import { ENTITIES } from '../../declare/column.ts'
import { accessionOf, type Feed, momentIn, rowKey } from '../../declare/feeds.ts'
import type { Route } from '../../declare/route.ts'
import type { Entry } from './document.ts'
import { factsOf, type Row, subjectOf, titleOf } from './title.ts'

/**
 * Identifies a row of a list (RFC 4151). The tag contains no host name, since a service can have several names, and a
 * row must not appear as new when its service moves.
 */
export const tagOf = (route: Pick<Route, 'name'>, key: string): string => `tag:openfilings,2026:${route.name}/${key}`

/** Converts a moment, or a day (its start in UTC), to RFC 3339. */
function momentOf(value: string | null): string | null {
  if (value === null) return null
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return `${value}T00:00:00Z`
  return Number.isNaN(Date.parse(value)) ? null : new Date(value).toISOString()
}

/** The path of the answer about one filing of a dataset. */
const DETAIL = /\/(by-accession|filing)\/\{accession\}$/

/**
 * Returns the path of the answer about a row. It is the first that exists: the dataset's answer about the row's filing,
 * the general answer about the filing, the answer about the row's adviser, or the list itself.
 */
function pathOf(catalog: Pick<Catalog, 'routes'>, route: Pick<Route, 'path'>, row: Row): string {
  const [, room] = route.path.split('/')
  const accession = accessionOf(row)
  if (typeof accession === 'string') {
    const own = catalog.routes.find(({ path }) => path.startsWith(`/${room}/`) && DETAIL.test(path))
    return (own?.path ?? '/filing/{accession}').replace('{accession}', encodeURIComponent(accession))
  }
  const { link } = ENTITIES.crd
  return typeof row.crd === 'string' ? link!.replace('{crd}', encodeURIComponent(row.crd)) : route.path
}

/** The list that a row is from. */
export interface Listed extends Pick<Route, 'name' | 'path'> {
  feed: Feed
  /** The declared members of a row. */
  shape: z.ZodRawShape
}

/**
 * The entry of a row.
 *
 * @param origin `https://host`; empty if it is not known, and links are then relative to the service
 * @returns null for a row that has no key or no day, since a feed cannot contain such a row
 */
export function entryOf(catalog: Pick<Catalog, 'routes'>, list: Listed, row: Row, origin: string): Entry | null {
  const { feed, shape } = list
  const key = rowKey(feed, row)
  const updated = momentOf(momentIn(feed, row))
  if (!key || !updated) return null
  const path = pathOf(catalog, list, row)
  return {
    id: tagOf(list, key),
    title: titleOf(row, shape),
    updated,
    author: subjectOf(row),
    page: origin + path,
    json: `${origin}/v1${path}`,
    text: factsOf(row, shape),
  }
}
