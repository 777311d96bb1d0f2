/** Exported files: each table in every format is read back and compared with the rows of the database. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { bigint, boolean, columnType, count, date, decimal, json, table, text, texts } from '../../src/declare/table.ts'
import { exportTable } from '../../src/export/export.ts'
import { FORMATS, type Format } from '../../src/export/formats.ts'
import type { Days, Offer } from '../../src/export/offer.ts'
import { familiesOf, offerFor } from '../../src/export/offers.ts'
import { isDecimal } from '../../src/export/parquet.ts'
import { openTarget, type Target } from '../../src/export/target.ts'
import registry from '../../src/registry.ts'
import { csvWriter, FORMULA, withoutFormula } from '../../src/serve/files/csv.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { csvCells, parquetRows } from '../support/export-rows.ts'
import { loadNotices } from '../support/formd-rows.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { temporaryFolder } from '../support/world.ts'

const never = new AbortController().signal

interface Wanted {
  offer: Offer
  format: Format
  days?: Days | null
}

async function exported(t: Parameters<typeof temporaryFolder>[0], sql: Sql, { offer, format, days = null }: Wanted) {
  const file = path.join(await temporaryFolder(t), `file.${format}`)
  const target = await openTarget(file, false, never)
  const result = await exportTable({ sql, target, signal: never, onRows: () => {} }, { offer, days, format })
  await target.end()
  return { file, ...result }
}

/** Rows as the driver reads them, in the order of the export: quarter after quarter, then by the key. */
async function rowsOf(sql: Sql, offer: Offer, where = ''): Promise<Record<string, unknown>[]> {
  const columns = Object.keys(offer.columns).map((name) => `${offer.sqlOf?.[name] ?? `t.${name}`} as ${name}`)
  const order = [...(offer.partition ? ['t.quarter'] : []), ...offer.order]
  const rows = await sql.unsafe(`select ${columns.join(', ')} from ${offer.from} ${where} order by ${order.join(', ')}`)
  return rows.map((row) => ({ ...row }))
}

/** Formats a value as a CSV cell. */
function cellOf(value: unknown, type: Offer['columns'][string]): unknown {
  if (value === null) return null
  const { kind } = columnType(type)!
  if (kind === 'text') return withoutFormula(value as string)
  return kind === 'list' || kind === 'json' ? value : String(value)
}

async function assertHolds(file: string, format: Format, offer: Offer, rows: Record<string, unknown>[]): Promise<void> {
  const names = Object.keys(offer.columns)
  if (format === 'csv') {
    const [head, ...lines] = csvCells(await readFile(file, 'utf8'))
    assert.deepEqual(head, names)
    const kinds = Object.values(offer.columns).map((type) => columnType(type)!.kind)
    const found = lines.map((cells) =>
      cells.map((cell, n) => (cell !== null && /list|json/.test(kinds[n]!) ? JSON.parse(cell) : cell)),
    )
    assert.deepEqual(
      found,
      rows.map((row) => names.map((name) => cellOf(row[name], offer.columns[name]!))),
    )
  } else if (format === 'ndjson') {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1)
    assert.deepEqual(
      lines.map((line) => JSON.parse(line)),
      rows,
    )
    for (const line of lines) assert.deepEqual(Object.keys(JSON.parse(line)), names)
  } else {
    const found = await parquetRows(file)
    const isJson = (name: string) => columnType(offer.columns[name]!)!.kind === 'json'
    for (const row of found.rows)
      for (const name of names) if (isJson(name) && row[name] !== null) row[name] = JSON.parse(row[name] as string)
    // A decimal of Parquet has no trailing zeros, but the sum of 1.15 and 2.25 in the database has.
    const decimals = names.filter((name) => isDecimal(offer.columns[name]!))
    const plain = (value: unknown) => (value as string | null)?.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') ?? null
    const expected = rows.map((row) => ({
      ...row,
      ...Object.fromEntries(decimals.map((name) => [name, plain(row[name])])),
    }))
    assert.deepEqual(found.rows, expected)
  }
}

