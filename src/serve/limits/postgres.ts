/** Stores counts of requests in PostgreSQL, for servers that share a database. */
import type { Bucket } from '../../declare/route.ts'
import type { Sql } from '../../store/db.ts'
import { WINDOW_SECONDS } from '../limits.ts'
import type { Counted, CountStore } from './shared.ts'

/**
 * A store that uses a pool of connections. The store does not close the pool. The database's clock decides when a
 * window ends, so differences between the clocks of servers do not matter. If that clock was set back, a window ends a
 * minute after its next request, and not when the clock reaches the old time again.
 */
export class PostgresCounts implements CountStore {
  readonly name = 'PostgreSQL'
  readonly #sql: Sql
  readonly #steady: () => number
  #cleanAt = 0

  /** @param steady milliseconds of a monotonic clock */
  constructor(sql: Sql, steady: () => number) {
    this.#sql = sql
    this.#steady = steady
  }

  async add(countedAs: string, bucket: Bucket, amount: number): Promise<Counted> {
    const [row] = amount === 0 ? await this.#read(countedAs, bucket) : await this.#added(countedAs, bucket, amount)
    this.#clean()
    return row ? { used: row.used, msLeft: row.ms_left } : { used: 0, msLeft: 0 }
  }

  async close(): Promise<void> {}

  #read(countedAs: string, bucket: Bucket) {
    return this.#sql<{ used: number; ms_left: number }[]>`
      select used, (extract(epoch from ends_at - now()) * 1000)::float8 as ms_left
      from core.allowance where counted_as = ${countedAs} and bucket = ${bucket} and ends_at > now()`
  }

  #added(countedAs: string, bucket: Bucket, amount: number) {
    return this.#sql<{ used: number; ms_left: number }[]>`
      insert into core.allowance as a (counted_as, bucket, used, ends_at)
      values (${countedAs}, ${bucket}, ${amount}, now() + make_interval(secs => ${WINDOW_SECONDS}))
      on conflict (counted_as, bucket) do update set
        used = case when a.ends_at <= now() then excluded.used else least(a.used::int8 + excluded.used, 2147483647)::int4 end,
        ends_at = case when a.ends_at <= now() then excluded.ends_at else least(a.ends_at, excluded.ends_at) end
      returning used, (extract(epoch from ends_at - now()) * 1000)::float8 as ms_left`
  }

  /**
   * Deletes rows of ended windows once a minute. Otherwise the table would grow, since visitors come from many
   * networks. No request waits for the deletion.
   */
  #clean(): void {
    const at = this.#steady()
    if (at < this.#cleanAt) return
    this.#cleanAt = at + WINDOW_SECONDS * 1000
    // The next request reports a database failure; remaining rows are deleted a minute later.
    this.#sql`delete from core.allowance where ends_at < now() - interval '1 minute'`.catch(() => {})
  }
}
