/**
 * Routes. One declaration gives the HTTP handler, the OpenAPI operation, the rate bucket, the scope, the contract test
 * and the line in the README. Parameters of path and query are one input, parsed together.
 */
import type { Readable } from 'node:stream'
import { z } from 'zod'
import { notKnown } from '../misspelt.ts'
import type { Sql } from '../store/db.ts'
import type { Catalog } from './catalog.ts'
import type { Columns } from './column.ts'
import { type Feed, feedOf } from './feeds.ts'
import { fieldsOf } from './fields.ts'
import { format, formatOrFeed } from './format.ts'
import { list } from './list.ts'
import type { Mistaken } from './mistaken.ts'
import { notAPlace } from './places.ts'
import type { Bucket, KeyContext, ReadSubmissions } from './ports.ts'
import type { Leads } from './route-leads.ts'
import type { Scope } from './scopes.ts'
import type { Stream } from './stream.ts'
import type { Tag } from './tags.ts'

export { isList, list } from './list.ts'

export type { Bucket } from './ports.ts'

/**
 * How much an answer can cost the database at most. `point`: one thing by its key. `list`: a page of a list. `heavy`:
 * more than a page.
 */
export type Cost = 'point' | 'list' | 'heavy'

/** The context of a `run`. The clock is passed in, never read. */
export interface Context {
  sql: Sql
  now: Date
  key: KeyContext
  catalog: Catalog
  /** Archived submissions. A submission is fetched from EDGAR when it is first requested. */
  submissions: ReadSubmissions
  /** Request headers that a bytes route needs (`accept`, `range`, `if-none-match`). */
  headers: Readonly<Record<string, string | undefined>>
  /**
   * Whether the tables of a slice can be queried; if absent, all slices can be queried. Called only for slices that the
   * route does not need.
   */
  isOpen?: ((slug: string) => boolean) | undefined
}

