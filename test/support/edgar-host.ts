/**
 * An EDGAR on loopback: serves folders in EDGAR's layout like www.sec.gov, with faults on demand.
 *
 *     npm run edgar-host -- --root sample --port 8090 --faults "rate-page:every=7"
 */
import { stat } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createGzip, gzipSync } from 'node:zlib'
import { messageOf, UserError } from '../../src/declare/errors.ts'
import { EdgarError } from '../../src/fetch/client.ts'
import { type OpenFile, openBelow } from '../../src/fetch/location.ts'
import { type Fault, type FaultKind, faultsHelp, parseFaults } from './edgar-faults.ts'

export interface HostOptions {
  /** Folders in EDGAR's layout; a file comes from the first folder that has it. */
  root: string | string[]
  /** 0 selects any free port. */
  port?: number
  /** See `edgar-faults.ts`. */
  faults?: string
}

/** One entry of the request log. */
export interface Served {
  method: string
  /** Path as requested, with the query. */
  path: string
  /** Status of the answer; 0 if the connection was reset without an answer. */
  status: number
  faults: FaultKind[]
  userAgent: string | null
}

export interface Host {
  url: string
  port: number
  /** Every request so far, oldest first. */
  requests: Served[]
  /** Replaces the faults and resets their counts. */
  setFaults(faults: string): void
  close(): Promise<void>
}

const TYPES: Record<string, string> = {
  '.txt': 'text/plain',
  '.idx': 'text/plain',
  '.nc': 'text/plain',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.xml': 'text/xml',
  '.xsd': 'text/xml',
  '.css': 'text/css',
  '.js': 'application/javascript',
  '.json': 'application/json',
  '.gz': 'application/x-gzip',
  '.zip': 'application/zip',
  '.pdf': 'application/pdf',
  '.jpg': 'image/jpeg',
  '.gif': 'image/gif',
}

const page = (title: string, text: string) =>
  `<!DOCTYPE html>\n<html><head><title>SEC.gov | ${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`
