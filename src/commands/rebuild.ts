/** `rebuild <dataset> …`: the archive read again with the current parser. */
import { open } from '../app.ts'
import type { Config } from '../config.ts'
import { UserError } from '../core/errors.ts'
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
  const app = await open(config, { log: (line) => process.stderr.write(`openfilings: ${line}\n`) })
  try {
    let failures = 0
    for (const dataset of datasets) {
      const { filings, failed } = await rebuild(app, dataset)
      process.stdout.write(`${dataset.slug}: ${filings} filings read again, ${failed} failed\n`)
      failures += failed
    }
    return failures > 0 ? 1 : 0
  } finally {
    await app.close()
  }
}
