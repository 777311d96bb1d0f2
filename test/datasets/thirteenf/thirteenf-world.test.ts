/** Form 13F through the whole service: from submissions to rows, and from rows to answers. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { compose } from '../../../src/datasets/thirteenf/compose.ts'
import thirteenf from '../../../src/datasets/thirteenf/index.ts'
import { counted, linesOf, reportsOf } from '../../../src/datasets/thirteenf/queries/composed.ts'
import { detail, holdings13f } from '../../../src/datasets/thirteenf/routes.ts'
import { rebuild } from '../../../src/ingest/rebuild.ts'
import { fileNumberKey } from '../../../src/read/values.ts'
import type { Sql } from '../../../src/store/db.ts'
import { corpus } from '../../support/corpus.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { listed } from '../../support/thirteenf/files.ts'
import { QUARTERS } from '../../support/thirteenf/quarters.ts'
import {
  ask,
  CIK,
  changed,
  corpusWorld,
  document,
  FIXTURES,
  fixture,
  type Made,
  SPECIMEN,
  worldOf,
} from '../../support/thirteenf/submissions.ts'
import { everyRow } from '../../support/world.ts'

const database = await reusedDatabase({ after })

/** Stores an adviser that has only its numbers. */
async function known(sql: Sql, crd: string, number: string | null = null): Promise<void> {
  const needed = await sql<{ name: string; type: string }[]>`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = 'adv' and table_name = 'adviser' and is_nullable = 'NO'`
  const empty: Record<string, unknown> = { boolean: false, ARRAY: [], jsonb: {}, integer: 0 }
  const row = Object.fromEntries(needed.map(({ name, type }) => [name, empty[type] ?? '']))
  const given = { ...row, crd, adviser_type: 'IA', sec_file_number: number, number_key: fileNumberKey(number) }
  await sql`insert into adv.adviser select (jsonb_populate_record(null::adv.adviser, ${sql.json(given)})).*`
}

interface Holdings {
  match: boolean
  manager: { name: string; cik: string }
  latest_period: string
  position_count: number
  total_value: string
  positions: Record<string, string>[]
  trend: object[]
  not_loaded?: { source: string }[]
}

test('a fixture of each kind is ingested with no leaf unread, and the answers equal the rows', async (t) => {
  const all = ['0000950123-15-009742', '0000950150-00-000752', '0001140361-23-013281', '0001178913-20-000417', SPECIMEN]
  const world = await worldOf(t, all.map(fixture), await database.emptied())
  assert.deepEqual(await world.drain(), { done: 5, failed: 0, unread: 0 })
  for (const accession of all) {
    const golden = JSON.parse(readFileSync(path.join(FIXTURES, accession, 'thirteenf_detail.json'), 'utf8')) as object
    const { filing, positions } = await ask<Record<string, unknown>>(world.sql, detail, { accession })
    const expected = golden as { filing: object; positions: object }
    assert.deepEqual(JSON.parse(JSON.stringify([filing, positions])), [expected.filing, expected.positions], accession)
  }
})

test('a cover without its table, a table without its cover and a truncated table are loaded and marked as such', async (t) => {
  const whole = fixture(SPECIMEN)
  const [cover, table] = whole.documents as [Made['documents'][0], Made['documents'][0]]
  const cut = { ...table, content: `${table.content.slice(0, table.content.indexOf('SPECIMEN THREE'))}\n</XML>` }
  const world = await worldOf(
    t,
    [
      { ...whole, accession: '9000000041-24-000002', documents: [cover] },
      { ...whole, accession: '9000000041-24-000003', documents: [table] },
      { ...whole, accession: '9000000041-24-000004', documents: [cover, cut] },
      { ...whole, accession: '9000000041-24-000005', documents: [document('EX-99', 'other.txt', 'No holdings.')] },
    ],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 3, failed: 1, unread: 0 })
  const [bare, lone, broken, none] = await world.sql<
    { position_count: number; notes: string[]; problems: number; error: string }[]
  >`
    select r.position_count, q.notes, t.error, jsonb_array_length(t.problems) as problems
    from edgar.task t left join thirteenf.report r using (accession) left join thirteenf.quality q using (accession)
    order by t.accession`
  assert.deepEqual([bare!.position_count, bare!.notes], [null, ['table_missing']])
  assert.deepEqual([lone!.position_count, lone!.notes], [7, []])
  assert.deepEqual([broken!.position_count, broken!.problems], [5, 1])
  assert.ok(broken!.notes.includes('table_cut_off') && broken!.notes.includes('entries_differ'))
  assert.match(none!.error, /has no cover, no information table and no text/)
})

