/**
 * Sends messages to the receivers that subscribed to them. Only the status and the `Retry-After` header of their
 * answers are used.
 */
import { messageOf } from '../declare/errors.ts'
import { proxyAgent } from './proxy.ts'
import { assertPublic, bareHost, type LookUp, PrivateAddress, publicLookUp } from './public-address.ts'

// These modules are not imported, for the reason that is stated in send.ts.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

export interface PostOptions {
  /** Whether plain http and addresses of private networks are allowed. */
  allowPrivate: boolean
  /** How long a receiver may take to answer, including the connection. */
  timeoutMs?: number
  /** Looks up names; the default is the system's resolver. */
  lookUp?: LookUp
}

export interface Posted {
  status: number
  /** The receiver's `Retry-After` header, unparsed. */
  retryAfter: string | undefined
}

export type Post = (
  url: string,
  sent: { body: string; headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
) => Promise<Posted>

/**
 * Makes a sender. The sender does not follow redirects, since they could lead anywhere, and does not keep connections
 * open. A proxy from the environment looks up the name again, and decides which address the name means. The receiver's
 * body is not read.
 *
 * @returns a function that throws an Error with the reason. The message omits path and query of the URL, since they may
 *   contain secrets
 */
export function sender({ allowPrivate, timeoutMs = 10_000, lookUp }: PostOptions): Post {
  return async (given, { body, headers }, signal) => {
    const url = receiverUrl(given, allowPrivate)
    const proxied = proxyAgent(url, { isKept: false })
    // If a proxy is used, many names cannot be resolved here. Such a name is not refused, since the proxy resolves it.
    if (proxied) await assertMayPost(given, { allowPrivate, ...(lookUp ? { lookUp } : {}) })
    return new Promise<Posted>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(body) },
        agent: proxied ?? false,
        signal,
        ...(allowPrivate || proxied ? {} : { lookup: publicLookUp(lookUp) }),
      })
      // The promise is rejected here too, for the reason that is stated in send.ts.
      const end = (error: unknown) => {
        request.destroy(error as Error)
        reject(error)
      }
      const late = () => end(new Error(`no answer within ${timeoutMs / 1000} seconds`))
      const aborted = () => end(signal.reason)
      signal.addEventListener('abort', aborted, { once: true })
      const timer = setTimeout(late, timeoutMs)
      request.on('response', (response) => {
        const { statusCode = 0, headers } = response
        resolve({ status: statusCode, retryAfter: headers['retry-after'] })
        response.destroy()
      })
      request.on('error', (error) => reject(signal.aborted ? signal.reason : new Error(reasonOf(error))))
      request.on('close', () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', aborted)
        // A status 101 that was not requested causes neither a `response` nor an `error` event, so the promise is
        // rejected here. After one of these events, this call of `reject` has no effect.
        reject(new Error('it gave no answer'))
      })
      request.end(body)
    })
  }
}

/**
 * Reads the address of a receiver.
 *
 * @throws Error that states the fault
 */
function receiverUrl(given: string, allowPrivate: boolean): URL {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) throw new Error('it is not an https address')
  if (url.username || url.password)
    throw new Error('it has a user or password, which an address of a receiver must not have')
  if (url.hash) throw new Error('it has a fragment, which is never sent')
  if (allowPrivate) return url
  if (url.protocol === 'http:') throw new Error('it is not https; plain http is allowed only for private networks')
  assertPublic(url.hostname)
  return url
}

/**
 * Checks that a receiver is allowed, as far as its host can be found now.
 *
 * @returns false if the host of the receiver cannot be found now
 * @throws Error with the reason why it is not allowed
 */
export function assertMayPost(given: string, { allowPrivate, lookUp }: PostOptions): Promise<boolean> {
  const { hostname } = receiverUrl(given, allowPrivate)
  return new Promise((resolve, reject) => {
    if (allowPrivate) return resolve(true)
    publicLookUp(lookUp)(bareHost(hostname), { all: true }, (error) => {
      if (error instanceof PrivateAddress) reject(error)
      else resolve(error === null)
    })
  })
}

/** Returns a reason without the path of the URL: the system's messages contain addresses and codes, never a path. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof PrivateAddress || error.code === undefined) return messageOf(error)
  if (error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN') return 'its host cannot be found'
  return `the connection failed (${error.code})`
}
