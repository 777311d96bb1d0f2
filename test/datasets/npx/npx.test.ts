/** Proxy votes: reports without XML, truncated tables, placeholders, and lists that are read by their indexes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { parse } from '../../../src/datasets/npx/filing.ts'
import npx from '../../../src/datasets/npx/index.ts'
import { detail, search, votes } from '../../../src/datasets/npx/routes.ts'
import type { ParsedRow } from '../../../src/declare/dataset.ts'
import { load, type Parsed } from '../../../src/ingest/load.ts'
import { parse as parseXml } from '../../../src/read/xml.ts'
import { connect } from '../../../src/store/db.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { headerWith } from '../../support/filing-made.ts'
import { byCursor, byOffset, type Listed, pageOf, type Query, readOf } from '../../support/list-walks.ts'
import { listLoaded } from '../../support/spine-rows.ts'

const { sql, target } = await freshDatabase({ after })
const context = testContext(sql)

const fixture = (file: string) =>
  readFileSync(new URL(`../../../src/datasets/npx/fixtures/9000000151-24-000001/${file}`, import.meta.url), 'utf8')
const [COVER, TABLE] = [fixture('primary_doc.xml'), fixture('votes.xml')]
const HELD = '990115107'

interface Filed {
  form?: string
  filedDate?: string
  cover?: string | null
  /** Pieces as they arrive. */
  table?: readonly string[] | null
}

/** Returns the result of one filing. */
async function read({ form = 'N-PX', filedDate = '2025-08-26', cover = COVER, table = [TABLE] }: Filed = {}) {
  const rows: ParsedRow[] = []
  const notes = { problems: [] as { path: string; value: string; reason: string }[], unread: [] as string[] }
  const doc = cover === null ? null : parseXml(cover)
  const header = headerWith({ form, filedDate, cik: '9000000151', name: 'Of the Header', period: '2024-06-30' })
  const documents = { cover: doc, table: table && (arriving(table) as AsyncIterable<Uint8Array>) }
  const tell: Parameters<typeof parse>[0]['tell'] = ({ problems = [], unread = [] }) => {
    notes.problems.push(...problems)
    notes.unread.push(...unread)
  }
  for await (const row of parse({ documents, header, tell })) rows.push(row)
  if (doc) tell({ problems: doc.problems(), unread: doc.unread() })
  const of = (name: string) => rows.filter(([table]) => table === name).map(([, row]) => row as Record<string, unknown>)
  return { rows, of, ...notes }
}

async function* arriving(pieces: readonly string[]) {
  for (const piece of pieces) yield Buffer.from(piece)
}

const FILINGS = 400
const accessionOf = (n: number) => `0000000151-25-${String(n).padStart(6, '0')}`
const [VOTED] = [await read()]
const dayOf = (n: number) => new Date(Date.UTC(2024, 0, 1 + (n % 300))).toISOString().slice(0, 10)
const MEETINGS = Array.from({ length: FILINGS }, (_, n) => dayOf(n * 7))
const parsed = Array.from({ length: FILINGS }, (_, n): Parsed => {
  const cik = String(9_000_000_151 + (n % 40))
  const rows = VOTED!.rows.map(([table, row]): Parsed['rows'][number] => {
    const meeting = { meeting_date: MEETINGS[n], listed_day: MEETINGS[n] }
    return [
      table,
      { ...row, ...(table === 'series' || table === 'manager' ? {} : { cik }), ...(table === 'vote' ? meeting : {}) },
    ]
  })
  return { accession: accessionOf(n), filedDate: dayOf(n), rows }
})
await sql.begin((tx) => load(tx, npx, parsed))
await listLoaded(sql, npx)
await sql`vacuum (analyze) npx.report, npx.vote, npx.series`

test('a report without XML gives one row from its header, whose vote count is null and not zero', async () => {
  const { of, rows } = await read({ cover: null, table: null })
  assert.equal(rows.length, 1)
  const { source, vote_count: count, person_name, period, report_type } = of('report')[0]!
  assert.deepEqual(
    [source, count, person_name, period, report_type],
    ['text', null, 'Of the Header', '2024-06-30', null],
  )
})

test('a notice has no table and a null vote count; a report with an empty table has the vote count 0', async () => {
  assert.equal((await read({ table: null })).of('report')[0]!.vote_count, null)
  assert.equal((await read({ table: ['<proxyVoteTable/>'] })).of('report')[0]!.vote_count, 0)
})

