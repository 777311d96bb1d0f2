/** The OpenAPI document that `serve` sends, with examples that open on this service. */
import { messageOf } from '../declare/errors.ts'
import registry from '../registry.ts'
import { type Described, described } from '../serve/described.ts'
import type { Visitor } from '../serve/http/visitor.ts'
import { CODE, prepared } from '../store/prepared.ts'

interface Options {
  version: string
  /** Whether loaded data is shown without a key, as on the page at `/`. */
  showsData: boolean
  /** Reports that a request for an example failed. */
  report: (reason: string) => void
}

/**
 * With the sample, or without data, the document has the examples of the package. With other data it has examples from
 * the loaded data. They are looked up at the first request of each hour: for 80 routes, this takes some hundred requests,
 * sent one after the other. Like the home page, it shows only answers that a visitor without a key may see.
 */
export function documentOf({ version, showsData, report }: Options): Described {
  const stateOf = (visitor: Visitor) =>
    !showsData || visitor.isSample() || visitor.dataVersion() === null
      ? 'package'
      : `loaded, ${visitor.now().toISOString().slice(0, 13)}`
  return described(
    version,
    async (state, visitor, former) =>
      (state === 'package' ? null : await ofLoaded(version, visitor, report, former)) ?? ofPackage(version),
    stateOf,
  )
}

/** The document is cached from an earlier start with the same code, or made from all routes. */
const ofPackage = (version: string): Promise<object> =>
  prepared('openapi', CODE, async () => {
    const [{ openapi, schemasFor }, { readExamples }] = await Promise.all([
      import('../serve/openapi.ts'),
      import('../serve/examples.ts'),
    ])
    // The document is made in two parts, and other requests can run between them. The schemas take 0.1 s, and the
    // document takes a third of that time.
    const schemas = schemasFor(registry)
    return openapi(registry, version, await readExamples(), schemas)
  })

/**
 * Returns the document with examples from the loaded data. If no examples are found, returns null. If a request failed,
 * returns the former document, since a failure says nothing about the data.
 */
async function ofLoaded(
  version: string,
  visitor: Visitor,
  report: Options['report'],
  former: object | undefined,
): Promise<object | null> {
  const [{ openapi, schemasFor }, { readExamples }, { loadedExamples }] = await Promise.all([
    import('../serve/openapi.ts'),
    import('../serve/examples.ts'),
    import('../serve/loaded-examples.ts'),
  ])
  const schemas = schemasFor(registry)
  let hasFailed = false
  const send = visitor.sender((error) => {
    hasFailed = true
    report(messageOf(error))
  })
  const found = await loadedExamples({ catalog: registry, open: visitor.catalog, schemas, send })
  if (found !== null) return openapi(registry, version, { ...(await readExamples()), routes: found }, schemas)
  return hasFailed ? (former ?? null) : null
}