/** JSON text that the database has made ready to send. It is sent without being parsed. */
export class JsonText {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An answer that another process has made, so that the main thread does no work on its megabytes. */
export class Made {
  readonly body: Buffer
  readonly type: string
  /** The ETag, in the form of `etagOf` of serve/http/answer.ts. */
  readonly etag: string
  constructor(body: Buffer, type: string, etag: string) {
    this.body = body
    this.type = type
    this.etag = etag
  }
}

/** An answer that is not JSON: a document's bytes. */
export interface Bytes {
  status?: number
  headers: Record<string, string>
  body: Readable | Buffer | string
}

/** An answer that can be downloaded as a file, row by row. */
export interface List {
  /** The member of the answer that holds the rows; null if the answer itself is the array of rows. */
  readonly member: string | null
  /** One row: its members are the columns of a file. */
  readonly row: z.ZodObject
  /** Whether the list continues by `cursor` and `next_cursor`. If not, one answer has all rows. */
  readonly paged: boolean
  /**
   * Returns the row's members that are arrays of at most one object. For each, returns the members that such an object
   * has in answers to this request, with their types.
   */
  readonly inner?: Inner
  /** How the list is a feed; null if its rows have no day. */
  readonly feed: Feed | null
}

type Inner = (input: Readonly<Record<string, unknown>>, catalog: Catalog) => Readonly<Record<string, Columns>>

/**
 * Finds, among the rows of some filings, those that match each of several requests.
 *
 * @returns each row with the position of its request
 */
export type Among = (
  sql: Sql,
  wanted: {
    /** Parsed input of each request. */
    requests: readonly Readonly<Record<string, unknown>>[]
    accessions: readonly string[]
    /** Members that identify a row. */
    ids: readonly string[]
  },
) => Promise<{ request: number; row: Readonly<Record<string, unknown>> }[]>

/** What has arrived: records with these keys of the event log, or everything that was filed since a day. */
export type Arrival = { readonly keys: readonly string[] } | { readonly since: string }

/** A row that matches a request because of what has arrived. */
export interface Arrived {
  row: Readonly<Record<string, unknown>>
  /** The key of the record that made the row match. */
  key: string
  /** The day of that record. */
  day: string
}

/** A request: its parameters of path and query, as in an address but before they are encoded. */
export type Example = Readonly<Record<string, string>>

/** Parameters of the next page, which replace those of the request. */
export type Next = Readonly<Record<string, string | number>>

/**
 * How a list of the contract shows `next_cursor` if the request has neither `paginate` nor `cursor`: the member is
 * absent (`none`) or null. The header Link still leads to the next page. Lists that are not part of the contract always
 * have the cursor.
 */
type Unrequested = 'none' | 'null' | ((input: Readonly<Record<string, unknown>>) => 'none' | 'null' | undefined)

export interface Route {
  readonly path: string
  /**
   * Unique, `[a-z0-9_]+`: operationId in OpenAPI and tool name in MCP. The name `<slug>_detail` marks the route that
   * shows more about a filing of the family.
   */
  readonly name: string
  readonly summary: string
  readonly description?: string
  /** OpenAPI tag: the group of operations in which the route is shown. */
  readonly tag: Tag
  readonly input: z.ZodObject
  /** Shape of the 200 answer; null for a route that sends a document's bytes. */
  readonly output: z.ZodType | null
  /** Describes the rows of the answer; null if the answer is not a list. */
  readonly list: List | null
  readonly unrequested?: Unrequested | undefined
  /** Returns the parameters of the next page, for a list that does not continue by `next_cursor`. */
  readonly next?: ((input: never, answer: never) => Next | null) | undefined
  /** Tests many requests at once on new filings; absent for a list that is read page by page instead. */
  readonly among?: Among | undefined
  /**
   * Finds the rows that match a request because of what has arrived. Only for lists in which the day of filing does not
   * find these rows. For example, a new prospectus can make an offering of last year match.
   */
  readonly arrived?: ((input: never, arrival: Arrival, context: Context) => Promise<Arrived[]>) | undefined
  /** Writes the answer as Markdown, for clients that accept `text/markdown` rather than JSON. */
  readonly markdown?: ((answer: never) => string) | undefined
  /** How clients that accept `text/event-stream` rather than JSON follow the answer. */
  readonly stream?: Stream | undefined
  /** Example requests that the bundled sample answers with data, the most instructive first (examples.ts). */
  readonly examples: readonly Example[]
  readonly bucket: Bucket
  /** Cost class, which decides how much time and how many connections requests get (serve/http/costs.ts). */
  readonly cost: Cost
  /** All scopes that a key must have. */
  readonly scopes: readonly Scope[]
  /**
   * Whether the same address may be answered from memory until data changes. False if the answer depends on the key or
   * the clock.
   */
  readonly cached: boolean
  /** Slugs of the other slices whose data the answer uses; the catalog adds them. */
  readonly reads?: Reads
  /** Facts for links that cannot be derived. */
  readonly leads?: Leads
  /** Parameters of a list that clients take for each other. */
  readonly mistaken?: Mistaken
  /**
   * Adds suggestions to the JSON answer of a list without rows (suggestions.ts). `run` makes no suggestions, since files,
   * feeds and saved searches do not show them.
   */
  readonly suggest?: (input: Record<string, unknown>, answer: unknown, context: Context) => Promise<unknown>
  /** Statuses that the route can answer in addition to 200, 400, 401, 403, 404, 429 and 500. */
  readonly statuses: readonly number[]
  run(input: Record<string, unknown>, context: Context): Promise<unknown>
}

/**
 * Slugs of slices: those of datasets, and SPINE, BULK and HEADERS of spine.ts; or a function that finds them among all
 * slices. A cached answer becomes invalid when the data of one of them changes, so none may be missing
 * (test/serve/reads.test.ts).
 */
export type Reads = readonly string[] | ((slices: Pick<Catalog, 'filings' | 'bulk'>) => readonly string[])

type PathParameter<P extends string> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never

interface Declared<I extends z.ZodRawShape, P extends string = string> {
  name: string
  summary: string
  description?: string
  tag: Tag
  input: I
  /**
   * Requests that the bundled sample answers with something that a person recognises. The answer to the first request
   * is the example of the answer. Each parameter is in one of the requests, and the first request with the parameter
   * gives the parameter's example. Parameters with one meaning in every list (`limit`, `cursor` …) need none:
   * examples.ts.
   */
  examples?: readonly (Readonly<Record<PathParameter<P>, string>> & { readonly [K in keyof I]?: string })[]
  bucket?: Bucket
  /** The class of cost. Default: `list` in the search bucket, else `point`. */
  cost?: Cost
  scopes?: readonly Scope[]
  cached?: boolean
  reads?: Reads
  leads?: Leads
  mistaken?: Mistaken
  statuses?: readonly number[]
}

/**
 * Declares a JSON route. Paths are relative to `/v1`.
 *
 * `run` returns the answer as a value, as `JsonText`, or as `Made` in the format that the request wants. It returns
 * null for 404. A declaration whose `input` lacks a path parameter does not compile.
 */
export function get<
  const P extends `/${string}`,
  I extends z.ZodRawShape & Record<PathParameter<P>, z.ZodType>,
  O extends z.ZodType,
>(
  path: P,
  route: Declared<I, P> & {
    output: O
    /** The member of the output that holds the rows of a list. An output that is an array does not need it. */
    rows?: O extends z.ZodObject<infer S> ? keyof S & string : never
    inner?: Inner
    among?: Among
    arrived?: (input: z.output<z.ZodObject<I>>, arrival: Arrival, context: Context) => Promise<Arrived[]>
    unrequested?: Unrequested
    /**
     * The parameters of the next page, for a list that does not continue by `cursor` and `next_cursor`; null on the
     * last page.
     */
    next?: (input: z.output<z.ZodObject<I>>, answer: z.input<O>) => Next | null
    /**
     * Writes the answer as Markdown, for clients that accept `text/markdown` rather than JSON. `run` must then not
     * return JsonText.
     */
    markdown?: (answer: z.input<O>) => string
    /**
     * How the answer continues for clients that accept `text/event-stream`. The input must have `after`, and `run` must
     * not return JsonText.
     */
    stream?: Stream<z.input<O>>
    run(input: z.output<z.ZodObject<I>>, context: Context): Promise<z.input<O> | JsonText | Made | null>
  },
): Route {
  return declare(path, route, route.output, route.run as Route['run'])
}

/** Declares a route that answers with a document's own bytes and content type instead of JSON. */
export function getBytes<const P extends `/${string}`, I extends z.ZodRawShape & Record<PathParameter<P>, z.ZodType>>(
  path: P,
  route: Declared<I, P> & { run(input: z.output<z.ZodObject<I>>, context: Context): Promise<Bytes | null> },
): Route {
  return declare(path, { cached: false, ...route }, null, route.run as Route['run'])
}

function declare(
  path: string,
  {
    rows,
    inner,
    examples = [],
    statuses = [],
    ...route
  }: Omit<Declared<z.ZodRawShape>, 'examples'> & {
    rows?: string | undefined
    inner?: Inner | undefined
    unrequested?: Unrequested | undefined
    next?: Route['next']
    markdown?: Route['markdown']
    stream?: Route['stream']
    examples?: readonly Example[]
  },
  output: z.ZodType | null,
  run: Route['run'],
): Route {
  // If the size of a page has no default, one answer has all rows.
  const isWhole = (route.input.limit as z.ZodType | undefined)?.safeParse(undefined).data === undefined
  const found = listOf(path, {
    output,
    member: rows ?? null,
    paged: 'cursor' in route.input && !isWhole,
    input: route.input,
  })
  const list = found && inner ? { ...found, inner } : found
  return {
    bucket: 'general',
    cost: route.bucket === 'search' ? 'list' : 'point',
    cached: true,
    ...route,
    path,
    examples,
    scopes: ['api', ...(route.scopes ?? [])],
    // A document has only one format, regardless of Accept, so 406 is not added for its route. For such a route, Accept
    // only selects the format of errors.
    statuses: output === null ? statuses : [...statuses, 406],
    input: z.strictObject(
      list ? { ...route.input, format: list.feed ? formatOrFeed : format, ...fieldsOf(list.row) } : route.input,
    ),
    output,
    list,
    run,
  }
}

/** Whether an answer can have a next page; the header Link has the address of the next page. */
export const goesOn = ({ input, next }: Pick<Route, 'input' | 'next'>): boolean =>
  'cursor' in input.shape || next !== undefined

/** @throws Error if the named member is not an array of objects */
function listOf(
  path: string,
  {
    output,
    member,
    paged,
    input,
  }: { output: z.ZodType | null; member: string | null; paged: boolean; input: z.ZodRawShape },
): List | null {
  if (member === null && !(output instanceof z.ZodArray)) return null
  let rows = member === null ? output : (output as z.ZodObject).shape[member]
  while (rows instanceof z.ZodOptional || rows instanceof z.ZodNullable) rows = rows.unwrap()
  const row = rows instanceof z.ZodArray ? rows.element : null
  if (row instanceof z.ZodObject) return { member, row, paged, feed: feedOf(row, input) }
  // An array of plain values has no columns.
  if (member === null) return null
  throw new Error(`${path}: ${member} is not an array of objects`)
}

// Types of parameters. Every parameter arrives as a string. Each type declares in `meta` how it is documented.

/** A whole number within bounds. Anything else is refused, `1.5` and `abc` included. */
export function whole(options: { min?: number; max?: number; describe: string }) {
  const { min = 0, max = Number.MAX_SAFE_INTEGER, describe } = options
  const error = `must be a whole number from ${min}${max < Number.MAX_SAFE_INTEGER ? ` to ${max}` : ''}`
  return z
    .string()
    .regex(/^\d{1,15}$/, { error })
    .transform(Number)
    .pipe(z.int().min(min, { error }).max(max, { error }))
    .describe(describe)
}

/** Page size: at least 1 and at most `max`. A larger page size is refused, and not reduced to `max`. */
export const limit = ({ max, default: standard }: { max: number; default: number }) =>
  whole({ min: 1, max, describe: `Rows in a page, at most ${max}` }).default(standard)

/** Rows to skip. */
export const offset = ({ max = 100_000 }: { max?: number } = {}) =>
  whole({ max, describe: `Rows to skip, at most ${max}` }).default(0)

/** Accession, dashed or 18 digits. `run` gets the dashed form. */
export const accession = z
  .string()
  .regex(/^(\d{10}-\d{2}-\d{6}|\d{18})$/, { error: 'must be an accession such as 0000320193-24-000123 or 18 digits' })
  .overwrite((value) => value.replace(/^(\d{10})-?(\d{2})-?(\d{6})$/, '$1-$2-$3'))
  .describe('SEC accession number, with dashes or as 18 digits')
  .meta({ 'x-entity': 'accession' })

/**
 * CIK with or without leading zeros. `run` gets the ten digits that tables hold. A ticker in an address is replaced
 * before the input is read (`serve/http/tickers.ts`).
 */
export const cik = z
  .string()
  .regex(/^\d{1,10}$/, { error: 'must be a CIK of at most ten digits; /v1/search finds the CIK of a ticker or a name' })
  .overwrite((value) => value.padStart(10, '0'))
  .describe('SEC central index key, with or without leading zeros; a ticker works too')
  .meta({ 'x-entity': 'cik' })

/** CRD number of a firm. `run` gets it without leading zeros, as tables hold it. */
export const crd = z
  .string()
  .regex(/^\d{1,10}$/, { error: 'must be a CRD number of at most ten digits; /v1/search finds the number of a name' })
  .overwrite((value) => value.replace(/^0+(?=\d)/, ''))
  .describe('CRD number of the firm')
  .meta({ 'x-entity': 'crd' })

/** The CUSIP of a security, or the id that a search returns for a security without a CUSIP. */
export const security = z
  .string()
  .max(2_000)
  .overwrite((text) => text.replace(/^company~/i, 'company~'))
  .regex(/^([A-Za-z0-9]{6,9}|name~[\w-]+|isin~[A-Za-z]{2}[A-Za-z0-9]{10}|company~.+)$/, {
    error:
      'must be a CUSIP of 6 to 9 letters and digits, an ISIN, a sec_id such as name~c3BhY2V4 or isin~GB0002374006, or a company_id such as company~spacex; /v1/search finds the security of a ticker or a name',
  })
  .describe(
    'CUSIP, ISIN, ticker, or a sec_id or company_id that a search returned. The first 6 to 8 characters of a CUSIP mean the most valuable security whose CUSIP begins with them (6 characters are the number of the issuer). A company_id such as company~spacex means the most valuable security of that private company',
  )
  .meta({ 'x-entity': 'cusip' })

/**
 * A whole CUSIP, in upper or lower case. A shorter CUSIP is refused: it would match nothing, and the answer would look
 * as if there were no data.
 */
export const wholeCusip = (describe: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9*@#]{9}$/, {
      error: 'must be a CUSIP of nine characters; /v1/search finds the CUSIP of a ticker or a name',
    })
    .overwrite((text) => text.toUpperCase())
    .describe(`${describe}; an ISIN or a ticker works too`)
    .meta({ 'x-entity': 'cusip' })

