/** Every real Form 13F that we have: covers, tables in XML and text, what they add up to, and one manager's 27 years. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { compose, composed } from '../src/datasets/thirteenf/compose.ts'
import { bySecurity } from '../src/datasets/thirteenf/holdings.ts'
import { parseCover } from '../src/datasets/thirteenf/parse-cover.ts'
import { parseTable } from '../src/datasets/thirteenf/parse-table.ts'
import { nothingFound } from '../src/datasets/thirteenf/parse-values.ts'
import { parse as parseXml } from '../src/read/xml.ts'
import { corpus } from './corpus.ts'
import { bytesOf, listed, type Read, readSubmission, reportedOf } from './thirteenf-files.ts'

/** Read once for all tests below. */
let reading: Promise<Map<string, Read>> | undefined
const all = () => {
  reading ??= (async () => {
    const read = new Map<string, Read>()
    for (const filing of listed()) read.set(filing.accession, await readSubmission(filing))
    return read
  })()
  return reading
}

const xml = ({ quality }: Read) => quality.source === 'xml'
const text = ({ quality }: Read) => quality.source === 'text'

test('every Form 13F of the corpus is read whole: no leaf unread, no value that is none', {
  skip: corpus.skip,
}, async () => {
  const read = [...(await all()).values()]
  assert.equal(read.length, new Set(listed().map(({ accession }) => accession)).size)
  for (const { accession, unread, problems, report, positions } of read) {
    assert.deepEqual([unread, problems.filter(({ path }) => path !== 'amendment')], [[], []], accession)
    assert.ok(report.cik !== null && report.period !== null && report.manager_name !== null, accession)
    for (const { n, value, amount, security } of positions) {
      assert.ok(value !== null && amount !== null && security !== '', `${accession} line ${n}`)
    }
  }
})

