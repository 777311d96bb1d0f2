/** File downloads that break off, and clients that are slow, disconnect or request too many files. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { type ClientRequest, request } from 'node:http'
import { connect as connectTo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { freshDatabase } from '../support/database.ts'
import { codeOf } from '../support/error-codes.ts'
import { bytesOf, ended, metric, opened, running, served, serveLists, sleeping } from '../support/files/scratch.ts'
import { type Scratch, scratchServer } from '../support/scratch-server.ts'
import { until } from '../support/until.ts'

const { server, key, take } = await serveLists()
/** A separate database for servers that only one test uses. */
const database = await freshDatabase({ after })

for (const [what, status, level] of [
  ['fail', 500, 50],
  ['lost', 503, 40],
  ['nothing', 404, 40],
] as const) {
  test(`an error during a file (${what}) closes the connection before the last line, and log and metrics report it`, async () => {
    const before = await ended(server, 'cut')
    const { came } = await opened(server, `/v1/rows?format=csv&behind=${what}`, key)
    assert.equal(came.statusCode, 200)
    const { text, isWhole } = await bytesOf(came)
    assert.equal(isWhole, false)
    assert.doesNotMatch(text, /# rows:/)
    const id = came.headers['x-request-id']
    await until('the request is logged', () =>
      server.lines().some((line) => line.reqId === id && line.msg === 'request'),
    )
    const [brokenOff, logged] = server.lines().filter(({ reqId }) => reqId === id)
    assert.deepEqual(
      [brokenOff!.msg, brokenOff!.level, brokenOff!.rows],
      ['the answer with a file was interrupted', level, 2000],
    )
    assert.deepEqual([logged!.msg, logged!.status], ['request', status])
    assert.equal(await ended(server, 'cut'), before + 1)
    await until('no file is being sent', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
  })
}

for (const [coding, decode] of Object.entries({
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
})) {
  test(`a file is sent as ${coding} to a client that accepts it, and a truncated file has no valid end of ${coding}`, async () => {
    const [plain, packed] = [
      await take('/rows?format=csv'),
      await take('/rows?format=csv', { 'accept-encoding': coding }),
    ]
    assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], [coding, 'accept, accept-encoding'])
    assert.equal(decode(packed.body).toString(), plain.text)
    assert.ok(packed.body.length < plain.body.length / 2)
    const headers = { 'accept-encoding': coding }
    const { came } = await opened(server, '/v1/rows?format=csv&behind=fail', key, headers)
    assert.equal(came.headers['content-encoding'], coding)
    assert.equal((await bytesOf(came)).isWhole, false)
  })
}

test('curl exits with an error if a file breaks off', async () => {
  const download = promisify(execFile)('curl', [
    '-s',
    '-H',
    `x-api-key: ${key}`,
    `${server.base}/v1/rows?format=csv&behind=fail`,
  ])
  const failed = await download.then(
    () => assert.fail('curl took the file for complete'),
    (error: NodeJS.ErrnoException & { code: unknown }) => error,
  )
  assert.equal(failed.code, 18)
})

test('if a client disconnects during a file, the statement of the next page is cancelled and all resources are released', async () => {
  const before = await ended(server, 'gone')
  const { sent } = await opened(server, '/v1/rows?format=csv&behind=sleep', key)
  await until('the statement of the next page runs', async () => (await sleeping(server)) === 1)
  sent.destroy()
  await until('the statement has ended', async () => (await sleeping(server)) === 0, 5000)
  await until('the slot is free', async () => (await running(server)) === 0)
  await until('the download is counted as left by its client', async () => (await ended(server, 'gone')) === before + 1)
  assert.equal(await metric(server, 'openfilings_files_under_way'), 0)
})

