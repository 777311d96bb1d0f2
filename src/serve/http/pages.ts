/** What needs no key: health, metrics, the OpenAPI document and the reference page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { messageOf, unavailable } from '../../declare/errors.ts'
import type { Sql } from '../../store/db.ts'
import type { Readers } from '../readers.ts'
import { Answer, send } from './answer.ts'
import type { Metrics } from './metrics.ts'

const METHODS = ['GET', 'HEAD']
const READY_TIMEOUT_MS = 2000
const IMMUTABLE = 'public, max-age=31536000, immutable'
const REVALIDATED = 'public, no-cache'

// Scripts come from files of this server, never from the page itself. Inline styles must be allowed: RapiDoc draws itself
// in a shadow root with <style> elements and style attributes. No other host is asked for anything.
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Adds `/healthz`, `/readyz` and `/metrics`. */
export function addHealth(
  fastify: FastifyInstance,
  parts: { sql: Sql; readers: Readers; log: Logger; isReady: () => Promise<string | null>; metrics: Metrics },
): void {
  const page = { method: METHODS, config: { label: 'health' } }
  fastify.route({
    ...page,
    url: '/healthz',
    handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  })
  fastify.route({
    ...page,
    url: '/readyz',
    async handler(_request, reply) {
      const reason = await withinMs(READY_TIMEOUT_MS, whyNotReady(parts))
      if (reason !== null) throw unavailable(`not ready: ${reason}`, 5)
      return reply.header('cache-control', 'no-store').send({ status: 'ready' })
    },
  })
  fastify.route({
    ...page,
    url: '/metrics',
    handler: async (_request, reply) => reply.type(parts.metrics.type).send(await parts.metrics.text()),
  })
}

async function whyNotReady({ sql, readers, log, isReady }: Parameters<typeof addHealth>[1]): Promise<string | null> {
  try {
    await Promise.all([sql`select 1`, readers.check()])
    return await isReady()
  } catch (error) {
    // The error names the database's address, which is not for whoever may ask without a key.
    log.warn({ reason: messageOf(error) }, 'not ready')
    return 'the database does not answer'
  }
}

/** The answer of `work`, or a reason when it takes too long: a probe must not hang when the database does. */
async function withinMs(ms: number, work: Promise<string | null>): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`no answer from the database within ${ms} ms`), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Adds `/v1/openapi.json` and `/docs`, which draws that document with RapiDoc from this package. */
export function addReference(fastify: FastifyInstance, openapi: object): void {
  const document = new Answer(JSON.stringify(openapi))
  const script = new Answer(
    readFileSync(createRequire(import.meta.url).resolve('rapidoc')),
    'text/javascript; charset=utf-8',
  )
  // Its name contains its digest, so it can be kept for ever and still changes with the package.
  const scriptPath = `/docs/rapidoc-${script.etag.slice(0, 8)}.js`
  const page = new Answer(referencePage(scriptPath), 'text/html; charset=utf-8')

  const reference = { method: METHODS, config: { label: 'docs' } }
  fastify.route({
    ...reference,
    url: '/v1/openapi.json',
    handler: (request, reply) => send(request, reply, document, REVALIDATED),
  })
  fastify.route({
    ...reference,
    url: scriptPath,
    handler: (request, reply) => send(request, reply, script, IMMUTABLE),
  })
  fastify.route({
    ...reference,
    url: '/docs',
    handler: (request, reply) => send(request, reply.header('content-security-policy', PAGE_POLICY), page, REVALIDATED),
  })
}

const referencePage = (scriptPath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>OpenFilings API reference</title>
<link rel="icon" href="data:,">
<script type="module" src="${scriptPath}"></script>
</head>
<body>
<rapi-doc spec-url="/v1/openapi.json" render-style="read" theme="light" primary-color="#1a5fb4" load-fonts="false"
  regular-font="system-ui, sans-serif" mono-font="ui-monospace, monospace" show-header="false" allow-spec-file-load="false"
  allow-spec-url-load="false" allow-server-selection="false" show-method-in-nav-bar="as-colored-text" use-path-in-nav-bar="true"
  default-schema-tab="schema" schema-style="table" schema-description-expanded="true" persist-auth="false"></rapi-doc>
</body>
</html>
`
