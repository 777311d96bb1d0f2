/**
 * Accepts a ticker wherever an address takes the identifier of a company, a security or a fund, as in `cik=AAPL`, and
 * also an ISIN in place of a CUSIP and a share class in place of a series. The identifier replaces the text before the
 * input is read. So the answer, its entry in the cache and its ETag are the same as for the identifier.
 */
import { z } from 'zod'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import { VALUES_MAX, valueTypeOf } from '../../declare/list.ts'
import type { Route } from '../../declare/route.ts'
import { cusipOfIsin, validIsin } from '../../read/securityid.ts'
import { tickersOf } from '../../read/ticker.ts'
import type { Sql } from '../../store/db.ts'
import { fundsMeant } from '../funds.ts'
import { ownersOf } from '../tickers.ts'
import { byTicker, ofIsin } from '../traded.ts'

/** The parameters of a request: the address, of which only the query is read, and the parameters of the path. */
export interface Place {
  url: string
  path: Readonly<Record<string, string>>
}

/** A ticker, an ISIN or a share class that a request gives in a parameter. */
export interface Written {
  parameter: string
  kind: Kind
  text: string
  /** Position among the pairs of the query; null if the parameter is in the path. */
  pair: number | null
  /** Position among the values, if the parameter has several values; else 0. */
  part: number
}

type Kind = keyof typeof NUMBERS

/** Slices whose tables state what a ticker, an ISIN or a share class identifies. */
export const TICKER_SLICES: Readonly<Record<Kind, readonly string[]>> = {
  cik: ['companies', 'identifiers'],
  cusip: ['companies', 'identifiers', 'securities'],
  isin: ['identifiers', 'securities'],
  series: ['companies', 'ncen'],
}

/**
 * Matches a value of a query that may be a ticker. Such a value is ASCII text without digits, in which `+` and `%20`
 * mean a blank.
 */
const MAYBE = /^(?:[A-Za-z.$:^=/_'+-]|%[2-7][0-9A-Fa-f]){1,60}$/

/** A text with the form of an ISIN; no CUSIP has twelve characters. */
const ISIN = /^[A-Za-z]{2}[A-Za-z0-9]{9}\d$/

/** The id of a share class of a fund. */
const CLASS = /^[Cc]\d{9}$/

/** Maximum number of companies or securities that an error names. */
const NAMED_MAX = 3

/** A parameter that takes tickers. */
interface Taking {
  kind: Exclude<Kind, 'isin'>
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
      const taking = takingOf(name, type as z.ZodType)
      return taking === null ? [] : [[name, taking] as const]
    }),
  )
  if (parameters.size === 0) return () => []
  return ({ url, path }) => {
    const found: Written[] = []
    for (const [parameter, taking] of parameters) {
      const text = path[parameter]
      const kind = text === undefined ? null : kindOf(taking, text)
      if (kind !== null) found.push({ parameter, kind, text: text!, pair: null, part: 0 })
    }
    for (const [pair, member] of pairsOf(url).entries()) {
      const [parameter = '', given = ''] = member.split('=', 2)
      const taking = parameters.get(parameter)
      if (!taking) continue
      for (const [part, value] of (taking.hasSeveral ? given.split(SEPARATOR) : [given]).entries()) {
        if (!MAYBE.test(value) && !ISIN.test(value) && !CLASS.test(value)) continue
        const written = decodeURIComponent(value.replaceAll('+', ' ')).trim()
        const kind = kindOf(taking, written)
        if (kind !== null) found.push({ parameter, kind, text: written, pair, part })
      }
    }
    // The input reader refuses a request with more values, so their tickers are not looked up.
    return found.length > VALUES_MAX ? [] : found
  }
}

/**
 * Returns the kind of a text that must be replaced; null if the text is not replaced. Tickers of the United States have
 * no digits. Any other text with digits may be a mistyped identifier, which the input reader refuses.
 */
function kindOf({ kind, value }: Taking, text: string): Kind | null {
  if (kind === 'cusip' && ISIN.test(text)) return 'isin'
  if (kind === 'series' && CLASS.test(text)) return 'series'
  return !/\d/.test(text) && !value.safeParse(text).success && tickersOf(text).length > 0 ? kind : null
}

