/** Does the work of `ingest`: checks what is requested, and loads it part by part. */
import type { Config } from '../config.ts'
import { UserError } from '../declare/errors.ts'
import { assertMayRequest, EdgarError } from '../fetch/client.ts'
import { collectEarly, keepYoungSmall } from '../ingest/memory.ts'
import { cik } from '../read/values.ts'
import { isOutdated } from '../store/shape.ts'
import { claimFor } from './claim.ts'
import { countOption, dayOption, type Run, type Values } from './command.ts'
import { confirmed } from './cost/estimate.ts'
import { follow } from './follow.ts'
import { type BulkWanted, hostAndPath, ingestFiles, isAddress } from './ingest/bulk.ts'
import { chooseFilers } from './ingest/choose.ts'
import { ingestFilings } from './ingest/filings.ts'
import { rechoosing } from './ingest/rechoose.ts'
import { ingestFilingSets } from './ingest/sets.ts'
import { watchListOf } from './ingest/watch-list.ts'
import type { OPTIONS } from './ingest.ts'
import { throughOutages } from './progress/outage.ts'
import { recorded, type Work } from './progress/recorded.ts'
import { reporterOf } from './progress/reporter.ts'
import { rebuildOutdated } from './upgrade-work.ts'
import { isOfCompanies, isOfPdfs, type Wanted, wanted } from './wanted.ts'

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config) => {
  const request = await requestOf(values, positionals, config)
  collectEarly()
  keepYoungSmall()
  return recorded(
    {
      command: 'ingest',
      what: [
        positionals[0] ?? 'all',
        ...(request.list ? [request.list.option] : []),
        ...(values.follow ? ['--follow'] : []),
      ].join(' '),
      config: { ...config, INGEST_WORKERS: request.workers },
      baseUrl: values['base-url'],
      originals: request.originals,
      make: true,
      reporter: reporterOf(values),
      isLasting: values.follow ?? false,
    },
    async (work) => {
      if (work.app.stale.some(isOutdated)) await rebuildOutdated(work)
      const claiming = () => claimFor(work.app, work.reporter, work.signal)
      const claim = await (values.follow ? throughOutages({ ...work, sql: work.app.sql }, claiming) : claiming())
      try {
        return await load(work, request, { claim, confirm: confirmOf(values, work.signal) })
      } finally {
        if (claim.replaces()) work.reporter.note('nothing was loaded: the bundled sample stays')
        await claim.release()
      }
    },
  )
}

type IngestRequest = Awaited<ReturnType<typeof requestOf>>

/**
 * The request of the operator, checked before anything is opened.
 *
 * @throws UserError for options that contradict each other, EdgarError if nothing may be requested
 */
async function requestOf(values: Values<typeof OPTIONS>, positionals: readonly string[], config: Config) {
  const all = wanted(positionals, values.sets)
  const list = areFilersChosen(values, all) ? await watchListOf(values) : undefined
  // The files about advisers cannot be limited to some advisers.
  const named = list ? { ...all, bulk: [] } : all
  const range = { from: dayOption('from', values.from), to: dayOption('to', values.to) }
  if (range.from && range.to && range.from > range.to) {
    throw new UserError(`--from ${range.from} is after --to ${range.to}`)
  }
  const what = values.follow ? followed(named, range) : named
  const ofSets = submissionsOf(values, what)
  const today = new Date().toISOString().slice(0, 10)
  if (range.from && range.from > today) throw new UserError(`--from ${range.from} is in the future: today is ${today}`)
  const workers = countOption('workers', values.workers) ?? config.INGEST_WORKERS
  const ciks = list ? undefined : ciksOf(values.cik, what)
  const versions = versionsOf(values.brochure, what)
  assertOfCompanies(what, range)
  const refusals = refusedParts(what, config, {
    baseUrl: values['base-url'],
    ciks,
    versions,
    isOfProfiles: list !== undefined,
  })
  const { again = false, originals = false, retry = false, singly = false } = values
  const followMs = values.follow ? config.FOLLOW_SECONDS * 1000 : null
  const acceptGone = values['accept-gone'] ?? false
  return {
    what,
    range,
    list,
    watch: values.watch,
    workers,
    ciks,
    versions,
    refusals,
    again,
    originals,
    retry,
    singly,
    ofSets,
    acceptGone,
    followMs,
  }
}

