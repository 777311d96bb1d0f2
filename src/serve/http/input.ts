/** Turns path and query into the input of a route, or into a 400 that names the parameter. */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import { chosenOf } from '../../declare/fields.ts'
import type { Format } from '../../declare/format.ts'
import { isList, type Route } from '../../declare/route.ts'
import { meantBy } from '../../misspelt.ts'

/** Longest query string that is read. An address with a longer query is refused before the address is parsed. */
const QUERY_BYTES_MAX = 16_384

/** Longest address whose input is remembered, so that the 200 remembered addresses of a route stay below 200 KB. */
const REMEMBERED_LENGTH_MAX = 500

/** Returns the error 414 if the query of the address is too long. */
export function tooLong(url: string): HttpError | undefined {
  const mark = url.indexOf('?')
  if (mark < 0 || url.length - mark - 1 <= QUERY_BYTES_MAX) return undefined
  return apiError('query_too_long', { max: QUERY_BYTES_MAX })
}

interface Input {
  /** The input of `run`. It is frozen, because equal requests may share the same object. */
  values: Record<string, unknown>
  /**
   * A text that is the same for equal requests, regardless of the order of their parameters. It is made from the texts
   * of the values, since parsed values need not survive JSON.stringify (a Set, a Date).
   */
  address: string
  /**
   * For a list: the requested format. It is not in `values`, so answers that differ only in format have the same
   * `address`.
   */
  format: Format | undefined
  /**
   * For a list: the fields that the rows of the answer shall have; null for all fields. They are not in `values`, so
   * answers that differ only in their fields have the same `address`.
   */
  chosen: readonly string[] | null
  /** Whether the request states how many rows it wants. */
  isLimited: boolean
}

/** The reader of one route's input. */
export interface InputReader {
  /** @throws HttpError 400 that names the parameter */
  (url: string, path: Readonly<Record<string, string>>): Input
  /** Returns the input of an address that was read before; undefined if it is not remembered. */
  remembered(url: string): Input | undefined
}

/**
 * Makes the reader of one route's input. The reader is strict: it refuses a parameter that is unknown, is not valid, or
 * is given twice although it is not a list. A silently ignored filter would give a wrong answer that looks right.
 */
export function inputReader(route: Route): InputReader {
  const names = Object.keys(route.input.shape)
  const inPath = new Set(Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name]) => name!))
  const inQuery = new Set(names.filter((name) => !inPath.has(name)))
  const repeatable = new Set(names.filter((name) => isList(route.input.shape[name] as z.ZodType)))
  const named = route.list ? names.filter((name) => name !== 'format') : names
  const takes = inQuery.size === 0 ? 'no parameters' : [...inQuery].sort().join(', ')
  // Most requests repeat an address. Remembering the input saves 9 of the 52 µs of CPU that a cached answer takes. The
  // cache is limited by `maxSize`. With `max`, the library would allocate all entries in advance, which takes 20 ms for
  // 300 routes.
  const inputs = new LRUCache<string, Input>({ maxSize: 200, sizeCalculation: () => 1 })

  function parse(url: string, path: Readonly<Record<string, string>>): Input {
    const values: Record<string, string | string[]> = {}
    for (const name of inPath) values[name] = withoutNul(name, path[name] ?? '')
    const mark = url.indexOf('?')
    for (const pair of mark < 0 ? [] : url.slice(mark + 1).split('&')) {
      if (pair === '') continue
      const equals = pair.indexOf('=')
      const name = decoded(equals < 0 ? pair : pair.slice(0, equals), 'a parameter name')
      if (!inQuery.has(name)) throw apiError('unknown_parameter', { parameter: shown(name), known: takes })
      const before = values[name]
      if (before !== undefined && !repeatable.has(name)) throw apiError('repeated_parameter', { parameter: name })
      const value = withoutNul(name, equals < 0 ? '' : decoded(pair.slice(equals + 1), name))
      values[name] = before === undefined ? value : [before, value].flat()
    }
    const result = route.input.safeParse(values, { error: messageOfIssue })
    if (!result.success)
      throw invalid(
        result.error.issues,
        (name) => !repeatable.has(name) && isSeveral(values[name], route.input.shape[name] as z.ZodType),
      )
    const { from, to } = result.data as { from?: string; to?: string }
    if (from !== undefined && to !== undefined && from > to)
      throw apiError('invalid_parameter', { parameter: 'from', reason: 'is after to' })
    const address = route.name + JSON.stringify(named.map((name) => values[name] ?? null))
    const isLimited = values.limit !== undefined
    if (!route.list) return { values: Object.freeze(result.data), address, format: undefined, chosen: null, isLimited }
    const { format, fields, omit, ...own } = result.data
    const chosen = chosenOf(route.list.row, { fields, omit } as Parameters<typeof chosenOf>[1])
    if (chosen?.length === 0) {
      throw apiError('conflicting_parameters', { parameter: 'omit', reason: 'leaves no field of the rows' })
    }
    return { values: Object.freeze(own), address, format: format as Format | undefined, chosen, isLimited }
  }

  const remembered = (url: string) => inputs.get(url)
  const read = (url: string, path: Readonly<Record<string, string>>): Input => {
    const known = remembered(url)
    if (known) return known
    const input = parse(url, path)
    if (url.length <= REMEMBERED_LENGTH_MAX) inputs.set(url, input)
    return input
  }
  return Object.assign(read, { remembered })
}

