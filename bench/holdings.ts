/**
 * Measures the lists of a security's holders and of a manager's positions, over one quarter of two million positions
 * and over ten such quarters. The ratio shows growth with the years; the target is 1.3.
 */
import thirteenf from '../src/datasets/thirteenf/index.ts'
import { nothingFound } from '../src/datasets/thirteenf/parse/values.ts'
import { rowsOf } from '../src/datasets/thirteenf/report.ts'
import { load, type Parsed } from '../src/ingest/load.ts'
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { type Standing, start } from './apart.ts'
import { load as request } from './load.ts'
import { seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { type Served, UNCACHED } from './servers.ts'
import { part } from './share.ts'
import { holdingsOf } from './thirteenf-rows.ts'
import { filing } from './thirteenf-sets.ts'
import { bothSizes, partOf, type Turns } from './turns.ts'

/** Positions of a quarter, in reports of 400. */
export const QUARTER = 2_000_000
export const LINES = 400
export const SMALL = ['2025-03-31']
export const LARGE = [
  ...['2022-12-31', '2023-03-31', '2023-06-30', '2023-09-30', '2023-12-31'],
  ...['2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31', '2025-03-31'],
]
export const NEWEST = '2025-03-31'

const TURNS: Turns = { requests: 600, rounds: 3, warming: 100 }
/** Number of holders on a page, the largest first. */
const PAGE = 50

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const managers = part(QUARTER / LINES, share, PAGE)
  const small = await volume(scope, SMALL, managers)
  const large = await volume(scope, LARGE, managers)
  const millions = (positions: number) => `${(positions / 1e6).toPrecision(2)} million`
  const row = (what: string, ours: number, peer: number | null, unit: string, note: string): Row => ({
    section: 'holdings',
    what: `${millions(large.positions)} positions against ${millions(small.positions)}: ${what}`,
    ours,
    peer,
    unit,
    note,
  })
  const found: Row[] = []
  for (const { what, note, ask } of KINDS) {
    const latencies = await bothSizes(partOf(TURNS, share), (size, ...some) => ask({ small, large }[size], ...some))
    for (const [name, ours, peer] of latencies) found.push(row(`${what}, ${name}`, ours, peer, 'ms', note))
  }
  const memory = { large: await large.server.stop(), small: await small.server.stop() }
  return [...found, row('memory of the server', memory.large, memory.small, 'MB', 'maximum of the process')]
}

export interface Volume {
  sql: Sql
  server: Standing<Served>
  positions: number
  managers: number
  /** The CUSIP with the most lines. */
  most: string
}

const ofManager = (query: string) => (volume: Volume, from: number, count: number) => {
  const random = new Random(from)
  const paths = Array.from(
    { length: count },
    () => `/v1/thirteenf/managers/by-cik/${cikOf(random.below(volume.managers))}/holdings${query}`,
  )
  // One request is sent at a time, so that a latency includes no wait in a queue.
  const bounds = { connections: 1, requestsMax: count, secondsMax: 120 }
  return request({ ...volume.server.value, ...bounds, paths }).then(({ latenciesMs }) => latenciesMs)
}

const TARGET = 'target 1.3'
const KINDS: readonly {
  what: string
  note: string
  ask(volume: Volume, from: number, count: number): Promise<number[]>
}[] = [
  {
    what: `the ${PAGE} largest holders of the most-held CUSIP`,
    note: `the statement alone, in the newest quarter; ${TARGET}`,
    async ask({ sql, most }, _, count) {
      const found: number[] = []
      for (let at = 0; at < count; at++) {
        const taken = await seconds(async () => {
          const holders = await sql`
            select cik, value, amount from thirteenf.position where cusip = ${most} and quarter = ${NEWEST}
            order by value desc, cik limit ${PAGE}`
          if (holders.length !== PAGE) throw new Error(`${holders.length} holders`)
        })
        found.push(taken * 1000)
      }
      return found
    },
  },
  {
    what: 'positions of a manager',
    note: `${LINES} lines, and the value of each quarter; ${TARGET}`,
    ask: ofManager(''),
  },
  {
    what: 'positions of a manager on a day',
    note: `as_of; ${TARGET}`,
    ask: ofManager(`?period=${NEWEST}&as_of=2025-05-14`),
  },
  {
    what: 'changes of a manager',
    note: 'only the larger size has the quarter before to compare with; no target',
    ask: ofManager('?changes=true'),
  },
]

export const cikOf = (manager: number) => String(9_100_000_000 + manager)

/** A database in which every manager reports at the end of each quarter, and a server over it. */
export async function volume(scope: Scope, periods: readonly string[], managers: number): Promise<Volume> {
  const { sql, target } = await freshDatabase(scope)
  await fillManagers(sql, periods, managers)
  await sql`vacuum analyze`
  const server = await start<Served>(scope, 'servers.ts', 'service', target, UNCACHED)
  return { sql, server, managers, ...(await sizesOf(sql)) }
}

