/**
 * The SEC's data sets of Form N-PORT: a real filing gives the same rows from its submission as from lines that were
 * written from this submission.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from '../../../src/datasets/nport/filing.ts'
import nport from '../../../src/datasets/nport/index.ts'
import { quarterlySets } from '../../../src/datasets/nport/sets.ts'
import { catalog } from '../../../src/declare/catalog.ts'
import type { ParsedRow } from '../../../src/declare/dataset.ts'
import { rebuild } from '../../../src/ingest/rebuild.ts'
import { ingestSets } from '../../../src/ingest/sets/ingest.ts'
import { missingOf } from '../../../src/serve/loaded.ts'
import { corpus } from '../../support/corpus.ts'
import { headerWith } from '../../support/filing-made.ts'
import { cargoSet } from '../../support/sets/cargo.ts'
import { linesOf } from '../../support/sets/nport.ts'
import { byTable, documentOf, type Line, rowsOfSet, Written, without } from '../../support/sets/written.ts'
import { openWorld } from '../../support/world.ts'

/** Real documents, and the SEC's samples, which have every kind of derivative. */
const documents = (): string[] => [
  ...globSync(path.join(corpus.folder, 'sec/Archives/edgar/data/{313212,1843974,1905379}/*.txt')),
  ...globSync(path.join(corpus.folder, 'schemas/nport_sec_samples/*/*.xml')),
]

const accessionOf = (file: string, at: number) =>
  /\d{10}-\d\d-\d{6}/.exec(file)?.[0] ?? `9000000081-26-${String(at).padStart(6, '0')}`

async function rowsOfDocument(file: string): Promise<ParsedRow[]> {
  const text = readFileSync(file, 'utf8')
  const xml = /<XML>\s*([\s\S]*?)\s*<\/XML>/.exec(text)?.[1] ?? text
  async function* bytes() {
    yield Buffer.from(xml)
  }
  const rows: ParsedRow[] = []
  const header = headerWith({ form: 'NPORT-P' })
  for await (const row of parse({ documents: { portfolio: bytes() }, header, tell() {} })) rows.push(row)
  return rows
}

/** Columns that sets lack: see sets/fund.ts and sets/holding.ts. */
const LACKING = [
  ...[
    'is_confidential',
    'class_ids',
    'company_type',
    'highly_liquid_minimum',
    'highly_liquid_days',
    'highly_liquid_changed',
  ],
  ...['highly_liquid_before', 'derivative_classification', 'derivative_classes', 'derivative_exposure', 'var_median'],
  ...[
    'currency_derivative_exposure',
    'rate_derivative_exposure',
    'exposure_excess_days',
    'var_median_ratio',
    'var_exceptions',
  ],
  ...['names_rule_terms', 'names_rule_basket', 'signed', 'applicant', 'signature', 'signer', 'signer_title'],
].map((column) => `report.${column}`)
const LACKING_LINES = [
  ...[
    'liquidity',
    'quality.source',
    'security.risk_country',
    'security.security',
    'holding.security',
    'holding.in_names_basket',
  ],
  ...['debt.delta', 'derivative.delta', 'leg.description', 'reference.more_identifiers'],
]

test('a submission and a set give the same rows of a filing, except the columns that sets lack', {
  skip: corpus.skip,
}, async (t) => {
  const met = new Map<string, number>()
  for (const [at, file] of documents().entries()) {
    const document = documentOf(file)
    const { rows, unread, problems } = await rowsOfSet(quarterlySets, linesOf(document, accessionOf(file, at)))
    const [expected, found] = [byTable(await rowsOfDocument(file)), byTable(rows)]
    const lacking = [...LACKING, ...LACKING_LINES]
    const [left, right] = [without(expected, lacking), without(outer(found), lacking)]
    for (const [table, own] of Object.entries(outer(left))) {
      assert.deepEqual(right[table] ?? [], own, `${path.basename(file)} ${table}`)
      met.set(table, (met.get(table) ?? 0) + own.length)
    }
    assert.deepEqual(
      Object.keys(right).filter((table) => !(table in left)),
      [],
      file,
    )
    assert.deepEqual(unread, [], file)
    t.diagnostic(`${path.basename(file)}: ${problems.length} problems`)
  }
  t.diagnostic([...met].map(([table, count]) => `${table} ${count}`).join(', '))
})

