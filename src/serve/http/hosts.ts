/**
 * Checks under which names this service may be requested. A web page can make its own name resolve to this machine (DNS
 * rebinding). A browser then sends the page's requests here, with that name as Host, and lets the page read answers
 * that need no key.
 */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { Keyring } from '../keyring.ts'
import { presentedKey } from './request.ts'

/** Makes a check for requests to paths that need no key. The check passes a refusal, or nothing, to `done`. */
export function strangerCheck(names: readonly string[], keys: Keyring) {
  const refusalOf = hostCheck(names)
  // A web page can send the header for a key, but it has no valid key. So a request with a valid key is accepted under
  // any host name.
  const isKeyed = async ({ rawHeaders }: IncomingMessage) => (await keys.find(presentedKey(rawHeaders))) !== null
  return (request: IncomingMessage, done: (refusal?: HttpError) => void): void => {
    const refusal = refusalOf(request.headers.host)
    if (!refusal) done()
    else {
      isKeyed(request).then(
        (keyed) => done(keyed ? undefined : refusal),
        () => done(refusal),
      )
    }
  }
}

/**
 * Makes a check for the header Host.
 *
 * @param names further names; a name that begins with a dot means all subdomains of that name, and `*` means every name
 * @returns undefined if Host is known, else the refusal
 */
export function hostCheck(names: readonly string[]): (host: string | undefined) => HttpError | undefined {
  const known = new Set(['localhost', ...names.map((name) => name.toLowerCase())])
  const endings = [...known].filter((name) => name.startsWith('.'))
  return (host) => {
    // Requests of HTTP/1.0, which some load balancers send, have no Host. A browser always sends it.
    if (host === undefined || host === '' || known.has('*')) return undefined
    const name = nameOf(host)
    // Every IP address is accepted, since no DNS record can redirect it. The address need not belong to this machine: a
    // port may be published by NAT.
    if (isIP(name) !== 0 || known.has(name) || endings.some((ending) => name.endsWith(ending))) return undefined
    return apiError('unknown_host', { name: shown(name) })
  }
}

/** The name without port, brackets and trailing dot. */
function nameOf(host: string): string {
  const bare = /^\[([^\]]*)\](?::\d*)?$/.exec(host)?.[1] ?? host.replace(/:\d*$/, '')
  return bare.replace(/\.$/, '').toLowerCase()
}

/** The name is shortened, since a client may send a name of 32 KB. */
const shown = (name: string) => JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name)
