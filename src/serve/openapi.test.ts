import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { z } from 'zod'
import { catalog } from '../declare/catalog.ts'
import { dataset, filings } from '../declare/dataset.ts'
import * as route from '../declare/route.ts'
import { boolean, count, crd, date, json, table, text, texts, usd } from '../declare/table.ts'
import { openapi } from './openapi.ts'

const offering = table('scratch.offering', 'One row an offering', [], {
  name: text('Name of the issuer'),
  total: usd('US dollars').nullable(),
  dealer_crd: crd('CRD number of the dealer').nullable(),
  first_sale: date('Date of first sale').nullable(),
  investors: count('Investors so far').nullable(),
  is_fund: boolean('A fund?'),
  kinds: texts('Kinds of securities'),
  people: json(z.array(z.object({ name: z.string() })), 'Related persons').nullable(),
})

const detail = route.get('/scratch/{accession}', {
  name: 'scratch_detail',
  tag: 'scratch',
  summary: 'One offering',
  description: 'With its parts.',
  input: { accession: route.accession },
  output: z.object({ filing: offering.row, before: offering.row.nullable(), others: z.array(offering.row) }),
  run: async () => null,
})
const search = route.get('/scratch', {
  name: 'scratch',
  tag: 'scratch',
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
  output: z.array(offering.row),
  run: async () => [],
})
const one = route.get('/scratch/first', {
  name: 'scratch_first',
  tag: 'scratch',
  summary: 'The first offering',
  scopes: ['brochures'],
  input: {},
  output: offering.row,
  run: async () => null,
})
const document = route.getBytes('/document/{seq}', {
  name: 'document',
  tag: 'document',
  summary: 'A document as filed',
  input: { seq: route.whole({ min: 1, describe: 'Position' }) },
  statuses: [206, 413, 416],
  run: async () => null,
})

const scratch = dataset({
  slug: 'scratch',
  label: 'Scratch offerings',
  group: 'Tests',
  source: filings({ forms: ['SCRATCH'], document: 'primary_doc.xml' }),
  tables: { offering },
  parse: function* () {},
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

test('every reference leads somewhere', () => {
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
  assert.deepEqual(
    Object.keys(paths),
    served.routes.map(({ path }) => path),
  )
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

test('parameters are documented as what they are parsed to, with bounds, defaults and need', () => {
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

test('a row of a table is one component that answers refer to, with the meaning of each column', () => {
  const row = make().components.schemas['scratch.offering']
  assert.deepEqual(Object.keys(row.properties), ['accession', 'filed_date', ...Object.keys(offering.columns)])
  assert.equal(row.description, 'One row an offering')
  assert.deepEqual(row.properties.investors, {
    title: 'Investors',
    type: ['integer', 'null'],
    description: 'Investors so far',
    'x-unit': 'count',
  })
  assert.deepEqual(row.properties.first_sale.type, ['string', 'null'])
  assert.equal(row.additionalProperties, undefined)
  const schema = (path: string) => operation(path).responses[200].content['application/json'].schema
  const reference = { $ref: '#/components/schemas/scratch.offering' }
  assert.deepEqual(schema('/scratch'), { type: 'array', items: reference })
  assert.deepEqual(schema('/scratch/first'), reference)
  assert.deepEqual(schema('/scratch/{accession}').properties, {
    filing: reference,
    before: { anyOf: [reference, { type: 'null' }] },
    others: { type: 'array', items: reference },
  })
})

test('every status has the one error shape; a route adds its own; the rate headers are there', () => {
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

test('keys are accepted in both ways, and tags carry the label of their slice', () => {
  const { components, security, tags, servers } = make()
  assert.deepEqual(security, [{ bearer: [] }, { header: [] }])
  assert.deepEqual(Object.keys(components.securitySchemes), ['bearer', 'header'])
  assert.deepEqual(tags[0], { name: 'scratch', description: 'Scratch offerings' })
  assert.deepEqual(servers, [{ url: '/v1' }])
})

test('the same catalog gives the same text, and making it changes no schema', () => {
  assert.equal(JSON.stringify(make()), JSON.stringify(make()))
  assert.equal(z.globalRegistry.get(offering.row)?.id, undefined)
})
