/**
 * Serves the test database over TCP, through a relay that can break: the embedded server itself listens on a Unix
 * socket.
 */
import { type AddressInfo, createConnection, createServer, type Socket } from 'node:net'
import type { FreshDatabase } from './database.ts'

export interface Relay {
  /** As `Connection.target` of store/db.ts. */
  target: string
  /** Resets every connection, like a crashed server or a changed network. */
  reset(): void
  /** Number of client writes that have arrived so far. */
  readonly writes: number
  /** Closes every connection properly, like a stopped server. */
  end(): void
  /**
   * Breaks every connection when a client next sends a match; with `after`, breaks them once the server has begun to
   * answer that client.
   */
  breakAt(pattern: RegExp, options?: { after?: boolean }): Promise<void>
  /** Refuses new connections until `listen`, like a machine without a server. */
  close(): void
  listen(): Promise<void>
}

/** Starts a relay on loopback for one test. */
export async function overTcp(
  t: { after(fn: () => Promise<void>): void },
  { target }: Pick<FreshDatabase, 'target'>,
): Promise<Relay> {
  const clients = new Set<Socket>()
  let writes = 0
  let armed: { pattern: RegExp; after: boolean; done: () => void } | null = null
  const reset = () => {
    for (const client of clients) client.resetAndDestroy()
  }
  const fire = () => {
    armed?.done()
    armed = null
    reset()
  }
  const server = createServer({ noDelay: true }, (client) => {
    const database = open(target)
    clients.add(client)
    client.on('close', () => {
      clients.delete(client)
      database.destroy()
    })
    database.on('close', () => client.destroySoon())
    for (const socket of [client, database]) socket.on('error', () => {})
    let isMet = false
    client.on('data', (chunk: Buffer) => {
      writes++
      if (!armed?.pattern.test(chunk.toString('latin1'))) return
      if (armed.after) isMet = true
      else fire()
    })
    // Breaks the connections before the answer is passed to the client.
    database.on('data', () => isMet && fire())
    client.pipe(database).pipe(client)
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  t.after(async () => {
    server.close()
    for (const client of clients) client.destroy()
  })
  const { port } = server.address() as AddressInfo
  return {
    target: addressAt(port, target),
    reset,
    breakAt: (pattern, { after = false } = {}) =>
      new Promise((done) => {
        armed = { pattern, after, done }
      }),
    get writes() {
      return writes
    },
    end() {
      for (const client of clients) client.end()
    },
    close: () => void server.close(),
    listen: () => listen(port),
  }
}

function open(target: FreshDatabase['target']): Socket {
  if (typeof target === 'string') {
    const { hostname, port } = new URL(target)
    return createConnection({ host: hostname, port: Number(port || 5432), noDelay: true })
  }
  const { socket, host, port } = target
  return host ? createConnection({ host, port, noDelay: true }) : createConnection(`${socket}/.s.PGSQL.${port}`)
}

function addressAt(port: number, target: FreshDatabase['target']): string {
  if (typeof target !== 'string') {
    const { user, password = '', database } = target
    return `postgres://${user}:${password}@127.0.0.1:${port}/${database}`
  }
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
  return url.href
}
