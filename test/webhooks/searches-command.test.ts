/** Saved searches created by the command, and a serving process that is killed. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { open } from '../../src/app.ts'
import { readSettings } from '../../src/config.ts'
import { logChange } from '../support/change-log.ts'
import { begin, beginHere, run, sampledEnv, untilReady } from '../support/command.ts'
import { receiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

test('a serving process that is killed repeatedly delivers all matches in order, and repeats a delivery only with the same id', async (t) => {
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
    await until('another delivery arrives', () => to.received.length > n)
    if (n < 2) await server.end('SIGKILL')
    else {
      await until('all matches arrive', () => new Set(to.received.flatMap((one) => one.keys)).size === keys.length)
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

test('a ticker in the filters of a search or a webhook is stored as the CIK of its company', async (t) => {
  const env = { ...(await sampledEnv(t)), WEBHOOK_PRIVATE: 'on' }
  const to = await receiver(t)
  const search = (list: string) => run(['searches', 'create', '--name', list, '--feed', '--list', list], env)
  const hook = (cik: string) => run(['webhooks', 'create', '--url', to.url, '--cik', cik], env)
  for (const list of [
    '/v1/filings?cik=AAPL',
    '/v1/companies/AAPL/filings',
    '/v1/events?cik=aapl,1067983&source=formd',
  ]) {
    const { status, stderr } = await search(list)
    if (list.includes('companies')) assert.match(stderr, /not the address of a list/)
    else assert.equal(status, 0, stderr)
  }
  assert.equal((await hook('AAPL,1067983')).status, 0)
  assert.match(
    (await search('/v1/filings?cik=ZZZZQ')).stderr,
    /--list: cik: no company with the ticker ZZZZQ is loaded/,
  )
  assert.match((await hook('ZZZZQ')).stderr, /--cik: no company with the ticker ZZZZQ is loaded/)
  const app = await open(readSettings(env).config, { make: true })
  t.after(() => app.close())
  const searches = await app.sql<{ address: string }[]>`select address from core.search order by address`
  assert.deepEqual(
    searches.map(({ address }) => address),
    ['/events?cik=0000320193%2C1067983&source=formd', '/filings?cik=0000320193'],
  )
  const hooks = await app.sql<{ filters: unknown }[]>`select filters from core.webhook where search_id is null`
  assert.deepEqual(hooks[0]?.filters, { cik: ['0000320193', '0001067983'] })
})

test('the command refuses an invalid search with the reason', async (t) => {
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
