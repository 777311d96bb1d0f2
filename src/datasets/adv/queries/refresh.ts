/** Keeps the rollups consistent with the tables: runs the files of make/ in their order. */
import type { DatasetRefresh } from '../../../declare/refresh.ts'
import type { Transaction } from '../../../store/db.ts'
import { runFile } from '../../../store/file.ts'
import { makeOutside } from './outside.ts'
import { refreshSearch } from './search-refresh.ts'

/** Series whose records are firms, keyed by CRD number; records of all other series are filings. */
const FEEDS = ['IA_FIRM_SEC', 'IA_FIRM_STATE']

const TOUCHED = new URL('../make/touched.sql', import.meta.url)
const EVERYBODY = new URL('../make/everybody.sql', import.meta.url)
const UNLISTED = new URL('../make/unlisted.sql', import.meta.url)

/** Working tables with the data of the touched firms. */
const KNOWN = [
  new URL('../make/newest.sql', import.meta.url),
  new URL('../make/source.sql', import.meta.url),
  new URL('../make/standing.sql', import.meta.url),
  new URL('../make/mix.sql', import.meta.url),
  new URL('../make/merged.sql', import.meta.url),
]

const ROLLUPS = [
  new URL('../make/adviser.sql', import.meta.url),
  new URL('../make/adviser_name.sql', import.meta.url),
  new URL('../make/former_name.sql', import.meta.url),
  new URL('../make/adviser_tally.sql', import.meta.url),
]

/**
 * For more than this number of firms, `analyze` runs on the rollups before the search reads them. Existing statistics
 * do not cover the rows of the open transaction, and a first load has no other rows. Without `analyze`, the join on
 * names took minutes in a first load. For a few firms, the 0.6 s of `analyze` would be most of the refresh.
 */
const ANALYZE_MIN = 1_000

/**
 * Refreshes the rollups of firms, by CRD number. Each statement handles all firms at once, so the number of statements
 * is fixed and the cost grows with the number of firms.
 */
export const refresh: DatasetRefresh = {
  async touched(tx, { series, keys, day }) {
    const own = FEEDS.includes(series!) ? [...keys] : await firmsOf(tx, keys)
    if (series !== 'IA_FIRM_SEC') return own
    const unlisted = await runFile<{ crd: string }>(tx, UNLISTED, [day])
    return [...own, ...unlisted.map(({ crd }) => crd)]
  },

  async divide(tx, key) {
    if (key !== null) return []
    await runFile(tx, TOUCHED)
    await runFile(tx, EVERYBODY)
    const rows = await tx`select distinct crd from touched`
    return rows.map(({ crd }) => String(crd))
  },

  async make(tx, keys) {
    await runFile(tx, TOUCHED)
    if (keys) await tx`insert into touched select distinct unnest(${keys as string[]}::text[])`
    else await runFile(tx, EVERYBODY)
    await tx`analyze touched`
    for (const file of KNOWN) await runFile(tx, file)
    await makeOutside(tx)
    for (const file of ROLLUPS) await runFile(tx, file)
    if (!keys || keys.length > ANALYZE_MIN) await tx`analyze adviser, adviser_name`
    await refreshSearch(tx, keys)
  },
}

/** Returns the firms that made these filings of Form ADV or ADV-W. */
async function firmsOf(tx: Transaction, filings: readonly string[]): Promise<string[]> {
  const rows = await tx<{ crd: string }[]>`
    select crd from filing where filing_id = any(${filings as string[]}) and crd is not null
    union
    select crd from withdrawal where filing_id = any(${filings as string[]}) and crd is not null`
  return rows.map(({ crd }) => crd)
}
