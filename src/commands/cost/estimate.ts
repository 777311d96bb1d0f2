/** Estimates the cost of a run before it begins: requests, time, bytes, by dataset, and cheaper alternatives. */
import { createInterface } from 'node:readline/promises'
import type { Readable, Writable } from 'node:stream'
import { intervalOf } from '../../fetch/pace.ts'
import type { Selection } from '../../ingest/queue.ts'
import { pendingForms } from '../../ingest/waiting.ts'
import registry from '../../registry.ts'
import type { Sql } from '../../store/db.ts'
import { duration, number, size } from '../progress.ts'
import { LINE_BYTES_A_SECOND, type PlannedArchive } from './archive-plan.ts'
import { sizesOf, typicalSizes } from './submission-sizes.ts'

/** Number of requests from which the estimate is printed. */
const WORTH_REPORTING = 20
/**
 * Time and number of bytes from which a run is long. Before a long run, the operator is asked whether to continue, and
 * cheaper commands are named.
 */
export const LONG_SECONDS = 900
export const LONG_BYTES = 2e9
/** Maximum number of datasets that are named one by one. */
const SHOWN = 6

export interface Cost {
  /**
   * Number of filings that are read. `requests` is the number of those that must be fetched because the archive lacks
   * them.
   */
  filings: number
  requests: number
  /** Size of all submissions that are fetched. */
  bytes: number
  /**
   * Size of the documents that the archive keeps of all fetched filings, including filings from archives of whole days.
   */
  kept_bytes: number
  /** Estimated time in seconds; null if requests are not paced, as for a loopback host or a folder. */
  seconds: number | null
}

/** The cost of filings that are fetched one by one. */
interface SinglyCost extends Cost {
  /** The number of requests for filings that have rows from quarterly sets already. */
  in_sets: number
}

export interface Estimate extends SinglyCost {
  by: Record<string, SinglyCost>
  /** The filings that archives of whole days supply. `by` has only the other filings. */
  archives: { requests: number; filings: number; bytes: number }
}

/**
 * Estimates the cost of reading the pending filings of a selection, from the sizes of similar filings.
 *
 * @param options `perSecond`: requests a second; null if they are not paced. `archives`: the archives from which whole
 *   days are read
 */
export async function estimate(
  sql: Sql,
  selection: Selection,
  {
    perSecond,
    originals,
    archives = [],
  }: { perSecond: number | null; originals: boolean; archives?: readonly PlannedArchive[] },
): Promise<Estimate> {
  const waiting = await pendingForms(
    sql,
    selection,
    archives.map(({ day }) => day),
  )
  const bytesOf = await sizesOf(sql, [...new Set(waiting.map(({ form_type }) => form_type))])
  const { kept } = typicalSizes()
  const by: Record<string, SinglyCost> = {}
  for (const { dataset, form_type, filings, requests, archived, in_sets } of waiting) {
    by[dataset] ??= { filings: 0, requests: 0, bytes: 0, kept_bytes: 0, seconds: null, in_sets: 0 }
    const each = bytesOf(form_type)
    const keeps = originals ? each : Math.min(each, kept.get(dataset) ?? each)
    const sum = by[dataset]
    sum.in_sets += in_sets
    sum.filings += filings
    sum.requests += requests
    sum.bytes += Math.round(requests * each)
    sum.kept_bytes += Math.round((requests + archived) * keeps)
  }
  for (const cost of Object.values(by)) cost.seconds = secondsOf(cost, perSecond)
  const ofArchives = {
    requests: archives.length,
    filings: archives.reduce((sum, { filings }) => sum + filings, 0),
    bytes: archives.reduce((sum, { bytes }) => sum + bytes, 0),
  }
  const costs = Object.values(by)
  const sumOf = (of: (cost: SinglyCost) => number) => costs.reduce((sum, cost) => sum + of(cost), 0)
  const singly = { requests: sumOf((cost) => cost.requests), bytes: sumOf((cost) => cost.bytes) }
  return {
    filings: sumOf((cost) => cost.filings),
    requests: singly.requests + ofArchives.requests,
    bytes: singly.bytes + ofArchives.bytes,
    kept_bytes: sumOf((cost) => cost.kept_bytes),
    seconds: perSecond === null ? null : secondsOf(singly, perSecond)! + secondsOf(ofArchives, perSecond)!,
    by,
    in_sets: sumOf((cost) => cost.in_sets),
    archives: ofArchives,
  }
}

