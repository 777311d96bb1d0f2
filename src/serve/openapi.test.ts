import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import { catalog } from '../declare/catalog.ts'
import { dataset, filings } from '../declare/dataset.ts'
import { xml } from '../declare/documents.ts'
import * as route from '../declare/route.ts'
import { boolean, count, crd, date, json, table, text, texts, usd } from '../declare/table.ts'
import type { Tag } from '../declare/tags.ts'
import registry from '../registry.ts'
import { openapi } from './openapi.ts'

const offering = table('scratch.offering', 'One row per offering', [], {
  name: text('Name of the issuer'),
  total: usd('US dollars').nullable(),
  dealer_crd: crd('CRD number of the dealer').nullable(),
  first_sale: date('Date of first sale').nullable(),
  investors: count('Investors so far').nullable(),
  is_fund: boolean('A fund?'),
  kinds: texts('Kinds of securities'),
  people: json(z.array(z.object({ name: z.string() })), 'Related persons').nullable(),
})

const row = offering.row.meta({ id: 'Offering' })
interface Part {
  name: string
  parts: Part[]
}
const part: z.ZodType<Part> = z
  .object({
    name: z.string(),
    get parts() {
      return z.array(part)
    },
  })
  .meta({ id: 'Part' })

const detail = route.get('/scratch/{accession}', {
  name: 'scratch_detail',
  tag: 'fundraising',
  summary: 'One offering',
  description: 'With its parts.',
  input: { accession: route.accession },
  output: z
    .object({ filing: row.describe('This one'), before: row.nullable(), others: z.array(row), whole: part })
    .meta({ id: 'OfferingDetail' }),
  run: async () => null,
})
const search = route.get('/scratch', {
  name: 'scratch',
  tag: 'fundraising',
  summary: 'Offerings',
  bucket: 'search',
  input: {
    q: route.query('Name of the issuer'),
    limit: route.limit({ max: 50, default: 10 }),
    offset: route.offset(),
    from: route.day('First day').optional(),
    is_fund: route.flag('Funds only').optional(),
    dir: route.choice(['asc', 'desc'], 'Direction').default('desc'),
    states: route.list(z.string().length(2), 'States').optional(),
    filters: z
      .string()
      .transform((tree) => JSON.parse(tree))
      .describe('Tree of conditions, JSON')
      .optional(),
  },
  output: z.array(row),
  run: async () => [],
})
const one = route.get('/scratch/first', {
  name: 'scratch_first',
  tag: 'fundraising',
  summary: 'The first offering',
  scopes: ['brochures'],
  input: {},
  output: row,
  run: async () => null,
})
const document = route.getBytes('/document/{seq}', {
  name: 'document',
  tag: 'filings',
  summary: 'A document as filed',
  input: { seq: route.whole({ min: 1, describe: 'Position' }) },
  statuses: [206, 413, 416],
  run: async () => null,
})

const scratch = dataset({
  slug: 'scratch',
  label: 'Scratch offerings',
  group: 'Tests',
  source: filings({
    forms: ['SCRATCH'],
    documents: { form: xml({ name: 'primary_doc.xml' }) },
    parse: function* () {},
  }),
  tables: { offering },
  family: { table: 'offering', columns: ['name'], facets: ['total'] },
  routes: [detail, search, one],
  parser: new URL(import.meta.url),
})
const served = catalog([scratch], [[document]], [])
// biome-ignore lint/suspicious/noExplicitAny: a document that the tests walk by name
type Tree = Record<string, any>
const make = () => openapi(served, '1.2.3') as Tree
const operation = (path: string) => make().paths[path].get

test('the document is valid OpenAPI 3.1', async () => {
  const { valid, errors } = await new Validator().validate(make())
  assert.ok(valid, JSON.stringify(errors, null, 1))
  assert.equal(make().openapi, '3.1.0')
})

test('every reference resolves', () => {
  const whole = make()
  const references = [...JSON.stringify(whole).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path]) => path!)
  assert.ok(references.length > 20)
  for (const path of references) {
    assert.ok(
      path.split('/').reduce((at, step) => at?.[step], whole),
      path,
    )
  }
})

test('every route is an operation with its bucket, scopes, tag and all of its parameters', () => {
  const { paths } = make()
  assert.deepEqual(new Set(Object.keys(paths)), new Set(served.routes.map(({ path }) => path)))
  for (const declared of served.routes) {
    const { operationId, tags, parameters, ...rest } = paths[declared.path].get
    assert.deepEqual([operationId, tags], [declared.name, [declared.tag]])
    assert.equal(rest['x-bucket'], declared.bucket)
    assert.deepEqual(rest['x-scopes'], declared.scopes)
    assert.deepEqual(
      parameters.map(({ name }: { name: string }) => name),
      Object.keys(declared.input.shape),
    )
    assert.ok(parameters.every(({ description }: { description?: string }) => description))
  }
})

