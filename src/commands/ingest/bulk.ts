/**
 * Does the second half of `ingest`, and all of `ingest adv`: loads files of a publisher, from the publisher's lists or
 * from disk.
 */

import type { App } from '../../app.ts'
import type { BulkDataset } from '../../declare/dataset.ts'
import { UserError } from '../../declare/errors.ts'
import { inOneLine } from '../../declare/visible.ts'
import type { EdgarClient } from '../../fetch/client.ts'
import { type BulkOptions, type DatedPlace, type EditionOutcome, ingestBulk } from '../../ingest/bulk/ingest.ts'
import registry from '../../registry.ts'
import type { Claim } from '../claim.ts'
import { confirmFiles } from '../cost/files.ts'
import type { Work } from '../progress/recorded.ts'
import { isOfCompanies, isOfPdfs } from '../wanted.ts'
import { outdatedOf } from './outdated.ts'

export interface BulkWanted {
  datasets: readonly BulkDataset[]
  /** Addresses of lists, or local files; if empty, the lists of the publisher's site are used. */
  sources: readonly string[]
  /** Companies whose own files are wanted, ten digits each, instead of the files of all companies. */
  ciks?: readonly string[] | undefined
  /** File names of single brochures that are wanted, instead of the zips that are listed. */
  versions?: readonly string[] | undefined
  /**
   * For the bundled sample: the files of companies in a folder, which is read instead of the hosts, and the day of
   * these files.
   */
  folder?: Pick<DatedPlace, 'files' | 'day'>
  from?: string | undefined
  to?: string | undefined
  again: boolean
  /** Whether PDFs that could not be read are tried again. */
  retry: boolean
  acceptGone: boolean
  /** Whether the archive keeps the files of editions that newer editions replace. */
  originals?: boolean
  claim: Claim
  /** Asks whether a long run is wanted; absent if no person can be asked. */
  confirm?: ((question: string) => Promise<boolean>) | undefined
}

/** Addresses among the sources of `ingest adv`; the others are local files. */
export const isAddress = (source: string) => URL.canParse(source) && /^(https?|file):/.test(source)

/** A list's address as host and path. For a list on disk (`file:`), the folder of the list is the host. */
export function hostAndPath(address: string): { host: string; path: string } {
  const url = new URL(address)
  if (url.protocol !== 'file:') return { host: url.origin, path: url.pathname }
  const folder = url.href.replace(/\/[^/]*$/, '')
  return { host: folder, path: url.href.slice(folder.length) }
}

/** Loads the editions, from lists or from local files, that the database lacks. */
export async function ingestFiles(work: Work, wanted: BulkWanted): Promise<void> {
  const { app } = work
  assertFilesCurrent(app, wanted.datasets)
  const addresses = wanted.sources.filter(isAddress)
  const files = wanted.sources.filter((source) => !isAddress(source))
  const of = wanted.datasets.every(isOfCompanies) ? 'companies' : 'advisers'
  work.summary.editions = { of, loaded: 0, known: 0, failed: [] }
  if (files.length > 0) await load(work, wanted, { client: app.adviserClient, files })
  for (const address of addresses) {
    const { host, path } = hostAndPath(address)
    await load(work, wanted, { client: app.clientOf(host), manifests: [path] })
  }
  if (wanted.versions) {
    const client = app.filesClient
    await load(work, wanted, { client, single: { client, names: wanted.versions } })
  } else if (wanted.sources.length === 0) {
    const { client, dataClient } = app
    const dated: DatedPlace = { client, dataClient, ciks: wanted.ciks, ...wanted.folder }
    await load(work, wanted, { client: app.adviserClient, dated })
  }
  const { loaded, failed } = work.summary.editions
  if (loaded + failed.length === 0 && !work.signal.aborted) {
    work.reporter.fact({ event: 'no_edition' }, 'there is no new file to load')
  }
}

/** @throws UserError if another version of the code made the tables of these datasets, or of their followers */
export function assertFilesCurrent(app: App, datasets: readonly BulkDataset[]): void {
  const slugs = datasets.map(({ slug }) => slug)
  const follower = outdatedOf(app, slugs)?.slug
  if (follower !== undefined && !slugs.includes(follower)) {
    throw new UserError(`the tables of ${follower} are outdated: run "openfilings rebuild ${follower}"`)
  }
  const stale = app.stale.find(({ slug }) => slugs.includes(slug))
  if (!stale) return
  const { slug } = stale
  // If another version of the parser read the stored records, each record would seem changed.
  throw new UserError(`${slug} was read by another version of the code: run "openfilings rebuild ${slug}"`)
}

/** Begins the count of editions in the summary. If the run then follows EDGAR, the same count continues. */
export function startEditions({ summary }: Work, of: 'companies' | 'advisers'): void {
  summary.editions ??= { of, loaded: 0, known: 0, failed: [] }
  summary.editions.failed = []
}