test('every table of every family, in every format, holds the rows of the database in the order of their key', async (t) => {
  const world = await openSampledWorld(t)
  let filled = 0
  for (const { tables } of familiesOf(registry)) {
    for (const offer of tables) {
      const rows = await rowsOf(world.sql, offer)
      if (rows.length > 0) filled++
      for (const format of FORMATS) {
        const { file, rows: count, wide } = await exported(t, world.sql, { offer, format })
        assert.equal(count, rows.length, offer.id)
        assert.deepEqual(wide, [])
        await assertHolds(file, format, offer, rows)
      }
    }
  }
  assert.ok(filled > 40, `${filled} tables have rows`)
  await t.test(
    '--from and --to limit tables by their own filing date, or by the date of the row’s filing',
    async () => {
      const days = { from: '2019-01-01', to: '2024-06-30' }
      for (const [slug, name, family] of [
        ['formd', 'person', 'formd.offering'],
        ['thirteenf', 'position', 'thirteenf.report'],
        ['rega', 'submission', 'rega.submission'],
      ] as const) {
        const { offer } = offerFor(registry, slug, name)
        const where = `where t.accession in (select accession from ${family} where filed_date >= '${days.from}' and filed_date <= '${days.to}')`
        const rows = await rowsOf(world.sql, offer, where)
        assert.ok(rows.length > 0 && rows.length < (await rowsOf(world.sql, offer)).length, name)
        const { file } = await exported(t, world.sql, { offer, format: 'ndjson', days })
        await assertHolds(file, 'ndjson', offer, rows)
      }
    },
  )
})

test('columns that only serve searches are not exported', () => {
  const all = familiesOf(registry).flatMap(({ tables }) => tables)
  for (const { id, columns } of all) {
    assert.doesNotMatch(Object.keys(columns).join(' '), /name_words|_key\b/, id)
    assert.doesNotMatch(id, /search_|adviser_name|adviser_tally/)
  }
  assert.ok(all.some(({ id }) => id === 'adv.former_name'))
})

/** A table of values that spreadsheets, quotes and COPY could misread. */
const hostile = table(
  'hostile.cell',
  'One row per cell',
  [],
  {
    n: text('Key'),
    cell: text('Hostile').nullable(),
    list: texts('Hostile too').nullable(),
    amount: decimal('Any', { unit: 'USD' }).nullable(),
    day: date('Any').nullable(),
    said: json(z.unknown(), 'Any').nullable(),
  },
  { record: 'n' },
)

const CELLS = [
  '=1+1', '+1+1', '-1-1', '@sum', '\tx', '\rx', '\nx', '＝x', '＋x', '－x', '＠x', '=', '+', '-', '@', '-5', '+5', '-5.25', '-5.', '-.5', '-5\n', '+5e3', '--5',
  '-5\r', '\n-5', '-5 ', '+٣', '-５', '-5²', '+1.50', '-0', '-1.2.3', '+1,5', '-1_0', '\u00a0=1', '\u200b=1', '=😀', '﹦1', '\t5',
  '', ' =1', "'=1", 'x=1', 'a"b', '"', 'a,b', '\\N', '\\.', '\\', '\\n', 'a\\tb', 'a\tb', 'a\nb', 'a\r\nb', '\x01', '\x1f', '\x7f', '\b\f\v', 'é', '😀', '\u2028', '#x', 'null',
  '<script>alert(1)</script>', `<img src=x onerror="alert('&')">`, '&lt;b&gt;', '[x](javascript:alert(1))',
] // biome-ignore format: cells

async function hostileTable(t: Parameters<typeof freshDatabase>[0]): Promise<{ sql: Sql; offer: Offer }> {
  const { sql } = await freshDatabase(t)
  await sql.unsafe(
    'create schema hostile; create table hostile.cell (n text collate "C" primary key, cell text collate "C", list text[] collate "C", amount numeric, day date, said jsonb)',
  )
  const offer: Offer = {
    ...{
      family: 'hostile',
      table: 'cell',
      id: hostile.id,
      meaning: hostile.meaning,
      columns: hostile.row.shape,
      order: ['t.n'],
    },
    ...{ from: 'hostile.cell t', reads: ['hostile.cell'], within: null, partition: null },
  }
  return { sql, offer }
}