test('parameters are documented with the types to which they are parsed, their bounds and defaults, and as required or optional', () => {
  const byName = Object.fromEntries(operation('/scratch').parameters.map((p: { name: string }) => [p.name, p]))
  assert.deepEqual(byName.limit.schema, { type: 'integer', minimum: 1, maximum: 50, default: 10 })
  assert.deepEqual(byName.offset.schema, { type: 'integer', minimum: 0, maximum: 100_000, default: 0 })
  assert.deepEqual(byName.from.schema, { type: 'string', format: 'date' })
  assert.deepEqual(byName.is_fund.schema, { type: 'boolean' })
  assert.deepEqual(byName.dir.schema, { type: 'string', enum: ['asc', 'desc'], default: 'desc' })
  assert.deepEqual(byName.filters.schema, { type: 'string' })
  assert.deepEqual([byName.states.schema.type, byName.states.style, byName.states.explode], ['array', 'form', true])
  assert.deepEqual([byName.q.required, byName.limit.required, byName.from.required], [true, false, false])
  const [inPath] = operation('/scratch/{accession}').parameters
  assert.deepEqual([inPath.in, inPath.required], ['path', true])
})

test('each named shape is one component that all answers refer to, with the meaning of each column', () => {
  const { Offering, OfferingDetail } = make().components.schemas
  assert.deepEqual(Object.keys(Offering.properties), ['accession', 'filed_date', ...Object.keys(offering.columns)])
  assert.equal(Offering.description, 'One row per offering')
  assert.deepEqual(Offering.properties.investors, {
    title: 'Investors',
    type: ['integer', 'null'],
    description: 'Investors so far',
    'x-unit': 'count',
  })
  assert.deepEqual(Offering.properties.first_sale.type, ['string', 'null'])
  assert.equal(Offering.additionalProperties, undefined)
  const schema = (path: string) => operation(path).responses[200].content['application/json'].schema
  const reference = { $ref: '#/components/schemas/Offering' }
  assert.deepEqual(schema('/scratch'), { type: 'array', items: reference })
  assert.deepEqual(schema('/scratch/first'), reference)
  assert.deepEqual(schema('/scratch/{accession}'), { $ref: '#/components/schemas/OfferingDetail' })
  assert.deepEqual(OfferingDetail.properties, {
    filing: { ...reference, description: 'This one' },
    before: { anyOf: [reference, { type: 'null' }] },
    others: { type: 'array', items: reference },
    whole: { $ref: '#/components/schemas/Part' },
  })
})

test('parameters, answers and errors have the given examples; without given examples the document has none', () => {
  const parameters = { q: 'alpha', limit: '2', is_fund: 'true', states: 'NY,CA', from: '2024-01-01' }
  const examples = {
    routes: { scratch: { address: '/scratch?q=alpha&limit=2', parameters, answer: [{ name: 'ALPHA INC' }] } },
    errors: { 404: { error: 'not found', code: 'not_found' as const } },
  }
  const { paths, components } = openapi(served, '1.2.3', examples) as Tree
  const { parameters: documented, responses } = paths['/scratch'].get
  const exampleOf = (name: string) => documented.find((each: { name: string }) => each.name === name).example
  assert.deepEqual(Object.keys(parameters).map(exampleOf), ['alpha', 2, true, ['NY', 'CA'], '2024-01-01'])
  assert.equal('example' in documented.find((each: { name: string }) => each.name === 'filters'), false)
  assert.deepEqual(responses[200].content['application/json'].example, [{ name: 'ALPHA INC' }])
  assert.equal(paths['/scratch'].get['x-example'], '/v1/scratch?q=alpha&limit=2')
  assert.match(responses[200].description, /`\/v1\/scratch\?q=alpha&limit=2`/)
  const missing = components.responses.NotFound.content
  assert.deepEqual(missing['application/json'].example, { error: 'not found', code: 'not_found' })
  const shared = { error: 'not found', code: 'not_found' }
  const problem = { type: 'about:blank', title: 'Not Found', status: 404, detail: 'not found', ...shared }
  assert.deepEqual(missing['application/problem+json'].example, problem)
  assert.doesNotMatch(JSON.stringify(make()), /"example"/)
})

