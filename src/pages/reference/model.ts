/**
 * The content of the reference, read from the OpenAPI document: groups, operations, parameters. Both the HTML and the
 * Markdown pages are made from this model.
 */
import { constraints, type Field, fieldsOf, type Resolve, type Schema, typeOf } from './fields.ts'
import type { Guide } from './guides.ts'

export interface Parameter {
  name: string
  in: string
  required: boolean
  description: string
  /** The type in words: `integer`, `list of text`. */
  type: string
  choices: readonly string[]
  /** Limits of the value in words: `1 to 50`, `at most 200 characters`. */
  limits: readonly string[]
  default: string | null
  example: string | null
}

export interface Content {
  type: string
  fields: readonly Field[]
  /** The type of the answer: `object`, `list of objects`; null if the document does not state it. */
  shape: string | null
  /** The document's description of the answer, without its fields. */
  description: string
  example: unknown
}

export interface Failure {
  status: string
  meaning: string
}

export interface Operation {
  id: string
  method: string
  /** The path with the base of the API: `/v1/feed`. */
  path: string
  summary: string
  description: string
  deprecated: boolean
  bucket: string | null
  scopes: readonly string[]
  /** Address of the request whose answer is the example. */
  example: string | null
  parameters: readonly Parameter[]
  /** The content types of a successful answer, each with the shape of the answer. */
  contents: readonly Content[]
  /** All answers with a status other than 200, errors included. */
  failures: readonly Failure[]
}

export interface Group {
  name: string
  title: string
  description: string
  operations: readonly Operation[]
}

export interface Reference {
  title: string
  version: string
  description: string
  groups: readonly Group[]
  guides: readonly Guide[]
  /** Pages about the data: the page that lists all families, then one page for each family. */
  data: readonly Guide[]
  /** All operations by their id. */
  operations: ReadonlyMap<string, Operation>
  /** Values of `x-unit`, each with its meaning. */
  units: readonly (readonly [string, string])[]
  /** Values of `x-entity`, each with the kind of thing that it names and the address with more about such a thing. */
  entities: readonly { name: string; meaning: string; link: string | null }[]
  /** Every error that some operation can return. */
  failures: readonly Failure[]
}

interface RawContent {
  schema?: Schema
  example?: unknown
  examples?: Record<string, { value?: unknown }>
}
interface RawParameter extends RawContent {
  name: string
  in: string
  required?: boolean
  description?: string
}
interface RawAnswer {
  description?: string
  content?: Record<string, RawContent>
}
interface RawOperation {
  operationId: string
  summary?: string
  description?: string
  deprecated?: boolean
  tags?: readonly string[]
  'x-bucket'?: string
  'x-scopes'?: readonly string[]
  'x-example'?: string
  'x-parameter-examples'?: Record<string, unknown>
  parameters?: readonly (RawParameter | { $ref: string; description?: string })[]
  responses: Record<string, RawAnswer | { $ref: string }>
}
interface RawTag {
  name: string
  description?: string
  'x-displayName'?: string
}
interface RawDocument {
  info: { title: string; version: string; description?: string }
  servers?: readonly { url: string }[]
  tags?: readonly RawTag[]
  paths: Record<string, Record<string, RawOperation>>
  'x-units'?: Record<string, string>
  'x-entities'?: Record<string, { meaning: string; link: string | null }>
}

/**
 * Reads the document. Missing values are replaced by a simple substitute: a tag without a display name is shown by its
 * name.
 */
export function referenceOf(openapi: object, guides: readonly Guide[] = [], data: readonly Guide[] = []): Reference {
  const document = openapi as RawDocument
  const resolve = resolver(openapi)
  const base = (document.servers?.[0]?.url ?? '').replace(/\/$/, '')
  const failures = new Map<string, string>()
  const byTag = new Map<string, Operation[]>()
  const operations = new Map<string, Operation>()
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, raw] of Object.entries(methods)) {
      const made = operationOf(raw, { method: method.toUpperCase(), path: base + path, resolve })
      operations.set(made.id, made)
      const tag = raw.tags?.[0] ?? 'Other'
      byTag.set(tag, [...(byTag.get(tag) ?? []), made])
      for (const { status, meaning } of made.failures) if (Number(status) >= 400) failures.set(status, meaning)
    }
  }
  const declared = document.tags ?? []
  const undeclared = [...byTag.keys()].filter((name) => !declared.some((tag) => tag.name === name))
  return {
    title: document.info.title,
    version: document.info.version,
    description: document.info.description ?? '',
    groups: [...declared, ...undeclared.map((name): RawTag => ({ name }))]
      .map((tag) => groupOf(tag, byTag.get(tag.name) ?? []))
      .filter((group) => group.operations.length > 0),
    guides,
    data,
    operations,
    units: Object.entries(document['x-units'] ?? {}),
    entities: Object.entries(document['x-entities'] ?? {}).map(([name, { meaning, link }]) => {
      return { name, meaning, link: link === null ? null : base + link }
    }),
    failures: [...failures].map(([status, meaning]) => ({ status, meaning })).sort(byStatus),
  }
}

