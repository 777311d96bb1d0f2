/**
 * Clients that three generators make of the served document: they compile, and each walks every list by Link alone.
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
