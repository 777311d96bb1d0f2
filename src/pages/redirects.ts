/** Addresses that people and programs guess, and the pages to which each is redirected. */
import type { FastifyInstance } from 'fastify'
import { assetPath } from './assets.ts'
import { METHODS } from './send.ts'

/**
 * Lets crawlers read only pages and the API description, because answers need a key and documents are expensive to
 * read.
 */
const ROBOTS = `User-agent: *
Allow: /v1/openapi.json
Disallow: /v1
Disallow: /metrics
Disallow: /*?
`

/** Adds these addresses, and `/robots.txt`. */
export function addRedirects(fastify: FastifyInstance): void {
  const redirects: Record<string, () => string> = {
    '/docs/': () => '/docs',
    '/docs/guides': () => '/docs#guides',
    '/openapi.json': () => '/v1/openapi.json',
    '/favicon.ico': () => assetPath('icon.svg'),
  }
  for (const [url, to] of Object.entries(redirects)) {
    fastify.route({
      method: METHODS,
      url,
      config: { label: 'ways' },
      // The redirect is temporary: the icon's name changes with its content, and a browser would remember a permanent
      // redirect.
      handler: (_request, reply) => reply.header('cache-control', 'public, max-age=3600').redirect(to(), 302),
    })
  }
  fastify.route({
    method: METHODS,
    url: '/robots.txt',
    config: { label: 'ways' },
    handler: (_request, reply) => reply.type('text/plain; charset=utf-8').send(ROBOTS),
  })
}
