/**
 * Counts filings by their delay: the time between EDGAR's acceptance of a filing and our first sight of the filing. The
 * transaction that adds filings to the spine also counts them.
 */
import type { Sql, Transaction } from './db.ts'

/** Maximum number of reported days, including today. */
export const DELAY_DAYS = 14

/**
 * A daily index that is older than this many days when it is read belongs to a backlog. The filings of a backlog are
 * not counted.
 */
const BACKLOG_DAYS = 7

/** How far an acceptance may lie ahead of our clock: the clocks of different machines differ by seconds. */
const AHEAD_SECONDS = 60

/** Upper bounds, in seconds, of the classes of delays in WORDS; the last two classes have no bound. */
export const BOUNDS = [60, 300, 900, 3_600, 86_400]
export const WORDS = ['1 minute', '5 minutes', '15 minutes', '1 hour', '1 day', 'more', 'not known'] as const

/** Acceptance times by accession, ISO 8601; null for an index, which has no acceptance times. */
export type Accepted = ReadonlyMap<string, string> | null

/**
 * Counts the filings of the temporary table `added`.
 *
 * @param index.through last day that the index may cover, `YYYY-MM-DD`
 */
export async function countDelays(
  tx: Transaction,
  { accepted, through }: { accepted: Accepted; through: string },
): Promise<void> {
  const known = [...(accepted ?? [])]
  await tx`
    insert into edgar.delay (day, delay, filings)
    select (now() at time zone 'UTC')::date, d.delay, count(*) from (
      select case when late is null or late < ${-AHEAD_SECONDS} then 'not known'
        else (${WORDS}::text[])[width_bucket(late, ${BOUNDS}::numeric[]) + 1] end as delay
      from (
        select extract(epoch from now() - a.at) as late
        from added left join unnest(${known.map(([accession]) => accession)}::text[],
          ${known.map(([, at]) => at)}::timestamptz[]) a (accession, at) using (accession)
        where ${accepted !== null} or ${through}::date > now() - ${BACKLOG_DAYS} * interval '1 day'
      ) l
    ) d group by d.delay
    on conflict (day, delay) do update set filings = edgar.delay.filings + excluded.filings`
  await tx`delete from edgar.delay where day < now() - interval '1 year'`
}

/**
 * Records that the feed was followed on a day (UTC). This distinguishes a day without a new filing from a day on which
 * nothing read the feed.
 */
export async function noteFollowed(sql: Sql, day: string): Promise<void> {
  await sql`
    insert into edgar.delay (day, delay, filings) values (${day}, ${WORDS[0]!}, 0) on conflict (day, delay) do nothing`
}

/** The counts of a day. */
export interface Delays {
  /** UTC, `YYYY-MM-DD`. */
  day: string
  /** Whether the feed was read at least once on that day. */
  followed: boolean
  filings: Record<(typeof WORDS)[number], number>
}

/**
 * The days of the last two weeks with counts, newest first. A day on which nothing read the feed and no filing was
 * counted is absent.
 */
export async function delays(sql: Sql): Promise<Delays[]> {
  const rows = await sql<{ day: string; delay: string; filings: number }[]>`
    select day, delay, filings::float8 as filings from edgar.delay
    where day > (now() at time zone 'UTC')::date - ${DELAY_DAYS}::int order by day desc`
  return [...Map.groupBy(rows, ({ day }) => day)].map(([day, own]) => {
    const of = (word: string) => own.find(({ delay }) => delay === word)?.filings ?? 0
    return {
      day,
      followed: own.some(({ delay }) => delay !== 'not known'),
      filings: Object.fromEntries(WORDS.map((word) => [word, of(word)])) as Delays['filings'],
    }
  })
}
