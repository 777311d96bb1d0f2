/**
 * Clients that three generators make from the served OpenAPI document: they compile, and each client reads all pages of
 * every list with the header Link alone.
 *
 * @ci it installs the generators, and compiles 45,000 lines of their clients
 */
import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { clients, compiled, type Walk } from '../support/generated-clients.ts'
import { folder, install, node } from '../support/openapi-tools.ts'
import { firstOf, memberOf, paged, sizeOf, wholeOf } from '../support/paged-lists.ts'
import { serveSample } from '../support/served.ts'
import { temporaryFolder } from '../support/world.ts'

before(() => install())

const served = await serveSample({ after })

interface Parameter {
  $ref?: string
  name: string
  in: string
  schema: { $ref?: string; type?: string }
}

/** Converts a query value to the JSON type that the document gives to its parameter. */
function typed(value: string, type: string | undefined): unknown {
  if (type === 'integer' || type === 'number') return Number(value)
  if (type === 'boolean') return value === 'true'
  return type === 'array' ? value.split(',') : value
}

test('clients of three generators compile, and page through every list to its last row using only Link', async (t) => {
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
    const values = firstOf(route)
    const size = sizeOf(route)!
    const rows = (await wholeOf(route, values, served)).length
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
    walks.push({
      name: route.name,
      path: route.path,
      member: memberOf(route),
      inPath: of('path') as Walk['inPath'],
      query: of('query'),
    })
  }
  assert.ok(walks.length > 30)

  const place = await temporaryFolder(t)
  await symlink(path.join(folder, 'node_modules'), path.join(place, 'node_modules'))
  const made = clients.map((client) => ({ client, own: path.join(place, client.name.replaceAll(/\W+/g, '-')) }))
  for (const { client, own } of made) {
    await mkdir(own)
    await writeFile(path.join(own, 'openapi.json'), text)
    await client.make(own)
    await writeFile(path.join(own, 'program.ts'), await client.program(own, walks))
  }
  // Compiles all clients at once, because they share the types of Node and of the browser. A message begins with the
  // client's folder.
  const programs = made.map(({ own }) => path.join(path.relative(place, own), 'program.ts'))
  assert.equal(await compiled(place, programs), '')
  await writeFile(path.join(place, 'out/package.json'), '{ "type": "commonjs" }')
  for (const [n, { client }] of made.entries()) {
    await t.test(`${client.name} compiles, and pages through every list using only Link`, async () => {
      const program = path.join('out', programs[n]!.replace(/ts$/, 'js'))
      const { status, output } = await node([program, served.origin, served.keys.full], place)
      assert.equal(status, 0, output)
      assert.deepEqual(JSON.parse(output), whole)
    })
  }
})
