import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { spread } from './spread.ts'

const filing = z.object({ accession: z.string(), form_type: z.string(), url: z.string() })
const row = z.object({ key: z.string().nullable(), filing: filing.nullable() })
const A = '0000000001-24-000001'

test('the members of a filing become columns, and a member that only repeats its accession is empty', () => {
  const { rows, type } = spread(
    [
      { key: A, filing: { accession: A, form_type: '8-K', url: '/v1/x' } },
      { key: 'TICKERS/1', filing: null },
    ],
    row,
  )
  assert.deepEqual(rows, [
    { accession: A, form_type: '8-K', key: null },
    { accession: null, form_type: null, key: 'TICKERS/1' },
  ])
  assert.ok(type instanceof z.ZodObject)
  assert.deepEqual(Object.keys(type.shape), ['accession', 'form_type', 'key'])
})

test('rows with an accession of their own, and rows without a filing, stay as they are', () => {
  for (const type of [row.extend({ accession: z.string() }), z.object({ key: z.string() }), null]) {
    const rows = [{ key: A, accession: A, filing: { accession: A, form_type: '8-K', url: '/v1/x' } }]
    assert.deepEqual(spread(rows, type), { rows, type })
  }
})
