/** `clients/names.tsv`: the names that the operations of the API have in the clients. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import registry from '../../src/registry.ts'
import { checkout } from '../support/world.ts'

const read = (file: string) => readFileSync(path.join(checkout, file), 'utf8')
const [head, ...rows] = read('clients/names.tsv')
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'))

/**
 * Names that a method or a member must not have: reserved words of TypeScript or Python, and members of promises and
 * classes.
 */
const TAKEN = ['constructor', 'then', 'from', 'in', 'is', 'not', 'class', 'def', 'import', 'global', 'lambda', 'pass']

test('every operation of the OpenAPI document has one name in the clients, and the table has no other operations', () => {
  const { paths } = JSON.parse(read('generated/openapi.json')) as {
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  )
  assert.ok(operations.length > 80)
  assert.deepEqual(head, ['operation', 'group', 'method', 'rows'])
  assert.deepEqual(rows.map(([operation]) => operation).sort(), operations.sort())
})

test('names in the table are unique, in snake_case, and valid in TypeScript and Python', () => {
  const names = rows.map(([, group, method]) => `${group}.${method}`)
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
  for (const row of rows) {
    assert.equal(row.length, 4, row.join(' '))
    for (const name of row.slice(1, 3)) {
      assert.match(name, /^[a-z]+\d*(_[a-z]+)*$/)
      assert.ok(!TAKEN.includes(name), name)
    }
  }
})

test('the table names the member with the rows of every list, as the route declares it', () => {
  // The event log is not declared as a list, because it cannot be downloaded as a file.
  const memberOf = ({ name, list }: (typeof registry.routes)[number]) =>
    name === 'events' ? 'events' : list ? (list.member ?? '.') : '-'
  assert.deepEqual(
    Object.fromEntries(rows.map(([operation, , , member]) => [operation, member])),
    Object.fromEntries(registry.routes.map((route) => [route.name, memberOf(route)])),
  )
})