test('hostile values survive every format, and no CSV cell begins like a formula', async (t) => {
  const { sql, offer } = await hostileTable(t)
  type Cell = {
    n: string
    cell: string | null
    list: string[] | null
    amount: string | null
    day: string | null
    said: { cell: string; n: number } | never[] | null
  }
  const rows = CELLS.map(
    (cell, n): Cell => ({
      ...{
        n: String(n).padStart(3, '0'),
        cell,
        list: [cell, 'x', ''],
        amount: n % 2 ? '-12345678901234567890.0123456789' : null,
      },
      ...{ day: ['0001-01-01', '1969-12-31', '9999-12-31', null][n % 4]!, said: { cell, n } },
    }),
  )
  rows.push({
    n: '900',
    cell: null,
    list: [],
    amount: '0',
    day: '2024-02-29',
    said: [],
  })
  rows.push({
    n: '901',
    cell: null,
    list: null,
    amount: null,
    day: null,
    said: null,
  })
  for (const row of rows)
    await sql`insert into hostile.cell ${sql({ ...row, said: row.said === null ? null : sql.json(row.said) })}`
  assert.deepEqual(await rowsOf(sql, offer), rows)
  for (const format of FORMATS) {
    const { file, wide } = await exported(t, sql, { offer, format })
    assert.deepEqual(wide, [])
    await assertHolds(file, format, offer, rows)
    if (format !== 'csv') continue
    for (const cells of csvCells(await readFile(file, 'utf8')))
      for (const cell of cells) if (cell !== null) assert.doesNotMatch(cell, FORMULA)
  }
})

test('the command and the HTTP API write equal CSV cells: formulas, nulls, empty texts, booleans, numbers and lists', async (t) => {
  const { sql, offer } = await hostileTable(t)
  await sql`alter table hostile.cell add held boolean, add few integer, add many bigint`
  const columns = { ...offer.columns, held: boolean('Any').nullable(), few: count('Any').nullable(), many: bigint('Any').nullable() }
  const wide: Offer = { ...offer, columns }
  const amounts = ['-5', '-0.25', '0', '12345678901234567890.5', null]
  for (const [n, cell] of [...CELLS, '\ufeff=1', null].entries()) {
    const held = [true, false, null][n % 3]!
    const row = { n: String(n).padStart(3, '0'), cell, list: cell === null ? null : n % 7 ? [cell, ''] : [], amount: amounts[n % 5]!, day: n % 2 ? '1969-12-31' : null, held, few: n % 2 ? -n : null, many: n % 4 ? '-9007199254740993' : null }
    await sql`insert into hostile.cell ${sql(row)}`
  }
  const { file } = await exported(t, sql, { offer: wide, format: 'csv' })
  const rows = await rowsOf(sql, wide)
  const http = csvWriter(Object.entries(columns).map(([name, type]) => ({ name, type, of: (row) => row[name] })))
  const lines = csvCells((http.head + (await http.page(rows))).replaceAll(/\r\n(?=accession|n,|\d{3},|$)/g, '\n'))
  assert.equal(lines.length, CELLS.length + 3)
  assert.deepEqual(csvCells(await readFile(file, 'utf8')), lines)
}) // biome-ignore format: rows

test('a decimal that is too large for Parquet turns its column into text, and no digit is lost', async (t) => {
  const { sql, offer } = await hostileTable(t)
  for (const amount of ['1.0000000000001', '-9'.padEnd(40, '9')]) {
    await sql`delete from hostile.cell`
    await sql`insert into hostile.cell (n, amount) values ('1', ${amount}), ('2', '3')`
    const { file, wide } = await exported(t, sql, { offer, format: 'parquet' })
    assert.deepEqual(wide, ['amount'])
    const { rows, types } = await parquetRows(file)
    assert.equal(types.get('amount'), 'UTF8')
    assert.deepEqual(
      rows.map((row) => row.amount),
      [amount, '3'],
    )
  }
})

test('columns of a Parquet file have matching types, and carry their descriptions', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadNotices(sql, [{ accession: '9000000009-24-000001', filedDate: '2024-05-01' }])
  const { file } = await exported(t, sql, { offer: offerFor(registry, 'formd', undefined).offer, format: 'parquet' })
  const { types } = await parquetRows(file)
  const found = ['accession', 'filed_date', 'is_amendment', 'total_offered', 'investor_count', 'exemptions'].map(
    (name) => types.get(name),
  )
  assert.deepEqual(found, ['UTF8', 'DATE', 'BOOLEAN', 'DECIMAL', 'INT64', 'LIST'])
  const text = (await readFile(file)).toString('latin1')
  assert.match(text, /openfilings\.columns.*"total_offered":\{"meaning":"Item 13[^"]*","unit":"USD"\}/s)
})

