/** Scenarios of the stand-in for the real hosts, each run completely by the command `ingest`. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import { lastPublished } from '../../src/ingest/crawl.ts'
import { emptyEnv, queried, run } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { child } from '../support/follow/process.ts'
import { noRealHost, type RealHost, realHost, startRealHost } from '../support/realhost.ts'
import { often, soaking } from '../support/soak.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { temporaryFolder } from '../support/world.ts'

const DAYS = often('days of a week that is read by archives', { usual: 1, soak: 5 })

interface Counters {
  requests: number
  bytes: number
  ranges: number
  not_modified: number
  kinds: Record<string, number>
}

interface LogEvent {
  event: string
  [name: string]: unknown
}

const scenario = async (name: string) => ({
  user_agent: 'any',
  ...JSON.parse(await readFile(path.join(realHost, 'scenarios', `${name}.json`), 'utf8')),
})

describe('scenarios of the real hosts', { skip: noRealHost }, () => {
  const ends: (() => Promise<void>)[] = []
  let host: RealHost
  let today: string
  before(async () => {
    host = await startRealHost({ after: (end) => ends.push(end) }, await scenario('feed-archives-week'))
    today = (await host.hostState<{ today: string }>('state')).today
  })
  after(async () => {
    for (const end of ends.reverse()) await end()
  })

  /** Returns the day that is the given number of business days from the host's current day. */
  const business = (days: number) => {
    const day = new Date(today)
    for (let left = -days; left > 0; ) {
      day.setUTCDate(day.getUTCDate() - 1)
      if (day.getUTCDay() % 6 !== 0) left--
    }
    return day.toISOString().slice(0, 10)
  }

  /** Returns the accession of an 8-K that takes half a minute at 2,000 bytes a second. */
  async function halfMinuteOf(day: string): Promise<string> {
    const { filings } = await host.hostState<{ filings: { accession: string; cik: string }[] }>(
      `filings?day=${day}&form=8-K`,
    )
    for (const { accession, cik } of filings) {
      const answer = await fetch(`${host.url}/Archives/edgar/data/${Number(cik)}/${accession}.txt`)
      const { length } = gzipSync(await answer.arrayBuffer(), { level: 1 })
      if (length > 40_000 && length < 80_000) return accession
    }
    throw new Error(`none of ${filings.length} filings is of that size`)
  }

  async function ingest(env: Record<string, string>, args: readonly string[]) {
    await host.reset()
    const { stdout } = await run(['ingest', ...args, '--base-url', host.url, '--yes', '--json'], env)
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LogEvent)
    const counters = await host.hostState<Counters>('counters')
    return { events, counters, summary: events.find(({ event }) => event === 'summary')! }
  }

  it('an unread week is read from its daily archives with one request each, and its filings get the same states as with single requests', async (t) => {
    await host.scenario(await scenario('feed-archives-week'))
    const what = DAYS === 1 ? 'ownership' : 'all'
    const range = [what, '--from', business(-DAYS), '--to', business(-1)]
    const env = await emptyEnv(t)
    const { events, counters, summary } = await ingest(env, range)
    // If the run reports no estimate or no summary of archives, the comparisons below fail.
    const estimate = events.find(({ event }) => event === 'estimate') as unknown as {
      archives: { requests: number; filings: number }
      filings: number
    }
    assert.equal(estimate.archives.requests, DAYS)
    const { filings, read } = summary.archives as { filings: number; read: number }
    assert.equal(read, DAYS)
    // Backdated filings, filings of an evening, and filings that lack a document in the archive are fetched one by one.
    const { submission = 0, archive } = counters.kinds
    assert.equal(submission, estimate.filings - filings)
    assert.ok(submission < estimate.filings / 8, `${submission} of ${estimate.filings}`)
    assert.equal(archive, DAYS + 1)
    if (DAYS === 1) return
    const other = await emptyEnv(t)
    const singly = await ingest(other, [...range, '--singly'])
    assert.equal(singly.counters.kinds.archive, undefined)
    const counts = (place: Record<string, string>) =>
      queried(
        place,
        (sql) => sql`select dataset, state, count(*)::int as filings from edgar.task group by 1, 2 order by 1, 2`,
      )
    assert.deepEqual([...(await counts(env))], [...(await counts(other))])
  })

  it('a day with a late index is read by the next run, without a missing filing', async (t) => {
    // The whole index covers earlier days, and the last requested daily index is late. Before 06:00 in New York, the
    // last requested index is not yesterday's index.
    const ago = business(-1) <= lastPublished(new Date()) ? 1 : 2
    const late = { ...(await scenario('late-index')), index: { through: -4, late: [-ago] } }
    const env = await emptyEnv(t)
    const known = () => queried(env, (sql) => sql<{ accession: string }[]>`select accession from edgar.filing`)
    const day = business(-ago)
    const listing = () =>
      host.hostState<{ filings: { accession: string; listed: string }[] }>(`filings?day=${day}&indexed=true`)
    const lacking = async () => {
      const all = new Set((await known()).map(({ accession }) => accession))
      return (await listing()).filings.filter(({ accession, listed }) => listed === day && !all.has(accession)).length
    }
    await host.scenario(late)
    const first = await ingest(env, ['index', '--from', business(-6)])
    assert.equal(first.summary.outcome, 'done')
    assert.ok((await lacking()) > 500)
    await host.scenario({ ...late, index: { through: -4, late: [] } })
    const second = await ingest(env, ['index'])
    assert.equal(second.summary.outcome, 'done')
    assert.equal(await lacking(), 0)
    const third = await ingest(env, ['index'])
    assert.equal((third.summary.indexes as { read: number }).read, 0, 'the index is not read again')
  })

  it('a zip of companies that breaks off at nine tenths is resumed, and an unchanged zip costs no download', async (t) => {
    const env = await emptyEnv(t)
    const cut = await scenario('cut-zip')
    await host.scenario(cut)
    const first = await ingest(env, ['companies'])
    assert.equal(first.summary.outcome, 'done')
    assert.deepEqual([first.counters.kinds.zip, first.counters.ranges], [2, 1])
    await host.scenario({ ...cut, faults: [] })
    const second = await ingest(env, ['companies'])
    const { requests, not_modified: unchanged, bytes } = second.counters
    assert.deepEqual([second.summary.outcome, unchanged, bytes], ['done', requests, 0])
    await host.scenario(await scenario('unchanged-zip'))
    const third = await ingest(env, ['companies'])
    assert.equal(third.counters.not_modified, third.counters.requests - 1, 'another edition is fetched')
  })

  it('a feed of people in a zip of 21 members is read completely', async (t) => {
    await host.scenario(await scenario('indvl-21'))
    const env = await emptyEnv(t)
    const { summary } = await ingest(env, ['reps'])
    assert.equal(summary.outcome, 'done')
    const [people] = await queried(env, (sql) => sql`select count(distinct indvl_pk)::int as n from reps.stint`)
    assert.equal(people!.n, 420)
  })

  it('each list of quarterly sets is found at its address, and a set whose zip is missing fails alone, by name', async (t) => {
    await host.scenario(await scenario('data-sets'))
    const env = await emptyEnv(t)
    // The older of the two sets of Form 13F is a whole quarter.
    const newest = ['--from', '2020-01-01']
    const lists = { thirteenf: true, nmfp: true, crowdfunding: true, nport: false, ncen: false }
    for (const [slug, has] of Object.entries(lists)) {
      const { summary, counters } = await ingest(env, [slug, '--sets', ...newest])
      const { loaded, failed } = summary.sets as { loaded: number; failed: { error: string }[] }
      assert.deepEqual(
        [counters.kinds.list, counters.kinds.zip, loaded, failed.length],
        [1, 1, has ? 1 : 0, has ? 0 : 1],
        slug,
      )
      if (!has) assert.match(JSON.stringify(failed), /\w+\.zip is listed but does not exist/)
    }
  })

  it('a run continues despite a very slow answer, a refusal and an unreachable feed, and reports the slow answer', {
    skip: !soaking && 'an answer that drips takes half a minute',
  }, async (t) => {
    const outage = await scenario('drip-and-outage')
    const env = { ...(await emptyEnv(t)), EDGAR_PAUSE_SECONDS: '1', FOLLOW_SECONDS: '1' }
    // The whole index is rebuilt only weekly, so that a daily index is requested, and refused.
    await host.scenario({ ...outage, index: { rebuilt: 'weekly' }, faults: [] })
    const [drip, ...faults] = outage.faults
    const dripping = { ...drip, match: `/edgar/data/.*${await halfMinuteOf(business(-1))}` }
    await host.scenario({ ...outage, index: { rebuilt: 'weekly' }, faults: [dripping, ...faults] })
    const { events, summary } = await ingest(env, ['eightk', '--from', business(-1), '--to', business(-1), '--singly'])
    assert.ok(events.some(({ event }) => event === 'waiting'))
    const named = events.find(({ event }) => event === 'slow')!
    assert.match(String(named.path), /\/edgar\/data\/.*\.txt$/)
    const [slow] = summary.slow as { path: string; bytes: number; seconds: number }[]
    assert.equal(slow!.path, named.path)
    assert.ok(slow!.seconds >= 10 && slow!.bytes > Number(named.bytes))
    const filings = summary.filings as { read: number; failed: number; pending: number }
    assert.deepEqual([filings.pending, summary.outcome], [0, filings.failed > 0 ? 'problems' : 'done'])
    await host.reset()
    const database = await freshDatabase(t)
    const relay = await overTcp(t, database)
    const follower = child(t, [host.url, relay.target, path.join(await temporaryFolder(t), 'archive'), ''])
    await until('the failure of the feed is reported', () =>
      follower.reported.some(({ event, part }) => event === 'turn_failed' && part === 'the feed of current filings'),
    )
    await until('the feed is read', () => follower.reported.some(({ event }) => event === 'current'))
    assert.equal(await follower.end('SIGTERM'), 0)
  })
})
