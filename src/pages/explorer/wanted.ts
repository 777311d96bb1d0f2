/** A request for a page whose reader (a key or a visitor) is known. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Answer } from '../../serve/http/answer.ts'
import type { Reader } from '../../serve/http/page-requests.ts'
import { HTML_TYPE, PAGE_HEADERS, sendPage } from '../send.ts'

/** Cache header for pages: data changes, so a browser must ask whether its copy is still valid. */
export const KEPT = 'private, no-cache'

export interface PageRequest {
  request: FastifyRequest
  reply: FastifyReply
  /** Parameters of the path. */
  path: Readonly<Record<string, string>>
}

export interface Wanted extends PageRequest {
  reader: Reader
  /** Address of the page without `format`. */
  page: string
}

/** Sends a page that is made for one request. */
export function sendText({ request, reply }: PageRequest, text: string, status: number) {
  if (status === 200) return sendPage(request, reply, new Answer(text, HTML_TYPE), KEPT)
  return reply
    .code(status)
    .headers({ ...PAGE_HEADERS, 'cache-control': 'no-store' })
    .type(HTML_TYPE)
    .send(text)
}
