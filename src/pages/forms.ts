/** Reads the forms that pages send, and decides whether a page of this service sent them. */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bodyText } from '../serve/http/body.ts'

/** Maximum bytes of a form. A key and an address of this service are shorter. */
const FORM_BYTES_MAX = 8_192

type BodyRead = (error: Error | null, text?: string) => void

/** Whether a page of this service sent the form. An old browser without Sec-Fetch-Site still sends Origin. */
export function isOwnForm({ headers }: FastifyRequest): boolean {
  const { host, origin, 'sec-fetch-site': site } = headers
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host
}

/**
 * Returns the text if it is an address on this service: a path that browsers never treat as another host. For any other
 * text, and for the pages where people enter a key or sign in, returns `/`.
 */
export function localAddress(text: string | null): string {
  if (text === null || !/^\/(?![/\\])[\x21-\x7e]*$/.test(text) || text.length > 4_000) return '/'
  return /^\/(key|sign-in)(?![\w-])/.test(text) ? '/' : text
}

/**
 * Reads every request body as a form; a body that is too long has no fields. No other route of these pages accepts a
 * request body.
 */
export function readForms(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('*', (_request: FastifyRequest, payload: Readable, done: BodyRead) => {
    bodyText(payload, FORM_BYTES_MAX).then((text) => done(null, text ?? ''), done)
  })
}

/** Returns the fields of the form that a request sent; none if the request sent something else. */
export const fieldsOf = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '')
