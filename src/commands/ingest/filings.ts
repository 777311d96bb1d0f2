/** Does the first half of `ingest`: loads EDGAR's indexes into the spine, and pending filings by their parsers. */
import type { App } from '../../app.ts'
import { UserError } from '../../declare/errors.ts'
import { unreadLines } from '../../ingest/backlog.ts'
import { crawl, resumeFrom } from '../../ingest/crawl.ts'
import { closeGaps } from '../../ingest/feed/gaps.ts'
import { drain } from '../../ingest/ingest.ts'
import {
  countOfSets,
  type Outcome,
  request,
  requestedFrom,
  requestedThrough,
  retryFailed,
  type Selection,
  takeUpSets,
} from '../../ingest/queue.ts'
import type { RunSummary } from '../../ingest/runs.ts'
import type { IndexResult } from '../../ingest/spine.ts'
import { pendingOf } from '../../ingest/waiting.ts'
import registry from '../../registry.ts'
import type { Claim } from '../claim.ts'
import type { PlannedArchive } from '../cost/archive-plan.ts'
import { cheaper, estimate, estimateText, isLong, isWorthReporting } from '../cost/estimate.ts'
import { confirmFiles } from '../cost/files.ts'
import { bringNamesOver } from '../filer-names.ts'
import type { Work } from '../progress/recorded.ts'
import type { Reporter } from '../progress/reporter.ts'
import { number } from '../progress.ts'
import { plannedArchives, readArchives } from './archives.ts'
import type { ChosenEntry } from './choose.ts'
import { assertCurrent } from './outdated.ts'
import { readProfiles } from './profiles.ts'

/**
 * Number of failures and unreadable lines that are reported one by one; all of them stay in the database and in
 * `status`.
 */
const SHOWN = 20

export interface FilingsWanted extends Selection {
  /** For a dataset without a family of its own: the families whose filings it reads. If absent, all families. */
  families?: readonly string[] | undefined
  /**
   * The filers that the operator chose. The profiles of these filers are read instead of the indexes. Their CIKs are in
   * `ciks` too. If absent, filings of all filers are wanted.
   */
  chosen?: readonly ChosenEntry[] | undefined
  /** For a run that follows EDGAR: returns the filers of the watch list if the list was changed, else null. */
  rechoose?: (() => Promise<readonly ChosenEntry[] | null>) | undefined
  again: boolean
  retry: boolean
  workers: number
  /** Whether filings are fetched one by one even if archives of whole days would take less time. */
  singly: boolean
  claim: Claim
  /** Asks whether a long run is wanted; absent if no person can be asked. */
  confirm?: ((question: string) => Promise<boolean>) | undefined
}

/**
 * Reads the indexes of the period, then every pending filing of the selection.
 *
 * @returns false if the operator does not want the filings at that cost
 */
export async function ingestFilings(work: Work, wanted: FilingsWanted): Promise<boolean> {
  const { app, reporter } = work
  assertCurrent(app, wanted.datasets)
  await bringNamesOver(app, reporter)
  if (wanted.retry) {
    const count = await retryFailed(app.sql, wanted, work.signal)
    reporter.fact({ event: 'taken_up', filings: count }, `${number(count)} failed filings are tried again`)
  }
  const requested = await requestedOf(app, wanted)
  if (!(await readLists(work, wanted))) return false
  // As long as the database has the sample, the tasks that wait are the sample's.
  if (work.signal.aborted || !(await wanted.claim.isMade())) return true
  const { to, families, ciks } = wanted
  for (const { dataset, from } of requested) await request(app.sql, dataset, { from, to, families, ciks }, work.signal)
  if (!wanted.ofSets) await reportSets(work, wanted)
  const archives = wanted.singly ? [] : await plannedArchives(work, wanted)
  const isWanted = await confirmCost(work, wanted, archives)
  if (isWanted) {
    if (wanted.ofSets) await takeUpSets(app.sql, wanted, work.signal)
    await readArchives(work, wanted, archives)
    await readFilings(work, wanted)
  } else work.skip('filings', 'they were declined because of their cost; they wait for a later run')
  return isWanted
}

/** Reports how many filings are not fetched, because they have their rows from quarterly sets. */
async function reportSets({ app, reporter }: Work, selection: Selection): Promise<void> {
  const filings = await countOfSets(app.sql, selection)
  if (filings === 0) return
  reporter.fact(
    { event: 'of_sets', filings },
    `${number(filings)} filings have rows from quarterly sets and are not fetched; --submissions reads them too`,
  )
}

