/** A webhook receiver on loopback that treats each delivery as a test specifies. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  id: string
  headers: IncomingMessage['headers']
  body: string
  /** Keys of its events, or accessions of the rows of its matches. */
  keys: (string | null)[]
  numbers: number[]
}

/** The body of a delivery: events, or matches of a saved search. */
interface Sent {
  events?: { key: string | null; event_number: number }[]
  matches?: { match_number: number; row: { accession?: string; key?: string } }[]
}

/** Answer to a delivery: a status, or a function that acts instead. */
export type Behaviour = number | ((response: ServerResponse, request: IncomingMessage) => void)

export interface Receiver {
  url: string
  /** All deliveries in order of arrival, whatever their answer. */
  received: Received[]
  /** Deliveries that were answered 2xx. */
  taken: Received[]
  /** Behaviours for the next deliveries, one for each; all later deliveries are accepted. */
  next: Behaviour[]
}

export async function receiver(t: { after(fn: () => Promise<void>): void }): Promise<Receiver> {
  const own: Receiver = { url: '', received: [], taken: [], next: [] }
  const server = createServer(async (request, response) => {
    const body = String(Buffer.concat(await request.toArray()))
    const { events = [], matches = [] } = JSON.parse(body) as Sent
    const one: Received = {
      id: String(request.headers['webhook-id']),
      headers: request.headers,
      body,
      keys: [...events.map(({ key }) => key), ...matches.map(({ row }) => row.accession ?? row.key ?? null)],
      numbers: [...events.map(({ event_number: n }) => n), ...matches.map(({ match_number: n }) => n)],
    }
    own.received.push(one)
    const behaviour = own.next.shift() ?? 204
    response.on('finish', () => {
      if (response.statusCode < 300) own.taken.push(one)
    })
    if (typeof behaviour === 'number') response.writeHead(behaviour).end()
    else behaviour(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  own.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=hidden`
  t.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return own
}

/** The first delivery of each id: a process that ends or loses its lock may repeat a delivery. */
export const firstsOf = (of: Receiver['received']) =>
  [...Map.groupBy(of, ({ id }) => id).values()].map(([first]) => first!)
