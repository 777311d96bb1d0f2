/**
 * The driver of vendor/postgres, without our options: there is one test for each change in vendor/postgres/PATCHES.md,
 * and this test fails without the change. The last two tests show what the changes that only save time must keep.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection, createServer, type Socket } from 'node:net'
import { getDefaultHighWaterMark, Readable, setDefaultHighWaterMark } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { after, type TestContext, test } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import postgres from '#postgres'
import { freshDatabase } from '../support/database.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'

const database = await freshDatabase({ after }, { empty: true })
const watcher = database.sql
await watcher`create table written (what text)`

/** Opens one connection through a relay that can break it. */
async function open(t: TestContext, options: object = {}) {
  const relay = await overTcp(t, database)
  const sql = postgres(relay.target, { max: 1, onnotice: () => {}, ...options })
  t.after(() => sql.end({ timeout: 0 }))
  return { sql, relay }
}

const isAlive = async (sql: postgres.Sql) => assert.deepEqual([...(await sql`select 1 as n`)], [{ n: 1 }])

test('COPY: a refusal that arrives after the last chunk is an error of the stream, and the stream does not hang', async (t) => {
  const { sql } = await open(t)
  await sql`create temporary table kept (n integer)`
  const stream = await sql`copy kept from stdin`.writable()
  await assert.rejects(pipeline(Readable.from(['no number\n']), stream), { code: '22P02' })
  await isAlive(sql)
})

test('a write to a closed connection rejects its statement, and does not end the process', async (t) => {
  const { port } = new URL((await overTcp(t, database)).target)
  const asking = createServer((client) => client.once('data', () => client.end(ASK_PASSWORD)))
  t.after(() => asking.close())
  await once(asking.listen(0, '127.0.0.1'), 'listening')
  const lost = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  const ports = [(asking.address() as { port: number }).port, Number(port)]
  const { sql } = await open(t, {
    // The password arrives when the connection that requested it has closed and the next connection is not open yet.
    password: () => lost.promise.then(() => 'late'),
    async socket(): Promise<Socket> {
      const isFirst = ports.length === 2
      if (!isFirst) await again.promise
      const socket = createConnection(ports.shift()!, '127.0.0.1')
      if (isFirst) socket.once('close', () => lost.resolve())
      await once(socket, 'connect')
      return socket
    },
  })
  await assert.rejects(sql`select 1`, { code: 'CONNECTION_CLOSED' })
  again.resolve()
  await isAlive(sql)
})
/** An AuthenticationCleartextPassword message: its letter, its length, and its number. */
const ASK_PASSWORD = Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 3])

test('bytes that a closed connection did not send are not sent on the next connection', async (t) => {
  let socket: Socket | undefined
  const { port } = new URL((await overTcp(t, database)).target)
  const opened = async () => {
    socket = createConnection(Number(port), '127.0.0.1')
    await once(socket, 'connect')
    return socket
  }
  const { sql } = await open(t, { socket: opened, connect_timeout: 5 })
  await isAlive(sql)
  // After this callback the event loop closes destroyed sockets, and only then runs later callbacks, such as the one
  // that writes.
  await soon()
  const unsent = assert.rejects(sql`select 2`, { code: 'CONNECTION_CLOSED' })
  for (let n = 0; n < 3; n++) await null
  socket!.destroy()
  await unsent
  await isAlive(sql)
})

test('the first statement of a connection does not get the final error of the previous connection', async (t) => {
  const { sql } = await open(t)
  const [{ pid } = { pid: 0 }] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const ended = assert.rejects(sql`select pg_sleep(60)`)
  await watcher`select pg_terminate_backend(${pid}, 5000)`
  await ended
  await isAlive(sql)
})

test('a cursor whose connection closes while its rows are processed rejects, and affects no other statement', async (t) => {
  const closed = Promise.withResolvers<void>()
  const { sql, relay } = await open(t, { onclose: () => closed.resolve() })
  const walk = sql`select n from generate_series(1, 3) n`.cursor(1, async () => {
    relay.end()
    await closed.promise
  })
  await assert.rejects(Promise.resolve(walk), { code: 'CONNECTION_CLOSED' })
  await isAlive(sql)
})

test('a transaction whose connection closed while it waited runs nothing on the replacement connection', async (t) => {
  const { sql, relay } = await open(t)
  const [lost, late] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const broken = sql.begin(async (tx) => {
    await tx`insert into written values ('before')`
    lost.resolve()
    await late.promise
    await tx`insert into written values ('after')`
  })
  broken.catch(() => {})
  await lost.promise
  relay.end()
  await assert.rejects(broken, { code: 'CONNECTION_CLOSED' })
  const next = sql.begin(async (tx) => {
    await tx`insert into written values ('next')`
    late.resolve()
    for (let n = 0; n < 5; n++) await soon()
    await tx`select 1`
    throw new Error('taken back')
  })
  await assert.rejects(next, /taken back/)
  assert.deepEqual([...(await watcher`delete from written returning what`)], [])
})