test('if a client disconnects before the first page, all resources are released', async () => {
  const own = await server.key()
  const url = new URL(server.base)
  for (let i = 0; i < 3; i++) {
    const sent = request({
      host: url.hostname,
      port: url.port,
      path: '/v1/rows?format=csv',
      agent: false,
      headers: { 'x-api-key': own },
    })
    sent.on('error', () => {}).end()
    await new Promise((resolve) => sent.on('socket', (socket) => socket.on('connect', resolve)))
    sent.destroy()
  }
  await until('no file is being sent', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
  assert.equal((await server.as(own, '/v1/rows?format=csv')).status, 200)
})

test('if a client disconnects with a second file queued on its connection, the first file is released and the second never begins', async () => {
  const own = await server.key()
  const url = new URL(server.base)
  const socket = connectTo(Number(url.port), url.hostname)
  await new Promise((resolve) => socket.on('connect', resolve))
  const path = '/v1/rows?format=csv&wide=8000&of=20000'
  const sent = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${own}\r\n\r\n`
  socket.write(sent + sent)
  await until('the first file is being sent', async () => (await metric(server, 'openfilings_files_under_way')) === 1)
  await until('the file holds no slot', async () => (await running(server)) === 0)
  socket.destroy()
  await until('no file is being sent', async () => (await metric(server, 'openfilings_files_under_way')) === 0, 5000)
  assert.equal((await server.as(own, '/v1/rows?format=csv')).status, 200)
})

test('a slow reader occupies no slot and no database connection, and other requests are answered meanwhile', async () => {
  const { sent, came } = await opened(server, '/v1/rows?format=csv&wide=20000&of=20000', key)
  came.pause()
  await sleep(300)
  await until('no file holds a slot', async () => (await running(server)) === 0)
  assert.equal(await metric(server, 'openfilings_files_under_way'), 1)
  const [{ n }] = await server.sql<[{ n: number }]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and (state = 'active' or state like 'idle in%') and pid <> pg_backend_pid()`
  assert.equal(n, 0)
  assert.equal((await take('/rows?limit=2')).status, 200)
  sent.destroy()
  await until('the file has ended', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
})

test('a key can download two files at once; a third is refused with 429 and Retry-After, and other keys have their own count', async () => {
  const [greedy, other] = [await server.key(), await server.key()]
  const path = '/v1/rows?format=csv&wide=20000&of=20000'
  const all = [await opened(server, path, greedy), await opened(server, path, greedy)]
  for (const { came } of all) came.pause()
  const third = await server.as(greedy, '/v1/rows?format=csv')
  assert.deepEqual([third.status, third.headers['retry-after']], [429, '10'])
  assert.equal(codeOf(third.status, third.json()), 'too_many_at_once')
  assert.match(third.json().error, /^this key has 2 files running, the maximum for a key/)
  // A page is not a whole list, so it does not count as a file.
  assert.equal((await server.as(greedy, '/v1/rows?format=csv&limit=5')).status, 200)
  assert.equal((await server.as(other, '/v1/rows?format=csv')).status, 200)
  for (const { sent } of all) sent.destroy()
  await until('the files have ended', async () => (await metric(server, 'openfilings_files_under_way')) === 0)
  assert.equal((await server.as(greedy, '/v1/rows?format=csv')).status, 200)
})

test('a client that reads nothing for too long is disconnected', async (t) => {
  const own = await scratchServer(t, { database, catalog: served, fileStallMs: 400 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=20000&of=20000', await own.key())
  came.pause()
  await until('the file is counted as cut off', async () => (await ended(own, 'cut')) === 1)
  const logged = own.lines().find(({ msg }) => msg === 'the answer with a file was interrupted')
  assert.equal(logged!.code, 'client_stalled')
  assert.equal(logged!.reason, 'the client has read nothing for 0.4 seconds')
  assert.equal((await bytesOf(came)).isWhole, false)
})

/** Takes all slots of heavy requests while a file is between two pages. @returns a function that releases them */
async function allTaken(at: Scratch): Promise<() => void> {
  const url = new URL(at.base)
  // One key may use at most two of these slots.
  const [one, other] = [await at.key(), await at.key()]
  const all = new Set<ClientRequest>()
  const hold = (own: string) => {
    const sent = request({
      host: url.hostname,
      port: url.port,
      path: '/v1/hold',
      agent: false,
      headers: { 'x-api-key': own },
    })
    all.add(sent)
    // On a busy machine, the file may still hold a slot while this request waits for a slot, so the request is refused.
    sent.on('response', (response) => {
      response.resume()
      all.delete(sent)
      if (!isOver) hold(own)
    })
    sent.on('error', () => {}).end()
  }
  let isOver = false
  for (const own of [one, one, other]) hold(own)
  await until('all slots are taken', async () => (await sleeping(at)) === 3)
  return () => {
    isOver = true
    for (const sent of all) sent.destroy()
  }
}
const late = (at: Scratch) => metric(at, 'openfilings_places_refused_total{class="heavy",reason="late"}')

test('if a page of a file gets no slot, it is requested again, and the file is complete', async (t) => {
  const own = await scratchServer(t, { database, catalog: served, slotWaitMs: 200 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=8000&of=12000', await own.key())
  came.pause()
  await until('the file is between two pages', async () => (await running(own)) === 0)
  const giveBack = await allTaken(own)
  const all = bytesOf(came)
  await until('a page got no slot', async () => (await late(own)) > 0)
  giveBack()
  const { text, isWhole } = await all
  assert.equal(isWhole, true)
  assert.match(text, /# rows: 12000\r\n$/)
})

test('a file breaks off if its next page gets no slot for too long', async (t) => {
  const own = await scratchServer(t, { database, catalog: served, slotWaitMs: 100, fileSlotWaitMs: 50 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=8000&of=12000', await own.key())
  came.pause()
  await until('the file is between two pages', async () => (await running(own)) === 0)
  const giveBack = await allTaken(own)
  assert.equal((await bytesOf(came)).isWhole, false)
  const logged = own.lines().find(({ msg }) => msg === 'the answer with a file was interrupted')
  assert.equal(logged!.code, 'waited_too_long')
  assert.equal(logged!.reason, 'the service was busy with other requests for 0.1 seconds; try again later')
  giveBack()
})

test('a server that shuts down waits for a file for a limited time, then cuts it off', async (t) => {
  const own = await scratchServer(t, { database, catalog: served, closeWaitMs: 300 })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=20000&of=20000', await own.key())
  came.pause()
  await own.server.close()
  const { text, isWhole } = await bytesOf(came)
  assert.equal(isWhole, false)
  assert.doesNotMatch(text, /# rows:/)
  await until('the interruption is logged', () =>
    own.lines().some(({ msg }) => msg === 'the answer with a file was interrupted'),
  )
  assert.equal(
    own.lines().find(({ msg }) => msg === 'the answer with a file was interrupted')!.reason,
    'the server is shutting down; try again',
  )
})

test('a server that shuts down finishes a file whose client keeps reading', async (t) => {
  const own = await scratchServer(t, { database, catalog: served })
  const { came } = await opened(own, '/v1/rows?format=csv&wide=2000&of=20000', await own.key())
  const [{ text, isWhole }] = await Promise.all([bytesOf(came), own.server.close()])
  assert.equal(isWhole, true)
  assert.match(text, /# rows: 20000\r\n$/)
})