/** Returns the number of positions, and the CUSIP with the most positions in the newest quarter. */
export async function sizesOf(sql: Sql): Promise<{ positions: number; most: string }> {
  const [most] = await sql<[{ cusip: string }]>`
    select cusip from thirteenf.position where quarter = ${NEWEST} group by cusip order by count(*) desc limit 1`
  const [count] = await sql<[{ positions: number }]>`select count(*)::int as positions from thirteenf.position`
  return { positions: count.positions, most: most.cusip }
}

/**
 * Loads every manager's reports at the end of each quarter. Some reports are made and loaded; the database copies them
 * for other managers and quarters, because loading all would take longer than all measurements.
 */
export async function fillManagers(
  sql: Sql,
  periods: readonly string[],
  managers: number,
  report = (_: string) => {},
): Promise<void> {
  const restore = await withoutIndexes(sql, 'thirteenf.position')
  const made = Math.min(managers, MADE)
  const own: Parsed[] = []
  for (let number = 0; number < made; number++) own.push(await reportOf(number, NEWEST, LINES))
  // One report of each quarter goes through the loader, to create the partitions.
  const places = await Promise.all(periods.map((period) => reportOf(PLACE, period, 1)))
  for (const batch of [own, places]) await sql.begin((tx) => load(tx, thirteenf, batch))
  for (const period of periods) {
    for (let from = 0; from < managers; from += made) {
      if (period === NEWEST && from === 0) continue
      for (const table of ['report', 'quality', 'position'])
        await sql.unsafe(copies(await columnsOf(sql, table), { table, period, from, made, managers }))
    }
    report(`managers of ${period}`)
  }
  await restore()
}

/** Maximum number of reports that are generated and loaded. The database copies these reports for further managers. */
const MADE = 250
/** Number of a manager; no other manager has this number. */
const PLACE = 99_999_999

const columnsOf = async (sql: Sql, table: string) =>
  (
    await sql<{ name: string }[]>`
      select column_name as name from information_schema.columns where table_schema = 'thirteenf' and table_name = ${table}
      order by ordinal_position`
  ).map(({ name }) => name)

interface Copies {
  table: string
  period: string
  from: number
  made: number
  managers: number
}

/**
 * SQL that copies the made reports to the managers from number `from` on. Their values differ, so that holders have an
 * order.
 */
function copies(columns: readonly string[], { table, period, from, made, managers }: Copies): string {
  const cik = `(left(t.accession, 10)::bigint + ${from})`
  const other: Record<string, string> = {
    accession: `${cik} || '-${suffix(period)}'`,
    cik: `${cik}::text`,
    period: `date '${period}'`,
    quarter: `date '${period}'`,
    filed_date: `date '${period}' + 40`,
    ...(table === 'position' ? { value: `t.value + ${from} + ${Number(period.slice(0, 4)) * 12}` } : {}),
  }
  return `
    insert into thirteenf.${table} (${columns.join(', ')})
    select ${columns.map((name) => other[name] ?? `t.${name}`).join(', ')} from thirteenf.${table} t
    where t.accession between '${cikOf(0)}' and '${cikOf(Math.min(made, managers - from))}'
      and right(t.accession, 9) = '${suffix(NEWEST)}'`
}

/** Returns the accession's part after the CIK: one report a quarter. */
const suffix = (period: string) => `${period.slice(2, 4)}-0000${period.slice(5, 7)}`

async function reportOf(number: number, period: string, lines: number): Promise<Parsed> {
  const made = filing(number, { seed: 13, period, lines, exactly: true })
  const { form, cik, name } = made
  const filedDate = new Date(Date.parse(period) + 40 * 86_400_000).toISOString().slice(0, 10)
  const header = { submissionType: form, filedDate, cik, period, name }
  const rows: Parsed['rows'][number][] = []
  for await (const row of rowsOf({
    header,
    cover: null,
    holdings: holdingsOf(made),
    found: nothingFound(),
    source: 'xml',
  }))
    rows.push(row)
  return { accession: `${cik}-${suffix(period)}`, filedDate, rows }
}

/**
 * Drops the second index of a table until its rows are there, and then makes it again on all partitions. Twenty million
 * positions then load in a third of the time.
 */
export async function withoutIndexes(sql: Sql, table: string): Promise<() => Promise<void>> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
    where i.indrelid = ${table}::regclass and not i.indisprimary`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  return async () => {
    for (const { definition } of indexes) await sql.unsafe(definition.replace(' ON ONLY ', ' ON '))
  }
}
