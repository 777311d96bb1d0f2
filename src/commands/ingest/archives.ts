/** Reads filings from EDGAR's archives of whole days, for `ingest`. */
import { readArchive } from '../../ingest/archives/read.ts'
import type { Selection } from '../../ingest/queue.ts'
import registry from '../../registry.ts'
import { type PlannedArchive, planArchives } from '../cost/archive-plan.ts'
import type { Work } from '../progress/recorded.ts'
import { number } from '../progress.ts'

/** Maximum number of damaged submissions that are named one by one. */
const SHOWN = 20

/** The archives of the days of a selection for which an archive takes less time than a request for each filing. */
export async function plannedArchives(
  { app, reporter, signal }: Pick<Work, 'app' | 'reporter' | 'signal'>,
  selection: Selection,
): Promise<PlannedArchive[]> {
  reporter.stage('looking for archives of whole days')
  const { sql, client } = app
  const { archives, failures } = await planArchives({ sql, client, signal }, selection)
  reporter.stage(null)
  for (const reason of failures) {
    reporter.note(`the list of archives cannot be read: ${reason}; filings are fetched one by one`, {
      event: 'no_archives',
      reason,
    })
  }
  return archives
}

/** Reads the archives, and adds the counts to the summary. Filings that an archive lacks wait for `readFilings`. */
export async function readArchives(
  { app, reporter, summary, signal }: Work,
  { datasets, from, to, ciks }: Selection,
  archives: readonly PlannedArchive[],
): Promise<void> {
  if (archives.length === 0) return
  summary.archives ??= { read: 0, filings: 0, corrected: 0, damaged: 0, failed: [] }
  const counts = summary.archives
  const corrected = new Set<string>()
  const { sql, client, submissions } = app
  // The newest archive is read first, so that a correction is met before the filing that it corrects. Filings that are
  // fetched one by one are read in this order too.
  for (const archive of archives.toSorted((a, b) => (a.day > b.day ? -1 : 1))) {
    if (signal.aborted) return
    const { day } = archive
    let done = 0
    reporter.stage(`reading the archive of ${day}`, archive.filings)
    const options = {
      ...{ sql, client, submissions, corrected, signal },
      catalog: registry,
      selection: { datasets, from, to, ciks },
      onTaken(filings: number) {
        done += filings
        counts.filings += filings
        reporter.progress(done)
      },
    }
    const result = await readArchive(options, archive).catch((error: unknown) => {
      if (signal.aborted) return undefined
      throw error
    })
    if (result === undefined) return
    const failure = result === null ? 'the host does not have it' : result.failure
    if (failure !== null) {
      counts.failed.push({ day, reason: failure })
      const words = `the archive of ${day} cannot be read: ${failure}; the filings that it lacks are fetched one by one`
      reporter.note(words, { event: 'archive_failed', day, reason: failure })
    }
    if (result === null) continue
    counts.read++
    counts.corrected += result.corrected
    counts.damaged += result.damaged.length
    for (const { accession, reason } of result.damaged.slice(0, SHOWN)) {
      const words = `in the archive of ${day}, ${accession} is damaged: ${reason}; this filing is fetched separately`
      reporter.note(words, { event: 'archive_damaged', day, accession, reason })
    }
    // The difference is negative if the archive turned out to be damaged.
    counts.filings += result.taken - done
    const { taken, members, corrected: own, damaged } = result
    reporter.fact(
      { event: 'archive', day, filings: taken, members, corrected: own, damaged: damaged.length },
      `the archive of ${day}: ${number(taken)} of its ${number(members)} filings were taken`,
    )
  }
}
