/** Opens one answer of a host or a folder. Follows redirects and reads refusals; the body is not read yet. */
import type { IncomingHttpHeaders } from 'node:http'
import { fileURLToPath } from 'node:url'
import { below, usableAgent } from './address.ts'
import { EdgarError, lastModified, PAGE_SIZE_MAX, refusal } from './answer.ts'
import { type Body, body, decoded, isGzip, isReadable, type Limits, startOf } from './body.ts'
import { dated, type Host } from './host.ts'
import { checkedPath, openBelow } from './location.ts'
import type { EdgarResponse } from './options.ts'
import { send } from './send.ts'
import { validatorsOf } from './validators.ts'

export interface Opened extends Body, Omit<EdgarResponse, 'body'> {
  status: number
  headers: IncomingHttpHeaders
}

const REDIRECTS_MAX = 3

/**
 * Sends the request for a path, and follows its redirects.
 *
 * @param conditions extra headers: with any of them, the answer may also be 304; with `range`, it may also be 206
 * @returns null if the file does not exist
 * @throws EdgarError
 */
export async function exchange(
  host: Host,
  path: string,
  limits: Limits,
  signal: AbortSignal,
  conditions: Record<string, string> = {},
): Promise<Opened | null> {
  const { base, turns, intervalMs, now, sleep, shared, counts, timeoutMs, timeOfDay } = host
  let url = below(base, path)
  const headers = { 'user-agent': usableAgent(host.userAgent, base), 'accept-encoding': 'gzip', ...conditions }
  const isMeant = (status: number) =>
    status === 200 || (status === 206 ? 'range' in conditions : status === 304 && Object.keys(conditions).length > 0)
  const onPause = (until: number, reason: string) =>
    host.log({ event: 'edgar.pause', path, reason, until: dated(host, until) })
  for (let redirects = 0; ; redirects++) {
    await turns.turn({ intervalMs, clock: { now, sleep }, shared, onPause, signal })
    counts.request()
    const response = await send(url, headers, timeoutMs, signal)
    const { statusCode: status = 0, headers: answer } = response
    counts.dated(answer.date, timeOfDay())
    if (isMeant(status)) {
      const read = body(url, decoded(url, response, limits), limits, signal)
      const isDelimited = 'content-length' in answer || 'transfer-encoding' in answer || isGzip(answer)
      const facts = { isDelimited, ...lastModified(answer['last-modified']), validators: validatorsOf(answer) }
      return { ...read, ...facts, url: url.href, status, headers: answer }
    }
    const location = answer.location
    if (location !== undefined && [301, 302, 303, 307, 308].includes(status)) {
      response.destroy()
      url = redirected(url, location, redirects)
      continue
    }
    const unlimited = { ...limits, sizeMax: Number.POSITIVE_INFINITY }
    let page = ''
    if (isReadable(answer))
      page = await startOf(body(url, decoded(url, response, unlimited), unlimited, signal), PAGE_SIZE_MAX)
    else response.destroy()
    const error = refusal(url, status, page, answer['retry-after'], timeOfDay())
    if (error) throw error
    return null
  }
}

/** Opens the file at a path in a folder, as `exchange` opens an answer of a host. */
export async function openFolder(
  { base }: Host,
  path: string,
  limits: Limits,
  signal: AbortSignal,
): Promise<Opened | null> {
  const found = await openBelow(fileURLToPath(base.url), path).catch((cause: unknown) => {
    if (cause instanceof EdgarError) throw cause
    throw new EdgarError('configuration', `the folder ${base.url.href} cannot be read`, { cause })
  })
  if (!found) return null
  const url = below(base, path)
  const read = body(url, found.handle.createReadStream(), limits, signal, found.sizeBytes)
  const facts = { isDelimited: true, ...lastModified(undefined), validators: validatorsOf({}) }
  return { ...read, ...facts, url: url.href, status: 200, headers: {} }
}

function redirected(from: URL, location: string, already: number): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null
  if (!to || to.origin !== from.origin) throw new EdgarError('refused', `${from.href} redirects to another host`)
  if (already >= REDIRECTS_MAX)
    throw new EdgarError('refused', `${from.href} redirects more than ${REDIRECTS_MAX} times`)
  checkedPath(to.pathname + to.search)
  return to
}