test('an adviser has the composed holdings of the manager that states its CRD or 801 number; other advisers have none', async (t) => {
  const whole = fixture(SPECIMEN)
  const restated = changed(
    { ...whole, documents: [whole.documents[0]!, whole.documents[1]!] },
    '9000000041-24-000009',
    [
      [/<submissionType>13F-HR</, '<submissionType>13F-HR/A<'],
      [
        /(?<=<\/reportCalendarOrQuarter>)/,
        '<isAmendment>true</isAmendment><amendmentNo>1</amendmentNo><amendmentInfo><amendmentType>RESTATEMENT</amendmentType></amendmentInfo>',
      ],
      [/(<n1:value>)10000000/, '$111000000'],
    ],
    { form: '13F-HR/A', filed: '2024-03-01' },
  )
  const world = await worldOf(t, [whole, restated], await database.emptied())
  const { sql } = world
  await known(sql, '999011')
  await known(sql, '999012', '801-999011')
  await known(sql, '999013')
  const before = await ask<Holdings>(sql, holdings13f, { crd: '999013' })
  assert.deepEqual([before.match, before.not_loaded?.map(({ source }) => source)], [false, ['thirteenf']])
  assert.deepEqual(await world.drain(), { done: 2, failed: 0, unread: 0 })
  const held = await ask<Holdings>(sql, holdings13f, { crd: '999011' })
  assert.deepEqual(
    [held.match, held.manager.cik, held.latest_period, held.total_value, held.position_count, held.trend],
    [true, CIK, '2023-12-31', '43000000', 4, [{ period_of_report: '2023-12-31', total_value: '43000000' }]],
  )
  const { cusip, value, shares, option_value: options } = held.positions[0]!
  // Two lines (the amendment restates one), and a put and a call next to them.
  assert.deepEqual([cusip, value, shares, options], ['037833100', '15000000', '70000', '8000000'])
  assert.deepEqual(await ask<Holdings>(sql, holdings13f, { crd: '999012' }), held)
  const none = await ask<Holdings>(sql, holdings13f, { crd: '999013' })
  assert.deepEqual([none.match, none.positions, none.not_loaded], [false, [], undefined])
  // An unknown adviser is not found, if advisers are loaded.
  await assert.rejects(ask(sql, holdings13f, { crd: '999014' }), /not found/)
})

test('a name links a manager only if no report states the adviser’s CRD or 801 number; a CRD number precedes an 801 number', async (t) => {
  const whole = fixture(SPECIMEN)
  const of = (cik: string, crd: string, number: string, more: object) =>
    changed(
      whole,
      `${cik}-24-000001`,
      [
        [/<cik>\d+</, `<cik>${cik}<`],
        [/<crdNumber>\d+</, `<crdNumber>${crd}<`],
        [/801-999011/, number],
      ],
      { cik, ...more },
    )
  const [byName, byNumber, byCrd] = ['9000000042', '9000000043', '9000000044'] as const
  const world = await worldOf(
    t,
    [
      // States the numbers of no known adviser. It is the newest of the three reports, so a choice by date alone would
      // find it for every adviser.
      of(byName, '000000000', '801-1', { filed: '2024-05-03' }),
      // The number is the same with a zero in front.
      of(byNumber, '000000000', '801-0999021', { filed: '2024-05-02' }),
      of(byCrd, '000999021', '801-2', { filed: '2024-05-01' }),
    ],
    await database.emptied(),
  )
  const { sql } = world
  assert.deepEqual(await world.drain(), { done: 3, failed: 0, unread: 0 })
  await known(sql, '999021', '801-999021')
  await known(sql, '999022', '801-999021')
  await known(sql, '999023')
  for (const crd of ['999021', '999022', '999023']) {
    await sql`
      insert into links.link (crd, cik, method, confidence, basis)
      values (${crd}, ${byName}, 'name', 0.6, 'specimen capital')`
  }
  const managerOf = async (crd: string) => (await ask<Holdings>(sql, holdings13f, { crd })).manager.cik
  assert.deepEqual(await Promise.all(['999021', '999022', '999023'].map(managerOf)), [byCrd, byNumber, byName])
})

test('lines of a filing come in pages, and a cursor works only for its own filing', async (t) => {
  const world = await worldOf(t, [fixture(SPECIMEN)], await database.emptied())
  await world.drain()
  type Page = { positions: { n: number }[]; next_cursor: string | null }
  const first = await ask<Page>(world.sql, detail, { accession: SPECIMEN, limit: '4' })
  const cursor = first.next_cursor!
  const second = await ask<Page>(world.sql, detail, { accession: SPECIMEN, limit: '4', cursor })
  assert.deepEqual(
    [...first.positions, ...second.positions].map(({ n }) => n),
    [1, 2, 3, 4, 5, 6, 7],
  )
  assert.equal(second.next_cursor, null)
  await assert.rejects(ask(world.sql, detail, { accession: '9000000041-24-000002', cursor }), /cursor/)
})

test('one corpus manager, ingested, has the quarters that a person read; a rebuild gives the same rows', {
  skip: corpus.skip,
}, async (t) => {
  const world = await corpusWorld(
    t,
    listed().filter(({ cik }) => Number(cik) === 1067983),
    await database.emptied(),
  )
  const { failed, unread } = await world.drain()
  const errors = await world.sql`select accession, error from edgar.task where error is not null`
  assert.deepEqual([failed, unread, [...errors]], [0, 0, []])
  for (const [period, { parts, total, held }] of Object.entries(QUARTERS)) {
    const steps = compose(await reportsOf(world.sql, '0001067983', period))
    assert.deepEqual(
      steps.map(({ accession, part, flags }) => [accession, part, ...flags].join(' ')),
      parts,
    )
    const sums = await world.sql<{ cusip: string; value: string; shares: string }[]>`
      select upper(cusip) as cusip, sum(value)::text as value, sum(amount)::text as shares
      from ${linesOf(world.sql, period, counted(steps))} l where put_call is null group by 1`
    assert.equal(String(sums.reduce((sum, { value }) => sum + BigInt(value), 0n)), total, period)
    for (const [cusip, expected] of Object.entries(held)) {
      const { value, shares } = sums.find((one) => one.cusip === cusip)!
      assert.deepEqual([value, shares], expected, `${period} ${cusip}`)
    }
  }
  const rows = async () =>
    Object.fromEntries(
      Object.entries(await everyRow(world.sql, { slices: [thirteenf] })).filter(([name]) =>
        name.startsWith('thirteenf.'),
      ),
    )
  const before = await rows()
  await rebuild(world, thirteenf)
  const after = await rows()
  for (const [name, all] of Object.entries(before)) assert.ok(JSON.stringify(all) === JSON.stringify(after[name]), name)
})
