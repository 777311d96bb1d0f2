import assert from 'node:assert/strict'
import { test } from 'node:test'
import registry from '../../registry.ts'
import { openapi } from '../openapi.ts'
import { type Parameter, shared } from './parameters.ts'

const cik = (description: string, more: Partial<Parameter> = {}): Parameter => ({
  ...{ name: 'cik', in: 'query', required: false, description },
  ...{ schema: { type: 'string' }, ...more },
})
const limit = (maximum: number): Parameter => ({
  ...{ name: 'limit', in: 'query', required: false, description: 'Rows' },
  ...{ schema: { type: 'integer', maximum }, example: 2 },
})

test('a parameter of three operations is one component; each operation keeps its own description and example', () => {
  const { components, of, examplesOf } = shared(
    new Map([
      ['a', [cik('Filer', { example: '1' }), limit(50)]],
      ['b', [cik('Issuer', { example: '2' }), limit(50)]],
      ['c', [cik('Issuer'), limit(50), limit(200)]],
      ['d', [cik('Needed', { required: true }), limit(200)]],
      ['e', [cik('In the path', { in: 'path' }), cik('A number', { schema: { type: 'integer' } })]],
    ]),
  )
  assert.deepEqual(components, {
    cik: {
      ...{ name: 'cik', in: 'query', required: false, schema: { type: 'string' } },
      ...{ description: 'Issuer', example: '1' },
    },
    limit_50: limit(50),
  })
  assert.deepEqual([examplesOf('a'), examplesOf('b'), examplesOf('c')], [{}, { cik: '2' }, {}])
  assert.deepEqual(of('a'), [
    { $ref: '#/components/parameters/cik', description: 'Filer' },
    { $ref: '#/components/parameters/limit_50' },
  ])
  assert.deepEqual(of('c'), [
    { $ref: '#/components/parameters/cik' },
    { $ref: '#/components/parameters/limit_50' },
    limit(200),
  ])
  assert.deepEqual(of('d'), [cik('Needed', { required: true }), limit(200)])
  assert.equal(of('e').length, 2, 'another place and another schema are other parameters')
})

test('two shared parameters of the same name become components with different names', () => {
  const parameters = [
    cik('In the path', { in: 'path' }),
    cik('In the query'),
    cik('A number', { schema: { type: 'integer' } }),
    cik('A choice', { schema: { enum: ['a'] } }),
  ]
  const { components, of } = shared(new Map(['a', 'b', 'c'].map((id) => [id, parameters])))
  assert.deepEqual(Object.keys(components), ['cik', 'cik_2', 'cik_3', 'path_cik'])
  assert.deepEqual(of('b')[2], { $ref: '#/components/parameters/cik_2' })
})

test('no parameter of the service is written out three times', () => {
  const { paths } = openapi(registry, '1.2.3') as { paths: Record<string, { get: { parameters: Parameter[] } }> }
  const written = Object.values(paths).flatMap(({ get }) => get.parameters.filter((each) => !('$ref' in each)))
  const counts = Map.groupBy(written, ({ name, in: place, required, schema }) =>
    JSON.stringify([place, name, required, schema]),
  )
  assert.ok(counts.size > 20)
  assert.deepEqual(
    [...counts].filter(([, all]) => all.length > 2).map(([key]) => key),
    [],
  )
})
