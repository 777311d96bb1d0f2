/**
 * `serve` prints a key and a link at its terminal. This module gives the key to the pages that a person opens by this
 * link, so that these pages can send requests at once. The link's token keeps out other users of the machine, who could
 * imitate everything else that a browser sends. A request with any sign of another machine, another site or an
 * intermediary is refused too.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { METHODS } from './send.ts'

export interface ReadyKey {
  /** Returns the key; null while there is none. */
  key(): string | null
  /** Token of the link that is printed; each start has its own. */
  token: string
  /** Whether the settings say that the service runs behind a proxy. */
  hasProxy: boolean
}

/**
 * If the key must not be given, the answer has a null key and no error status. A browser would log the status as an
 * error of the page.
 */
export function addReadyKey(fastify: FastifyInstance, ready: ReadyKey | undefined): void {
  fastify.route({
    method: METHODS,
    url: '/docs/ready-key',
    config: { label: 'docs' },
    handler(request, reply) {
      const listensAt = fastify.server.address() as AddressInfo | null
      const mayHave =
        ready && !ready.hasProxy && isLoopback(listensAt?.address) && isLocal(request) && hasToken(request, ready.token)
      reply.headers({ 'cache-control': 'no-store', 'cross-origin-resource-policy': 'same-origin' })
      return reply.send({ key: mayHave ? ready.key() : null })
    },
  })
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares in constant time, so that the time does not reveal how much of the token was right. */
function hasToken({ headers }: FastifyRequest, token: string): boolean {
  const given = headers['x-start-token']
  return typeof given === 'string' && timingSafeEqual(digest(given), digest(token))
}

/** Headers that an intermediary between a client and this server adds. */
const FORWARDED = /^(x-forwarded(-.+)?|forwarded|via|x-real-ip|(true|x|fastly|cf)-(client|connecting)-ip)$/

/** Whether the request comes from a browser on this machine, from a page of this service under a loopback name. */
function isLocal({ raw }: FastifyRequest): boolean {
  const { headers, socket, httpVersion } = raw
  return (
    isLoopback(socket.remoteAddress) &&
    isLoopbackName(headers.host) &&
    isOfOwnPage(headers) &&
    !Object.keys(headers).some((name) => FORWARDED.test(name)) &&
    // HTTP/1.0 and closed connections come from a proxy that adds no header; browsers use neither of them.
    httpVersion === '1.1' &&
    headers.connection?.toLowerCase() !== 'close'
  )
}

export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && (address === '::1' || /^(::ffff:)?127\.\d+\.\d+\.\d+$/.test(address))
}

/** Whether the host is a loopback name, which no foreign DNS server can redirect. */
function isLoopbackName(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i.test(host)
}

/** Every current browser states the origin of a request; a browser that does not state the origin gets no key. */
function isOfOwnPage({ host, origin, 'sec-fetch-site': site }: IncomingHttpHeaders): boolean {
  return site === 'same-origin' && (origin === undefined || origin === `http://${host}`)
}
