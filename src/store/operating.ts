/**
 * Reads figures for operators: about webhooks, and about the pauses of requests to EDGAR. The figures come from small
 * tables.
 */
import type { Sql } from './db.ts'

interface Operating {
  /**
   * Numbers of webhooks. An active webhook has no failure after its last successful delivery, and a failing webhook has
   * such failures. A paused webhook gets no deliveries.
   */
  webhooks: { active: number; failing: number; paused: number }
  /** Deliveries that were given up and have not been sent again since. */
  dead: number
  /** End of the pause in which no process sends a request to EDGAR, in seconds since 1970; 0 if there was no pause. */
  pausedUntil: number
}

export async function operatingState(sql: Sql): Promise<Operating> {
  const [row] = await sql<{ active: number; failing: number; paused: number; dead: number; paused_until: number }[]>`
    select count(*) filter (where state = 'active' and failures = 0)::int as active,
      count(*) filter (where state = 'active' and failures > 0)::int as failing,
      count(*) filter (where state = 'paused')::int as paused,
      (select count(*) from core.webhook_dead)::int as dead,
      coalesce((select max(extract(epoch from paused_until)) from core.pace where isfinite(paused_until)), 0)::float8
        as paused_until
    from core.webhook`
  const { dead, paused_until: pausedUntil, ...webhooks } = row!
  return { webhooks, dead, pausedUntil }
}
