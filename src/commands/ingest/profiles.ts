/** The part of `ingest` that takes the filings of chosen filers from their profiles instead of the indexes. */
import { type ProfilesResult, readProfiles as read } from '../../ingest/profiles.ts'
import registry from '../../registry.ts'
import { confirmFiles } from '../cost/files.ts'
import type { Work } from '../progress/recorded.ts'
import { number } from '../progress.ts'
import { assertFilesCurrent, type BulkWanted, bulkParts, reportEdition, startEditions } from './bulk.ts'
import type { ChosenEntry } from './choose.ts'

interface ProfilesWanted extends Pick<BulkWanted, 'claim' | 'again' | 'confirm'> {
  chosen?: readonly ChosenEntry[] | undefined
  /** First day of the wanted filings, `YYYY-MM-DD`. */
  from?: string | undefined
}

/** Minimum number of filers for which reading the indexes of whole quarters may cost less. */
const MANY = 2_000

/**
 * Reads the profiles of chosen filers, and adds the counts to the summary.
 *
 * @returns false if the operator does not want the profiles at that cost
 */
export async function readProfiles(work: Work, wanted: ProfilesWanted): Promise<boolean> {
  const { app, reporter, summary, signal } = work
  const { chosen: filers = [], claim, again, confirm } = wanted
  const dataset = profilesDataset()
  let areWanted = true
  assertFilesCurrent(app, [dataset])
  startEditions(work, 'companies')
  reporter.stage('reading profiles', filers.length)
  const result = await read({
    ...bulkParts(work, { claim, again, client: app.dataClient }),
    ...{ catalog: registry, dataset, filers, from: wanted.from, now: new Date(), signal, isMade: claim.isMade },
    dataClient: app.dataClient,
    async onPlan(files) {
      const cheaper =
        filers.length >= MANY ? ['"openfilings ingest --from DATE" sends only one request for each quarter'] : []
      const cost = { what: 'profiles of chosen filers', files, mean: PROFILE_BYTES, cheaper, confirm }
      areWanted = await confirmFiles(work, { ...cost, perSecond: app.dataClient.perSecond })
      reporter.stage('reading profiles', filers.length)
      return areWanted
    },
    onNext: (_edition, done) => reporter.progress(Math.min(done, filers.length)),
    onEdition(outcome) {
      if (outcome.error === null) claim.stored()
      // A profile that was read without an error is not reported here: its filings are counted when they are added.
      const isRead = outcome.error === null
      const filer = isRead ? undefined : filers.find(({ cik }) => outcome.edition.name.startsWith(`CIK${cik}`))
      reportEdition(work, outcome, { isQuiet: isRead, cause: filer && `${filer.place}, ${filer.entry}` })
    },
    onKnown: () => {
      summary.editions!.known++
    },
  })
  reporter.stage(null)
  if (!areWanted) {
    work.skip('profiles', 'they were declined because of their cost; a later run reads them')
    return false
  }
  if (!signal.aborted) report(work, result)
  if (!(await claim.isMade())) work.skip('filings', `no profile of ${app.dataClient.baseUrl} could be read`)
  return true
}

/** Mean size of a profile with its continuation files (2026). */
const PROFILE_BYTES = 400_000

const profilesDataset = () =>
  registry.bulk.find(({ source }) => Object.values(source.series).some((each) => 'profile' in each))!

function report(work: Work, { read: changed, unchanged, unread, filings, added, failed }: ProfilesResult): void {
  const { reporter, summary } = work
  const counts = { read: changed, unchanged, failed: failed.length, filings, added, unread }
  const before = summary.profiles ?? { read: 0, unchanged: 0, failed: 0, filings: 0, added: 0, unread: 0 }
  // With `--follow`, profiles are read repeatedly, so `unchanged` and `failed` in the summary are those of the last
  // reading.
  summary.profiles = {
    ...{ read: before.read + changed, unchanged, failed: failed.length },
    ...{ filings: before.filings + filings, added: before.added + added, unread: before.unread + unread },
  }
  if (unread > 0) {
    work.problem()
    reporter.problem({ event: 'unread_listed', lines: unread }, `${number(unread)} lines of profiles cannot be read`)
  }
  reporter.fact(
    { event: 'profiles', ...counts },
    `profiles: ${number(changed)} read, ${number(unchanged)} unchanged, ${number(failed.length)} failed; ${number(filings)} filings in the wanted days, ${number(added)} new`,
  )
}