test('a recursive shape refers to itself by name; without a name it is refused', () => {
  assert.deepEqual(make().components.schemas.Part.properties.parts.items, { $ref: '#/components/schemas/Part' })
  const nameless = z.object({
    get parts() {
      return z.array(nameless)
    },
  })
  assert.throws(() => withOutput(nameless), /recursive shape without a name/)
})

test('refuses two shapes with the same name, in one answer or in two, and a name that is not PascalCase', () => {
  const own = z.object({ a: z.string() }).meta({ id: 'Same' })
  const other = z.object({ b: z.string() }).meta({ id: 'Same' })
  assert.throws(() => withOutput(z.object({ own, other })), /"Same"/)
  assert.throws(() => withOutput(own, other), /"Same"/)
  assert.doesNotThrow(() => withOutput(own, z.array(own)))
  assert.throws(() => withOutput(z.object({ a: z.string() }).meta({ id: 'formd.offering' })), /formd\.offering is not/)
  assert.throws(() => withOutput(z.object({ a: z.string() }).meta({ id: 'Error' })), /Error is the name of/)
})

test('values have a readable title; objects and references have no title', () => {
  const Given = z
    .object({
      sec_file_number: z.string(),
      kind: z.enum(['a', 'b']).nullable(),
      codes: z.array(z.string()),
      literal: z.literal('x').optional(),
      either: z.union([z.string(), z.int()]),
      within: z.object({ zip: z.string() }),
      rows: z.array(row),
      more: z.record(z.string(), z.unknown()),
    })
    .meta({ id: 'Given' })
  const { properties } = withOutput(Given).components.schemas.Given
  const titles = Object.entries<Tree>(properties).map(([name, { title }]) => [name, title])
  assert.deepEqual(Object.fromEntries(titles), {
    sec_file_number: 'SEC file number',
    kind: 'Kind',
    codes: 'Codes',
    literal: 'Literal',
    either: 'Either',
    within: undefined,
    rows: undefined,
    more: undefined,
  })
  assert.equal(properties.within.properties.zip.title, 'ZIP')
})

const withOutput = (...outputs: z.ZodType[]) =>
  openapi(
    catalog([], [outputs.map((output, n) => ({ ...one, output, name: `given_${n}`, path: `/given/${n}` }))], []),
    '1.2.3',
  ) as Tree

test('all lists describe their pages in the same way, and no other answer does', () => {
  const paginate = route.choice(['cursor'], 'By cursor').optional()
  const cursor = z.string().optional().describe('next_cursor of the page before')
  const documentOf = (input: Record<string, z.ZodType>, output: z.ZodType = z.array(row)) => {
    const given = route.get('/given', {
      name: 'given',
      tag: 'filings',
      summary: 'Given',
      input,
      output,
      run: async () => [],
    })
    return (openapi(catalog([], [[given]], []), '1.2.3') as Tree).paths['/given'].get.description
  }
  const byCursor = documentOf({
    limit: route.limit({ max: 50, default: 10 }),
    paginate,
    cursor,
    offset: route.offset(),
  })
  assert.match(byCursor, /^For all rows, follow the header `Link` .* `next_cursor` is the cursor of that next page/)
  assert.doesNotMatch(byCursor, /offset|is whole/)
  const limit = route.limit({ max: 50, default: 10 })
  const offset = route.offset()
  const wish = route.whole({ describe: 'Rows, all without it' }).optional()
  assert.match(
    documentOf({ limit: wish, offset, cursor }),
    /^Without `limit`, the answer has all rows; with `limit`, it has one page of them\. For all rows, follow/,
  )
  assert.match(documentOf({}), /^To download the same rows as a file, use `format=csv`/)
  assert.match(documentOf({ limit }), /^To download the same rows as a file, use `format=csv`/)
  assert.match(
    documentOf({ limit, paginate, cursor }),
    /unchanged\. To download the rows of all pages as a file, use `format=csv`/,
  )
  assert.match(documentOf({ cursor }, row), /leave all other parameters unchanged\.$/)
  assert.equal(documentOf({}, z.array(z.string())), undefined)
})

test('every object in the answers of the service has a name, so that generated clients have a type for each', () => {
  const { paths, components } = openapi(registry, '1.2.3') as Tree
  const nameless: string[] = []
  const walk = (schema: Tree, at: string): void => {
    if (schema.properties && /[.[]/.test(at)) nameless.push(at)
    for (const [name, property] of Object.entries<Tree>(schema.properties ?? {})) walk(property, `${at}.${name}`)
    if (schema.items) walk(schema.items, `${at}[]`)
    for (const choice of schema.anyOf ?? []) walk(choice, at)
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, `${at}{}`)
  }
  for (const [name, schema] of Object.entries<Tree>(components.schemas)) walk(schema, name)
  for (const declared of registry.routes) {
    if (declared.output)
      walk(paths[declared.path].get.responses[200].content['application/json'].schema, `.${declared.name}`)
  }
  assert.ok(Object.keys(components.schemas).length > 150)
  assert.deepEqual(nameless, [])
})

