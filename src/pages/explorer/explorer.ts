/** Pages about data: each answer of the API is also a page. Everything works without scripts. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { ServedRoute } from '../../declare/catalog.ts'
import { addressOf } from '../../declare/examples.ts'
import { Answer } from '../../serve/http/answer.ts'
import type { FileFormat, PageAnswer, PageRequests } from '../../serve/http/page-requests.ts'
import { HTML_TYPE, METHODS, sendPage } from '../send.ts'
import { changed, queryIn, withQuery } from './addresses.ts'
import type { Preview } from './answer-page.ts'
import { addEntry, again, comesFromElsewhere, ENTRY_HEADERS, sendEntry } from './entry.ts'
import type { FilingPages } from './filing.ts'
import type { FilingAnswer } from './filing-page.ts'
import { followedOf, isComposed } from './followed.ts'
import type { Links } from './leads.ts'
import { type Place, Places } from './places.ts'
import type { Found } from './search-page.ts'
import { plain } from './shape.ts'
import { addSuggestions } from './suggestions.ts'
import { KEPT, type PageRequest, sendText, type Wanted } from './wanted.ts'

/** Lists whose first rows a page shows, and the number of these rows. */
const PREVIEWS = 8
const PREVIEWED = 5
/** Maximum number of rows on a page: a table of 1,000 rows takes 200 ms of the thread that answers. */
const ROWS_MAX = 200

/** Adds a page for each route with an answer, the search, the overview of lists, and the entry of a key. */
export function addExplorer(fastify: FastifyInstance, requests: PageRequests): void {
  const explorer = new Explorer(fastify, requests)
  addEntry(fastify, requests)
  explorer.addAll()
}

class Explorer {
  readonly #fastify: FastifyInstance
  readonly #requests: PageRequests
  readonly #places: Places
  /** Slugs of all slices that a page can show. */
  readonly #everything: readonly string[]
  /** Pages of filings, once one was asked for. */
  #filings: Promise<FilingPages> | undefined
  /** The overview of lists, once it was asked for. */
  #browse: Answer | undefined

  constructor(fastify: FastifyInstance, requests: PageRequests) {
    this.#fastify = fastify
    this.#requests = requests
    this.#places = new Places(requests.catalog)
    this.#everything = [...new Set(requests.catalog.routes.flatMap(({ reads }) => reads))]
  }

