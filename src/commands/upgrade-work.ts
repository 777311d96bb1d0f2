/**
 * Rebuilds, at a start, the slices whose tables an older version built. Each is rebuilt after the slices from which it
 * is made. Any number of processes may do this at the same time. Each slice is rebuilt by one process, while the others
 * wait.
 */
import type { App } from '../app.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import { sourcesOf } from '../declare/sources.ts'
import { endingOf, fullDiskOf } from '../ingest/failures.ts'
import { replaceViews } from '../ingest/rebuild/swap.ts'
import registry from '../registry.ts'
import { isOutdated } from '../store/shape.ts'
import { summedUp } from './progress/recorded.ts'
import type { Reporter } from './progress/reporter.ts'
import { rebuildOne } from './rebuild-work.ts'

interface Upgrading {
  app: App
  reporter: Reporter
  signal: AbortSignal
  /** Called before each slice is rebuilt, with a description of the stage for `/readyz`. */
  onStage?: (stage: string) => void
}

/**
 * Rebuilds the slices whose tables have an outdated definition. If only the views of a slice are outdated, replaces the
 * views. Removes each such slice from `app.stale`. If a slice cannot be rebuilt, it and the slices that are made from
 * it stay in `app.stale` and keep their old rows. The others are rebuilt.
 *
 * @returns the slices that were not rebuilt, each with the reason
 * @throws errors that end the run (the disk is full, the database cannot be reached), and the signal's reason
 */
export async function rebuildOutdated({
  app,
  reporter,
  signal,
  onStage,
}: Upgrading): Promise<ReadonlyMap<string, string>> {
  const failed = new Map<string, string>()
  const fail = (slug: string, reason: string) => {
    failed.set(slug, reason)
    reporter.note(`${slug} could not be rebuilt, its old rows are kept, and the next start tries again: ${reason}`)
  }
  const { slices } = registry
  const outdated = new Map(app.stale.filter(isOutdated).map((each) => [each.slug, each]))
  for (const slice of slices.filter(({ slug }) => outdated.has(slug))) {
    const { slug } = slice
    const stale = outdated.get(slug)!
    const source = sourcesOf(slices, slice).find((one) => failed.has(one.slug))
    if (source) {
      fail(slug, `it is made of ${source.slug}, which could not be rebuilt`)
      continue
    }
    const isViews = stale.reason === 'views'
    onStage?.(isViews ? `replacing the views of ${slug}` : `rebuilding ${slug}`)
    reporter.note(
      isViews ? `the views of ${slug} changed: replacing them` : `the tables of ${slug} changed: rebuilding them`,
    )
    const onWait = () => {
      onStage?.(`another process is rebuilding ${slug}`)
      reporter.note(`another process is rebuilding ${slug}: waiting for it`)
    }
    try {
      if (isViews) await replaceViews({ sql: app.sql, slices, signal, onWait }, slice)
      else {
        await summedUp({ command: 'rebuild', what: slug, app, reporter, signal }, (work) =>
          rebuildOne(work, slice, { onWait }),
        )
      }
      app.stale.splice(app.stale.indexOf(stale), 1)
    } catch (error) {
      if (signal.aborted) throw error
      const full = fullDiskOf(error, app.disk)
      if (full !== null) throw new UserError(diskFull(slug, full), { cause: error })
      if (endingOf(error) !== null) throw error
      fail(slug, messageOf(error))
    }
    signal.throwIfAborted()
  }
  return failed
}

const diskFull = (slug: string, disk: string) =>
  `${disk} is full: ${slug} could not be rebuilt, and its old rows are as they were; ` +
  'make room for as much as its tables take, and start again: the rebuild continues where it stopped'
