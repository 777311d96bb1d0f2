/** Requests the answers that a composed page draws in addition to its own answer. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServedRoute } from '../../declare/catalog.ts'
import { addressOf } from '../../declare/examples.ts'
import type { PageRequests, Reader } from '../../serve/http/page-requests.ts'
import { changed, queryIn } from './addresses.ts'
import type { Source } from './charts-of.ts'
import { COMPOSED, type Followed } from './composed.ts'
import type { Links } from './leads.ts'
import type { Place, Places } from './places.ts'
import { isObject } from './shape.ts'

interface Page {
  request: FastifyRequest
  reply: FastifyReply
  reader: Reader
  place: Place
  path: Readonly<Record<string, string>>
  answer: unknown
}

/** Whether the page draws answers of other routes. */
export const isComposed = ({ name }: Pick<ServedRoute, 'name'>): boolean => name in COMPOSED

/** Whether the page waits for answers of other routes. */
export const isDrawnNow = ({ name }: Pick<ServedRoute, 'name'>): boolean =>
  (COMPOSED[name] ?? []).some(({ isLater }) => !isLater)

/**
 * When an answer is requested: with the page, or by a script after the page. Answers of heavy routes come later, and so
 * do answers that `COMPOSED` declares as later. If a page waited for them, it would take many times as long as its
 * JSON.
 */
export type When = 'now' | 'later'

interface Request {
  followed: Followed
  /** Address of the answer in the API. */
  url: string
  /** The name of the operation that gives the answer. */
  name: string
}

/** The requests that a page makes now or later. */
export function requestsOf(
  places: Places,
  { place, path, answer }: Pick<Page, 'place' | 'path' | 'answer'>,
  when: When,
): readonly Request[] {
  if (!isObject(answer)) return []
  const links = { self: { url: `/v1${addressOf(place.route, path)}` }, ...(answer.links as Links | undefined) }
  return (COMPOSED[place.route.name] ?? []).flatMap((followed) => {
    const link = followed.link.startsWith('/') ? followed.link : (links as Links)[followed.link]?.url
    const url = link === undefined ? undefined : changed(link, followed.query ?? {})
    const route = url === undefined ? undefined : places.at(url)?.place.route
    const isLater = followed.isLater || route?.cost === 'heavy'
    return route && isLater === (when === 'later') ? [{ followed, url: url!, name: route.name }] : []
  })
}

/** Returns null for an answer whose request failed: its link stays on the page. */
export async function followedOf(
  requests: PageRequests,
  places: Places,
  page: Page,
  when: When,
): Promise<(Source | null)[]> {
  return Promise.all(requestsOf(places, page, when).map(sourceOf))

  async function sourceOf({ followed: { quarters }, url, name }: Request): Promise<Source | null> {
    try {
      if (quarters === undefined) return { name, url, answer: await ask(url) }
      const each = quarters(page.answer as Readonly<Record<string, unknown>>)
      const answers = await Promise.all(each.map((period) => ask(changed(url, { period }))))
      return { name, url: changed(url, {}, ['limit']), answer: { quarters: answers } }
    } catch (error) {
      requests.failureOf(error, page.request)
      return null
    }
  }

  async function ask(url: string): Promise<unknown> {
    const { place: to, path: values } = places.at(url)!
    const { request, reply, reader } = page
    const inner = { request, reply, url: `/?${queryIn(url)}`, path: values, isPart: true }
    return (await requests.ask(reader, to.route, inner)).answer
  }
}
