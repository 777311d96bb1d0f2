/**
 * Measures the ingest of a season of Form 13F, 8,000 filings, by one process and by two in parallel. Also measures the
 * waits for locks that the server reports.
 */
import { type Connection, connect, type Sql } from '../src/store/db.ts'
import { startHost } from '../test/support/edgar-host.ts'
import { apart } from './apart.ts'
import { withDatabase } from './database.ts'
import type { Row } from './report.ts'
import { folder, type Scope } from './scope.ts'
import { part } from './share.ts'
import { type Ingested, list, PERIOD, writeEdgar } from './thirteenf-edgar.ts'
import { filings } from './thirteenf-sets.ts'

/** A real season has some 400 lines a report on average. The generator makes as many if `lines` is 280. */
const SEASON = { filings: 8_000, lines: 280 }

/** Interval between queries of the server's locks. */
const LOOK_MS = 4

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const root = await folder(scope)
  const count = part(SEASON.filings, share)
  const { bytes } = await writeEdgar(root, filings(count, { seed: 11, period: PERIOD, lines: SEASON.lines }))
  const host = await startHost({ root })
  scope.after(() => host.close())
  const one = await season(host.url, 1)
  const two = await season(host.url, 2)
  if (one.positions !== two.positions || one.filings !== count || two.filings !== count) {
    throw new Error(
      `${one.filings} and ${two.filings} filings of ${count}, ${one.positions} and ${two.positions} positions`,
    )
  }
  const row = (what: string, of: (season: Season) => number | null, unit: string, note: string): Row => ({
    section: 'season',
    what: `${count.toLocaleString('en-US')} filings of ${Math.round(bytes / 1e6)} MB, ${what}`,
    ours: of(two),
    peer: of(one),
    unit,
    note,
  })
  const marked = (...given: Parameters<typeof row>): Row => ({ ...row(...given), dependsOnMachine: true })
  const waits = two.waits.map(({ what, times, longestMs }) => `${what}: ${times}, at most ${longestMs.toFixed(0)} ms`)
  return [
    marked('two workers', ({ filings: done, seconds }) => done / seconds, 'filings/s', 'one worker'),
    marked('two workers', ({ positions, seconds }) => positions / seconds, 'rows/s', 'one worker'),
    row(
      'two workers: processor time',
      ({ processorMs }) => processorMs / count,
      'ms a filing',
      'of both, without the database; one worker',
    ),
    row(
      'two workers: reads and writes',
      ({ calls }) => calls && calls / count,
      'calls a filing',
      one.calls === null ? 'not measured: only Linux counts them' : 'of both, in the system; one worker',
    ),
    row('two workers: memory of each', ({ rssMaxMb }) => rssMaxMb, 'MB', 'maximum of the process; one worker'),
    {
      ...row('two workers: longest wait for a lock', () => two.longestWaitMs, 'ms', ''),
      peer: two.longestCommitMs,
      note: `the longest commit of the same run; goal 1. ${waits.length > 0 ? waits.join('; ') : 'nobody waited'}`,
    },
  ]
}

interface Season extends Seen {
  filings: number
  positions: number
  seconds: number
  rssMaxMb: number
  /** Processor time of all workers together; null if unknown. */
  processorMs: number
  calls: number | null
}

async function season(url: string, workers: number): Promise<Season> {
  return withDatabase(async ({ sql, target }) => {
    await list(sql, url)
    const watching = watch(target)
    const all = await Promise.all(
      Array.from({ length: workers }, () => apart<Ingested>('thirteenf-edgar.ts', 'ingested', target, url)),
    )
    const seen = await watching.stop()
    const [count] = await sql<[{ positions: number }]>`select count(*)::int as positions from thirteenf.position`
    const begun = Math.min(...all.map(({ value }) => value.begun))
    const ended = Math.max(...all.map(({ value }) => value.ended))
    return {
      ...seen,
      filings: all.reduce((sum, { value }) => sum + value.done, 0),
      positions: count.positions,
      seconds: (ended - begun) / 1000,
      processorMs: all.reduce((sum, { value }) => sum + value.used.processorMs, 0),
      calls: all.reduce<number | null>(
        (
          sum,
          {
            value: {
              used: { readsAndWrites },
            },
          },
        ) => (sum === null || readsAndWrites === null ? null : sum + readsAndWrites),
        0,
      ),
      rssMaxMb: Math.max(...all.map(({ rssMaxMb }) => rssMaxMb)),
    }
  })
}

interface Seen {
  longestWaitMs: number
  longestCommitMs: number
  /** Waits by cause, the longest first. */
  waits: { what: string; times: number; longestMs: number }[]
}

/**
 * Looks at the server's locks until it is stopped. A session and the start of its wait identify a wait. The measured
 * length is the length at the last query, so it is short by up to one interval. Waits shorter than an interval may be
 * missed.
 */
function watch(target: Connection['target']): { stop(): Promise<Seen> } {
  const sql = connect({ target, max: 1 })
  let isOver = false
  const waits = new Map<string, { what: string; ms: number }>()
  let longestCommitMs = 0
  const looking = (async () => {
    while (!isOver) {
      const { waiting, commit } = await look(sql)
      longestCommitMs = Math.max(longestCommitMs, commit ?? 0)
      for (const { key, what, ms } of waiting) waits.set(key, { what, ms })
      await new Promise((done) => setTimeout(done, LOOK_MS))
    }
    await sql.end({ timeout: 5 })
  })()
  return {
    async stop() {
      isOver = true
      await looking
      const found = [...Map.groupBy(waits.values(), ({ what }) => what)].map(([what, all]) => ({
        what,
        times: all.length,
        longestMs: Math.max(...all.map(({ ms }) => ms)),
      }))
      found.sort((a, b) => b.longestMs - a.longestMs)
      return { longestCommitMs, longestWaitMs: found[0]?.longestMs ?? 0, waits: found }
    },
  }
}

async function look(sql: Sql) {
  const [seen] = await sql<[{ waiting: { key: string; what: string; ms: number }[]; commit: number | null }]>`
    select coalesce((
        select json_agg(json_build_object(
          'key', l.pid || ' ' || l.waitstart,
          'ms', extract(epoch from clock_timestamp() - l.waitstart) * 1000,
          'what', l.locktype || coalesce(' ' || (select c.oid::regclass::text from pg_class c where c.oid = l.relation), '')
            || case when l.locktype = 'advisory' then ' ' || coalesce(nullif(l.classid, 0), l.objid) else '' end))
        from pg_locks l where not l.granted and l.waitstart is not null
          and l.pid in (select pid from pg_stat_activity where datname = current_database())
      ), '[]') as waiting,
      (
        select max(extract(epoch from clock_timestamp() - query_start) * 1000)::float8 from pg_stat_activity
        where datname = current_database() and state = 'active' and query ilike 'commit%'
      ) as commit`
  return seen
}