/**
 * Returns the kind of identifier that the parameter has and how it is parsed; null if the parameter does not take
 * tickers.
 */
function takingOf(name: string, type: z.ZodType): Taking | null {
  const several = valueTypeOf(type)
  const value = several ?? type
  const inner = value instanceof z.ZodOptional ? (value.unwrap() as z.ZodType) : value
  if (name === 'series') return { kind: name, value, hasSeveral: several !== null }
  const entity = (z.globalRegistry.get(value) ?? z.globalRegistry.get(inner))?.['x-entity']
  return entity === 'cik' || entity === 'cusip' ? { kind: entity, value, hasSeveral: several !== null } : null
}

function pairsOf(url: string): string[] {
  const mark = url.indexOf('?')
  return mark < 0 ? [] : url.slice(mark + 1).split('&')
}

/**
 * Replaces tickers, ISINs and share classes by the identifiers that they mean.
 *
 * @returns the parameters with identifiers. The address also contains the path, since inputs are remembered by address
 * @throws HttpError 400 if nothing loaded has the ticker or the class, if it is unclear what is meant, or if the check
 * digit of an ISIN is wrong
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

/** Replaces one value of a pair. An identifier has no separator, so the positions of later values stay the same. */
function replaced(pair: string, { parameter, part }: Written, number: string): string {
  const values = pair.slice(parameter.length + 1).split(SEPARATOR)
  return `${parameter}=${values.with(part, number).join(',')}`
}

const NUMBERS = { cik: companyOf, cusip: securityOf, isin: securityOfIsin, series: fundOf }

/**
 * Returns the CIK of the only company that has the ticker now. Companies for which a list names the ticker are
 * preferred to companies for which only a filing names it.
 */
async function companyOf(sql: Sql, { parameter, text: ticker }: Written): Promise<string> {
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
async function securityOf(sql: Sql, { parameter, text: ticker }: Written): Promise<string> {
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

/**
 * Returns the CUSIP within an ISIN. If the ISIN contains no CUSIP, returns the security that is known to have the ISIN:
 * Accenture (IE00B4BNMY34) has the CINS G1151C101.
 */
async function securityOfIsin(sql: Sql, { parameter, text }: Written): Promise<string> {
  const isin = validIsin(text)
  if (isin === null)
    throw invalid(
      parameter,
      `the check digit of the ISIN ${text} is wrong; compare it with its source, or find the security by name with /v1/search`,
    )
  const cusip = cusipOfIsin(isin)
  if (cusip !== null) return cusip
  const [known] = await sql<{ sec_id: string }[]>`
    select sec_id from pub.securities_security s where ${ofIsin(sql, isin)} order by combined_value desc, sec_id limit 1`
  return known?.sec_id ?? `isin~${isin}`
}

/** Returns the series of the only fund that has the ticker or the class; the CIK of a fund without series. */
async function fundOf(sql: Sql, { parameter, text }: Written): Promise<string> {
  const { funds, series } = (await fundsMeant(sql, text)) ?? { funds: [], series: [] }
  const keys = [...new Set([...series, ...funds.map((fund) => fund.replace(/^\d{10}-/, ''))])]
  const [first, ...others] = keys
  if (first !== undefined && others.length === 0) return first
  const what = CLASS.test(text) ? 'class' : 'ticker'
  if (first === undefined)
    throw invalid(parameter, `no fund with the ${what} ${text} is loaded; /v1/search finds the series of a name`)
  const named = keys.slice(0, NAMED_MAX).join(', ')
  throw invalid(parameter, `the ${what} ${text} belongs to several funds; use one of the series ${named}`)
}

/** Managers also report options, under CUSIPs of their own. The title of such a security is only `put` or `call`. */
const isOption = (sql: Sql) => sql`coalesce(s.title_of_class, '') ~* '^(put|call)s?$'`

const invalid = (parameter: string, reason: string): HttpError => apiError('invalid_parameter', { parameter, reason })