/** Removes nested derivatives, for which sets have no lines. */
function outer(rows: ReturnType<typeof byTable>): ReturnType<typeof byTable> {
  const nested = new Set(
    (rows.derivative ?? []).filter(({ depth }) => depth !== 0).map(({ n, position }) => `${n}/${position}`),
  )
  const kept: ReturnType<typeof byTable> = {}
  for (const [table, own] of Object.entries(rows)) {
    kept[table] = own.filter((row) => {
      if (table === 'derivative') return !nested.has(`${row.n}/${row.position}`)
      return !nested.has(`${row.n}/${row.derivative_position}`)
    })
    if (kept[table].length === 0) delete kept[table]
  }
  return kept
}

test('a quarterly set of N-PORT is stored with all holdings of each report, and a rebuild gives the same rows', {
  skip: corpus.skip,
}, async (t) => {
  // In a separate world: other slices test their own handling of the samples' invented securities.
  const world = await openWorld(t, { catalog: catalog([nport], [], []) })
  const { sql, slices, store } = world
  const all = new Written()
  const files = documents().filter((file) => !/Sample_[1-4]\.xml$/.test(file))
  const expected: Record<string, number> = {}
  for (const [at, file] of files.entries()) {
    const document = documentOf(file)
    const lines = linesOf(document, accessionOf(file, at))
    for (const [member, some] of lines.members) for (const line of some) all.add(member, line)
    expected[accessionOf(file, at)] = document.all('formData/invstOrSecs/invstOrSec').length
  }
  all.add('SUBMISSION', {
    ACCESSION_NUMBER: '0000000001-26-000001',
    SUB_TYPE: 'NT NPORT-P',
    FILING_DATE: '25-FEB-2026',
  })
  // In real sets, holdings of many filings are mixed.
  const holdings = all.members.get('FUND_REPORTED_HOLDING')!
  all.members.set('FUND_REPORTED_HOLDING', [
    ...holdings.filter((_, at) => at % 2),
    ...holdings.filter((_, at) => !(at % 2)),
  ])
  const file = await cargoSet(t, all.texts(quarterlySets), '2026q1_nport.zip')
  const [outcome] = await ingestSets({ sql, slices, store, dataset: nport, from: { files: [file] } })
  assert.deepEqual([outcome!.error, outcome!.found.refusals, [...outcome!.found.unread]], [null, [], []])
  assert.deepEqual(outcome!.result, { filings: files.length, loaded: files.length })
  // No index lists these filings, and none of their submissions was read. Their rows are stored nevertheless.
  assert.deepEqual(await missingOf(sql, { families: { nport: 'reports of funds (N-PORT)', nmfp: 'others' } }), [
    { source: 'nmfp', note: 'no others have been loaded' },
  ])
  const count = async () =>
    Object.fromEntries(
      (
        await sql`
        select r.accession, (select count(*)::int from nport.holding h where h.accession = r.accession) as n
        from nport.report r order by 1`
      ).map(({ accession, n }) => [accession, n]),
    )
  assert.deepEqual(await count(), Object.fromEntries(Object.entries(expected).sort()))
  const rows = async () =>
    JSON.stringify([
      await sql`select * from nport.holding order by accession, n`,
      await sql`select * from nport.identifier order by accession, n, position`,
    ])
  const before = await rows()
  await rebuild(world, nport)
  assert.ok((await rows()) === before)
})

/** Real lines of the set of 2026 Q1, by filing. */
const linesIn = (file: string) => {
  const [header, ...lines] = readFileSync(path.join(corpus.folder, 'bulk/nport', file), 'utf8')
    .trimEnd()
    .split('\n')
  const columns = header!.split('\t')
  return new Map(
    lines.map((line) => {
      const values = line.split('\t')
      return [values[0]!, Object.fromEntries(columns.map((column, at) => [column, values[at] ?? '']))] as const
    }),
  )
}

