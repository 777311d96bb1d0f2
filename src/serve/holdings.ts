/**
 * Reads numbers and days of the loaded data, which the page at `/` shows to visitors without a key. Each query reads an
 * index, or a table with few rows.
 */
import type { Catalog, Tier } from '../declare/catalog.ts'
import * as backlog from '../ingest/backlog.ts'
import { type Chosen, chosenOf, isChosenOnly } from '../ingest/chosen.ts'
import { type FeedGap, feedState } from '../ingest/feed/gaps.ts'
import { standingOf } from '../ingest/origin.ts'
import { inventedOf, inventedText } from '../ingest/specimens.ts'
import type { Sql } from '../store/db.ts'
import { taskOf } from '../store/schema.ts'

export interface HeldFamily {
  label: string
  tier: Tier
  filings: number
  /**
   * Numbers of filings of the family. `read`: a dataset has read the filing into rows. `ofSets`: the rows come from
   * quarterly sets. `waiting`: the filing was not read yet. `failed`: the reading failed. All are zero for a family
   * that no dataset reads.
   */
  read: number
  ofSets: number
  waiting: number
  failed: number
  /** Day of the newest filing. */
  newest: string | null
}

export interface HeldSeries {
  series: string
  /** The subject of the records of the series: `Form ADV`. */
  label: string
  /**
   * The newest edition that was loaded; null if no edition was loaded. If each edition has only some of the records,
   * `records` counts the records of all loaded editions.
   */
  loaded: { records: number; through: string; at: string } | null
  /** Number of editions whose last load failed. */
  failed: number
}

export interface HeldSets {
  label: string
  done: number
  /** Number of sets whose last load was cut off or failed. */
  failed: number
  filings: number
  through: string | null
}

export interface Holdings {
  /**
   * `sample`: the bundled sample. `part`: a part of the sample. `real`: filings from an EDGAR host. `empty`: nothing.
   */
  holds: 'sample' | 'part' | 'real' | 'empty'
  /** A phrase for people that says how much of the sample is invented; null for other data. */
  invented: string | null
  filings: number
  newest: string | null
  /** Families in the order of the registry, including families without filings. */
  families: HeldFamily[]
  /** Number of filings on forms that no family claims. */
  unclaimed: number
  series: HeldSeries[]
  sets: HeldSets[]
  /**
   * The last day that the read indexes cover, and the time at which the last index was read; null if no index was read.
   */
  index: { through: string; at: string } | null
  /** The filers that the operator chose, if only their filings are loaded; else null. */
  chosen: Pick<Chosen, 'filers' | 'failed' | 'through'> | null
  /** Open gaps of the feed of current filings: filings that were accepted in a gap may be missing. */
  gaps: Pick<FeedGap, 'after_at' | 'before_at'>[]
}

/** Reads all members of `Holdings`. */
export async function holdingsOf(sql: Sql, catalog: Catalog): Promise<Holdings> {
  const all = catalog.bulk.flatMap(({ source }) => Object.entries(source.series))
  const updates = all.filter(([, { kind }]) => kind === 'update').map(([name]) => name)
  const [{ holds }, counts, tasks, newest, editions, records, failures, sets, index, feed, chosen] = await Promise.all([
    // No digest is given, since the data may be any version of the sample.
    standingOf(sql, ''),
    backlog.familyCounts(sql),
    backlog.backlog(sql),
    backlog.newestOfFamilies(sql),
    backlog.newestEditions(sql),
    backlog.recordCounts(sql, updates),
    backlog.failedEditions(sql),
    backlog.setCounts(sql),
    backlog.indexesRead(sql),
    feedState(sql),
    chosenOf(sql),
  ])
  const days = new Map(newest.map(({ family, filed }) => [family, filed]))
  const families = catalog.families.map((family): HeldFamily => {
    const { slug, label, tier } = family
    const { filings = 0, extracted = 0 } = counts.find((each) => each.family === slug) ?? {}
    const task = tier === 'structured' ? taskOf(family) : null
    const { pending = 0, failed = 0, of_sets = 0 } = tasks.find(({ dataset }) => dataset === task) ?? {}
    const read = tier === 'structured' ? extracted : 0
    return { label, tier, filings, read, ofSets: of_sets, waiting: pending, failed, newest: days.get(slug) ?? null }
  })
  const series = catalog.bulk.flatMap((dataset) =>
    Object.keys(dataset.source.series).map((name): HeldSeries => {
      const { failed = 0 } = failures.find((each) => each.series === name) ?? {}
      const newest = editions.find((each) => each.series === name)
      const { records: count } = records.find((each) => each.series === name) ?? newest ?? { records: 0 }
      const loaded = newest && { records: count, through: newest.through, at: newest.loaded_at }
      return { series: name, label: dataset.label, loaded: loaded ?? null, failed }
    }),
  )
  const isSample = holds === 'sample' || holds === 'old sample'
  return {
    invented: isSample ? inventedText(await inventedOf(sql)) : null,
    holds: holds === 'old sample' ? 'sample' : holds,
    filings: counts.reduce((sum, { filings }) => sum + filings, 0),
    newest: [...days.values()].sort().at(-1) ?? null,
    families,
    unclaimed: counts.find(({ family }) => family === null)?.filings ?? 0,
    series,
    sets: sets.map(({ dataset, ...set }) => ({ label: catalog.family(dataset)?.label ?? dataset, ...set })),
    index,
    chosen: isChosenOnly(chosen) ? chosen : null,
    gaps: feed.gaps.filter(({ closed_at }) => closed_at === null),
  }
}
