/** Sends the most expensive requests that the API accepts to the real routes, twenty at a time, with one key. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import registry from '../../src/registry.ts'
import { described } from '../../src/serve/described.ts'
import { openLog } from '../../src/serve/http/log.ts'
import { createServer } from '../../src/serve/http.ts'
import { createKey } from '../../src/serve/keys.ts'
import { openapi } from '../../src/serve/openapi.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { freshDatabase } from '../support/database.ts'
import { emptyArchive } from '../support/empty-archive.ts'
import { ask } from '../support/scratch-server.ts'
import { loadFilings } from '../support/spine-rows.ts'
import { until } from '../support/until.ts'

const later: (() => Promise<void>)[] = []
const { sql, target } = await freshDatabase({ after: (fn) => later.push(fn) })
await loadFilings(sql, [
  { accession: '0000000001-25-000001', form: '10-K', filed: '2025-11-03', filers: [['1', 'ALPHA CAPITAL CORP']] },
  { accession: '0000000002-25-000001', form: '8-K', filed: '2025-11-04', filers: [['2', 'BETA CAPITAL LLC']] },
])
const readers = openReaders({ target, max: 10 })
const server = await createServer({
  catalog: registry,
  sql,
  readers,
  submissions: emptyArchive(sql),
  now: () => new Date(),
  log: openLog({ level: 'silent' }),
  selfServeClosed: [],
  isReady: async () => null,
  openapi: described('0.0.0', () => openapi(registry, '0.0.0')),
})
const base = await server.listen({ host: '127.0.0.1', port: 0 })
after(async () => {
  await server.close()
  await readers.end()
  for (const close of later) await close()
})

const newKey = async (account: string) => {
  const limits = { searchLimit: 1000, generalLimit: 1000 }
  return (await createKey(sql, { account, scopes: ['api'], now: new Date(), ...limits })).key
}
const asking = (key: string, path: string) => ask(base, `/v1${path}`, { headers: { 'x-api-key': key } })

async function places(what: 'running' | 'waiting', cost: string): Promise<number> {
  const { text } = await ask(base, '/metrics')
  return Number(new RegExp(`^openfilings_places_${what}{class="${cost}"} (\\d+)$`, 'm').exec(text)![1])
}

/** Expensive requests, each with a table that the test locks, so that the request waits until the lock is released. */
const EXPENSIVE: { table: string; paths: (i: number) => string; cost: string; running: number }[] = [
  {
    table: 'edgar.filer_search',
    paths: (i) => `/filings?q=capital&offset=${99_000 + i}`,
    // Requests pages far down a list. At most three such requests run at once, and at most two of them have the same
    // key.
    cost: 'heavy',
    running: 2,
  },
  // Searches for common words on different days, so that no two requests share an answer.
  {
    table: 'documents.document',
    paths: (i) => `/text-search?q=company&from=2025-01-${String(i + 1).padStart(2, '0')}`,
    cost: 'heavy',
    running: 2,
  },
  // Counts all rows that match.
  { table: 'proxies.statement', paths: (i) => `/proxies?count=exact&offset=${i}`, cost: 'heavy', running: 2 },
  { table: 'edgar.filer_search', paths: (i) => `/filings?q=capital&sort=name&offset=${i}`, cost: 'list', running: 5 },
  { table: 'adv.adviser', paths: (i) => `/adv/advisers/list?offset=${i}`, cost: 'list', running: 5 },
  { table: 'cfportal.filing', paths: (i) => `/cfportal?offset=${i}`, cost: 'list', running: 5 },
  { table: 'x17a5.broker', paths: (i) => `/brokers/${i + 1}`, cost: 'point', running: 5 },
]

for (const { table, paths, cost, running } of EXPENSIVE) {
  test(`twenty concurrent requests like ${paths(0)}, none of which ends, do not block requests of other keys`, async () => {
    const [greedy, other] = [await newKey('greedy'), await newKey('other')]
    const locked = Promise.withResolvers<void>()
    const unlock = Promise.withResolvers<void>()
    const lock = sql.begin(async (tx) => {
      await tx`lock table ${tx(table)} in access exclusive mode`
      locked.resolve()
      await unlock.promise
    })
    await locked.promise
    const all = Array.from({ length: 20 }, (_, i) => asking(greedy, paths(i)))
    await until('the other requests wait', async () => (await places('waiting', cost)) >= 20 - running, 5000)
    assert.equal(await places('running', cost), running)
    for (const path of ['/filings?limit=1', '/filings?form=8-K', '/filings/coverage', '/feed', '/me']) {
      assert.equal((await asking(other, path)).status, 200, path)
    }
    // The expensive requests still run, so the other requests were answered meanwhile.
    assert.equal(await places('running', cost), running)
    unlock.resolve()
    await lock
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    assert.deepEqual(
      [...new Set(statuses)].filter((status) => status !== 404),
      cost === 'point' ? [] : [200],
    )
  })
}
