/**
 * Lists what happened between two days. Each list of the catalog that can be limited by day gives one kind of event.
 */
import type { Route } from '../../declare/route.ts'
import { answered, sizeOf } from '../frame.ts'
import { addressFor, pathNames, type Routes } from '../routes.ts'
import { type Args, asValues, maxBytes, type Tool } from '../tool.ts'

/** Lists that can be limited by day, except lists that have a separate tool. */
export const datedLists = (routes: Routes, without: readonly string[]): Route[] =>
  routes.all.filter(
    (route) =>
      route.list !== null &&
      'from' in route.input.shape &&
      'to' in route.input.shape &&
      pathNames(route).length === 0 &&
      !without.includes(route.name),
  )

export function eventsTool(routes: Routes, without: readonly string[]): Tool {
  const lists = datedLists(routes, without)
  const kinds = lists.map(({ name, summary }) => `${name}: ${summary.replace(/^List /, '')}`)
  return {
    name: 'events',
    title: 'List what happened between two days',
    description: `Rows of one kind, filed between two days, newest first. Kinds: ${kinds.join('; ')}. describe(target=kind) has further parameters, which go into query.`,
    parameters: {
      kind: { type: 'string', enum: lists.map(({ name }) => name) },
      from: { type: 'string', format: 'date' },
      to: { type: 'string', format: 'date' },
      cik: { type: 'string', description: 'CIK of the filer or issuer, depending on the kind' },
      q: { type: 'string', description: 'Words of a name' },
      limit: { type: 'integer', minimum: 1, maximum: 50 },
      query: { type: 'object', description: 'Further parameters of the kind, by name', additionalProperties: true },
      max_bytes: maxBytes,
    },
    required: ['kind'],
    meanings: {
      kind: (word) => {
        const family = routes.family(word)
        return family ? lists.filter(({ path }) => path.startsWith(`/${family.slug}/`)).map(({ name }) => name) : []
      },
    },
    run(args, call) {
      const { kind, max_bytes: _, query = {}, ...own } = args
      const address = addressFor(routes.named(kind as string), asValues({ ...(query as Args), ...own }))
      return answered({ address, ...sizeOf(args) }, routes, call)
    },
  }
}
