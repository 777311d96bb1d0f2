/**
 * The examples of the API: routes declare them, the sample answers them, they are committed, and they match their
 * schemas.
 */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import { cik, get, type Route } from '../../src/declare/route.ts'
import { inventedOf } from '../../src/ingest/specimens.ts'
import registry from '../../src/registry.ts'
import {
  areOf,
  collectExamples,
  cursorIn,
  declaredExample,
  type ExampleService,
  exampleKeys,
  readExamples,
} from '../../src/serve/examples.ts'
import { MEDIA_TYPES } from '../../src/serve/files/format.ts'
import { limiter } from '../../src/serve/limits.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { serveSample, serveWorld } from '../support/served.ts'

/** Routes whose answer states that the sample is a selection of filings. */
const OF_A_SELECTION = ['adv_filing_activity']

const NOW = new Date('2026-01-02T03:04:05Z')
const clock = { limiter: limiter(() => NOW.getTime()) }
const committed = await readExamples()
const served = await serveSample({ after }, clock)
const readers = openReaders({ target: 'postgres://nobody@127.0.0.1:1/none', max: 1 })
const broken = await serveWorld({ after }, served, { ...clock, readers })
after(() => readers.end())
const sender =
  ({ get }: typeof served): ExampleService['send'] =>
  async (address, headers) => {
    const response = await get(address, headers)
    return { status: response.status, text: await response.text() }
  }
const service: ExampleService = {
  send: sender(served),
  sendToBroken: sender(broken),
  keys: await exampleKeys(served.sql, NOW),
  invented: await inventedOf(served.sql),
}

/** Routes whose answer changes with time: uptime, the requests of the key. */
const OF_NOW = ['/me', '/status']

test('no answer depends on earlier requests: every example is requested twice, from servers with an empty archive', async (t) => {
  const world = await openSampledWorld(t, { archived: false })
  // Creates the state in which no ingest has read a header.
  await world.sql`delete from edgar.submission`
  await world.sql`delete from edgar.filing_item where not in_text`
  await world.sql`update edgar.filing set period_of_report = null, accepted_at = null`
  const addresses = registry.routes
    .filter(({ path }) => !OF_NOW.includes(path))
    .flatMap((route) => exampleRequests(route).map(({ values }) => addressOf(route, values)))
  // The headers of reports and notices name items, but the headers in the examples do not name items.
  const filings = await world.sql<{ accession: string }[]>`
    select accession from edgar.filing where form_type in ('8-K', 'X-17A-5', 'D') order by accession limit 40`
  addresses.push(...filings.map(({ accession }) => `/filing/${accession}`))
  const answers: Map<string, string>[] = []
  // Uses a new server with nothing in memory each time, and a different order of requests.
  for (const order of [addresses, addresses.toReversed()]) {
    const { get, close } = await serveWorld(t, world, clock)
    const found = new Map<string, string>()
    for (const address of order) {
      const response = await get(address)
      found.set(address, `${response.status} ${await response.text()}`)
    }
    answers.push(found)
    await close()
  }
  for (const address of addresses) assert.equal(answers[1]!.get(address), answers[0]!.get(address), address)
  assert.ok((await world.sql`select from edgar.look_up`).count > 0, 'some filings were fetched meanwhile')
})

test('every parameter of every route has an example', () => {
  for (const route of registry.routes) {
    const { parameters } = committed.routes[route.name] ?? assert.fail(`${route.path} has no example`)
    for (const name of Object.keys(route.input.shape)) {
      assert.ok(parameters[name], `${route.path}: no request among its examples has ${name}`)
    }
  }
})

test('every example request returns rows, and its answer names no data that is not loaded', async (t) => {
  for (const route of registry.routes) {
    for (const { values, isContinued } of exampleRequests(route)) {
      const first = addressOf(route, values)
      await t.test(first, async () => {
        const text = await answerTo(first)
        assertMeaningful(route, text, values.format)
        if (!isContinued) return
        const next = await answerTo(addressOf(route, { ...values, cursor: cursorIn(text, route) }))
        assertMeaningful(route, next, values.format)
        assert.notEqual(next, text)
      })
    }
  }
})

async function answerTo(address: string): Promise<string> {
  const response = await served.get(address)
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return text
}

