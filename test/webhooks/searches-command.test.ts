/** Saved searches created by the command, and a serving process that is killed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../../src/app.ts'
import { readSettings } from '../../src/config.ts'
import { logChange } from '../support/change-log.ts'
import { begin, beginHere, run, sampledEnv, untilReady } from '../support/command.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

test('a serving process that is killed repeatedly delivers each match once and in order', async (t) => {
  const to = await receiver(t)
  const env = { ...(await sampledEnv(t)), WEBHOOK_PRIVATE: 'on', PORT: '0' }
  const made = await run(
    ['searches', 'create', '--name', 'all', '--list', '/v1/formd/filings', '--url', to.url, '--feed'],
    env,
  )
  assert.equal(made.status, 0, made.stderr)
  assert.match(made.stdout, /\/feeds\/sf_[0-9a-f]{40}/)
  const app = await open(readSettings(env).config, { make: true })
  t.after(() => app.close())
  const rows = await app.sql<{ accession: string }[]>`select accession from formd.offering order by accession limit 12`
  const keys = rows.map(({ accession }) => accession)
  to.next = Array.from({ length: 1_000 }, () => (response) => void setTimeout(() => response.writeHead(204).end(), 25))
  for (let n = 0; n < 3; n++) {
    const server = (n < 2 ? begin : beginHere)(t, ['serve'], env)
    await untilReady(server)
    const some = keys.slice(4 * n, 4 * n + 4)
    for (const key of some) await logChange(app.sql, { slug: 'formd', keys: [key] })
    await until('some came', () => to.received.length > n)
    if (n < 2) await server.end('SIGKILL')
    else {
      await until('all came', () => new Set(to.received.flatMap((one) => one.keys)).size === keys.length)
      assert.equal(await server.end(), 0)
    }
  }
  const firsts = [...Map.groupBy(to.received, ({ id }) => id).values()].map(([first]) => first!)
  assert.deepEqual(
    firsts.flatMap((one) => one.keys),
    keys,
  )
  const listed = await run(['searches', 'list'], env)
  const [, id] = /(se_[0-9a-f]{16})/.exec(listed.stdout)!
  assert.ok(!/sf_|whsec_/.test(listed.stdout), 'secrets are shown once')
  assert.equal((await run(['searches', 'delete', id!], env)).status, 0)
  assert.equal((await run(['searches', 'delete', id!], env)).status, 1)
})

test('the command refuses an invalid search with the reason, if possible before it opens a database', async (t) => {
  const env = await sampledEnv(t)
  const create = (...more: string[]) => run(['searches', 'create', '--name', 'x', ...more], env)
  const refused: [given: string[], reason: RegExp][] = [
    [['--list', '/v1/formd/filings?color=red', '--feed'], /--list: .*color/],
    [['--list', '/v1/nothing', '--feed'], /not the address of a list/],
    [['--list', '/v1/text-search?q=%22', '--feed'], /--list: q/],
    [['--list', '/v1/formd/filings'], /--url URL, --feed, or both/],
    [['--list', '/v1/formd/filings', '--url', 'http://127.0.0.1:9/'], /--url: /],
  ]
  for (const [given, reason] of refused) {
    const { status, stderr } = await create(...given)
    assert.equal(status, 1, given.join(' '))
    assert.match(stderr, reason)
  }
})
