/**
 * A proxy for database connections that a test can block: while it is blocked, it accepts bytes but does not pass them
 * on, as in a broken network. A test can also delay only cancel requests.
 */
import { type AddressInfo, createServer, connect as openSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../src/store/db.ts'

export interface DatabaseProxy {
  target: string
  freeze(): void
  /** Makes new connections work again, and resets old connections that lost bytes, as TCP does in the end. */
  thaw(): void
  /** Delays cancel requests on their way to the server from now on. */
  delayCancellations(ms: number): void
}

/** The number that a cancel request has in place of the protocol version. */
const CANCEL = 80877102
const isCancellation = (chunk: Buffer) => chunk.length === 16 && chunk.readInt32BE(4) === CANCEL

export async function databaseProxy(
  t: { after(fn: () => Promise<void>): void },
  target: Connection['target'],
): Promise<DatabaseProxy> {
  let frozen = false
  let lateMs = 0
  const open = new Set<Socket>()
  const lossy = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = openSocket(addressOf(target))
    const link = [near, far]
    for (const [i, socket] of link.entries()) {
      open.add(socket)
      let dead = frozen
      socket.on('data', async (chunk: Buffer) => {
        dead ||= frozen
        if (lateMs > 0 && isCancellation(chunk)) await sleep(lateMs, undefined, { ref: false })
        if (!dead) link[1 - i]!.write(chunk)
        else if (frozen) lossy.add(socket)
        else socket.destroy()
      })
      socket
        .on('error', () => {})
        .on('close', () => {
          open.delete(socket)
          lossy.delete(socket)
          link[1 - i]!.destroy()
        })
    }
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  t.after(async () => {
    proxy.close()
    for (const socket of open) socket.destroy()
  })
  const { port } = proxy.address() as AddressInfo
  return {
    target: throughPort(target, port),
    freeze() {
      frozen = true
    },
    thaw() {
      frozen = false
      for (const socket of lossy) socket.destroy()
    },
    delayCancellations(ms) {
      lateMs = ms
    },
  }
}

function addressOf(target: Connection['target']): { path: string } | { host: string; port: number } {
  if (typeof target === 'string') {
    const { hostname, port } = new URL(target)
    return { host: hostname, port: Number(port || 5432) }
  }
  const { socket, host, port } = target
  return host ? { host, port } : { path: `${socket}/.s.PGSQL.${port}` }
}

function throughPort(target: Connection['target'], port: number): string {
  if (typeof target === 'string') {
    const url = new URL(target)
    url.hostname = '127.0.0.1'
    url.port = String(port)
    return url.href
  }
  const { user, password, database } = target
  return `postgres://${user}${password ? `:${encodeURIComponent(password)}` : ''}@127.0.0.1:${port}/${database}`
}