test("documents without their submissions are read whole, and the SEC's samples of 13F-CTR and all other forms", {
  skip: corpus.skip,
}, async () => {
  const forms = new Map<string, number>()
  let lines = 0
  const patterns = ['documents/13[fF]*/**/*.xml', 'schemas/**/Sample_13F*.xml', 'schemas/**/information_table.xml']
  for (const file of patterns.flatMap((pattern) => globSync(pattern, { cwd: corpus.folder }))) {
    const source = readFileSync(path.join(corpus.folder, file), 'latin1').trim()
    // Two are pages of a browser and no XML.
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

/** By hand: each was added up in the document. Lines and value read less what the summary declares. */
const DIFFERENCES: Record<string, [entries: number, value: string]> = {
  // Rounded line by line.
  '0001000097-20-000004': [0, '2'],
  '0001178913-18-001251': [0, '-2'],
  // Subtotals of 20,000 and 8 more than their lines; two digits the wrong way round in the total.
  '0000950150-03-000957': [0, '-20000'],
  '0000950129-05-011287': [0, '-8'],
  '0000950150-01-000126': [0, '27000'],
  // Four entries declared, two lines in the table.
  '0000950134-06-019935': [-2, '0'],
}

test('lines and values of every table add up to what its summary declares, or the difference is recorded', {
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

test('every line that looks like a holding in a text table is one, and what stands in it is known', {
  skip: corpus.skip,
}, async () => {
  const tables = [...(await all()).values()].filter(text)
  const lines = tables.flatMap(({ positions }) => positions)
  for (const { accession, quality } of tables) assert.equal(quality.lines_read, quality.lines, accession)
  const share = (known: (line: (typeof lines)[number]) => boolean) => lines.filter(known).length / lines.length
  assert.ok(lines.length > 4_300)
  assert.ok(share(({ cusip }) => cusip !== null) > 0.999)
  assert.ok(share(({ discretion }) => discretion !== null) > 0.97)
  assert.ok(
    share(({ votes_sole, votes_shared, votes_none }) => (votes_sole ?? votes_shared ?? votes_none) !== null) > 0.92,
  )
})

test('a restatement that declares 61 lines and has no table is recorded as such and restates nothing', {
  skip: corpus.skip,
}, async () => {
  const read = (await all()).get('0001095811-01-001489')!
  assert.deepEqual(
    [read.report.positions, read.quality.declared_entries, read.quality.notes],
    [0, 61, ['table_missing', 'entries_differ', 'value_differs']],
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

test('puts and calls marked at their amounts in a text table are options, with CUSIPs that are none', {
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
  // AGGREGATE TOTAL, which stands below the last page.
  assert.equal(quality.parsed_value, '8698982')
  assert.equal(positions.filter(({ cusip }) => cusip === null).length, 2)
})

test('managers of the cover report for this one, those of the summary are included here', {
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
  assert.deepEqual([notice.report.report_type, notice.report.positions, notice.quality.notes], ['notice', null, []])
  assert.deepEqual(
    notice.managers.map(({ list, cik, file_number }) => [list, cik, file_number]),
    [['reports_for_this', '0001415912', '028-17312']],
  )
})

/**
 * Typed from the documents: the parts of a quarter, US dollars in all, and of some CUSIPs dollars and shares. Values of
 * tables in thousands are as they stand there, with three zeros.
 */
const QUARTERS: Record<
  string,
  { parts: string[]; total: string; held: Record<string, [value: string, shares: string]> }
> = {
  '1999-09-30': {
    parts: ['0000950150-99-001240 whole', '0000950150-00-000720 adds'],
    total: '32172632000',
    held: {
      '375766102': ['3258000000', '96000000'],
      '313400301': ['3190684000', '61359300'],
      '670340105': ['160939000', '3379300'],
    },
  },
  '2000-06-30': {
    parts: [
      '0001095811-00-002809 whole',
      '0000950150-00-000737 adds',
      '0000950150-00-000752 replaces_named partial_restatement',
      '0000950150-00-000938 replaces_named partial_restatement',
      '0000950150-01-000127 adds',
    ],
    // Amendment 2 restates Shaw alone, of which 500,000 shares had been forgotten.
    total: '34649339000',
    held: { '82028K200': ['352745000', '14288100'], '670340105': ['114039000', '3436200'] },
  },
  '2000-12-31': {
    parts: [
      '0001095811-01-001369 whole',
      '0001095811-01-001489 left_out table_missing',
      '0000950150-01-000126 adds',
      '0000950150-01-500321 adds',
      '0000950150-02-000136 adds',
    ],
    total: '36252334000',
    held: { '36225X100': ['181153000', '4921300'] },
  },
  '2002-09-30': {
    parts: ['0000950150-02-001047 whole', '0000950150-03-000527 adds'],
    total: '27627342000',
    held: { '615369105': ['1164000000', '24000000'], '71646E100': ['1927000', '95900'] },
  },
  '2005-09-30': {
    parts: ['0000950129-05-011013 whole', '0000950129-05-011287 adds', '0000950129-06-001497 adds'],
    total: '41508487000',
    held: { '364760108': ['269019000', '15434243'] },
  },
  '2009-09-30': {
    parts: ['0000950123-09-063028 replaced', '0000950123-09-065631 whole'],
    total: '56546051000',
    held: { '907818108': ['557709000', '9558000'], '654106103': ['494373000', '7641000'] },
  },
  '2012-09-30': {
    parts: ['0001193125-12-470800 whole'],
    total: '75326633000',
    held: { '23918K108': ['1056570000', '10197569'], '22160K105': ['434030000', '4333363'] },
  },
  '2013-06-30': {
    parts: ['0000950123-13-009874 adds original_missing'],
    total: '2822906000',
    held: { '30231G102': ['2822906000', '31244110'] },
  },
  '2020-09-30': {
    parts: ['0000950123-20-012127 whole', '0000950123-21-002781 adds'],
    total: '235935559000',
    held: { '166764100': ['3187639000', '44272770'], '023135106': ['1679217000', '533300'] },
  },
  '2022-12-31': {
    parts: ['0000950123-23-002585 whole'],
    total: '299007622119',
    held: { '00507V109': ['4035492091', '52717075'], '02005N100': ['728610001', '29800000'] },
  },
  '2023-09-30': {
    parts: ['0000950123-23-011029 whole original_missing', '0000950123-24-005653 adds'],
    total: '314952628264',
    held: { H1467J104: ['1695320075', '8143530'], '023135106': ['1271200000', '10000000'] },
  },
  '2025-12-31': {
    parts: ['0001193125-26-054580 whole'],
    total: '274160086701',
    held: { '02079K305': ['5585842446', '17846142'], H1467J104: ['10689854998', '34249183'] },
  },
}

async function quartersOf(cik: string) {
  const own = [...(await all()).values()].filter(({ report }) => report.cik === cik)
  return Map.groupBy(own, ({ report }) => report.period!)
}

for (const [period, { parts, total, held }] of Object.entries(QUARTERS)) {
  test(`CIK 1067983 held at ${period} what its report and amendments say together`, { skip: corpus.skip }, async () => {
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

test('a quarter as of a day has what was filed by then: what was confidential came a year later', {
  skip: corpus.skip,
}, async () => {
  const reports = (await quartersOf('0001067983')).get('2000-12-31')!.map(reportedOf)
  const partsAsOf = (day: string) => compose(reports, day).map(({ part }) => part)
  assert.deepEqual(partsAsOf('2001-02-13'), [])
  assert.deepEqual(partsAsOf('2001-02-14'), ['whole'])
  assert.deepEqual(partsAsOf('2001-05-15'), ['whole', 'left_out', 'adds', 'adds'])
  assert.deepEqual(partsAsOf('2026-01-01'), ['whole', 'left_out', 'adds', 'adds', 'adds'])
})

test('no quarter of CIK 1067983 jumps by the factor of thousands: 1998 to 2026 are in dollars', {
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