test('the real lines of all 13,148 filings of 2026 Q1 give registrant, fund and date of each report, without unreadable values', {
  skip: corpus.skip,
}, async () => {
  const [submissions, registrants, series] = ['SUBMISSION.tsv', 'REGISTRANT.tsv', 'info.tsv'].map(linesIn) as [
    Map<string, Line>,
    Map<string, Line>,
    Map<string, Line>,
  ]
  const counts = { filings: 0, amendments: 0, final: 0, problems: 0, withoutFund: 0, withoutPeriod: 0 }
  for (const [accession, submission] of submissions) {
    const written = new Written()
    written.add('SUBMISSION', submission)
    written.add('REGISTRANT', registrants.get(accession)!)
    written.add('FUND_REPORTED_INFO', series.get(accession)!)
    const { rows, problems } = await rowsOfSet(quarterlySets, written)
    const report = byTable(rows).report![0]!
    counts.filings++
    if (report.is_amendment) counts.amendments++
    if (report.is_final) counts.final++
    if (report.fund === undefined) counts.withoutFund++
    if (report.period === undefined) counts.withoutPeriod++
    counts.problems += problems.length
  }
  assert.deepEqual(counts, {
    filings: 13_148,
    amendments: 38,
    final: 58,
    problems: 0,
    withoutFund: 0,
    withoutPeriod: 0,
  })
})

/**
 * Filings all of whose holdings are among the corpus' real lines of 2026 Q1: their percentages add up to 100, within a
 * twentieth. A program outside of this project added up the lines, the values and the percentages.
 */
const WHOLE = [
  ['0000035402-26-001928', 49, '538211257.3615625', '101.922477444968'],
  ['0000035402-26-001949', 42, '4238065942.24', '100.677425539585'],
  ['0000035402-26-001973', 65, '8004400021.27', '100.591106604712'],
  ['0001049169-26-000753', 9, '54706704.73', '101.595264993343'],
  ['0001099263-26-002539', 116, '258962288.15', '103.4545650119'],
  ['0001099263-26-002543', 132, '457409088.39', '100.0532531939'],
  ['0001099263-26-002553', 82, '2975519301.61', '100.8518255797'],
  ['0001099263-26-002555', 73, '2879854017.89', '100.0270364455'],
  ['0001099263-26-002573', 94, '1176907377.29', '99.9684645759'],
  ['0001099263-26-002582', 125, '34239236.74', '99.904240118'],
  ['0001410368-26-019265', 23, '38826240.36', '96.906956096929'],
  ['0001410368-26-019284', 95, '160157738.37', '99.857973507657'],
  ['0001410368-26-019301', 71, '145672326.72', '99.974771223447'],
  ['0001410368-26-029994', 27, '33847812.68', '99.9756126444'],
  ['0002071691-26-006217', 24, '2503533904.66', '99.455584472794'],
] as const

test('fifteen real portfolios of 2026 Q1 add up to the net assets that the percentages of their lines imply, and the difference is stored', {
  skip: corpus.skip,
}, async () => {
  const text = readFileSync(path.join(corpus.folder, 'bulk/nport/holding_part_092.tsv'), 'utf8')
  const [header, ...lines] = text.trimEnd().split(/\r?\n/)
  const columns = header!.split('\t')
  const [submissions, registrants, series] = ['SUBMISSION.tsv', 'REGISTRANT.tsv', 'info.tsv'].map(linesIn)
  const found = await Promise.all(
    WHOLE.map(async ([accession]) => {
      const own = lines
        .filter((line) => line.startsWith(accession))
        .map(
          (line, at) =>
            ({
              HOLDING_ID: String(at + 1),
              ...Object.fromEntries(line.split('\t').map((value, n) => [columns[n]!, value])),
            }) as Line,
        )
      // The largest holding shows the totals that this part of the set lacks: its value, and its share of the net
      // assets.
      const largest = own.reduce((one, other) =>
        Number(other.CURRENCY_VALUE) > Number(one.CURRENCY_VALUE) ? other : one,
      )
      const net = ((Number(largest.CURRENCY_VALUE) / Number(largest.PERCENTAGE)) * 100).toFixed(2)
      const written = new Written()
      written.add('SUBMISSION', submissions!.get(accession)!)
      written.add('REGISTRANT', registrants!.get(accession)!)
      written.add('FUND_REPORTED_INFO', { ...series!.get(accession)!, NET_ASSETS: net })
      for (const line of own) written.add('FUND_REPORTED_HOLDING', line)
      const { rows, problems } = await rowsOfSet(quarterlySets, written)
      const { report, quality } = byTable(rows)
      const { holding_count: count, holdings_value } = report![0]!
      const { percent_total, percent_differ, net_assets_differ, notes } = quality![0]!
      assert.deepEqual([problems, percent_differ, notes], [[], 0, []], accession)
      assert.ok(Math.abs(Number(holdings_value) - Number(net) - Number(net_assets_differ)) < 0.01, accession)
      return [accession, count, holdings_value, percent_total]
    }),
  )
  assert.deepEqual(found, WHOLE)
})

