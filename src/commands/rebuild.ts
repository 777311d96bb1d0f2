/** `rebuild <dataset> …`: the archive read again with the current parser. */
import { type App, open } from '../app.ts'
import type { Config } from '../config.ts'
import { rebuildBulk } from '../core/bulk/rebuild.ts'
import { type Dataset, isFilings } from '../core/dataset.ts'
import { UserError } from '../core/errors.ts'
import { collectEarly } from '../core/memory.ts'
import { rebuild } from '../core/rebuild.ts'
import registry from '../registry.ts'
import { argumentsOf } from './arguments.ts'

export async function rebuildDatasets(args: string[], config: Config): Promise<number> {
  const { positionals } = argumentsOf(args, {})
  if (positionals.length === 0) throw new UserError('rebuild needs the slug of a dataset')
  const datasets = positionals.map((slug) => {
    const found = registry.datasets.find((dataset) => dataset.slug === slug)
    if (!found) throw new UserError(`there is no dataset ${JSON.stringify(slug)}`)
    return found
  })
  collectEarly()
  const app = await open(config, { log: (line) => process.stderr.write(`openfilings: ${line}\n`) })
  try {
    let failures = 0
    for (const dataset of datasets) {
      const { told, failed } = await rebuildOne(app, dataset)
      process.stdout.write(`${dataset.slug}: ${told}\n`)
      failures += failed
    }
    return failures > 0 ? 1 : 0
  } finally {
    await app.close()
  }
}

/** Rebuilds a dataset of either kind; `told` says of it what a person wants to know. */
export async function rebuildOne(app: App, dataset: Dataset): Promise<{ told: string; failed: number }> {
  if (isFilings(dataset)) {
    const { filings, failed } = await rebuild(app, dataset)
    return { told: `${filings} filings read again, ${failed} failed`, failed }
  }
  const { editions, records, lost } = await rebuildBulk(app, dataset)
  return { told: `${records} records of ${editions} editions read again, ${lost} lost`, failed: lost }
}
