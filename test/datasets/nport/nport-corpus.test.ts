/**
 * Every real Form N-PORT of the corpus, and the SEC's samples: read to the last leaf, added up, and checked for known
 * traps.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/nport/filing.ts'
import nport from '../../../src/datasets/nport/index.ts'
import type { Row, RowOf } from '../../../src/datasets/nport/parse/types.ts'
import { holdings } from '../../../src/datasets/nport/queries/holdings.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import type { Problem } from '../../../src/read/xml.ts'
import { corpus } from '../../support/corpus.ts'
import { freshDatabase } from '../../support/database.ts'
import { headerWith } from '../../support/filing-made.ts'
import { changing } from '../../support/refreshed.ts'

const REAL = [
  'sec/Archives/edgar/data/313212/0000313212-24-001211.txt',
  'sec/Archives/edgar/data/1843974/0000894189-26-016628.txt',
  'sec/Archives/edgar/data/1905379/0001193125-26-239358.txt',
  'documents/nport/*/*.xml',
  'documents/NPORT-P/*.xml',
  'documents/nport_trimmed/*/*.xml',
]
const SAMPLES = ['schemas/nport_sec_samples/*/*.xml']

const filesOf = (patterns: readonly string[]) =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: corpus.folder })).map((file) => file.replaceAll('\\', '/'))

/** The document of a file that is a submission or only XML. */
function xmlOf(file: string): string {
  const text = readFileSync(path.join(corpus.folder, file), 'utf8')
  return (/<XML>\s*([\s\S]*?)\s*<\/XML>/.exec(text)?.[1] ?? text).trim()
}

async function read(xml: string) {
  const notes = { problems: [] as Problem[], unread: [] as string[] }
  // Yields pieces whose ends cut tags and characters, like pieces that arrive from a host.
  async function* bytes() {
    const all = Buffer.from(xml)
    for (let at = 0; at < all.length; at += 4_093) yield all.subarray(at, at + 4_093)
  }
  const filing: Parameters<typeof parse>[0] = {
    header: headerWith({ form: 'NPORT-P' }),
    documents: { portfolio: bytes() },
    tell({ problems = [], unread = [] }) {
      notes.problems.push(...problems)
      notes.unread.push(...unread)
    },
  }
  const rows = (await Array.fromAsync(parse(filing))) as Row[]
  const of = <K extends Row[0]>(table: K) => rows.filter(([key]) => key === table).map(([, row]) => row) as RowOf<K>[]
  return { ...notes, rows, of }
}

/** Returns all values of an element in a document, without the project's reader. Skips comments. */
const valuesOf = (xml: string, name: string) =>
  [...xml.replace(/<!--[\s\S]*?-->/g, '').matchAll(new RegExp(`<(?:\\w+:)?${name}>([^<]*)<`, 'g'))].map(([, value]) =>
    value!.trim(),
  )

/** An exact sum in units of 10^-12. */
const sum = (amounts: readonly string[]) =>
  amounts.reduce((all, amount) => {
    const [, sign, whole = '', fraction = ''] = /^([+-]?)(\d*)\.?(\d*)$/.exec(amount)!
    const size = BigInt(whole + fraction.padEnd(12, '0').slice(0, 12))
    return sign === '-' ? all - size : all + size
  }, 0n)

for (const file of corpus.skip === false ? filesOf([...REAL, ...SAMPLES]) : []) {
  test(`${file} is read completely, and its holdings add up to the totals of an independent second reading`, async () => {
    const xml = xmlOf(file)
    const { of, unread, problems } = await read(xml)
    assert.deepEqual([unread, problems], [[], []])
    const [report, quality, holdings] = [of('report')[0]!, of('quality')[0]!, of('holding')]
    // Nested derivatives have their own value, which is not one of the fund's holdings.
    const outer = xml.replace(/<derivAddlInfo>[\s\S]*?<\/derivAddlInfo>/g, '')
    const values = valuesOf(outer, 'valUSD').filter((value) => value !== 'N/A')
    assert.equal(holdings.length, valuesOf(outer, 'valUSD').length)
    assert.equal(sum([report.holdings_value]), sum(values))
    assert.deepEqual(
      [quality.line_count, quality.lines_read, quality.cut_off],
      [holdings.length, holdings.length, null],
    )
    const [net] = valuesOf(xml, 'netAssets')
    assert.equal(report.net_assets === null, net === undefined)
    if (net !== undefined) {
      assert.equal(sum([quality.net_assets_differ!]), sum(values) - sum([net]), 'the difference is stored')
      const more = [...valuesOf(xml, 'cshNotRptdInCorD'), ...valuesOf(xml, 'assetsAttrMiscSec')]
      assert.equal(
        sum([quality.total_assets_differ!]),
        sum([...values, ...more]) - sum([valuesOf(xml, 'totAssets')[0]!]),
      )
    }
    assert.ok(report.fund !== null && report.period !== null && report.fund_name !== null)
  })
}