test('every security of a set is stored once, also if another filing of its batch is refused', async (t) => {
  const { sql, slices, store } = await openWorld(t, { catalog: catalog([nport], [], []) })
  const written = new Written()
  // Batches have at most 50 filings, and all of this set are loaded in one transaction.
  for (let n = 1; n <= 120; n++) {
    const of = { ACCESSION_NUMBER: `0000000081-26-${String(n).padStart(6, '0')}` }
    const days = { FILING_DATE: '12-FEB-2026', REPORT_ENDING_PERIOD: '31-DEC-2025', REPORT_DATE: '31-DEC-2025' }
    written.add('SUBMISSION', { ...of, ...days, SUB_TYPE: 'NPORT-P' })
    // The second filing has no registrant, so its whole batch is rolled back and loaded again in halves.
    if (n !== 2) written.add('REGISTRANT', { ...of, CIK: '81', REGISTRANT_NAME: 'Specimen Trust' })
    written.add('FUND_REPORTED_INFO', { ...of, SERIES_NAME: 'Specimen Fund', SERIES_ID: `S${n}`, NET_ASSETS: '1' })
    for (const [at, name] of ['in all filings', `in tens ${n % 10}`, `in filing ${n}`].entries()) {
      const id = { ...of, HOLDING_ID: `${n * 10 + at}` }
      written.add('FUND_REPORTED_HOLDING', { ...id, ISSUER_NAME: `Specimen ${name}`, CURRENCY_VALUE: '1' })
    }
  }
  const file = await cargoSet(t, written.texts(quarterlySets), '2026q1_nport.zip')
  const [outcome] = await ingestSets({ sql, slices, store, dataset: nport, from: { files: [file] } })
  assert.deepEqual(
    [outcome!.error, outcome!.result, outcome!.found.refusals.map(({ key }) => key)],
    [null, { filings: 120, loaded: 119 }, ['0000000081-26-000002']],
  )
  const [stored] = await sql`
    select (select count(*)::int from nport.security) as securities,
      count(*)::int as holdings, count(s.security)::int as described
    from nport.holding h left join nport.security s on s.security = h.security`
  assert.deepEqual({ ...stored }, { securities: 1 + 10 + 119, holdings: 119 * 3, described: 119 * 3 })
})

test('a filing of a set without a registrant or a fund is refused', async () => {
  const of = { ACCESSION_NUMBER: '0000000081-26-000001' }
  const written = new Written()
  written.add('SUBMISSION', { ...of, SUB_TYPE: 'NPORT-P', FILING_DATE: '12-FEB-2026' })
  await assert.rejects(rowsOfSet(quarterlySets, written), /^Error: has 0 lines in REGISTRANT instead of one$/)
  written.add('REGISTRANT', { ...of, REGISTRANT_NAME: 'Specimen Trust' })
  await assert.rejects(rowsOfSet(quarterlySets, written), /^Error: has 0 lines in FUND_REPORTED_INFO instead of one$/)
})
