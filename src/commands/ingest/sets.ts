/**
 * `ingest thirteenf --sets`, and the same for other forms: loads sets of filings, from a list or from disk, into the
 * tables that their submissions fill.
 */
import type { FilingsDataset } from '../../declare/dataset.ts'
import { ingestSets, type SetOutcome, type SetsOptions } from '../../ingest/sets/ingest.ts'
import registry from '../../registry.ts'
import type { Claim } from '../claim.ts'
import { confirmFiles } from '../cost/files.ts'
import type { Work } from '../progress/recorded.ts'
import { number } from '../progress.ts'
import { hostAndPath, isAddress } from './bulk.ts'

interface SetsWanted {
  dataset: FilingsDataset
  /** Addresses of lists, or local files; if empty, the list of the SEC. */
  sources: readonly string[]
  from?: string | undefined
  to?: string | undefined
  again: boolean
  originals: boolean
  claim: Claim
  /** Asks whether a long run is wanted; absent if no person can be asked. */
  confirm?: ((question: string) => Promise<boolean>) | undefined
}

/** Loads the sets that were not loaded before. */
export async function ingestFilingSets(work: Work, wanted: SetsWanted): Promise<void> {
  const { app, summary } = work
  summary.sets = { loaded: 0, known: 0, failed: [] }
  const files = wanted.sources.filter((source) => !isAddress(source))
  if (files.length > 0) await load(work, wanted, { files })
  for (const address of wanted.sources.filter(isAddress)) {
    const { host, path } = hostAndPath(address)
    await load(work, wanted, { client: app.clientOf(host), list: path })
  }
  if (wanted.sources.length === 0) await load(work, wanted, { client: app.client })
}

async function load(
  work: Work,
  { dataset, again, originals, claim, confirm, ...range }: SetsWanted,
  from: SetsOptions['from'],
): Promise<void> {
  const { app, reporter, summary, signal } = work
  let reading = ''
  await ingestSets({
    sql: app.sql,
    slices: registry.slices,
    onRefused: work.refused,
    onMaking: work.making,
    store: app.store,
    dataset,
    from,
    since: range.from,
    until: range.to,
    again,
    originals,
    signal,
    claim: claim.inTransaction,
    async onPlan(files) {
      const { slug } = dataset
      const [own] = await app.sql<{ mean: number | null }[]>`
        select avg(bytes)::float8 as mean from bulk.filing_set where dataset = ${slug} and state = 'done'`
      const isWanted = await confirmFiles(work, {
        ...{ what: `sets of ${slug}`, files, mean: own!.mean, confirm, perSecond: app.client.perSecond },
        cheaper: ['a later --from fetches fewer sets; a run can be stopped at any time and continued later'],
      })
      if (!isWanted) work.skip('sets', 'they were declined because of their cost; a later run fetches them')
      return isWanted
    },
    onNext(name) {
      reading = ''
      reporter.stage(`reading ${name}`)
    },
    onBatch(done, total) {
      if (reading === '') reporter.stage('storing filings of the set', total)
      reading = 'filings'
      reporter.progress(done)
    },
    onStored: claim.stored,
    onSet: (outcome) => report(work, summary.sets!, outcome),
  })
}

function report(
  { reporter, problem }: Work,
  counts: { loaded: number; known: number; failed: { name: string; reason: string }[] },
  { name, result, found, error }: SetOutcome,
): void {
  if (error !== null) {
    counts.failed.push({ name, reason: error })
    problem()
    reporter.problem({ event: 'set', name, error }, `${name} failed: ${error}`)
    return
  }
  if (result === null) {
    counts.known++
    reporter.fact({ event: 'set', name, known: true }, `${name} was loaded before`)
    return
  }
  counts.loaded++
  const { filings, loaded } = result
  const { refused, refusals, unread, problemCount: problems } = found
  problem(refused)
  for (const { place, key, reason } of refusals.slice(0, SHOWN)) {
    reporter.problem({ event: 'set_refusal', name, place, key, reason }, `${name}, ${place}: ${key ?? ''} ${reason}`)
  }
  const rest = [
    ...(unread.size > 0 ? [`unread columns: ${[...unread].join(', ')}`] : []),
    ...(problems > 0 ? [`${number(problems)} unreadable values`] : []),
  ]
  reporter.fact(
    { event: 'set', name, filings, loaded, refused, unread: [...unread], problems },
    [`${name}: ${number(filings)} filings, ${number(loaded)} stored, ${number(refused)} refused`, ...rest].join('; '),
  )
}

/** Number of refusals that are reported one by one; up to 1,000 stay in the database. */
const SHOWN = 20