test('a truncated or broken table keeps the votes before the fault, and the report states why the table ends', async () => {
  const half = TABLE.slice(0, TABLE.indexOf('<inf:proxyTable>', 3_000) + 40)
  for (const table of [half, half.replace(/<inf:proxyTable>[\s\S]{40}$/, '<inf:proxyTable></inf:vote>')]) {
    const { of, problems } = await read({ table: [table] })
    const [report] = of('report')
    assert.ok((report!.vote_count as number) > 0 && (report!.vote_count as number) < 11)
    assert.equal(of('vote').length, report!.vote_count)
    assert.equal(typeof report!.cut_off, 'string')
    assert.match(problems[0]!.path, /proxyTable\[\d+\]$/)
  }
})

test('a read error in the middle fails the filing, so that it is read again', async () => {
  const failing = (async function* () {
    yield Buffer.from(TABLE.slice(0, 3_000))
    throw new Error('the disk is gone')
  })()
  const documents = { cover: parseXml(COVER), table: failing as AsyncIterable<Uint8Array> }
  const header = headerWith({ form: 'N-PX', filedDate: '2025-08-26' })
  await assert.rejects(Array.fromAsync(parse({ documents, header, tell() {} })), /the disk is gone/)
})

test('an invalid number or date is null and reported with its line, an unknown element is reported, and words like "none" are null', async () => {
  const { of, problems, unread } = await read({
    table: [
      TABLE.replace('<inf:sharesVoted>12500<', '<inf:sharesVoted>many<')
        .replace('<inf:meetingDate>02/28/2024<', '<inf:meetingDate>02/30/2025<')
        .replace('<inf:isin>US9901151079<', '<inf:isin>N/A<')
        .replace('<inf:voteSource>', '<inf:mood>bright</inf:mood><inf:voteSource>'),
    ],
  })
  const [first] = of('vote')
  assert.deepEqual([first!.shares_voted, first!.meeting_date, first!.isin], [null, null, null])
  assert.equal(first!.listed_day, '2025-08-26', 'a vote without a meeting date is listed by its filing date')
  assert.deepEqual(
    problems.map(({ path, value }) => [path, value]),
    [
      ['/proxyVoteTable/proxyTable[1]/meetingDate', '02/30/2025'],
      ['/proxyVoteTable/proxyTable[1]/sharesVoted', 'many'],
    ],
  )
  assert.deepEqual(unread, ['/proxyVoteTable/proxyTable/mood'])
})

test('reports at most a thousand faults of a table, and one more entry that says that there are further faults', async () => {
  const one = /<inf:proxyTable>[\s\S]*?<\/inf:proxyTable>\n/.exec(TABLE)![0].replace('>02/28/2024<', '>no day<')
  const { problems, of } = await read({ table: ['<inf:t xmlns:inf="x">', ...Array(1_200).fill(one), '</inf:t>'] })
  assert.deepEqual([problems.length, of('vote').length], [1_001, 1_200])
})

test('another form and a table without a cover are refused, and a table is read only up to an oversized record', async () => {
  const other = COVER.replace('<submissionType>N-PX<', '<submissionType>N-CEN<')
  await assert.rejects(read({ cover: other }), /not a Form N-PX/)
  await assert.rejects(read({ cover: null }), /a table of votes, but no cover/)
  assert.deepEqual(
    (await read({ form: 'N-PX/A' })).problems.map(({ reason }) => reason),
    ['differs from the form of the filing, N-PX/A'],
  )
  const huge = `<t><proxyTable><issuerName>${'x'.repeat(3 * 2 ** 20)}</issuerName></proxyTable></t>`
  assert.match((await read({ table: [huge] })).of('report')[0]!.cut_off as string, /large|size|bytes/)
})

test('distinguishes annual and quarterly reports; a cover that contradicts the form about an amendment is not believed', async () => {
  const cover = COVER.replace('<yearOrQuarter>YEAR<', '<yearOrQuarter>QUARTER<').replace(
    '<reportCalendarYear>2024</reportCalendarYear>',
    '<reportQuarterYear>2024</reportQuarterYear><amendmentInfo><isAmendment>Y</isAmendment></amendmentInfo>',
  )
  const { of, problems } = await read({ cover })
  const { is_year, report_year, is_amendment } = of('report')[0]!
  assert.deepEqual([is_year, report_year, is_amendment], [false, 2024, false])
  assert.match(problems[0]!.reason, /isAmendment contradicts the form, N-PX/)
  const odd = await read({ cover: COVER.replace('>YEAR<', '>SEASON<') })
  assert.deepEqual([odd.of('report')[0]!.is_year, odd.problems[0]!.value], [null, 'SEASON'])
})

