/** What `doctor` says of EDGAR, of the host of the adviser files, and of the clock. */
import { clientOf } from '../client.ts'
import type { Config } from '../config.ts'
import { messageOf } from '../declare/errors.ts'
import { assertMayAsk, type EdgarResponse } from '../fetch/client.ts'
import { MANIFESTS, readManifest } from '../fetch/manifest.ts'
import type { Check } from './doctor-work.ts'
import { duration } from './progress.ts'

/** The smallest index there is, of the first quarter of EDGAR. */
const SMALL_INDEX = '/Archives/edgar/full-index/1993/QTR1/master.idx'
/** Long enough for a slow host, short enough for somebody who waits. */
const ANSWER_MS = 15_000

/** A Date header says whole seconds, and the answer takes a moment. */
const SKEW_WARN_SECONDS = 30
const SKEW_FAIL_SECONDS = 3600

/** Asks each host one thing. */
export async function checkHosts(config: Config): Promise<Check[]> {
  const [edgar, adviser] = await Promise.all([
    checkHost(config, 'EDGAR', config.EDGAR_BASE_URL, SMALL_INDEX, async ({ body }) => {
      for await (const _ of body) break
      return 'gives an index'
    }),
    checkHost(config, 'adviser files', config.ADVISERINFO_BASE_URL, MANIFESTS[0]!, async ({ body }) => {
      const text = Buffer.concat(await Array.fromAsync(body)).toString()
      return `lists ${readManifest(MANIFESTS[0]!, text).length} files`
    }),
  ])
  return [edgar.check, adviser.check, ...checkClock(edgar.aheadMs ?? adviser.aheadMs)]
}

async function checkHost(
  config: Config,
  name: string,
  host: string | null,
  path: string,
  consume: (response: EdgarResponse) => Promise<string>,
): Promise<{ check: Check; aheadMs: number | null }> {
  const failed = (state: Check['state'], found: string, wayOut: string) => ({
    check: { name, state, found, wayOut },
    aheadMs: null,
  })
  if (host === null) return failed('FAIL', 'its address is none', 'correct the setting')
  try {
    assertMayAsk(host, config.EDGAR_USER_AGENT)
  } catch (error) {
    const state = config.EDGAR_USER_AGENT === null ? 'warn' : 'FAIL'
    return failed(state, messageOf(error), 'until then nothing can be loaded from there')
  }
  const stop = new AbortController()
  const late = setTimeout(() => stop.abort(new Error(`${host} gave no answer within ${ANSWER_MS / 1000} s`)), ANSWER_MS)
  // A refused request is not repeated: what it says now is what is wanted.
  const client = clientOf(config, host, { log: ({ reason }) => stop.abort(new Error(reason)) })
  try {
    const found = await client.get(path, consume, { signal: stop.signal })
    const { aheadMs } = client.stats()
    if (found === null) {
      const wayOut = 'is the address right?'
      return { check: { name, state: 'warn', found: `${host} answers, and has no ${path}`, wayOut }, aheadMs }
    }
    return { check: { name, state: 'ok', found: `${host} ${found}` }, aheadMs }
  } catch (error) {
    return failed('FAIL', messageOf(error), 'look at the address, the network, a proxy, and EDGAR_USER_AGENT')
  } finally {
    clearTimeout(late)
    await client.close()
  }
}

function checkClock(aheadMs: number | null): Check[] {
  if (aheadMs === null) return []
  const seconds = Math.abs(aheadMs) / 1000
  const name = 'clock'
  if (seconds < SKEW_WARN_SECONDS) return [{ name, state: 'ok', found: 'as the host’s' }]
  const found = `${duration(seconds)} ${aheadMs > 0 ? 'behind' : 'ahead of'} the host’s`
  const wayOut = 'set it, by NTP for instance: days and expiries are read from it'
  return [{ name, state: seconds < SKEW_FAIL_SECONDS ? 'warn' : 'FAIL', found, wayOut }]
}
