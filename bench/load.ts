/**
 * A client for measuring servers on loopback: a few keep-alive connections, one request at a time on each. It uses bare
 * sockets, because node:http's own client takes longer over a request than the servers measured here.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { alternate, median } from './measure.ts'

export interface Load {
  /** `http://127.0.0.1:port` */
  origin: string
  key: string
  /** Whether the key is sent as the cookie of a browser, which pages read, and not as a header of the API. */
  isBrowser?: boolean
  /** The paths are requested in turn; after the last path, the first is requested again. */
  paths: readonly string[]
  connections: number
  /** The load ends after this number of requests or this time, whichever comes first. */
  requestsMax: number
  secondsMax: number
}

export interface Loaded {
  requests: number
  seconds: number
  /** Milliseconds of each request, in order of completion. */
  latenciesMs: number[]
  /** Milliseconds of each request until the first byte of its answer. */
  firstBytesMs: number[]
}

/** @throws Error on an answer other than 200 */
export async function load(options: Load): Promise<Loaded> {
  const { origin, key, isBrowser = false, paths, connections, requestsMax, secondsMax } = options
  const { hostname, port, host } = new URL(origin)
  const credential = isBrowser ? `cookie: openfilings_key=${key}` : `x-api-key: ${key}`
  const heads = paths.map((path) =>
    Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${credential}\r\nconnection: keep-alive\r\n\r\n`),
  )
  const latenciesMs: number[] = []
  const firstBytesMs: number[] = []
  let next = 0
  const begun = performance.now()
  const isOver = () => next >= requestsMax || performance.now() - begun > secondsMax * 1000

  async function drive(): Promise<void> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true })
    await once(socket, 'connect')
    const answer = answers(socket)
    while (!isOver()) {
      const at = next++ % heads.length
      const sentAt = performance.now()
      const received = answer()
      socket.write(heads[at]!)
      const { status, firstAt } = await received
      if (status !== 200) throw new Error(`${paths[at]}: ${status}`)
      latenciesMs.push(performance.now() - sentAt)
      firstBytesMs.push(firstAt - sentAt)
    }
    socket.destroy()
  }

  await Promise.all(Array.from({ length: connections }, drive))
  return { requests: latenciesMs.length, seconds: (performance.now() - begun) / 1000, latenciesMs, firstBytesMs }
}

interface Received {
  status: number
  /** When the first byte arrived. */
  firstAt: number
}

/** Returns a function that resolves once the next answer is complete; the answer must declare its length. */
function answers(socket: Socket): () => Promise<Received> {
  let waiting: PromiseWithResolvers<Received> | undefined
  let firstAt = 0
  let head = ''
  let left = 0
  let status = 0
  socket.on('data', (chunk) => {
    if (left > 0) left -= chunk.length
    else {
      if (head === '') firstAt = performance.now()
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      status = Number(head.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/i.exec(head.slice(0, end))?.[1]
      if (length === undefined) return waiting?.reject(new Error(`an answer without a length: ${head.slice(0, end)}`))
      left = Number(length) - (head.length - end - 4)
      head = ''
    }
    if (left <= 0) waiting?.resolve({ status, firstAt })
  })
  socket.on('close', () => waiting?.reject(new Error('the server closed a connection')))
  socket.on('error', (error) => waiting?.reject(error))
  return () => {
    waiting = Promise.withResolvers()
    return waiting.promise
  }
}

/** A page, and the API address of the same answer. */
export interface PageAndJson {
  page: string
  json: string
}

/**
 * Requests a page and its JSON in turns, on one connection. The first turn does not count, because it compiles the
 * code.
 *
 * @returns the median milliseconds of both, and the milliseconds of each page until its first byte
 */
export async function pageAgainstJson(
  server: Pick<Load, 'origin' | 'key'>,
  { page, json }: PageAndJson,
  { rounds, ...bounds }: Pick<Load, 'requestsMax' | 'secondsMax'> & { rounds: number },
): Promise<{ ours: number; peer: number; firstBytesMs: number[] }> {
  const request = (path: string, isBrowser: boolean) => () =>
    load({ ...server, ...bounds, connections: 1, isBrowser, paths: [path] })
  const works = { ours: request(page, true), peer: request(json, false) }
  await alternate(1, works)
  const { ours, peer } = await alternate(rounds, works)
  const p50 = (all: readonly Loaded[]) => median(all.flatMap(({ latenciesMs }) => latenciesMs))
  return { ours: p50(ours), peer: p50(peer), firstBytesMs: ours.flatMap(({ firstBytesMs }) => firstBytesMs) }
}

/** Runs `load` as a job for a separate process. */
export const loadApart = (_: unknown, options: Load) => load(options)
