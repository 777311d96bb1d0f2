/** The SEC's quarterly sets: the complete real set of 2013 Q2, and the same filings from a set and from submissions. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { filings, quarterlySet, submissionOf } from '../../../bench/thirteenf-sets.ts'
import { compose } from '../../../src/datasets/thirteenf/compose.ts'
import { parseCover } from '../../../src/datasets/thirteenf/parse/cover.ts'
import { parseTable } from '../../../src/datasets/thirteenf/parse/table.ts'
import { nothingFound } from '../../../src/datasets/thirteenf/parse/values.ts'
import type { MEMBERS } from '../../../src/datasets/thirteenf/sets/parse.ts'
import { quarterlySets } from '../../../src/datasets/thirteenf/sets.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { byTable, rowsOfSet, Written } from '../../support/sets/written.ts'
import { bytesOf, membersIn, readSet, reportedOf, rowsBy } from '../../support/thirteenf/files.ts'

const real = corpus.skip ? null : readSet(await membersIn('bulk/dataset_13F/2013q2_form13f.zip'))

test('every line of every member of the real set of 2013 Q2 belongs to a filing, and every column is read', {
  skip: corpus.skip,
}, async () => {
  const { filings, lines, used, unread } = (await real)!
  assert.deepEqual(used, lines)
  assert.deepEqual([filings.size, lines.INFOTABLE], [166, 87_715])
  assert.deepEqual(unread, [])
  assert.deepEqual(
    [...filings.values()].flatMap(({ problems }) => problems),
    [],
  )
  const positions = [...filings.values()].reduce((sum, one) => sum + one.positions.length, 0)
  assert.equal(positions, 87_715)
  const names = [...filings.get('0001035463-13-000003')!.securities.values()].map(({ issuer_name }) => issuer_name)
  assert.deepEqual(
    names.filter((name) => name?.includes('"')),
    ['FORD MOTOR CO DEL "NEW"'],
  )
})

test('a set gives the same facts as the form: cover, other managers in both directions, signature, summary', {
  skip: corpus.skip,
}, async () => {
  const { filings } = (await real)!
  const { report, quality, managers, positions } = filings.get('0001085146-13-001075')!
  assert.equal(managers.filter(({ list }) => list === 'included_here')[0]!.name, 'HSBC BANK USA, N.A.')
  assert.deepEqual([quality.source, quality.declared_entries], ['set', positions.length])
  // The set has 1, 17, 2 and so on.
  assert.deepEqual(
    managers.map(({ sequence }) => sequence),
    managers.map((_, at) => at + 1),
  )
  const first = filings.get('0001487438-13-000014')!
  assert.deepEqual(
    [first.filedDate, first.report.period, first.report.manager_name, first.report.file_number, first.report.signed],
    ['2013-06-27', '2010-03-31', 'DONALDSON CAPITAL MANAGEMENT, LLC', '028-15535', '2013-06-27'],
  )
  assert.deepEqual(
    [first.positions[0]!.cusip, first.positions[0]!.value, first.positions[0]!.amount, first.positions[0]!.votes_none],
    ['055622104', '392000', '6864', '6864'],
  )
  assert.equal(report.report_type, 'holdings')
})

test('a table that is repeated in the set differs from its summary by exactly the declared totals', {
  skip: corpus.skip,
}, async () => {
  const { quality } = (await real)!.filings.get('0001278573-13-000003')!
  assert.deepEqual([quality.declared_entries, quality.entries_differ], [99, 99])
  assert.deepEqual([quality.declared_value, quality.value_differs], ['832671', '832671'])
})

test('CUSIPs of eight characters, in lower case or with a wrong check digit stay as filed and are flagged', {
  skip: corpus.skip,
}, async () => {
  const flags: Record<string, number> = {}
  for (const { positions } of (await real)!.filings.values()) {
    for (const { cusip_flag: flag } of positions) flags[flag ?? 'none'] = (flags[flag ?? 'none'] ?? 0) + 1
  }
  assert.deepEqual(flags, { none: 86_680, length: 648, case: 296, check_digit: 91 })
})

test('new holdings add to a real quarter, and a later restatement replaces them', {
  skip: corpus.skip,
}, async () => {
  const own = [...(await real)!.filings.values()].filter(
    ({ report }) => report.cik === '0001453072' && report.period === '2012-09-30',
  )
  assert.deepEqual(
    compose(own.map(reportedOf)).map(({ part, flags }) => [part, ...flags].join(' ')),
    ['replaced original_missing', 'replaced', 'whole'],
  )
})

test('a set of 2025 has the columns of 2013, and all of them are read', { skip: corpus.skip }, async () => {
  const folder = path.join(corpus.folder, 'bulk/13f/test-fixtures')
  const names = [
    'SUBMISSION',
    'COVERPAGE',
    'OTHERMANAGER',
    'OTHERMANAGER2',
    'SIGNATURE',
    'SUMMARYPAGE',
    'INFOTABLE',
  ] as const
  const texts = Object.fromEntries(names.map((name) => [name, readFileSync(path.join(folder, `${name}.tsv`), 'utf8')]))
  const { filings, used, lines, unread } = await readSet(texts as Record<keyof typeof MEMBERS, string>)
  assert.deepEqual(used, lines)
  assert.deepEqual(unread, [])
  assert.equal(filings.get('0001234567-25-000001')!.report.value, '500000000')
  assert.equal(filings.get('0009876543-25-000001')!.report.report_type, 'notice')
})

test('a quarter gives the same rows from its set and from its submissions', async () => {
  const all = [...filings(40, { seed: 7, period: '2023-12-31', lines: 60 })]
  const members: Record<string, string> = {}
  for (const [name, text] of quarterlySet(all)) members[name] = (members[name] ?? '') + text
  const set = await readSet(members as Record<keyof typeof MEMBERS, string>)
  assert.equal(set.filings.size, 40)
  for (const made of all) {
    const { cover, table } = submissionOf(made)
    const found = nothingFound()
    const primary = parseXml(cover)
    const rows = await rowsBy({
      header: { submissionType: made.form, filedDate: made.filedDate, cik: made.cik, period: made.period, name: null },
      cover: parseCover(primary),
      holdings: table === null ? null : parseTable(bytesOf(table), found),
      found,
      source: 'xml',
    })
    assert.deepEqual([primary.unread(), primary.problems(), found.problems, [...found.unread]], [[], [], [], []])
    const other = set.filings.get(made.accession)!
    assert.deepEqual(other.report, rows.report)
    assert.deepEqual(other.managers, rows.managers)
    assert.deepEqual(other.positions, rows.positions)
    assert.deepEqual(other.securities, rows.securities)
    assert.deepEqual(
      { ...other.quality, source: 'xml' },
      { ...rows.quality, source: rows.quality.source === 'none' ? 'xml' : rows.quality.source },
    )
  }
})

/** The members of a set of one report with some lines. */
function oneFiling(): Record<string, string> {
  const made = [...filings(40, { seed: 7, period: '2023-12-31', lines: 5 })]
  const members: Record<string, string> = {}
  for (const [name, text] of quarterlySet([made.find(({ form, count }) => form === '13F-HR' && count > 3)!])) {
    members[name] = (members[name] ?? '') + text
  }
  return members
}

