/**
 * Partitions by quarter: created by concurrent workers, read and emptied one at a time, and reported if one is missing.
 *
 * @server it makes partitions in several sessions at the same time, and checks locks and plans
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { PendingQuery, Row } from '#postgres'
import thirteenf from '../../src/datasets/thirteenf/index.ts'
import { counted, linesOf } from '../../src/datasets/thirteenf/queries/composed.ts'
import { position } from '../../src/datasets/thirteenf/tables.ts'
import { catalog } from '../../src/declare/catalog.ts'
import { dataset, filings } from '../../src/declare/dataset.ts'
import { text as document } from '../../src/declare/documents.ts'
import { messageOf } from '../../src/declare/errors.ts'
import { storedQuarter } from '../../src/declare/quarter.ts'
import { date, integer, table } from '../../src/declare/table.ts'
import { bisect } from '../../src/ingest/bisect.ts'
import { load, loadRows, removeRows } from '../../src/ingest/load.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import { connect, type Sql, type Transaction } from '../../src/store/db.ts'
import { attachBare, indexBare, madeApart, madeBare, madeWithin } from '../../src/store/partitions.ts'
import { differences, migrate } from '../../src/store/schema.ts'
import { gapText } from '../../src/store/shape.ts'
import { freshDatabase } from '../support/database.ts'
import { openIndexedWorld } from '../support/sampled.ts'

const declared = {
  slug: 'parted',
  label: 'Lines by quarter',
  group: 'Test',
  source: filings({
    forms: ['PARTED'],
    documents: { note: document({ type: 'NOTE' }) },
    async *parse() {},
  }),
  tables: {
    note: table('parted.note', 'One row per filing', [], { period: date('Day').nullable() }),
    line: table(
      'parted.line',
      'One row per line',
      ['n'],
      { n: integer('Number'), quarter: date('Quarter'), value: integer('Value') },
      { indexes: ['(value desc)'], partition: 'quarter' },
    ),
  },
  parser: new URL(import.meta.url),
  family: { table: 'note', columns: ['period'], facets: ['period'] },
  routes: {},
}
const parted = dataset(declared)

const { sql, target } = await freshDatabase({ after })
await migrate(sql, catalog([parted], [], []).datasets)

/** Empties the tables to their initial state: no row, and no partition. */
async function emptied(): Promise<void> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'parted' and tablename not in ('note', 'line')`
  for (const { name } of tables) await sql`drop table ${sql(`parted.${name}`)}`
  await sql`truncate parted.note`
  await sql`delete from core.partition where slug = 'parted'`
  assert.deepEqual(await partitionsOf(sql), [])
}

/** Returns a filing with two lines. */
const filing = (number: number, period: string | null, quarter = storedQuarter(period)) => ({
  accession: `0000000001-24-${String(number).padStart(6, '0')}`,
  filedDate: '2024-02-01',
  rows: [
    ['line', { n: 1, quarter, value: number }] as const,
    ['line', { n: 2, quarter, value: -number }] as const,
    ['note', { period }] as const,
  ],
})

const partitionsOf = async (sql: Sql | Transaction, parent = 'parted.line') =>
  (
    await sql<{ name: string }[]>`
      select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = ${parent}::regclass order by 1`
  ).map(({ name }) => name)

const WITHIN = { schema: 'parted', partitions: madeWithin }
const QUARTERS = ['2023-03-31', '2023-06-30', '2023-09-30', '2023-12-31']

test('workers that need the same new quarters at once, in any order, all store their rows', async (t) => {
  await emptied()
  const workers = 8
  const pools = Array.from({ length: workers }, () => connect({ target, max: 2 }))
  t.after(() => Promise.all(pools.map((pool) => pool.end())))
  await Promise.all(
    pools.map(async (pool, worker) => {
      // Each worker begins at a different quarter, and half of the workers go backwards.
      const order = worker % 2 === 0 ? QUARTERS : QUARTERS.toReversed()
      for (const at of QUARTERS.keys()) {
        const period = order[(at + worker) % QUARTERS.length]!
        const later = order[(at + worker + 1) % QUARTERS.length]!
        const number = 10 * (worker * QUARTERS.length + at)
        const filings = [filing(number, period), filing(number + 1, later)]
        await pool.begin((tx) => load(tx, parted, filings, { schema: 'parted', partitions: madeApart(pool) }))
      }
    }),
  )
  assert.deepEqual(await partitionsOf(sql), ['line_2023q1', 'line_2023q2', 'line_2023q3', 'line_2023q4'])
  const [count] = await sql<{ n: number; quarters: number }[]>`
    select count(*)::int as n, count(distinct (tableoid, quarter))::int as quarters from parted.line`
  assert.deepEqual({ ...count }, { n: workers * QUARTERS.length * 4, quarters: 4 })
})

test('a worker with an open batch does not block other workers, whether they need the same new quarter, another new quarter or an existing quarter', async (t) => {
  await emptied()
  await sql.begin((tx) => load(tx, parted, [filing(1, QUARTERS[0]!)]))
  const [one, other] = [connect({ target, max: 2 }), connect({ target, max: 2 })]
  t.after(() => Promise.all([one.end(), other.end()]))
  const of = (pool: Sql) => ({ schema: 'parted', partitions: madeApart(pool) })
  await one.begin(async (tx) => {
    await load(tx, parted, [filing(2, QUARTERS[1]!)], of(one))
    for (const [at, quarter] of QUARTERS.entries()) {
      await other.begin(async (concurrent) => {
        await concurrent`set local lock_timeout = '1s'`
        await load(concurrent, parted, [filing(3 + at, quarter)], of(other))
      })
    }
    const [seen] = await other<{ n: number }[]>`select count(*)::int as n from parted.line`
    assert.equal(seen!.n, 10)
  })
  const [count] = await sql<{ n: number }[]>`select count(*)::int as n from parted.line where quarter = ${QUARTERS[1]!}`
  assert.equal(count!.n, 4)
})

test('a batch that fails, or whose worker is killed, leaves an empty partition that later batches use normally', async (t) => {
  await emptied()
  const into = { schema: 'parted', partitions: madeApart(sql) }
  const killed = connect({ target, max: 1 })
  t.after(() => killed.end({ timeout: 1 }))
  const fails = sql.begin(async (tx) => {
    await load(tx, parted, [filing(1, QUARTERS[0]!)], into)
    throw new Error('later')
  })
  await assert.rejects(fails, /later/)
  const ends = killed.begin(async (tx) => {
    await load(tx, parted, [filing(2, QUARTERS[1]!)], into)
    const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    await sql`select pg_terminate_backend(${own!.pid})`
    await tx`select 1`
  })
  await assert.rejects(ends)
  const [count] = await sql<{ n: number }[]>`select count(*)::int as n from parted.line`
  assert.deepEqual([await partitionsOf(sql), count!.n], [['line_2023q1', 'line_2023q2'], 0])
  assert.deepEqual((await differences(sql, catalog([parted], [], []).datasets)).stale, [])
  await sql.begin((tx) => load(tx, parted, [filing(3, QUARTERS[0]!), filing(4, QUARTERS[1]!)], into))
  assert.equal((await sql`select from parted.line`).length, 4)
})

test('bare tables block no other session, and their rows are added to a partition even if the partition was created in the meantime', async (t) => {
  await emptied()
  const [set, season] = [connect({ target, max: 2 }), connect({ target, max: 2 })]
  t.after(() => Promise.all([set.end(), season.end()]))
  await set.begin(async (tx) => {
    const into = { schema: 'parted', partitions: madeBare(set) }
    await load(tx, parted, [filing(1, QUARTERS[0]!), filing(2, QUARTERS[1]!)], into)
    await season.begin(async (concurrent) => {
      await concurrent`set local lock_timeout = '1s'`
      await load(concurrent, parted, [filing(3, QUARTERS[0]!)], { schema: 'parted', partitions: madeApart(season) })
    })
    // By now the first quarter exists, but the second quarter does not exist yet.
    await load(tx, parted, [filing(4, QUARTERS[0]!), filing(5, QUARTERS[1]!)], into)
    await indexBare(tx, parted.tables.line!, 'parted')
    await attachBare(tx, parted.tables.line!, 'parted')
  })
  const rows = await sql<{ part: string; n: number }[]>`
    select tableoid::regclass::text as part, count(*)::int as n from parted.line group by 1 order by 1`
  assert.deepEqual(
    rows.map(({ part, n }) => [part, n]),
    [
      ['parted.line_2023q1', 6],
      ['parted.line_2023q2', 4],
    ],
  )
  const left = await sql`select from pg_class where relname like 'line%bare'`
  assert.equal(left.length, 0)
  assert.deepEqual((await differences(sql, catalog([parted], [], []).datasets)).stale, [])
})

test('a bare table is attached as a partition without another scan, and its check constraint is dropped', async () => {
  await emptied()
  await sql.begin(async (tx) => {
    const reads = async (name: string) => {
      const [row] = await tx<{ n: number }[]>`
        select seq_scan::int as n from pg_stat_xact_user_tables where schemaname = 'parted' and relname = ${name}`
      return row!.n
    }
    await load(tx, parted, [filing(1, QUARTERS[0]!), filing(2, null)], { schema: 'parted', partitions: madeBare(sql) })
    await indexBare(tx, parted.tables.line!, 'parted')
    const before = [await reads('line_2023q1_bare'), await reads('line_rest_bare')]
    assert.ok(before.every((n) => n > 0))
    await attachBare(tx, parted.tables.line!, 'parted')
    assert.deepEqual([await reads('line_2023q1'), await reads('line_rest')], before)
  })
  assert.deepEqual(await partitionsOf(sql), ['line_2023q1', 'line_rest'])
  const checks = await sql`select conname from pg_constraint where contype = 'c' and conrelid = 'parted.line_2023q1'::regclass` // biome-ignore format: SQL
  assert.deepEqual([...checks], [])
})

test('a batch that blocks its own second connection ends with an error that names the partition', async (t) => {
  await emptied()
  const own = connect({ target, max: 2 })
  t.after(() => own.end({ timeout: 1 }))
  const circle = own.begin(async (tx) => {
    await load(tx, parted, [filing(1, QUARTERS[0]!)], WITHIN)
    await load(tx, parted, [filing(2, QUARTERS[1]!)], { schema: 'parted', partitions: madeApart(own, 200) })
  })
  await assert.rejects(circle, /parted\.line_2023q2 cannot be made: another session has held the table for 0\.2 s/)
  assert.deepEqual(await partitionsOf(sql), [])
})

test('rows for a detached partition are refused with the name of the partition until it is attached again', async () => {
  await emptied()
  await sql.begin((tx) => load(tx, parted, [filing(1, QUARTERS[0]!)]))
  await sql`alter table parted.line detach partition parted.line_2023q1`
  for (const partitions of [madeApart(sql), madeBare(sql), madeWithin]) {
    const loading = sql.begin((tx) => load(tx, parted, [filing(2, QUARTERS[0]!)], { schema: 'parted', partitions }))
    await assert.rejects(loading, /parted\.line_2023q1 is not attached as a partition/)
  }
  await sql`alter table parted.line attach partition parted.line_2023q1 for values from ('2023-01-01') to ('2023-04-01')`
  await sql.begin((tx) => load(tx, parted, [filing(2, QUARTERS[0]!)]))
  assert.equal((await sql`select from parted.line`).length, 4)
})

test('a partition has the key, the indexes and the comments of its table, in each way of filling it', async () => {
  await emptied()
  const { rows, ...streamed } = filing(2, '2023-05-05')
  await sql.begin(async (tx) => {
    await load(tx, parted, [filing(1, '2023-03-31')])
    await loadRows(
      tx,
      parted,
      [
        {
          ...streamed,
          rows: async function* () {
            yield* rows
          },
        },
      ],
      WITHIN,
    )
    await load(tx, parted, [filing(3, '2023-09-30')], { schema: 'parted', partitions: madeBare(sql) })
    await indexBare(tx, parted.tables.line!, 'parted')
    await attachBare(tx, parted.tables.line!, 'parted')
  })
  const of = (name: string) => sql<{ index: string; comments: number }[]>`
    select string_agg(replace(indexdef, ${name}, 'line'), ';' order by indexdef) as index, (
      select count(*)::int from pg_description d where d.objoid = ${`parted.${name}`}::regclass and d.objsubid > 0
    ) as comments
    from (
      select regexp_replace(indexdef, '^.* USING', (case when indexdef like 'CREATE UNIQUE%' then 'unique' else '' end)) as indexdef
      from pg_indexes where schemaname = 'parted' and tablename = ${name}
    ) i`
  const [parent] = await of('line')
  assert.match(parent!.index, /unique btree \(accession, n, quarter\)/)
  assert.match(parent!.index, /btree \(value DESC\)/)
  assert.equal(parent!.comments, 4)
  assert.deepEqual([...(await of('line_2023q1'))], [parent])
  assert.deepEqual([...(await of('line_2023q2'))], [parent])
  assert.deepEqual([...(await of('line_2023q3'))], [parent])
})

test('rows without a possible quarter are stored in the partition `rest`, and queries find them there', async () => {
  await emptied()
  const all = [filing(1, null), filing(2, '0201-12-31'), filing(3, '2023-12-31')]
  for (let twice = 0; twice < 2; twice++) await sql.begin((tx) => load(tx, parted, all))
  const rows = await sql`
    select tableoid::regclass::text as part, count(*)::int as n from parted.line group by 1 order by 1`
  assert.deepEqual(
    rows.map(({ part, n }) => [part, n]),
    [
      ['parted.line_2023q4', 2],
      ['parted.line_rest', 4],
    ],
  )
})

test('a filing is deleted from the partition of its stored quarter, and no other partition is touched', async () => {
  await emptied()
  await sql.begin((tx) =>
    load(
      tx,
      parted,
      [...QUARTERS, null].map((period, at) => filing(at + 1, period)),
    ),
  )
  const { accession } = filing(2, null)
  const touched = await sql.begin(async (tx) => {
    await removeRows(tx, parted, [accession])
    const locks = await tx<{ name: string }[]>`
      select c.relname as name from pg_locks l join pg_class c on c.oid = l.relation
      where l.pid = pg_backend_pid() and l.mode = 'RowExclusiveLock' and c.relkind = 'r' and c.relispartition order by 1`
    return locks.map(({ name }) => name)
  })
  assert.deepEqual(touched, ['line_2023q2'])
  // When the filing is loaded again with another quarter, its rows leave the first quarter.
  await sql.begin((tx) => load(tx, parted, [filing(1, QUARTERS[3]!)]))
  const left = await sql<{ quarter: string; n: number }[]>`
    select quarter, count(*)::int as n from parted.line group by 1 order by 1`
  assert.deepEqual(
    left.map(({ quarter, n }) => [quarter, n]),
    [
      ['0001-01-01', 2],
      ['2023-09-30', 2],
      ['2023-12-31', 4],
    ],
  )
})

test('rows whose quarter differs from the quarter of their filing are refused, because they would not be found again', async () => {
  await emptied()
  const odd = filing(1, '2023-12-31', '2023-09-30')
  await assert.rejects(
    sql.begin((tx) => load(tx, parted, [odd])),
    /has rows of the quarter 2023-09-30, but its row in note states 2023-12-31/,
  )
  const { rows, ...streamed } = { ...odd, rows: odd.rows.slice(0, 2) }
  await assert.rejects(
    sql.begin((tx) =>
      loadRows(
        tx,
        parted,
        [
          {
            ...streamed,
            rows: async function* () {
              yield* rows
            },
          },
        ],
        WITHIN,
      ),
    ),
    /but its row in note states undefined/,
  )
  assert.deepEqual(await partitionsOf(sql), [])
})

test('a slice with a partitioned table is refused if its family’s table has no date column `period`', () => {
  const tables = {
    ...declared.tables,
    note: table('parted.note', 'One row per filing', [], { period: integer('Year') }),
  }
  assert.throws(
    () => dataset({ ...declared, tables }),
    /parted\.line is partitioned, and parted\.note has no date period/,
  )
})

test('a dropped or detached partition is reported as missing', async () => {
  await emptied()
  await sql.begin((tx) =>
    load(
      tx,
      parted,
      QUARTERS.map((period, at) => filing(at, period)),
    ),
  )
  const { datasets } = catalog([parted], [], [])
  assert.deepEqual((await differences(sql, datasets)).stale, [])
  await sql`alter table parted.line detach partition parted.line_2023q1`
  await sql`drop table parted.line_2023q3`
  const { stale } = await differences(sql, datasets)
  assert.deepEqual(
    stale.map((each) => gapText(each).found),
    ['parted lacks parted.line_2023q1, parted.line_2023q3'],
  )
})

test('a rebuild creates the partitions for its rows, and registers them', async (t) => {
  const world = await openIndexedWorld(t)
  const { sql } = world
  await world.drain({ datasets: ['thirteenf'] })
  const known = async () => (await sql`select slug, name from core.partition order by 1, 2`).map(({ name }) => name)
  const before = await partitionsOf(sql, 'thirteenf.position')
  assert.ok(before.length >= 5, before.join())
  assert.deepEqual(await known(), before)
  await rebuild(world, thirteenf)
  assert.deepEqual(await partitionsOf(sql, 'thirteenf.position'), before)
  assert.deepEqual(await known(), before)
  assert.deepEqual((await differences(sql, registry.datasets)).stale, [])
})

test('a manager’s lines in a period are read from one partition, and the holders of a CUSIP through one index of a partition', async () => {
  await sql.begin(async (tx) => {
    for (const quarter of QUARTERS) await madeWithin(tx, position, quarter, 'thirteenf')
    await tx`
      insert into thirteenf.position (accession, n, quarter, cik, cusip, security, value, amount)
      select lpad((m * 4 + q)::text, 10, '0') || '-23-000001', n, (${QUARTERS}::date[])[q + 1], lpad(m::text, 10, '0'),
        lpad((n * 7 % 500)::text, 9, '0'), n, n * m, n
      from generate_series(0, 3) q, generate_series(1, 100) m, generate_series(1, 50) n`
  })
  const plan = async (statement: PendingQuery<Row[]>) => (await statement).map((row) => row['QUERY PLAN']).join('\n')
  const parts = (text: string) => [...new Set(Array.from(text.matchAll(/ on (position_\d+q\d) /g), ([, name]) => name))]
  const steps = counted([{ accession: '0000000041-23-000001', part: 'whole', flags: [] }])
  const holders = () => sql`
    explain select cik, value, amount from thirteenf.position
    where cusip = '000000014' and quarter = ${'2023-06-30'} order by value desc, cik limit 50`
  // The table as a whole is never analyzed, so a plan must not depend on its statistics.
  for (const isAnalyzed of [false, true]) {
    if (isAnalyzed) await sql`vacuum analyze thirteenf.position`
    const lines = await plan(sql`explain select * from ${linesOf(sql, '2023-06-30', steps)} l`)
    assert.deepEqual(parts(lines), ['position_2023q2'], lines)
    assert.match(lines, /Index/)
    assert.doesNotMatch(lines, /Seq Scan/)
    assert.deepEqual(parts(await plan(holders())), ['position_2023q2'])
  }
  const found = await plan(holders())
  assert.match(found, /Index Only Scan using position_2023q2_cusip_value_cik_quarter_amount_id\w* on position_2023q2/)
  assert.doesNotMatch(found, /Sort|Seq Scan/)
})

test('if a filing fails while its rows are being sent, the transaction stays usable, and other filings of any quarter are stored', async () => {
  await emptied()
  /** Yields more than 2 MB of rows, so that some rows are still being sent when `end` is called. */
  async function* many(quarter: string, end: () => void) {
    for (let n = 1; n <= 50_000; n++) yield ['line', { n, quarter, value: n }] as const
    yield ['note', { period: quarter }] as const
    end()
  }
  const large = (number: number, quarter: string, end = () => {}) => ({
    ...filing(number, quarter),
    rows: () => many(quarter, end),
  })
  const broken = () => {
    throw new Error('broken off')
  }
  const into = { schema: 'parted', partitions: madeApart(sql) }
  const refused: string[] = []
  await sql.begin(async (tx) => {
    const all = [
      large(1, QUARTERS[0]!),
      large(2, QUARTERS[1]!, broken),
      // The note of the filing names another quarter than its lines, which is detected only after all lines were sent.
      {
        ...large(3, QUARTERS[2]!),
        rows: () => [...filing(3, QUARTERS[2]!).rows.slice(0, 2), ['note', { period: null }] as const],
      },
      filing(4, QUARTERS[3]!),
    ]
    await bisect(
      tx,
      all,
      (sp, some) => loadRows(sp, parted, some, into),
      (one, error) => refused.push(`${one.accession} ${messageOf(error)}`),
    )
  })
  assert.deepEqual(
    refused.map((line) => line.slice(14)),
    ['000002 broken off', '000003 has rows of the quarter 2023-09-30, but its row in note states 0001-01-01'],
  )
  const stored = await sql<{ accession: string; n: number }[]>`
    select accession, count(*)::int as n from parted.line group by 1 order by 1`
  assert.deepEqual(
    stored.map(({ accession, n }) => [accession.slice(14), n]),
    [
      ['000001', 50_000],
      ['000004', 2],
    ],
  )
})
