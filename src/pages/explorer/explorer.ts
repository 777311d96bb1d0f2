/** Pages about data: each answer of the API is also a page. Everything works without scripts. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { z } from 'zod'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { ServedRoute } from '../../declare/catalog.ts'
import { addressOf } from '../../declare/examples.ts'
import { type FileFormat, FORMATS } from '../../declare/format.ts'
import type { Absent } from '../../serve/http/absent.ts'
import { Answer } from '../../serve/http/answer.ts'
import type { PageAnswer, PageRequests } from '../../serve/http/page-requests.ts'
import { HTML_TYPE, METHODS, sendPage } from '../send.ts'
import { changed, queryIn, withQuery } from './addresses.ts'
import { withNeeded } from './chosen-columns.ts'
import { type Field, fieldsIn, withTree } from './conditions.ts'
import {
  addEntry,
  again,
  comesFromElsewhere,
  ENTRY_HEADERS,
  entrySender,
  type SendEntry,
  type SignInAt,
} from './entry.ts'
import type { FilingPages } from './filing.ts'
import type { FilingAnswer } from './filing-page.ts'
import { followedOf, isComposed, isDrawnNow } from './followed.ts'
import { kindsIn, type Typed, thingsIn, UNCERTAIN } from './named-things.ts'
import { type EventPage, eventsBefore } from './newest-events.ts'
import { type Place, Places } from './places.ts'
import { hasPreviews, previewedOf, previewsOf } from './previews.ts'
import type { SearchHit } from './search-page.ts'
import { plain } from './shape.ts'
import { addSuggestions } from './suggestions.ts'
import { KEPT, type PageRequest, sendText, type Wanted } from './wanted.ts'

/** Parameters that only pages have. */
const OWN = ['before', 'part']
/** Number of events on a page. */
const EVENTS = 50
/** Maximum number of rows on a page: a table of 1,000 rows occupies the main thread for 200 ms. */
const ROWS_MAX = 200

/** Adds a page for each route with an answer, the search, the overview of lists, and the page that asks for a key. */
export function addExplorer(fastify: FastifyInstance, requests: PageRequests, signInAt: SignInAt): void {
  const explorer = new Explorer(fastify, requests, signInAt)
  addEntry(fastify, requests, signInAt)
  explorer.addAll()
}

class Explorer {
  readonly #fastify: FastifyInstance
  readonly #requests: PageRequests
  readonly #places: Places
  readonly #sendEntry: SendEntry
  /** Slugs of all slices that a page can show. */
  readonly #everything: readonly string[]
  /** Pages of filings; loaded when the first is requested. */
  #filings: Promise<FilingPages> | undefined
  /** The overview of lists; made when it is first requested. */
  #browse: Answer | undefined