  addAll(): void {
    this.#add('/browse', async ({ request, reply }) => {
      this.#browse ??= new Answer((await makers()).browsePage(this.#places), HTML_TYPE)
      return sendPage(request, reply, this.#browse, KEPT)
    })
    addSuggestions(this.#fastify, this.#requests, this.#places)
    for (const part of ['text', 'original'] as const) {
      const send = async (wanted: Wanted) => (await this.#filingPages())[part](wanted)
      this.#add(`/filing/:accession/${part}`, (wanted) => this.#orFailure(wanted, send))
    }
    this.#fastify.route({
      method: METHODS,
      url: '/original/:accession/:seq',
      config: { label: 'originals' },
      handler: async (request, reply) => (await this.#filingPages()).sendOriginal(request, reply),
    })
    for (const place of this.#places.all) {
      const { route } = place
      this.#add(urlOf(place.address), async (wanted, format) => {
        if (format !== null) return this.#sendForm(wanted, route, format)
        return route.name === 'search' ? this.#sendSearch(wanted, route) : this.#sendAnswer(wanted, place)
      })
      // A browser continues after the last event that it got; everything else is in the address.
      if (route.stream) {
        this.#add(`${urlOf(place.address)}/live`, (wanted) =>
          this.#requests.sendStream(wanted.reader, route, { ...wanted, url: wanted.page }),
        )
      }
      if (place.other !== null) this.#addWay(urlOf(place.other))
    }
  }

  /** Adds a page for readers with a key, or for everyone. */
  #add(url: string, handler: (wanted: Wanted, format: string | null) => Promise<unknown>): void {
    this.#fastify.route({
      method: METHODS,
      url,
      config: { label: 'explorer' },
      handler: async (request, reply) => {
        // An address with a host, which proxies send, is shown and redirected to without it.
        const own = request.url.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
        const tidy = canonical(withoutEmpty(own))
        if (tidy !== own) return reply.header('cache-control', 'no-store').redirect(tidy, 302)
        const reader = await this.#requests.readerOf(request)
        if (reader) {
          const { format, page } = withoutFormat(tidy)
          return handler({ request, reply, reader, page, path: request.params as Record<string, string> }, format)
        }
        // The browser sends the cookie only if a page of this service asks for the address.
        if (comesFromElsewhere(request)) return reply.headers(ENTRY_HEADERS).type(HTML_TYPE).send(again())
        return sendEntry(request, reply, this.#requests.refusalOf(request), tidy)
      },
    })
  }

  #filingPages(): Promise<FilingPages> {
    this.#filings ??= import('./filing.ts').then((made) => new made.FilingPages(this.#requests, this.#places))
    return this.#filings
  }

  /** Makes the path of a route lead to its short address. */
  #addWay(url: string): void {
    this.#fastify.route({
      method: METHODS,
      url,
      config: { label: 'ways' },
      handler: (request, reply) => {
        const page = this.#places.pageOf(`/v1${request.url}`) ?? '/browse'
        return reply.header('cache-control', 'public, max-age=3600').redirect(page, 302)
      },
    })
  }

  async #sendAnswer(wanted: Wanted, place: Place): Promise<unknown> {
    const { request, reply, reader, page, path } = wanted
    const { route } = place
    const { answerPage } = await makers()
    const api = withQuery(`/v1${addressOf(route, path)}`, queryIn(included(route, page)))
    const parts = { place, places: this.#places, url: page, path, api }
    const nothing = { ...parts, answer: null, next: null }
    if (lacks(route, page)) return sendText(wanted, answerPage(nothing), 200)
    const make = async () => {
      const found = await this.#requests.ask(reader, route, { ...wanted, url: whole(route, page), isPart: true })
      const previews = await this.#previewsOf(wanted, place, found)
      const asked = await followedOf(this.#requests, this.#places, { ...wanted, place, answer: found.answer })
      const shown = previews.filter((each) => each !== null)
      const followed = asked.filter((each) => each !== null)
      const own = route.name === 'filing' ? await this.#ownPartOf(wanted, found) : undefined
      const text = answerPage({ ...parts, ...found, own, previews: shown, followed })
      const isWhole = shown.length === previews.length && followed.length === asked.length
      const isCacheable = isWhole && !own?.lacksFacts
      return { answer: new Answer(text, HTML_TYPE), isCacheable }
    }
    // The first rows of other lists come from any slice.
    const reads = !route.cached ? null : hasPreviews(place) || isComposed(route) ? this.#everything : route.reads
    try {
      return await sendPage(request, reply, await this.#requests.page(reader, route, request, { reads, make }), KEPT)
    } catch (error) {
      const failure = this.#failed(wanted, error)
      // People type a ticker where the address has a CIK, and the search leads on to its company.
      if (failure.status === 400 && route.name === 'company' && !page.includes('?'))
        return reply.header('cache-control', 'no-store').redirect(changed('/search', { q: path.cik! }), 302)
      // Some lists need one of several filters. Without any, the page is the form that asks for it.
      const isBegin = failure.status === 400 && !page.includes('?') && route.list !== null && !route.path.includes('{')
      return sendText(wanted, answerPage({ ...nothing, failure, isBegin }), isBegin ? 200 : failure.status)
    }
  }

  async #ownPartOf(wanted: Wanted, { answer }: PageAnswer) {
    return (await this.#filingPages()).ownPart(wanted, answer as FilingAnswer)
  }

  /** Sends the page, or one that says why there is none. */
  async #orFailure(wanted: Wanted, send: (wanted: Wanted) => Promise<unknown>): Promise<unknown> {
    try {
      return await send(wanted)
    } catch (error) {
      const failure = this.#failed(wanted, error)
      return sendText(wanted, (await makers()).failurePage(failure, wanted.page), failure.status)
    }
  }

  async #sendSearch(wanted: Wanted, route: ServedRoute): Promise<unknown> {
    const { reply, reader, page } = wanted
    const { searchPage } = await makers()
    const query = queryIn(page)
    if (!query.has('q')) return reply.redirect('/browse', 302)
    const kinds = z.globalRegistry.get(plain(route.input.shape.kind as z.ZodType)!)?.enum as readonly string[]
    const parts = { places: this.#places, query: query.get('q')!, kind: query.get('kind'), kinds }
    let found: PageAnswer
    try {
      found = await this.#requests.ask(reader, route, { ...wanted, url: page })
    } catch (error) {
      const failure = this.#failed(wanted, error)
      return sendText(wanted, searchPage({ ...parts, rows: [], next: null, notLoaded: null, failure }), failure.status)
    }
    const { rows, not_loaded: notLoaded } = found.answer as SearchAnswer
    // An id or a ticker leads to its page at once; the ticker of a company and its share leads to the company.
    const [first, ...others] = rows
    const isOnly = first && isExact(first) && !others.some((other) => other.kind === first.kind && isExact(other))
    const target = isOnly && !query.has('kind') && !query.has('cursor') ? this.#places.pageOf(first.url) : null
    if (target !== null) return reply.header('cache-control', 'no-store').redirect(target, 302)
    return sendText(wanted, searchPage({ ...parts, rows, next: found.next, notLoaded }), 200)
  }

  /** Returns the first rows of the lists that a thing leads to; null for a list that failed, whose link stays. */
  async #previewsOf(wanted: Wanted, from: Place, { answer }: PageAnswer): Promise<(Preview | null)[]> {
    if (!hasPreviews(from)) return []
    const { links = {} } = answer as { links?: Links }
    const lists = Object.values(links).flatMap(({ url, count }) => {
      const at = this.#places.at(url)
      return at?.place.route.list?.paged && at.query !== '' ? [{ url, count, ...at }] : []
    })
    const first = async ({ url, count, place: { route }, path, query }: (typeof lists)[number]) => {
      const part = { ...wanted, url: `/${query}&limit=${PREVIEWED}`, path, isPart: true }
      try {
        const found = await this.#requests.ask(wanted.reader, route, part)
        return { url, count, route, answer: found.answer }
      } catch (error) {
        this.#requests.failureOf(error, wanted.request)
        return null
      }
    }
    return Promise.all(lists.slice(0, PREVIEWS).map(first))
  }

  /** Sends the answer in a form for programs. */
  async #sendForm(wanted: Wanted, route: ServedRoute, format: string): Promise<unknown> {
    const { reply, reader, page } = wanted
    const asked = { ...wanted, url: included(route, page) }
    if (format !== 'json') {
      if (route.list) return this.#requests.sendFile(reader, route, asked, format as FileFormat)
      throw apiError('invalid_parameter', { parameter: 'format', reason: 'must be json: this is not a list' })
    }
    const { answer } = await this.#requests.ask(reader, route, asked)
    reply.header('cache-control', KEPT).type('application/json; charset=utf-8')
    return reply.send(`${JSON.stringify(answer, null, 2)}\n`)
  }

  /** Notes an error for the log, and sets its headers. */
  #failed({ request, reply }: PageRequest, error: unknown): HttpError {
    const failure = this.#requests.failureOf(error, request)
    request.errorCode = failure.code
    reply.headers(failure.headers)
    return failure
  }
}

