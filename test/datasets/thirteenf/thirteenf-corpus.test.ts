/** Every real Form 13F of the corpus: covers, tables in XML and text, their totals, and one manager's 27 years. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { compose, composed } from '../../../src/datasets/thirteenf/compose.ts'
import { bySecurity } from '../../../src/datasets/thirteenf/holdings.ts'
import { parseCover } from '../../../src/datasets/thirteenf/parse/cover.ts'
import { parseTable } from '../../../src/datasets/thirteenf/parse/table.ts'
import { nothingFound } from '../../../src/datasets/thirteenf/parse/values.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { bytesOf, listed, type ReadReport, readSubmission, reportedOf } from '../../support/thirteenf/files.ts'
import { QUARTERS } from '../../support/thirteenf/quarters.ts'

/** The filings of the corpus, read once for all tests below. */
let reading: Promise<Map<string, ReadReport>> | undefined
const all = () => {
  reading ??= (async () => {
    const read = new Map<string, ReadReport>()
    for (const filing of listed()) read.set(filing.accession, await readSubmission(filing))
    return read
  })()
  return reading
}

const xml = ({ quality }: ReadReport) => quality.source === 'xml'
const text = ({ quality }: ReadReport) => quality.source === 'text'

/**
 * The only filing with problems: its column of votes begins with the value of Gardner Denver, and all other votes are
 * several lines above their holdings.
 */
const PROBLEMS: Record<string, string[]> = {
  '0000950150-00-000128': ['are on other lines than their holdings, from here on'],
}

test('every Form 13F of the corpus is read completely: no leaf unread, no invalid value', {
  skip: corpus.skip,
}, async () => {
  const read = [...(await all()).values()]
  assert.equal(read.length, new Set(listed().map(({ accession }) => accession)).size)
  for (const { accession, unread, problems, report, quality, positions } of read) {
    const reasons = problems.filter(({ path }) => path !== 'amendment').map(({ reason }) => reason)
    assert.deepEqual([unread, reasons], [[], PROBLEMS[accession] ?? []], accession)
    assert.equal(quality.notes.includes('votes_unread'), reasons.length > 0, accession)
    assert.ok(report.cik !== null && report.period !== null && report.manager_name !== null, accession)
    for (const { n, value, amount, security } of positions) {
      assert.ok(value !== null && amount !== null && security !== '', `${accession} line ${n}`)
    }
  }
})

test("documents without their submissions, and the SEC's samples of 13F-CTR and all other forms, are read whole", {
  skip: corpus.skip,
}, async () => {
  const forms = new Map<string, number>()
  let lines = 0
  const patterns = ['documents/13[fF]*/**/*.xml', 'schemas/**/Sample_13F*.xml', 'schemas/**/information_table.xml']
  for (const file of patterns.flatMap((pattern) => globSync(pattern, { cwd: corpus.folder }))) {
    const source = readFileSync(path.join(corpus.folder, file), 'latin1').trim()
    // Two documents are pages for a browser and not XML.
    if (source.startsWith('<!DOCTYPE')) continue
    if (source.includes('<edgarSubmission')) {
      const doc = parseXml(source)
      const { submissionType } = parseCover(doc)
      assert.deepEqual([doc.unread(), doc.problems()], [[], []], file)
      forms.set(submissionType, (forms.get(submissionType) ?? 0) + 1)
      continue
    }
    const found = nothingFound()
    for await (const { value } of parseTable(bytesOf(source), found)) lines += value === null ? 0 : 1
    assert.deepEqual([found.problems, [...found.unread], found.cutOff], [[], [], null], file)
  }
  assert.deepEqual([...forms.keys()].sort(), ['13F-CTR', '13F-CTR/A', '13F-HR', '13F-HR/A', '13F-NT', '13F-NT/A'])
  assert.ok(lines > 2_000)
})

/** Read lines and value minus the declared ones. Each difference was checked by hand, by adding up the document. */
const DIFFERENCES: Record<string, [entries: number, value: string]> = {
  // The lines were rounded one by one.
  '0001000097-20-000004': [0, '2'],
  '0001178913-18-001251': [0, '-2'],
  // In the first two, a subtotal exceeds its lines, by 20,000 and by 8. In the third, two digits of the total are
  // swapped.
  '0000950150-03-000957': [0, '-20000'],
  '0000950129-05-011287': [0, '-8'],
  '0000950150-01-000126': [0, '27000'],
  // The summary declares four entries, but the table has two lines.
  '0000950134-06-019935': [-2, '0'],
}