/**
 * Whether filings of quarterly sets are to be read from their submissions too.
 *
 * @throws UserError if submissions are wanted for a request that reads no waiting filings, or that runs without end
 */
function submissionsOf({ submissions = false, follow }: Values<typeof OPTIONS>, { datasets }: Wanted): boolean {
  if (submissions && follow) {
    throw new UserError(
      '--submissions cannot be used with --follow, which reads new filings: run "openfilings ingest --submissions" once instead',
    )
  }
  if (submissions && !datasets) {
    throw new UserError('--submissions can be used only with filings: leave out --sets, or name a family of filings')
  }
  return submissions
}

/** Loads part by part: sets of filings alone, or filings and then files. */
async function load(work: Work, request: IngestRequest, own: Pick<BulkWanted, 'claim' | 'confirm'>): Promise<void> {
  const { what, range, refusals, again, originals, retry } = request
  if (what.sets) {
    const { sets: dataset, sources } = what
    return ingestFilingSets(work, { dataset, sources, ...range, again, originals, ...own })
  }
  if (what.datasets && refusals.filings) work.skip('filings', refusals.filings)
  else if (what.datasets) {
    const { datasets, families } = what
    const { list, watch, workers, singly, ofSets, followMs } = request
    const chosen = list && (await chooseFilers(work, list, { claim: own.claim, again }))
    const ciks = chosen?.map(({ cik }) => cik)
    const filings = { datasets, families, ...range, chosen, ciks, ofSets, again, retry, workers, singly, ...own }
    if (followMs !== null) {
      const rechoose =
        list && watch !== undefined ? rechoosing(work, watch, list, { claim: own.claim, again }) : undefined
      return follow(work, { ...filings, rechoose }, { intervalMs: followMs })
    }
    if (!(await ingestFilings(work, filings))) return
  }
  if (what.bulk.length === 0 || work.signal.aborted) return
  if (refusals['adviser files']) return work.skip('adviser files', refusals['adviser files'])
  const { bulk: datasets, sources } = what
  const { ciks, versions, acceptGone } = request
  const chosen = { datasets, sources, ciks, versions, ...range }
  const files: BulkWanted = { ...chosen, again, retry, acceptGone, originals, ...own }
  if (what.datasets) await ingestFilesIfListed(work, files)
  else await ingestFiles(work, files)
}

/** The function that asks the operator; absent if no person sits at a terminal, or if an option gave the answer. */
function confirmOf({ yes, quiet, json }: { yes?: boolean; quiet?: boolean; json?: boolean }, signal: AbortSignal) {
  const { stdin: input, stderr: output } = process
  if (yes || quiet || json || !input.isTTY || !output.isTTY) return undefined
  return (question: string) => confirmed(question, { input, output, signal })
}

/**
 * Whether the options choose filers, and not files of companies.
 *
 * @throws UserError if no filers can be chosen for the requested data
 */
function areFilersChosen({ cik, watch }: Values<typeof OPTIONS>, { datasets, sets, bulk }: Wanted): boolean {
  if (cik === undefined && watch === undefined) return false
  if (datasets) return true
  if (sets)
    throw new UserError(
      `--sets cannot be used with ${watch ? '--watch' : '--cik'}, since a set has the filings of all filers: leave out one of them`,
    )
  if (watch !== undefined)
    throw new UserError(
      '--watch can be used only with filings: run "openfilings ingest --watch FILE" for all families, or name a family of filings',
    )
  if (bulk.every(isOfCompanies)) return false
  throw new UserError(
    '--cik can be used only with filings, as in "ingest --cik 320193,AAPL", or with companies and facts, as in "ingest companies --cik 320193,789019"',
  )
}

/** The companies that were named, ten digits each; undefined if none is named. */
function ciksOf(given: string | undefined, { bulk, sources }: Wanted): string[] | undefined {
  if (given === undefined) return undefined
  if (bulk.length === 0 || !bulk.every(isOfCompanies) || sources.length > 0) {
    throw new UserError(
      '--cik cannot be used with files: name only the dataset, as in "ingest companies --cik 320193,789019"',
    )
  }
  return given.split(',').map((text) => {
    const found = cik(text.trim())
    if (!found)
      throw new UserError(`--cik ${JSON.stringify(text.slice(0, 40))} is not a valid CIK, which has up to ten digits`)
    return found
  })
}

