/** Statements whose text differs with each request are sent to the server in one message. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { unnamed } from '../../src/serve/page.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { overTcp } from '../support/tcp.ts'

const database = await freshDatabase({ after }, { empty: true })
const relay = await overTcp({ after }, database)
const sql = connect({ target: relay.target, max: 1 })
after(() => sql.end({ timeout: 5 }))

/**
 * Runs a statement in the driver's default way, in which the driver first requests the types of the values from the
 * server.
 */
async function queriedFirst(query: ReturnType<typeof values>) {
  // The driver's type declarations lack the member, hence the cast.
  Object.assign((query as unknown as { options: object }).options, { prepare: false })
  return [...(await query)]
}

const TEXT = `it's "quoted" \\ 株式会社 é😀 \u0001\t\n $1 {a,b}`

const values = (of: Sql) => of`
  select ${TEXT}::text as text, ${7}::int as whole, ${-0.25}::float8 as float, ${'12.50'}::numeric as exact,
    ${'9007199254740993'}::bigint as large, ${null}::text as none, ${true}::boolean as yes, ${false}::boolean as no,
    ${new Date(0)}::timestamptz as moment, ${'2024-02-29'}::date as day, ${'2024-02-29T01:02:03Z'}::timestamptz as given,
    n from generate_series(1, ${3}) n order by n desc limit ${2} offset ${1}`

test('a statement without a name takes one message to the server, and returns the same rows as a statement that first requests types', async () => {
  const expected = await queriedFirst(values(sql))
  assert.equal(expected.length, 2)
  const begun = relay.writes
  assert.deepEqual([...(await unnamed(values(sql)))], expected)
  assert.equal(relay.writes - begun, 1)
  await queriedFirst(values(sql))
  assert.equal(relay.writes - begun, 3)
})

test('a statement with a list among its values first requests the types from the server', async () => {
  const listed = () =>
    unnamed(sql`select ${['a', 'b,"c']}::text[] as names, ${[3, 4]}::int[] as numbers, ${'x'} as text`)
  const begun = relay.writes
  assert.deepEqual([...(await listed())], [{ names: ['a', 'b,"c'], numbers: [3, 4], text: 'x' }])
  assert.equal(relay.writes - begun, 2)
})

test('if the server refuses a statement, its promise rejects, and the next statement is answered', async () => {
  await assert.rejects(unnamed(sql`select ${'x'}::int`), { code: '22P02' })
  await assert.rejects(unnamed(sql`select ${'x'} from nowhere`), { code: '42P01' })
  await assert.rejects(unnamed(sql`select 1 / ${0}::int`), { code: '22012' })
  assert.deepEqual([...(await unnamed(sql`select ${'y'}::text as text`))], [{ text: 'y' }])
})