/** Loads the SEC's lists of tickers if they changed, and nothing else. */
export async function loadTickerLists(
  work: Work,
  { claim, again }: Pick<BulkWanted, 'claim' | 'again'>,
): Promise<void> {
  const datasets = registry.bulk.filter((dataset) =>
    Object.values(dataset.source.series).some((series) => series.format === 'json' && series.kind === 'snapshot'),
  )
  const { client, dataClient, adviserClient } = work.app
  assertFilesCurrent(work.app, datasets)
  startEditions(work, 'companies')
  await load(
    work,
    { datasets, sources: [], again, retry: false, acceptGone: false, claim },
    { client: adviserClient, dated: { client, dataClient, ciks: [], areListsWanted: true } },
  )
}

/** The objects that the loads of all files share. */
export function bulkParts(
  work: Work,
  { claim, again, client }: Pick<BulkWanted, 'claim' | 'again'> & { client: EdgarClient },
) {
  const { app, signal } = work
  return {
    ...{ sql: app.sql, slices: registry.slices, store: app.store, client, again, signal },
    ...{ onRefused: work.refused, onMaking: work.making },
    ...{ replaces: claim.replaces(), claim: claim.inTransaction },
  }
}

async function load(
  work: Work,
  wanted: BulkWanted,
  from: Pick<BulkOptions, 'client' | 'files' | 'manifests' | 'dated' | 'single'>,
): Promise<void> {
  const { claim, sources: _, ciks: __, folder: ___, versions: ____, confirm, ...selection } = wanted
  const { app, reporter, summary, signal } = work
  const { of } = summary.editions!
  let place = ''
  let reading = ''
  reporter.stage('reading lists of files')
  await ingestBulk({
    ...selection,
    ...from,
    sql: app.sql,
    slices: registry.slices,
    onRefused: work.refused,
    onMaking: work.making,
    store: app.store,
    signal,
    replaces: claim.replaces(),
    claim: claim.inTransaction,
    async onPlan(files) {
      const what = of === 'companies' ? 'files of companies' : 'files of advisers'
      const perSecond = from.client.perSecond
      const isWanted = await confirmFiles(work, {
        what,
        files,
        mean: null,
        perSecond,
        confirm,
        cheaper: cheaperOf(wanted),
      })
      if (!isWanted) work.skip(what, 'they were declined because of their cost; a later run fetches them')
      return isWanted
    },
    onNext({ name }, done, total) {
      place = `file ${done + 1} of ${total}, ${name}`
      reporter.stage(`fetching ${place}`)
    },
    onRead({ name }, bytes, total) {
      if (reading !== name) reporter.stage(`reading ${place}`, total, 'bytes')
      reading = name
      reporter.progress(Math.min(bytes, total))
    },
    onEdition(outcome) {
      if (outcome.error === null) claim.stored()
      reportEdition(work, outcome)
    },
    onKnown: () => {
      summary.editions!.known++
    },
    onRefusedFile: ({ name, reason }) => reportFailed(work, name, reason),
  })
}

/**
 * @param options `isQuiet`: whether only the refusals of an edition are reported; used for editions that another report
 *   sums up. `cause`: the operator’s entry that requested the file; a report of a failure begins with this entry.
 */
export function reportEdition(
  work: Work,
  { edition, result, error }: EditionOutcome,
  { isQuiet = false, cause }: { isQuiet?: boolean; cause?: string | undefined } = {},
): void {
  const { reporter, summary } = work
  const { name } = edition
  if (error !== null) {
    reportFailed(work, name, error, cause)
    return
  }
  summary.editions!.loaded++
  const { records, added, changed, back, gone, refused, unlisted, notes } = result!
  const unread = notes.unread.size > 0 ? `, ${notes.unread.size} unread paths` : ''
  const problems = notes.problemCount > 0 ? `, ${notes.problemCount} unreadable values` : ''
  const others = unlisted ? `, ${unlisted} filings that no index lists` : ''
  const counts = { records, added, changed, back, gone, refused, ...(unlisted ? { unlisted } : {}) }
  for (const { place, key, reason } of notes.refusals.slice(0, SHOWN)) {
    reporter.fact({ event: 'edition_refusal', name, place, key, reason }, inOneLine(`${name}, ${place}: ${reason}`))
  }
  if (isQuiet) return
  reporter.fact(
    { event: 'edition', name, ...counts, unread: notes.unread.size, problems: notes.problemCount },
    `${name}: ${records} records, ${added} new, ${changed} changed, ${back} back, ${gone} gone, ${refused} refused${others}${unread}${problems}`,
  )
}

function reportFailed({ reporter, summary, problem }: Work, name: string, error: string, cause?: string): void {
  summary.editions!.failed.push({ name, reason: error })
  problem()
  reporter.problem({ event: 'edition', name, error }, `${cause ? `${cause}: ` : ''}${name} failed: ${error}`)
}

/** Commands that fetch less. */
function cheaperOf({ datasets }: Pick<BulkWanted, 'datasets'>): string[] {
  if (datasets.every(isOfCompanies))
    return ['--cik CIK,… fetches only the files of some companies, with one or two requests for each']
  if (datasets.every(isOfPdfs))
    return ['a later --from fetches fewer months; --brochure CRD/ID,… fetches single brochures']
  return ['"openfilings ingest SLUG" loads one dataset alone']
}

/** Number of refusals that are reported one by one; up to 1,000 stay in the database. */
const SHOWN = 20
