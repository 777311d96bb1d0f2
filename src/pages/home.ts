/** The page at `/`. */
import type { FastifyInstance } from 'fastify'
import { Answer } from '../serve/http/answer.ts'
import type { Visitor } from '../serve/http/visitor.ts'
import { homePage } from './home/page.ts'
import { type HomeState, homeState, type Keeping } from './home/state.ts'
import { HTML_TYPE, METHODS, PAGE_HEADERS, sendPage } from './send.ts'

export interface HomeOptions {
  /** Version of the service. */
  version: string
  /** Whether the page may show the data. If not, the page has only links, and reads no data. */
  showsData: boolean
  /** Returns the step of the start that is running; null when the start is done. */
  waitsFor: () => string | null
  /** Address of the project's repository, which also has its documents. */
  project: string | undefined
  keeping?: Keeping | undefined
  /** Whether people can sign in. */
  hasAccounts?: boolean
}

const RETRY_SECONDS = '5'

/** Adds `/`. */
export function addHome(fastify: FastifyInstance, visitor: Visitor, options: HomeOptions): void {
  const { version, showsData, project, hasAccounts = false } = options
  const read = showsData ? homeState(visitor, options) : async () => null
  let last: { state: HomeState | null; page: Answer } | undefined
  /** Returns the identical page for the same state, so that the page is written and compressed once. */
  const pageOf = (state: HomeState | null) => {
    if (!last || !isSame(last.state, state)) {
      const text = homePage(state, { version, project, now: visitor.now(), hasAccounts })
      last = { state, page: new Answer(text, HTML_TYPE) }
    }
    return last.page
  }
  fastify.route({
    method: METHODS,
    url: '/',
    config: { label: 'home' },
    async handler(request, reply) {
      const state = await read()
      const page = pageOf(state)
      if (state === null || state.is === 'ready') return sendPage(request, reply, page)
      reply.code(503).headers({ ...PAGE_HEADERS, 'cache-control': 'no-store', 'retry-after': RETRY_SECONDS })
      return reply.type(HTML_TYPE).send(page.body)
    },
  })
}

const isSame = (a: HomeState | null, b: HomeState | null) =>
  a === b || (a !== null && b !== null && (Object.keys(a) as (keyof HomeState)[]).every((name) => a[name] === b[name]))
