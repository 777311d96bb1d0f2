/** Tools for tests of the EDGAR client: a server with test-defined answers, and a clock that takes no time. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { type ClientOptions, edgarClient } from '../../src/fetch/client.ts'

/** Starts a server for one test; returns its address. */
export async function serving(t: TestContext, listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A clock that advances only by sleeping, and the sleeps in milliseconds. */
export function stillClock() {
  let time = Date.UTC(2026, 0, 5)
  const slept: number[] = []
  return {
    slept,
    now: () => time,
    sleep: async (ms: number, signal?: AbortSignal) => {
      const wake = time + ms
      slept.push(ms)
      await soon()
      signal?.throwIfAborted()
      time = Math.max(time, wake)
    },
  }
}

/** Returns a client with a clock that stands still and without jitter, closed after the test. */
export function stillClient(t: TestContext, baseUrl: string, options: Partial<ClientOptions> = {}) {
  const clock = stillClock()
  const { now, sleep, slept } = clock
  const client = edgarClient({ baseUrl, userAgent: null, now, sleep, random: () => 1, ...options })
  t.after(() => client.close())
  return { client, slept, now }
}

/** Returns all bytes of an answer as text; to be passed to `get` as `consume`. */
export async function text({ body }: { body: AsyncIterable<Uint8Array> }): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** A check for `assert.rejects`: an EdgarError of this kind whose message contains all of the words. */
export function failing(kind: string, ...words: string[]) {
  return (error: unknown) => {
    const { name, kind: found, message } = error as { name: string; kind?: string; message: string }
    if (name !== 'EdgarError' || found !== kind) throw error
    for (const word of words) if (!message.includes(word)) throw new Error(`${message} lacks ${word}`)
    return true
  }
}