const RATE_PAGE = page('Request Rate Threshold Exceeded', 'This loopback host was told to say so. Wait ten minutes.')
const TOOL_PAGE = page(
  'Your Request Originates from an Undeclared Automated Tool',
  'This loopback host was told to say so.',
)
const UNAVAILABLE_PAGE = page('File Unavailable', 'This loopback host was told to say so.')
const storageError = (code: string, message: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`

/**
 * The real host answers "denied" for indexes of days and quarters that do not exist, and "not found" for other missing
 * files.
 */
const INDEX = /^\/Archives\/edgar\/(?:daily-index|full-index)\//

/**
 * Starts the host on 127.0.0.1.
 *
 * @throws UserError for a missing folder, an unknown fault or a port that is in use
 */
export async function startHost({ root, port = 0, faults: text = '' }: HostOptions): Promise<Host> {
  const roots = [root].flat()
  for (const folder of roots) {
    const found = await stat(folder).catch((cause) => {
      throw new UserError(`the folder ${folder} cannot be served`, { cause })
    })
    if (!found.isDirectory()) throw new UserError(`${folder} is not a folder`)
  }
  const requests: Served[] = []
  let faults = parseFaults(text)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const hits = faults.of(url)
    const userAgent = request.headers['user-agent'] ?? null
    const line: Served = { method, path: url, status: 0, faults: hits.map((hit) => hit.kind), userAgent }
    requests.push(line)
    for (const { kind, amount } of hits) if (kind === 'slow') await delay(amount)
    const fault = hits.find(({ kind }) => kind !== 'slow')
    if (fault?.kind === 'reset') {
      request.socket.resetAndDestroy()
      return
    }
    const answer = new Answer(request, response, line)
    if (method !== 'GET' && method !== 'HEAD')
      return answer.text(405, 'text/plain', 'GET and HEAD only\n', { allow: 'GET, HEAD' })
    if (fault && (await refuse(answer, fault))) return
    const file = await find(roots, currentFile(url) ?? url)
    if (file === 'bad') return answer.text(400, 'text/plain', 'Bad Request\n')
    if (file) return answer.file(file, path.extname(url).toLowerCase(), fault)
    if (INDEX.test(url)) return answer.text(403, 'application/xml', storageError('AccessDenied', 'Access Denied'))
    return answer.text(404, 'application/xml', storageError('NoSuchKey', 'The specified key does not exist.'))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      // A client that hangs up is not a fault of the host; any other error ends the connection and is reported.
      if (!request.socket.destroyed) process.stderr.write(`edgar-host: ${request.url}: ${messageOf(error)}\n`)
      response.destroy()
    })
  })
  await new Promise<void>((resolve, reject) => {
    const failed = (cause: Error) => reject(new UserError(`port ${port} cannot be used`, { cause }))
    server.once('error', failed).listen(port, '127.0.0.1', resolve)
  })
  const taken = (server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${taken}`,
    port: taken,
    requests,
    setFaults(next) {
      faults = parseFaults(next)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The feed of current filings: the page that begins at entry N is the file `cgi-bin/browse-edgar/N.atom`. */
function currentFile(url: string): string | null {
  if (!url.startsWith('/cgi-bin/browse-edgar?action=getcurrent&')) return null
  return `/cgi-bin/browse-edgar/${/&start=(\d{1,6})(?:&|$)/.exec(url)?.[1] ?? '0'}.atom`
}

async function find(roots: readonly string[], url: string): Promise<OpenFile | null | 'bad'> {
  try {
    for (const root of roots) {
      const file = await openBelow(root, url)
      if (file) return file
    }
    return null
  } catch (error) {
    if (error instanceof EdgarError && error.kind === 'refused') return 'bad'
    throw error
  }
}

/** Answers with the fault in place of the file. Returns false if the fault concerns only the body of the answer. */
async function refuse(answer: Answer, { kind, amount }: Fault): Promise<boolean> {
  if (kind === 'rate-page') answer.text(403, 'text/html', RATE_PAGE)
  else if (kind === 'tool-page') answer.text(403, 'text/html', TOOL_PAGE)
  else if (kind === 'access-denied') answer.text(403, 'application/xml', storageError('AccessDenied', 'Access Denied'))
  else if (kind === 'too-many') answer.text(429, 'text/html', UNAVAILABLE_PAGE, { 'retry-after': amount })
  else if (kind === 'unavailable')
    answer.text(503, 'text/html', UNAVAILABLE_PAGE, amount ? { 'retry-after': amount } : {})
  else return false
  return true
}

type Headers = Record<string, string | number>

/**
 * A low level of compression suffices on loopback: compressing 109 MB of filings as much as the real host does takes a
 * second more.
 */
const GZIP = { level: 1, chunkSize: 64 * 1024 }

/** One answer that is being sent. */
class Answer {
  readonly #response: ServerResponse
  readonly #line: Served
  readonly #gzip: boolean
  readonly headers: IncomingHttpHeaders
  readonly #head: boolean

  constructor(request: IncomingMessage, response: ServerResponse, line: Served) {
    this.#response = response
    this.#line = line
    this.#gzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
    this.headers = request.headers
    this.#head = request.method === 'HEAD'
  }

  #begin(status: number, type: string, headers: Headers): void {
    this.#line.status = status
    this.#response.writeHead(status, { 'content-type': type, ...headers })
  }

  /** Sends a short answer, compressed if the client accepts that, like the error pages of the real host. */
  text(status: number, type: string, text: string, headers: Headers = {}): void {
    const bytes = this.#gzip ? gzipSync(text) : Buffer.from(text)
    const encoding: Headers = this.#gzip ? { 'content-encoding': 'gzip' } : {}
    this.#begin(status, type, { ...headers, ...encoding, 'content-length': bytes.length })
    this.#response.end(this.#head ? undefined : bytes)
  }

  async file({ handle, sizeBytes, modified }: OpenFile, extension: string, fault: Fault | undefined): Promise<void> {
    const type = TYPES[extension] ?? 'application/octet-stream'
    const etag = `"${sizeBytes.toString(16)}-${modified.getTime().toString(16)}"`
    const headers = { 'last-modified': modified.toUTCString(), etag, 'accept-ranges': 'bytes', vary: 'Accept-Encoding' }
    const { range, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = this.headers
    const start = ifRange === etag ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0
    const gzipped = this.#gzip && /^text\/|json|javascript/.test(type)
    try {
      if (ifNoneMatch === etag) {
        this.#begin(304, type, headers)
        this.#response.end()
      } else if (start > 0 && start < sizeBytes && !fault) {
        const rest = {
          'content-range': `bytes ${start}-${sizeBytes - 1}/${sizeBytes}`,
          'content-length': sizeBytes - start,
        }
        this.#begin(206, type, { ...headers, ...rest })
        await pipeline(handle.createReadStream({ start, autoClose: false }), this.#response)
      } else if (this.#head) {
        this.#begin(
          200,
          type,
          gzipped ? { ...headers, 'content-encoding': 'gzip' } : { ...headers, 'content-length': sizeBytes },
        )
        this.#response.end()
      } else if (fault) {
        this.#broken(await handle.readFile(), type, headers, fault)
      } else if (gzipped) {
        this.#begin(200, type, { ...headers, 'content-encoding': 'gzip' })
        await pipeline(handle.createReadStream({ autoClose: false }), createGzip(GZIP), this.#response)
      } else {
        this.#begin(200, type, { ...headers, 'content-length': sizeBytes })
        await pipeline(handle.createReadStream({ autoClose: false }), this.#response)
      }
    } finally {
      await handle.close()
    }
  }

  #broken(bytes: Buffer, type: string, headers: Headers, { kind, amount }: Fault): void {
    const response = this.#response
    if (kind === 'cut-gzip') {
      const packed = gzipSync(bytes)
      const half = packed.subarray(0, packed.length >> 1)
      this.#begin(200, type, { ...headers, 'content-encoding': 'gzip', 'content-length': half.length })
      response.end(half)
      return
    }
    if (kind === 'drip') {
      this.#begin(200, type, { ...headers, 'content-length': bytes.length })
      Readable.from(drops(bytes, amount)).pipe(response)
      return
    }
    const length = kind === 'wrong-length' ? bytes.length + amount : bytes.length
    this.#begin(200, type, { ...headers, 'content-length': length })
    const sent = kind === 'wrong-length' ? bytes : bytes.subarray(0, bytes.length >> 1)
    // An empty write would not send the headers.
    response.flushHeaders()
    response.write(sent, () => {
      if (kind !== 'stall') response.socket?.end()
    })
  }
}

async function* drops(bytes: Buffer, ms: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at++) {
    await delay(ms)
    yield bytes.subarray(at, at + 1)
  }
}

const USAGE = `usage: npm run edgar-host -- [--root FOLDER]… [--port N] [--faults "KIND:KEY=VALUE …"]

Serves folders in EDGAR's layout on 127.0.0.1 as www.sec.gov does. Without --root it serves sample/, without --port on
any free port.

${faultsHelp()}
`

async function main(): Promise<void> {
  const string = { type: 'string' } as const
  const options = {
    root: { ...string, multiple: true },
    port: string,
    faults: string,
    help: { type: 'boolean' },
  } as const
  let given: ReturnType<typeof parseArgs<{ options: typeof options }>>['values']
  try {
    given = parseArgs({ options }).values
  } catch (cause) {
    throw new UserError(`${messageOf(cause)}; see --help`)
  }
  if (given.help) {
    process.stdout.write(USAGE)
    return
  }
  const { root = [fileURLToPath(new URL('../../sample/', import.meta.url))], port = '0', faults = '' } = given
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65535)
    throw new UserError(`--port must be from 0 to 65535, not ${port}`)
  const host = await startHost({ root, port: Number(port), faults })
  process.stdout.write(`${host.url}\n`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => host.close())
}

if (import.meta.main) {
  try {
    await main()
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    process.stderr.write(`edgar-host: ${messageOf(error)}\n`)
    process.exitCode = 1
  }
}
