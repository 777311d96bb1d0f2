/**
 * Accepts a ticker wherever an address takes the number of a company or a security, as in `cik=AAPL`. The number
 * replaces the ticker before the input is read. So the answer, its entry in the cache and its ETag are the same as for
 * the number.
 */
import { z } from 'zod'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import { VALUES_MAX, valueTypeOf } from '../../declare/list.ts'
import type { Route } from '../../declare/route.ts'
import { tickersOf } from '../../read/ticker.ts'
import type { Sql } from '../../store/db.ts'
import { ownersOf } from '../tickers.ts'
import { byTicker } from '../traded.ts'

/** The parameters of a request: the address, of which only the query is read, and the parameters of the path. */
export interface Place {
  url: string
  path: Readonly<Record<string, string>>
}

/** A ticker that a request gives in a parameter. */
export interface Written {
  parameter: string
  kind: Kind
  ticker: string
  /** Position among the pairs of the query; null if the parameter is in the path. */
  pair: number | null
  /** Position among the values, if the parameter has several values; else 0. */
  part: number
}

type Kind = keyof typeof NUMBERS

/** Slices whose tables say what a ticker means. */
export const TICKER_SLICES: Readonly<Record<Kind, readonly string[]>> = {
  cik: ['companies', 'identifiers'],
  cusip: ['companies', 'identifiers', 'securities'],
}

/**
 * Matches a value of a query that may be a ticker. Such a value is ASCII text without digits, in which `+` and `%20`
 * mean a blank.
 */
