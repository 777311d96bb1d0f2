/** Does the work of `rebuild`, for `serve` and `sample` too. */
import { isBulk, isFilings, type Slice } from '../declare/dataset.ts'
import { UserError } from '../declare/errors.ts'
import { rebuildBulk } from '../ingest/bulk/rebuild.ts'
import { collectEarly, keepYoungSmall } from '../ingest/memory.ts'
import { rebuild } from '../ingest/rebuild.ts'
import { rebuildProduct } from '../ingest/rebuild-product.ts'
import { refreshing } from '../ingest/refresh.ts'
import { didYouMean } from '../misspelt.ts'
import registry from '../registry.ts'
import { makeLostViews } from '../store/schema.ts'
import type { Run, VOICE_OPTIONS } from './command.ts'
import { number } from './progress.ts'
import { recorded, type Work } from './recorded.ts'
import { reporterOf } from './reporter.ts'

export const run: Run<typeof VOICE_OPTIONS> = async ({ values, positionals }, config) => {
  const slugs = registry.slices.map(({ slug }) => slug)
  if (positionals.length === 0) throw new UserError(`rebuild wants datasets: ${slugs.join(', ')}`)
  const datasets = positionals.map((slug) => {
    const found = registry.slices.find((dataset) => dataset.slug === slug)
    if (!found) {
      const meant = didYouMean(slug, slugs)
      throw new UserError(`there is no dataset ${JSON.stringify(slug)}${meant || `; there are ${slugs.join(', ')}`}`)
    }
    return found
  })
  collectEarly()
  keepYoungSmall()
  return recorded(
    { command: 'rebuild', what: positionals.join(' '), config, make: false, reporter: reporterOf(values) },
    async (work) => {
      await makeLostViews(work.app.sql, registry.slices)
      for (const dataset of datasets) await rebuildOne(work, dataset)
    },
  )
}

/** Rebuilds a slice of any kind, and what follows it. */
export async function rebuildOne(work: Work, slice: Slice): Promise<void> {
  const { app, reporter, summary, signal, refused } = work
  const { sql } = app
  const { slices } = registry
  const { slug } = slice
  reporter.stage(`rebuilding ${slug}: ${isFilings(slice) ? 'filings' : isBulk(slice) ? 'files' : 'rollups'}`)
  const onProgress = (done: number, total: number) => reporter.progress(done, total)
  const parts = { sql, slices, submissions: app.submissions, store: app.store, onProgress, signal }
  async function build() {
    if (isFilings(slice)) {
      const { filings, failed } = await rebuild(parts, slice)
      return { read: filings, failed, told: `${number(filings)} filings read again, ${number(failed)} failed` }
    }
    if (isBulk(slice)) {
      const { editions, records, lost } = await rebuildBulk(parts, slice)
      const told = `${number(records)} records of ${editions} files read again, ${number(lost)} lost`
      return { read: records, failed: lost, told }
    }
    await rebuildProduct(parts, slice)
    return { read: 0, failed: 0, told: 'rollups made again' }
  }
  const { read, failed, told } = await refreshing({ sql, slices, onRefused: refused, signal }, build)
  summary.rebuilt = { ...summary.rebuilt, [slug]: { read, failed } }
  reporter.fact({ event: 'rebuilt', dataset: slug, read, failed }, `${slug}: ${told}`)
  work.problem(failed)
}
