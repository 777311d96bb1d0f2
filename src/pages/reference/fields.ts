/** Converts JSON Schema to the fields of an answer, as a tree that is finite even if a schema contains itself. */
/** Resolves a `$ref`, or returns the thing itself. */
export type Resolve = <T extends object>(thing: T | { $ref: string }) => T

/** The part of JSON Schema 2020-12 that the document uses. */
export interface Schema {
  $ref?: string
  type?: string | readonly string[]
  title?: string
  description?: string
  format?: string
  pattern?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  properties?: Record<string, Schema>
  required?: readonly string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  not?: Schema
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  'x-unit'?: string
  'x-entity'?: string
}

export interface Field {
  name: string
  /** The type in words: `text`, `list of objects`. */
  type: string
  nullable: boolean
  /** Whether some answers lack the field. */
  optional: boolean
  description: string
  unit: string | null
  /** The kind of thing that the value names: `cik`. */
  entity: string | null
  choices: readonly string[]
  /** Name of the schema whose members are in `fields`. */
  schema: string | null
  fields: readonly Field[]
  /** Whether the field has the same members as an object that contains it; these members are not repeated. */
  recursive: boolean
}

/** The name that is shown for the members of an object that maps arbitrary keys to values. */
const ANY_NAME = '…'

const nameOf = (schema: Schema) => schema.$ref?.split('/').at(-1) ?? null

/** Returns the members of an answer; if the answer is a list, returns the members of its rows. */
export function fieldsOf(schema: Schema, resolve: Resolve): Field[] {
  return membersOf(schema, resolve, new Set())
}

function membersOf(schema: Schema, resolve: Resolve, within: ReadonlySet<Schema>): Field[] {
  const own = resolve(schema)
  if (within.has(own)) return []
  const deeper = new Set(within).add(own)
  const required = new Set(own.required)
  const fields = Object.entries(own.properties ?? {}).map(([name, member]) =>
    fieldOf(name, member, { resolve, within: deeper, optional: !required.has(name) }),
  )
  const { additionalProperties: values } = own
  if (typeof values === 'object' && Object.keys(values).length > 0) {
    fields.push(fieldOf(ANY_NAME, values, { resolve, within: deeper, optional: true }))
  }
  const others = [...variantsOf(own, resolve), ...(own.allOf ?? []), ...(own.items ? [own.items] : [])]
  for (const other of others) {
    for (const field of membersOf(other, resolve, deeper)) {
      if (!fields.some(({ name }) => name === field.name)) fields.push(field)
    }
  }
  return fields
}

function fieldOf(
  name: string,
  schema: Schema,
  { resolve, within, optional }: { resolve: Resolve; within: ReadonlySet<Schema>; optional: boolean },
): Field {
  const own = resolve(schema)
  const [only, ...more] = variantsOf(own, resolve)
  const merged = only && more.length === 0 ? { ...resolve(only), ...own } : own
  const items = merged.items ? resolve(merged.items) : {}
  const members = [own, ...more, ...(only ? [only] : []), ...(merged.items ? [merged.items] : [])]
  return {
    name,
    type: typeOf(schema, resolve),
    nullable: isNullable(own, resolve),
    optional,
    description: schema.description ?? own.description ?? merged.description ?? '',
    unit: merged['x-unit'] ?? items['x-unit'] ?? null,
    entity: merged['x-entity'] ?? items['x-entity'] ?? null,
    choices: (merged.enum ?? items.enum ?? []).filter((choice) => choice !== null).map(String),
    schema: nameOf(schema) ?? (merged.items && nameOf(merged.items)) ?? (only && nameOf(only)) ?? null,
    fields: membersOf(schema, resolve, within),
    recursive: members.some((each) => within.has(resolve(each))),
  }
}

/** The types of a value except null, if a schema gives a choice. */
const variantsOf = ({ anyOf, oneOf }: Schema, resolve: Resolve): Schema[] =>
  (anyOf ?? oneOf ?? []).filter((each) => resolve(each).type !== 'null')

const typesOf = ({ type }: Schema): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type

function isNullable(schema: Schema, resolve: Resolve): boolean {
  if (typesOf(schema).includes('null') || schema.enum?.includes(null)) return true
  return (schema.anyOf ?? schema.oneOf ?? []).some((each) => isNullable(resolve(each), resolve))
}

const FORMATS: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'moment',
  uri: 'address',
  binary: 'bytes',
}
const WORDS: Readonly<Record<string, string>> = { string: 'text', boolean: 'true or false' }
/** The pattern of amounts that are too large for a JSON number. */
const DECIMAL = /^\^-\?\\d\+/

/** A type in words, without null: `text`, `date`, `list of integers`, `object`. */
export function typeOf(schema: Schema, resolve: Resolve): string {
  const own = resolve(schema)
  const variants = variantsOf(own, resolve)
  if (variants.length > 0) return [...new Set(variants.map((each) => typeOf(each, resolve)))].join(' or ')
  if (own.allOf?.[0] && own.type === undefined) return typeOf(own.allOf[0], resolve)
  const types = typesOf(own).filter((type) => type !== 'null')
  if (types.length === 0) return own.enum || own.const !== undefined ? 'text' : own.properties ? 'object' : 'any'
  return types.map((type) => word(type, own, resolve)).join(' or ')
}

function word(type: string, own: Schema, resolve: Resolve): string {
  if (type === 'array') {
    if (!own.items || resolve(own.items).not) return 'list'
    const of = typeOf(own.items, resolve)
    return `list of ${/^(object|integer|number|date|moment|decimal)$/.test(of) ? `${of}s` : of}`
  }
  if (type === 'string' && own.format && FORMATS[own.format]) return FORMATS[own.format]!
  if (type === 'string' && own.pattern && DECIMAL.test(own.pattern)) return 'decimal'
  if (type === 'object' && typeof own.additionalProperties === 'object') return 'object by key'
  return WORDS[type] ?? type
}

/** Further constraints on a value, in words. */
export function constraints(schema: Schema, resolve: Resolve): string[] {
  const own = resolve(schema)
  const { minimum, maximum, minLength, maxLength, minItems = 0, maxItems } = own
  const found: string[] = []
  if (minimum !== undefined && maximum !== undefined) found.push(`${minimum} to ${maximum}`)
  else if (minimum !== undefined) found.push(`at least ${minimum}`)
  else if (maximum !== undefined) found.push(`at most ${maximum}`)
  if ((minLength ?? 0) > 1) found.push(`at least ${minLength} characters`)
  if (maxLength !== undefined) found.push(`at most ${maxLength} characters`)
  if (minItems > 1) found.push(`at least ${minItems} values`)
  if (maxItems !== undefined) found.push(`at most ${maxItems} values`)
  return own.items ? [...found, ...constraints(own.items, resolve)] : found
}