  constructor(fastify: FastifyInstance, requests: PageRequests, signInAt: SignInAt) {
    this.#fastify = fastify
    this.#sendEntry = entrySender(signInAt)
    this.#requests = requests
    this.#places = new Places(requests.catalog, { hasAccounts: signInAt !== null })
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
      url: '/original/:pass/:accession/:name',
      config: { label: 'originals' },
      handler: async (request, reply) => (await this.#filingPages()).sendOriginal(request, reply),
    })
    for (const place of this.#places.all) {
      const { route } = place
      this.#add(urlOf(place.address), async (wanted, format) => {
        if (format !== null) return this.#sendForm(wanted, route, format)
        if (hasLater(place) && queryIn(wanted.page).get('part') === 'later')
          return this.#orFailure(wanted, () => this.#sendLater(wanted, place))
        return route.name === 'search' ? this.#sendSearch(wanted, route) : this.#sendAnswer(wanted, place)
      })
      // The address has all filters of the stream. A browser that connects again continues after the last event that it
      // received.
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
        // A proxy may send an address with a host. The page shows the address, and redirects to it, without the host.
        const own = request.url.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
        const tidy = canonical(joinedFields(withoutEmpty(withTree(own) ?? own)))
        if (tidy !== own) return reply.header('cache-control', 'no-store').redirect(tidy, 302)
        const reader = await this.#requests.readerOf(request)
        if (reader) {
          const { format, page } = withoutFormat(tidy)
          return handler({ request, reply, reader, page, path: request.params as Record<string, string> }, format)
        }
        // A browser that follows a link from another site sends no cookie. The page `again` makes the browser request
        // the address again, now from this site.
        if (comesFromElsewhere(request))
          return reply
            .headers(ENTRY_HEADERS)
            .type(HTML_TYPE)
            .send(again({ hasAccounts: this.#places.hasAccounts }))
        return this.#sendEntry(request, reply, await this.#requests.refusalOf(request), tidy)
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
    const api = withQuery(`/v1${addressOf(route, path)}`, queryIn(changed(included(route, page), {}, OWN)))
    const parts = { place, places: this.#places, url: page, path, api }
    const nothing = { ...parts, answer: null, next: null }
    if (lacks(route, page)) return sendText(wanted, answerPage(nothing), 200)
    const make = async () => {
      const first = { ...wanted, url: withNeeded(route, whole(route, page)), isPart: true }
      const isLog = route.stream && !queryIn(page).has('after')
      const found = await (isLog ? this.#newestEvents(first, route) : this.#requests.ask(reader, route, first))
      const [fields, requested] = await Promise.all([
        this.#fieldsOf(wanted, route),
        followedOf(this.#requests, this.#places, { ...wanted, place, answer: found.answer }, 'now'),
      ])
      const followed = requested.filter((each) => each !== null)
      const own = route.name === 'filing' ? await this.#ownPartOf(wanted, found) : undefined
      const from = isLog ? withQuery(`/v1${route.path}`, queryIn(inLog(page, found.answer))) : api
      const absent = await this.#absentIn(wanted, [
        { answer: found.answer, type: route.output },
        ...followed.map(({ name, answer }) => ({ answer, type: this.#places.outputOf(name) })),
        ...(own ? [{ answer: (found.answer as FilingAnswer).family_data, type: own.types?.family_data ?? null }] : []),
      ])
      const text = answerPage({ ...parts, api: from, ...found, own, fields, followed, absent })
      const isCacheable = followed.length === requested.length && !own?.lacksFacts
      return { answer: new Answer(text, HTML_TYPE), isCacheable }
    }
    const reads = route.cached ? this.#readsOf(route) : null
    try {
      // Each thing has one address, so any other address of the thing redirects to it.
      const numbers = await this.#requests.pathOf(reader, route, { ...wanted, url: page })
      if (numbers !== path) {
        const own = this.#places.pageOf(withQuery(`/v1${addressOf(route, numbers)}`, queryIn(page)))!
        return reply.header('cache-control', 'no-store').redirect(own, 302)
      }
      return await sendPage(request, reply, await this.#requests.page(reader, route, request, { reads, make }), KEPT)
    } catch (error) {
      const failure = this.#failed(wanted, error)
      const elsewhere = failure.status === 400 && !page.includes('?') ? await this.#meantBy(wanted, place) : null
      if (elsewhere !== null) return reply.header('cache-control', 'no-store').redirect(elsewhere, 302)
      // Some lists need at least one of several filters. If the address has none of them, the page is a form for them.
      const isBegin = failure.code === 'missing_parameter' && route.list !== null && !route.path.includes('{')
      return sendText(wanted, answerPage({ ...nothing, failure, isBegin }), isBegin ? 200 : failure.status)
    }
  }

  /**
   * Sends the parts that the page did not wait for: charts of other answers, and the first rows of the lists to which
   * the thing links. A script adds these parts to the page. If none of the answers can be read, the script keeps the
   * links that the page shows in place of the parts.
   *
   * @throws HttpError 503 if none of the answers can be read
   */
  async #sendLater(wanted: Wanted, place: Place): Promise<unknown> {
    const { request, reply, reader, page, path } = wanted
    const { route } = place
    const { laterParts } = await makers()
    const make = async () => {
      const own = { ...wanted, url: whole(route, changed(page, {}, OWN)), isPart: true }
      const { answer } = await this.#requests.ask(reader, route, own)
      const [charts, lists] = await Promise.all([
        followedOf(this.#requests, this.#places, { ...wanted, place, answer }, 'later'),
        previewsOf(this.#requests, previewedOf(this.#places, place, answer), wanted),
      ])
      const answers = [...charts, ...lists.map((list) => list.answer)]
      const isRead = (each: unknown) => each !== null
      if (answers.length > 0 && !answers.some(isRead))
        throw apiError('not_ready', { reason: 'none of the lists of this part can be read' })
      const absent = await this.#absentIn(wanted, [
        ...charts.flatMap((chart) => (chart ? [{ ...chart, type: this.#places.outputOf(chart.name) }] : [])),
        ...lists.map((list) => ({ answer: list.answer, type: list.route.output })),
      ])
      const parts = { place, places: this.#places, url: page, path, api: '', answer, next: null, absent }
      return { answer: new Answer(laterParts(parts, { charts, lists }), HTML_TYPE), isCacheable: answers.every(isRead) }
    }
    const reads = route.cached ? this.#everything : null
    return sendPage(request, reply, await this.#requests.page(reader, route, request, { reads, make }), KEPT)
  }

  /**
   * Requests the last events before the number in the address, since people read the newest first.
   *
   * @param wanted.isPart whether the request was already counted
   */
  async #newestEvents(wanted: Wanted & { isPart: boolean }, route: ServedRoute): Promise<PageAnswer> {
    const { reader, url } = { ...wanted, url: changed(wanted.page, {}, ['before']) }
    const query = queryIn(wanted.page)
    const given = query.get('before')
    if (given !== null && !/^\d{1,15}$/.test(given))
      throw apiError('invalid_parameter', { parameter: 'before', reason: 'must be the number of an event' })
    const limit = Math.min(Number(query.get('limit') ?? EVENTS) || EVENTS, ROWS_MAX)
    const isFiltered = [...query.keys()].some((name) => name !== 'before' && name !== 'limit')
    let { isPart } = wanted
    const ask = async (after: number, most: number) => {
      const requested = this.#requests.ask(reader, route, {
        ...wanted,
        isPart,
        url: changed(url, { after, limit: most }),
      })
      // All requests for the events of one page count together as one request of the key.
      isPart = true
      return (await requested).answer as EventPage
    }
    const before =
      given === null ? (await this.#requests.newestOf(reader, route, { ...wanted, url })) + 1 : Number(given)
    // The answer for an empty log states which data is not loaded.
    if (before <= 1) return { answer: await ask(0, limit), next: null }
    const { events, older } = await eventsBefore(ask, { before, limit, isFiltered })
    return { answer: { events }, next: older === null ? null : { before: older } }
  }

  /**
   * The fields that the filter tree of a list may name. Without these fields, the form of the list has the tree as
   * text.
   */
  async #fieldsOf(wanted: Wanted, { input }: ServedRoute): Promise<readonly Field[] | undefined> {
    const families = this.#requests.catalog.routes.find(({ name }) => name === 'filings_families')
    if (!('filters' in input.shape) || !families) return undefined
    try {
      const requested = { ...wanted, url: '/', path: {}, isPart: true }
      return fieldsIn((await this.#requests.ask(wanted.reader, families, requested)).answer, wanted.page)
    } catch (error) {
      this.#requests.failureOf(error, wanted.request)
      return undefined
    }
  }

  /** The slices whose data a page shows. */
  #readsOf(route: ServedRoute): readonly string[] {
    // The page of such a route also shows answers of other routes, which may read any slice.
    if (isDrawnNow(route) || route.name === 'filing') return this.#everything
    const named = route.output === null ? [] : [...kindsIn(route.output)]
    const places = named.map((kind) => ({ kind, place: this.#places.placeOf(kind) }))
    const others = places.flatMap(({ kind, place }) => (place ? this.#requests.absentReads(place.route, kind) : []))
    return [...new Set([...route.reads, ...others])]
  }

  /** The ids in answers about which nothing is loaded. No link leads to such a thing. */
  async #absentIn({ reader, request, reply }: Wanted, answers: readonly Typed[]): Promise<Absent> {
    const things = thingsIn(answers)
    const asked = UNCERTAIN.flatMap((entity) => {
      const place = this.#places.placeOf(entity)
      if (!place) return []
      return [{ entity, route: place.route, numbers: things[entity] }]
    })
    return this.#requests.absentOf(reader, asked, { request, reply })
  }

  async #ownPartOf(wanted: Wanted, { answer }: PageAnswer) {
    return (await this.#filingPages()).ownPart(wanted, answer as FilingAnswer)
  }

  /** Sends the page, or a page that gives the reason why it is not available. */
  async #orFailure(wanted: Wanted, send: (wanted: Wanted) => Promise<unknown>): Promise<unknown> {
    try {
      return await send(wanted)
    } catch (error) {
      const failure = this.#failed(wanted, error)
      return sendText(wanted, (await makers()).failurePage(failure, wanted.page, this.#places), failure.status)
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
    const { rows, not_loaded: notLoaded, unknown } = found.answer as SearchAnswer
    // An id or a ticker redirects to its page; the ticker of both a company and its share redirects to the company. A
    // file number of a company and of one of its filings shows both, because either may be meant.
    const [first, ...others] = rows
    const isOnly =
      first &&
      isExact(first) &&
      !others.some(({ kind, matched }) => (kind === first.kind || kind === 'filing') && isExact({ matched }))
    const target = isOnly && !query.has('kind') && !query.has('cursor') ? this.#places.pageOf(first.url) : null
    if (target !== null) return reply.header('cache-control', 'no-store').redirect(target, 302)
    return sendText(wanted, searchPage({ ...parts, rows, next: found.next, notLoaded, unknown }), 200)
  }

  /**
   * Finds where to redirect if the id in the address of a page is not valid there, but the search knows it as another
   * id. Examples are a file number of an adviser or a broker-dealer, and the LEI of a company. Returns the page of the
   * thing that has this id, or the search if there is not exactly one such thing of the page's kind. Null if the search
   * knows no such id. The page of a company always leads to the search, since people type names there.
   */
  async #meantBy(wanted: Wanted, { route, address }: Place): Promise<string | null> {
    const [typed, ...others] = Object.values(wanted.path)
    const search = this.#requests.catalog.routes.find(({ name }) => name === 'search')
    if (typed === undefined || others.length > 0 || address === route.path || !search) return null
    const found = changed('/search', { q: typed })
    if (route.name === 'company') return found
    try {
      const { answer } = await this.#requests.ask(wanted.reader, search, { ...wanted, url: found, path: {} })
      const exact = (answer as SearchAnswer).rows.filter(isExact)
      const own = exact.filter(({ url }) => this.#places.at(url)?.place.route === route)
      return own.length === 1 ? this.#places.pageOf(own[0]!.url) : exact.length > 0 ? found : null
    } catch (error) {
      // The reader sees the first error, which names the mistyped id.
      this.#requests.failureOf(error, wanted.request)
      return null
    }
  }

  /** Sends the answer in a form for programs. */
  async #sendForm(wanted: Wanted, route: ServedRoute, format: string): Promise<unknown> {
    const { reply, reader, page } = wanted
    const requested = { ...wanted, url: changed(included(route, page), {}, OWN) }
    if (format !== 'json') {
      if (route.list) return this.#requests.sendFile(reader, route, requested, format as FileFormat)
      throw apiError('invalid_parameter', { parameter: 'format', reason: 'must be json: this is not a list' })
    }
    if (route.stream && !queryIn(page).has('after')) {
      const { answer: shown } = await this.#newestEvents({ ...wanted, isPart: false }, route)
      const { answer } = await this.#requests.ask(reader, route, {
        ...requested,
        isPart: true,
        url: inLog(page, shown),
      })
      return sendJson(reply, answer)
    }
    const { answer } = await this.#requests.ask(reader, route, requested)
    return sendJson(reply, answer)
  }

  /** Records an error for the log, and sets the headers of the error. */
  #failed({ request, reply }: PageRequest, error: unknown): HttpError {
    const failure = this.#requests.failureOf(error, request)
    request.errorCode = failure.code
    reply.headers(failure.headers)
    return failure
  }
}

/** Makes pages. The modules are loaded with the first page, since the start of the service needs none of them. */
const makers = async () => ({ ...(await import('./answer-page.ts')), ...(await import('./search-page.ts')) })

interface SearchAnswer {
  rows: readonly SearchHit[]
  not_loaded?: unknown
  unknown?: { note: string }
}

/** Whether parts of the page may be sent after the page. */
const hasLater = (place: Place) => isComposed(place.route) || hasPreviews(place)

/** Whether the match was an id or a ticker, rather than a name or a former ticker. */
const isExact = ({ matched }: { matched: string }) => !/name$|^former_/.test(matched)

/** Writes an address with its parameters as Fastify expects them: `/company/:cik`. */
const urlOf = (address: string) => address.replace(/\{(\w+)\}/g, ':$1')

/** Removes `format` from an address: only lists have this parameter, but each page has a link to its JSON. */
function withoutFormat(url: string): { format: string | null; page: string } {
  const format = queryIn(url).get('format')
  if (format === null) return { format, page: url }
  if (!(FORMATS as readonly string[]).includes(format)) {
    throw apiError('invalid_parameter', { parameter: 'format', reason: `must be one of ${FORMATS.join(', ')}` })
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

/** The API address that returns the events of a page. The API reads the log forward, from a number on. */
function inLog(page: string, answer: unknown): string {
  const { events } = answer as Pick<EventPage, 'events'>
  const oldest = events.at(-1)?.event_number
  return changed(page, oldest === undefined ? {} : { after: oldest - 1, limit: events.length }, OWN)
}

const sendJson = (reply: FastifyReply, answer: unknown) =>
  reply
    .header('cache-control', KEPT)
    .type('application/json; charset=utf-8')
    .send(`${JSON.stringify(answer, null, 2)}\n`)

/** A page and its JSON have all sections of a thing, so their request includes all sections. */
const included = ({ input }: ServedRoute, url: string): string =>
  'include' in input.shape && !queryIn(url).has('include') ? changed(url, { include: 'all' }) : url

/**
 * Completes the request of a page: the request also asks for the number of rows, and limits the rows to the number that
 * a person reads.
 */
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

/** Removes the parameters of fields that were left empty. */
function withoutEmpty(url: string): string {
  const empty = [...queryIn(url)].flatMap(([name, value]) => (value === '' ? [name] : []))
  return empty.length === 0 ? url : changed(url, {}, empty)
}

/**
 * Joins the values of `fields`: a form of checkboxes sends the parameter several times, but the address has it once.
 */
function joinedFields(url: string): string {
  const given = queryIn(url).getAll('fields')
  return given.length < 2 ? url : changed(url, { fields: given.join(',') })
}

/**
 * Removes the leading zeros of a CIK, since each thing has a single address, and people write a CIK without these
 * zeros.
 */
const canonical = (url: string) => url.replace(/^(\/(?:company|manager|insider|broker)\/)0+(?=\d)/, '$1')
