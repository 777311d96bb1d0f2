/** JSON Schemas of the inputs and answers of routes. Shapes that a slice names with `meta({ id })` are components. */
import { z } from 'zod'
import type { Route } from '../../declare/route.ts'
import { columnType, labelOf } from '../../declare/table.ts'

export type Schema = Record<string, unknown>

export interface Schemas {
  /** Named schemas by name, in alphabetical order. */
  readonly components: Readonly<Record<string, Schema>>
  /**
   * The schema of an answer: a reference if the schema has a name. If the answer is a list of objects whose schema has
   * a name, the items of the list are a reference.
   */
  of(route: Route): Schema
}

/** A name in PascalCase, from which type generators make a readable name. */
const NAME = /^[A-Z][A-Za-z0-9]*$/

/**
 * Makes the schemas of the answers of all routes. A named schema is written once, and answers refer to it.
 *
 * @param taken names that no answer may have
 * @throws Error if a name is not PascalCase, if two schemas have the same name, or if a recursive shape has no name
 */
export function schemasOf(routes: readonly Route[], taken: readonly string[]): Schemas {
  const outputs = routes.flatMap(({ name, output }) => (output === null ? [] : [[name, output] as const]))
  // All schemas are made together, so that Zod detects two schemas with the same name.
  const whole = z.toJSONSchema(z.object(Object.fromEntries(outputs)), OPTIONS) as {
    properties: Record<string, Schema>
    $defs?: Record<string, Schema>
  }
  const components = Object.entries(whole.$defs ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name] of components) {
    if (name.startsWith('__'))
      throw new Error('an answer has a recursive shape without a name: name it with meta({ id })')
    if (taken.includes(name)) throw new Error(`${name} is the name of a schema that every document has`)
    if (!NAME.test(name)) throw new Error(`the schema ${name} is not named in PascalCase`)
  }
  return {
    components: Object.fromEntries(components.map(([name, schema]) => [name, labelled(referring(schema))])),
    of: ({ name }) => referring(whole.properties[name]!),
  }
}

/**
 * The schema of a parameter is the schema of its parsed value, since the schema of the parsed value describes valid
 * values better than the schema of the raw text.
 */
export const schemaOf = (type: z.ZodType): Schema => plain(z.toJSONSchema(type, OPTIONS) as Schema)

/** Makes references point into the document instead of into the schema itself. */
function referring(schema: Schema): Schema {
  const text = JSON.stringify(plain(schema)).replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/')
  return JSON.parse(text) as Schema
}

/**
 * Adds a display name to each value in the schema of an object. Members that are objects get no display name, because
 * they are not values.
 */
function labelled(schema: Schema): Schema {
  if (schema.properties === undefined) return schema
  const properties = Object.entries(schema.properties as Record<string, Schema>).map(([name, property]) => [
    name,
    isValue(property) ? { title: labelOf(name), ...property } : labelled(property),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

/** Whether values of a type fit into a cell: text, numbers, booleans, or lists of these. */
function isValue(schema: Schema): boolean {
  const { type, items, anyOf } = schema as { type?: string | string[]; items?: Schema; anyOf?: Schema[] }
  if (anyOf) return anyOf.every(isValue)
  const [first, ...more] = [type ?? (schema.const === undefined ? 'object' : 'const')].flat()
  return first === 'array' ? items !== undefined && isValue(items) : first !== 'object' && !more.includes('object')
}

const OPTIONS = {
  target: 'draft-2020-12',
  io: 'output',
  unrepresentable: 'any',
  override({ zodSchema, jsonSchema }) {
    const { unit, entity, label, values } = columnType(zodSchema as unknown as z.ZodType) ?? {}
    if (label) jsonSchema.title = label
    if (values && jsonSchema.type === 'string') jsonSchema.enum = [...values]
    if (values && jsonSchema.type === 'array') jsonSchema.items = { type: 'string', enum: [...values] }
    if (unit) jsonSchema['x-unit'] = unit
    if (entity) jsonSchema['x-entity'] = entity
    // The schema of a record with known names requires all of these names. Generators would treat them as undeclared
    // properties, so `required` is removed.
    if (jsonSchema.propertyNames && jsonSchema.properties === undefined) delete jsonSchema.required
    // Answers may gain members without a new version of the interface, so schemas must not exclude further members.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    // Zod's pattern for a date has 200 characters because of leap years. It is removed, since the format `date` means
    // the same.
    if (jsonSchema.format?.startsWith('date')) delete jsonSchema.pattern
    const [only, nothing] = jsonSchema.anyOf ?? []
    if (nothing?.type === 'null' && typeof only?.type === 'string' && jsonSchema.anyOf?.length === 2) {
      delete jsonSchema.anyOf
      const words = only.enum === undefined ? {} : { enum: [...only.enum, null] }
      Object.assign(jsonSchema, { ...only, ...jsonSchema, type: [only.type, 'null'], ...words })
    }
  },
} as const satisfies z.core.ToJSONSchemaParams

/** Removes the members that only a standalone schema needs. */
function plain({ $schema: _dialect, $id: _id, id: _name, $defs: _defs, ...schema }: Schema): Schema {
  return schema
}