function assertMeaningful(route: Route, text: string, format: string | undefined): void {
  if (route.output === null || format !== undefined) {
    assert.ok(text.trim().split('\n').length > 1, 'a document has lines, a file has rows')
    return
  }
  const answer = JSON.parse(text)
  assert.notEqual(answer.match, false)
  if (!OF_A_SELECTION.includes(route.name)) assert.equal(answer.not_loaded, undefined)
  if (!route.list) return
  const rows = route.list.member === null ? answer : answer[route.list.member]
  assert.ok(rows.length > 0, 'the list is empty')
}

test('the committed examples equal the service’s answers on any day', async () => {
  const now = await collectExamples(registry.routes, service)
  for (const { name, path } of registry.routes) assert.deepEqual(committed.routes[name], now.routes[name], path)
  assert.deepEqual(committed, now, 'run "npm run generate"')
})

/** A part of a package on which the validator of the document depends. */
interface Ajv {
  addSchema(schema: object, key: string): void
  getSchema(reference: string): ((data: unknown) => boolean) & { errors?: unknown }
}
const require = createRequire(fileURLToPath(import.meta.resolve('@seriousme/openapi-schema-validator')))
const { Ajv2020 } = require('ajv/dist/2020.js') as { Ajv2020: new (options: object) => Ajv }

// biome-ignore lint/suspicious/noExplicitAny: a document that is walked by name
type Tree = Record<string, any>

const WITHOUT_EXAMPLE = ['application/atom+xml', 'application/feed+json', 'application/vnd.apache.parquet']

test('each example in the OpenAPI document fits its schema, and all answers, parameters and typical errors have an example', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  require('ajv-formats')(ajv)
  const document = openapi(registry, '0.0.0', committed) as Tree
  ajv.addSchema(document, 'document')
  const fits = (part: Tree, ...place: string[]) => {
    assert.ok(part.example !== undefined, `${place.join(' ')} has no example`)
    const pointer = [...place, 'schema'].map((name) => name.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')
    const isValid = ajv.getSchema(`document#/${encodeURI(pointer)}`)
    assert.ok(isValid(part.example), `${pointer}: ${JSON.stringify(isValid.errors)}`)
  }
  for (const { name, path, output } of registry.routes) {
    const { parameters, responses } = document.paths[path].get
    for (const [i, parameter] of parameters.entries()) {
      const shared = /^#\/components\/parameters\/(\w+)$/.exec(parameter.$ref ?? '')?.[1]
      if (shared === undefined) {
        fits(parameter, 'paths', path, 'get', 'parameters', String(i))
        continue
      }
      const { examples, example } = document.components.parameters[shared]
      fits({ example: examples ? examples[name]?.value : example }, 'components', 'parameters', shared)
    }
    const types = Object.entries<Tree>(responses[200].content)
    for (const [type, content] of types) {
      // A feed has the same rows in another format, and Parquet is not text; the example of the route is its answer in JSON.
      if (output && !WITHOUT_EXAMPLE.includes(type))
        fits(content, 'paths', path, 'get', 'responses', '200', 'content', type)
      else assert.ok(content.schema.description)
    }
  }
  for (const name of [
    'BadRequest',
    'Unauthorized',
    'Forbidden',
    'NotFound',
    'URITooLong',
    'TooManyRequests',
    'ServiceUnavailable',
  ]) {
    for (const [type, content] of Object.entries<Tree>(document.components.responses[name].content)) {
      fits(content, 'components', 'responses', name, 'content', type)
    }
  }
})

test('an example has at most two items of each list', () => {
  const longest = (value: unknown): number => {
    if (typeof value !== 'object' || value === null) return 0
    return Math.max(Array.isArray(value) ? value.length : 0, ...Object.values(value).map(longest))
  }
  for (const [name, { answer }] of Object.entries(committed.routes)) assert.ok(longest(answer) <= 2, name)
})