test('after a connection is reset within a transaction, later connections answer every statement', async (t) => {
  const { sql, relay } = await open(t)
  for (let n = 0; n < 2; n++) {
    const broken = sql.begin(async (tx) => {
      await tx`select 1`
      const slow = tx`select pg_sleep(60)`.execute()
      await soon()
      relay.reset()
      await slow
    })
    await assert.rejects(broken, /ECONNRESET|CONNECTION_CLOSED/)
    for (let n = 0; n < 3; n++) await isAlive(sql)
  }
})

test('a reserved connection that closed runs nothing more, and its release does not release another reservation', async (t) => {
  const { sql, relay } = await open(t)
  const own = await sql.reserve()
  await own`select 1`
  relay.end()
  const tried: Promise<string>[] = []
  const tryTo = (what: string) =>
    tried.push(
      own`insert into written values (${what})`.then(
        () => 'stored',
        () => 'refused',
      ),
    )
  let concurrent: Promise<unknown> | undefined
  await until('the connection has closed', async () => !(await own`select 1`.catch(() => null)))
  const next = sql.begin(async (tx) => {
    await tx`insert into written values ('next')`
    tryTo('late')
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
  assert.deepEqual([...(await watcher`delete from written returning what`)], [{ what: 'beside' }])
})

test('COPY: a connection stays usable after a stream whose last rows arrived while its reader was paused', async (t) => {
  const { sql } = await open(t)
  await isAlive(sql)
  const usual = getDefaultHighWaterMark(false)
  t.after(() => setDefaultHighWaterMark(false, usual))
  // The first row exceeds the stream's high-water mark, and the rest arrives in the same packet.
  setDefaultHighWaterMark(false, 100)
  const stream = await sql`copy (select repeat('x', 199) from generate_series(1, 3)) to stdout`.readable()
  setDefaultHighWaterMark(false, usual)
  let size = 0
  for await (const rows of stream) size += rows.length
  assert.equal(size, 600)
  await isAlive(sql)
})

test('if a statement is refused after its first rows, the next statement gets only its own rows', async (t) => {
  const { sql } = await open(t)
  await assert.rejects(sql`select 1 / (4 - n) from generate_series(1, 9) n`, { code: '22012' })
  await isAlive(sql)
})

test('the first use of a connection can be a reservation, without a query for the types', async (t) => {
  const { sql } = await open(t, { fetch_types: false })
  const own = await sql.reserve()
  await own`select 1`
  own.release()
})

test('callers that wait to reserve a connection get a new connection if the one they wait for closes', async (t) => {
  const { sql, relay } = await open(t)
  await isAlive(sql)
  const before = relay.writes
  const lost = assert.rejects(sql`select pg_sleep(60)`)
  await until('the statement was sent', () => relay.writes > before)
  const waiting = [sql.reserve(), sql.reserve()]
  relay.end()
  await lost
  for (const next of waiting) {
    const own = await next
    await own`select 1`
    own.release()
  }
})

test('a refused reservation does not get a connection later', async (t) => {
  const { sql, relay } = await open(t)
  relay.close()
  for (let n = 0; n < 2; n++) await assert.rejects(sql.reserve(), { code: 'ECONNREFUSED' })
  await relay.listen()
  const own = await sql.reserve()
  own.release()
  await isAlive(sql)
})

test('COPY: a refusal that arrives together with the CopyInResponse is an error only of the stream', async (t) => {
  const { sql } = await open(t)
  await sql`create temporary table kept (n integer)`
  await sql`create function pg_temp.refuse() returns trigger language plpgsql as
    $$ begin raise exception 'no space left' using errcode = '53100'; end $$`
  await sql`create trigger refused before insert on kept for each statement execute function pg_temp.refuse()`
  let together = 0
  for (let n = 0; together < 3 && n < 200; n++) {
    const opening = sql`copy kept from stdin`.writable()
    // The relay forwards the statement, and then nothing is read for a while. The server usually sends both of its
    // messages meanwhile; if it is slower, this is tried again.
    for (let turns = 0; turns < 8; turns++) await soon()
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    const stream = await opening
    if (stream.errored) together++
    const error = stream.errored ?? (await once(stream, 'error'))[0]
    assert.equal((error as { code?: string }).code, '53100')
    await isAlive(sql)
  }
  assert.equal(together, 3)
})

test('a savepoint is released after its work succeeds or is rolled back, so savepoints do not nest', async (t) => {
  const { sql } = await open(t)
  const locks = await sql.begin(async (tx) => {
    await tx`create temporary table kept (n integer)`
    for (let n = 0; n < 6; n++) {
      // Each savepoint writes, so it has a separate transaction number, which the server locks until the end of the
      // enclosing transaction.
      const done = tx.savepoint('Named', (sp) => sp`insert into kept values (${n}) returning 1 / ${n % 2}::int as one`)
      await done.catch(() => null)
    }
    assert.equal((await tx`select from kept`).count, 3)
    return await tx`select from pg_locks where pid = pg_backend_pid() and locktype = 'transactionid'`
  })
  assert.equal(locks.count, 1)
})

test('a transaction that begins on a connection with a full pipeline has exclusive use of the connection', async (t) => {
  const { sql } = await open(t, { max_pipeline: 2 })
  await isAlive(sql)
  const before = [sql`select 1`.execute(), sql`select 2`.execute()]
  const working = sql.begin(async (tx) => {
    await tx`insert into written values ('within')`
    throw new Error('taken back')
  })
  const concurrent = sql`insert into written values ('beside')`.execute()
  await assert.rejects(working, /taken back/)
  await Promise.all([...before, concurrent])
  assert.deepEqual([...(await watcher`delete from written returning what`)], [{ what: 'beside' }])
})

test('consecutive statements use one connection of a pool: the one that was used last', async (t) => {
  const { sql } = await open(t, { max: 3 })
  const pidOf = async (own: Pick<typeof sql, 'unsafe'> = sql) =>
    (await own.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid'))[0]!.pid
  assert.equal(new Set(await Promise.all([pidOf(), pidOf(), pidOf()])).size, 3)
  const last = await pidOf()
  assert.deepEqual([await pidOf(), await pidOf()], [last, last])
  const reserved = await sql.reserve()
  assert.equal(await pidOf(reserved), last)
  reserved.release()
})

test('COPY: a stream from the server counts its rows', async (t) => {
  const { sql } = await open(t)
  const stream: Readable & { rows?: number } = await sql`copy (select generate_series(1, 7)) to stdout`.readable()
  let text = ''
  for await (const rows of stream) text += rows
  assert.deepEqual([text, stream.rows], ['1\n2\n3\n4\n5\n6\n7\n', 7])
})

test('a statement with the option `atOnce` takes one write to the server, unless one of its values is a list', async (t) => {
  const { sql, relay } = await open(t)
  await isAlive(sql)
  /** Number of socket writes for a statement. */
  async function writesFor(query: postgres.PendingQuery<postgres.Row[]>, options: object = {}) {
    const before = relay.writes
    // The driver's types hide the member.
    Object.assign((query as unknown as { options: object }).options, { prepare: false, ...options })
    await query
    return relay.writes - before
  }
  assert.equal(await writesFor(sql`select ${'a'}::text`), 2)
  assert.equal(await writesFor(sql`select ${'a'}::text`, { atOnce: true }), 1)
  assert.equal(await writesFor(sql`select ${['a', 'b']}::text[]`, { atOnce: true }), 2)
})

test('each value of a row is as the server sent it, with and without letters beyond ASCII, in short and in long rows', async (t) => {
  const { sql } = await open(t)
  // Up to 4,096 bytes, the driver decodes a row as one text.
  for (const length of [0, 1, 130, 4_000, 4_200, 70_000]) {
    const long = 'x'.repeat(length)
    const found = await sql`
      select ${long}::text as long, null as none, 'Ærø ☃ 𝛑'::text as letters, '{é,b}'::text[] as list, 7 as number, ''::text as empty`
    const expected = { long, none: null, letters: 'Ærø ☃ 𝛑', list: ['é', 'b'], number: 7, empty: '' }
    assert.deepEqual([...found], [expected])
  }
  const [row] = await sql`select 'é'::text as letter, null as none`.raw()
  assert.deepEqual(row, [Buffer.from('é'), null])
})

test('the facts about a result are properties, and not among its elements', async (t) => {
  const { sql } = await open(t)
  const found = await sql`select 1 as n`
  assert.deepEqual(Object.keys(found), ['0'])
  const { count, command, columns, statement } = found
  assert.deepEqual([count, command, columns.map(({ name }) => name)], [1, 'SELECT', ['n']])
  assert.equal(statement.string, 'select 1 as n')
  assert.equal(found.map(({ n }) => n).constructor, Array)
})
