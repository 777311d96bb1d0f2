/** Asks for the answers that a composed page draws besides its own. */
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

/** Returns null for an answer that failed: its link stays on the page. */
export async function followedOf(requests: PageRequests, places: Places, page: Page): Promise<(Source | null)[]> {
  const { answer, place, path } = page
  if (!isObject(answer)) return []
  const links = { self: { url: `/v1${addressOf(place.route, path)}` }, ...(answer.links as Links | undefined) }
  return Promise.all(
    (COMPOSED[place.route.name] ?? []).flatMap((followed) => {
      const url = followed.link.startsWith('/') ? followed.link : (links as Links)[followed.link]?.url
      return url === undefined ? [] : [sourceOf(followed, url)]
    }),
  )

  async function sourceOf({ query = {}, quarters }: Followed, link: string): Promise<Source | null> {
    const url = changed(link, query)
    const name = places.at(url)?.place.route.name
    if (name === undefined) return null
    try {
      if (quarters === undefined) return { name, url, answer: await ask(url) }
      const each = quarters(answer as Readonly<Record<string, unknown>>)
      const answers = await Promise.all(each.map((period) => ask(changed(url, { period }))))
      return { name, url: link, answer: { quarters: answers } }
    } catch (error) {
      requests.failureOf(error, page.request)
      return null
    }
  }

  async function ask(url: string): Promise<unknown> {
    const { place: to, path: values } = places.at(url)!
    const { request, reply, reader } = page
    const asked = { request, reply, url: `/?${queryIn(url)}`, path: values, isPart: true }
    return (await requests.ask(reader, to.route, asked)).answer
  }
}
