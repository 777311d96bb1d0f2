/** A real S3 server with a bucket, and between it and its client a proxy that makes faults. */
import { copyFileSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rename, rm, utimes } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { FOLDER as CLIENT } from '../../../src/archive/s3.ts'
import { install } from '../openapi-tools.ts'
import { checkout } from '../world.ts'

/**
 * What the proxy does with a request. It passes the request on at once (`pass`) or after a wait (`slow`), or never
 * answers (`hang`). It answers 503 (`busy`), 403 (`denied`) or 301 with another region (`moved`), or as if the server
 * had stored a put (`lose`). It passes on half of a put and breaks the connection (`half`). It breaks the connection in
 * the middle of the content (`cut`), sends half of the content and then nothing (`stall`), sends half as if it were the
 * whole (`short`), or changes a byte of the content (`flip`).
 */
export type Fault = Refusal | 'pass' | 'slow' | 'hang' | 'lose' | 'half' | 'cut' | 'stall' | 'short' | 'flip'
type Refusal = 'busy' | 'denied' | 'moved'

/** The keys of the server. */
export const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' }

export interface Bucket {
  endpoint: string
  /** While this is true, the proxy breaks every connection. */
  isAway: boolean
  /** Chooses the fault of a request. If it returns undefined, `faults` decides. */
  choose: (method: string, url: string) => Fault | undefined
  /** Faults of the next requests of a method; later requests pass. */
  faults: Partial<Record<'PUT' | 'GET' | 'HEAD' | 'DELETE', Fault[]>>
  /** Changes the text of a list. */
  relist: (xml: string) => string
  /** Makes an object older by some milliseconds. */
  age: (name: string, ms: number) => Promise<void>
  /**
   * Copies an object in the server's folder, since a put takes 5 ms of the processor for each of a thousand objects.
   */
  copy: (name: string, to: readonly string[]) => void
  /** The method and the address of every request so far. */
  requests: string[]
  /** Ends the proxy, so that nothing listens at the endpoint. */
  stop(): Promise<void>
}

interface S3 {
  run(): Promise<AddressInfo>
  close(): Promise<void>
}

/** Installs the server, and the client that an operator installs from the same lock file. */
export async function installS3(): Promise<void> {
  for (const at of [import.meta.dirname, CLIENT]) await install(at, installApart)
}

/**
 * Installs the packages elsewhere and moves them to their place as a whole: several test files may install them at the
 * same time, and the first complete installation stays.
 */
async function installApart(at: string): Promise<void> {
  const apart = await mkdtemp(path.join(checkout, 'node_modules', '.s3-'))
  const [from, to] = [apart, at].map((folder) => path.join(folder!, 'node_modules')) as [string, string]
  try {
    for (const name of ['package.json', 'package-lock.json', '.npmrc'])
      await copyFile(path.join(at, name), path.join(apart, name))
    await install(apart)
    const [made, there] = await Promise.all([from, to].map((folder) => stampOf(folder)))
    if (made === there) return
    await rename(to, path.join(apart, 'replaced')).catch(unless('ENOENT'))
    await rename(from, to).catch(unless('ENOTEMPTY', 'EEXIST'))
  } finally {
    await rm(apart, { recursive: true, force: true })
  }
}

const stampOf = (folder: string) => readFile(path.join(folder, '.installed'), 'utf8').catch(() => null)
const unless =
  (...codes: string[]) =>
  (error: NodeJS.ErrnoException) => {
    if (!codes.includes(error.code ?? '')) throw error
  }

/**
 * Starts a server with the bucket `filings`, and makes its keys known to clients in this process, which read them from
 * the environment.
 */