/** Returns a target that runs an action at its first write. */
function meddling(act: () => Promise<unknown>): Target & { text(): string } {
  const written: Uint8Array[] = []
  return {
    async write(bytes) {
      written.push(Buffer.from(bytes))
      if (written.length === 1) await act()
    },
    size: 0,
    end: async () => {},
    discard: async () => {},
    text: () => Buffer.concat(written).toString(),
  }
}

const NOTICES = [1, 2, 3].map((n) => ({ accession: `9000000009-24-00000${n}`, filedDate: `2024-05-0${n}` }))
const formd = offerFor(registry, 'formd', undefined).offer
const csv = { offer: formd, days: null, format: 'csv' } as const

test('a file is a snapshot: rows that are added or deleted during the export do not change it', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadNotices(sql, NOTICES.slice(0, 2))
  const target = meddling(async () => {
    await loadNotices(sql, NOTICES.slice(2))
    await sql`delete from formd.offering where accession = ${NOTICES[0]!.accession}`
  })
  const { rows } = await exportTable({ sql, target, signal: never, onRows: () => {} }, csv)
  assert.equal(rows, 2)
  assert.deepEqual(
    csvCells(target.text())
      .slice(1)
      .map(([accession]) => accession),
    NOTICES.slice(0, 2).map(({ accession }) => accession),
  )
})

test('an export whose tables are replaced by a rebuild fails with that reason, although its snapshot sees the new tables as empty', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadNotices(sql, NOTICES)
  const swap = () =>
    sql.begin(async (tx) => {
      await tx.unsafe(
        'alter schema formd rename to formd_old; create schema formd; create table formd.offering (like formd_old.offering)',
      )
    })
  await assert.rejects(
    exportTable({ sql, target: meddling(swap), signal: never, onRows: () => {} }, csv),
    /^UserError: the tables of formd were rebuilt meanwhile: run the export again$/,
  )
})

test('an export continues despite an operator’s time limits for transactions', async (t) => {
  const { sql: admin, target } = await freshDatabase(t)
  await loadNotices(admin, NOTICES)
  const database = (await admin<{ name: string }[]>`select quote_ident(current_database()) as name`)[0]!.name
  const found = await admin<{ name: string }[]>`
    select name from pg_settings where name in ('transaction_timeout', 'idle_in_transaction_session_timeout', 'statement_timeout')`
  for (const { name } of found) await admin.unsafe(`alter database ${database} set ${name} = '400ms'`)
  const sql = connect({ target, max: 3 })
  t.after(() => sql.end({ timeout: 1 }))
  const { rows } = await exportTable({ sql, target: meddling(() => sleep(900)), signal: never, onRows: () => {} }, csv)
  assert.equal(rows, NOTICES.length)
})

test('two exports of the same rows have the same bytes, whatever the order of the rows on disk', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadNotices(sql, NOTICES)
  const files = async () => {
    const made: Buffer[] = []
    for (const format of FORMATS) made.push(await readFile((await exported(t, sql, { offer: formd, format })).file))
    return made
  }
  const before = await files()
  await sql`update formd.offering set city = city where accession = ${NOTICES[0]!.accession}`
  await sql`vacuum full formd.offering`
  assert.deepEqual(await files(), before)
})

