/** Keeps the rollups in line with the tables: which firms a load touched, then each rollup for these alone. */
import type { DatasetRefresh } from '../../declare/refresh.ts'
import type { Transaction } from '../../store/db.ts'
import { formerTouched } from './queries-former.ts'
import { linkTouched, noteNamesakes } from './queries-link.ts'
import { mergeTouched, UNLISTED_DAYS_MAX } from './queries-merge.ts'
import { foldNames, nameTouched } from './queries-names.ts'
import { refreshSearch } from './queries-search-refresh.ts'
import { collectSources } from './queries-sources.ts'
import { refreshSimilar } from './similar-refresh.ts'

/** Series whose records are firms by CRD number; those of all others are filings. */
const FEEDS = ['IA_FIRM_SEC', 'IA_FIRM_STATE']

/**
 * Rows of this transaction are in no statistics, and after a first load nothing else is there: the join on names then took
 * minutes. For a few firms the 0.6 s would be most of the refresh.
 */
const ANALYZE_MIN = 1_000

/** Firms by CRD number. Set by set: the cost follows the number of firms, not of statements. */
export const refresh: DatasetRefresh = {
  async touched(tx, { series, keys, day }) {
    const own = FEEDS.includes(series!) ? [...keys] : await firmsOf(tx, keys)
    if (series !== 'IA_FIRM_SEC') return own
    // Those who leave the list of the registered by a feed that is too long without them.
    const feedDay = await newestFeedDay(tx, day)
    const unlisted = await tx<{ crd: string }[]>`
      select crd from adviser
      where feed is null and not is_terminated and latest_filing_date < ${feedDay}::date - ${UNLISTED_DAYS_MAX}::int`
    return [...own, ...unlisted.map(({ crd }) => crd)]
  },
  make: refreshFirms,
}

/** Firms of these filings, of either form. */
async function firmsOf(tx: Transaction, filings: readonly string[]): Promise<string[]> {
  const rows = await tx<{ crd: string }[]>`
    select crd from filing where filing_id = any(${filings as string[]}) and crd is not null
    union
    select crd from withdrawal where filing_id = any(${filings as string[]}) and crd is not null`
  return rows.map(({ crd }) => crd)
}

async function refreshFirms(tx: Transaction, keys: readonly string[] | null): Promise<void> {
  const feedDay = await newestFeedDay(tx, null)
  const touched = await touch(tx, keys)
  if (touched > ANALYZE_MIN) await tx`analyze adv.filing_day`
  await noteNamesakes(tx)
  await collectSources(tx)
  await foldNames(tx)
  await tx`delete from adv.adviser where crd in (select crd from adv_touched)`
  await mergeTouched(tx, feedDay)
  await nameTouched(tx)
  await formerTouched(tx)
  if (touched > ANALYZE_MIN) await tx`analyze adv.adviser, adv.adviser_name`
  await tally(tx)
  await noteNamesakes(tx)
  await linkTouched(tx)
  const crds = keys && (await tx<{ crd: string }[]>`select crd from adv_touched`).map(({ crd }) => crd)
  await refreshSearch(tx, crds)
  await refreshSimilar(tx, crds)
}

/** Day of the newest feed of the SEC, with one that is being loaded; null before the first. */
async function newestFeedDay(tx: Transaction, loading: string | null): Promise<string | null> {
  const [row] = await tx<{ day: string | null }[]>`
    select greatest(max(to_day), ${loading}::date) as day from bulk.edition
    where series = 'IA_FIRM_SEC' and records > 0`
  return row!.day
}

/**
 * Lists the firms to be refreshed in `adv_touched`, and writes the days of their filings.
 *
 * @returns how many there are
 */
async function touch(tx: Transaction, keys: readonly string[] | null): Promise<number> {
  await tx`drop table if exists pg_temp.adv_touched, pg_temp.adv_linking`
  await tx`create temporary table adv_touched (crd text collate "C" primary key) on commit drop`
  await tx`create temporary table adv_linking (crd text collate "C" primary key) on commit drop`
  if (keys) await tx`insert into adv_touched select distinct unnest(${keys as string[]}::text[])`
  else {
    await tx`
      insert into adv_touched
      select crd from adv.firm union select crd from adv.adviser
      union select crd from adv.filing where crd is not null
      union select crd from adv.withdrawal where crd is not null`
  }
  await tx`analyze adv_touched`
  const theirs = keys ? tx`crd in (select crd from adv_touched)` : tx`crd is not null`
  // A filing stands twice where an adviser changed its kind with it.
  const filings = tx`filing_id in (select filing_id from adv.filing where ${theirs})`
  await tx`delete from adv.filing_day where ${theirs}`
  await tx`delete from adv.filing_day where form = 'ADV' and ${filings}`
  await tx`
    insert into adv.filing_day (filing_id, form, crd, day)
    select filing_id, 'ADV', min(crd), min(submitted_date) from adv.filing
    where crd is not null and ${filings} group by filing_id`
  await tx`
    insert into adv.filing_day (filing_id, form, crd, day)
    select filing_id, 'ADV-W', crd, date from adv.withdrawal where ${theirs}`
  const [row] = await tx<{ count: number }[]>`select count(*)::int as count from adv_touched`
  return row!.count
}

/** A few thousand rows out of a scan of the advisers: 60 ms at 45,000. */
async function tally(tx: Transaction): Promise<void> {
  const disciplinary = tx`case when has_disciplinary then 'yes' when not has_disciplinary then 'no' else 'unknown' end`
  await tx`delete from adv.adviser_tally`
  await tx`
    insert into adv.adviser_tally (fund_type, state, adviser_type, is_terminated, disciplinary, advisers)
    select fund_type, coalesce(state, ''), adviser_type, is_terminated, ${disciplinary}, count(*)::int
    from adv.adviser, unnest(array[''] || fund_type_list) as fund_type
    group by 1, 2, 3, 4, 5`
}