const MAYBE = /^(?:[A-Za-z.$:^=/_'+-]|%[2-7][0-9A-Fa-f]){1,60}$/

/** Maximum number of companies or securities that an error names. */
const NAMED_MAX = 3

/** A parameter that takes tickers. */
interface Taking {
  kind: Kind
  /** The type of a value. */
  value: z.ZodType
  hasSeveral: boolean
}

/** The separator of the values of a parameter with several values. */
const SEPARATOR = /,|%2C/i

/**
 * Returns a function that finds the tickers in a request of the route. Most requests have no tickers, and then need no
 * lookup.
 */
export function tickersIn(route: Route): (place: Place) => Written[] {
  const parameters = new Map(
    Object.entries(route.input.shape).flatMap(([name, type]) => {
      const taking = takingOf(type as z.ZodType)
      return taking === null ? [] : [[name, taking] as const]
    }),
  )
  if (parameters.size === 0) return () => []
  // Tickers of the United States have no digits. A text with digits may be a mistyped number, which the input reader
  // refuses.
  const isTicker = ({ value }: Taking, text: string) =>
    !/\d/.test(text) && !value.safeParse(text).success && tickersOf(text).length > 0
  return ({ url, path }) => {
    const found: Written[] = []
    for (const [parameter, taking] of parameters) {
      const ticker = path[parameter]
      if (ticker !== undefined && isTicker(taking, ticker))
        found.push({ parameter, kind: taking.kind, ticker, pair: null, part: 0 })
    }
    for (const [pair, text] of pairsOf(url).entries()) {
      const [parameter = '', given = ''] = text.split('=', 2)
      const taking = parameters.get(parameter)
      if (!taking) continue
      for (const [part, value] of (taking.hasSeveral ? given.split(SEPARATOR) : [given]).entries()) {
        if (!MAYBE.test(value)) continue
        const ticker = decodeURIComponent(value.replaceAll('+', ' ')).trim()
        if (isTicker(taking, ticker)) found.push({ parameter, kind: taking.kind, ticker, pair, part })
      }
    }
    // The input reader refuses a request with more values, so their tickers are not looked up.
    return found.length > VALUES_MAX ? [] : found
  }
}

/** Returns which kind of number a ticker may replace in this parameter; null if the parameter does not take tickers. */
function takingOf(type: z.ZodType): Taking | null {
  const several = valueTypeOf(type)
  const value = several ?? type
  const inner = value instanceof z.ZodOptional ? (value.unwrap() as z.ZodType) : value
  const entity = (z.globalRegistry.get(value) ?? z.globalRegistry.get(inner))?.['x-entity']
  return entity === 'cik' || entity === 'cusip' ? { kind: entity, value, hasSeveral: several !== null } : null
}

function pairsOf(url: string): string[] {
  const mark = url.indexOf('?')
  return mark < 0 ? [] : url.slice(mark + 1).split('&')
}

/**
 * Replaces tickers by the numbers that they mean.
 *
 * @returns the parameters with numbers. The address also contains the path, since inputs are remembered by address
 * @throws HttpError 400 if no loaded company or security has the ticker, or if it is unclear which one is meant
 */
export async function withNumbers(place: Place, written: readonly Written[], sql: Sql): Promise<Place> {
  const path = { ...place.path }
  const pairs = pairsOf(place.url)
  for (const one of written) {
    const number = await NUMBERS[one.kind](sql, one)
    if (one.pair === null) path[one.parameter] = number
    else pairs[one.pair] = replaced(pairs[one.pair]!, one, encodeURIComponent(number))
  }
  return { url: `${encodeURIComponent(JSON.stringify(path))}?${pairs.join('&')}`, path }
}

/** Replaces one value of a pair. A number has no separator, so the positions of later values stay the same. */
function replaced(pair: string, { parameter, part }: Written, number: string): string {
  const values = pair.slice(parameter.length + 1).split(SEPARATOR)
  return `${parameter}=${values.with(part, number).join(',')}`
}

const NUMBERS = { cik: companyOf, cusip: securityOf }

/**
 * Returns the CIK of the only company that has the ticker now. Companies for which a list names the ticker are
 * preferred to companies for which only a filing names it.
 */
async function companyOf(sql: Sql, { parameter, ticker }: Written): Promise<string> {
  const { owners } = (await ownersOf(sql, tickersOf(ticker))) ?? { owners: [] }
  const present = ['listed', 'filed'].map((state) => owners.filter((each) => each.state === state))
  const [first, ...others] = present.find((found) => found.length > 0) ?? []
  if (first && others.length === 0) return first.cik
  const ciks = (first ? [first, ...others] : owners).map(({ cik }) => cik)
  const named = ciks.slice(0, NAMED_MAX).join(', ')
  if (first) throw invalid(parameter, `the ticker ${ticker} belongs to several companies; use one of the CIKs ${named}`)
  if (ciks.length > 0) throw invalid(parameter, `no company has the ticker ${ticker} now; it was a ticker of ${named}`)
  throw invalid(parameter, `no company with the ticker ${ticker} is loaded; /v1/search finds the CIK of a name`)
}

/**
 * Returns the id of the most valuable security that has the ticker. If a ticker is known only for the company, it may
 * be the ticker of any of the company's securities, so the company must have a single security.
 */
async function securityOf(sql: Sql, { parameter, ticker }: Written): Promise<string> {
  const traded = await byTicker(sql, ticker)
  for (const { found_by, condition, hasOthers } of traded?.ways ?? []) {
    if (found_by === 'former_ticker') continue
    const rows = await sql<{ sec_id: string; title_of_class: string | null }[]>`
      select sec_id, title_of_class from pub.securities_security s
      where ${condition} and not ${isOption(sql)} order by combined_value desc, sec_id limit ${NAMED_MAX}`
    const [first, other] = rows
    if (first && (found_by === 'ticker' || !(other || hasOthers))) return first.sec_id
    if (!first) continue
    const named = rows.map(({ sec_id: id, title_of_class: title }) => (title === null ? id : `${id} (${title})`))
    throw invalid(
      parameter,
      `nothing loaded states which security has the ticker ${ticker}; it may be ${named.join(', ')}, or another one of the same company`,
    )
  }
  throw invalid(
    parameter,
    `no loaded security is known to have the ticker ${ticker}; /v1/adv/securities finds securities by name`,
  )
}

/** Managers also report options, under CUSIPs of their own. The title of such a security is only `put` or `call`. */
const isOption = (sql: Sql) => sql`coalesce(s.title_of_class, '') ~* '^(put|call)s?$'`

const invalid = (parameter: string, reason: string): HttpError => apiError('invalid_parameter', { parameter, reason })
