/** First starts: two servers at once, an empty database, a sample that was cut off or is another version's. */
import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { asked, begin, freePort, madePlace, place, run, runApart, untilReady } from './command.ts'
import { until } from './until.ts'

/** What a server answers to the question whether it is ready; null before it listens. */
async function readiness(port: number): Promise<{ status: number; error?: string } | null> {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null)
  if (!response) return null
  const { error } = (await response.json()) as { error?: string }
  return { status: response.status, ...(error ? { error } : {}) }
}

test('of two servers that start together on nothing one loads the sample, and the other is ready, and says so, only when it is there', async (t) => {
  const env = await place(t)
  const ports = [await freePort(), await freePort()]
  const servers = ports.map((port) => begin(t, ['serve'], { ...env, PORT: String(port) }))
  const reasons = new Set<string>()
  const ready = [false, false]
  const end = Date.now() + 120_000
  while (!ready.every(Boolean)) {
    assert.ok(Date.now() < end, 'both were never ready')
    for (const [n, port] of ports.entries()) {
      const found = await readiness(port)
      if (found?.error) reasons.add(found.error)
      if (found?.status === 200 && !ready[n]) {
        ready[n] = true
        const [row] = await asked(
          env,
          (sql) => sql`select exists (select from core.meta where name = 'sample') as whole`,
        )
        assert.equal(row!.whole, true, 'ready means that the whole sample is there')
      }
    }
    await sleep(20)
  }
  const texts = await Promise.all(servers.map(untilReady))
  const loads = texts.map((text) => /^sample: done/m.test(text))
  assert.deepEqual(loads.sort(), [false, true])
  const loaded = texts.map((text) => /^Loaded: .*$/m.exec(text)![0])
  assert.equal(loaded[0], loaded[1])
  for (const text of texts) assert.equal(text.match(/^ {2}curl/gm)?.length, texts[0]!.match(/^ {2}curl/gm)?.length)
  assert.deepEqual([...reasons].filter((reason) => reason !== 'not ready: starting').sort(), [
    'not ready: another process is loading the first data',
    'not ready: loading the bundled sample',
  ])
  assert.match(
    servers.map(({ stderr }) => stderr()).join(''),
    /another process is loading the first data: waiting for it/,
  )
  for (const server of servers) assert.equal(await server.end(), 0)
})

const NOTHING = 'nothing is loaded; "openfilings ingest" loads real filings, "openfilings sample" the bundled sample'

test('a start on an empty database, or on a part of the sample, says so and how to load it, and is ready when the sample is there', async (t) => {
  const env = await madePlace(t)
  // As a refused ingest of an older version left it: whoever ingests does not want the sample unasked.
  await asked(env, (sql) => sql`insert into core.meta values ('origin', 'edgar')`)
  const port = await freePort()
  const server = begin(t, ['serve'], { ...env, PORT: String(port) })
  const text = await server.until(/OpenFilings listens at .*\n/)
  assert.ok(text.includes(`, but ${NOTHING}.\n`), text)
  assert.doesNotMatch(text, /curl|is ready/)
  assert.deepEqual(await readiness(port), { status: 503, error: `not ready: ${NOTHING}` })
  await t.test(
    '"sample" brings it back; stopped in the middle it leaves a part, which the server tells from the whole',
    async () => {
      await asked(env, async (sql) => {
        const sample = begin(t, ['sample'], env)
        const hasBegun = async () => (await sql`select from core.meta where value = 'sample'`).length > 0
        await until('the load has begun', hasBegun)
        assert.equal(await sample.end('SIGTERM'), 143)
        assert.match(sample.stdout(), /^sample: stopped/m)
      })
      await server.until(/but only a part of the bundled sample is loaded; "openfilings sample" loads the rest\./)
      assert.equal((await readiness(port))!.status, 503)
    },
  )
  await t.test('the next start loads it anew, and both servers are ready', async () => {
    const next = begin(t, ['serve', '--port', '0'], env)
    assert.match(await untilReady(next), /^sample: done(.*\n)*Loaded: +the bundled sample: \d+ filings, the newest of/m)
    assert.match(await untilReady(server), /OpenFilings is ready at/)
    assert.deepEqual(await readiness(port), { status: 200 })
    const again = await run(['sample'], env)
    assert.deepEqual([again.status, again.stdout], [0, 'the bundled sample is there already\n'])
    for (const each of [server, next]) assert.equal(await each.end(), 0)
  })
  await t.test(
    'an older version’s sample is served where nobody wants the new one, and else replaced, whatever code its tables are of',
    async () => {
      await asked(env, async (sql) => {
        await sql`update core.meta set value = 'an older one' where name = 'sample'`
        await sql`update core.dataset set parser_hash = 'older' where slug in ('formd', 'adv')`
      })
      const without = begin(t, ['serve', '--port', '0'], { ...env, SAMPLE: 'off' })
      assert.match(await untilReady(without), /^Loaded: +the bundled sample of another version: \d+ filings/m)
      assert.equal(await without.end(), 0)
      await asked(env, (sql) => sql`update core.dataset set ddl_hash = 'older' where slug = 'rega'`)
      const next = begin(t, ['serve', '--port', '0'], env)
      assert.match(await untilReady(next), /^Loaded: +the bundled sample: \d+ filings/m)
      assert.equal(await next.end(), 0)
    },
  )
})

test('commands that only look or change what is there make nothing, and say where they looked', async (t) => {
  const env = await place(t)
  const DATA_DIR = env.DATA_DIR!
  const folder = path.dirname(DATA_DIR)
  const where = new RegExp(
    `there is no OpenFilings database in the data folder ${DATA_DIR}: .*serve.*ingest.*sample.*DATA_DIR.*DATABASE_URL`,
  )
  for (const args of [['status'], ['keys', 'list'], ['keys', 'create', '--account', 'a'], ['rebuild', 'formd']]) {
    const { status, stderr } = await run(args, { DATA_DIR })
    assert.equal(status, 1)
    assert.match(stderr, where)
    assert.equal(stderr.split('\n').length, 2, stderr)
  }
  const doctor = await run(['doctor'], { DATA_DIR, EDGAR_BASE_URL: 'file:///', ADVISERINFO_BASE_URL: 'file:///' })
  assert.match(doctor.stdout, new RegExp(`^ok +database: none in ${DATA_DIR} yet`, 'm'))
  assert.equal((await run(['ingest', '--help'], { DATA_DIR })).status, 0)
  assert.deepEqual(await readdir(folder), [])
  await t.test('in the folder they are called from as well', async () => {
    const { status, stderr } = await runApart(['status'], {}, { cwd: folder })
    assert.equal(status, 1)
    assert.ok(stderr.includes(`in the data folder ${folder}/data:`), stderr)
    assert.deepEqual(await readdir(folder), [])
  })
})
