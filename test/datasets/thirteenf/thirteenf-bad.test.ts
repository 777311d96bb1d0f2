/** Badly filed Forms 13F in a full ingest: each fault is reported with its place, and the rest is stored. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Detail, Held } from '../../../src/datasets/thirteenf/answers.ts'
import { detail, managerHoldings } from '../../../src/datasets/thirteenf/routes.ts'
import type { Problem } from '../../../src/read/xml.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { ask, CIK, changed, document, fixture, SPECIMEN, worldOf } from '../../support/thirteenf/submissions.ts'
import type { World } from '../../support/world.ts'

const database = await reusedDatabase({ after })
const whole = fixture(SPECIMEN)
const accessionOf = (n: number) => `${CIK}-24-${String(n).padStart(6, '0')}`

/** Returns the problems that the task of a filing recorded. */
async function problemsOf({ sql }: World, accession: string): Promise<[string, string, string][]> {
  const [task] = await sql<{ problems: Problem[] | null }[]>`
    select problems from edgar.task where accession = ${accession}`
  return (task!.problems ?? []).map(({ path, value, reason }) => [path, value, reason])
}

const place = (n: number, name: string) => `/informationTable/infoTable[${n}]/${name}`

test('an information table in another namespace or under any prefix is read like any other, to its last line', async (t) => {
  const world = await worldOf(
    t,
    [
      whole,
      changed(whole, accessionOf(2), [
        [/n1:/g, 'p:'],
        [/xmlns:n1="[^"]*"/, 'xmlns:p="urn:elsewhere"'],
      ]),
      changed(whole, accessionOf(3), [
        [/n1:/g, ''],
        [/xmlns:n1=/, 'xmlns='],
      ]),
    ],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 3, failed: 0, unread: 0 })
  const lines = async (accession: string) => (await ask<Detail>(world.sql, detail, { accession })).positions
  const expected = await lines(SPECIMEN)
  assert.equal(expected.length, 7)
  for (const n of [2, 3]) assert.deepEqual(await lines(accessionOf(n)), expected)
})

test('a value with letters and a negative value are null and reported with their lines; the rest of the table is stored', async (t) => {
  const accession = accessionOf(2)
  const world = await worldOf(
    t,
    [
      changed(whole, accession, [
        [/(<n1:value>)10000000/, '$1ten million'],
        [/(<n1:value>)4000000/, '$1-4000000'],
      ]),
    ],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })
  const { positions, filing, quality } = await ask<Detail>(world.sql, detail, { accession })
  assert.deepEqual(
    positions.map(({ value }) => value),
    [null, null, '6000000', '2000000', '5000000', '5000000', '10000000'],
  )
  assert.equal(filing.value, '28000000')
  assert.deepEqual([quality.line_count, quality.lines_read, quality.value_differs], [7, 7, '-14000000'])
  assert.ok(quality.notes.includes('value_differs'))
  assert.deepEqual(await problemsOf(world, accession), [
    [place(1, 'value'), 'ten million', 'not a decimal number'],
    [place(2, 'value'), '-4000000', 'is negative'],
  ])
})

test('a CUSIP of eight characters, in lower case or with a wrong check digit is stored as filed and flagged, and counts as a holding', async (t) => {
  const accession = accessionOf(2)
  const cusips = ['03783310', '82028k200', '037833101']
  const [cover, table] = whole.documents
  let n = 0
  const content = table!.content.replace(/(<n1:cusip>)[^<]*/g, (all, tag: string) =>
    n < 3 ? `${tag}${cusips[n++]}` : all,
  )
  const world = await worldOf(
    t,
    [{ ...whole, accession, documents: [cover!, { ...table!, content }] }],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })
  const { positions, quality } = await ask<Detail>(world.sql, detail, { accession })
  assert.deepEqual(
    positions.slice(0, 3).map(({ cusip, cusip_flag: flag }) => [cusip, flag]),
    [
      ['03783310', 'length'],
      ['82028k200', 'case'],
      ['037833101', 'check_digit'],
    ],
  )
  const flagged = positions.filter(({ cusip_flag: flag }) => flag !== null)
  assert.equal(quality.cusips_flagged, flagged.length)
  const held = await ask<Held>(world.sql, managerHoldings, { cik: CIK })
  for (const cusip of cusips)
    assert.ok(
      held.positions.some((one) => one.cusip === cusip.toUpperCase()),
      cusip,
    )
})