/** The time that the requests take at this rate, or that the network takes for their answers if that is longer. */
function secondsOf({ requests, bytes }: Pick<Cost, 'requests' | 'bytes'>, perSecond: number | null): number | null {
  if (perSecond === null) return null
  return Math.round(Math.max((requests * intervalOf(perSecond)) / 1000, bytes / LINE_BYTES_A_SECOND))
}

export const isWorthReporting = ({ requests, archives }: Estimate): boolean =>
  requests >= WORTH_REPORTING || archives.requests > 0

export const isLong = ({ seconds, bytes }: Estimate): boolean => (seconds ?? 0) >= LONG_SECONDS || bytes >= LONG_BYTES

/** `4,900 requests, about 20 min 0 s, 58 MB to fetch, 10 MB of it kept` */
const costText = ({ requests, seconds, bytes, kept_bytes }: Cost) =>
  [
    `${number(requests)} requests`,
    ...(seconds === null ? [] : [`about ${duration(seconds)}`]),
    `${size(bytes)} to fetch, ${size(kept_bytes)} of it kept`,
  ].join(', ')

/** The estimate in words; for a long run also its parts, and cheaper commands. */
export function estimateText(estimate: Estimate, selection: Pick<Selection, 'from' | 'ciks'>): string {
  const { requests, filings } = estimate.archives
  const archives =
    requests > 0
      ? `; ${number(filings)} of the filings come in ${number(requests)} archives of whole days, one request for each archive`
      : ''
  const { in_sets } = estimate
  const ofSets =
    in_sets > 0 ? `; ${number(in_sets)} of the requests are for filings that already have rows from quarterly sets` : ''
  const first = `reading ${number(estimate.filings)} filings takes ${costText(estimate)}${archives}${ofSets}`
  if (!isLong(estimate)) return first
  return [first, ...partLines(estimate), ...cheaper(estimate, selection).map((line) => `  cheaper: ${line}`)].join('\n')
}

const mostExpensive = ({ by }: Estimate) =>
  Object.entries(by).toSorted(([, a], [, b]) => (b.seconds ?? b.bytes) - (a.seconds ?? a.bytes))

function partLines(estimate: Estimate): string[] {
  const parts = mostExpensive(estimate)
  if (parts.length < 2) return []
  const width = Math.max(...parts.slice(0, SHOWN).map(([slug]) => slug.length))
  const lines = parts.slice(0, SHOWN).map(([slug, cost]) => `  ${slug.padEnd(width)}  ${costText(cost)}`)
  const rest = parts.length - SHOWN
  return rest > 0 ? [...lines, `  and ${rest} more datasets`] : lines
}

/** Commands that do less, or the same with fewer requests. */
export function cheaper(estimate: Estimate, { from, ciks }: Pick<Selection, 'from' | 'ciks'>): string[] {
  const parts = mostExpensive(estimate)
  const since = from ? ` --from ${from}` : ''
  const sets = parts.flatMap(([slug, { requests, in_sets }]) => {
    const dataset = registry.filings.find((each) => each.slug === slug)
    // A set has the filings of all filers, so no set is proposed if filers are chosen. A set that is loaded already
    // saves no request.
    if (!dataset?.sets || ciks || requests - in_sets < WORTH_REPORTING) return []
    return [
      `"openfilings ingest ${slug} --sets${since}" fetches whole periods of ${slug}, with one request for each period`,
    ]
  })
  const least = parts.filter(([, { requests }]) => requests > 0).at(-1)
  const alone =
    parts.length > 1 && least
      ? [
          `"openfilings ingest ${least[0]}${ciks ? ' --watch FILE' : ''}${since}" reads only ${least[0]}, in ${number(least[1].requests)} requests; each dataset can be read alone`,
        ]
      : []
  return [
    ...sets,
    ...alone,
    'a later --from reads fewer filings; the newest are read first, and a run can be stopped at any time and continued later',
  ]
}

/**
 * Asks a person whether to continue.
 *
 * @returns false for any answer other than yes, and if the signal aborts
 */
export async function confirmed(
  question: string,
  { input, output, signal }: { input: Readable; output: Writable; signal: AbortSignal },
): Promise<boolean> {
  const lines = createInterface({ input, output })
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(`${question} [y/N] `, { signal }), closed])
    return /^\s*y(?:es)?\s*$/i.test(answer)
  } catch (error) {
    if (signal.aborted) return false
    throw error
  } finally {
    lines.close()
  }
}
