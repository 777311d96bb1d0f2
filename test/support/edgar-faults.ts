/**
 * Faults on demand: a small grammar that states which faults `edgar-host.ts` simulates, when, and for which requests.
 */
import { UserError } from '../../src/declare/errors.ts'

interface Kind {
  help: string
  /** Parameters of this fault, in addition to those of TIMING, with their default values. */
  parameters?: Record<string, number>
}

/** Every fault, its effect on a client, and its parameters. */
export const KINDS = {
  'rate-page': { help: '403 with the page that announces a ten-minute block' },
  'tool-page': { help: '403 with the page for programs that name no contact' },
  'access-denied': { help: '403 with the AccessDenied XML of a missing file' },
  'too-many': { help: '429 with Retry-After', parameters: { after: 1 } },
  unavailable: { help: '503 with a page; with Retry-After when after is given', parameters: { after: 0 } },
  slow: { help: 'the answer comes after ms milliseconds', parameters: { ms: 200 } },
  drip: { help: 'the body one byte every ms milliseconds', parameters: { ms: 50 } },
  stall: { help: 'half of the body, then silence on an open connection' },
  cut: { help: 'half of the body, then the connection ends before the Content-Length' },
  'cut-gzip': { help: 'half of a gzip stream in an answer that is otherwise whole' },
  'wrong-length': { help: 'a Content-Length that is by bytes too large', parameters: { by: 64 } },
  reset: { help: 'the connection is reset without an answer' },
} as const satisfies Record<string, Kind>

export type FaultKind = keyof typeof KINDS

const TIMING = {
  every: 'only each Nth request that matches',
  first: 'only the first N requests that match',
  p: 'only with this probability, from 0 to 1',
  seed: 'start of the random sequence of p (default 1)',
  path: 'only requests whose path contains this text',
}

export interface Fault {
  kind: FaultKind
  /**
   * Value of the fault's own parameter: `after` in seconds, `ms` in milliseconds, `by` in bytes; 0 if the fault has
   * none.
   */
  amount: number
}

export interface Faults {
  /** Returns the faults for the next request to this path, and counts this request. */
  of(path: string): Fault[]
}

/** The grammar in a few lines, for `--help` and for error messages. */
export function faultsHelp(): string {
  const kinds = Object.entries<Kind>(KINDS).map(([name, { help, parameters = {} }]) => {
    const own = Object.entries(parameters).map(([key, value]) => ` (${key}=${value})`)
    return `  ${name.padEnd(14)} ${help}${own.join('')}`
  })
  const timing = Object.entries(TIMING).map(([name, help]) => `  ${`${name}=`.padEnd(14)} ${help}`)
  return [
    'Faults: KIND or KIND:KEY=VALUE,KEY=VALUE, several separated by blanks. If several faults apply to one request, each slow',
    'delays it, and the first of the other faults decides the answer.',
    ...kinds,
    ...timing,
  ].join('\n')
}

/**
 * Parses a text such as `rate-page:every=7 slow:ms=50,path=/data/`. The same text and the same requests give the same
 * faults.
 *
 * @throws UserError that names the wrong word, and the known words
 */
export function parseFaults(text: string): Faults {
  const faults = text.split(/\s+/).filter(Boolean).map(parseFault)
  return {
    of(path) {
      const hits = faults.filter((fault) => fault.hits(path)).map(({ kind, amount }) => ({ kind, amount }))
      const decisive = hits.find((hit) => hit.kind !== 'slow')
      return hits.filter((hit) => hit.kind === 'slow' || hit === decisive)
    },
  }
}

function parseFault(word: string): Fault & { hits(path: string): boolean } {
  const [name = '', settings = ''] = split(word, ':')
  if (!Object.hasOwn(KINDS, name)) {
    throw new UserError(`unknown fault ${JSON.stringify(name)}; known are ${Object.keys(KINDS).join(', ')}`)
  }
  const kind = name as FaultKind
  const own: Record<string, number> = (KINDS[kind] as Kind).parameters ?? {}
  const keys = [...Object.keys(own), ...Object.keys(TIMING)]
  const given = new Map(settings ? settings.split(',').map((setting) => split(setting, '=')) : [])
  for (const key of given.keys()) {
    if (!keys.includes(key))
      throw new UserError(`fault ${kind} has no ${JSON.stringify(key)}; it has ${keys.join(', ')}`)
  }
  const number = (key: string, otherwise: number, ok: (value: number) => boolean, what: string) => {
    const value = given.has(key) ? Number(given.get(key) || Number.NaN) : otherwise
    if (!ok(value)) throw new UserError(`fault ${kind}: ${key} must be ${what}, not ${JSON.stringify(given.get(key))}`)
    return value
  }
  const isCount = (value: number) => Number.isInteger(value) && value > 0
  const every = number('every', 1, isCount, 'a count from 1')
  const first = number(
    'first',
    Number.POSITIVE_INFINITY,
    (value) => value === Infinity || isCount(value),
    'a count from 1',
  )
  const p = number('p', 1, (value) => value >= 0 && value <= 1, 'from 0 to 1')
  const random = sequence(number('seed', 1, Number.isInteger, 'a whole number'))
  const path = given.get('path') ?? ''
  const [[key, otherwise] = ['', 0]] = Object.entries(own)
  const amount = number(key, otherwise, (value) => Number.isInteger(value) && value >= 0, 'a whole number')
  let seen = 0
  return {
    kind,
    amount,
    hits(requested) {
      if (!requested.includes(path)) return false
      seen++
      return seen <= first && seen % every === 0 && random() < p
    },
  }
}

function split(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function sequence(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
