/** Does the work of `sample`, and of `serve` on a first start: loads the bundled sample, through the real pipeline. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type App, withSource } from '../app.ts'
import type { Config } from '../config.ts'
import { UserError } from '../declare/errors.ts'
import { beginSample, holdSample, sampleIsWhole, standingOf } from '../ingest/origin.ts'
import type { RunOutcome } from '../ingest/runs.ts'
import { SAMPLE_URL } from '../package.ts'
import registry from '../registry.ts'
import type { Claim } from './claim.ts'
import { type Run, refuseMore, type VOICE_OPTIONS } from './command.ts'
import { ingestFiles } from './ingest/bulk.ts'
import { ingestFilings } from './ingest/filings.ts'
import { opened, summedUp, type Work } from './progress/recorded.ts'
import { type Reporter, reporterOf } from './progress/reporter.ts'
import { rebuildOne } from './rebuild-work.ts'
import { sampleDigest } from './sample-digest.ts'
import { everyTask } from './wanted.ts'

export const run: Run<typeof VOICE_OPTIONS> = async ({ values, positionals }, config) => {
  refuseMore('sample', positionals)
  return sample(config, reporterOf(values))
}

const WAY_OUT =
  'and the bundled sample would mix with them: to see it, name another data folder with DATA_DIR, or another database ' +
  'with DATABASE_URL'

function sample(config: Config, reporter: Reporter): Promise<number> {
  return opened({ config, make: true, reporter }, async (parts) => {
    const onWait = () => reporter.note('another process is loading the first data: waiting for it')
    const outcome = await loadSample({ ...parts, config, sample: await sampleDigest() }, onWait)
    if (outcome === 'real') throw new UserError(`the database holds real filings, ${WAY_OUT}`)
    if (outcome === 'there') reporter.fact({ event: 'there' }, 'the bundled sample is already loaded')
    return outcome === 'there' ? 'done' : outcome
  })
}

/**
 * Makes sure that the whole sample is loaded. One process loads the sample while others wait; if that process is
 * killed, one of the waiting processes starts again. A database with real filings is left unchanged.
 *
 * @param sample digest of the sample
 * @param onBegin called if this process loads the sample, even if it first waited for another process
 */
export async function loadSample(
  {
    app,
    config,
    reporter,
    sample,
    signal,
  }: { app: App; config: Config; reporter: Reporter; sample: string; signal: AbortSignal },
  onWait: () => void,
  onBegin: () => void = () => {},
): Promise<RunOutcome | 'there' | 'real'> {
  const hold = await holdSample(app.sql, { onWait, signal })
  try {
    const { holds } = await standingOf(app.sql, sample)
    if (holds === 'sample') return 'there'
    if (holds === 'real') return 'real'
    onBegin()
    return await summedUp({ command: 'sample', what: '', app, reporter, signal }, async (work) => {
      await beginSample(app.sql, registry.slices)
      // Tables of another version are empty now, so they are rebuilt quickly.
      for (const { slug } of [...app.stale]) await rebuildOne(work, registry.slice(slug)!)
      app.stale.splice(0)
      await read(work, config)
      if (!signal.aborted) await sampleIsWhole(app.sql, sample)
    })
  } finally {
    await hold.release()
  }
}

async function read(work: Work, config: Config): Promise<void> {
  const app = withSource(work.app, config, SAMPLE_URL)
  // The sample's indexes and files are part of the package, so reading them is not reported.
  const quiet = { ...work, app, reporter: { ...work.reporter, fact() {} } }
  const all = { again: true, claim: UNCLAIMED }
  try {
    await ingestFilings(quiet, {
      ...all,
      datasets: everyTask(),
      from: '1993-01-01',
      retry: false,
      workers: 2,
      singly: true,
    })
    if (work.signal.aborted) return
    await ingestFiles(quiet, {
      ...{ ...all, datasets: registry.bulk, sources: [], retry: false, acceptGone: false },
      folder: companiesIn(fileURLToPath(SAMPLE_URL)),
    })
  } finally {
    await app.client.close()
  }
}

/**
 * The files of companies in a folder that has the sample's layout, and their day. This is the day of the sample's
 * newest feeds.
 */
export const companiesIn = (root: string) => ({
  day: '2026-07-23',
  files(folder: string): string[] {
    const at = path.join(root, folder)
    return existsSync(at) ? readdirSync(at).sort() : []
  },
})

/** Claims nothing, since `beginSample` has already recorded the origin of the data. */
const UNCLAIMED: Claim = {
  replaces: () => false,
  isMade: async () => true,
  inTransaction: async () => false,
  stored() {},
  renew: async () => {},
  release: async () => {},
}
