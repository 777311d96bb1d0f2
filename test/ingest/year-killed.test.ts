/**
 * A hundredth of a year of filings, in days of the stand-in for the real hosts. It is loaded twice: day by day by
 * processes that are killed, and by single submissions.
 */
import assert from 'node:assert/strict'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { begin, type Env } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { randomFor } from '../support/random.ts'
import { noRealHost, startRealHost } from '../support/realhost.ts'
import { often, soaking } from '../support/soak.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { everyRow, temporaryFolder } from '../support/world.ts'

const KILLS = often('kills of a load of all families, day by day', { usual: 0, soak: 20 })
/** Number of days of the quarter that the stand-in serves. The last one is the day before its current day. */
const DAYS = 48

/** Serves every 25th filing of a quarter, which is a hundredth of the filings of a year. */
const SCENARIO = { user_agent: 'any', world: { full_days: 0, share: 25 }, archives: { acceptance: true } }

test('a hundredth of a year, loaded day by day from archives and killed twenty times, has the rows of single submissions', {
  skip: noRealHost || (!soaking && 'loading five thousand filings twice is for a soak'),
}, async (t) => {
  const host = await startRealHost(t, SCENARIO)
  const days = businessDays((await host.hostState<{ today: string }>('state')).today, DAYS)
  const random = randomFor('days')
  const place = await newPlace(t, host.url)
  const killedOn = new Map<number, number>()
  let killed = 0
  for (let kill = 0; kill < KILLS; kill++) {
    const day = Math.floor(random() * DAYS)
    killedOn.set(day, (killedOn.get(day) ?? 0) + 1)
  }
  for (const [n, day] of days.entries()) {
    for (let left = killedOn.get(n) ?? 0; left > 0; left--) {
      const before = await place.stored()
      const run = place.begin(['--from', day, '--to', day])
      const more = 1 + Math.floor(random() * 30)
      let isOver = false
      void run.ended.then(() => (isOver = true))
      await until(`${more} filings of ${day} are stored`, async () => isOver || (await place.stored()) >= before + more)
      const end = await run.end('SIGKILL')
      if (end === 'SIGKILL') killed++
      t.diagnostic(`${day}: ${end} after ${(await place.stored()) - before} filings`)
    }
    assertEnded(await place.begin(['--from', day, '--to', day]).ended)
  }
  // A run that has nothing left to read may end before its kill.
  assert.ok(killed > KILLS / 2, `only ${killed} of ${KILLS} runs were killed`)
  const { archive = 0 } = (await host.hostState<{ kinds: Record<string, number> }>('counters')).kinds
  assert.ok(archive > 0, 'no archive was read')

  const other = await newPlace(t, host.url)
  assertEnded(await other.begin(['--from', days[0]!, '--to', days.at(-1)!, '--singly']).ended)
  // The stand-in's archives have the items of Form 8-K, but not those of Form D.
  for (const { sql } of [place, other]) await sql`delete from edgar.filing_item where item !~ '^[0-9][.][0-9]{2}$'`
  const [rows, expected] = [await everyRow(place.sql), await everyRow(other.sql)]
  t.diagnostic(`${expected['edgar.submission']!.length} filings, ${archive} archives`)
  for (const [table, all] of Object.entries(expected))
    assert.deepEqual(comparable(table, rows[table]!), comparable(table, all), table)
})

/**
 * Columns that depend on the source: headers of an archive have numbers of items without their words, and the words of
 * an industry only if read/sgml/sic.ts has them. Its documents begin at other lines. A submission is compared by its
 * accession alone.
 */
const OF_SOURCE: Readonly<Record<string, RegExp>> = {
  'edgar.submission': /^(?!accession$)/,
  'edgar.task': /^problems$/,
  'eightk.item': /^description$/,
  'eightk.fact': /^(?:start|stop)$/,
  'eightk.section': /^(?:text_start|start|stop)$/,
  'offerings.offering': /^sic_description$/,
}

/** The rows of a table as text, in order, without the columns that depend on the source. */
function comparable(table: string, rows: readonly unknown[]): string[] {
  const omitted = OF_SOURCE[table]
  const kept = (key: string, value: unknown) => {
    if (key !== '' && omitted?.test(key)) return undefined
    // An excerpt leaves out a line of hyphens, but not the "- " before an escaped one.
    return key === 'excerpt' && typeof value === 'string' ? value.replaceAll(' - ', ' ') : value
  }
  return (
    (rows as readonly { row: string }[])
      // The stand-in's archives keep the escaped hyphens of old submissions: a line of hyphens begins with "- ".
      .map(({ row }) => JSON.stringify(JSON.parse(row.replace(/- (?=-)/g, ''), kept)))
      .sort()
  )
}

/** Some of the made filings cannot be read, so a run may end with the status 1. */
const assertEnded = (end: number | string) => assert.ok(end === 0 || end === 1, `a run ended with ${end}`)

/** The business days before a day, the oldest first. */
function businessDays(today: string, count: number): string[] {
  const days: string[] = []
  for (const day = new Date(today); days.length < count; ) {
    day.setUTCDate(day.getUTCDate() - 1)
    if (day.getUTCDay() % 6 !== 0) days.unshift(day.toISOString().slice(0, 10))
  }
  return days
}

/** An empty database and data folder, with the command that loads all families into it. */
async function newPlace(t: TestContext, baseUrl: string) {
  const { sql, target } = await freshDatabase(t)
  const { target: DATABASE_URL } = await overTcp(t, { target })
  const env: Env = { DATA_DIR: path.join(await temporaryFolder(t), 'data'), DATABASE_URL }
  return {
    sql,
    /** Number of submissions in the archive. */
    stored: async () => {
      const [row] = await sql<{ n: number }[]>`select count(*)::int as n from edgar.submission`
      return row!.n
    },
    begin: (args: readonly string[]) =>
      begin(t, ['ingest', 'all', ...args, '--base-url', baseUrl, '--yes', '--quiet'], env),
  }
}
