/**
 * The proxy that the environment names for outside requests: HTTPS_PROXY, HTTP_PROXY and NO_PROXY in upper or lower
 * case, as curl and other programs read them. Node's own switch (NODE_USE_ENV_PROXY) need not be set.
 */
import type { Agent } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { UserError } from '../declare/errors.ts'

// These modules are not imported, for the reason that is stated in send.ts.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

interface Proxies {
  http: string | undefined
  https: string | undefined
  /** Hosts that are reached without a proxy. */
  except: readonly string[]
}

/**
 * Longest wait for a tunnel through the proxy. The time limits of requests do not apply yet, since no request has
 * begun. Without this limit the wait for a silent proxy would never end.
 */
const TUNNEL_MS = 30_000

let proxies: Proxies = { http: undefined, https: undefined, except: [] }
const agents: { http?: Agent; https?: Agent } = {}

/**
 * Makes all later requests of this process use the proxies that the environment names, if any.
 *
 * @throws UserError that names a variable that cannot be used
 */
export function useProxies(environment: Readonly<Record<string, string | undefined>>): void {
  const given = (name: string) => environment[name.toLowerCase()] || environment[name] || undefined
  const proxy = (name: string) => {
    const value = given(name)
    if (value === undefined) return undefined
    const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`
    // The value may contain a password.
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
      throw new UserError(
        `${name} must be an address that begins with http:// or https://; other kinds of proxies are not supported`,
      )
    }
    return address
  }
  proxies = {
    http: proxy('HTTP_PROXY'),
    https: proxy('HTTPS_PROXY'),
    except: (given('NO_PROXY') ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
  }
  for (const agent of Object.values(agents)) agent.destroy()
  delete agents.http
  delete agents.https
}

/**
 * The agent that sends a request through the proxy; undefined if the request needs no proxy. The agent keeps
 * connections open if `isKept` is set.
 */
export function proxyAgent(url: URL, { isKept }: { isKept: boolean }): Agent | undefined {
  const scheme = url.protocol === 'https:' ? 'https' : 'http'
  const proxy = proxies[scheme]
  if (proxy === undefined || isExcepted(url)) return undefined
  const made = () =>
    new (scheme === 'https' ? https : http).Agent({
      keepAlive: isKept,
      timeout: TUNNEL_MS,
      proxyEnv: { [`${scheme}_proxy`]: proxy },
    })
  if (!isKept) return made()
  agents[scheme] ??= made()
  return agents[scheme]
}

/** Whether a URL is requested without a proxy. A URL of this machine is always requested without one. */
function isExcepted(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase()
  if (host === 'localhost' || LOOPBACK.check(host, familyOf(host))) return true
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return proxies.except.some((entry) => {
    if (entry === '*') return true
    const [, name, itsPort] = /^(.+?)(?::(\d+))?$/.exec(isIP(entry) === 6 ? `[${entry}]` : entry)!
    return (itsPort === undefined || itsPort === port) && isMeant(name!.replace(/^\[|\]$/g, ''), host)
  })
}

/**
 * `example.org` matches this name and all names below it. `.example.org` and `*.example.org` match only the names below
 * it. `10.0.0.0/8` matches addresses.
 */
function isMeant(name: string, host: string): boolean {
  const [, address, bits] = /^([\da-f.:]+)\/(\d+)$/.exec(name) ?? []
  if (address !== undefined) return isWithin(address, Number(bits), host)
  if (isIP(host) !== 0) return name === host
  const ending = name.replace(/^\*(?=\.)/, '')
  return host === ending || host.endsWith(ending.startsWith('.') ? ending : `.${ending}`)
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')
const LOOPBACK = new BlockList()
LOOPBACK.addSubnet('127.0.0.0', 8)
LOOPBACK.addAddress('::1', 'ipv6')

function isWithin(address: string, bits: number, host: string): boolean {
  const isUsable = isIP(address) !== 0 && bits <= (isIP(address) === 6 ? 128 : 32)
  if (!isUsable || isIP(host) !== isIP(address)) return false
  const net = new BlockList()
  net.addSubnet(address, bits, familyOf(address))
  return net.check(host, familyOf(host))
}
