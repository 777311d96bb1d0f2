/**
 * Rate limits that several servers share through Valkey or Redis. The tests use Debian's redis-server, and also the
 * command `serve`.
 *
 * @ci it needs redis-server
 */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { type TestContext, test } from 'node:test'
import { createClient } from '@redis/client'
import { checkValkey } from '../../src/commands/doctor/valkey.ts'
import { createKey } from '../../src/serve/keys.ts'
import { sharedLimiter } from '../../src/serve/limits/shared.ts'
import { ValkeyCounts } from '../../src/serve/limits/valkey.ts'
import { begin, freePort, queried, sampledEnv } from '../support/command.ts'
import { until } from '../support/until.ts'

const program = ['valkey-server', 'redis-server'].find((name) => spawnSync(name, ['--version']).status === 0)
const skip = program ? false : 'no valkey-server or redis-server is installed'
const steady = () => performance.now()
type After = { after(fn: () => void | Promise<void>): void }

/** Starts a redis-server on loopback that stores nothing on disk. */
async function startValkey(t: After, port: number): Promise<{ stop(): Promise<void> }> {
  const child = spawn(program!, ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  t.after(stop)
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
  })
  await until('the server accepts connections', async () => /[Rr]eady to accept connections/.test(said))
  return { stop }
}

function limiterAt(t: After, url: string) {
  const store = new ValkeyCounts(url)
  t.after(() => store.close())
  return { store, limiter: sharedLimiter({ store, steady, waitMs: 5_000, restMs: 0 }) }
}

test('doctor says whether the Valkey of the setting answers', { skip }, async (t) => {
  const port = await freePort()
  await startValkey(t, port)
  const url = `redis://127.0.0.1:${port}`
  assert.deepEqual(await checkValkey({ VALKEY_URL: url }), [{ name: 'Valkey', state: 'ok', found: `${url} answers` }])
})

test('three servers together allow the requests of one limit; without Valkey each counts alone, and later they count together again', {
  skip,
}, async (t) => {
  const port = await freePort()
  const valkey = await startValkey(t, port)
  const url = `valkey://127.0.0.1:${port}`
  const all = [limiterAt(t, url), limiterAt(t, url), limiterAt(t, url)]
  for (const { store } of all)
    await until('the store answers', async () => store.add('', 'general', 0).then(Boolean, () => false))
  const take = async (countedAs: string, limit: number, requests: number) => {
    const taken = await Promise.all(
      Array.from({ length: requests }, (_, n) => all[n % 3]!.limiter.take(countedAs, 'search', limit)),
    )
    return taken.filter(({ allowed }) => allowed).length
  }
  assert.equal(await take('small', 10, 60), 10)
  const large = await take('large', 3_000, 4_500)
  assert.ok(large <= 3_000 && large >= 2_970, `${large} of 3,000`)
  const state = await all[0]!.limiter.peek('small', 'search', 10)
  assert.equal(state.remaining, 0)
  assert.ok(state.resetSeconds <= 60 && state.resetSeconds > 30)

  await valkey.stop()
  assert.equal(await take('away', 10, 60), 30)
  for (const { limiter } of all) assert.match(limiter.whyLocal()!, /^Valkey does not answer/)
  await startValkey(t, port)
  for (const [n, { limiter }] of all.entries()) {
    await until('the limiter uses the shared counts again', async () => {
      await limiter.take(`probe ${n} ${steady()}`, 'search', 10)
      return limiter.whyLocal() === null
    })
  }
  assert.equal(await take('back', 10, 60), 10)
})

test('if the clock of Valkey is set back by an hour, a window ends within a minute', { skip }, async (t) => {
  const port = await freePort()
  await startValkey(t, port)
  const { store } = limiterAt(t, `valkey://127.0.0.1:${port}`)
  await until('the store answers', async () => store.add('', 'general', 0).then(Boolean, () => false))
  await store.add('set back', 'search', 7)
  const client = await createClient({ url: `redis://127.0.0.1:${port}` }).connect()
  client.on('error', () => {})
  t.after(() => client.destroy())
  const name = 'openfilings:rate:search:set back'
  // Valkey expires a key at a time of day, which is an hour and a minute away once the clock has been set back.
  assert.equal(await client.pExpire(name, 3_660_000), 1)
  assert.deepEqual(await store.add('set back', 'search', 1), { used: 8, msLeft: 60_000 })
  assert.ok((await client.pTTL(name)) <= 60_000)
})

test('a server whose Valkey address has no listener counts alone', { skip }, async (t) => {
  const { limiter } = limiterAt(t, `redis://127.0.0.1:${await freePort()}`)
  const taken = []
  for (let n = 0; n < 12; n++) taken.push(await limiter.take('key', 'search', 10))
  assert.equal(taken.filter(({ allowed }) => allowed).length, 10)
  assert.match(limiter.whyLocal()!, /^Valkey does not answer/)
})

/** Starts the command, and waits until it is ready and shares the limits. */
async function originOf(t: After, env: Record<string, string>): Promise<string> {
  const server = begin(t as TestContext, ['serve', '--port', '0'], env)
  const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/
  await server.until(ADDRESS)
  const [origin] = ADDRESS.exec(server.stdout() + server.stderr())!
  await until('the server is ready and shares the limits', async () => {
    const answer = await fetch(`${origin}/readyz`)
    return answer.ok && !('limits' in ((await answer.json()) as object))
  })
  return origin
}

for (const kind of ['DATABASE_URL', 'VALKEY_URL'] as const) {
  test(`two processes of serve with the same ${kind} together allow a key its limit`, { skip }, async (t) => {
    const env = await sampledEnv(t)
    const port = await freePort()
    if (kind === 'VALKEY_URL') {
      await startValkey(t, port)
      env.VALKEY_URL = `redis://127.0.0.1:${port}`
    }
    const { key } = await queried(env, (sql) => createKey(sql, { account: kind, scopes: ['api'], now: new Date() }))
    const origins = await Promise.all([originOf(t, env), originOf(t, env)])
    const statuses: number[] = []
    for (let n = 0; n < 14; n++) {
      const answer = await fetch(`${origins[n % 2]}/v1/me`, { headers: { 'x-api-key': key } })
      statuses.push(answer.status)
      await answer.arrayBuffer()
    }
    assert.deepEqual(statuses, [...Array(10).fill(200), ...Array(4).fill(429)])
    const counted = await queried(env, (sql) => sql`select from core.allowance`)
    assert.equal(
      counted.length > 0,
      kind === 'DATABASE_URL',
      'the database counts only if it is the store of the counts',
    )
  })
}
