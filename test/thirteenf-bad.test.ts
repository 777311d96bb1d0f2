/** Form 13F as filers should not file it, through the whole of ingest: what is wrong is told with its place, the rest is there. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Detail, Held } from '../src/datasets/thirteenf/answers.ts'
import { detail, managerHoldings } from '../src/datasets/thirteenf/routes.ts'
import type { Problem } from '../src/read/xml.ts'
import { reusedDatabase } from './reused.ts'
import { ask, CIK, changed, fixture, SPECIMEN, worldOf } from './thirteenf-submissions.ts'
import type { World } from './world.ts'

const database = await reusedDatabase({ after })
const whole = fixture(SPECIMEN)
const accessionOf = (n: number) => `${CIK}-24-${String(n).padStart(6, '0')}`

/** Problems of a filing as its task keeps them. */
async function problemsOf({ sql }: World, accession: string): Promise<[string, string, string][]> {
  const [task] = await sql<{ problems: Problem[] | null }[]>`
    select problems from edgar.task where accession = ${accession}`
  return (task!.problems ?? []).map(({ path, value, reason }) => [path, value, reason])
}

const place = (n: number, name: string) => `/informationTable/infoTable[${n}]/${name}`

test('an information table in another namespace or under any prefix is read as the same, to its last line', async (t) => {
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

test('letters in a value and a negative value are null and told with their lines; the rest of the table is there', async (t) => {
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
  assert.deepEqual([quality.lines, quality.lines_read, quality.value_differs], [7, 7, '-14000000'])
  assert.ok(quality.notes.includes('value_differs'))
  assert.deepEqual(await problemsOf(world, accession), [
    [place(1, 'value'), 'ten million', 'no decimal number'],
    [place(2, 'value'), '-4000000', 'is negative'],
  ])
})

test('a CUSIP of eight characters, in lower case or with a wrong check digit is stored as filed and flagged, and is held', async (t) => {
  const accession = accessionOf(2)
  const cusips = ['03783310', '82028k200', '037833101']
  const [cover, table] = whole.documents
  let n = 0
  const content = table!.content.replace(/(<n1:cusip>)[^<]*/g, (all, tag: string) => (n < 3 ? `${tag}${cusips[n++]}` : all)) // biome-ignore format: one line
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

test('totals that do not agree with the table are told by how much, and change nothing of what was read', async (t) => {
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
  assert.deepEqual(notes.filter((note) => note.endsWith('differ') || note.endsWith('differs')), ['entries_differ', 'value_differs']) // biome-ignore format: one line
})

test('an amendment without its original is served as what it says, and its quarter is incomplete', async (t) => {
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
})