test('lines and values of every table add up to the totals declared in its summary, or the difference is recorded', {
  skip: corpus.skip,
}, async () => {
  const compared = [...(await all()).values()].filter(({ quality }) => quality.value_differs !== null)
  assert.ok(compared.filter(xml).length > 50 && compared.filter(text).length > 100)
  for (const { accession, quality } of compared) {
    if (quality.parsed_value === '0') continue
    const expected = DIFFERENCES[accession] ?? [0, '0']
    assert.deepEqual([quality.entries_differ, quality.value_differs], expected, accession)
    assert.equal(quality.notes.includes('value_differs'), expected[1] !== '0', accession)
    assert.equal(quality.notes.includes('entries_differ'), expected[0] !== 0, accession)
  }
})

test('every line of a text table that looks like a holding is one, and all of its content is explained', {
  skip: corpus.skip,
}, async () => {
  const tables = [...(await all()).values()].filter(text)
  const lines = tables.flatMap(({ positions }) => positions)
  for (const { accession, quality } of tables) assert.equal(quality.lines_read, quality.line_count, accession)
  const share = (known: (line: (typeof lines)[number]) => boolean) => lines.filter(known).length / lines.length
  assert.ok(lines.length > 4_300)
  assert.ok(share(({ cusip }) => cusip !== null) > 0.999)
  assert.ok(share(({ discretion }) => discretion !== null) > 0.97)
  assert.ok(
    share(({ votes_sole, votes_shared, votes_none }) => (votes_sole ?? votes_shared ?? votes_none) !== null) > 0.996,
  )
})

/** Typed from the lower halves of the documents: CUSIP and shares of a line, its managers, discretion and sole votes. */
const HALVES: Record<string, readonly (readonly [string, string, string, string, string | null])[]> = {
  '0000950150-03-000957': [
    ['025816109', '1943100', '5,4,13,15,16,17', 'DFND', '1943100'],
    ['191216100', '139945600', '5,11,13', 'DFND', '139945600'],
    ['55261F104', '5997060', '5,11,13', 'DFND', '5997060'],
    ['939640108', '148311', '5,1,3,7,11,13', 'DFND', null],
    ['989390109', '167055', '5,11,13', 'DFND', '167055'],
  ],
  '0000950150-00-000125': [
    ['172967101', '142736', '4,1,2,6,11,14', 'DFND', '142736'],
    ['313586109', '184800', '4,5,14', 'DFND', '184800'],
    ['949740104', '850000', '4,14', 'DFND', '850000'],
  ],
  '0000950150-04-000209': [
    ['127209302', '10000000', '5,8,9,11,13,14', 'DFND', '10000000'],
    ['55261F104', '546000', '5,8,9,11,13,14', 'DFND', '546000'],
  ],
  '0000950150-03-001059': [['264399106', '4813900', '1,2,3,4,5,6', 'DFND', '4813900']],
  '0000950150-04-000249': [['404119109', '4476500', '5,2,6,13', 'DFND', '4476500']],
  '0000950150-03-000244': [['319963104', '7924200', '1,2,3,4,5,6', 'DFND', '7924200']],
  '0000950150-03-000988': [['053015103', '443300', '1,2,3,4,5,6', 'DFND', '443300']],
  '0000950150-03-001058': [['404119109', '5609000', '1,2,3,7', 'DFND', '5609000']],
  '0001095811-01-000836': [
    ['254687106', '2331762', '4,1,2,6,11,14', 'DFND', '2331762'],
    ['254687106', '1573980', '4,13,14', 'DFND', '1573980'],
  ],
  '0001095811-01-000839': [['254687106', '7869906', '4,1,2,6,11,14', 'DFND', '7869906']],
}

test('real tables that were cut into two halves have the managers and votes of their lower halves', {
  skip: corpus.skip,
}, async () => {
  for (const [accession, typed] of Object.entries(HALVES)) {
    const { positions } = (await all()).get(accession)!
    for (const { n, manager_numbers, amount, votes_sole: sole, votes_none: none } of positions) {
      // Berkshire had no votes of the Washington Post.
      assert.ok(manager_numbers !== null && (sole ?? none) === amount, `${accession} line ${n}`)
    }
    for (const [cusip, shares, ...rest] of typed) {
      const line = positions.find((one) => one.cusip === cusip && one.amount === shares)!
      assert.deepEqual([line.manager_numbers, line.discretion, line.votes_sole], rest, `${accession} ${cusip}`)
    }
  }
})

test('a restatement that declares 61 lines but has no table is recorded as such and restates nothing', {
  skip: corpus.skip,
}, async () => {
  const read = (await all()).get('0001095811-01-001489')!
  assert.deepEqual(
    [read.report.position_count, read.report.value, read.quality.declared_entries, read.quality.notes],
    [null, null, 61, ['table_missing']],
  )
})

test('values are dollars in a report for 2021 that was filed in March 2023', { skip: corpus.skip }, async () => {
  const { report, positions } = (await all()).get('0001140361-23-013281')!
  assert.deepEqual([report.period, report.scale, report.scale_reason], ['2021-12-31', 1, 'implied prices'])
  assert.equal(report.value, '11019796')
  assert.equal(positions.find(({ cusip }) => cusip === '464286640')!.value, '2049983')
})

