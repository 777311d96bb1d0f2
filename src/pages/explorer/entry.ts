/** The page that asks for a key, and the addresses that keep it in the browser and forget it. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import { keyCookie, type PageRequests } from '../../serve/http/page-requests.ts'
import { assetPath } from '../assets.ts'
import { html } from '../html.ts'
import { HTML_TYPE, PAGE_HEADERS } from '../send.ts'
import { frameOf } from './frame.ts'

/** A key and an address of this service are shorter. */
const FORM_BYTES_MAX = 8_192

export const ENTRY_HEADERS = { ...PAGE_HEADERS, 'cache-control': 'no-store', vary: 'cookie' }

/**
 * @param to the page that was asked for
 * @param wrong why the key that was typed is not taken
 */
const entryPage = (to: string, wrong: string | null): string =>
  frameOf({
    title: 'Enter a key',
    description: 'Pages about data need an API key',
    query: null,
    body: html`<div class="plain">
<h1>Enter a key</h1>
<p>Pages about data are read with an API key, which this browser then remembers. A local start prints a link that needs no key, and <code>openfilings keys create --account NAME</code> makes keys.</p>
${wrong !== null && html`<p class="standing bad" role="alert"><span>${wrong}</span></p>`}
<form class="entry" action="/key" method="post" data-script="${assetPath('entry.js')}">
<input type="hidden" name="to" value="${to}">
<label for="key">API key</label>
<input id="key" name="key" type="password" autocomplete="current-password" required spellcheck="false">
<button class="button main" type="submit">Open</button>
</form>
</div>`,
  })

/**
 * A browser that comes from another site does not send the cookie. A request that comes from a page of ours has the
 * cookie, so this page makes the browser load the same address again.
 */
export const again = (): string =>
  frameOf({
    title: 'One moment',
    description: 'The page loads again',
    query: null,
    reload: true,
    body: html`<p>The page loads again by itself. If not, reload it.</p>`,
  })

export const comesFromElsewhere = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-site'] === 'cross-site' && headers['sec-fetch-mode'] === 'navigate'

/** Adds `POST /key` and `POST /key/forget`. */
export function addEntry(fastify: FastifyInstance, requests: PageRequests): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', (_request: FastifyRequest, payload: Readable, done: BodyRead) => {
    textOf(payload).then((text) => done(null, text), done)
  })
  // Before the body is read.
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isOwnForm(request)) return sendEntry(request, reply, apiError('foreign_form'), '/')
  }
  const page = { method: 'POST', config: { label: 'entry' }, onRequest } as const
  fastify.route<{ Body: unknown }>({
    ...page,
    url: '/key',
    async handler(request, reply) {
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
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
    return sendEntry(request, reply, failure, to)
  }
}

/** Sends the page that asks for a key, with the reason why there is no other page. */
export function sendEntry(request: FastifyRequest, reply: FastifyReply, failure: HttpError, to: string): FastifyReply {
  request.errorCode = failure.code
  const wrong = failure.code === 'missing_api_key' ? null : failure.message
  reply.code(failure.status).headers({ ...failure.headers, ...ENTRY_HEADERS })
  return reply.type(HTML_TYPE).send(entryPage(to, wrong))
}

type BodyRead = (error: Error | null, text?: string) => void

/** Reads a form. A longer body is not read further, and has no key: its connection closes with the answer. */
async function textOf(payload: Readable): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const parts: Buffer[] = []
  let length = 0
  payload.on('data', (part: Buffer) => {
    parts.push(part)
    length += part.length
    if (length <= FORM_BYTES_MAX) return
    payload.pause()
    resolve('')
  })
  payload.once('end', () => resolve(Buffer.concat(parts).toString()))
  payload.once('error', reject)
  return promise
}

/** A form of another site must not enter a key here. A browser without these headers is old, and sends Origin at least. */
function isOwnForm({ headers }: FastifyRequest): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}

/** An address on this service: a path that no browser takes for another host. */
function localAddress(text: string | null): string {
  if (text === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.length > 4_000) return '/'
  return text.startsWith('/key') ? '/' : text
}