export async function bucketServer(t: { after(fn: () => unknown): void }): Promise<Bucket> {
  await installS3()
  Object.assign(process.env, KEYS)
  t.after(() => {
    for (const name of Object.keys(KEYS)) delete process.env[name]
  })
  const directory = await mkdtemp(path.join(tmpdir(), 's3-'))
  const required = createRequire(import.meta.url)
  withDes(required('node:crypto') as typeof import('node:crypto'))
  // The server has no types, and is installed only in the folder of this file.
  const S3rver = required('s3rver') as new (options: object) => S3
  const options = { port: 0, address: '127.0.0.1', silent: true, directory, configureBuckets: [{ name: 'filings' }] }
  const server = new S3rver(options)
  const { port } = await server.run()
  const faults: Bucket['faults'] = {}
  const requests: string[] = []
  const stop = async () => {
    proxy.closeAllConnections()
    await new Promise<void>((resolve) => proxy.close(() => resolve()))
  }
  const age = async (name: string, ms: number) => {
    const at = new Date(Date.now() - ms)
    await utimes(path.join(directory, 'filings', `${name}._S3rver_object`), at, at)
  }
  const copy = (name: string, to: readonly string[]) => {
    const fileOf = (own: string, part: string) => path.join(directory, 'filings', `${own}._S3rver_${part}`)
    for (const part of ['object', 'object.md5', 'metadata.json'])
      for (const one of to) copyFileSync(fileOf(name, part), fileOf(one, part))
  }
  const same = (xml: string) => xml
  const bucket: Bucket = {
    ...{ endpoint: '', isAway: false, choose: () => undefined, faults, relist: same, age, copy, requests, stop },
  }
  const proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '' } = incoming
    if (bucket.isAway) return void incoming.socket.destroy()
    requests.push(`${method} ${url.replace(/[?].*/, '')}`)
    const fault = bucket.choose(method, url) ?? faults[method as 'PUT']?.shift() ?? 'pass'
    handle({ port, fault, relist: bucket.relist }, incoming, outgoing)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    await stop()
    await server.close()
    await rm(directory, { recursive: true, force: true })
  })
  bucket.endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return bucket
}

/**
 * The server encrypts the positions in its lists with DES. OpenSSL now has DES only as a part of Triple DES, which
 * gives the same bytes with three equal keys.
 */
function withDes(crypto: typeof import('node:crypto')): void {
  for (const name of ['createCipheriv', 'createDecipheriv'] as const) {
    const make = crypto[name] as (cipher: string, key: Buffer, iv: Buffer) => unknown
    const ours = (cipher: string, key: Buffer, iv: Buffer) =>
      cipher === 'des' ? make('des-ede3-cbc', Buffer.concat([key, key, key]), iv) : make(cipher, key, iv)
    Object.assign(crypto, { [name]: ours })
  }
}

interface Way extends Pick<Bucket, 'relist'> {
  port: number
  fault: Fault
}

const MOVED = '<Error><Code>PermanentRedirect</Code><Message>The bucket must be addressed elsewhere.</Message></Error>'

function handle(way: Way, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { fault } = way
  if (fault === 'hang') return void incoming.resume()
  if (fault === 'busy') return void outgoing.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
  if (fault === 'denied') return void outgoing.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
  if (fault === 'moved') {
    const headers = { 'x-amz-bucket-region': 'eu-north-1', location: `http://${incoming.headers.host}/elsewhere/` }
    return void outgoing.writeHead(301, headers).end(MOVED)
  }
  if (fault === 'lose') {
    incoming.resume()
    incoming.on('end', () => outgoing.writeHead(200, { etag: '"x"' }).end())
    return
  }
  setTimeout(() => forward(way, incoming, outgoing), fault === 'slow' ? 150 : 0)
}

function forward({ port, fault, relist }: Way, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming
  const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, async (answer) => {
    const { statusCode = 500, headers: own } = answer
    const chunks = await answer.toArray().catch(() => null)
    // The server may be closed while it answers.
    if (chunks === null) return outgoing.destroy()
    let body = Buffer.concat(chunks)
    if (url?.includes('list-type')) {
      body = Buffer.from(relist(body.toString()))
      own['content-length'] = String(body.length)
    }
    const half = body.subarray(0, body.length >> 1)
    if (fault === 'flip') body[body.length >> 1]! ^= 1
    if (fault === 'short') return outgoing.writeHead(statusCode, { ...own, 'content-length': half.length }).end(half)
    outgoing.writeHead(statusCode, own)
    if (fault === 'stall') return outgoing.write(half)
    if (fault === 'cut') return outgoing.write(half, () => outgoing.destroy())
    return outgoing.end(body)
  })
  onward.on('error', () => outgoing.destroy())
  if (fault !== 'half') return void incoming.pipe(onward)
  incoming.once('data', (chunk: Buffer) => {
    onward.write(chunk.subarray(0, chunk.length >> 1), () => onward.destroy())
  })
}