test('values are thousands in a report for 2022 that was filed in February 2023', { skip: corpus.skip }, async () => {
  const { report, positions, quality } = (await all()).get('0001790837-23-000002')!
  assert.deepEqual([report.period, report.scale, report.scale_reason], ['2022-12-31', 1000, 'implied prices'])
  assert.equal(report.value, '192767000')
  assert.equal(positions[0]!.value, '287000')
  assert.deepEqual([quality.scale_compared, quality.scale_agreed, quality.notes], [89, 89, ['scale_unusual']])
})

test('puts and calls that a text table marks next to the amounts are read as options, although their CUSIPs are invalid', {
  skip: corpus.skip,
}, async () => {
  const { positions, quality } = (await all()).get('0000060086-01-500013')!
  const maytag = positions.filter(({ cusip }) => cusip?.startsWith('578592'))
  assert.deepEqual(
    maytag.map(({ cusip, value, amount, put_call: option }) => [cusip, value, amount, option]),
    [
      ['578592107', '3225000', '100000', null],
      ['578592907', '1613000', '50000', 'Call'],
      ['578592957', '6450000', '200000', 'Put'],
    ],
  )
  // The line AGGREGATE TOTAL is below the last page.
  assert.equal(quality.parsed_value, '8698982')
  assert.equal(positions.filter(({ cusip }) => cusip === null).length, 2)
})

test('the managers on a cover report for its filer, and the managers in a summary are included in its report', {
  skip: corpus.skip,
}, async () => {
  const { managers } = (await all()).get('0000950123-23-002585')!
  const of = (list: string) => managers.filter((other) => other.list === list)
  assert.deepEqual(
    of('reports_for_this').map(({ name, file_number, sequence }) => [name, file_number, sequence]),
    [['New England Asset Management Inc', '028-05194', null]],
  )
  assert.ok(
    of('included_here').some(({ name, file_number }) => name === 'Buffett Warren E' && file_number === '028-00554'),
  )
  const notice = (await all()).get('0001178913-20-000417')!
  assert.deepEqual(
    [notice.report.report_type, notice.report.position_count, notice.quality.notes],
    ['notice', null, []],
  )
  assert.deepEqual(
    notice.managers.map(({ list, cik, file_number }) => [list, cik, file_number]),
    [['reports_for_this', '0001415912', '028-17312']],
  )
})

async function quartersOf(cik: string) {
  const own = [...(await all()).values()].filter(({ report }) => report.cik === cik)
  return Map.groupBy(own, ({ report }) => report.period!)
}

for (const [period, { parts, total, held }] of Object.entries(QUARTERS)) {
  test(`CIK 1067983 held at ${period} the positions that its report and amendments give together`, {
    skip: corpus.skip,
  }, async () => {
    const reports = (await quartersOf('0001067983')).get(period)!
    const steps = compose(reports.map(reportedOf))
    assert.deepEqual(
      steps.map(({ accession, part, flags }) => [accession, part, ...flags].join(' ')),
      parts,
    )
    const lines = composed(steps, (accession) => reports.find((one) => one.accession === accession)!.positions)
    const found = bySecurity(lines)
    assert.equal(String(found.reduce((sum, { value }) => sum + value, 0n)), total)
    for (const [cusip, expected] of Object.entries(held)) {
      const { value, shares } = found.find((one) => one.cusip === cusip)!
      assert.deepEqual([String(value), String(shares)], expected, cusip)
    }
  })
}

test('a quarter as of a day has what was filed by that day: confidential positions came a year later', {
  skip: corpus.skip,
}, async () => {
  const reports = (await quartersOf('0001067983')).get('2000-12-31')!.map(reportedOf)
  const partsAsOf = (day: string) => compose(reports, day).map(({ part }) => part)
  assert.deepEqual(partsAsOf('2001-02-13'), [])
  assert.deepEqual(partsAsOf('2001-02-14'), ['whole'])
  assert.deepEqual(partsAsOf('2001-05-15'), ['whole', 'left_out', 'adds', 'adds'])
  assert.deepEqual(partsAsOf('2026-01-01'), ['whole', 'left_out', 'adds', 'adds', 'adds'])
})

test('no quarter of CIK 1067983 is a thousand times too large or too small: all from 1998 to 2026 are in dollars', {
  skip: corpus.skip,
}, async () => {
  for (const [period, reports] of await quartersOf('0001067983')) {
    const steps = compose(reports.map(reportedOf))
    if (steps.some(({ flags }) => flags.includes('original_missing'))) continue
    const lines = composed(steps, (accession) => reports.find((one) => one.accession === accession)!.positions)
    const billions = Number(lines.reduce((sum, { value }) => sum + BigInt(value!), 0n) / 1_000_000_000n)
    assert.ok(billions > 20 && billions < 400, `${period}: ${billions}`)
  }
})
