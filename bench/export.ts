/**
 * Compares the command `export`, over a generated table of positions, with a plain COPY of the same rows. The two take
 * turns.
 */
import { rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { exportTable } from '../src/export/export.ts'
import { FORMATS, type Format } from '../src/export/formats.ts'
import { offerFor } from '../src/export/offers.ts'
import { openTarget } from '../src/export/target.ts'
import registry from '../src/registry.ts'
import { type Connection, connect, type Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { temporaryFolder } from '../test/support/world.ts'
import { apart } from './apart.ts'
import { alternate, median, seconds } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'

const POSITIONS = 1_000_000
const ROUNDS = 3

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const positions = part(POSITIONS, share, 4)
  const { sql, target } = await freshDatabase(scope)
  await fill(sql, positions)
  const folder = await temporaryFolder(scope)
  const file = (name: string) => path.join(folder, name)
  const memory: Record<string, number> = {}
  const found = await alternate(part(ROUNDS, share), {
    plain: () => plain(sql, file('plain')),
    ...Object.fromEntries(FORMATS.map((format) => [format, async () => {
      const { value, rssMaxMb } = await apart<number>('export.ts', 'written', target, format, file(format))
      memory[format] = Math.max(memory[format] ?? 0, rssMaxMb)
      return value
    }])), // biome-ignore format: one work a format
  } as Record<Format | 'plain', () => Promise<number>>)
  const perSecond = (name: Format | 'plain') => positions / median(found[name])
  const plainSize = (await stat(file('plain'))).size
  const list: Row[] = []
  for (const format of FORMATS) {
    const { size } = await stat(file(format))
    const goal = format === 'parquet' ? 'no goal' : 'goal 0.4'
    const note = `plain COPY of the same rows to a file; ${goal}; ${Math.round((100 * size) / plainSize)} % of its bytes`
    const what = `${positions.toLocaleString('en-US')} positions to ${format}`
    list.push({ section: 'export', what, ours: perSecond(format), peer: perSecond('plain'), unit: 'rows/s', note })
    list.push({ section: 'export', what: `${what}: memory`, ours: memory[format]!, peer: null, unit: 'MB', note: 'maximum of the process' }) // biome-ignore format: one row
  }
  return list
}

/** Runs one export in this process. @returns its seconds, without the start of the process */
export async function written(
  _scope: Scope,
  target: Connection['target'],
  format: Format,
  file: string,
): Promise<number> {
  const sql = connect({ target, max: 3 })
  const { offer } = offerFor(registry, 'thirteenf', 'position')
  await sql`select 1`
  const taken = await seconds(async () => {
    const to = await openTarget(file, true, new AbortController().signal)
    await exportTable(
      { sql, target: to, signal: new AbortController().signal, onRows: () => {} },
      { offer, days: null, format },
    )
    await to.end()
  })
  await sql.end()
  return taken
}

/** Copies as plainly as possible: without an order, with all columns, and each piece is written as it arrives. */
async function plain(sql: Sql, file: string): Promise<number> {
  await rm(file, { force: true })
  return seconds(async () => {
    const to = await openTarget(file, true, new AbortController().signal)
    const stream = await sql.unsafe('copy (select * from thirteenf.position) to stdout').readable()
    let gathered: Buffer[] = []
    let size = 0
    const write = async () => {
      await to.write(Buffer.concat(gathered), new AbortController().signal)
      gathered = []
      size = 0
    }
    for await (const rows of stream) {
      gathered.push(rows)
      size += rows.length
      if (size > 1 << 18) await write()
    }
    await write()
    await to.end()
  })
}

/** The database makes the rows: reports of 500 lines in four quarters, a few thousand securities. */
async function fill(sql: Sql, positions: number): Promise<void> {
  for (const [n, from, to, quarter] of [
    [0, '2023-04-01', '2023-07-01', '2023-06-30'],
    [1, '2023-07-01', '2023-10-01', '2023-09-30'],
    [2, '2023-10-01', '2024-01-01', '2023-12-31'],
    [3, '2024-01-01', '2024-04-01', '2024-03-31'],
  ] as const) {
    const name = `thirteenf.position_${from.slice(0, 4)}q${Math.ceil(Number(from.slice(5, 7)) / 3)}`
    await sql.unsafe(`create table ${name} partition of thirteenf.position for values from ('${from}') to ('${to}')`)
    await sql.unsafe(`
      insert into ${name} (accession, n, quarter, cik, cusip, security, value, amount, kind, put_call, discretion, manager_numbers,
        votes_sole, votes_shared, votes_none)
      select lpad((1000000 + g / 500)::text, 10, '0') || '-2${n}-' || lpad((g / 500 % 1000000)::text, 6, '0'), (g % 500 + 1)::int,
        '${quarter}', lpad((g / 500)::text, 10, '0'), upper(substr(md5((g * 7919 % 20000)::text), 1, 9)),
        hashtextextended((g % 20000)::text, 0), g * 7919 % 100000000, g * 104729 % 1000000, 'SH',
        case when g % 50 = 0 then 'Put' end, 'SOLE', case when g % 9 = 0 then '01,02' end, g * 31 % 1000000, 0, 0
      from generate_series(0::bigint, ${Math.ceil(positions / 4) - 1}::bigint) g`)
  }
  await sql`vacuum analyze thirteenf.position`
}
