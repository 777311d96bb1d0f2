/** Keeps the rollups in line with the tables: which firms a load touched, then each rollup for these alone. */
import type { Changed } from '../../declare/series.ts'
import type { Transaction } from '../../store/db.ts'
import { runFile } from '../../store/file.ts'
import { linkTouched, noteNamesakes } from './queries-link.ts'
import { makeOutside } from './queries-outside.ts'
import { refreshSearch } from './queries-search-refresh.ts'
import { refreshSimilar } from './similar-refresh.ts'

/** Series whose records are firms by CRD number; those of all others are filings. */
const FEEDS = ['IA_FIRM_SEC', 'IA_FIRM_STATE']

/**
 * Rows of this transaction are in no statistics, and after a first load nothing else is there: the join on names then took
 * minutes. For a few firms the 0.6 s would be most of the refresh.
 */
const ANALYZE_MIN = 1_000

/** What is known of the touched firms, source by source. */
const SOURCES = [
  new URL('make/newest.sql', import.meta.url),
  new URL('make/source.sql', import.meta.url),
  new URL('make/standing.sql', import.meta.url),
  new URL('make/mix.sql', import.meta.url),
  new URL('make/merged.sql', import.meta.url),
]

const ADVISER = new URL('make/adviser.sql', import.meta.url)

/** Rollups that are made of adv.adviser. */
const OF_ADVISERS = [
  new URL('make/adviser_name.sql', import.meta.url),
  new URL('make/former_name.sql', import.meta.url),
  new URL('make/adviser_tally.sql', import.meta.url),
]

/** A registration takes 45 days, and is then in the feed: a firm that is not half a year after its newest filing has none. */
const UNLISTED_DAYS_MAX = 183

/**
 * Rewrites the rollups of the firms whose records changed; of all for null. Set by set: the cost follows the number of
 * firms, not of statements.
 */
export async function refresh(tx: Transaction, changed: Changed | null): Promise<void> {
  const feedDay = await newestFeedDay(tx, changed)
  const touched = await touch(tx, changed, feedDay)
  if (touched === 0 && changed) return
  if (touched > ANALYZE_MIN) await tx`analyze adv.filing_day`
  await noteNamesakes(tx)
  await tx`set local search_path = adv, pub, public`
  for (const file of SOURCES) await runFile(tx, file)
  await makeOutside(tx)
  await tx`delete from adviser where crd in (select crd from touched)`
  await runFile(tx, ADVISER, [feedDay])
  for (const file of OF_ADVISERS) await runFile(tx, file)
  await tx`set local search_path to default`
  if (touched > ANALYZE_MIN) await tx`analyze adv.adviser, adv.adviser_name`
  await noteNamesakes(tx)
  await linkTouched(tx)
  const crds = changed && (await tx<{ crd: string }[]>`select crd from touched`).map(({ crd }) => crd)
  await refreshSearch(tx, crds)
  await refreshSimilar(tx, crds)
}

/** Day of the newest feed of the SEC; null before the first. The edition that is being loaded is not recorded yet. */
async function newestFeedDay(tx: Transaction, changed: Changed | null): Promise<string | null> {
  const loading = changed?.series === 'IA_FIRM_SEC' ? changed.edition.to : null
  const [row] = await tx<{ day: string | null }[]>`
    select greatest(max(to_day), ${loading}::date) as day from bulk.edition
    where series = 'IA_FIRM_SEC' and records > 0`
  return row!.day
}

/**
 * Lists the firms to be refreshed in `touched`. A filing that a restated month no longer has, or has for another
 * firm, is only known to `adv.filing_day`: its firm is touched by what stood there, and by what stands there now.
 *
 * @returns how many there are
 */
async function touch(tx: Transaction, changed: Changed | null, feedDay: string | null): Promise<number> {
  await tx`drop table if exists pg_temp.touched, pg_temp.adv_linking`
  await tx`create temporary table touched (crd text collate "C" primary key) on commit drop`
  await tx`create temporary table adv_linking (crd text collate "C" primary key) on commit drop`
  if (changed && FEEDS.includes(changed.series)) {
    await tx`insert into touched select distinct unnest(${changed.keys as string[]}::text[])`
  } else {
    const keys = changed && tx`(select unnest(${changed.keys as string[]}::text[]))`
    const form = changed && (changed.series === 'ADV_W' ? 'ADV-W' : 'ADV')
    const former = keys ? tx`filing_id in ${keys} and form = ${form}` : tx`true`
    await tx`insert into touched select distinct crd from adv.filing_day where ${former}`
    await tx`delete from adv.filing_day where ${former}`
    const present = keys ? tx`filing_id in ${keys}` : tx`true`
    if (form !== 'ADV-W') {
      // A filing stands twice where an adviser changed its kind with it.
      await tx`
        insert into adv.filing_day (filing_id, form, crd, day)
        select filing_id, 'ADV', min(crd), min(submitted_date) from adv.filing
        where crd is not null and ${present} group by filing_id`
    }
    if (form !== 'ADV') {
      await tx`
        insert into adv.filing_day (filing_id, form, crd, day)
        select filing_id, 'ADV-W', crd, date from adv.withdrawal where crd is not null and ${present}`
    }
    const now = keys ? tx`filing_id in ${keys} and form = ${form}` : tx`true`
    await tx`
      insert into touched select distinct crd from adv.filing_day where ${now} on conflict do nothing`
  }
  if (!changed) {
    await tx`
      insert into touched select crd from adv.firm union select crd from adv.adviser on conflict do nothing`
  }
  // Those who leave the list of the registered by a feed that is too long without them.
  await tx`
    insert into touched
    select crd from adv.adviser
    where feed is null and not is_terminated and latest_filing_date < ${feedDay}::date - ${UNLISTED_DAYS_MAX}::int
    on conflict do nothing`
  await tx`analyze touched`
  const [row] = await tx<{ count: number }[]>`select count(*)::int as count from touched`
  return row!.count
}