function decoded(text: string, what: string): string {
  try {
    return decodeURIComponent(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch {
    throw apiError('invalid_encoding', { place: `${what}:` })
  }
}

/** Refuses NUL. PostgreSQL's type `text` cannot contain NUL, so the query would fail with a server error. */
/** @throws HttpError 400 if the value has a NUL character, which PostgreSQL stores in no text */
export function withoutNul(name: string, value: string): string {
  if (value.includes('\0'))
    throw apiError('invalid_parameter', { parameter: name, reason: 'must not contain NUL characters' })
  return value
}

/** Shortens a name from outside for a message. */
const shown = (name: string) => JSON.stringify(name.length > 60 ? `${name.slice(0, 60)}…` : name)

/** Whether a parameter that takes one value got several valid ones, with commas between them: `cik=320193,789019`. */
function isSeveral(value: unknown, type: z.core.$ZodType | undefined): boolean {
  if (typeof value !== 'string' || !value.includes(',') || type === undefined) return false
  return value.split(',').every((part) => z.core.safeParse(type, part.trim()).success)
}

/**
 * The error has the code of the first issue; its message has all issues.
 *
 * @param hasSeveral whether a parameter that takes one value got several
 */
function invalid(issues: readonly z.core.$ZodIssue[], hasSeveral: (parameter: string) => boolean): HttpError {
  const [first, ...others] = issues.map(({ path: [name, position], message }) => ({
    parameter: String(name),
    reason: hasSeveral(String(name))
      ? ONE
      : `${typeof position === 'number' ? `value ${position + 1} ` : ''}${message}`,
  }))
  const { parameter, reason } = first!
  const more = others.map((other) => `; ${other.parameter}: ${other.reason}`).join('')
  const code = reason === REQUIRED ? 'missing_parameter' : 'invalid_parameter'
  return apiError(code, { parameter, reason: reason + more })
}

const REQUIRED = 'is required'
/**
 * The reason in the error for several values. A number with separators of thousands, such as 1,000,000, gets it too.
 */
const ONE = 'takes one value, without commas'

/** Messages for parameter types that have no message of their own. */
function messageOfIssue(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? REQUIRED : `must be of type ${issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}${meant(issue)}`
    case 'too_big':
      return `must ${quantity(issue.origin, 'at most', issue.maximum)}`
    case 'too_small':
      return `must ${quantity(issue.origin, 'at least', issue.minimum)}`
    default:
      return 'is not valid'
  }
}

function meant({ input, values }: { input?: unknown; values: readonly unknown[] }): string {
  const proposed = typeof input === 'string' ? meantBy(input, values.map(String)) : []
  return proposed.length > 0 ? `; did you mean ${proposed.join(' or ')}?` : ''
}

/** States a bound in words: the bound limits the length of a string or an array, and the value of any other type. */
function quantity(origin: string, bound: string, amount: number | bigint): string {
  const unit = { string: 'character', array: 'value' }[origin]
  return unit ? `have ${bound} ${amount} ${unit}${Number(amount) === 1 ? '' : 's'}` : `be ${bound} ${amount}`
}
