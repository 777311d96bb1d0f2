/** Tools that work for every path: `call` requests a path, and `next_page` continues any answer. */
import { LRUCache } from 'lru-cache'
import { belowVersion } from '../address.ts'
import { CallError } from '../api.ts'
import { answered, sizeOf } from '../frame.ts'
import { addressFor, pathNames, type Routes } from '../routes.ts'
import { decodeToken } from '../token.ts'
import { type Args, asValues, include, maxBytes, type Tool } from '../tool.ts'

/** Number of calls whose address is cached, and the maximum length of such a call. */
const KEPT = 1_000
const KEPT_LENGTH_MAX = 1_000

/**
 * Makes a function that returns the address of a call. The address depends only on the arguments and the catalog. It is
 * cached, since computing it takes a tenth of the processor time of a call.
 */
function keptAddress(routes: Routes): (path: string, query: Args) => string {
  const kept = new LRUCache<string, string>({ max: KEPT })
  return (path, query) => {
    const key = JSON.stringify([path, query])
    const known = kept.get(key)
    if (known !== undefined) return known
    const address = addressOfCall(path, query, routes)
    if (key.length <= KEPT_LENGTH_MAX) kept.set(key, address)
    return address
  }
}

export const callTool = (routes: Routes, addressFrom = keptAddress(routes)): Tool => ({
  name: 'call',
  title: 'Request any path',
  description:
    'Requests any path of the API. path is one of three things: an address from an answer (/v1/brokers/0000886982), a template whose parameters are in query (/brokers/{cik}), or the name of an operation. describe() lists the paths. describe(target=path) lists the parameters of a path.',
  parameters: {
    path: { type: 'string' },
    query: { type: 'object', description: 'Parameters by name', additionalProperties: true },
    include,
    max_bytes: maxBytes,
  },
  required: ['path'],
  async run(args, call) {
    const address = addressFrom(args.path as string, (args.query ?? {}) as Args)
    return answered({ address, ...sizeOf(args) }, routes, call)
  },
})

/**
 * Returns the address of a call. @throws CallError if the API lacks the path, or if a parameter of the path is missing
 */
export function addressOfCall(path: string, query: Args, routes: Routes): string {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== null))
  const below = belowVersion(path.trim())
  const [own] = below.split('?', 1)
  const template = routes.template(own!) ?? routes.template(path.trim())
  if (template) {
    const missing = pathNames(template).find((name) => !Object.hasOwn(given, name))
    if (missing !== undefined) {
      throw new CallError(
        `query.${missing}: is required, since the path is ${template.path}. Call call(path="${template.path}", query={"${missing}": …})`,
      )
    }
    return joined(addressFor(template, asValues(given)), below.slice(own!.length + 1))
  }
  const { route } = routes.of(below)
  return joined(below, addressFor({ ...route, path: '/' }, asValues(given)).split('?')[1] ?? '')
}

const joined = (address: string, query: string) =>
  query === '' ? address : `${address}${address.includes('?') ? '&' : '?'}${query}`

export const nextPageTool = (routes: Routes): Tool => ({
  name: 'next_page',
  title: 'Continue an answer',
  description: 'Returns the next part of an answer that ended with a token. Copy the whole token.',
  parameters: { token: { type: 'string' } },
  required: ['token'],
  async run({ token }, call) {
    const { address, line, maxBytes: bytes, include: members } = decodeToken(token as string)
    // The size is checked again: a forged token must not get a larger answer than an argument could request.
    const max = Math.min(Math.max(bytes, maxBytes.minimum as number), maxBytes.maximum as number)
    return answered({ address, line, maxBytes: max, include: members }, routes, call)
  },
})