test('a truncated line of a set, or one with letters in a value, is kept with a problem and its place', async () => {
  const members = oneFiling()
  const [header, first, ...rest] = members.INFOTABLE!.trimEnd().split('\n')
  const values = first!.split('\t')
  values[header!.split('\t').indexOf('VALUE')] = 'ten'
  const last = rest.pop()!
  const cut = last.split('\t').slice(0, 5).join('\t')
  members.INFOTABLE = [header, values.join('\t'), ...rest, cut].join('\n')
  const [read] = (await readSet(members as Record<keyof typeof MEMBERS, string>)).filings.values()
  const end = rest.length + 2
  assert.equal(read!.positions.length, end)
  assert.deepEqual(
    read!.problems.map(({ path: place, value, reason }) => [place, value, reason]),
    [
      ['INFOTABLE.tsv:1/VALUE', 'ten', 'not a decimal number'],
      [`INFOTABLE.tsv:${end}/VALUE`, '', 'is missing'],
      [`INFOTABLE.tsv:${end}/SSHPRNAMT`, '', 'is missing'],
      [`INFOTABLE.tsv:${end}/SSHPRNAMTTYPE`, '', 'neither SH nor PRN'],
      [`INFOTABLE.tsv:${end}/INVESTMENTDISCRETION`, '', 'not one of SOLE, DFND, OTR'],
    ],
  )
})

test('an impossible date or report type in the cover line of a set is reported and not stored', async () => {
  const members = oneFiling()
  members.COVERPAGE = members
    .COVERPAGE!.replace('\t31-DEC-2023', '\t31-FEB-2023')
    .replace('13F HOLDINGS REPORT', '13F STORY')
  const [read] = (await readSet(members as Record<keyof typeof MEMBERS, string>)).filings.values()
  // The period in SUBMISSION replaces the impossible date.
  assert.deepEqual([read!.report.period, read!.report.report_type], ['2023-12-31', null])
  assert.deepEqual(
    read!.problems.map(({ path: place, value }) => [place, value]),
    [
      ['COVERPAGE.tsv:1/REPORTCALENDARORQUARTER', '31-FEB-2023'],
      ['COVERPAGE.tsv:1/REPORTTYPE', '13F STORY'],
    ],
  )
})

test('the filing date in the indexes decides the unit, even if the set states another date', async () => {
  const written = new Written()
  for (const [member, text] of Object.entries(oneFiling())) {
    const [columns, ...lines] = text.trimEnd().split('\n')
    for (const line of member === 'INFOTABLE' ? lines.slice(0, 1) : lines) {
      const values = line.split('\t')
      written.add(member, Object.fromEntries(columns!.split('\t').map((column, at) => [column, values[at] ?? ''])))
    }
  }
  const scales: unknown[] = []
  for (const day of ['2023-01-02', '2023-01-03']) {
    const { rows, unread } = await rowsOfSet({ ...quarterlySets, filedDate: () => day }, written)
    scales.push(byTable(rows).report![0]!.scale)
    assert.deepEqual(unread, [])
  }
  assert.deepEqual(scales, [1000, 1])
})
