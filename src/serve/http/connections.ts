/**
 * Handles the connections to all addresses of a server: limits their number and idle time, and runs the requests of
 * each connection one after the other.
 */
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { beginsOn } from './refusal.ts'

export interface ConnectionOptions extends ServerOptions {
  /** How long a client may read nothing of a finished answer. */
  stallMs: number
  /** Maximum number of connections of each server. */
  connectionsMax: number
  /** Resolves a host name to addresses. Default: the system's resolver. */
  addressesOf?: ((host: string) => Promise<string[]>) | undefined
  /** Called for each server before it listens. */
  onServer: (server: Server) => void
  /** Called when a connection is closed because there are too many. */
  onTooMany: () => void
}

export interface Connections {
  /** Makes the first server. */
  open(handler: RequestListener): Server
  /**
   * Listens on the other addresses of `localhost` too, on the port of the first server. Does nothing for other hosts:
   * `localhost` is the only name for which clients choose between two addresses. An address that cannot be bound is
   * skipped, for example `::1` if IPv6 is off.
   */
  openOthers(host: string): Promise<void>
  closeIdle(): void
  closeAll(): void
  /** Closes all but the first server. */
  close(): Promise<void>
}

/**
 * Maximum number of requests of a connection that wait. Without this limit, Node parses and answers all requests that
 * are sent at once: 100 connections with 5,000 requests each then take 5.8 GB of memory.
 */
const WAITING_MAX = 100
/**
 * Number of checks after which a stalled client is disconnected although its answer is still being made. The making of
 * an answer has its own time limit too, of at most five minutes.
 */
const STALLS_MAX = 10

export function connections({
  stallMs,
  connectionsMax,
  addressesOf,
  onServer,
  onTooMany,
  ...options
}: ConnectionOptions): Connections {
  const servers: Server[] = []
  let answer: RequestListener
  const open = (handler: RequestListener) => {
    answer = handler
    const server = createServer(options, serialized(handler))
    server.maxConnections = connectionsMax
    server.on('drop', onTooMany)
    server.setTimeout(stallMs, (socket) => stall(socket, stallMs))
    onServer(server)
    servers.push(server)
    return server
  }
  return {
    open,
    async openOthers(host) {
      if (host !== 'localhost') return
      const { address: own, port } = servers[0]!.address() as AddressInfo
      for (const address of await (addressesOf ?? systemAddresses)(host)) {
        if (address === own) continue
        const server = open(answer)
        try {
          await once(server.listen({ host: address, port }), 'listening')
        } catch {
          servers.pop()
        }
      }
    },
    closeIdle: () => each((server) => server.closeIdleConnections()),
    closeAll: () => each((server) => server.closeAllConnections()),
    async close() {
      const others = servers.slice(1)
      await Promise.all(others.map((server) => once(server.close(), 'close')))
    },
  }

  function each(act: (server: Server) => void): void {
    for (const server of servers) act(server)
  }
}

const systemAddresses = async (host: string) =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address)

/** The state of a connection. */
interface Line {
  /** The answer to the request that is being handled; null between two requests. */
  running: ServerResponse | null
  waiting: [IncomingMessage, ServerResponse][]
  /** Whether the maximum number of requests was reached; no further request is answered. */
  isFull: boolean
  stalls: number
  /** Bytes that the client had read at the last check. */
  taken: number
}

const LINE = Symbol('line')
type Connection = Socket & { [LINE]?: Line }

const lineOf = (socket: Connection): Line => {
  socket[LINE] ??= { running: null, waiting: [], isFull: false, stalls: 0, taken: 0 }
  return socket[LINE]
}

/**
 * Runs the requests of a connection one after the other. Stops reading the connection when the maximum number of
 * requests is waiting.
 */
function serialized(handler: RequestListener): RequestListener {
  return (request, response) => {
    const { socket } = request
    const line = lineOf(socket)
    if (line.isFull) return
    beginsOn(socket, response)
    if (!line.running) return run(request, response)
    line.waiting.push([request, response])
    if (line.waiting.length < WAITING_MAX) return
    line.isFull = true
    pause(socket)
    // When a connection is closed, its client sends the unanswered requests again (RFC 9112, 9.3.2).
    response.setHeader('connection', 'close')

    function run(next: IncomingMessage, own: ServerResponse): void {
      line.running = own
      own.once('close', () => {
        line.running = null
        const [following] = line.waiting.splice(0, 1)
        if (!following || socket.destroyed) return
        if (line.isFull) pause(socket)
        run(...following)
      })
      handler(next, own)
    }
  }
}

/**
 * Stops reading a connection. Node resumes a connection in the tick after each request that it has parsed; this
 * microtask runs after that tick. Until the maximum number of requests is waiting, a connection is always read, since
 * only a read shows that the client has gone.
 */
const pause = (socket: Socket) => queueMicrotask(() => socket.pause())

/** Ends a connection that made no progress for `stallMs`, because its client sends no request or reads no answer. */
function stall(socket: Connection, stallMs: number): void {
  const line = lineOf(socket)
  const taken = socket.bytesWritten - socket.writableLength
  line.stalls = line.taken === taken ? line.stalls + 1 : 1
  line.taken = taken
  const isMaking = line.running !== null && (socket.writableLength === 0 || !line.running.writableEnded)
  if (!line.running || !isMaking || (socket.writableLength > 0 && line.stalls >= STALLS_MAX)) socket.destroy()
  else socket.setTimeout(stallMs)
}
