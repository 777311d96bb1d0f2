/** A loopback server that answers as a test specifies. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Answering {
  origin: string
  /** All requests in order of arrival. */
  requests: { url: string; headers: IncomingMessage['headers'] }[]
}

type Handler = (response: ServerResponse, request: IncomingMessage) => void

/**
 * Starts the server. Each request is handled by the next handler. After the last handler has run once, it handles all
 * further requests.
 */
export async function answering(
  t: { after(fn: () => Promise<void>): void },
  ...handlers: readonly Handler[]
): Promise<Answering> {
  const requests: Answering['requests'] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url!, headers: request.headers })
    handlers[Math.min(requests.length, handlers.length) - 1]!(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Answers JSON. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
