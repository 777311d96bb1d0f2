/**
 * Connections that break: every statement settles, none runs outside its transaction, and the pool recovers.
 *
 * @server it tests how a server ends sessions, refuses statements and cancels statements
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay, setImmediate as soon } from 'node:timers/promises'
import { endingOf, endsRun, fullDiskOf, reasonOf } from '../../src/ingest/failures.ts'
import { copy } from '../../src/store/copy.ts'
import { connect, type Sql, type Transaction } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { randomFor } from '../support/random.ts'
import { overTcp } from '../support/tcp.ts'

type After = Parameters<typeof freshDatabase>[0]

interface Place {
  /** A connection that does not go through the relay. */
  watcher: Sql
  /** A pool of one connection, so that the next transaction follows the broken one. */
  sql: Sql
}

/** Ways in which a connection is lost. */
const losses = {
  'terminated by the server': async ({ watcher }: Place, pid: number) => {
    await watcher`select pg_terminate_backend(${pid}, 5000)`
  },
  'reset on its way': async (_: Place, __: number, relay: { reset(): void }) => relay.reset(),
  'ended on its way': async (_: Place, __: number, relay: { end(): void }) => relay.end(),
}

async function openPlace(t: After) {
  const database = await freshDatabase(t, { empty: true })
  const relay = await overTcp(t, database)
  const sql = connect({ target: relay.target, max: 1 })
  t.after(() => sql.end({ timeout: 5 }))
  await database.sql`create table written (what text primary key)`
  return { place: { watcher: database.sql, sql }, relay }
}

