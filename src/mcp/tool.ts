/** A tool, and the checks of its arguments. */
import type { JSONObject } from '@modelcontextprotocol/server'
import { didYouMean, meantBy } from '../misspelt.ts'
import type { Schema } from '../serve/openapi/schemas.ts'
import { type Api, CallError } from './api.ts'
import { BYTES_DEFAULT, BYTES_MAX, BYTES_MIN } from './render/budget.ts'
import { beginning } from './render/plain.ts'

export type Args = Readonly<Record<string, unknown>>

export interface Call {
  api: Api
  signal: AbortSignal
}

export interface Tool {
  name: string
  title: string
  description: string
  /** JSON Schemas by the name of the argument. */
  parameters: Readonly<Record<string, Schema>>
  required: readonly string[]
  /**
   * Other words for the values of an argument: `8-K` for `eightk_events`. Words that look like the value need no entry.
   */
  meanings?: Readonly<Record<string, Meaning>>
  /** @throws CallError, ApiFailure */
  run(args: Args, call: Call): Promise<string | AnswerText>
}

/** The text of an answer, with its JSON, which is made once: making the JSON of 3 KB takes 10 µs. */
export class AnswerText {
  readonly text: string
  #json: string | undefined

  constructor(text: string) {
    this.text = text
  }

  get json(): string {
    this.#json ??= JSON.stringify(this.text)
    return this.#json
  }
}

/** The argument of every tool that answers with data. */
export const maxBytes: Schema = {
  type: 'integer',
  minimum: BYTES_MIN,
  maximum: BYTES_MAX,
  description: `Maximum size of the answer in bytes (default ${BYTES_DEFAULT})`,
}

export const include: Schema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Show only these members, without shortening them',
}

/** The tool as clients see it. */
export const listed = ({ name, title, description, parameters, required }: Tool) => ({
  name,
  title,
  description,
  inputSchema: {
    type: 'object' as const,
    // This type is correct, since a JSON Schema is always JSON.
    properties: parameters as Record<string, JSONObject>,
    ...(required.length > 0 ? { required: [...required] } : {}),
    additionalProperties: false,
  },
  annotations: { title, readOnlyHint: true, openWorldHint: false },
})

/**
 * Checks arguments. Accepts numbers that are given as text, and text that is given as a number, since models mix these
 * up. The route checks the values themselves.
 *
 * @throws CallError that names the argument and says how to correct it
 */
export function checked(tool: Tool, given: unknown): Args {
  if (given === undefined || given === null) return checked(tool, {})
  if (typeof given !== 'object' || Array.isArray(given))
    throw new CallError(`arguments must be an object${takes(tool)}`)
  const args: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(tool.parameters, name)) {
      const meant = didYouMean(name, Object.keys(tool.parameters))
      throw new CallError(
        `${JSON.stringify(name.slice(0, 60))}: unknown argument${meant}${takes(tool)}${elsewhere(tool)}`,
      )
    }
    // Models send null for arguments that they leave out.
    if (value !== null) args[name] = argumentOf(name, value, tool.parameters[name]!, tool.meanings?.[name])
  }
  const missing = tool.required.find((name) => args[name] === undefined)
  if (missing !== undefined) {
    const { enum: words } = tool.parameters[missing] as Schema
    const among = Array.isArray(words) ? `, one of ${words.join(', ')}` : ''
    throw new CallError(`${missing}: is required${among}${takes(tool)}`)
  }
  return args
}

const takes = ({ name, parameters, required }: Tool) =>
  `. Call ${name}(${Object.keys(parameters)
    .map((each) => (required.includes(each) ? each : `${each}?`))
    .join(', ')})`

/** If the tool passes parameters on to a path, explains that these parameters belong in `query`. */
const elsewhere = ({ parameters }: Tool) =>
  Object.hasOwn(parameters, 'query') ? '. Parameters of the path go into query: query={"name": "value"}' : ''

type Meaning = (word: string) => readonly string[]

function argumentOf(name: string, value: unknown, schema: Schema, meaning?: Meaning): unknown {
  const { type, items, minimum, maximum } = schema as {
    type?: string
    items?: Schema
    minimum?: number
    maximum?: number
  }
  const refused = (what: string) =>
    new CallError(`${name}: must be ${what}, not ${beginning(JSON.stringify(value) ?? '', 60)}`)
  switch (type) {
    case 'integer': {
      const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : value
      const [least, most] = [minimum ?? 0, maximum ?? Number.MAX_SAFE_INTEGER]
      const range = `a whole number from ${least}${maximum === undefined ? '' : ` to ${most}`}`
      if (typeof number !== 'number' || !Number.isSafeInteger(number)) throw refused(range)
      if (number < least || number > most) throw refused(range)
      return number
    }
    case 'boolean':
      if (typeof value === 'boolean') return value
      if (value === 'true' || value === 'false') return value === 'true'
      throw refused('true or false')
    case 'array': {
      return valuesOf(value).map((each) => argumentOf(name, each, items ?? {}, meaning))
    }
    case 'object':
      if (typeof value === 'object' && !Array.isArray(value)) return value
      throw refused('an object')
    default:
      return wordOf(name, value, schema, meaning)
  }
}

/** Returns the values of a list. Addresses separate values by commas, so agents do so too. */
function valuesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  return typeof value === 'string' && !value.includes('"') ? value.split(',').map((each) => each.trim()) : [value]
}

function wordOf(name: string, value: unknown, { enum: words }: Schema, meaning?: Meaning): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw new CallError(`${name}: must be text, not ${beginning(JSON.stringify(value) ?? '', 60)}`)
  }
  const text = String(value)
  if (!Array.isArray(words) || words.includes(text)) return text
  const known = words.filter((word): word is string => typeof word === 'string')
  const byMeaning = meaning?.(text).filter((word) => known.includes(word)) ?? []
  const meant = byMeaning.length > 0 ? byMeaning : meantBy(text, known)
  const proposed = meant.length > 0 ? `; did you mean ${meant.join(' or ')}?` : ''
  throw new CallError(`${name}: ${JSON.stringify(text.slice(0, 60))} is not one of ${known.join(', ')}${proposed}`)
}

/** Arguments as the values of a request: each is a text, or a list of texts. */
export function asValues(args: Args): Record<string, string | readonly string[]> {
  const entries = Object.entries(args).map(([name, value]) => {
    if (Array.isArray(value)) return [name, value.map(textOf)] as const
    return [name, textOf(value)] as const
  })
  return Object.fromEntries(entries)
}

const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value)
