/**
 * Clients that three generators make of the served document: they compile, and each walks every list by Link alone.
 *
 * @ci it installs the generators, and compiles 45,000 lines of their clients
 */
import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import type { Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { clients, compiled, type Walk } from '../support/generated-clients.ts'
import { folder, install, node } from '../support/openapi-tools.ts'
import { serveSample } from '../support/served.ts'
import { temporaryFolder } from '../support/world.ts'

before(() => install())

const served = await serveSample({ after })

const takes = (route: Route, name: string) => name in route.input.shape
const sizeOf = (route: Route) => ['limit', 'size'].find((name) => takes(route, name))
const paged = registry.routes.filter(
  (route) => sizeOf(route) && ['cursor', 'offset', 'page', 'after'].some((name) => takes(route, name)),
)
/** Where the rows of pages are, if no file has them. */
const MEMBERS: Readonly<Record<string, string>> = { events: 'events', security_price_history: 'filings' }

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema: { $ref?: string; type?: string }
}

/** The number of rows in a list: as a file where that has all pages, else as the largest page, which must not be full. */
async function countOf(route: Route, member: string, values: Readonly<Record<string, string>>): Promise<number> {
  if (route.list?.paged) {
    const file = await served.get(addressOf(route, { ...values, format: 'ndjson' }))
    return (await file.text()).trimEnd().split('\n').length - 1
  }
  const size = sizeOf(route)!
  const max = ['1000', '200', '50'].find((most) => route.input.shape[size].safeParse(most).success)!
  const answer = await served.json<Record<string, unknown[]>>(addressOf(route, { ...values, [size]: max }))
  const { length } = answer[member]!
  assert.ok(length < Number(max), `${route.path}: a page is full`)
  return length
}

/** A value of a query in the JSON type that the document gives to its parameter. */
function typed(value: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'number') return Number(value)
  if (type === 'boolean') return value === 'true'
  return type === 'array' ? value.split(',') : value
}

test('clients of three generators compile, and walk every list to its last row by Link alone', async (t) => {
  const text = await (await served.get('/openapi.json')).text()
  const document = JSON.parse(text)
  const deref = <T extends { $ref?: string }>(node: T): T =>
    node.$ref
      ? node.$ref
          .slice(2)
          .split('/')
          .reduce((at, name) => at[name], document)
      : node
  const whole: Record<string, number> = {}
  const walks: Walk[] = []
  for (const route of paged) {
    const { limit: _, size: __, offset: ___, page: ____, after: _____, ...values } = exampleRequests(route)[0]!.values
    const member = MEMBERS[route.name] ?? route.list!.member!
    const size = sizeOf(route)!
    const rows = await countOf(route, member, values)
    assert.ok(rows > 0, `${route.path} has rows in the sample`)
    whole[route.name] = rows
    const parameters: Parameter[] = document.paths[route.path].get.parameters.map(deref)
    const given = { ...values, [size]: String(Math.ceil(rows / 3)) }
    const of = (place: string) =>
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place && parameter.name in given)
          .map(({ name, schema }) => [name, typed(given[name as keyof typeof given]!, deref(schema).type)]),
      )
    walks.push({ name: route.name, path: route.path, member, inPath: of('path') as Walk['inPath'], query: of('query') })
  }
  assert.ok(walks.length > 30)

  for (const client of clients) {
    await t.test(`${client.name} compiles, and walks every list by Link alone`, async (t) => {
      const place = await temporaryFolder(t)
      await symlink(path.join(folder, 'node_modules'), path.join(place, 'node_modules'))
      await writeFile(path.join(place, 'openapi.json'), text)
      await client.make(place)
      await writeFile(path.join(place, 'program.ts'), await client.program(place, walks))
      await mkdir(path.join(place, 'out'))
      await writeFile(path.join(place, 'out/package.json'), '{ "type": "commonjs" }')
      assert.equal(await compiled(place, ['program.ts']), '')
      const { status, output } = await node(['out/program.js', served.origin, served.keys.full], place)
      assert.equal(status, 0, output)
      assert.deepEqual(JSON.parse(output), whole)
    })
  }
})