/**
 * Resolves references such as `#/components/schemas/Error`, but only within this document. A dangling or circular
 * reference counts as an empty schema: one wrong reference must not break all pages.
 */
function resolver(document: object): Resolve {
  const at = (ref: string): unknown => {
    const names = ref.split('/').slice(1)
    const plain = names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    return plain.reduce((found: unknown, name) => (found as Record<string, unknown> | undefined)?.[name], document)
  }
  return (thing) => {
    let found: unknown = thing
    const seen = new Set<unknown>()
    while (typeof found === 'object' && found !== null && '$ref' in found && !seen.has(found)) {
      seen.add(found)
      found = at(String(found.$ref))
    }
    return (typeof found === 'object' && found !== null && !('$ref' in found) ? found : {}) as never
  }
}

const byStatus = (a: Failure, b: Failure) => Number(a.status) - Number(b.status)

/** Makes a group. A description that only repeats the title is left out. */
function groupOf(tag: RawTag, operations: readonly Operation[]): Group {
  const title = tag['x-displayName'] ?? (tag.description && tag.description.length < 60 ? tag.description : tag.name)
  const description = tag.description === undefined || tag.description === title ? '' : tag.description
  return { name: tag.name, title, description, operations }
}

function operationOf(
  raw: RawOperation,
  { method, path, resolve }: { method: string; path: string; resolve: Resolve },
): Operation {
  const answers = Object.entries(raw.responses).map(([status, answer]) => [status, resolve(answer)] as const)
  const success = answers.find(([status]) => status === '200')?.[1]
  return {
    id: raw.operationId,
    method,
    path,
    summary: raw.summary ?? raw.operationId,
    description: raw.description ?? '',
    deprecated: raw.deprecated ?? false,
    bucket: raw['x-bucket'] ?? null,
    scopes: raw['x-scopes'] ?? [],
    example: raw['x-example'] ?? null,
    parameters: (raw.parameters ?? []).map((parameter) => parameterOf(raw, parameter, resolve)),
    contents: Object.entries(success?.content ?? {}).map(([type, content]) => contentOf(type, content, resolve)),
    failures: answers
      .filter(([status]) => status !== '200')
      .map(([status, { description = '' }]) => ({ status, meaning: description }))
      .sort(byStatus),
  }
}

/** A reference may have its own description, and an operation may have its own example for a shared parameter. */
function parameterOf(
  { 'x-parameter-examples': own }: RawOperation,
  given: RawParameter | { $ref: string; description?: string },
  resolve: Resolve,
): Parameter {
  const raw = resolve<RawParameter>(given)
  const schema = raw.schema ? resolve(raw.schema) : {}
  const items = schema.items ? resolve(schema.items) : {}
  const example = own?.[raw.name] ?? exampleOf(raw) ?? schema.examples?.[0]
  return {
    name: raw.name,
    in: raw.in,
    required: raw.required ?? false,
    description: given.description ?? raw.description ?? '',
    type: typeOf(schema, resolve),
    choices: (schema.enum ?? items.enum ?? []).filter((choice) => choice !== null).map(String),
    limits: constraints(schema, resolve),
    default: schema.default === undefined ? null : written(schema.default),
    example: example === undefined ? null : written(example),
  }
}

function contentOf(type: string, content: RawContent, resolve: Resolve): Content {
  const { schema } = content
  return {
    type,
    fields: schema ? fieldsOf(schema, resolve) : [],
    shape: schema ? typeOf(schema, resolve) : null,
    description: schema ? (schema.description ?? resolve(schema).description ?? '') : '',
    example: exampleOf(content) ?? null,
  }
}

function exampleOf({ example, examples }: RawContent): unknown {
  return example ?? Object.values(examples ?? {}).find(({ value }) => value !== undefined)?.value
}

/** Writes a value as in an address. */
const written = (value: unknown): string =>
  Array.isArray(value) ? value.map(String).join(',') : typeof value === 'object' ? JSON.stringify(value) : String(value)
