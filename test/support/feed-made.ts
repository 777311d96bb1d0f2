/** A host whose feed of current filings is an array: each request cuts its page from the array at that moment. */
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { entry, type Listed, MODEL, modelText, page } from './follow/made.ts'

export interface Feed {
  url: string
  /** The newest first. */
  entries: Listed[]
  /** Parameter `start` of each requested page. */
  requested: number[]
  /** Called before a page is made; gets the number of pages requested so far. */
  before: (n: number) => void
  /** Number of entries that the host serves; for later entries it answers 503, as EDGAR does. */
  limit: number
  /** Answers every request with 503. */
  isDown: boolean
  /** Answers every request with EDGAR's page about a blocked client. */
  isBlocked: boolean
  /** Master indexes by path. */
  files: Map<string, string>
  /** Changes the text of an entry. */
  change: (text: string, listed: Listed) => string
}

const DENIED = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>'
const APOLOGY = '<!DOCTYPE html><html><head><title>File Unavailable</title></head><body>Sorry</body></html>'

const BLOCKED = '<html><title>Request Rate Threshold Exceeded</title></html>'

/** Starts the host. The host serves the same text for every submission, with the requested accession in it. */
export async function startFeed(t: { after(end: () => Promise<void>): void }): Promise<Feed> {
  const model = await modelText()
  const feed: Feed = {
    ...{
      url: '',
      entries: [],
      requested: [],
      before: () => {},
      limit: 5_100,
      isDown: false,
      isBlocked: false,
      files: new Map(),
    },
    change: (text) => text,
  }
  const server = createServer((request: IncomingMessage, response) => {
    const url = new URL(request.url!, 'http://host.invalid')
    const respond = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'content-type': type }).end(Buffer.from(text, 'latin1'))
    if (feed.isBlocked) return respond(403, 'text/html', BLOCKED)
    if (url.pathname !== '/cgi-bin/browse-edgar') {
      if (feed.isDown) return respond(503, 'text/html', APOLOGY)
      const own = /^\/Archives\/edgar\/data\/\d+\/([\d-]{20})\.txt$/.exec(url.pathname)?.[1]
      if (own) return respond(200, 'text/plain', model.replaceAll(MODEL, own))
      const file = feed.files.get(url.pathname)
      return file === undefined ? respond(403, 'application/xml', DENIED) : respond(200, 'text/plain', file)
    }
    const start = Number(url.searchParams.get('start'))
    feed.before(feed.requested.length)
    feed.requested.push(start)
    if (feed.isDown || start >= feed.limit) return respond(503, 'text/html', APOLOGY)
    const own = feed.entries.slice(start, Math.min(start + 100, feed.limit))
    return respond(200, 'application/atom+xml', page(own.map((listed) => feed.change(entry(listed), listed))))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  feed.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return feed
}

/**
 * Returns filings that were accepted `seconds` apart: the newest was accepted at `newest` (New York time), and their
 * numbers ascend from `first`.
 */
export function filings(
  count: number,
  { newest, seconds = 20, first = 1 }: { newest: string; seconds?: number; first?: number },
): Listed[] {
  const at = Date.parse(newest)
  return Array.from({ length: count }, (_, back) => {
    const updated = new Date(at - back * seconds * 1000 - 5 * 3_600_000).toISOString().replace('.000Z', '-05:00')
    return { n: first + count - 1 - back, filed: updated.slice(0, 10), updated }
  })
}