test('an example of a file has a header, at most two rows, and the number of rows of the whole file', () => {
  const { csv, ndjson } = MEDIA_TYPES
  const lists = Object.entries(committed.routes).flatMap(([name, { files }]) => (files ? [{ name, files }] : []))
  assert.deepEqual(
    lists.map(({ name }) => name),
    registry.routes.filter(({ list }) => list).map(({ name }) => name),
  )
  for (const { name, files } of lists) {
    const lines = files[csv]!.trim().split('\n')
    const [, ...data] = lines.filter((line) => !line.startsWith('#'))
    assert.ok(data.length >= 1 && data.length <= 2, `${name}: ${data.length} rows`)
    assert.match(lines.at(-1)!, /^# rows: \d+/)
    const objects = files[ndjson]!.trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Tree)
    assert.ok(objects.length - 1 === data.length, name)
    assert.equal(typeof objects.at(-1)!._end.rows, 'number')
  }
})

test('no example contains a key, or the id of an existing key', () => {
  const text = JSON.stringify(committed)
  assert.doesNotMatch(text, /of_\w{8}_\w{28}/)
  assert.equal(committed.routes.me && (committed.routes.me.answer as Tree).keyId, 'Ab3dEf7h')
})

test('examples that no longer match the declarations are detected without a running service', () => {
  assert.ok(areOf(committed, registry.routes))
  assert.ok(!areOf(committed, registry.routes.slice(1)))
  const other = registry.routes.map((route) => (route.name === 'filings' ? { ...route, examples: [] } : route))
  assert.ok(!areOf(committed, other))
})

const route = (name: string, examples: Route['examples']): Route => ({
  ...registry.routes.find((each) => each.name === name)!,
  examples,
})

test('an example without an answer, or with a list of one row, stops the generator, and the error names the example', async () => {
  const collect = (one: Route) => collectExamples([one], service)
  await assert.rejects(
    collect(route('broker', [{ cik: '1' }])),
    /the example \/brokers\/1 is answered with 404: .*not found/,
  )
  await assert.rejects(collect(route('feed', [{ q: 'acehedge' }])), /the first example of \/feed has one row only/)
  const silent = { ...service, sendToBroken: service.send }
  await assert.rejects(collectExamples([], silent), /the example of 503 is answered with 200/)
})

test('a parameter with the same meaning in every list needs no example in each route; its example is added to the first request', () => {
  const words = { sort: z.string(), limit: z.string(), offset: z.string() }
  const listed = get('/lists/{cik}', {
    name: 'listed',
    summary: '',
    tag: 'filings',
    input: { cik, ...words, paginate: z.string(), cursor: z.string(), format: z.string(), states: z.string() },
    examples: [
      { cik: '1', states: 'NY,CA' },
      { cik: '2', sort: 'a b', limit: '5' },
    ],
    output: z.object({ rows: z.array(z.object({ cik, name: z.string(), state: z.string() })) }),
    rows: 'rows',
    run: async () => ({ rows: [] }),
  })
  assert.deepEqual(
    exampleRequests(listed).map(({ values, isContinued }) => addressOf(listed, values) + (isContinued ? ' …' : '')),
    [
      '/lists/1?states=NY,CA&limit=2',
      '/lists/2?sort=a+b&limit=5',
      '/lists/1?states=NY,CA&limit=2&offset=1',
      '/lists/1?states=NY,CA&limit=2&paginate=cursor',
      '/lists/1?states=NY,CA&limit=2&format=csv',
      '/lists/1?states=NY,CA&limit=2&fields=cik,name',
      '/lists/1?states=NY,CA&limit=2&omit=state',
      '/lists/1?states=NY,CA&limit=1&paginate=cursor …',
    ],
  )
  const { address, parameters } = declaredExample(listed)
  assert.equal(address, '/lists/1?states=NY,CA&limit=2')
  assert.deepEqual(
    [parameters.cik, parameters.limit],
    ['1', '2'],
    'the values come from the first request that has the parameter',
  )
})

test('an example with a parameter that its route lacks, or without a path parameter, does not compile', () => {
  const common = { summary: '', tag: 'filings' as const, input: { cik }, output: z.object({}), run: async () => ({}) }
  const wrong = [
    // @ts-expect-error there is no parameter crd
    get('/a/{cik}', { ...common, name: 'a', examples: [{ cik: '1', crd: '1' }] }),
    // @ts-expect-error the path needs a cik
    get('/b/{cik}', { ...common, name: 'b', examples: [{}] }),
  ]
  assert.deepEqual(
    wrong.map(({ examples }) => examples),
    [[{ cik: '1', crd: '1' }], [{}]],
  )
})