test('a writer that is slower than the database gets every row of each partition', async (t) => {
  const { sql } = await freshDatabase(t)
  const { offer } = offerFor(registry, 'thirteenf', 'position')
  const quarters = ['2023q4', '2024q1']
  for (const [n, part] of quarters.entries()) {
    const [first, next] = [
      ['2023-10-01', '2024-01-01'],
      ['2024-01-01', '2024-04-01'],
    ][n]!
    await sql.unsafe(
      `create table thirteenf.position_${part} partition of thirteenf.position for values from ('${first}') to ('${next}')`,
    )
    await sql.unsafe(
      `insert into thirteenf.position (accession, n, quarter, security) select '9000000009-24-00000${n}', i, '${first}', i from generate_series(1, 20000) i`,
    )
  }
  for (const format of FORMATS) {
    let size = 0
    const slow: Target = {
      ...meddling(async () => {}),
      write: async (bytes) => {
        size += bytes.length
        await sleep(5)
      },
    }
    const { rows } = await exportTable(
      { sql, target: slow, signal: AbortSignal.timeout(60_000), onRows: () => {} },
      { offer, days: null, format },
    )
    assert.equal(rows, 40_000)
    assert.ok(size > 0)
  }
})

test('an export that fails midway leaves its connection usable at once', async (t) => {
  const { sql } = await freshDatabase(t)
  await sql`insert into thirteenf.security (security, cusip, issuer_name) select i, i, repeat('x', 100) from generate_series(1, 100000) i`
  const { offer } = offerFor(registry, 'thirteenf', 'security')
  const broken = meddling(async () => {
    throw new Error('enough')
  })
  broken.write = async () => {
    throw new Error('enough')
  }
  await assert.rejects(
    exportTable({ sql, target: broken, signal: never, onRows: () => {} }, { offer, days: null, format: 'ndjson' }),
    /enough/,
  )
  const [left] = await sql<
    { n: number }[]
  >`select count(*)::int as n from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`
  assert.equal(left!.n, 0)
})

test('an export that is stopped before it gets its connection, or just after, writes nothing', async (t) => {
  const { sql } = await freshDatabase(t)
  const { offer } = offerFor(registry, 'formd', undefined)
  const whileSought = async (stop: () => void) => {
    stop()
    return sql.reserve()
  }
  // The first statement has been sent by then, but has no answer yet: the socket is read after `setImmediate`.
  const onceFound = async (stop: () => void) => {
    const found = await sql.reserve()
    setImmediate(stop)
    return found
  }
  for (const reserve of [whileSought, onceFound]) {
    const stop = new AbortController()
    const stopping = new Proxy(sql, {
      get: (of, name) =>
        name === 'reserve' ? () => reserve(() => stop.abort(new Error('stopped'))) : Reflect.get(of, name),
    })
    let written = 0
    const target = meddling(async () => {
      written++
    })
    await assert.rejects(
      exportTable(
        { sql: stopping, target, signal: stop.signal, onRows: () => {} },
        { offer, days: null, format: 'csv' },
      ),
      /stopped/,
    )
    assert.equal(written, 0)
  }
})

test('a signal ends an export within seconds even if the database no longer answers', async (t) => {
  const { target: there, sql: own } = await freshDatabase(t)
  await own`insert into thirteenf.security (security, cusip, issuer_name) select i, i, repeat('x', 100) from generate_series(1, 100000) i`
  const proxy = await databaseProxy(t, there)
  const sql = connect({ target: proxy.target })
  const { offer } = offerFor(registry, 'thirteenf', 'security')
  const stop = new AbortController()
  const writing = meddling(async () => {
    proxy.freeze()
    setTimeout(() => stop.abort(new Error('stopped')), 100)
  })
  const began = performance.now()
  await assert.rejects(
    exportTable({ sql, target: writing, signal: stop.signal, onRows: () => {} }, { offer, days: null, format: 'csv' }),
    /stopped/,
  )
  // The export waits for the cancellation, the remaining rows and the end of the transaction.
  assert.ok(performance.now() - began < 15_000)
  await sql.end({ timeout: 0 })
})

test('a connection stays usable after a COPY whose last rows arrived while its reader was paused', async (t) => {
  const { sql } = await freshDatabase(t)
  const own = await sql.reserve()
  for (let rows = 600; rows <= 1000; rows += 50) {
    const stream = await own
      .unsafe(`copy (select repeat('x', 99) from generate_series(1, ${rows})) to stdout`)
      .readable()
    await sleep(20)
    let size = 0
    for await (const some of stream) size += some.length
    assert.equal(size, rows * 100)
    const answer = await Promise.race([own`select 1 as one`, sleep(3_000, 'no answer')])
    assert.notEqual(answer, 'no answer', `after ${rows} rows`)
  }
  own.release()
})
