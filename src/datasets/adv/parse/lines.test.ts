import assert from 'node:assert/strict'
import { createReadStream, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ZipWriter } from '../../../../test/support/adv/zip.ts'
import { corpus } from '../../../../test/support/corpus.ts'
import { editionOf, type Series } from '../../../declare/series.ts'
import { read } from '../../../ingest/bulk/read.ts'
import { notes } from '../../../ingest/notes.ts'
import { series } from '../parse.ts'

type Row = Record<string, unknown>

const fixtures = fileURLToPath(new URL('../fixtures', import.meta.url))
const MONTH = 'ADV_Filing_Data_20260601_20260630'
const SPAN = '_20260601_20260630.csv'

/** Returns the files of a month by name, from a fixture. */
const filesOf = (folder: string): Record<string, Buffer> =>
  Object.fromEntries(
    readdirSync(path.join(fixtures, folder)).map((name) => [name, readFileSync(path.join(fixtures, folder, name))]),
  )

/** Reads an edition of these files as a load does. */
async function edition(t: TestContext, name: string, declared: Series, files: Record<string, Buffer>) {
  const folder = await mkdtemp(path.join(tmpdir(), 'openfilings-adv-'))
  t.after(() => rm(folder, { recursive: true }))
  const file = path.join(folder, 'edition.zip')
  const zip = await ZipWriter.create(file, '2026-07-01')
  for (const [member, bytes] of Object.entries(files)) await zip.add(member, [bytes])
  await zip.close()
  return rowsOf(declared, name, file)
}

async function rowsOf(declared: Series, name: string, file: string) {
  const found = notes()
  const tables: Record<string, Row[]> = {}
  for await (const { rows } of read(declared, [{ name, bytes: () => createReadStream(file) }], found)) {
    for (const [table, row] of rows) {
      tables[table] ??= []
      tables[table].push(row)
    }
  }
  return { tables, unread: [...found.unread], problems: found.problems, refusals: found.refusals }
}

const month = (t: TestContext, files: Record<string, Buffer>) =>
  edition(t, `${MONTH}.zip`, series.ADV_FILING_DATA, files)

/** Reads the month of the fixture, reduced to the base files and one file with changed text. */
async function changed(t: TestContext, member: string, change: (text: string) => string) {
  const files = filesOf(MONTH)
  const base = `IA_ADV_Base_A${SPAN}`
  const name = `${member}${SPAN}`
  const text = change(files[name]!.toString())
  return month(t, { [base]: files[base]!, [name]: Buffer.from(text) })
}

const truth: Record<string, Record<string, Row[]>> = JSON.parse(readFileSync(path.join(fixtures, 'truth.json'), 'utf8'))

