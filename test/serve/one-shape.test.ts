/** Member names in answers: each has one JSON type everywhere, and evidence has one shape. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import registry from '../../src/registry.ts'
import { openapi } from '../../src/serve/openapi.ts'

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  const?: unknown
}
interface Document {
  paths: Record<string, { get?: { responses: Record<string, { content?: Record<string, { schema?: Schema }> }> } }>
  components: { schemas: Record<string, Schema> }
}

const { paths, components } = openapi(registry, '1.2.3') as Document

/**
 * Names to which the contract itself gives several JSON types, in these sections: cik in 2.13 and 2.15, filings in 2.24
 * and 2.25, funds_by_type in 2.3, sections in 2.3 and 2.25, total_value in 2.13.
 */
const OF_CONTRACT = ['cik', 'filings', 'funds_by_type', 'sections', 'total_value']

const EVIDENCE = ['sequence', 'offset', 'length', 'sentence']

const named = ({ $ref }: Schema): Schema | undefined =>
  $ref === undefined ? undefined : components.schemas[$ref.split('/').at(-1)!]

/** Yields a schema, the schema that it refers to, and its alternatives. */
function* options(schema: Schema): Generator<Schema> {
  const own = named(schema) ?? schema
  yield own
  for (const each of [...(own.anyOf ?? []), ...(own.oneOf ?? []), ...(own.allOf ?? [])]) yield* options(each)
}

function kindsOf(schema: Schema): string[] {
  const types = [...options(schema)].flatMap(({ type, properties, enum: values, const: value }) => {
    if (type !== undefined) return type
    if (properties) return 'object'
    if (values) return values.map((each) => (each === null ? 'null' : typeof each))
    return value === undefined ? [] : typeof value
  })
  return types.filter((type) => type !== 'null').map((type) => (type === 'integer' ? 'number' : type))
}

/** Visits each object of all answers once, with the name of its component or its path. */
function* objects(): Generator<[place: string, members: Record<string, Schema>]> {
  const seen = new Set<Schema>()
  const left: [string, Schema][] = Object.entries(paths).flatMap(([path, { get }]) => {
    const schema = get?.responses['200']?.content?.['application/json']?.schema
    return schema ? [[path, schema] as [string, Schema]] : []
  })
  for (let next = left.pop(); next; next = left.pop()) {
    const place = next[1].$ref?.split('/').at(-1) ?? next[0]
    for (const schema of options(next[1])) {
      if (seen.has(schema)) continue
      seen.add(schema)
      if (schema.properties) yield [place, schema.properties]
      for (const [name, member] of Object.entries(schema.properties ?? {})) left.push([`${place}.${name}`, member])
      if (schema.items) left.push([`${place}[]`, schema.items])
      if (typeof schema.additionalProperties === 'object') left.push([`${place}{}`, schema.additionalProperties])
    }
  }
}

test('a member name has one JSON type in all answers, unless the contract gives it several', () => {
  const kinds = new Map<string, Map<string, string>>()
  for (const [place, members] of objects()) {
    for (const [name, member] of Object.entries(members)) {
      const known = kinds.get(name) ?? new Map<string, string>()
      for (const kind of kindsOf(member)) if (!known.has(kind)) known.set(kind, place)
      kinds.set(name, known)
    }
  }
  assert.ok(kinds.size > 1000, String(kinds.size))
  const several = [...kinds].filter(([, known]) => known.size > 1)
  const places = JSON.stringify(several.map(([name, known]) => [name, [...known]]))
  assert.deepEqual(several.map(([name]) => name).sort(), OF_CONTRACT, places)
})

test('evidence has exactly the document, the offset, the length and the sentence', () => {
  const places: string[] = []
  for (const [place, members] of objects()) {
    const names = Object.keys(members)
    if (names.includes('sentence') && names.some((name) => ['sequence', 'start', 'stop', 'offset'].includes(name))) {
      assert.deepEqual(names, EVIDENCE, place)
      places.push(place)
    }
    if (members.evidence) assert.deepEqual([...new Set(kindsOf(members.evidence))], ['object'], `${place}.evidence`)
  }
  assert.deepEqual(places.sort(), ['Evidence', 'FundFeeEvidence'])
})