/** File names of single brochures; undefined if none is named. */
function versionsOf(given: string | undefined, { bulk, sources }: Wanted): string[] | undefined {
  if (given === undefined) return undefined
  if (bulk.length === 0 || !bulk.every(isOfPdfs) || sources.length > 0) {
    throw new UserError(
      '--brochure can be used only with brochures and without files, as in "ingest brochures --brochure 108102/1032747"',
    )
  }
  return given.split(',').map((text) => {
    const [, crd, id] = /^\s*([1-9]\d{0,9})\/([1-9]\d{0,7})\s*$/.exec(text) ?? []
    if (!crd)
      throw new UserError(
        `--brochure ${JSON.stringify(text.slice(0, 40))} is not a valid CRD/ID such as 108102/1032747`,
      )
    return `${crd}_${id}.pdf`
  })
}

/**
 * @throws UserError for an option that does not select files of companies: these files would be read as if the option
 * were not given
 */
function assertOfCompanies(
  { datasets, bulk, sources }: Wanted,
  { from, to }: { from: string | undefined; to: string | undefined },
): void {
  if (datasets || bulk.length === 0 || !bulk.every(isOfCompanies)) return
  const address = sources.find(isAddress)
  if (address)
    throw new UserError(`${address} is not a local file; to read files of companies from another host, use --base-url`)
  if (from ?? to)
    throw new UserError(
      '--from and --to cannot be used here, since the file of a company has all its days: leave them out',
    )
}

/**
 * The part of a request that `--follow` can repeat: filings, but no files.
 *
 * @throws UserError for sources that are not filings of EDGAR, or for a request with a last day
 */
function followed(what: Wanted, { to }: { to: string | undefined }): Wanted {
  if (!what.datasets)
    throw new UserError('--follow can be used only with filings: run "openfilings ingest --follow" for all of them')
  if (to) throw new UserError('--to cannot be used with --follow, which continues until it is stopped')
  return { ...what, bulk: [] }
}

type Part = 'filings' | 'adviser files'

/**
 * The parts that cannot be requested, each with the reason: the contact is missing, or an address is not valid.
 * Reported before anything is opened.
 *
 * @throws EdgarError if the request has no other parts
 */
function refusedParts(
  what: Wanted,
  config: Config,
  {
    baseUrl,
    ciks,
    versions,
    isOfProfiles,
  }: {
    baseUrl: string | undefined
    ciks: readonly string[] | undefined
    versions: readonly string[] | undefined
    isOfProfiles: boolean
  },
): Partial<Record<Part, string>> {
  const refused = new Map<Part, EdgarError>()
  const check = (part: Part, host: string) => {
    try {
      assertMayRequest(host, config.EDGAR_USER_AGENT)
    } catch (error) {
      if (!(error instanceof EdgarError)) throw error
      refused.set(part, error)
    }
  }
  if (what.datasets || (what.sets && what.sources.length === 0)) check('filings', baseUrl ?? config.EDGAR_BASE_URL)
  if (isOfProfiles) check('filings', baseUrl ?? config.EDGAR_DATA_URL)
  if (what.sets) for (const address of what.sources.filter(isAddress)) check('filings', hostAndPath(address).host)
  if (what.bulk.length > 0) {
    const lists = what.sources.filter(isAddress).map((address) => hostAndPath(address).host)
    const own = ciks ? config.EDGAR_DATA_URL : config.EDGAR_BASE_URL
    const ofAdvisers = versions ? config.ADVISERINFO_FILES_URL : config.ADVISERINFO_BASE_URL
    const host = what.bulk.every(isOfCompanies) ? own : ofAdvisers
    const hosts = what.sources.length > 0 ? lists : [baseUrl ?? host]
    for (const host of hosts) check('adviser files', host)
  }
  const parts = Number(what.datasets !== null || what.sets !== undefined) + Number(what.bulk.length > 0)
  const [first] = refused.values()
  if (first && refused.size === parts) throw first
  return Object.fromEntries([...refused].map(([part, { message }]) => [part, message]))
}

/** Loads files for `ingest all`. A host may have filings and no lists: then the files are skipped. */
async function ingestFilesIfListed(work: Work, files: BulkWanted): Promise<void> {
  try {
    await ingestFiles(work, files)
  } catch (error) {
    if (!(error instanceof EdgarError && error.kind === 'configuration')) throw error
    delete work.summary.editions
    work.skip('adviser files', error.message)
  }
}