for (const [name, expected] of Object.entries(truth)) {
  test(`${name}: the fixture is read completely and yields the values that were typed by hand`, async (t) => {
    const isXml = name.endsWith('.xml')
    const fileName = isXml ? name : `${name}.zip`
    const declared = Object.values<Series>(series).find((one) => editionOf('', one, fileName))!
    const { tables, unread, problems, refusals } = isXml
      ? await rowsOf(declared, name, path.join(fixtures, name))
      : await edition(t, fileName, declared, filesOf(name))
    assert.deepEqual([unread, refusals], [[], []])
    const lines = problems.map(({ path: at, value }) => `${at} ${value}`.replace(/^.*\//, ''))
    assert.deepEqual(lines, name === MONTH ? ['Gross Asset Value N'] : [])
    assert.deepEqual(Object.keys(tables).sort(), Object.keys(expected).sort())
    for (const [table, rows] of Object.entries(expected)) {
      for (const row of rows) {
        const there = tables[table]!.some((stored) =>
          Object.entries(row).every(([column, value]) => JSON.stringify(stored[column]) === JSON.stringify(value)),
        )
        assert.ok(there, `${table} has no row ${JSON.stringify(row)} but ${JSON.stringify(tables[table], null, 1)}`)
      }
    }
  })
}

test('DateSubmitted is read in its three shapes', async (t) => {
  for (const [shape, day] of [
    ['09/03/2025 09:31:51 AM', '2025-09-03'],
    ['6/24/2025', '2025-06-24'],
    ['6/24/2025 7:44', '2025-06-24'],
  ] as const) {
    const { tables, problems } = await changed(t, 'IA_ADV_Base_A', (text) =>
      text.replace(/"6\/24\/2026"/, `"${shape}"`),
    )
    assert.equal(tables.filing![1]!.submitted_date, day)
    assert.deepEqual(problems, [])
  }
})

test('files in UTF-8 and in cp1252 give the same text', async (t) => {
  const files = filesOf(MONTH)
  const name = `IA_ADV_Base_A${SPAN}`
  const text = files[name]!.toString()
  for (const encoding of ['utf8', 'latin1'] as const) {
    const { tables } = await month(t, { [name]: Buffer.from(text, encoding) })
    assert.equal(tables.filing![1]!.city, 'MONTRÉAL')
  }
})

test('a gross asset value of N is null and reported, its fund is kept', async (t) => {
  const { tables, problems } = await changed(t, 'IA_Schedule_D_7B1', (text) => text)
  const [, feeder] = tables.fund!
  assert.deepEqual([feeder!.fund_id, feeder!.gross_asset_value], ['805-9000000001', null])
  assert.deepEqual(
    problems.map(({ path: at, value }) => [at.endsWith('Gross Asset Value'), value]),
    [[true, 'N']],
  )
})

test('blank regulatory assets are null, zero is zero; scientific notation is refused because it has lost digits', async (t) => {
  for (const [given, kept, reported] of [
    ['', null, 0],
    ['0', '0', 0],
    ['1.33644E+11', null, 1],
  ] as const) {
    const { tables, problems } = await changed(t, 'IA_ADV_Base_A', (text) => text.replace('133644228926', given))
    assert.equal(tables.filing![0]!.raum_total, kept)
    assert.equal(problems.length, reported)
  }
})

test('the file number is read from Item 1.D, and the CRD number from Item 1.E(1), without leading zeros', async (t) => {
  const { tables } = await changed(t, 'IA_ADV_Base_A', (text) => text.replace('"361"', '"000361"'))
  assert.deepEqual([tables.filing![0]!.sec_number, tables.filing![0]!.crd], ['801-16048', '361'])
})

test('an invalid CRD number is null and reported', async (t) => {
  const { tables, problems } = await changed(t, 'IA_ADV_Base_A', (text) => text.replace('"361"', '"801-16048"'))
  assert.equal(tables.filing![0]!.crd, null)
  assert.deepEqual(
    problems.map(({ value, reason }) => [value, reason]),
    [['801-16048', 'is not a valid CRD number']],
  )
})

test('a file without the columns of Item 5, which exempt reporting advisers do not have, is read without a problem', async (t) => {
  const { tables, problems } = await changed(t, 'ERA_ADV_Base', (text) => text)
  const filing = tables.filing!.find(({ form }) => form === 'ERA')!
  assert.deepEqual([filing.raum_total, filing.employees, filing.clients, filing.comp_hourly], [null, null, {}, null])
  assert.deepEqual(problems, [])
})

test('a fund has the same 805- number in every filing, but another ReferenceID in each', async (t) => {
  const { tables } = await month(t, filesOf(MONTH))
  const same = tables.fund!.filter(({ reference_id }) => reference_id === '518607')
  assert.deepEqual(same.map(({ filing_id, fund_id }) => `${filing_id} ${fund_id}`).sort(), [
    '9000000101 805-4964869201',
    '9000000201 805-9000000003',
  ])
})

test('a missing required column fails the edition, and the error names file and column', async (t) => {
  const without = (column: string) => (text: string) => text.replace(`"${column}"`, '"other"')
  for (const [member, column] of [
    ['IA_ADV_Base_A', '1E1'],
    ['IA_Schedule_D_7B1', 'Fund ID'],
    ['IA_Schedule_A_B', 'FilingID'],
  ] as const) {
    await assert.rejects(changed(t, member, without(column)), (error: Error) => {
      assert.equal((error.cause as Error).message, `${member}${SPAN} lacks the column ${column}`)
      return error.message === `${MONTH}.zip`
    })
  }
})

test('a month without its base file is refused', async (t) => {
  const { [`IA_ADV_Base_A${SPAN}`]: _, ...others } = filesOf(MONTH)
  await assert.rejects(month(t, others), /no member .*ADV_Base_A/)
})

test('answers to Item 5.D on forms before October 2017 are read as percentages, not as counts', async (t) => {
  const { tables, problems } = await changed(t, 'IA_ADV_Base_A', (text) =>
    text.replace('"10/2021"', '"10/2012"').replace(',29104,', ',"Up to 10%",'),
  )
  assert.deepEqual([tables.filing![0]!.clients, problems], [{}, []])
  assert.equal((tables.filing![0]!.base_a as Record<string, string>)['5D1b'], 'Up to 10%')
})

test('every answered column of a base file is kept as filed, and blank columns are left out', async (t) => {
  const { tables } = await changed(t, 'IA_ADV_Base_A', (text) => text)
  const kept = tables.filing![0]!.base_a as Record<string, string>
  assert.equal(kept['5E7-Other'], 'EXECUTION CHARGES, CUSTODY, MANAGEMENT FEE')
  assert.equal(kept['9E'], '07/2025')
  assert.equal('5F2c' in (tables.filing![1]!.base_a as Record<string, string>), false)
})

test('recognizes a file by its whole name, whatever its case, prefix and days', () => {
  const { members } = series.ADV_FILING_DATA
  const index = (name: string) => members.findIndex(({ file }) => file.test(name))
  const same = (...names: string[]) => {
    const found = new Set(names.map(index))
    assert.equal(found.size, 1, names.join())
    assert.equal(found.has(members.length - 1), false, names.join())
  }
  same(
    'IA_Schedule_D_1F_20260601_20260630.csv',
    'era_schedule_d_1f_20260601_20260630.CSV',
    'Schedule_D_1F_20150315.csv',
  )
  same('IA_DRP_Regulatory_20111105_20151231.csv', 'IA_DRP_Regulatory_20160101_20201231.csv', 'ERA_DRP_Regulatory.csv')
  same('IA_Schedule_D_7B1A23_20260601_20260630.csv', 'Schedule_D_7B1B23_20150315.csv')
  same('ADV_Filing_Types_20260601_20260630.csv')
  const all = ['7B1', '7B1A28', '7B1A28_websites', '7A', '7A_CIK', '7A10b', '7B2'].map((section) =>
    index(`IA_Schedule_D_${section}_20260601_20260630.csv`),
  )
  assert.equal(new Set(all).size, all.length)
  assert.notEqual(index('IA_ADV_Base_A_20260601_20260630.csv'), index('IA_ADV_Base_B_20260601_20260630.csv'))
  assert.notEqual(index('IA_ADV_Base_A_20260601_20260630.csv'), index('ERA_ADV_Base_20260601_20260630.csv'))
})

test('an unknown file is kept line by line as filed', async (t) => {
  const files = filesOf(MONTH)
  const base = `IA_ADV_Base_A${SPAN}`
  const { tables, unread } = await month(t, {
    [base]: files[base]!,
    [`IA_Schedule_D_13Z${SPAN}`]: Buffer.from('FilingID,ReferenceID,"New, column"\r\n9000000361,7,"as filed"\r\n'),
  })
  assert.deepEqual(unread, [])
  assert.deepEqual(tables.schedule_line, [
    {
      filing_id: '9000000361',
      reference_id: '7',
      member: 'Schedule_D_13Z',
      details: { FilingID: '9000000361', ReferenceID: '7', 'New, column': 'as filed' },
    },
  ])
})

test('file names give the days that an edition covers', () => {
  const days = (name: string) => {
    for (const [key, declared] of Object.entries<Series>(series)) {
      const found = editionOf(key, declared, name)
      if (found) return [key, found.edition.from, found.edition.to, found.part]
    }
    return null
  }
  const cases: [string, ReturnType<typeof days>][] = [
    ['IA_FIRM_SEC_Feed_07_23_2026.xml.gz', ['IA_FIRM_SEC', '2026-07-23', '2026-07-23', 0]],
    ['IA_FIRM_STATE_Feed_07_23_2026.xml.gz', ['IA_FIRM_STATE', '2026-07-23', '2026-07-23', 0]],
    ['ADV_Filing_Data_20260601_20260630.zip', ['ADV_FILING_DATA', '2026-06-01', '2026-06-30', 0]],
    ['adv-filing-data-20001019-20111104.zip', ['ADV_FILING_DATA', '2000-10-19', '2011-11-04', 0]],
    ['adv-filing-data-20111105-20241231-part2.zip', ['ADV_FILING_DATA', '2011-11-05', '2024-12-31', 2]],
    ['ADVW_20260601_20260630.zip', ['ADV_W', '2026-06-01', '2026-06-30', 0]],
    ['advw-20001019-20241231.zip', ['ADV_W', '2000-10-19', '2024-12-31', 0]],
    ['ADV_Brochures_2026_January.zip', null],
    ['IA_INDVL_Feed_07_23_2026.xml.zip', null],
  ]
  for (const [name, expected] of cases) assert.deepEqual(days(name), expected, name)
})

test('the rows of real data files in the corpus are read completely', { skip: corpus.skip }, async (t) => {
  const folder = path.join(corpus.folder, 'adviserinfo/foia-rows')
  const files = Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name))]))
  const base = `IA_ADV_Base_A${SPAN}`
  const { tables, unread, problems, refusals } = await month(t, { ...files, [base]: filesOf(MONTH)[base]! })
  assert.deepEqual([unread, problems, refusals], [[], [], []])
  assert.deepEqual(
    Object.entries(tables)
      .map(([table, rows]) => [table, rows.length])
      .sort(),
    [
      ['branch', 4],
      ['disclosure', 2],
      ['filing', 2],
      ['fund', 1],
      ['owner', 1],
    ],
  )
  // Copied from the files by hand.
  const [fund] = tables.fund!
  assert.deepEqual([fund!.fund_id, fund!.gross_asset_value, fund!.owner_count], ['805-4964869201', '321687148', 57])
  assert.equal(
    tables.branch!.reduce((sum, { employees }) => sum + (employees as number), 0),
    48,
  )
})

test('the box of a type of filing counts as ticked also with y or Yes; a box with X is reported and counts as not ticked', async (t) => {
  const annual = 'Annual Updating Amendment for Registered Adviser'
  for (const [filed, types, reported] of [
    ['y', [annual], []],
    ['Yes', [annual], []],
    ['N', [], []],
    ['X', [], ['X']],
  ] as const) {
    const { tables, problems } = await changed(t, 'ADV_Filing_Types', (text) =>
      text.replace(',,"Y",,', `,,"${filed}",,`),
    )
    assert.deepEqual(tables.filing_type![0]!.types, types, filed)
    assert.deepEqual(
      problems.map(({ value }) => value),
      reported,
    )
  }
})

test('the day 1/1/0001, with which programs fill an empty field, is null and reported', async (t) => {
  for (const day of ['1/1/0001 12:00:00 AM', '0001-01-01 00:00:00']) {
    const { tables, problems } = await changed(t, 'IA_ADV_Base_A', (text) => text.replace('"6/24/2026"', `"${day}"`))
    assert.equal(tables.filing![1]!.submitted_date, null)
    assert.deepEqual(
      problems.map(({ value }) => value),
      [day],
    )
  }
})