test('totals that disagree with the table are reported with the difference, and change no values', async (t) => {
  const accession = accessionOf(2)
  const world = await worldOf(
    t,
    [
      changed(whole, accession, [
        [/(<tableEntryTotal>)\d+/, '$19'],
        [/(<tableValueTotal>)\d+/, '$142000001'],
      ]),
    ],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })
  const { filing, quality } = await ask<Detail>(world.sql, detail, { accession })
  const {
    entries_differ: entries,
    value_differs: value,
    declared_entries: declared,
    parsed_value: parsed,
    notes,
  } = quality
  assert.deepEqual([entries, value, declared, parsed, filing.value], [-2, '-1', 9, '42000000', '42000000'])
  assert.deepEqual(
    notes.filter((note) => note.endsWith('differ') || note.endsWith('differs')),
    ['entries_differ', 'value_differs'],
  )
})

test('an amendment without its original is served with its own content, and its quarter is incomplete', async (t) => {
  const adding = changed(
    whole,
    accessionOf(2),
    [
      [/<submissionType>13F-HR</, '<submissionType>13F-HR/A<'],
      [
        /(?<=<\/reportCalendarOrQuarter>)/,
        '<isAmendment>true</isAmendment><amendmentNo>1</amendmentNo><amendmentInfo><amendmentType>NEW HOLDINGS</amendmentType></amendmentInfo>',
      ],
      [/(<n1:value>)10000000/, '$110000001'],
    ],
    { form: '13F-HR/A', filed: '2024-03-01' },
  )
  const world = await worldOf(t, [adding], await database.emptied())
  assert.deepEqual(await world.drain(), { done: 1, failed: 0, unread: 0 })
  const { chain } = await ask<Detail>(world.sql, detail, { accession: adding.accession })
  assert.deepEqual(
    chain.map(({ accession, part, flags }) => [accession, part, ...flags]),
    [[adding.accession, 'adds', 'original_missing']],
  )
  const held = await ask<Held>(world.sql, managerHoldings, { cik: CIK, period: '2023-12-31' })
  assert.deepEqual([held.quarter!.state, held.total_value], ['incomplete', '42000001'])
  assert.deepEqual(held.quarter!.accessions, [adding.accession])
})

const cover = (entries: number, kind = '') =>
  `Report for the Calendar Year or Quarter Ended: December 31, 2008\n${kind}\nForm 13F Information Table Entry Total: ${entries}\n`

test('a table that declares lines but has no readable line fails alone, with its reason, and is counted as a failure', async (t) => {
  const [primary, table] = whole.documents
  const emptied = { ...table!, content: `${table!.content.slice(0, table!.content.indexOf('<n1:infoTable>'))}\n</XML>` }
  const text = (n: number, content: string) => ({
    ...{ ...whole, accession: accessionOf(n) },
    documents: [document('13F-HR', 'report.txt', content)],
  })
  const world = await worldOf(
    t,
    [
      { ...whole, accession: accessionOf(2), documents: [primary!, emptied] },
      text(
        3,
        `${cover(2)}<TABLE>\nRED RIVER INC     2,550 and 30,000\nOAK & ELM CO      1,944 and 100,000\n</TABLE>\n`,
      ),
      text(4, `${cover(61)}The table is filed separately.\n`),
      text(5, `${cover(0)}No securities are held; of 1,000 and 2,000 none is reported.\n`),
      text(6, `${cover(1)}RED RIVER INC     COM    037833100    2,550    30,000   SH   SOLE\n`),
    ],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 3, failed: 2, unread: 0 })
  const tasks = await world.sql<{ accession: string; error: string }[]>`
    select accession, error from edgar.task where error is not null order by accession`
  assert.deepEqual(
    tasks.map(({ accession }) => accession),
    [accessionOf(2), accessionOf(3)],
  )
  for (const { error } of tasks)
    assert.match(error, /the summary declares \d lines, and none of the table could be read/)
  const reports = await world.sql`select accession, position_count from thirteenf.report order by accession`
  assert.deepEqual(
    reports.map(({ position_count }) => position_count),
    // The table of the first report is filed separately, so the number of its positions is unknown.
    [null, 0, 1],
  )
})

