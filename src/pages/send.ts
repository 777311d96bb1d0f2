/** Sends pages, with a policy that allows only our own files. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, send } from '../serve/http/answer.ts'
import { REVALIDATED } from '../serve/http/pages.ts'

export { METHODS } from '../serve/http/pages.ts'

/** Scripts and styles come from files of this server, never from the page itself. No other host receives a request. */
export const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
}

/** Content type of every page. */
export const HTML_TYPE = 'text/html; charset=utf-8'

/** Sends a page, or 304 if the client already has it. A page is compressed only once. */
export const sendPage = (
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  cacheControl: string = REVALIDATED,
): void | Promise<void> => send(request, reply.headers(PAGE_HEADERS), answer, cacheControl)
