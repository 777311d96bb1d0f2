/** The structured log: JSON lines by pino, without secrets. */
import { type DestinationStream, type Level, type Logger, pino } from 'pino'
import { visibleJson } from '../../declare/visible.ts'
import { standardError } from './log-output.ts'
import { withoutKeys } from './secrets.ts'

/**
 * Members of an error in which PostgreSQL or our own code may quote what a client sent. `stack` is one of them, since a
 * stack begins with the message.
 */
const QUOTED = ['message', 'stack', 'detail', 'hint', 'where', 'internal_query']

const SECRET = new Set(['authorization', 'x-api-key', 'cookie', 'set-cookie', 'proxy-authorization'])

/**
 * Opens the log, on standard error unless a stream is given. Serializers remove secrets from the members of a line. A
 * serializer costs nothing if a line does not have its member. Pino's `redact` would parse its paths for every line,
 * which would cost 19 µs a request. The serializers are a second protection: the server logs no headers.
 */
export function openLog({
  level,
  stream = standardError(),
}: {
  level: Level | 'silent'
  stream?: DestinationStream
}): Logger {
  const hidden = Object.fromEntries(Array.from(SECRET, (name) => [name, () => '[redacted]']))
  const serializers = {
    ...hidden,
    headers: withoutSecrets,
    req: plainRequest,
    request: plainRequest,
    err: plainError,
    reason: (text: unknown) => (typeof text === 'string' ? withoutKeys(text) : text),
  }
  return pino({ level, base: null, serializers, timestamp: timestamp(), hooks: { streamWrite: visibleJson } }, stream)
}

/** The member `time` of a line. The text is made only once per millisecond, since making it takes 0.6 µs. */
function timestamp(now: () => number = Date.now): () => string {
  let last = Number.NaN
  let text = ''
  return () => {
    const at = now()
    if (at !== last) {
      last = at
      text = `,"time":"${new Date(at).toISOString()}"`
    }
    return text
  }
}

function withoutSecrets(headers: unknown): unknown {
  if (typeof headers !== 'object' || headers === null) return undefined
  const plain = (value: unknown) => (typeof value === 'string' ? withoutKeys(value) : value)
  const shown = (name: string, value: unknown) => (SECRET.has(name.toLowerCase()) ? '[redacted]' : plain(value))
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, shown(name, value)]))
}

/** Reduces a logged request object to the members that may be logged. */
function plainRequest(request: { id?: unknown; method?: unknown; url?: unknown; headers?: unknown } | null): unknown {
  const { id, method, url, headers } = request ?? {}
  return { id, method, url: typeof url === 'string' ? loggable(url) : undefined, headers: withoutSecrets(headers) }
}

function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const shown: Record<string, unknown> = pino.stdSerializers.err(error)
  for (const name of QUOTED) if (typeof shown[name] === 'string') shown[name] = withoutKeysInLines(shown[name])
  return shown
}

/** Removes keys, except from the frames of a stack, where names may be as long as keys. */
const withoutKeysInLines = (text: string) =>
  text
    .split('\n')
    .map((line) => (/^ {4,}at /.test(line) ? line : withoutKeys(line)))
    .join('\n')

/** Prepares an address for the log: without keys, without the query of sign-in, and cut if it is long. */
export const loggable = (url: string): string => withoutKeys(isOfSignIn(url) ? pathOf(url) : url).slice(0, 1000)

const pathOf = (url: string) => url.split('?', 1)[0]!

/**
 * Whether an address belongs to sign-in: its query has the code and the state. The router decodes a path before it
 * searches the route, and refuses a path that cannot be decoded.
 */
function isOfSignIn(url: string): boolean {
  if (!url.includes('%')) return url.startsWith('/sign-in')
  try {
    return decodeURIComponent(pathOf(url)).startsWith('/sign-in')
  } catch {
    return true
  }
}