test('every value in the answers of the service has a description, and no title has an unexplained abbreviation', () => {
  const { components } = openapi(registry, '1.2.3') as Tree
  const silent: string[] = []
  const abbreviated: string[] = []
  const walk = (schema: Tree, at: string): void => {
    for (const [name, property] of Object.entries<Tree>(schema.properties ?? {})) {
      if (property.title) {
        if (!property.description) silent.push(`${at}.${name}`)
        if (isShort(property.title)) abbreviated.push(`${at}.${name}: ${property.title}`)
      }
      walk(property, `${at}.${name}`)
    }
    if (schema.items) walk(schema.items, at)
    for (const choice of schema.anyOf ?? []) walk(choice, at)
  }
  for (const [name, schema] of Object.entries<Tree>(components.schemas)) walk(schema, name)
  assert.deepEqual(silent, [])
  assert.deepEqual(abbreviated, [])
})

/**
 * A single letter, a word of small letters without a vowel, or a short form that people usually write in another way.
 */
const isShort = (label: string) =>
  label.length === 1 ||
  label
    .split(/\W+/)
    .map((word) => word.charAt(0).toLowerCase() + word.slice(1))
    .some((word) => /^[b-df-hj-np-tv-xz]{2,}$/.test(word) || SHORT.has(word))
const SHORT = new Set(
  'aum avg cef comp corps cos cusips edgar etf gaap ids keyId ncen nport seq sim uid url'.split(' '),
)

test('every error status has the same shape; a route can add statuses; rate limit headers are documented', () => {
  const common = ['200', '304', '400', '401', '403', '404', '414', '429', '500', '503']
  const json = [...common, '406'].sort()
  assert.deepEqual(Object.keys(operation('/scratch').responses), json)
  assert.deepEqual(Object.keys(operation('/document/{seq}').responses), [...common, '206', '413', '416'].sort())
  for (const [name, response] of Object.entries<Tree>(make().components.responses)) {
    assert.deepEqual(response.content['application/json'].schema, { $ref: '#/components/schemas/Error' }, name)
    assert.ok(response.description)
  }
  assert.ok(operation('/scratch').responses[200].headers['RateLimit-Remaining'])
  assert.ok(make().components.responses.TooManyRequests.headers['Retry-After'])
})

test('groups have the order of tags.ts, and within a group routes that need no identifier come first', () => {
  const { tags, paths } = make()
  assert.deepEqual(
    tags.map(({ name }: { name: string }) => name),
    ['filings', 'fundraising'],
  )
  assert.equal(tags[1]['x-displayName'], 'Fundraising')
  assert.match(tags[1].description, /Regulation A/)
  const [first, ...others] = Object.keys(paths)
  assert.equal(first, '/document/{seq}')
  assert.deepEqual(others, ['/scratch', '/scratch/first', '/scratch/{accession}'])
})

test('the route of a thing precedes the routes of its parts, regardless of the order of declaration', () => {
  const below = (name: string) =>
    route.get(`/scratch/{accession}/${name}`, {
      ...{ name, tag: 'fundraising', summary: name, input: { accession: route.accession }, output: row },
      run: async () => null,
    })
  const declared = [below('owners'), below('prices'), one, detail, search]
  const { paths } = openapi(catalog([], [declared], []), '1.2.3') as Tree
  assert.deepEqual(Object.keys(paths), [
    '/scratch',
    '/scratch/first',
    '/scratch/{accession}',
    '/scratch/{accession}/owners',
    '/scratch/{accession}/prices',
  ])
})

test('refuses a route of a group that does not exist, and names the path of the route', () => {
  const strange = { ...one, tag: 'strange' as Tag }
  assert.throws(() => openapi(catalog([], [[strange]], []), '1.2.3'), /\/scratch\/first is in the group strange/)
})

test('keys are accepted as bearer token and as header', () => {
  const { components, security, servers } = make()
  assert.deepEqual(security, [{ bearer: [] }, { header: [] }])
  assert.deepEqual(Object.keys(components.securitySchemes), ['bearer', 'header'])
  assert.deepEqual(servers, [{ url: '/v1' }])
})

test('the same catalog gives the same text, and making the document changes no schema', () => {
  assert.equal(JSON.stringify(make()), JSON.stringify(make()))
  assert.equal(z.globalRegistry.get(offering.row)?.id, undefined)
})