/** Makes pages. Its modules are loaded for the first page: a start needs none of them. */
const makers = async () => ({ ...(await import('./answer-page.ts')), ...(await import('./search-page.ts')) })

interface SearchAnswer {
  rows: readonly Found[]
  not_loaded?: unknown
}

/** Whether the page is about something that people share, such as a company, and not a list of its own. */
const hasPreviews = ({ route, address }: Place) =>
  route.list === null && (address !== route.path || route.name === 'filing')

/** Whether an id or a ticker matched, and not a name or a former ticker. */
const isExact = ({ matched }: { matched: string }) => !/name$|^former_/.test(matched)

/** `/company/:cik` */
const urlOf = (address: string) => address.replace(/\{(\w+)\}/g, ':$1')

/** Takes `format` out of an address: only lists have this parameter, but each page has its JSON. */
function withoutFormat(url: string): { format: string | null; page: string } {
  const format = queryIn(url).get('format')
  if (format === null) return { format, page: url }
  if (!['json', 'csv', 'ndjson'].includes(format)) {
    throw apiError('invalid_parameter', { parameter: 'format', reason: 'must be one of json, csv, ndjson' })
  }
  return { format, page: changed(url, {}, ['format']) }
}

/** Whether the address lacks a parameter that the route requires. */
function lacks({ input, path }: ServedRoute, url: string): boolean {
  const query = queryIn(url)
  return Object.entries(input.shape as Record<string, z.ZodType>).some(
    ([name, type]) => !path.includes(`{${name}}`) && !query.has(name) && !type.safeParse(undefined).success,
  )
}

/** A page and its JSON have all sections of a thing. */
const included = ({ input }: ServedRoute, url: string): string =>
  'include' in input.shape && !queryIn(url).has('include') ? changed(url, { include: 'all' }) : url

/** What a page asks of its route: also how many rows there are, and no more rows than a person reads. */
function whole(route: ServedRoute, page: string): string {
  const url = included(route, page)
  const query = queryIn(url)
  const { count, limit } = route.input.shape as Record<string, z.ZodType | undefined>
  const isLarge = limit && Number(query.get('limit') ?? limit.safeParse(undefined).data) > ROWS_MAX
  return changed(url, {
    ...(count && !query.has('count') && { count: 'estimate' }),
    ...(isLarge && { limit: ROWS_MAX }),
  })
}

/** Fields that were left empty are not parameters. */
function withoutEmpty(url: string): string {
  const empty = [...queryIn(url)].flatMap(([name, value]) => (value === '' ? [name] : []))
  return empty.length === 0 ? url : changed(url, {}, empty)
}

/** People write a CIK without leading zeros, and each thing has one address. */
const canonical = (url: string) => url.replace(/^(\/(?:company|manager|insider|broker)\/)0+(?=\d)/, '$1')
