/**
 * The pace of requests to EDGAR, which all processes that use one database share. The pace is stored in one row. Its
 * times follow the database's clock, so that machines need not agree on the time.
 */
import type { Sql } from './db.ts'

/**
 * Longest pause that is respected. Without this limit, a pause could last for ever after a clock was set back.
 */
const PAUSE_MAX_MS = 86_400_000
/**
 * A turn that lies further ahead than this was taken before the clock was set back: no number of processes takes turns
 * so far ahead.
 */
const AHEAD_MAX_MS = 60_000

interface Turn {
  waitMs: number
  pausedMs: number
  reason: string | null
}

/** A turn, and the end of the pause as text of the database. */
interface Taken extends Turn {
  pausedUntil: string
}

interface SharedPace {
  take(intervalMs: number): Promise<Turn | null>
  pause(ms: number, reason: string): Promise<void>
}

interface Options {
  now?: () => number
  /** Longest wait for the database. */
  answerMs?: number
  /** Time for which no further query is sent to a database that did not answer. */
  awayMs?: number
}

/**
 * The pace and the pauses that all processes on this database share.
 *
 * A turn costs one statement, which does not wait for the disk. In a crash, the database may therefore lose the turns
 * of the last second.
 */
export function sharedPace(
  sql: Sql,
  { now = () => performance.now(), answerMs = 3_000, awayMs = 5_000 }: Options = {},
): SharedPace {
  let awayUntil = Number.NEGATIVE_INFINITY
  /** A pause that is not in the database yet. */
  let unreported: { until: number; reason: string } | null = null
  /**
   * The last pause that was found, and when it ends by our clock. Because our clock decides, the pause does not become
   * longer if the database's clock is set back.
   */
  let met: { pausedUntil: string; endsAt: number } | null = null

  function held({ pausedMs, pausedUntil }: Taken): number {
    if (pausedMs <= 0) return 0
    if (met?.pausedUntil !== pausedUntil) met = { pausedUntil, endsAt: now() + pausedMs }
    met.endsAt = Math.min(met.endsAt, now() + pausedMs)
    return Math.max(0, met.endsAt - now())
  }

  /** The answer of the database; null if the database does not answer, or is of a version that lacks the table. */
  async function answered<T>(query: () => PromiseLike<T>): Promise<T | null> {
    if (now() < awayUntil) return null
    const late = Promise.withResolvers<null>()
    const timer = setTimeout(() => late.resolve(null), answerMs)
    try {
      const answer = await Promise.race([Promise.resolve(query()).catch(() => null), late.promise])
      if (answer === null) awayUntil = now() + awayMs
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  async function report(): Promise<void> {
    if (!unreported) return
    const { until, reason } = unreported
    const leftMs = Math.min(until - now(), PAUSE_MAX_MS)
    const isReported = leftMs <= 0 || (await answered(() => pauseAll(sql, leftMs, reason))) !== null
    if (isReported && unreported.until === until) unreported = null
  }

  return {
    async take(intervalMs) {
      await report()
      const rows = await answered(() => takeTurn(sql, intervalMs))
      const [turn] = rows ?? []
      return turn ? { waitMs: turn.waitMs, pausedMs: held(turn), reason: turn.reason } : null
    },
    async pause(ms, reason) {
      unreported = { until: Math.max(now() + ms, unreported?.until ?? 0), reason }
      await report()
    },
  }
}

/**
 * Whether the pause begins in the future. If so, the clock was set back: the pause then begins now and keeps its
 * intended length.
 */
const isSetBack = (sql: Sql) => sql`coalesce(p.paused_at > clock_timestamp(), false)`

/** The row exists unless an operator deleted it. The statement locks the row, so that turns follow each other. */
const takeTurn = (sql: Sql, intervalMs: number) => sql<Taken[]>`
  insert into core.pace as p (hosts, free_at)
  select 'edgar', clock_timestamp() + ${intervalMs}::float8 * interval '1 ms'
  from set_config('synchronous_commit', 'off', true)
  on conflict (hosts) do update set free_at = ${intervalMs}::float8 * interval '1 ms' + case
    when p.free_at > clock_timestamp() + ${AHEAD_MAX_MS}::float8 * interval '1 ms' then clock_timestamp()
    else greatest(p.free_at, clock_timestamp()) end,
    paused_until = case when ${isSetBack(sql)} then clock_timestamp() + (p.paused_until - p.paused_at) else p.paused_until end,
    paused_at = case when ${isSetBack(sql)} then clock_timestamp() else p.paused_at end
  returning paused_until::text as "pausedUntil",
    (extract(epoch from free_at - clock_timestamp()) * 1000)::float8 - ${intervalMs}::float8 as "waitMs",
    case when paused_until <= clock_timestamp() + ${PAUSE_MAX_MS}::float8 * interval '1 ms' and paused_until > clock_timestamp()
      then (extract(epoch from least(paused_until - clock_timestamp(), paused_until - paused_at)) * 1000)::float8
      else 0 end as "pausedMs",
    reason`

const pauseAll = (sql: Sql, ms: number, reason: string) => sql`
  insert into core.pace as p (hosts, paused_at, paused_until, reason)
  select 'edgar', now, now + ${ms}::float8 * interval '1 ms', ${reason} from clock_timestamp() now
  on conflict (hosts) do update
    set reason = excluded.reason, paused_at = excluded.paused_at, paused_until = excluded.paused_until
    where p.paused_until < excluded.paused_until or ${isSetBack(sql)}
      or p.paused_until > clock_timestamp() + ${PAUSE_MAX_MS}::float8 * interval '1 ms'`
