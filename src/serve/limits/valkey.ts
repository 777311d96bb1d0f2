/** Stores counts of requests in Valkey or Redis, for servers that share such a store. */
import { createClient } from '@redis/client'
import type { Bucket } from '../../declare/route.ts'
import { WINDOW_SECONDS } from '../limits.ts'
import type { Counted, CountStore } from './shared.ts'

const WINDOW_MS = WINDOW_SECONDS * 1000

/** Longest time between two attempts to connect. */
const RECONNECT_MS = 2_000

/**
 * A store on the server at an address (`redis://`, `rediss://`, `valkey://` or `valkeys://`). It connects and
 * reconnects by itself. A command fails immediately while there is no connection.
 */
export class ValkeyCounts implements CountStore {
  readonly name = 'Valkey'
  readonly #client: ReturnType<typeof clientOf>

  constructor(url: string) {
    this.#client = clientOf(url)
    // Each command that fails reports its own error; without a listener, this error event would end the process.
    this.#client.on('error', () => {})
    void this.#client.connect().catch(() => {})
  }

  async add(countedAs: string, bucket: Bucket, amount: number): Promise<Counted> {
    const name = `openfilings:rate:${bucket}:${countedAs}`
    if (amount === 0) {
      const [used, msLeft] = await this.#client.multi().get(name).pTTL(name).execTyped()
      return { used: Number(used ?? 0), msLeft: Math.max(0, Number(msLeft)) }
    }
    const [, used, msLeft] = await this.#client
      .multi()
      .set(name, 0, { condition: 'NX', expiration: { type: 'PX', value: WINDOW_MS } })
      .incrBy(name, amount)
      .pTTL(name)
      .execTyped()
    if (Number(msLeft) <= WINDOW_MS) return { used: Number(used), msLeft: Number(msLeft) }
    // The store expires keys by its time of day, and this clock was set back.
    await this.#client.pExpire(name, WINDOW_MS)
    return { used: Number(used), msLeft: WINDOW_MS }
  }

  async close(): Promise<void> {
    if (this.#client.isOpen) this.#client.destroy()
  }
}

/** Connects once and sends one command. @throws the reason why the server of the address does not answer */
export async function answers(url: string): Promise<void> {
  const client = clientOf(url, false)
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
  } finally {
    if (client.isOpen) client.destroy()
  }
}

function clientOf(url: string, reconnects = true) {
  return createClient({
    url: url.replace(/^valkey/, 'redis'),
    // A request must not wait for a connection: the server then counts locally.
    disableOfflineQueue: true,
    socket: {
      connectTimeout: 2_000,
      reconnectStrategy: (retries) => (reconnects ? Math.min(50 * 2 ** retries, RECONNECT_MS) : false),
    },
  })
}
