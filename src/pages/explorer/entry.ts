/** The page that asks for a key, and the addresses that store the key in the browser and remove it. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import { keyCookie, type PageRequests } from '../../serve/http/page-requests.ts'
import { assetPath } from '../assets.ts'
import { fieldsOf, isOwnForm, localAddress, readForms } from '../forms.ts'
import { html } from '../html.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../send.ts'
import { frameOf } from './frame.ts'

export const ENTRY_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'cookie' }

/** Returns the address that begins a sign-in and then leads to a page; null if this service has no sign-in. */
export type SignInAt = ((leadsTo: string) => string) | null

/** @param to address of the requested page */
const entryPage = (to: string, failure: HttpError, signInAt: SignInAt): string =>
  frameOf({
    title: 'Enter a key',
    description: 'Pages about data need an API key',
    query: null,
    hasAccounts: signInAt !== null,
    body: html`<div class="plain">
<h1>Enter a key</h1>
<p>Pages about data need an API key. This browser remembers the key that you enter. <code>openfilings serve</code> on your own machine prints a link by which you need no key, and <code>openfilings keys create --account NAME</code> makes keys.</p>
${failure.code !== 'missing_api_key' && html`<p class="standing bad" role="alert"><span>${failure.message}</span></p>`}
${failure.code === 'account_without_key' ? html`<p><a class="button main" href="/account">Open your account</a></p>` : signInAt && html`<p><a class="button main" href="${signInAt(to)}">Sign in</a></p>`}
<form class="entry" action="/key" method="post" data-script="${assetPath('entry.js')}">
<input type="hidden" name="to" value="${to}">
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required spellcheck="false">
<button class="button main" type="submit">Open</button>
</form>
</div>`,
  })

/**
 * A browser that follows a link from another site does not send the cookie. So this page makes the browser load the
 * same address again: this second request comes from our own page and has the cookie.
 */
export const again = ({ hasAccounts }: { hasAccounts: boolean }): string =>
  frameOf({
    title: 'One moment',
    description: 'The page loads again',
    query: null,
    hasAccounts,
    reload: true,
    body: html`<p>The page loads again by itself. If not, reload it.</p>`,
  })

export const comesFromElsewhere = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] === 'navigate'

/** Adds `POST /key` and `POST /key/forget`. */
export function addEntry(fastify: FastifyInstance, requests: PageRequests, signInAt: SignInAt): void {
  readForms(fastify)
  const send = entrySender(signInAt)
  // Refuses forms of other sites before their body is read.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isOwnForm(request)) return send(request, reply, apiError('foreign_form'), '/')
  }
  const page = { method: 'POST', config: { label: 'entry' }, onRequest } as const
  fastify.route({
    ...page,
    url: '/key',
    async handler(request, reply) {
      const form = fieldsOf(request)
      const to = localAddress(form.get('to'))
      const key = (form.get('key') ?? '').trim()
      try {
        if (key === '' || !(await requests.isValid(request, key))) throw apiError('invalid_api_key')
      } catch (error) {
        return refuse(request, reply, error, to)
      }
      reply.headers(ENTRY_HEADERS).header('set-cookie', keyCookie(key, request.protocol === 'https'))
      return reply.redirect(to, 303)
    },
  })
  fastify.route({
    ...page,
    url: '/key/forget',
    handler(request, reply) {
      reply.headers(ENTRY_HEADERS).header('set-cookie', keyCookie(null, request.protocol === 'https'))
      return reply.redirect('/', 303)
    },
  })

  function refuse(request: FastifyRequest, reply: FastifyReply, error: unknown, to: string) {
    const failure = requests.failureOf(error, request)
    return send(request, reply, failure, to)
  }
}

/** Sends the page that asks for a key, and states why the requested page is not shown. */
export type SendEntry = (request: FastifyRequest, reply: FastifyReply, failure: HttpError, to: string) => FastifyReply

export const entrySender =
  (signInAt: SignInAt): SendEntry =>
  (request, reply, failure, to) => {
    request.errorCode = failure.code
    reply.code(failure.status).headers({ ...failure.headers, ...ENTRY_HEADERS })
    return reply.type(HTML_TYPE).send(entryPage(to, failure, signInAt))
  }
