/** The table core.run: the results of each long command, and its state (ended, running or killed). */
import type { Sql } from '../store/db.ts'

/** A part of the requested work that was not done, and the reason. */
interface Skipped {
  part: string
  reason: string
}

/** The results of a run. Parts that were not requested are absent. */
export interface RunSummary {
  /** Lists of filings: how many lists were read, how many of them incompletely, and what they changed in the spine. */
  indexes?: { read: number; damaged: number; filings: number; added: number; changed: number; removed: number }
  /**
   * Filings whose rows were read. `pending`: how many filings still wait. `by` has the figures of each dataset, and the
   * time at which its last filing was read.
   */
  filings?: {
    read: number
    failed: number
    unread: number
    pending: number
    by: Record<string, { read: number; failed: number; read_at?: string }>
  }
  /**
   * Archives of whole days. Counts the archives, the filings that they supplied, and the filings that are fetched
   * separately because of a correction or damage. Lists the archives that were not read to their end.
   */
  archives?: {
    read: number
    filings: number
    corrected: number
    damaged: number
    failed: { day: string; reason: string }[]
  }
  /** Files with many records: how many were loaded, how many were known before, and which failed. */
  editions?: {
    /** Whether the files are about advisers or companies. */
    of?: 'advisers' | 'companies'
    loaded: number
    known: number
    failed: { name: string; reason: string }[]
  }
  /**
   * Profiles of chosen filers: how many had something new, had not changed or failed. `filings` counts the filings in
   * the wanted days, `added` the new filings among these, and `unread` the lines that cannot be read.
   */
  profiles?: {
    read: number
    unchanged: number
    failed: number
    filings: number
    added: number
    unread: number
  }
  /** Quarterly data sets, counted like editions. */
  sets?: { loaded: number; known: number; failed: { name: string; reason: string }[] }
  /** Records that `rebuild` read again, by dataset. */
  rebuilt?: Record<string, { read: number; failed: number }>
  skipped?: Skipped[]
  /**
   * Keys of rollups whose rows the database refused. A key is null if the database refused the rows of all keys
   * together. The next run tries again.
   */
  refused?: { slug: string; key: string | null; reason: string }[]
  /** Slow answers, the slowest first. */
  slow?: { path: string; bytes: number; seconds: number }[]
  /** Requests to all hosts. */
  requests?: { sent: number; repeated: number; pauses: number }
  /** When all parts of a turn of `--follow` last succeeded, ISO 8601. Other runs do not have it. */
  followed_at?: string
  /**
   * Time (ISO 8601) since which a part of every turn has failed, and the reason for the last such failure. Only runs
   * with `--follow` have it.
   */
  failing?: { since: string; reason: string }
  /** Why the run ended early, or the error that coincided with a stop. */
  error?: string
}

/**
 * How a run ended. `problems`: something could not be read or was skipped. `failed`: the run ended early. `stopped`: a
 * signal ended it.
 */
export type RunOutcome = 'done' | 'problems' | 'failed' | 'stopped'

interface ListedRun {
  run_id: number
  command: string
  what: string
  /** ISO 8601. */
  started_at: string
  ended_at: string | null
  /** `running`, or `killed` if the process no longer exists and did not record the end of the run. */
  outcome: RunOutcome | 'running' | 'killed'
  summary: RunSummary
  pid: number
  host: string
}

export interface Run {
  /** Stores the results so far. After an outage of the database, the run takes its lock (`RUN_LOCK`) again. */
  note(summary: RunSummary): Promise<void>
  end(outcome: RunOutcome, summary: RunSummary): Promise<void>
}

/** Lock that a session of each running command holds. The lock is released when the process ends, for any reason. */
const RUN_LOCK = 4_713_020

/**
 * Number of ended runs that are kept: enough for one run every quarter of an hour for ten days. Older runs are deleted.
 * Running commands are kept even if they are older, which may be the case for a run with `--follow`.
 */
const KEPT = 1000

/** Records that a command begins. Keeps one connection of the pool until `end`. */
export async function beginRun(
  sql: Sql,
  { command, what, pid, host }: Pick<ListedRun, 'command' | 'what' | 'pid' | 'host'>,
): Promise<Run> {
  const first = await sql.reserve()
  let session: typeof first | null = first
  let id: number
  try {
    const [row] = await first<{ run_id: number }[]>`
      insert into core.run (command, what, pid, host) values (${command}, ${what}, ${pid}, ${host}) returning run_id`
    id = row!.run_id
    await first`select pg_advisory_lock(${RUN_LOCK}, ${id})`
    await first`
      delete from core.run where run_id <= ${id - KEPT} and (ended_at is not null or not ${isRunning(sql)})`
  } catch (error) {
    first.release()
    throw error
  }
  /**
   * Takes the lock again if an outage of the database has ended the session that held it: without the lock, the run
   * would count as killed.
   */
  const hold = async () => {
    if (session && (await answers(session))) return
    session?.release()
    session = null
    const next = await sql.reserve()
    try {
      await next`select pg_advisory_lock(${RUN_LOCK}, ${id})`
      session = next
    } catch (error) {
      next.release()
      throw error
    }
  }
  return {
    async note(summary) {
      await hold()
      await sql`update core.run set summary = ${sql.json(summary as never)} where run_id = ${id} and ended_at is null`
    },
    async end(outcome, summary) {
      try {
        await sql`
          update core.run set ended_at = now(), outcome = ${outcome}, summary = ${sql.json(summary as never)}
          where run_id = ${id}`
        // A broken connection has released the lock already.
        if (session) await session`select pg_advisory_unlock(${RUN_LOCK}, ${id})`.catch(() => {})
      } finally {
        session?.release()
      }
    },
  }
}

const answers = (session: Sql) =>
  session`select`.then(
    () => true,
    () => false,
  )

/** Tests whether the process of a run holds its lock. */
const isRunning = (sql: Sql) => sql`exists (
  select from pg_locks l join pg_database d on d.oid = l.database
  where d.datname = current_database() and l.locktype = 'advisory' and l.granted
    and l.classid = ${RUN_LOCK}::int::oid and l.objid = run_id::oid and l.objsubid = 2)`

/** The latest runs and all running commands, newest first. */
export async function latestRuns(sql: Sql, max: number): Promise<ListedRun[]> {
  return sql<ListedRun[]>`
    select * from (
      select run_id, command, what, started_at, ended_at, summary, pid, host,
        coalesce(outcome, case when ${isRunning(sql)} then 'running' else 'killed' end) as outcome
      from core.run
    ) r
    where outcome = 'running' or run_id in (select run_id from core.run order by run_id desc limit ${max})
    order by run_id desc`
}

/** When each command last succeeded completely, or completed a turn of `--follow`; ISO 8601. */
export async function lastSuccesses(sql: Sql): Promise<{ command: string; what: string; ended_at: string }[]> {
  return sql`
    select command, what, max(case outcome when 'done' then ended_at else (summary ->> 'followed_at')::timestamptz end)
      as ended_at
    from core.run where outcome = 'done' or summary ? 'followed_at'
    group by command, what order by command, what`
}

/** For each dataset, the time at which one of the kept runs last read a filing; ISO 8601. */
export async function lastReads(sql: Sql): Promise<{ dataset: string; read_at: string }[]> {
  return sql`
    select b.key as dataset, max(coalesce((b.value ->> 'read_at')::timestamptz, r.ended_at, r.started_at)) as read_at
    from core.run r, jsonb_each(coalesce(r.summary -> 'filings' -> 'by', '{}')) b
    where (b.value ->> 'read')::int > 0
    group by b.key`
}
