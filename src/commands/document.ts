/** The OpenAPI document that `serve` sends, with examples that open on this service. */
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import type { ServedRoute } from '../declare/catalog.ts'
import type { Context } from '../declare/route.ts'
import { SCOPES } from '../declare/scopes.ts'
import { standingOf } from '../ingest/origin.ts'
import registry from '../registry.ts'
import { type Described, described } from '../serve/described.ts'
import { CODE, prepared } from '../store/prepared.ts'

interface Parts {
  app: Pick<App, 'exampleSql' | 'submissions'>
  config: Pick<Config, 'HOME_PAGE' | 'SELF_SERVE_CLOSED'>
  version: string
  /** Digest of the bundled sample. */
  sample: string
  now: () => Date
  /** Why these slices cannot be queried at the moment; null if they can. */
  whyClosed: (slugs: readonly string[]) => string | null
  /** A request for an example that failed. */
  onFailure: (error: unknown) => void
}

/**
 * Over the sample, and over nothing, the document has the examples of the package. Over other data it has examples of what
 * is loaded, found at the first request of each hour (80 routes, some hundred requests one after the other). Like
 * the home page, it shows answers only of routes that self-serve keys may use, and none with `HOME_PAGE=off`.
 */
export function documentOf(parts: Parts): Described {
  const { app, config, version, sample, now } = parts
  const stateOf = async () => {
    if (!config.HOME_PAGE) return 'package'
    const { holds } = await standingOf(app.exampleSql, sample)
    return holds === 'real' ? `loaded, ${now().toISOString().slice(0, 13)}` : 'package'
  }
  return described(version, (state) => (state === 'package' ? ofPackage(version) : ofLoaded(parts)), stateOf)
}

/** The document is cached from an earlier start with the same code, or made from all routes. */
const ofPackage = (version: string): Promise<object> =>
  prepared('openapi', CODE, async () => {
    const [{ openapi, schemasFor }, { readExamples }] = await Promise.all([
      import('../serve/openapi.ts'),
      import('../serve/examples.ts'),
    ])
    // Other requests are answered between the two parts: the schemas take 0.1 s, the rest a third of it.
    const schemas = schemasFor(registry)
    return openapi(registry, version, await readExamples(), schemas)
  })

async function ofLoaded({ app, config, version, now, whyClosed, onFailure }: Parts): Promise<object> {
  const [{ openapi, schemasFor }, { readExamples }, { loadedExamples }, { senderOf }, { isClosed }] = await Promise.all(
    [
      import('../serve/openapi.ts'),
      import('../serve/examples.ts'),
      import('../serve/loaded-examples.ts'),
      import('../serve/first-requests.ts'),
      import('../serve/http/request.ts'),
    ],
  )
  const context: Context = {
    sql: app.exampleSql,
    now: now(),
    key: { keyId: 'local', uid: 'local', scopes: SCOPES, limits: { search: 1, general: 1 }, selfServe: false },
    catalog: registry,
    submissions: app.submissions,
    headers: {},
    isOpen: (slug) => whyClosed([slug]) === null,
  }
  const schemas = schemasFor(registry)
  const isShown = (route: ServedRoute) => whyClosed(route.needs) === null && !isClosed(route, config.SELF_SERVE_CLOSED)
  const send = senderOf(async (route, values) => (isShown(route) ? route.run(values, context) : null), onFailure)
  const examples = await loadedExamples({ catalog: registry, schemas, examples: await readExamples(), send })
  return openapi(registry, version, examples, schemas)
}
