/** Adds pages and forms for people who are signed in, and checks who sends them. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Accounts, isOwnForm as isOfSession, type OpenSession } from '../../accounts/accounts.ts'
import { apiError, HttpError } from '../../declare/api-errors.ts'
import { UserError } from '../../declare/errors.ts'
import { withoutNul } from '../../serve/http/input.ts'
import type { PageRequests } from '../../serve/http/page-requests.ts'
import { again, comesFromElsewhere, ENTRY_HEADERS } from '../explorer/entry.ts'
import { fieldsOf, isOwnForm } from '../forms.ts'
import { HTML_TYPE } from '../send.ts'
import { refusalPage } from './refusal-page.ts'

/** A request of a person who is signed in. */
export interface SignedInRequest {
  request: FastifyRequest
  reply: FastifyReply
  session: OpenSession
  /** Parameters of the address. */
  query: URLSearchParams
  /** Fields of the form; none for a page. */
  fields: URLSearchParams
}

interface PageOptions {
  make(signedIn: SignedInRequest): Promise<string>
  isForOperators?: boolean
}

interface FormOptions {
  /** Address of the page that has the form. The browser opens this page again after the form is sent. */
  at: string
  /** Carries out the form. If it returns a page, this page is sent but never cached, because it shows a new key. */
  act(signedIn: SignedInRequest): Promise<unknown>
  /** Makes the page again, with the error of the sent form. */
  retry(signedIn: SignedInRequest, given: { wrong: string }): Promise<string>
  isForOperators?: boolean
}

type Step = (request: FastifyRequest, reply: FastifyReply, query: string) => Promise<FastifyReply>

export class AccountRoutes {
  readonly #fastify: FastifyInstance
  readonly #requests: PageRequests
  readonly #accounts: Accounts

  constructor(fastify: FastifyInstance, requests: PageRequests, accounts: Accounts) {
    this.#fastify = fastify
    this.#requests = requests
    this.#accounts = accounts
  }

  /** Adds a step of sign-in, which needs no session. */
  addStep(url: string, step: Step): void {
    this.#fastify.route({
      method: 'GET',
      url,
      config: { label: 'sign_in' },
      handler: async (request, reply) => {
        reply.headers(ENTRY_HEADERS)
        try {
          const at = request.url.indexOf('?')
          return await step(request, reply, at < 0 ? '' : request.url.slice(at))
        } catch (error) {
          return this.#refuse(request, reply, error)
        }
      },
    })
  }

  /** Adds a page that shows the account of the session. */
  addPage(url: string, { make, isForOperators = false }: PageOptions): void {
    this.#fastify.route({
      method: ['GET', 'HEAD'],
      url,
      config: { label: 'account' },
      handler: async (request, reply) => {
        reply.headers(ENTRY_HEADERS)
        try {
          const signedIn = await this.#signedInOf(request, reply, isForOperators)
          return reply.type(HTML_TYPE).send(await make(signedIn))
        } catch (error) {
          // A browser that follows a link from another site sends no cookie. The page `again` makes the browser request
          // the address again, now from this site.
          const isUnknown = error instanceof HttpError && error.code === 'sign_in_needed'
          if (isUnknown && comesFromElsewhere(request)) return reply.type(HTML_TYPE).send(again({ hasAccounts: true }))
          return this.#refuse(request, reply, error)
        }
      },
    })
  }

  /**
   * Adds a form. Each change is a POST from a page of this service, and the page was made for the same session that
   * sends the POST.
   */
  addForm(url: string, { at, act, retry, isForOperators = false }: FormOptions): void {
    this.#fastify.route({
      method: 'POST',
      url,
      config: { label: 'account' },
      // Refuses forms of other sites before their body is read.
      onRequest: async (request, reply) => {
        reply.headers(ENTRY_HEADERS)
        if (!isOwnForm(request)) return this.#refuse(request, reply, apiError('foreign_form'))
      },
      handler: async (request, reply) => {
        try {
          const signedIn = await this.#signedInOf(request, reply, isForOperators)
          if (!isOfSession(signedIn.session, signedIn.fields.get('token') ?? '')) throw apiError('foreign_form')
          try {
            const page = await act(signedIn)
            return typeof page === 'string' ? reply.type(HTML_TYPE).send(page) : reply.redirect(at, 303)
          } catch (error) {
            if (!(error instanceof UserError)) throw error
            const failure = apiError('change_refused', { reason: error.message })
            request.errorCode = failure.code
            return reply
              .code(failure.status)
              .type(HTML_TYPE)
              .send(await retry(signedIn, { wrong: failure.message }))
          }
        } catch (error) {
          return this.#refuse(request, reply, error)
        }
      },
    })
  }

  async #signedInOf(request: FastifyRequest, reply: FastifyReply, isForOperators: boolean): Promise<SignedInRequest> {
    const session = await this.#accounts.sessionOf(request.headers.cookie)
    if (!session) throw apiError('sign_in_needed')
    if (isForOperators && !session.isOperator) throw apiError('operators_only')
    const query = new URL(request.url, this.#accounts.publicUrl).searchParams
    const fields = fieldsOf(request)
    for (const [name, value] of [...query, ...fields]) withoutNul(name, value)
    return { request, reply, session, query, fields }
  }

  /** Sends a page that gives the reason why the requested page is not available. */
  #refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
    const failure = this.#requests.failureOf(error, request)
    request.errorCode = failure.code
    const isOpen = request.method === 'GET' && failure.code === 'sign_in_needed'
    const page = refusalPage(failure, this.#accounts.signInAt(isOpen ? request.url : '/account'))
    return reply
      .code(failure.status)
      .headers({ ...failure.headers, ...ENTRY_HEADERS })
      .type(HTML_TYPE)
      .send(page)
  }
}
