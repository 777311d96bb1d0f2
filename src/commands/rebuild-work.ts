/** Does the work of `rebuild`, for `serve` and `sample` too. */
import { isBulk, isFilings, type Slice } from '../declare/dataset.ts'
import { UserError } from '../declare/errors.ts'
import { didYouMeanFamily } from '../declare/family-meant.ts'
import { inOneLine } from '../declare/visible.ts'
import { rebuildBulk } from '../ingest/bulk/rebuild.ts'
import { collectEarly, keepYoungSmall } from '../ingest/memory.ts'
import { rebuildProduct } from '../ingest/rebuild/product.ts'
import { rebuild } from '../ingest/rebuild.ts'
import { refreshing } from '../ingest/refresh.ts'
import registry from '../registry.ts'
import { makeLostViews } from '../store/schema.ts'
import type { Run, VOICE_OPTIONS } from './command.ts'
import { recorded, type Work } from './progress/recorded.ts'
import { reporterOf } from './progress/reporter.ts'
import { number } from './progress.ts'

export const run: Run<typeof VOICE_OPTIONS> = async ({ values, positionals }, config) => {
  const slugs = registry.slices.map(({ slug }) => slug)
  if (positionals.length === 0)
    throw new UserError(`rebuild needs at least one dataset; available: ${slugs.join(', ')}`)
  const datasets = positionals.map((slug) => {
    const found = registry.slices.find((dataset) => dataset.slug === slug)
    if (!found) {
      const meant = didYouMeanFamily(slug, slugs, registry.families)
      throw new UserError(`unknown dataset ${JSON.stringify(slug)}${meant || `; available: ${slugs.join(', ')}`}`)
    }
    return found
  })
  collectEarly()
  keepYoungSmall()
  return recorded(
    { command: 'rebuild', what: positionals.join(' '), config, make: false, reporter: reporterOf(values) },
    async (work) => {
      const { app, signal, refused, making } = work
      const { sql } = app
      const { slices } = registry
      await makeLostViews(sql, slices)
      // Followers are refreshed once, after all datasets: a follower may read several of these datasets, and a dataset
      // may have no tables before its own rebuild.
      await refreshing({ sql, slices, onRefused: refused, onMaking: making, signal }, async () => {
        // Each slice comes after the slices from which it is made, in whatever order the operator named them.
        for (const dataset of slices) if (datasets.includes(dataset)) await rebuildOne(work, dataset)
      })
    },
  )
}

/**
 * Rebuilds a slice of any kind, and marks its followers, which the caller refreshes.
 *
 * @param onWait given by an upgrade, and called if another process is rebuilding the slice. The work of that process is
 *   not repeated
 */
export async function rebuildOne(work: Work, slice: Slice, { onWait }: { onWait?: () => void } = {}): Promise<void> {
  const { app, reporter, summary, signal } = work
  const { sql } = app
  const { slices } = registry
  const { slug } = slice
  reporter.stage(`rebuilding ${slug}: ${isFilings(slice) ? 'filings' : isBulk(slice) ? 'files' : 'rollups'}`)
  const onProgress = (done: number, total: number) => reporter.progress(done, total)
  let isDone = false
  const onDone = () => {
    isDone = true
  }
  const upgrade = onWait && { onWait, onDone }
  const parts = { sql, slices, submissions: app.submissions, store: app.store, onProgress, signal, upgrade }
  async function build() {
    if (isFilings(slice)) {
      const { filings, failed } = await rebuild(parts, slice)
      return { read: filings, failed, report: `${number(filings)} filings read again, ${number(failed)} failed` }
    }
    if (isBulk(slice)) {
      let shown = 0
      const onLost = (name: string, { key, reason }: { key: string; reason: string }) => {
        if (++shown > LOST_SHOWN) return
        reporter.fact({ event: 'lost_record', name, key, reason }, inOneLine(`${name}, record ${key}: ${reason}`))
      }
      const { editions, records, lost } = await rebuildBulk({ ...parts, onLost }, slice)
      const report = `${number(records)} records of ${editions} files read again, ${number(lost)} lost`
      return { read: records, failed: lost, report }
    }
    await rebuildProduct(parts, slice)
    return { read: 0, failed: 0, report: 'rollups made again' }
  }
  const { read, failed, report } = await build()
  if (isDone) return reporter.note(`another process has rebuilt ${slug}`)
  summary.rebuilt = { ...summary.rebuilt, [slug]: { read, failed } }
  reporter.fact({ event: 'rebuilt', dataset: slug, read, failed }, `${slug}: ${report}`)
  work.problem(failed)
}

/** Number of lost records that are reported one by one; up to 1,000 of each file stay in the database. */
const LOST_SHOWN = 20
