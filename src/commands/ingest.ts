/** `ingest`: indexes into the spine, pending filings through their parsers, and bulk files. */
import type { Config } from '../config.ts'
import { UserError } from '../declare/errors.ts'
import { assertMayAsk, EdgarError } from '../fetch/client.ts'
import { collectEarly, keepYoungSmall } from '../ingest/memory.ts'
import { cik } from '../read/values.ts'
import { claimFor } from './claim.ts'
import { command, countOption, dayOption, type Values } from './command.ts'
import { follow } from './follow.ts'
import { type BulkWanted, hostAndPath, ingestFiles, isAddress } from './ingest-bulk.ts'
import { ingestFilings } from './ingest-filings.ts'
import { ingestFilingSets } from './ingest-sets.ts'
import { recorded, type Work } from './recorded.ts'
import { reporterOf, VOICE_OPTIONS } from './reporter.ts'
import { ingestWords, isOfCompanies, isOfPdfs, type Wanted, wanted } from './wanted.ts'

const OPTIONS = {
  from: {
    type: 'string',
    value: 'DATE',
    help: 'first day, YYYY-MM-DD (default: the quarter of the newest index read)',
  },
  to: { type: 'string', value: 'DATE', help: 'last day (default: today)' },
  'base-url': {
    type: 'string',
    value: 'URL',
    help: 'where everything comes from, instead of EDGAR_BASE_URL, EDGAR_DATA_URL, ADVISERINFO_BASE_URL and ADVISERINFO_FILES_URL; loopback hosts need no contact and are not throttled',
  },
  sets: { type: 'boolean', help: 'the sets of many filings that the SEC lists, instead of submissions' },
  cik: { type: 'string', value: 'CIK,…', help: 'files of these companies alone, instead of the zip with all' },
  brochure: {
    type: 'string',
    value: 'CRD/ID,…',
    help: 'single brochures of IAPD, each by the CRD number of its firm and its BRCHR_VRSN_ID',
  },
  retry: { type: 'boolean', help: 'also take up filings and PDFs that failed before' },
  again: { type: 'boolean', help: 'read indexes and files again that were read before' },
  'accept-gone': {
    type: 'boolean',
    help: 'believe a feed that lacks a quarter of the firms or people that are known',
  },
  follow: { type: 'boolean', help: 'goes on until it is stopped: new filings as EDGAR tells of them (FOLLOW_SECONDS)' },
  workers: { type: 'string', value: 'N', help: 'filings read side by side (default: INGEST_WORKERS)' },
  ...VOICE_OPTIONS,
} as const

export default command({
  name: 'ingest',
  summary: 'loads filings of EDGAR and the files about advisers',
  usage: [
    'openfilings ingest [WHAT] [options]',
    'openfilings ingest [WHAT] --follow [options]',
    'openfilings ingest adv [ADDRESS | FILE …] [options]',
    'openfilings ingest brochures [--brochure CRD/ID,… | ADDRESS | FILE …] [options]',
    'openfilings ingest companies | facts [--cik CIK,… | FILE …] [options]',
    'openfilings ingest thirteenf | nport | nmfp | ncen --sets | ADDRESS | SET.zip … [options]',
  ],
  about: `Reads EDGAR's indexes and every filing that a dataset can read, then the files about advisers. Killed at any point,
it goes on where it was. The first real data takes the place of the bundled sample, which stands until then.
"ingest adv" reads the lists of ADVISERINFO_BASE_URL; instead of these it takes the address of another list, or local files
of the same names. "ingest brochures" takes the monthly zips of PDFs from these lists, some hundred megabytes each, or local
zips and PDFs of the same names; it is no part of "all" either. With --brochure it asks ADVISERINFO_FILES_URL for single
PDFs.
"ingest thirteenf --sets" reads the quarterly sets that the SEC lists, as do nport, nmfp and ncen; the
address of another list or local files may be given instead. A filing that was read from its submission stays as it is.
"ingest companies" reads the zip with the JSON files of all companies, which has more than a gigabyte and so is no part of
"all"; with --cik it asks EDGAR_DATA_URL for the files of some, and it takes local files. What a newer file said stays.
"ingest facts" does the same with their figures.`,
  words: ingestWords,
  options: OPTIONS,
  examples: [
    ['openfilings ingest --from 2026-10-01', 'everything since a day; later runs without --from go on there'],
    [
      'openfilings ingest --follow',
      'new filings as they come, until it is stopped; the files about advisers are no part',
    ],
    ['openfilings ingest formd --retry', 'Form D alone, with what failed before'],
    ['openfilings ingest adv --quiet', 'the files about advisers, silent unless something goes wrong'],
    ['openfilings ingest thirteenf --sets --from 2024-01-01', 'Form 13F by quarters, not filing by filing'],
    ['openfilings ingest documents tenx --from 2026-01-01', 'the text of annual and quarterly reports since a day'],
    ['openfilings ingest index --json', 'the indexes alone, told to a program'],
  ],
  failure: 'something could not be read or was skipped, or the run ended early; the closing summary says which',
  statuses: [['130, 143', 'stopped by SIGINT or SIGTERM; what was committed stays']],
  run: ({ values, positionals }, config) => ingest(values, positionals, config),
})

