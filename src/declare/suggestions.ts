/**
 * Suggestions of a list without rows. Clients confuse parameters of a list: they send the CIK of an insider as that of
 * the company, or a number as a name. They also ask for a form by the code that it had in other years. The list
 * declares such parameters and codes. If it finds no rows, it tries the other parameters and codes.
 */
import { z } from 'zod'
import { HttpError } from './api-errors.ts'
import type { Catalog, ServedRoute } from './catalog.ts'
import { addressOf } from './examples.ts'
import type { Mistaken } from './mistaken.ts'
import type { Context, Route } from './route.ts'

const suggestion = z
  .object({
    parameter: z.string().describe('Parameter of this list that finds rows'),
    value: z.string().describe('Value of the parameter'),
    note: z.string().describe('What the request at `url` has in place of the parameters of this request'),
    url: z.string().meta({ format: 'uri-reference', description: 'Address of the request that finds rows' }),
  })
  .meta({ id: 'Suggestion' })

export type Suggestion = z.infer<typeof suggestion>

/** Member of the answer of a list that declares such parameters. */
const didYouMean = {
  did_you_mean: z
    .array(suggestion)
    .optional()
    .describe(
      'Present if the first page has no rows, and the list has rows for a similar request: one with the same identifier in another parameter, or with the code that the form had in other years',
    ),
}

/** Parameters that choose the page or the shape of the answer. A suggestion has none of them. */
const OF_PAGE = ['limit', 'offset', 'paginate', 'cursor', 'count', 'format', 'fields', 'omit']

type Input = Readonly<Record<string, unknown>>

/** A value to try for `parameter`, in place of the value of the parameter `given`. */
interface Try {
  given: string
  parameter: string
  value: string
  /** Whether this value is also tried without the other parameters of the request. */
  isTriedAlone: boolean
  says: string
}

/** Lets every list that declares such parameters suggest other requests. */
export function withSuggestions(catalog: Catalog): Catalog {
  const routes = catalog.routes.map(
    (route): ServedRoute => (route.mistaken ? { ...route, ...suggesting(route, route.mistaken) } : route),
  )
  return { ...catalog, routes }
}

/** Makes a list suggest other requests if its first page has no rows. */
function suggesting(route: Route, mistaken: Mistaken): Pick<Route, 'output' | 'suggest'> {
  const { not_loaded, ...shape } = (route.output as z.ZodObject).shape
  const output = z.object({ ...shape, ...didYouMean, ...(not_loaded ? { not_loaded } : {}) })
  return {
    output: output.meta(z.globalRegistry.get(route.output!)!),
    async suggest(input, answer, context) {
      if (input.cursor !== undefined || Number(input.offset ?? 0) > 0 || !isEmpty(route, answer)) return answer
      const found: Suggestion[] = []
      for (const one of triesOf(route, mistaken, input)) {
        found.push(...(await tried(route, input, one, context).catch(nothingIfRefused)))
      }
      if (found.length === 0) return answer
      const { not_loaded, ...rest } = answer as Record<string, unknown>
      return { ...rest, did_you_mean: found, ...(not_loaded === undefined ? {} : { not_loaded }) }
    },
  }
}

/** Whether a list has no rows. A page without rows may have a cursor: then rows may follow. */
const isEmpty = (route: Route, answer: unknown) =>
  !hasRows(route, answer) && typeof (answer as { next_cursor?: unknown }).next_cursor !== 'string'

/** A try that the API refuses suggests nothing: the request itself was answered. */
function nothingIfRefused(error: unknown): Suggestion[] {
  if (error instanceof HttpError) return []
  throw error
}

const hasRows = ({ list }: Route, answer: unknown) => (answer as Record<string, unknown[]>)[list!.member!]!.length > 0

function triesOf({ input: { shape } }: Route, { ids = [], codes = {} }: Mistaken, input: Input): Try[] {
  const ofIds = ids.flatMap((given) => {
    const value = input[given]
    if (typeof value !== 'string' || (given === 'q' && !/^\d{1,10}$/.test(value))) return []
    const others = ids.filter((other) => other !== 'q' && input[other] === undefined)
    return others.map((parameter) => {
      const says = ` (${meaningOf(shape[parameter] as z.ZodType).split(/[,:;]/, 1)[0]})`
      return { given, parameter, value, isTriedAlone: true, says }
    })
  })
  const ofCodes = Object.entries(codes).flatMap(([parameter, groups]) => {
    const [value, ...more] = [input[parameter]].flat()
    const group = more.length > 0 ? undefined : groups.find((each) => each.includes(value as string))
    const says = ', the code of this form in other years'
    const others = (group ?? []).filter((other) => other !== value)
    return others.map((other) => ({ given: parameter, parameter, value: other, isTriedAlone: false, says }))
  })
  return [...ofIds, ...ofCodes]
}

/** The description of a parameter, which is that of its type without `optional`. */
const meaningOf = (type: z.ZodType): string =>
  type instanceof z.ZodOptional
    ? meaningOf(type.unwrap() as z.ZodType)
    : (z.globalRegistry.get(type)?.description ?? '')

/**
 * Tries a value together with the other parameters of the request, and then without them. Returns a suggestion for the
 * first of these two requests that has rows; empty if neither has any.
 */
async function tried(
  route: Route,
  input: Input,
  { given, parameter, value, isTriedAlone, says }: Try,
  context: Context,
): Promise<Suggestion[]> {
  const kept = Object.entries(input).filter(([name]) => name !== given && !OF_PAGE.includes(name))
  const own = (route.input.shape[parameter] as z.ZodType).parse(value)
  const whole: Input = { ...Object.fromEntries(kept), [parameter]: own }
  const wanted = [{ values: whole, end: '' }]
  if (isTriedAlone && sentOf(route, whole).length > 1) {
    const values = route.input.parse({ [parameter]: value })
    wanted.push({ values, end: ', without the other parameters of this request' })
  }
  for (const { values, end } of wanted) {
    if (!hasRows(route, await route.run({ offset: 0, ...values, limit: 1 }, context))) continue
    const url = `/v1${addressOf(route, Object.fromEntries(sentOf(route, values)))}`
    const text = textOf(own)
    return [{ parameter, value: text, note: `there are rows with ${parameter}=${text}${says}${end}`, url }]
  }
  return []
}

/** The parameters of an address, as text. Parameters with their default value are left out. */
function sentOf({ input: { shape } }: Route, input: Input): [name: string, value: string][] {
  const standard = (name: string) => (shape[name] as z.ZodType).safeParse(undefined).data
  return Object.entries(input).flatMap(([name, value]): [string, string][] => {
    const isLeftOut = value === undefined || OF_PAGE.includes(name) || value === standard(name)
    return isLeftOut ? [] : [[name, textOf(value)]]
  })
}

/** The text of a parsed value. In a list of values, a value with a comma is quoted. */
const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? value.map((each) => (String(each).includes(',') ? `"${each}"` : String(each))).join()
    : String(value)