test('reports amounts that equal the values in every line or give impossible share prices, but not if only some lines do', async (t) => {
  const rows = (...pairs: readonly (readonly [string, string])[]) =>
    pairs
      .map(
        ([value, amount], at) =>
          `RED RIVER ${at}     COM    ${['037833100', '594918104', '67066G104'][at]}    ${value}    ${amount}   SH   SOLE`,
      )
      .join('\n')
  const text = (n: number, content: string) => ({
    ...{ ...whole, accession: accessionOf(n) },
    documents: [document('13F-HR', 'report.txt', `${cover(3)}${content}\n`)],
  })
  const world = await worldOf(
    t,
    [
      text(2, rows(['2,550', '2,550'], ['4,000', '4,000'], ['1,900', '1,900'])),
      text(3, rows(['2,550', '2,550'], ['4,000', '4,000'], ['1,900', '10,000'])),
      text(4, rows(['2,550,000', '10'], ['4,000,000', '20'], ['1,900,000', '30'])),
      text(5, rows(['2,550,000', '10,000'], ['4,000,000', '20,000'], ['1,900,000', '30,000'])),
      text(6, rows(['2,550', '2,550,000'], ['4,000', '4,000,000'], ['1,900', '1,900,000'])),
    ],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 5, failed: 0, unread: 0 })
  const found = await world.sql<{ notes: string[] }[]>`select notes from thirteenf.quality order by accession`
  assert.deepEqual(
    found.map(({ notes }) => notes.filter((one) => one.startsWith('amounts_'))),
    [['amounts_are_values'], [], ['amounts_implausible'], [], ['amounts_are_values']],
  )
})

test('a declared total in another unit than the lines agrees with them, up to the rounding of each line', async (t) => {
  const report = (n: number, total: string, ...values: readonly string[]) => ({
    ...{ ...whole, accession: accessionOf(n) },
    documents: [
      document(
        '13F-HR',
        'report.txt',
        `${cover(2)}\nForm 13F Information Table Value Total: ${total}\n${values.map((value, at) => `RED RIVER ${at}     COM    ${['037833100', '594918104'][at]}    ${value}    30,000   SH   SOLE`).join('\n')}\n`,
      ),
    ],
  })
  const world = await worldOf(
    t,
    [
      report(2, '$4,494,311', '2,550', '1,944'),
      report(3, '$4,494 (thousands)', '2,550,020', '1,944,200'),
      report(4, '$4,496,311', '2,550', '1,944'),
      report(5, '$4,497', '2,550,020', '1,944,200'),
    ],
    await database.emptied(),
  )
  assert.deepEqual(await world.drain(), { done: 4, failed: 0, unread: 0 })
  const found = await world.sql<{ declared: string; differs: string; notes: string[] }[]>`
    select declared_value::text as declared, value_differs::text as differs, notes from thirteenf.quality
    order by accession`
  assert.deepEqual(
    found.map(({ declared, differs, notes }) => [declared, differs, notes.includes('value_differs')]),
    [
      ['4494311', '0', false],
      ['4494', '0', false],
      ['4496311', '-4491817', true],
      ['4497', '4489723', true],
    ],
  )
})