test('whole real reports agree with their assets, and excerpts of other reports are flagged', {
  skip: corpus.skip,
}, async () => {
  const notes = new Map<string, string[]>()
  for (const file of filesOf(REAL)) {
    notes.set(path.basename(file), (await read(xmlOf(file))).of('quality')[0]!.notes)
  }
  assert.deepEqual(Object.fromEntries(notes), {
    '0000894189-26-016628.txt': [],
    'NPORT.Dupree.xml': [],
    // This fund consists of cash and receivables: it has no holdings, and states so in Part B.
    'NPORT.AdvancedSeries.xml': [],
    '0001193125-26-239358.txt': ['below_net_assets'],
    'pimco-income-fund_nport_excerpt.xml': ['below_net_assets'],
    'spy_nport_excerpt.xml': ['below_net_assets'],
    '0000313212-24-001211.txt': ['no_fund_info'],
    'primary_doc.xml': ['no_fund_info'],
  })
})

/** The expected values were typed from the document by hand. */
test('T. Rowe Price names no issuer and has zeros as the CUSIP: the name Databricks is in the title', {
  skip: corpus.skip,
}, async () => {
  const { of } = await read(xmlOf(REAL[0]!))
  assert.deepEqual(
    of('security').map(({ issuer_name, title_of_class, cusip, cusip_flag }) => [
      issuer_name,
      title_of_class,
      cusip,
      cusip_flag,
    ]),
    [
      [null, 'DATABRICKS INC PP', null, 'placeholder'],
      [null, 'DATABRICKS SER I CVT PFD STOCK PP', null, 'placeholder'],
      [null, 'LIGHTMATTER SER D CVT PFD PP', null, 'placeholder'],
    ],
  )
  assert.deepEqual(
    of('holding').map(({ value, balance, is_private }) => [value, balance, is_private]),
    [
      ['26902446.18', '307914', true],
      ['3243611.25', '37125', true],
      ['10511800.11', '131020', true],
    ],
  )
  assert.equal(of('report')[0]!.fund, '0000313212-S000001497')
})

test('T. Rowe Price 0000313212-24-001211, with a filing date that is invented and before its period, does not count, and is shown only if this period is requested', {
  skip: corpus.skip,
}, async (t) => {
  const { sql } = await freshDatabase(t)
  const text = readFileSync(path.join(corpus.folder, REAL[0]!), 'utf8')
  const [, year, month, day] = /FILED AS OF DATE:\s*(\d{4})(\d\d)(\d\d)/.exec(text)!
  const accession = '0000313212-24-001211'
  const filing = { accession, filedDate: `${year}-${month}-${day}`, rows: (await read(xmlOf(REAL[0]!))).rows }
  await changing(sql, nport, { keys: [accession] }, (tx) => load(tx, nport, [filing as Parsed]))
  const of = async (period?: string) =>
    (await holdings(sql, { series: 'S000001497', period, changes: false, limit: 5 }))!
  const [newest, requested] = [await of(), await of('2024-10-31')]
  assert.deepEqual([filing.filedDate, newest.periods, newest.period], ['2024-06-30', ['2024-10-31'], null])
  assert.deepEqual([newest.state, newest.is_current, newest.rows], ['not_reported', null, []])
  assert.deepEqual([requested.state, requested.report!.accession, requested.rows.length], ['reported', accession, 3])
  assert.deepEqual([...(await sql`select from pub.nport_standing`)], [])
})

test('SMALLCAP World holds one company as a share, a loan and a warrant, all private', {
  skip: corpus.skip,
}, async () => {
  const { of } = await read(xmlOf(filesOf(['documents/nport_trimmed/858744_*/*.xml'])[0]!))
  assert.deepEqual(
    of('holding').map(({ units, value, is_private, is_restricted }) => [units, value, is_private, is_restricted]),
    [
      ['NS', '1100000', true, false],
      ['PA', '6050000', true, true],
      ['NS', '0.23', true, true],
    ],
  )
  assert.equal(new Set(of('holding').map(({ sec_id }) => sec_id)).size, 1)
  const [warrant] = of('derivative')
  assert.deepEqual(
    [warrant!.category, warrant!.shares, warrant!.exercise_price, warrant!.expires, warrant!.delta],
    ['WAR', '2257143', '3.5', '2028-08-18', null],
  )
})

test('the SEC’s sample of everything has five nested derivatives, each the reference of the previous one', {
  skip: corpus.skip,
}, async () => {
  const { of } = await read(xmlOf('schemas/nport_sec_samples/sample_N-PORT_Sample_3/N-PORT_Sample_3.xml'))
  assert.deepEqual(
    of('derivative').map(({ category, parent, depth }) => [category, parent, depth]),
    [
      ['FWD', null, 0],
      ['FWD', 1, 1],
      ['SWP', 2, 2],
      ['OPT', 3, 3],
      ['OTH', 4, 4],
    ],
  )
  assert.equal(of('report')[0]!.net_assets, '-123456789012345678901234')
  assert.equal(of('security')[0]!.cusip, 'AHJNP*#A1')
})
