/** Checks of the hosts, of every list that commands read there, and of the clock, for `doctor`. */
import { clientOf } from '../../client.ts'
import type { Config } from '../../config.ts'
import { messageOf } from '../../declare/errors.ts'
import { assertMayRequest, EdgarError, type EdgarResponse } from '../../fetch/client.ts'
import { linksOf } from '../../fetch/links.ts'
import { MANIFESTS, readManifest } from '../../fetch/manifest.ts'
import type { SharedPace } from '../../fetch/pace.ts'
import { PAGE_LIMITS, readCurrent } from '../../read/current-feed.ts'
import registry from '../../registry.ts'
import { duration } from '../progress.ts'
import type { Check } from './check.ts'

/** The smallest index, that of EDGAR's first quarter. */
const SMALL_INDEX = '/Archives/edgar/full-index/1993/QTR1/master.idx'
const CURRENT =
  '/cgi-bin/browse-edgar?action=getcurrent&type=&company=&dateb=&owner=include&start=0&count=10&output=atom'
/** Requested from the hosts that have no list: the files of Apple, and a brochure of the feed. */
const COMPANY = '0000320193'
const BROCHURE = '/IAPD/Content/Common/crd_iapd_Brochure.aspx?BRCHR_VRSN_ID=1032747'

/** Maximum wait for an answer: long enough for a slow host, short enough for a person who waits. */
const ANSWER_MS = 15_000

/**
 * Difference between the clocks from which doctor warns. A much smaller difference cannot be measured, since a Date
 * header has whole seconds and the answer takes time.
 */
const SKEW_WARN_SECONDS = 30
const SKEW_FAIL_SECONDS = 3600

interface HostCheck {
  name: string
  path: string
  consume: (response: EdgarResponse) => Promise<string>
}

/**
 * Sends each host a request of each kind that commands send: for an index, the feed, each list, and each JSON file or
 * zip of companies. From a host without lists, requests single files.
 */
export async function checkHosts(config: Config, shared?: SharedPace): Promise<Check[]> {
  const { EDGAR_BASE_URL, EDGAR_DATA_URL, ADVISERINFO_BASE_URL, ADVISERINFO_FILES_URL } = config
  const hosts: [host: string | null, HostCheck[]][] = [
    [EDGAR_BASE_URL, ofEdgar()],
    [EDGAR_DATA_URL, ofCompanies().map((path) => ({ name: 'files of one company', path, consume: begun(path) }))],
    [ADVISERINFO_BASE_URL, ofAdvisers()],
    [ADVISERINFO_FILES_URL, [{ name: 'single brochures', path: BROCHURE, consume: begun('a brochure') }]],
  ]
  const found = await Promise.all(hosts.map(([host, own]) => checkHost(config, host, own, shared)))
  const ahead = found.map(({ aheadMs }) => aheadMs).find((ms) => ms !== null)
  return [...found.flatMap(({ checks }) => checks), ...checkClock(ahead ?? null)]
}