/**
 * Reads the lists of filings: indexes, or the profiles of chosen filers. @returns false if the operator does not want
 * the lists at that cost
 */
export const readLists = (work: Work, wanted: FilingsWanted): Promise<boolean> =>
  wanted.chosen ? readProfiles(work, wanted) : readIndexes(work, wanted)

/**
 * Reports the cost of reading the filings, and asks whether a long run is wanted. @returns whether the filings are
 * wanted
 */
export async function confirmCost(
  { app, reporter, signal }: Pick<Work, 'app' | 'reporter' | 'signal'>,
  { confirm, ...selection }: Selection & Pick<FilingsWanted, 'confirm'>,
  archives: readonly PlannedArchive[] = [],
): Promise<boolean> {
  reporter.stage('estimating')
  const { perSecond } = app.client
  const cost = await estimate(app.sql, selection, { perSecond, originals: app.keeping.originals ?? false, archives })
  reporter.stage(null)
  if (!isWorthReporting(cost)) return true
  const long = isLong(cost)
  const hints = long ? cheaper(cost, selection) : []
  reporter.fact({ event: 'estimate', ...cost, cheaper: hints }, estimateText(cost, selection))
  return !long || !confirm || signal.aborted || (await confirm('read them now?'))
}

/**
 * Returns the wanted datasets without a family, each with the day from which it reads. The day has no default: without
 * a day, such a dataset would read all filings of its forms since 1993, which are millions.
 *
 * @throws UserError if no day is given, and the dataset has read nothing yet from which it could continue
 */
export async function requestedOf(
  { sql }: Pick<App, 'sql'>,
  { datasets, from, families, chosen }: Pick<FilingsWanted, 'datasets' | 'from' | 'families' | 'chosen'>,
) {
  const ciks = chosen?.map(({ cik }) => cik)
  const wanted = registry.filings.filter(({ slug, family }) => !family && datasets.includes(slug))
  return Promise.all(
    wanted.map(async (dataset) => {
      const continued = () => (ciks ? requestedFrom(sql, dataset, ciks) : requestedThrough(sql, dataset))
      const day = from ?? (families ? null : await continued())
      if (day !== null) return { dataset, from: day }
      const { slug } = dataset
      throw new UserError(
        `${slug}: give the first day, as in "openfilings ingest ${slug} --from 2026-01-01"; later runs continue without --from, for all corpora of ${slug}`,
      )
    }),
  )
}

/**
 * Reads the indexes, and adds the counts to the summary.
 *
 * @returns false if the operator does not want the indexes at that cost
 */
