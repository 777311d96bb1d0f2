import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freshDatabase } from '../../test/support/database.ts'
import { MOMENT_FORMAT, momentOf } from './moment.ts'
import { moment } from './moment-type.ts'

const GIVEN = [
  ['2024-03-13T15:00:33-04:00', '2024-03-13T19:00:33.000+00:00'],
  ['2024-12-31T23:59:59.9999-05:00', '2025-01-01T04:59:59.999+00:00'],
  ['1993-01-01T00:00:00Z', '1993-01-01T00:00:00.000+00:00'],
  ['2026-07-23T14:05:09.120456+00:00', '2026-07-23T14:05:09.120+00:00'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000+00:00'],
] as const

test('a moment is written with milliseconds and an offset of UTC, whatever offset it came with', () => {
  for (const [given, written] of GIVEN) {
    assert.equal(momentOf(given), written)
    assert.equal(momentOf(written), written)
    assert.ok(moment.safeParse(written).success)
  }
  for (const odd of ['infinity', '', 'nonsense']) assert.equal(momentOf(odd), odd)
})

test('a moment that the driver reads and one that the database puts into JSON are the same text', async (t) => {
  const { sql } = await freshDatabase(t)
  for (const [given, written] of GIVEN) {
    const [row] = await sql`
      select t as read, json_build_object('t', to_char(t at time zone 'UTC', ${MOMENT_FORMAT})) as json
      from (select ${given}::timestamptz as t) x`
    assert.deepEqual(row, { read: written, json: { t: written } })
  }
  const [infinite] = await sql`select 'infinity'::timestamptz as t`
  assert.equal(infinite!.t, 'infinity')
})
