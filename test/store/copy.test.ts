/**
 * COPY that the database refuses: it rejects at once with the database's error, and the connection stays usable.
 *
 * @server it tests how a server refuses COPY
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { copy } from '../../src/store/copy.ts'
import { type Connection, connect, type Sql, type Transaction } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { overTcp } from '../support/tcp.ts'

/** More bytes than one chunk of COPY. */
const large = Array.from({ length: 20_000 }, (_, n) => [n, 'a text of some length'])

const refused = {
  'a value out of range': { batches: [[[99_999_999_999, 'a']]], code: '22003', column: 'column n' },
  'a NUL': { batches: [[[1, 'a\0b']]], code: '22021', column: 'line 1' },
  'a value out of range in the first of many chunks': {
    batches: [[[99_999_999_999, 'a']], large, large],
    code: '22003',
    column: 'line 1, column n',
  },
  'a value out of range in the last chunk': {
    batches: [large, [[99_999_999_999, 'a']]],
    code: '22003',
    column: 'line 20001, column n',
  },
  'a NUL between two chunks': { batches: [large, [[1, '\0']], large], code: '22021', column: 'line 20001' },
  'a null where none may be': { batches: [large, [[1, null]]], code: '23502', column: 'line 20001' },
}

const ways = {
  'within a savepoint': (tx: Transaction, work: (tx: Transaction) => Promise<unknown>) => tx.savepoint(work),
  'without a savepoint': (tx: Transaction, work: (tx: Transaction) => Promise<unknown>) => work(tx),
}

async function connections(t: Parameters<typeof overTcp>[0]): Promise<[string, Sql][]> {
  const database = await freshDatabase(t, { empty: true })
  const open = (target: Connection['target']) => {
    const sql = connect({ target, max: 2 })
    t.after(() => sql.end({ timeout: 5 }))
    return sql
  }
  await database.sql`create table refused (n integer, s text not null)`
  return [
    ['the test server', open(database.target)],
    ['TCP', open((await overTcp(t, database)).target)],
  ]
}

for (const [what, { batches, code, column }] of Object.entries(refused)) {
  test(`COPY of ${what} rejects with the database's own error, and the connection stays usable`, async (t) => {
    for (const [where, sql] of await connections(t)) {
      for (const [how, way] of Object.entries(ways)) {
        const note = `${how}, ${where}`
        const run = sql.begin(async (tx) => {
          const failing = way(tx, (inner) => copy(inner, 'refused', ['n', 's'], batches))
          const failure = (await failing.catch((error) => error)) as { code: string; where: string }
          assert.equal(failure.code, code, note)
          assert.match(failure.where, new RegExp(column), note)
          if (how === 'without a savepoint') throw failure
          // The transaction continues after the savepoint, COPY included.
          assert.equal(await copy(tx, 'refused', ['n', 's'], [[[7, 'seven']]]), 1)
        })
        if (how === 'without a savepoint') await assert.rejects(run, { code }, note)
        else await run
        const rows = await sql`delete from refused returning n`
        assert.deepEqual([...rows], how === 'within a savepoint' ? [{ n: 7 }] : [], note)
      }
    }
  })
}

test('COPY of values that cannot be encoded rejects with the reason, and the transaction continues', async (t) => {
  const [[, sql]] = (await connections(t)) as [[string, Sql]]
  await sql.begin(async (tx) => {
    const failing = tx.savepoint((sp) => copy(sp, 'refused', ['n', 's'], [large, [[1, {}]]]))
    await assert.rejects(failing, /COPY cannot hold a object/)
    assert.equal(await copy(tx, 'refused', ['n', 's'], [[[7, 'seven']]]), 1)
  })
  assert.equal((await sql`select 1 from refused`).length, 1)
})

test('a COPY that the server refuses together with its CopyInResponse rejects with the reason, and affects nothing else', async (t) => {
  const { sql } = await freshDatabase(t, { empty: true })
  await sql`create table kept (n integer)`
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space left' using errcode = '53100'; end $$`
  await sql`create trigger refused before insert on kept for each statement execute function refuse()`
  // In some of these attempts the refusal and the CopyInResponse arrive in one packet.
  for (let n = 0; n < 40; n++) {
    await assert.rejects(
      sql.begin((tx) => copy(tx, 'kept', ['n'], [[[1]]])),
      { code: '53100' },
    )
  }
  assert.deepEqual([...(await sql`select 1 as n`)], [{ n: 1 }])
})
