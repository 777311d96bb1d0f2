/** Pages of one filing: the facts read from it, its text in parts, and its documents as filed. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { apiError } from '../../declare/api-errors.ts'
import type { ServedRoute } from '../../declare/catalog.ts'
import type { PageRequests } from '../../serve/http/page-requests.ts'
import { queryIn } from './addresses.ts'
import { type Fact, factsIn } from './evidence.ts'
import { type FilingAnswer, type OwnPart, ownPart } from './filing-page.ts'
import {
  documentHeaders,
  documentPage,
  FRAMED_PAGE,
  isPicture,
  PICTURE_HEADERS,
  picturesAt,
  unavailable,
} from './original-page.ts'
import { addressIn, boundsOf, cutAfter, FOUND, hitsIn, MARGIN, PART, partAt } from './parts.ts'
import type { Places } from './places.ts'
import { type DocText, type Reading, readerPage } from './reader-page.ts'
import { sendText, type Wanted } from './wanted.ts'

export class FilingPages {
  readonly #requests: PageRequests
  readonly #places: Places
  readonly #filing: ServedRoute | undefined
  readonly #document: ServedRoute | undefined

  constructor(requests: PageRequests, places: Places) {
    this.#requests = requests
    this.#places = places
    const byName = (name: string) => requests.catalog.routes.find((route) => route.name === name)
    this.#filing = byName('filing')
    this.#document = byName('edgar_doc')
  }

  /** Returns the extra part of a filing's page, and whether facts are missing because a request for them failed. */
  async ownPart(wanted: Wanted, answer: FilingAnswer): Promise<OwnPart & { lacksFacts: boolean }> {
    const facts = await this.#factsOf(wanted, answer)
    const own = ownPart(answer, wanted.path.accession!, facts ?? [], this.#places)
    return { ...own, types: { family_data: this.#shapeOf(answer) }, lacksFacts: facts === null }
  }

  /** The shape of the rows that were read from a filing, from the tables that its dataset declares. */
  #shapeOf({ family, family_data: data }: FilingAnswer): z.ZodType {
    const tables = this.#requests.catalog.datasets.find(({ slug }) => slug === family)?.tables ?? {}
    const shapes = Object.entries(data ?? {}).flatMap(([name, rows]) => {
      const row = tables[name]?.row
      return row ? [[name, Array.isArray(rows) ? z.array(row) : row.nullable()]] : []
    })
    return z.object(Object.fromEntries(shapes)).nullable()
  }

  /**
   * The facts of the more detailed answer that the family has about the filing. Empty if the family has no such route;
   * null if the request failed.
   */
  async #factsOf(wanted: Wanted, { capabilities: { bespoke } }: FilingAnswer): Promise<Fact[] | null> {
    const at = bespoke === null ? null : this.#places.at(bespoke)
    if (!at) return []
    const { route } = at.place
    try {
      const found = await this.#requests.ask(wanted.reader, route, { ...wanted, url: '/', path: at.path, isPart: true })
      return factsIn(found.answer, route.output, wanted.path.accession!)
    } catch (error) {
      // The page still has the text, without facts.
      this.#requests.failureOf(error, wanted.request)
      return null
    }
  }

  async #filingOf(wanted: Wanted & { isPart?: boolean }): Promise<FilingAnswer> {
    if (!this.#filing) throw apiError('page_not_found', { what: 'page of filings' })
    const { answer } = await this.#requests.ask(wanted.reader, this.#filing, { ...wanted, url: '/' })
    return answer as FilingAnswer
  }

  /** Returns a part of the text, or the passages in which words were found. */
  async text(wanted: Wanted): Promise<unknown> {
    const { sequence, at = 0, length, q } = readerQuery(wanted.page)
    const filing = await this.#filingOf(wanted)
    const { accession = '' } = wanted.path
    const place = filing.capabilities.text === null ? null : this.#places.at(filing.capabilities.text)
    if (!place)
      throw apiError('no_text', {
        accession,
        what: 'no document',
        detail: ': filings of this form are not converted to text',
      })
    const ask = async (bounds: string): Promise<DocText> => {
      const url = `/?${sequence === undefined ? '' : `sequence=${sequence}&`}${bounds}`
      const inner = { ...wanted, url, path: place.path, isPart: true }
      return (await this.#requests.ask(wanted.reader, place.place.route, inner)).answer as DocText
    }
    const isSearch = q !== undefined && !queryIn(wanted.page).has('at')
    const [reading, facts] = await Promise.all([
      isSearch ? searched(ask, q) : partOf(ask, at),
      this.#factsOf(wanted, filing),
    ])
    const here = length === undefined ? null : { from: at, to: at + length }
    const { hasAccounts } = this.#places
    const page = { filing, accession, reading, facts: facts ?? [], here, query: q ?? null, hasAccounts }
    return sendText(wanted, readerPage(page), 200)
  }

  /** One document as filed, in a frame. */
  async original(wanted: Wanted): Promise<unknown> {
    const { sequence } = readerQuery(wanted.page)
    const filing = await this.#filingOf(wanted)
    const { accession = '' } = wanted.path
    const entry = filing.documents.find(({ seq, url }) => (sequence === undefined ? url !== null : seq === sequence))
    if (!entry) {
      const detail = filing.documents_note === undefined ? '' : `: ${filing.documents_note}`
      throw apiError('document_not_found', { accession, seq: sequence ?? 1, detail })
    }
    if (entry.url === null) {
      throw apiError('document_cut_off', { accession, seq: entry.seq, fault: entry.cut_off_reason ?? 'it ends early' })
    }
    const pass = await this.#requests.passFor(wanted.reader, passedAs(accession))
    const url = `${folderOf(accession, pass)}${entry.seq}`
    wanted.reply.header('cache-control', 'private, no-store')
    const hasPictures = picturesAt(wanted.request.host, url) !== null
    const { hasAccounts } = this.#places
    const text = documentPage({ filing, accession, entry, url, hasPictures, hasAccounts })
    return wanted.reply.headers(FRAMED_PAGE).type('text/html; charset=utf-8').send(text)
  }

  /**
   * Sends a document to a frame, or a picture of the same filing to the document. Accepts a pass, but no cookie.
   */
  async sendOriginal(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { pass, accession, name } = request.params as { pass: string; accession: string; name: string }
    const isDocument = /^\d{1,6}$/.test(name)
    const headers = isDocument ? documentHeaders(request) : PICTURE_HEADERS
    try {
      const reader = await this.#requests.readerByPass(request, passedAs(accession), pass)
      if (!reader) throw apiError('missing_api_key')
      if (!this.#document) throw apiError('page_not_found', { what: 'page of documents' })
      const inner = { request, reply, url: '/?raw=1' }
      const seq = isDocument ? name : await this.#pictureIn({ ...inner, reader, page: '/', path: { accession } }, name)
      const path = { accession, seq }
      return await this.#requests.sendDocument(reader, this.#document, { ...inner, path }, headers)
    } catch (error) {
      const failure = this.#requests.failureOf(error, request)
      request.errorCode = failure.code
      reply.code(failure.status).headers({ ...failure.headers, ...headers, 'cache-control': 'no-store' })
      return reply.type('text/html; charset=utf-8').send(unavailable(failure, accession))
    }
  }

  /** The sequence of a picture in its filing. @throws HttpError 404 if no document with this file name is a picture */
  async #pictureIn(wanted: Wanted, name: string): Promise<string> {
    const { documents } = await this.#filingOf({ ...wanted, isPart: true })
    const entry = documents.find((each) => each.filename === name && isPicture(each))
    if (!entry) throw apiError('page_not_found', { what: 'picture of this name' })
    return String(entry.seq)
  }
}

/** A pass is for all documents of a filing, since a document shows pictures of its own filing. */
const passedAs = (accession: string) => `/original/${accession}/`

/**
 * The folder of a filing's documents. It contains the pass, since documents name their pictures by relative addresses.
 *
 * @param pass empty for a visitor
 */
const folderOf = (accession: string, pass: string) => `/original/${pass === '' ? 'public' : pass}/${accession}/`

type Ask = (bounds: string) => Promise<DocText>

/**
 * Returns the part that contains a place. Requests the text once for a position at its beginning, and at least twice
 * for any other position. The first request reads the sections.
 */
export async function partOf(ask: Ask, at: number): Promise<Reading> {
  const first = await ask(at === 0 ? `max_chars=${PART + MARGIN * 4}` : 'max_chars=1')
  const bounds = boundsOf(
    first.length,
    first.sections.map(({ start }) => start),
  )
  if (at >= first.length && at > 0) {
    throw apiError('invalid_parameter', {
      parameter: 'at',
      reason: `must be less than ${first.length}, the length of the text`,
    })
  }
  for (let n = partAt(bounds, at); ; n--) {
    const [bound, after] = [bounds[n]!, bounds[n + 1]]
    const stop = after === undefined ? first.length : after.at + (after.isExact ? 0 : MARGIN)
    const { text } =
      n === 0 && at === 0 ? first : await ask(`offset=${bound.at}&max_chars=${Math.max(1, stop - bound.at)}`)
    const begin = bound.isExact ? 0 : cutAfter(text, 0)
    // The position is in the paragraph with which the previous part ends.
    if (at < bound.at + begin && n > 0) continue
    const end = after === undefined || after.isExact ? stop - bound.at : cutAfter(text, after.at - bound.at)
    return {
      doc: first,
      part: {
        ...{ n: n + 1, of: bounds.length, from: bound.at + begin, text: text.slice(begin, end) },
        before: n === 0 ? null : addressIn(bounds[n - 1]!),
        after: after === undefined ? null : addressIn(after),
      },
      found: null,
    }
  }
}

async function searched(ask: Ask, query: string): Promise<Reading> {
  const doc = await ask('')
  return { doc: { ...doc, text: '' }, part: null, found: { text: doc.text, ...hitsIn(doc.text, query, FOUND) } }
}

/** @throws HttpError 400 */
function readerQuery(page: string): { sequence?: number; at?: number; length?: number; q?: string } {
  const found: Record<string, number | string> = {}
  for (const [name, value] of queryIn(page)) {
    if (!KNOWN.includes(name))
      throw apiError('unknown_parameter', { parameter: name.slice(0, 60), known: KNOWN.join(', ') })
    if (name === 'q') found.q = value.slice(0, 200)
    else if (/^\d{1,9}$/.test(value)) found[name] = Number(value)
    else throw apiError('invalid_parameter', { parameter: name, reason: 'must be a whole number' })
  }
  return found
}

const KNOWN = ['sequence', 'at', 'length', 'q']