async function readIndexes(work: Work, { claim, again, confirm, ...range }: FilingsWanted): Promise<boolean> {
  const { app, reporter, summary, signal } = work
  const now = new Date()
  const from = range.from ?? (await resumeFrom(app.sql, app.client, now))
  const to = range.to ?? now.toISOString().slice(0, 10)
  summary.indexes ??= { read: 0, damaged: 0, filings: 0, added: 0, changed: 0, removed: 0 }
  const counts = summary.indexes
  const readBefore = counts.read
  const unseen: string[] = []
  let areWanted = true
  reporter.stage('reading indexes')
  await crawl({
    sql: app.sql,
    client: app.client,
    catalog: registry,
    onRefused: work.refused,
    onMaking: work.making,
    from,
    to,
    now,
    again: again || claim.replaces(),
    claim: claim.inTransaction,
    signal,
    async onPlan(paths) {
      const files = paths.map((path) => ({ name: path.replace(/^.*\//, ''), as: null }))
      const cheaper = ['a later --from reads fewer quarters']
      const { perSecond } = app.client
      areWanted = await confirmFiles(work, {
        what: 'indexes of whole quarters',
        files,
        mean: null,
        perSecond,
        cheaper,
        confirm,
      })
      reporter.stage('reading indexes')
      return areWanted
    },
    onNext: (_path, done, total) => reporter.progress(done, total),
    onIndex(result) {
      if (result.unseen > 0) unseen.push(result.url)
      if (result.filings > 0) claim.stored()
      reportIndex(reporter, counts, result)
    },
  })
  if (!areWanted) {
    work.skip('indexes', 'they were declined because of their cost; a later run reads them')
    return false
  }
  await reportGapsAndLines(work, unseen, now)
  if (!(await claim.isMade())) {
    work.skip('filings', `${app.client.baseUrl} has no index of filings from ${from} to ${to} that can be read`)
  } else if (counts.read === readBefore) {
    reporter.fact({ event: 'no_index', from, to }, `there is no new index from ${from} on`)
  }
  return true
}

function reportIndex(reporter: Reporter, counts: NonNullable<RunSummary['indexes']>, result: IndexResult): void {
  const { url, filings, added, changed, removed, restored, suspected, withheld, isOlder, problems } = result
  counts.read++
  for (const name of ['filings', 'added', 'changed', 'removed'] as const) counts[name] += result[name]
  if (problems > 0) counts.damaged++
  const more = [
    ...(restored > 0 ? [`${restored} of the new filings had been removed and are back`] : []),
    ...(suspected > 0
      ? [`${suspected} known filings are not in this index, and are removed if the next index lacks them too`]
      : []),
    ...(withheld !== null ? [`nothing was removed: ${withheld}`] : []),
    ...(isOlder ? ['nothing was taken from this index: it is older than the one that was read before'] : []),
  ]
  reporter.fact(
    {
      ...{ event: 'index', url, filings, added, changed, removed, restored, suspected, problems },
      ...{ withheld, is_older: isOlder },
    },
    [`${url}: ${filings} filings, ${added} new, ${changed} changed, ${removed} removed`, ...more].join('; '),
  )
}

/** Reports the gaps of the feed that the indexes have closed, and the lines of the indexes that no earlier run met. */
async function reportGapsAndLines(work: Work, unseen: readonly string[], now: Date): Promise<void> {
  const { app, reporter } = work
  for (const { after_at, before_at } of await closeGaps(app.sql, app.client.baseUrl, now)) {
    reporter.fact(
      { event: 'gap_closed', after: after_at, before: before_at },
      `the indexes have listed the filings that the feed lost between ${after_at} and ${before_at}`,
    )
  }
  // A damaged line stays in its index for good, so only lines that no earlier run met are a problem.
  work.problem(unseen.length)
  for (const { index_url, line, reason, content } of await unreadLines(app.sql, unseen, SHOWN)) {
    const fields = { event: 'unread_line', url: index_url, line, reason, content }
    reporter.problem(fields, `${index_url} line ${line} ${reason}: ${JSON.stringify(content)}`)
  }
}

/**
 * Reads the filings that wait, and adds the counts to the summary. Long: all figures that the run reports go into one
 * summary.
 *
 * @param limits `until` and `retries` have the same meaning as for `drain`
 */
export async function readFilings(
  work: Work,
  {
    claim: _,
    again: _again,
    retry: _retry,
    singly: _singly,
    families: _families,
    chosen: _chosen,
    rechoose: _rechoose,
    workers,
    ...selection
  }: FilingsWanted,
  limits: Pick<Parameters<typeof drain>[0], 'until' | 'retries'> = {},
): Promise<void> {
  const { app, reporter, summary, signal } = work
  summary.filings ??= { read: 0, failed: 0, unread: 0, pending: 0, by: {} }
  const counts = summary.filings
  const total = await pendingOf(app.sql, selection)
  counts.pending = total
  let done = 0
  let failed = 0
  reporter.stage('reading filings', total)
  await drain({
    sql: app.sql,
    catalog: registry,
    onRefused: work.refused,
    onMaking: work.making,
    submissions: app.submissions,
    selection,
    workers,
    signal,
    ...limits,
    onBatch(outcomes) {
      for (const outcome of outcomes) count(outcome)
      counts.pending = Math.max(0, total - done)
      reporter.progress(done)
    },
  })
  work.problem(failed)
  if (failed > SHOWN) {
    const more = failed - SHOWN
    reporter.problem(
      { event: 'more_failures', filings: more },
      `${more} more filings failed; "openfilings status" lists them`,
    )
  }

  function count({ task, error, unreadPaths }: Outcome): void {
    const { accession, form_type, dataset } = task
    counts.by[dataset] ??= { read: 0, failed: 0 }
    const own = counts.by[dataset]
    counts.unread += unreadPaths.length
    done++
    if (error === null) {
      counts.read++
      own.read++
      own.read_at = new Date().toISOString()
      return
    }
    counts.failed++
    own.failed++
    if (++failed > SHOWN) return
    reporter.problem(
      { event: 'failure', accession, form_type, dataset, reason: error },
      `${accession} (${form_type}) failed: ${error}`,
    )
  }
}