const pidOf = async (sql: Sql | Transaction) => (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid

for (const [how, lose] of Object.entries(losses)) {
  test(`if the connection of a waiting transaction is ${how}, its later statements fail and do not run in the next transaction`, async (t) => {
    const { place, relay } = await openPlace(t)
    const { sql, watcher } = place
    const [lost, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let leftover: Promise<unknown> | undefined
    const broken = sql.begin(async (tx) => {
      await tx`insert into written values ('before')`
      await lose(place, await pidOf(tx), relay)
      lost.resolve()
      await late.promise
      leftover = Promise.allSettled([
        tx`insert into written values ('after')`,
        copy(tx, 'written', ['what'], [[['copied after']]]),
      ])
      await tx`insert into written values ('and after')`
    })
    broken.catch(() => {})
    await lost.promise
    // The pool opens its one connection again for this transaction; the first transaction must not continue in that
    // connection.
    const next = sql.begin(async (tx) => {
      await tx`insert into written values ('next')`
      late.resolve()
      for (let n = 0; n < 5; n++) await soon()
      await tx`select 1`
      throw new Error('taken back')
    })
    await assert.rejects(broken, (error) => endsRun(error))
    await assert.rejects(next, /taken back/)
    const ended = (await leftover) as PromiseSettledResult<unknown>[]
    assert.deepEqual(
      ended.map(({ status }) => status),
      ['rejected', 'rejected'],
    )
    assert.deepEqual([...(await watcher`select what from written`)], [])
  })

  test(`a reserved connection that is ${how} runs nothing more, and its release does not release another reservation`, async (t) => {
    const { place, relay } = await openPlace(t)
    const { sql, watcher } = place
    const own = await sql.reserve()
    await lose(place, await pidOf(own), relay)
    const tried: Promise<string>[] = []
    const tryTo = (what: string) =>
      tried.push(
        own`insert into written values (${what})`.then(
          () => 'stored',
          () => 'refused',
        ),
      )
    let concurrent: Promise<unknown> | undefined
    const next = sql.begin(async (tx) => {
      tryTo('late')
      await tx`insert into written values ('next')`
      own.release()
      concurrent = sql`insert into written values ('beside')`.execute()
      for (let n = 0; n < 5; n++) await soon()
      await tx`select 1`
      throw new Error('taken back')
    })
    for (const what of ['early', 'early too']) tryTo(what)
    await assert.rejects(next, /taken back/)
    await concurrent
    assert.deepEqual(await Promise.all(tried), ['refused', 'refused', 'refused'])
    assert.deepEqual([...(await watcher`select what from written`)], [{ what: 'beside' }])
  })

  test(`if a connection is ${how} while two callers wait to reserve it, both callers get new connections in order`, async (t) => {
    const { place, relay } = await openPlace(t)
    const { sql } = place
    const first = await sql.reserve()
    const waiting = [sql.reserve(), sql.reserve()]
    await lose(place, await pidOf(first), relay)
    await assert.rejects(first`select 1`)
    first.release()
    for (const next of waiting) {
      const own = await next
      assert.ok((await pidOf(own)) > 0)
      own.release()
    }
    for (let n = 0; n < 3; n++) {
      const own = await sql.reserve()
      await lose(place, await pidOf(own), relay)
      await assert.rejects(own`select 1`, (error) => endsRun(error))
      own.release()
    }
    assert.ok((await pidOf(sql)) > 0)
  })

  test(`a statement and a COPY whose connection is ${how} reject, and the next statement has a new connection`, async (t) => {
    const { place, relay } = await openPlace(t)
    const { sql } = place
    const stuck = {
      statement: (tx: Transaction) => tx`select pg_sleep(60)`,
      copy: (tx: Transaction) =>
        copy(
          tx,
          'written',
          ['what'],
          (async function* () {
            for (let n = 0; ; ) {
              yield Array.from({ length: 1000 }, () => [n++])
              await soon()
            }
          })(),
        ),
      'savepoint that goes on regardless': async (tx: Transaction) => {
        await tx.savepoint((sp) => sp`select pg_sleep(60)`).catch(() => {})
        await tx`select 1`
      },
    }
    for (const [what, work] of Object.entries(stuck)) {
      const broken = sql.begin(async (tx) => {
        const pid = await pidOf(tx)
        delay(50).then(() => lose(place, pid, relay))
        await work(tx)
      })
      await assert.rejects(broken, (error) => endsRun(error), what)
      assert.ok((await pidOf(sql)) > 0, what)
    }
    const pid = await pidOf(sql)
    const outside = sql`select pg_sleep(60)`.execute()
    delay(50).then(() => lose(place, pid, relay))
    await assert.rejects(outside, (error) => endsRun(error))
    assert.ok((await pidOf(sql)) > 0)
  })
}

test('without a server every reservation is refused, and a refused caller is not given a connection later', async (t) => {
  const { place, relay } = await openPlace(t)
  const { sql } = place
  relay.close()
  for (let n = 0; n < 3; n++) await assert.rejects(sql.reserve(), { code: 'ECONNREFUSED' })
  await relay.listen()
  for (let n = 0; n < 3; n++) {
    const own = await sql.reserve()
    assert.ok((await pidOf(own)) > 0)
    own.release()
    assert.ok((await pidOf(sql)) > 0)
  }
})

test('all statements of many transactions settle, even if all connections break at once repeatedly', async (t) => {
  const { place, relay } = await openPlace(t)
  const database = place.watcher
  const sql = connect({ target: relay.target, max: 4 })
  t.after(() => sql.end({ timeout: 5 }))
  let rounds = 0
  const ending = AbortSignal.timeout(2000)
  const workers = Array.from({ length: 8 }, async (_, worker) => {
    while (!ending.aborted) {
      const key = `${worker}-${rounds++}`
      await sql
        .begin(async (tx) => {
          await tx`insert into written values (${key})`
          await soon()
          await tx`insert into written values (${`${key} too`})`
        })
        .catch((error) => assert.ok(endsRun(error), error))
    }
  })
  const random = randomFor('breaks')
  for (let n = 0; !ending.aborted; n++) {
    await delay(20 + random() * 60)
    if (n % 2) relay.reset()
    else relay.end()
  }
  await Promise.all(workers)
  const halves = await database`
    select what from written w
    where not exists (select from written o where o.what = w.what || ' too' or w.what = o.what || ' too')`
  assert.deepEqual([...halves], [], 'half of a transaction was stored')
  assert.ok((await database`select 1 from written`).length > 0)
})

test('database errors that end a run are distinguished from errors of one filing', () => {
  const ends = ['53100', '53200', '57P01', '08006', '42P01', '25006', 'CONNECTION_CLOSED', 'ECONNREFUSED', 'ENOSPC']
  const own = ['22003', '22021', '22P05', '23505', '23502', '54000']
  const failing = (code: string) => Object.assign(new Error(code), { code })
  assert.deepEqual(
    ends.filter((code) => !endsRun(failing(code))),
    [],
  )
  assert.deepEqual(
    own.filter((code) => endsRun(failing(code))),
    [],
  )
  assert.ok(endsRun(new Error('outer', { cause: failing('57P01') })))
  assert.ok(!endsRun(new TypeError('ours')))
  // An invalid statement is our fault, so its stack is shown; for a missing right, or a nested cause, the message
  // suffices.
  const endings = ['42P01', '42501', '53100', '57P01', 'ENOSPC'].map((code) => endingOf(failing(code)))
  assert.deepEqual(endings, [
    null,
    'the database cannot continue: 42501',
    'the disk of the database is full: make room, then run the same command again (53100)',
    'the database went away: 57P01',
    'ENOSPC',
  ])
  const message = 'could not resize shared memory segment "/PostgreSQL.7" to 8388608 bytes: No space left on device'
  const memory = Object.assign(new Error(message), { code: '53100' })
  assert.match(endingOf(memory)!, /^the shared memory of the database server is used up: .*, then run the same command/)
  assert.equal(fullDiskOf(memory, 'the disk'), null)
  assert.equal(reasonOf(memory), endingOf(memory)!.replace(', then run the same command again', ''))
  assert.equal(endingOf(new TypeError('ours')), null)
  assert.equal(endingOf(new Error('outer', { cause: failing('57P01') })), 'the database went away: outer: 57P01')
})

test('if a statement fails or is cancelled after its first rows, the next statement gets only its own rows', async (t) => {
  const { place, relay } = await openPlace(t)
  const { sql } = place
  const texts = (divisor: string) =>
    sql.unsafe(`
    select n, repeat('x', 1000) as text, 1 / (${divisor}) from generate_series(1, 300) n`)
  const ends = {
    'an error': () => texts('200 - n'),
    'a cancellation': async () => {
      const slow = sql.unsafe(
        "select n, repeat('x', 1000), case when n > 200 then pg_sleep(60) end from generate_series(1, 300) n",
      )
      setTimeout(() => slow.cancel(), 300)
      await slow
    },
    'the end of its connection': async () => {
      setTimeout(() => relay.reset(), 300)
      await sql.unsafe(
        "select n, repeat('x', 1000), case when n > 200 then pg_sleep(60) end from generate_series(1, 300) n",
      )
    },
  }
  for (const [how, end] of Object.entries(ends)) {
    await assert.rejects(end())
    assert.deepEqual([...(await sql`select n from generate_series(1, 3) n`)], [{ n: 1 }, { n: 2 }, { n: 3 }], how)
  }
})

test('JIT compilation is off for all our statements, even if the database turns it on', async (t) => {
  const { sql, target } = await freshDatabase(t, { empty: true })
  const [{ name } = { name: '' }] = await sql<{ name: string }[]>`select current_database() as name`
  await sql`alter database ${sql(name)} set jit = on`
  const own = connect({ target, max: 1 })
  t.after(() => own.end())
  const [found] = await own`select setting from pg_settings where name = 'jit'`
  const [stated] =
    await sql`select setconfig from pg_db_role_setting where setdatabase = (select oid from pg_database where datname = ${name})`
  assert.deepEqual([found!.setting, stated!.setconfig], ['off', ['jit=on']])
})

test('an unreachable database is reported within seconds, also after many attempts', async (t) => {
  const sql = connect({ target: 'postgres://nobody@127.0.0.1:1/none', max: 1 })
  t.after(() => sql.end({ timeout: 0 }))
  for (let n = 0; n < 9; n++) {
    const began = performance.now()
    await assert.rejects(sql`select 1`, { code: 'ECONNREFUSED' })
    const ms = performance.now() - began
    // The driver's own pause would be 10 to 20 s from the seventh attempt on.
    assert.ok(ms < 5_000, `try ${n} took ${ms} ms`)
  }
})

test('a transaction can have any number of consecutive savepoints, whether they are released or rolled back', async (t) => {
  const { sql } = (await openPlace(t)).place
  // Each savepoint writes, so it has a transaction number, which the server locks. The server has room for 64 locks per
  // connection.
  const depth = await sql.begin(async (tx) => {
    await tx`create temporary table kept (n integer)`
    for (let n = 0; n < 200; n++) {
      const done = tx.savepoint((sp) => sp`insert into kept values (${n}) returning 1 / ${n % 2}::int as one`)
      await done.catch(() => null)
    }
    const [locks] = await tx<{ n: number }[]>`
      select count(*)::int as n from pg_locks where pid = pg_backend_pid() and locktype = 'transactionid'`
    const [rows] = await tx<{ n: number }[]>`select count(*)::int as n from kept`
    return { locks: locks!.n, rows: rows!.n }
  })
  assert.deepEqual(depth, { locks: 1, rows: 100 })
})