function ofEdgar(): HostCheck[] {
  const sets = registry.filings.flatMap(({ slug, sets }) => (sets ? [{ slug, ...sets }] : []))
  return [
    { name: 'EDGAR', path: SMALL_INDEX, consume: begun('an index') },
    {
      name: 'feed of current filings',
      path: CURRENT,
      consume: async ({ body }) => `gives ${(await readCurrent(body)).listed} entries`,
    },
    ...sets.map(({ slug, list, file }) => ({
      name: `sets of ${slug}`,
      path: list,
      async consume({ body }: EdgarResponse) {
        const links = linksOf(list, await textOf(body)).filter(({ name }) => file.test(name))
        if (links.length === 0) throw new Error(`${list} has no link to a data set of ${slug}`)
        return `lists ${links.length} sets of ${slug}`
      },
    })),
    ...json().map((series) => {
      const path = series.kind === 'update' ? series.at.all : series.at
      return { name: path.replace(/^.*\//, ''), path, consume: begun(path) }
    }),
  ]
}

const json = () =>
  registry.bulk.flatMap(({ source }) =>
    Object.values(source.series).flatMap((each) => (each.format === 'json' ? [each] : [])),
  )

const ofCompanies = () => json().flatMap((series) => (series.kind === 'update' ? [series.at.one(COMPANY)] : []))

const ofAdvisers = (): HostCheck[] =>
  MANIFESTS.map((path, at) => ({
    name: at === 0 ? 'adviser files' : 'adviser files by month',
    path,
    consume: async ({ body }) => `lists ${readManifest(path, await textOf(body)).length} files`,
  }))

/** Reads only the beginning of a file: some files have a gigabyte. */
const begun =
  (what: string) =>
  async ({ body }: EdgarResponse) => {
    for await (const _ of body) break
    return `gives ${what}`
  }

const textOf = async (body: AsyncIterable<Uint8Array>) => Buffer.concat(await Array.fromAsync(body)).toString()

/**
 * Sends the requests for a host one after the other. Stops once a request has failed because of the host itself.
 */
async function checkHost(
  config: Config,
  host: string | null,
  hostChecks: readonly HostCheck[],
  shared: SharedPace | undefined,
): Promise<{ checks: Check[]; aheadMs: number | null }> {
  const checks: Check[] = []
  const none = (state: Check['state'], found: string, wayOut: string) => ({
    checks: [{ name: hostChecks[0]!.name, state, found, wayOut }],
    aheadMs: null,
  })
  if (host === null) return none('FAIL', 'the address of the host is not valid', 'correct the setting')
  try {
    assertMayRequest(host, config.EDGAR_USER_AGENT)
  } catch (error) {
    const state = config.EDGAR_USER_AGENT === null ? 'warn' : 'FAIL'
    return none(state, messageOf(error), 'until this is corrected, nothing can be loaded from this host')
  }
  let aheadMs: number | null = null
  for (const each of hostChecks) {
    const { check, ahead, isOfHost } = await request(config, host, each, shared)
    checks.push(check)
    aheadMs ??= ahead
    if (isOfHost) break
  }
  return { checks, aheadMs }
}

async function request(
  config: Config,
  host: string,
  { name, path, consume }: HostCheck,
  shared: SharedPace | undefined,
): Promise<{ check: Check; ahead: number | null; isOfHost: boolean }> {
  const stop = new AbortController()
  const late = setTimeout(() => stop.abort(new Error(`${host} gave no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS)
  // A refused request is not repeated: its first answer is what doctor reports.
  const client = clientOf(config, host, { shared, log: ({ reason }) => stop.abort(new Error(reason)) })
  try {
    const sizeMax = name === 'feed of current filings' ? PAGE_LIMITS.sizeMax : undefined
    const found = await client.get(path, consume, { signal: stop.signal, ...(sizeMax ? { sizeMax } : {}) })
    const { aheadMs: ahead } = client.stats()
    if (found !== null) return { check: { name, state: 'ok', found: `${host} ${found}` }, ahead, isOfHost: false }
    const wayOut = 'check the address'
    return {
      check: { name, state: 'warn', found: `${host} answers, but does not have ${path}`, wayOut },
      ahead,
      isOfHost: false,
    }
  } catch (error) {
    const wayOut = 'check the address, the network, the proxy if there is one, and EDGAR_USER_AGENT'
    // An invalid answer may concern only one list. If there was no answer at all, the next request would fail too.
    const isOfHost = error instanceof EdgarError || stop.signal.aborted
    return { check: { name, state: 'FAIL', found: messageOf(error), wayOut }, ahead: null, isOfHost }
  } finally {
    clearTimeout(late)
    await client.close()
  }
}

function checkClock(aheadMs: number | null): Check[] {
  if (aheadMs === null) return []
  const seconds = Math.abs(aheadMs) / 1000
  const name = 'clock'
  if (seconds < SKEW_WARN_SECONDS) return [{ name, state: 'ok', found: 'agrees with the clock of the host' }]
  const found = `${duration(seconds)} ${aheadMs > 0 ? 'behind' : 'ahead of'} the clock of the host`
  const wayOut = 'set the clock, for instance by NTP: it determines days and when keys expire'
  return [{ name, state: seconds < SKEW_FAIL_SECONDS ? 'warn' : 'FAIL', found, wayOut }]
}
