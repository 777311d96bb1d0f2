/**
 * An ingest that is refused, loads nothing or is killed leaves the bundled sample unchanged; the first real data
 * replaces the sample.
 */
import assert from 'node:assert/strict'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { assertRefused, begin, beginHere, queried, run, sampledEnv, untilReady } from '../support/command.ts'
import { type Host, startHost } from '../support/edgar-host.ts'
import { until } from '../support/until.ts'
import { sample, temporaryFolder } from '../support/world.ts'

const later: (() => Promise<unknown>)[] = []
const t = { after: (fn: () => Promise<unknown>) => void later.unshift(fn) }
after(async () => {
  for (const fn of later) await fn()
})

describe('an ingest on a database with the bundled sample', () => {
  let env: Record<string, string>
  let host: Host
  let garbage: string
  let whole: Awaited<ReturnType<typeof held>>

  before(async () => {
    env = await sampledEnv(t)
    host = await startHost({ root: sample })
    t.after(() => host.close())
    garbage = await serveGarbage()
    whole = await held()
    assert.equal(whole.origin, 'sample')
    for (const count of Object.values(whole)) assert.ok(count, 'the sample has rows of each kind')
  })

  /** Returns facts about the loaded sample: the number of its filings and records, and the mark that it is complete. */
  const held = () =>
    queried(env, async (sql) => {
      const [row] = await sql<Record<string, unknown>[]>`
        select (select value from core.meta where name = 'origin') as origin,
          exists (select from core.meta where name = 'sample') as whole,
          (select count(*)::int from edgar.filing) as filings, (select count(*)::int from edgar.task where state = 'done') as read,
          (select count(*)::int from formd.offering) as offerings, (select count(*)::int from bulk.record) as records,
          (select count(*)::int from bulk.edition where state = 'done') as editions`
      return row!
    })
  it('without a valid contact is refused in one line, before anything is opened or removed', async () => {
    assertRefused(await run(['ingest'], env), /EDGAR_USER_AGENT.*it is not set/)
    assertRefused(
      await run(['ingest'], { ...env, EDGAR_USER_AGENT: 'nobody' }),
      /EDGAR_USER_AGENT.*"nobody" is not a contact/,
    )
    assertRefused(await run(['ingest', 'adv'], env), /reports\.adviserinfo\.sec\.gov requires a contact/)
    assertRefused(await run(['ingest', '--base-url', 'http://example.org'], env), /must be https/)
    const nowhere = { DATA_DIR: path.join(await temporaryFolder(t), 'data') }
    assertRefused(await run(['ingest'], nowhere), /EDGAR_USER_AGENT/)
    await assert.rejects(readdir(nowhere.DATA_DIR), { code: 'ENOENT' })
    assert.deepEqual(await held(), whole)
  })

  it('a host that refuses, sends no valid index, or has no index leaves the sample unchanged', async () => {
    host.setFaults('unavailable:path=/nothing access-denied:path=/reports')
    const refused = await run(['ingest', '--from', '2026-10-01', '--base-url', `${garbage}/refused`], env)
    assert.equal(refused.status, 1)
    assert.match(refused.stdout, /^ingest all: ended early, after/m)
    assert.match(refused.stderr, /^openfilings: http:\S+\/refused\/Archives\S+ answered 403$/m)
    assert.doesNotMatch(refused.stderr, /^ {4}at /m)
    assert.match(refused.stderr, /^openfilings: nothing was loaded: the bundled sample stays$/m)
    const page = await run(['ingest', '--from', '2026-10-01', '--to', '2026-10-02', '--base-url', garbage], env)
    assert.equal(page.status, 1)
    assert.match(
      page.stdout,
      /^ {2}skipped +filings: http:\S+ has no index of filings from 2026-10-01 to 2026-10-02 that can be read$/m,
    )
    assert.match(page.stderr, /this is not a master index/)
    assert.match(page.stderr, /manifest\.json cannot be read as a list: \/reports\S+ is not valid JSON: .*$/m)
    const none = await run(
      ['ingest', 'index', '--from', '2007-01-01', '--to', '2007-03-31', '--base-url', host.url],
      env,
    )
    assert.equal(none.status, 1)
    assert.match(none.stderr, /^openfilings: nothing was loaded: the bundled sample stays$/m)
    host.setFaults('')
    assert.deepEqual(await held(), whole)
  })

  it('unreadable adviser files leave the sample unchanged, and are not recorded as failed files of the sample', async () => {
    const root = await temporaryFolder(t)
    await cp(path.join(sample, 'reports'), path.join(root, 'reports'), { recursive: true })
    const feeds = path.join(root, 'reports/CompilationReports')
    for (const name of await readdir(feeds)) {
      if (name.endsWith('.gz')) await writeFile(path.join(feeds, name), gzipSync('<html>no feed</html>'))
      if (name.endsWith('.zip')) await writeFile(path.join(feeds, name), 'no zip')
    }
    const files = (await readdir(feeds))
      .filter((name) => /\.(gz|zip)$/.test(name))
      .map((name) => path.join(feeds, name))
    const { status, stdout } = await run(['ingest', 'adv', ...files], env)
    assert.equal(status, 1)
    assert.match(stdout, /^ {2}adviser files +0 loaded, 0 known before, [1-9] failed$/m)
    assert.deepEqual(await held(), whole)
  })

  it('a kill during the download of the first index leaves the sample unchanged, and the next start serves it', async () => {
    host.setFaults('stall:path=master.idx')
    const ingest = begin(t, ['ingest', '--from', '2025-01-01', '--base-url', host.url, '--json'], env)
    await ingest.until(/"what":"reading indexes"/)
    await until('the index is requested', () =>
      host.requests.some(({ path, faults }) => path.endsWith('.idx') && faults.includes('stall')),
    )
    await ingest.end('SIGKILL')
    host.setFaults('')
    assert.deepEqual(await held(), whole)
    const server = beginHere(t, ['serve', '--port', '0'], env)
    assert.match(await untilReady(server), /^Loaded: +the bundled sample: \d+ filings/m)
    assert.equal(await server.end(), 0)
  })

  it('a kill during the transaction that replaces the sample leaves the sample unchanged', async () => {
    await queried(env, async (sql) => {
      await sql.begin(async (tx) => {
        await tx`lock table formd.offering in exclusive mode`
        const ingest = begin(t, ['ingest', 'index', '--from', '2025-01-01', '--base-url', host.url], env)
        await until('the ingest waits to replace the sample', async () => {
          // The query is not sent in the transaction `tx`, because a transaction always sees the activity that it saw
          // in its first such query.
          const waiting = await sql`
            select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like 'delete from%offering%'`
          return waiting.length > 0
        })
        await ingest.end('SIGKILL')
      })
    })
    assert.deepEqual(await held(), whole)
    assert.equal(JSON.parse((await run(['status', '--json'], env)).stdout).runs[0].outcome, 'killed')
  })

  it('SIGTERM ends a wait for the host with a summary, and leaves the sample unchanged', async () => {
    host.setFaults('stall:path=master.idx')
    const before = host.requests.length
    const ingest = beginHere(t, ['ingest', '--from', '2025-01-01', '--base-url', host.url], env)
    await until('the index is requested', () => host.requests.slice(before).some(({ path }) => path.endsWith('.idx')))
    assert.equal(await ingest.end('SIGTERM'), 143)
    assert.match(
      ingest.stdout(),
      /^ingest all: stopped; what was committed stays, and the next run continues there, after/m,
    )
    assert.equal(ingest.stderr(), 'openfilings: nothing was loaded: the bundled sample stays\n')
    host.setFaults('')
    assert.deepEqual(await held(), whole)
  })

  it('the first index with a filing replaces the sample, a running server reports this, and the command "sample" is refused from then on', async () => {
    const server = begin(t, ['serve', '--port', '0'], env)
    await untilReady(server)
    const ingest = await run(['ingest', '--from', '2018-10-01', '--to', '2018-12-31', '--base-url', host.url], env)
    assert.equal(ingest.status, 0, ingest.stderr)
    assert.match(ingest.stderr, /^openfilings: the bundled sample is replaced by real data$/m)
    assert.match(ingest.stdout, /^ {2}indexes +1 read: 5 filings listed, 5 new, 0 changed, 0 removed$/m)
    const text = await server.until(
      /Real filings have taken the place of the bundled sample\.\nOpen: .*\nLoaded: +\d.*\n(.*\n)*Try:\n.*\n/,
    )
    const origin = /(http:\S+)\/docs/.exec(text)![1]!
    assert.equal((await fetch(`${origin}/readyz`)).status, 200)
    const { origin: source, filings, offerings, records } = await held()
    assert.deepEqual([source, filings, offerings, records], ['edgar', 5, 1, 0])
    assertRefused(await run(['sample'], env), /the database holds real filings.*DATA_DIR/)
    assert.equal(await server.end(), 0)
  })
})

/** Answers everything with a page, and everything below /refused with 403 and another page. */
async function serveGarbage(): Promise<string> {
  const server = createServer((request, response) => {
    response.writeHead(request.url!.startsWith('/refused') ? 403 : 200, { 'content-type': 'text/html' })
    response.end('<!doctype html><title>Welcome to the hotel</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(async () => {
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
