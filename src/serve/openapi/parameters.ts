/**
 * Writes the parameters of operations. If several operations share a parameter, it is written only once, in
 * `components.parameters`.
 */
import type { z } from 'zod'
import type { Route } from '../../declare/route.ts'
import type { RouteExample } from '../examples.ts'
import { type Schema, schemaOf } from './schemas.ts'

export interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  style?: 'form'
  explode?: boolean
  schema: Schema
  example?: unknown
}

/** A parameter with at least this many occurrences becomes a component. */
const SHARED_MIN = 3

const LAST_EVENT_ID: Parameter = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'For a stream: number of the last event that the client has; it overrides `after`',
  schema: { type: 'integer', minimum: 0 },
  example: 1024,
}

export const parametersOf = (route: Route, example: RouteExample | undefined): Parameter[] => [
  ...Object.entries(route.input.shape).map(([name, type]) =>
    parameterOf(route, name, type as z.ZodType, example?.parameters[name]),
  ),
  ...(route.stream ? [LAST_EVENT_ID] : []),
]

function parameterOf(route: Route, name: string, type: z.ZodType, example: string | undefined): Parameter {
  const inPath = route.path.includes(`{${name}}`)
  const { description, ...schema } = schemaOf(type)
  return {
    name,
    in: inPath ? 'path' : 'query',
    required: inPath || !type.safeParse(undefined).success,
    ...(description === undefined ? {} : { description: description as string }),
    // In generated clients the parameter is repeated for each value, so that values with commas need no quotes.
    ...(schema.type === 'array' ? { style: 'form', explode: true } : {}),
    schema: Object.keys(schema).length === 0 ? { type: 'string' } : schema,
    // The example of a text parameter stays as a user types it, such as `200403` for a CIK. Any other example is the
    // parsed value.
    ...(example === undefined ? {} : { example: isText(schema) ? example : type.parse(example) }),
  }
}

const isText = ({ type }: { type?: unknown }) => type === undefined || type === 'string'

export interface SharedParameters {
  components: Readonly<Record<string, object>>
  /** The parameters of an operation: components as references, and all other parameters in full. */
  of(operationId: string): object[]
  /** An operation's own examples for parameters that it shares with others, by name. */
  examplesOf(operationId: string): Readonly<Record<string, unknown>>
}

interface Occurrence {
  operationId: string
  parameter: Parameter
}

/**
 * Operations share a parameter if its name, location, schema and `required` are the same. A reference keeps the
 * operation's own description, which OpenAPI 3.1 allows. The component has the example of the first operation that has
 * one, since many tools read only `example`. Examples of other operations are in the member `x-parameter-examples` of
 * these operations.
 */
export function shared(operations: ReadonlyMap<string, readonly Parameter[]>): SharedParameters {
  const occurrences = new Map<string, Occurrence[]>()
  for (const [operationId, parameters] of operations) {
    for (const parameter of parameters) {
      const key = keyOf(parameter)
      occurrences.set(key, [...(occurrences.get(key) ?? []), { operationId, parameter }])
    }
  }
  const components: Record<string, Parameter> = {}
  const names = new Map<string, string>()
  for (const [key, all] of occurrences) {
    if (all.length < SHARED_MIN) continue
    const name = nameOf(all[0]!.parameter, components)
    components[name] = componentOf(all)
    names.set(key, name)
  }
  return {
    components: Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))),
    of: (operationId) =>
      operations.get(operationId)!.map((parameter) => {
        const name = names.get(keyOf(parameter))
        if (name === undefined) return parameter
        const { description } = parameter
        const own = description === components[name]!.description ? {} : { description }
        return { $ref: `#/components/parameters/${name}`, ...own }
      }),
    examplesOf: (operationId) =>
      Object.fromEntries(
        operations.get(operationId)!.flatMap((parameter) => {
          const name = names.get(keyOf(parameter))
          if (name === undefined || parameter.example === undefined) return []
          const isSame = JSON.stringify(parameter.example) === JSON.stringify(components[name]!.example)
          return isSame ? [] : [[parameter.name, parameter.example]]
        }),
      ),
  }
}

const keyOf = ({ name, in: place, required, schema }: Parameter) => JSON.stringify([name, place, required, schema])

/**
 * Returns `cik` for a parameter of the query, `path_cik` for a parameter of the path, `limit_200` for a parameter with
 * a maximum.
 */
function nameOf({ name, in: place, schema }: Parameter, taken: Readonly<Record<string, unknown>>): string {
  const plain = place === 'query' ? name : `${place}_${name}`
  const base = typeof schema.maximum === 'number' ? `${plain}_${schema.maximum}` : plain
  for (let n = 2, found = base; ; found = `${base}_${n++}`) if (!(found in taken)) return found
}

/**
 * Makes the component of a shared parameter. It has the most frequent description of the parameter; if several
 * descriptions are equally frequent, it has the first of these.
 */
function componentOf(all: readonly Occurrence[]): Parameter {
  const { example: _, description: __, ...rest } = all[0]!.parameter
  const counts = Map.groupBy(all, ({ parameter }) => parameter.description)
  const [description] = [...counts].sort(([, a], [, b]) => b.length - a.length)[0]!
  const given = all.find(({ parameter }) => parameter.example !== undefined)
  const example = given && { example: given.parameter.example }
  return { ...rest, ...(description === undefined ? {} : { description }), ...example }
}
