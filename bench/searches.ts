/**
 * Measures saved searches: the time from the commit of new filings until all matches of many searches are stored, ready
 * to be sent.
 */
import registry from '../src/registry.ts'
import type { Sql } from '../src/store/db.ts'
import type { Named } from '../src/webhooks/search-step.ts'
import { searchNew } from '../src/webhooks/search-watch.ts'
import { logChange } from '../test/support/change-log.ts'
import { freshDatabase } from '../test/support/database.ts'
import { loadNotices } from '../test/support/formd-rows.ts'
import { quantile } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'

const SEARCHES = 10_000
const FILTERS = 1_000
/** Number of filings that are in the data already, and number of filings of one commit. */
const HELD = 2_000
const NEW = 20
const COMMITS = 5
const STATES = ['CA', 'NY', 'TX', 'FL', 'MA', 'IL', 'WA', 'CO', 'GA', 'PA']

const accessionOf = (n: number) => `0000000082-26-${String(n).padStart(6, '0')}`
const notice = (n: number) => ({
  ...{ accession: accessionOf(n), filedDate: '2026-07-01', state: STATES[n % STATES.length]! },
  ...{ name: `Generated Fund ${n}`, cik: String(1 + (n % 500)).padStart(10, '0'), sold: String(1_000 * n) },
})

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const { sql } = await freshDatabase(scope)
  const [searches, filters] = [part(SEARCHES, share, 20), part(FILTERS, share, 10)]
  const held = part(HELD, share, 40)
  for (let n = 0; n < held; n += 500) {
    await loadNotices(
      sql,
      Array.from({ length: Math.min(500, held - n) }, (_, at) => notice(n + at)),
    )
  }
  await sql`vacuum (analyze) formd.offering`
  const found: Row[] = []
  const kinds = { '/formd/filings': 'formd_filings', '/filings': 'filings', '/events': 'events' }
  for (const [path, list] of Object.entries(kinds)) {
    await save(sql, { path, list, searches, filters })
    const ms = await delays(sql, list === 'formd_filings' ? 'formd' : 'filings', held, share)
    found.push({
      section: 'searches',
      what: `${searches} searches of ${path}, ${filters} filters: commit to matches, p50`,
      ...{ ours: quantile(ms, 0.5), peer: 2_000, unit: 'ms' },
      note: `${NEW} new filings in a commit; the peer is the target`,
    })
    await sql`delete from core.search`
  }
  return found
}

async function save(
  sql: Sql,
  { path, list, searches, filters }: { path: string; list: string; searches: number; filters: number },
): Promise<void> {
  const state = list === 'formd_filings' ? `|| '&state=' || (array['${STATES.join("','")}'])[1 + n % 10]` : ''
  await sql.unsafe(`
    insert into core.search (search_id, name, list, address, created_at, since)
    select 'se' || n, 'made', '${list}', '${path}?cik=' || 1 + (n % ${filters}) ${state}, now(),
      (select coalesce(max(seq), 0) from core.event)
    from generate_series(1, ${searches}) n;
    insert into core.search_list (list, position, settled)
    select '${list}', coalesce(max(seq), 0), coalesce(max(seq), 0) from core.event`)
}

async function delays(sql: Sql, slug: string, held: number, share: number): Promise<number[]> {
  const onProblem = (list: string, reason: string): never => {
    throw new Error(`${list}: ${reason}`)
  }
  const onSetAside = ({ list, address }: Named, reason: string) => onProblem(`${list} ${address}`, reason)
  const parts = { sql, catalog: registry, now: () => new Date(), onProblem, onSetAside }
  const ms: number[] = []
  for (let commit = 0; commit < COMMITS; commit++) {
    const first = (commit * NEW) % held
    const keys = Array.from({ length: Math.min(NEW, part(NEW, share, 5)) }, (_, n) => accessionOf((first + n) % held))
    await logChange(sql, { slug, keys })
    const begun = performance.now()
    await searchNew(parts, new AbortController().signal)
    ms.push(performance.now() - begun)
  }
  return ms
}