const FILINGS_LIST: Listed = { route: search, context, idOf: (row) => String(row.accession) }
const VOTES_LIST: Listed = { route: votes, context, idOf: (row) => `${row.accession} ${row.line}` }

const QUESTIONS: [Listed, Query, number][] = [
  [FILINGS_LIST, {}, FILINGS],
  [FILINGS_LIST, { cik: '9000000155' }, FILINGS / 40],
  [FILINGS_LIST, { report_type: 'FUND VOTING REPORT' }, FILINGS],
  [FILINGS_LIST, { q: 'specimen', from: '2024-02-01', to: '2024-03-01' }, 60],
  [VOTES_LIST, { cusip: HELD }, FILINGS * 8],
  [VOTES_LIST, { cusip: HELD, how: 'AGAINST' }, FILINGS * 4],
  [VOTES_LIST, { cik: '9000000155' }, (FILINGS / 40) * 11],
  [VOTES_LIST, { series: 's000099002', from: '2024-03-01' }, MEETINGS.filter((day) => day >= '2024-03-01').length * 4],
]

test('cursor pages equal offset pages for every kind of query, without gaps', async () => {
  for (const [list, query, count] of QUESTIONS) {
    const walked = await byCursor(list, query, { limit: 97 })
    assert.deepEqual(walked, await byOffset(list, query), JSON.stringify(query))
    assert.equal(walked.length, count, JSON.stringify(query))
  }
})

test('a page deep in a list reads no more rows than the second page', async () => {
  const one = connect({ target, max: 1 })
  after(() => one.end({ timeout: 5 }))
  const own = testContext(one)
  for (const [list, query] of QUESTIONS.filter(([, { from }]) => from === undefined)) {
    const at = async (pages: number) => {
      let page = await pageOf({ ...list, context: own }, { ...query, paginate: 'cursor', limit: '5' })
      for (let i = 1; i < pages && page.next; i++)
        page = await pageOf({ ...list, context: own }, { ...query, cursor: page.next, limit: '5' })
      const { next } = page
      return next
        ? readOf(one, ['npx.report', 'npx.vote'], () =>
            pageOf({ ...list, context: own }, { ...query, cursor: next, limit: '5' }),
          )
        : 0
    }
    const [second, deep] = [await at(1), await at(60)]
    assert.ok(deep <= second * 2 + 20, `${JSON.stringify(query)}: ${second} rows and entries, deep ${deep}`)
  }
})

test('the votes of a report come in pages in the order of the form, and a cursor of another report is refused', async () => {
  const ask = (query: Query) =>
    detail.run(detail.input.parse({ accession: accessionOf(0), ...query }), context) as Promise<{
      votes: { line: number }[]
      next_cursor: string | null
      other_filings: { accession: string }[]
    }>
  const lines: number[] = []
  let cursor: string | null = null
  do {
    const page = await ask({ limit: '4', ...(cursor ? { cursor } : {}) })
    lines.push(...page.votes.map(({ line }) => line))
    cursor = page.next_cursor
  } while (cursor !== null)
  assert.deepEqual(lines, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  const { next_cursor, other_filings } = await ask({ limit: '4' })
  assert.equal(other_filings.length, FILINGS / 40 - 1)
  await assert.rejects(ask({ accession: accessionOf(1), cursor: next_cursor! }), /cursor/)
})

test('votes can be queried by security, person or series; a query by person alone cannot be grouped by way of voting', async () => {
  await assert.rejects(pageOf(VOTES_LIST, {}), {
    code: 'missing_parameter',
    message: 'cusip, cik, series: one of them is required',
  })
  await assert.rejects(pageOf(VOTES_LIST, { cik: '9000000155', how: 'FOR' }), {
    code: 'conflicting_parameters',
    message: /only together with cusip or series/,
  })
})

test('a CUSIP of eight characters and a series without its S are refused, since no votes are filed under them', async () => {
  await assert.rejects(pageOf(VOTES_LIST, { cusip: HELD.slice(0, 8) }), /CUSIP of nine characters; \/v1\/search finds/)
  await assert.rejects(pageOf(VOTES_LIST, { series: '000099002' }), /series such as S/)
})