/** A day that exists, `YYYY-MM-DD`. Postgres has no year 0, so a day in year 0 would cause a server error. */
export const day = (describe: string) =>
  z.iso
    .date({ error: 'must be a day, YYYY-MM-DD', abort: true })
    .refine((value) => value >= '0001', { error: 'must be a day, YYYY-MM-DD' })
    .describe(describe)

/** `true`, `false`, `1` or `0`. */
export const flag = (describe: string) =>
  z
    .enum(['true', 'false', '1', '0'])
    .transform((value) => value === 'true' || value === '1')
    .pipe(z.boolean())
    .describe(describe)

/** One of the words. */
export const choice = <const T extends readonly [string, ...string[]]>(words: T, describe: string) =>
  z.enum(words).describe(describe)

/** Free text to search for, trimmed; at most 200 characters, since no name is longer. */
export const query = (describe: string) => z.string().trim().min(1).max(200).describe(describe)

/**
 * One of a known set of words, in upper or lower case. A word that no row can have is refused, with suggestions.
 *
 * @param meant returns the values that a word means, if it does not look like them
 */
export const known = (
  values: readonly string[],
  what: string,
  describe: string,
  meant: (word: string) => readonly string[] = () => [],
) =>
  z
    .string()
    .trim()
    .overwrite((text) => values.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text)
    .refine((text) => values.includes(text), {
      error: ({ input }) => {
        const words = meant(String(input))
        return notKnown(String(input), what, values, {
          before: { ITEM: '' },
          ...(words.length > 0 && { meant: words }),
        })
      },
    })
    .describe(describe)
    .meta({ enum: values })

/** State or country codes of EDGAR, comma-separated, in upper or lower case. */
export const states = list(
  z
    .string()
    .regex(/^[A-Za-z0-9]{2}$/, { error: ({ input }) => notAPlace(String(input)) })
    .overwrite((code) => code.toUpperCase()),
  'Only rows with one of these state or country codes',
)