async function ingest(values: Values<typeof OPTIONS>, positionals: string[], config: Config): Promise<number> {
  const named = wanted(positionals, values.sets)
  const range = { from: dayOption('from', values.from), to: dayOption('to', values.to) }
  if (range.from && range.to && range.from > range.to) {
    throw new UserError(`--from ${range.from} is after --to ${range.to}`)
  }
  const what = values.follow ? followed(named, range) : named
  const today = new Date().toISOString().slice(0, 10)
  if (range.from && range.from > today) throw new UserError(`--from ${range.from} is in the future: today is ${today}`)
  const workers = countOption('workers', values.workers) ?? config.INGEST_WORKERS
  const again = values.again ?? false
  const baseUrl = values['base-url']
  const ciks = ciksOf(values.cik, what)
  const versions = versionsOf(values.brochure, what)
  assertOfCompanies(what, range)
  const refusals = refusedParts(what, config, { baseUrl, ciks, versions })
  collectEarly()
  keepYoungSmall()
  return recorded(
    {
      command: 'ingest',
      what: `${positionals[0] ?? 'all'}${values.follow ? ' --follow' : ''}`,
      config: { ...config, INGEST_WORKERS: workers },
      baseUrl,
      make: true,
      reporter: reporterOf(values),
    },
    async (work) => {
      const claim = await claimFor(work.app, work.reporter, work.signal)
      try {
        if (what.sets) {
          const { sets: dataset, sources } = what
          return await ingestFilingSets(work, { dataset, sources, ...range, again, claim })
        }
        if (what.datasets && refusals.filings) work.skip('filings', refusals.filings)
        else if (what.datasets) {
          const { datasets, families } = what
          const filings = {
            datasets,
            families,
            ...range,
            again,
            retry: values.retry ?? false,
            workers,
            claim,
          }
          if (values.follow) return await follow(work, filings, { intervalMs: config.FOLLOW_SECONDS * 1000 })
          await ingestFilings(work, filings)
        }
        if (what.bulk.length === 0 || work.signal.aborted) return
        if (refusals['adviser files']) return work.skip('adviser files', refusals['adviser files'])
        const { bulk: datasets, sources } = what
        const acceptGone = values['accept-gone'] ?? false
        const retry = values.retry ?? false
        const files: BulkWanted = { datasets, sources, ciks, versions, ...range, again, retry, acceptGone, claim }
        if (what.datasets) await ingestFilesIfListed(work, files)
        else await ingestFiles(work, files)
      } finally {
        if (claim.replaces()) work.reporter.note('nothing was loaded: the bundled sample stays')
        await claim.release()
      }
    },
  )
}

/** Ten digits each; undefined where none is named. */
function ciksOf(given: string | undefined, { bulk, sources }: Wanted): string[] | undefined {
  if (given === undefined) return undefined
  if (bulk.length === 0 || !bulk.every(isOfCompanies) || sources.length > 0) {
    throw new UserError('--cik says whose JSON files are asked for: "ingest companies --cik 320193,789019"')
  }
  return given.split(',').map((text) => {
    const found = cik(text.trim())
    if (!found) throw new UserError(`--cik ${JSON.stringify(text.slice(0, 40))} is no CIK: up to ten digits`)
    return found
  })
}

/** File names of single brochures; undefined where none is named. */
function versionsOf(given: string | undefined, { bulk, sources }: Wanted): string[] | undefined {
  if (given === undefined) return undefined
  if (bulk.length === 0 || !bulk.every(isOfPdfs) || sources.length > 0) {
    throw new UserError('--brochure says which brochures are asked for: "ingest brochures --brochure 108102/1032747"')
  }
  return given.split(',').map((text) => {
    const [, crd, id] = /^\s*([1-9]\d{0,9})\/([1-9]\d{0,7})\s*$/.exec(text) ?? []
    if (!crd) throw new UserError(`--brochure ${JSON.stringify(text.slice(0, 40))} is no CRD/ID such as 108102/1032747`)
    return `${crd}_${id}.pdf`
  })
}

/** @throws UserError for what files of companies cannot be chosen by: they would be read as if nothing had been said */
function assertOfCompanies(
  { datasets, bulk, sources }: Wanted,
  { from, to }: { from: string | undefined; to: string | undefined },
): void {
  if (datasets || bulk.length === 0 || !bulk.every(isOfCompanies)) return
  const address = sources.find(isAddress)
  if (address)
    throw new UserError(`${address} is no local file: --base-url says which host files of companies come from`)
  if (from ?? to) throw new UserError('--from and --to are days of filings: a file of a company has all of it')
}

/** Filings alone. @throws UserError for what is no filing of EDGAR, or has an end */
function followed(what: Wanted, { to }: { to: string | undefined }): Wanted {
  if (!what.datasets) throw new UserError('--follow is for filings: "openfilings ingest --follow" for all of them')
  if (to) throw new UserError('--follow goes on until it is stopped: it takes no --to')
  return { ...what, bulk: [] }
}

type Part = 'filings' | 'adviser files'

/**
 * Which parts cannot be asked for, and why: no contact, or an address that is none. Told before anything is opened.
 *
 * @throws EdgarError when that is all that was wanted
 */
function refusedParts(
  what: Wanted,
  config: Config,
  {
    baseUrl,
    ciks,
    versions,
  }: { baseUrl: string | undefined; ciks: readonly string[] | undefined; versions: readonly string[] | undefined },
): Partial<Record<Part, string>> {
  const refused = new Map<Part, EdgarError>()
  const check = (part: Part, host: string) => {
    try {
      assertMayAsk(host, config.EDGAR_USER_AGENT)
    } catch (error) {
      if (!(error instanceof EdgarError)) throw error
      refused.set(part, error)
    }
  }
  if (what.datasets || (what.sets && what.sources.length === 0)) check('filings', baseUrl ?? config.EDGAR_BASE_URL)
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

/** For `ingest all`: a host may have filings and no lists. */
async function ingestFilesIfListed(work: Work, files: BulkWanted): Promise<void> {
  try {
    await ingestFiles(work, files)
  } catch (error) {
    if (!(error instanceof EdgarError && error.kind === 'configuration')) throw error
    delete work.summary.editions
    work.skip('adviser files', error.message)
  }
}
