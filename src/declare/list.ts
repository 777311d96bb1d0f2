/** Parameters with several values: `a,b`, `"a, b",c`, and a parameter given more than once. */
import { z } from 'zod'

const LENGTH_MAX = 2000
/** Maximum number of values of a parameter. */
export const VALUES_MAX = 100

/** Types that `list` made, each with the type of its values. In an address only these parameters may be repeated. */
const lists = new WeakMap<z.ZodType, z.ZodType<string, string>>()

interface ListOptions {
  /** Minimum number of values; 1 by default. */
  min?: 0 | 1
  /**
   * Values may contain commas (`Stone, clay, glass and concrete products`): text without quotes is also taken as one
   * value, in addition to its parts.
   */
  commas?: boolean
}

/**
 * Comma-separated values, each parsed by `of`. Blanks around values and empty values are dropped. A value with a comma
 * needs double quotes; a quote within it is written twice. The parameter may also be repeated. `run` gets an array.
 */
export function list<T extends z.ZodType<string, string>>(
  of: T,
  describe: string,
  { min = 1, commas = false }: ListOptions = {},
) {
  const occurrence = z.string().max(LENGTH_MAX)
  const type = z
    .union([occurrence, z.array(occurrence)], { error: `must have at most ${LENGTH_MAX} characters` })
    .transform((given, context) => {
      const found = [given].flat().map((text) => valuesIn(text, commas))
      if (!found.includes(null)) return found.flatMap((values) => values ?? [])
      const message = 'a double quote is not closed, or there is text next to a quoted value'
      context.addIssue({ code: 'custom', message, input: given })
      return z.NEVER
    })
    .pipe(z.array(of).min(min).max(VALUES_MAX))
    .describe(
      `${describe}; for several values, separate them by commas or repeat the parameter; quote a value that contains a comma ("a, b")`,
    )
  lists.set(type, of)
  return type
}

/** Whether a parameter was made by `list`, even if it was then made optional, given a default or transformed. */
export const isList = (type: z.ZodType): boolean => valueTypeOf(type) !== null

/** The type of each value of a parameter that `list` made; null for other parameters. */
export function valueTypeOf(type: z.ZodType): z.ZodType<string, string> | null {
  const own = lists.get(type)
  if (own) return own
  if (type instanceof z.ZodOptional || type instanceof z.ZodDefault) return valueTypeOf(type.unwrap() as z.ZodType)
  return type instanceof z.ZodPipe ? valueTypeOf(type.in as z.ZodType) : null
}

/** Matches one value and its end: quoted, or up to the next comma. */
const VALUE = /\s*(?:"((?:[^"]|"")*)"\s*|((?!")[^,]*))(,|$)/y

/** Null if a quoted value has no closing quote, or if other text comes directly before or after a quoted value. */
function valuesIn(text: string, commas: boolean): string[] | null {
  const values: string[] = []
  let isQuoted = false
  VALUE.lastIndex = 0
  for (;;) {
    const match = VALUE.exec(text)
    if (!match) return null
    const [, quoted, plain, end] = match
    const value = (quoted?.replaceAll('""', '"') ?? plain ?? '').trim()
    if (value !== '') values.push(value)
    isQuoted ||= quoted !== undefined
    if (end === '') break
  }
  return commas && !isQuoted && values.length > 1 ? [...values, text.trim()] : values
}
