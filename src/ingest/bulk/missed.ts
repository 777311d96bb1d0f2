/**
 * Finds the feeds of days on which no ingest ran. The list names only the newest feed of each series; older feeds can
 * be fetched for about eight more days. Without the older feeds, people who joined or left on different days would all
 * seem to have done so on the same day.
 */

import type { Store } from '../../archive/store.ts'
import type { BulkDataset } from '../../declare/dataset.ts'
import { editionOf } from '../../declare/series.ts'
import type { EdgarClient } from '../../fetch/client.ts'
import type { Sql } from '../../store/db.ts'
import { type SourceFile, unlisted } from '../files.ts'
import { editionsOf } from './edition.ts'

/** The feeds of this many days before the newest feed are requested. */
const KEPT_DAYS = 9

const DAY_MS = 86_400_000
const DAY_IN_NAME = /\d{2}_\d{2}_\d{4}|\d{4}-\d{2}-\d{2}/

/**
 * Returns the feeds that the host still has for the days between the newest loaded feed and the listed feed. Skips days
 * without a feed.
 */
export async function missedFeeds(
  place: { sql: Sql; client: EdgarClient; store: Store; from?: string | undefined; signal?: AbortSignal | undefined },
  listed: readonly SourceFile[],
  datasets: readonly BulkDataset[],
): Promise<SourceFile[]> {
  const found: SourceFile[] = []
  for (const { source } of datasets) {
    for (const [name, series] of Object.entries(source.series)) {
      if (series.kind !== 'snapshot') continue
      const of = (file: string) => editionOf(name, series, file)?.edition.to
      const newest = listed
        .filter((file) => DAY_IN_NAME.test(file.name) && of(file.name) !== undefined)
        .sort((a, b) => (of(a.name)! < of(b.name)! ? 1 : -1))[0]
      const known = (await editionsOf(place.sql, [name])).filter(({ state }) => state === 'done')
      const last = known
        .map(({ to_day }) => to_day)
        .sort()
        .at(-1)
      if (!newest || last === undefined) continue
      for (let back = KEPT_DAYS; back > 0; back--) {
        const day = new Date(Date.parse(of(newest.name)!) - back * DAY_MS).toISOString().slice(0, 10)
        if (day <= last || day < (place.from ?? '') || listed.some((file) => of(file.name) === day)) continue
        const at = (text: string) =>
          text.replace(DAY_IN_NAME, (old) =>
            old[2] === '_' ? `${day.slice(5, 7)}_${day.slice(8)}_${day.slice(0, 4)}` : day,
          )
        const file = await unlisted(place, at(newest.name), at(newest.url.slice(place.client.baseUrl.length)))
        if (file) found.push(file)
      }
    }
  }
  return found
}
