/**
 * Makes the rollup rows of marked keys: many keys at once, in a short transaction for each slice. A run refreshes at
 * its end, and about every minute while it loads.
 */
import type { Slice } from '../declare/dataset.ts'
import { sourcesOf } from '../declare/sources.ts'
import { analyzeChanged } from '../store/analyze.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { dataChanged } from '../store/meta.ts'
import { ddlHashOf, ofOtherShape } from '../store/schema.ts'
import { stoppable } from '../store/stoppable.ts'
import { makeRows, type Refused } from './making.ts'
import { add, followed, followersOf, mark, markAll, type Touched } from './marks.ts'
import { holdRefresh, tryRefresh } from './order.ts'
import { journal } from './rebuild/shadow.ts'

export interface Refreshing {
  sql: Sql
  /** All slices, each after the slices that it follows. */
  slices: readonly Slice[]
  /** Called at the end for each key that the database refused. */
  onRefused?: ((refused: Refused) => void) | undefined
  /**
   * Called before the rollups of a slice are made at the end of the work: minutes may then pass without other progress.
   */
  onMaking?: ((slug: string) => void) | undefined
  /** How often a long run refreshes, in milliseconds. */
  refreshMs?: number | undefined
  /** A run that is stopped leaves its marks to the next run. */
  signal?: AbortSignal | undefined
}

const REFRESH_MS = 60_000

/**
 * Runs the work. Then refreshes the marked keys, also those that a killed run has left. If the work fails midway, the
 * rollups of the loaded part are still made.
 *
 * @param work calls `loaded` after each commit
 * @throws any error that the work throws, and errors of the database for which `endsRun` is true
 */
export async function refreshing<T>(options: Refreshing, work: (loaded: () => void) => Promise<T>): Promise<T> {
  const { sql, refreshMs = REFRESH_MS, signal } = options
  const [{ started } = { started: '' }] = await sql<{ started: string }[]>`select clock_timestamp() as started`
  let inFlight: Promise<void> | null = null
  let before = performance.now()
  const loaded = () => {
    if (inFlight || performance.now() - before < refreshMs) return
    // If a refresh fails now, it is repeated at the end, and that refresh reports the reason.
    inFlight = refreshMarked(options, { started, waits: false })
      .catch(() => {})
      .then(() => {
        inFlight = null
        before = performance.now()
      })
  }
  let result: T
  try {
    result = await work(loaded)
  } catch (error) {
    await inFlight
    // The error that made the work fail may make the refresh fail too.
    if (!signal?.aborted) await refreshMarked(options, { started, waits: true }).catch(() => {})
    throw error
  }
  await inFlight
  if (signal?.aborted) return result
  try {
    await refreshMarked(options, { started, waits: true })
  } catch (error) {
    if (signal?.aborted) return result
    throw error
  }
  const refused = await sql<Refused[]>`
    select slug, key, reason from core.mark where reason is not null and made_at >= ${started} order by slug, key`
  for (const each of refused) options.onRefused?.(each)
  return result
}

interface When {
  /** Time at which the run began: keys that were refused before this time are tried again. */
  started: string
  /** True to wait for another process that refreshes the same slice. */
  waits: boolean
}

async function refreshMarked({ sql, slices, onMaking, signal }: Refreshing, when: When): Promise<void> {
  let isAnalyzed = false
  const made = slices.filter(({ refresh }) => refresh)
  let due = await dueOf(sql, made, when)
  for (const slice of made) {
    if (!due.has(slice.slug)) continue
    // During an upgrade, a slice from which this slice is made may still have the views of another version. This slice
    // is then skipped: the rebuild of that other slice marks its followers again.
    const lacking = await ofOtherShape(sql, [slice, ...sourcesOf(slices, slice)])
    if (lacking.length > 0) continue
    if (when.waits) onMaking?.(slice.slug)
    if (!isAnalyzed) await analyzeChanged(sql, slices)
    isAnalyzed = true
    await stoppable(sql, signal, (tx) => refreshSlice(tx, slices, slice, when))
    // Making the rollups of a slice marks the rollups of other slices that are made from these rollups.
    due = await dueOf(sql, made, when)
  }
}

/**
 * Returns the slugs of those slices among the given slices that have due marks. One statement checks all slices,
 * because most loads mark only a few of them. Each slug is looked up by the index, because there may be a million marks
 * after a large load.
 */
async function dueOf(sql: Sql, slices: readonly Slice[], when: When): Promise<ReadonlySet<string>> {
  const rows = await sql<{ slug: string }[]>`
    select own.slug from unnest(${slices.map(({ slug }) => slug)}::text[]) as own (slug)
    where (select true from core.mark m where m.slug = own.slug and ${isDue(sql, when)} limit 1)`
  return new Set(rows.map(({ slug }) => slug))
}

/**
 * A refused mark is due in the next run. If the time of the mark is in the future, the clock was set back after the
 * mark was made, and the mark is due at once.
 */
const isDue = (sql: Sql | Transaction, { started }: When) =>
  sql`(reason is null or made_at < ${started} or made_at > clock_timestamp())`

async function refreshSlice(tx: Transaction, slices: readonly Slice[], slice: Slice, when: When): Promise<void> {
  const { slug } = slice
  // A rebuild that is swapping tables makes the rows of all keys itself.
  const [built] = await tx<{ ddl_hash: string }[]>`
    select ddl_hash from core.dataset where slug = ${slug} for share skip locked`
  if (built?.ddl_hash !== ddlHashOf(slice)) return
  if (when.waits) await holdRefresh(tx, slug)
  else if (!(await tryRefresh(tx, slug))) return
  const taken = await tx<{ key: string | null }[]>`
    delete from core.mark m where slug = ${slug} and (
      ${isDue(tx, when)} or exists (
        select from core.mark n where n.slug = m.slug and n.key is not distinct from m.key and n.reason is null))
    returning key`
  const keys = new Set(taken.map(({ key }) => key))
  if (keys.size === 0) return
  if (keys.has(null)) await tx`delete from core.mark where slug = ${slug}`
  // A running rebuild makes the rows of these keys in its shadow too.
  await journal(tx, slice, 'rollup', [...keys])
  await make(tx, slices, slice, keys.has(null) ? null : ([...keys] as string[]))
  await dataChanged(tx, [slug])
}

/** Makes the rows of the given keys (null: of all keys). Marks the keys of other slices that depend on these keys. */
async function make(
  tx: Transaction,
  slices: readonly Slice[],
  slice: Slice,
  keys: readonly string[] | null,
): Promise<void> {
  const { slug } = slice
  const all = followersOf(slices, slice)
  // Followers whose tables have another version cannot be queried for keys, so all their keys are marked below.
  const other = await ofOtherShape(tx, all)
  const followers = all.filter((each) => !other.includes(each))
  const touched: Touched = new Map()
  const findTouched = async () => {
    for (const each of followers) add(touched, each.slug, keys ? await followed(tx, each, slug, keys, 'make') : [])
  }
  await findTouched()
  await makeRows(tx, slice, keys)
  await findTouched()
  await mark(tx, touched)
  await markAll(tx, keys === null ? all : other)
}
