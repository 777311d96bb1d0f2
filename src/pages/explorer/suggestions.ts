/** Suggestions of search boxes while somebody types. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageRequests } from '../../serve/http/page-requests.ts'
import { METHODS } from '../send.ts'
import { changed, queryIn } from './addresses.ts'
import type { Places } from './places.ts'
import type { SearchHit } from './search-page.ts'

const SUGGESTED = 8
/** Maximum number of letters of a search that are used. */
const TYPED = 100

/** Adds `/search/suggestions`. A browser without a key gets no suggestions: the search page asks for a key. */
export function addSuggestions(fastify: FastifyInstance, requests: PageRequests, places: Places): void {
  const route = requests.catalog.routes.find(({ name }) => name === 'search')
  fastify.route({
    method: METHODS,
    url: '/search/suggestions',
    config: { label: 'suggestions' },
    async handler(request: FastifyRequest, reply: FastifyReply) {
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      const q = (queryIn(request.url).get('q') ?? '').slice(0, TYPED)
      const reader = await requests.readerOf(request)
      if (!reader || !route || q.trim() === '') return reply.send([])
      try {
        const url = changed('/', { q, limit: SUGGESTED })
        // Each key press is a request, so it counts towards the larger of the two rate limits. If the browser closes
        // the connection to send its next request, the query is cancelled.
        const { answer } = await requests.ask(reader, route, { request, reply, url, path: {}, bucket: 'general' })
        const { suggestionsOf } = await import('./search-page.ts')
        return reply.send(suggestionsOf((answer as { rows: readonly SearchHit[] }).rows, places))
      } catch (error) {
        const failure = requests.failureOf(error, request)
        request.errorCode = failure.code
        reply.headers(failure.headers)
        // The text typed so far is often not a valid search yet.
        return failure.status === 400 ? reply.send([]) : reply.code(failure.status).send({ error: failure.message })
      }
    },
  })
}
