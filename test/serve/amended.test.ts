/**
 * Rows of amended filings: each list and each export names the amendments, and only the amendments that are certain.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as form25 from '../../src/datasets/form25/routes.ts'
import * as form144 from '../../src/datasets/form144/routes.ts'
import * as formd from '../../src/datasets/formd/routes.ts'
import * as npx from '../../src/datasets/npx/routes.ts'
import * as ownership from '../../src/datasets/ownership/routes.ts'
import { amendmentsOf, type Linked } from '../../src/datasets/schedule13/chain.ts'
import * as schedule13 from '../../src/datasets/schedule13/routes.ts'
import type { Context, Route } from '../../src/declare/route.ts'
import { familiesOf } from '../../src/export/offers.ts'
import { asText, selectOf } from '../../src/export/select.ts'
import * as feed from '../../src/products/feed/routes.ts'
import catalog from '../../src/registry.ts'
import { testContext } from '../support/context.ts'
import { freshDatabase } from '../support/database.ts'
import { randomFor } from '../support/random.ts'

const { sql } = await freshDatabase({ after })
const context = testContext(sql)

/** Inserts rows with the given columns; the other columns get default values for their types. */
async function insert(table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  const [schema, name] = table.split('.')
  const needed = await sql<{ column_name: string; data_type: string }[]>`
    select column_name, data_type from information_schema.columns
    where table_schema = ${schema!} and table_name = ${name!} and is_nullable = 'NO' and column_default is null`
  const empty = (type: string) =>
    type === 'ARRAY'
      ? '{}'
      : type === 'boolean'
        ? false
        : type === 'jsonb'
          ? []
          : type === 'integer' || type === 'numeric' || type === 'bigint'
            ? 0
            : ''
  const defaults = Object.fromEntries(needed.map((column) => [column.column_name, empty(column.data_type)]))
  for (const row of rows) {
    // A row of the test has only values that JSON can hold.
    await sql`insert into ${sql(table)} select * from jsonb_populate_record(null::${sql(table)}, ${sql.json({ ...defaults, ...row } as never)})`
  }
}

const rowsOf = async (route: Route, query: Record<string, string>, member = route.list?.member ?? 'rows') =>
  ((await route.run(route.input.parse(query), context)) as Record<string, Record<string, unknown>[]>)[member]!
const marked = (rows: readonly Record<string, unknown>[]) =>
  Object.fromEntries(rows.map(({ accession, amended_by }) => [accession, amended_by]).sort())

/**
 * Returns, for each filing in a list, its amendments. First checks `amended=latest` for any form and day, for each
 * form, and until each day. The list must have and count exactly the filings that no requested amendment replaces.
 */
async function listed(route: Route, query: Record<string, string> = {}) {
  const all = await rowsOf(route, query)
  const isFound = (by: Record<string, string>) => (row: Record<string, unknown>) =>
    (by.form === undefined || row.submission_type === by.form) &&
    (by.to === undefined || String(row.filed_date) <= by.to)
  const forms = 'form' in route.input.shape ? all.map((row) => ({ form: String(row.submission_type) })) : []
  const requests = [{}, ...forms, ...all.map((row) => ({ to: String(row.filed_date) }))]
  const unique = new Map(requests.map((by) => [JSON.stringify(by), by as Record<string, string>]))
  for (const by of unique.values()) {
    const found = all.filter(isFound(by))
    const accessions = new Set(found.map(({ accession }) => accession))
    const last = found.filter(({ amended_by }) => !(amended_by as string[]).some((one) => accessions.has(one)))
    const latest = { ...query, ...by, amended: 'latest' }
    assert.deepEqual(marked(await rowsOf(route, latest)), marked(last), JSON.stringify(by))
    const counted = (await route.run(route.input.parse({ ...latest, count: 'exact' }), context)) as { total: number }
    assert.equal(counted.total, last.length, JSON.stringify(by))
  }
  return marked(all)
}

/** Returns the content of a table in files of `openfilings export`. */
async function exported(family: string, table: string): Promise<Record<string, unknown>[]> {
  const offer = familiesOf(catalog)
    .find(({ slug }) => slug === family)!
    .tables.find((each) => each.table === table)!
  assert.ok('amended_by' in offer.columns, `${family}.${table}`)
  const named = (value: string, type: Parameters<typeof asText>[1], name: string) =>
    `${asText(value, type, name)} as "${name}"`
  return sql.unsafe(selectOf(offer, null, named))
}

const OWNERS = ['0000000005']
const report = (accession: string, filed_date: string, more: Record<string, unknown> = {}) => ({
  ...{ accession, filed_date, form: '4', submission_type: more.original_date ? '4/A' : '4', source: 'xml' },
  ...{ is_amendment: more.original_date !== undefined, issuer_cik: '0000000009', owner_ciks: OWNERS, owner_count: 1 },
  ...{ period: '2026-03-02', ...more },
})

test('a transaction of an amended Form 4 names all its amendments, including amendments of amendments, in every list and file', async () => {
  const filings = [
    report('a-1', '2026-03-03'),
    report('a-2', '2026-03-10', { original_date: '2026-03-03' }),
    // The amendment states the day of the first amendment, not the day of the original.
    report('a-3', '2026-03-20', { original_date: '2026-03-10' }),
    // The amendment also corrects the day of the transaction. The filing day of the original suffices to find the
    // original.
    report('a-4', '2026-03-30', { original_date: '2026-03-03', period: '2026-03-01' }),
    // The periods distinguish two originals that were filed on one day.
    report('b-1', '2026-04-03', { period: '2026-04-01' }),
    report('b-2', '2026-04-03', { period: '2026-04-02' }),
    report('b-3', '2026-04-09', { period: '2026-04-02', original_date: '2026-04-03' }),
    // Nothing distinguishes these two originals.
    report('c-1', '2026-05-03', { period: '2026-05-01' }),
    report('c-2', '2026-05-03', { period: '2026-05-01' }),
    report('c-3', '2026-05-09', { period: '2026-05-01', original_date: '2026-05-03' }),
    // The original is not stored, and the second amendment replaces the first.
    report('d-1', '2026-06-03', { period: '2026-01-01', original_date: '2026-01-03' }),
    report('d-2', '2026-06-09', { period: '2026-01-01', original_date: '2026-01-03' }),
    // Other filings of the same day have another owner, or another form.
    report('e-1', '2026-03-03', { owner_ciks: ['0000000006'] }),
    report('e-2', '2026-03-03', { form: '5', submission_type: '5' }),
    // The amendment was filed on the day of its original.
    report('f-1', '2026-07-03', { period: '2026-07-01' }),
    report('f-2', '2026-07-03', { period: '2026-07-01', original_date: '2026-07-03' }),
  ]
  await insert('ownership.report', filings)
  const lines = filings.map(({ accession, filed_date, issuer_cik }) => ({
    accession,
    filed_date,
    issuer_cik,
    line: 1,
    code: 'S',
  }))
  await insert('ownership.security', lines)
  await insert(
    'ownership.owner',
    filings.map(({ accession, filed_date }) => ({ accession, filed_date, position: 0, cik: '0000000005' })),
  )
  const expected = {
    ...{ 'a-1': ['a-4', 'a-3', 'a-2'], 'a-2': ['a-4', 'a-3'], 'a-3': ['a-4'], 'a-4': [] },
    ...{ 'b-1': [], 'b-2': ['b-3'], 'b-3': [], 'c-1': [], 'c-2': [], 'c-3': [] },
    ...{ 'd-1': ['d-2'], 'd-2': [], 'e-1': [], 'e-2': [], 'f-1': ['f-2'], 'f-2': [] },
  }
  assert.deepEqual(await listed(ownership.transactions, { code: 'S' }), expected)
  assert.deepEqual(await listed(ownership.transactions, { person: '5' }), expected)
  assert.deepEqual(await listed(ownership.search), expected)
  assert.deepEqual(await listed(ownership.search, { person: '5' }), expected)
  assert.deepEqual(marked(await exported('ownership', 'security')), expected)
  assert.deepEqual(marked(await rowsOf(ownership.person, { cik: '5' }, 'filings')), expected)
  type Chain = { link: string; amends: { accession: string } | null; amendments: { accession: string }[] }
  const chain = async (accession: string) => {
    const run = ownership.detail.run as (input: unknown, context: Context) => Promise<unknown>
    const { link, amends, amendments } = (await run({ accession }, context)) as Chain
    return [link, amends?.accession ?? null, amendments.map((each) => each.accession)]
  }
  assert.deepEqual(await Promise.all(['a-2', 'a-3', 'b-3', 'c-3', 'd-1', 'f-2'].map(chain)), [
    ['held', 'a-1', ['a-4', 'a-3']],
    ['held', 'a-2', ['a-4']],
    ['held', 'b-2', []],
    ['ambiguous', null, []],
    ['not_held', null, ['d-2']],
    ['held', 'f-1', []],
  ])
})

test('a Form 144 names its amendments, whether these refer to the first notice or to each other', async () => {
  const notice = (accession: string, filed_date: string, previous_accession: string | null = null) => ({
    ...{ accession, filed_date, previous_accession, is_amendment: previous_accession !== null, source: 'xml' },
    submission_type: previous_accession === null ? '144' : '144/A',
  })
  await insert('form144.notice', [
    notice('a-1', '2026-03-03'),
    notice('a-2', '2026-03-04', 'a-1'),
    notice('a-3', '2026-03-05', 'a-2'),
    notice('a-4', '2026-03-06', 'a-1'),
    notice('b-1', '2026-03-03'),
    // An amendment of a filing that is not stored.
    notice('c-1', '2026-03-04', 'gone'),
    notice('c-2', '2026-03-05', 'gone'),
    // Two amendments that name each other, as a hostile filer may write them.
    notice('d-1', '2026-03-04', 'd-2'),
    notice('d-2', '2026-03-05', 'd-1'),
  ])
  await insert('form144.sale', [{ accession: 'a-1', position: 0 }])
  const expected = {
    ...{ 'a-1': ['a-4', 'a-3', 'a-2'], 'a-2': ['a-4', 'a-3'], 'a-3': ['a-4'], 'a-4': [], 'b-1': [] },
    ...{ 'c-1': ['c-2'], 'c-2': [], 'd-1': ['d-2'], 'd-2': [] },
  }
  assert.deepEqual(await listed(form144.search), expected)
  assert.deepEqual(marked(await exported('form144', 'notice')), expected)
  assert.deepEqual(marked(await exported('form144', 'sale')), { 'a-1': expected['a-1'] })
})

test('a removal from listing (Form 25) names the amendments by the same exchange about the same class of the same issuer', async () => {
  const notice = (accession: string, filed_date: string, more: Record<string, unknown> = {}) => ({
    ...{ accession, filed_date, submission_type: '25-NSE', is_amendment: false, security_class: 'Common Stock' },
    ...{ exchange_cik: '0000000222', issuer_cik: '0000000111', ...more },
  })
  const amends = { submission_type: '25-NSE/A', is_amendment: true }
  await insert('form25.removal', [
    notice('a-1', '2026-03-03'),
    notice('a-2', '2026-03-04', amends),
    notice('a-3', '2026-03-05', amends),
    notice('b-1', '2026-03-03', { security_class: 'Warrants' }),
    notice('c-1', '2026-03-03', { exchange_cik: '0000000333' }),
    notice('d-1', '2026-03-03', { issuer_cik: '0000000112' }),
    // The notice is filed again after it was amended.
    notice('a-4', '2026-03-06'),
  ])
  const expected = { 'a-1': ['a-3', 'a-2'], 'a-2': ['a-3'], 'a-3': [], 'a-4': [], 'b-1': [], 'c-1': [], 'd-1': [] }
  assert.deepEqual(await listed(form25.search), expected)
  assert.deepEqual(marked(await exported('form25', 'removal')), expected)
})

test('votes name a restatement of their report only if it restates their series, and an amendment that adds votes replaces none', async () => {
  const filed = (accession: string, filed_date: string, more: Record<string, unknown> = {}) => ({
    ...{ accession, filed_date, cik: '0000000007', period: '2025-06-30', source: 'xml' },
    ...{ is_amendment: more.amendment_type !== undefined, ...more },
  })
  const filings = [
    filed('a-1', '2025-08-01'),
    filed('a-2', '2025-09-01', { amendment_type: 'RESTATEMENT' }),
    filed('a-3', '2025-09-02', { amendment_type: 'NEW PROXY' }),
    filed('b-1', '2024-08-01', { period: '2024-06-30' }),
    // A trust has two series, and one of them is restated.
    filed('c-1', '2025-08-01', { cik: '0000000008' }),
    filed('c-2', '2025-09-01', { cik: '0000000008', amendment_type: 'RESTATEMENT' }),
    // Two reports without series: it is unknown which of them is restated.
    ...['d-1', 'd-2'].map((accession) => filed(accession, '2025-08-01', { cik: '0000000010' })),
    filed('d-3', '2025-09-01', { cik: '0000000010', amendment_type: 'RESTATEMENT' }),
  ]
  await insert('npx.report', filings)
  const series = (accession: string, ...ids: string[]) =>
    ids.map((series_id, position) => ({ accession, position, series_id }))
  await insert('npx.series', [...series('c-1', 'S000000001', 'S000000002'), ...series('c-2', 'S000000001')])
  const vote = (accession: string, line: number, cik: string, series_id: string | null = null) => ({
    ...{ accession, line, cik, series_id, cusip: '037833100', listed_day: '2025-02-25' },
  })
  await insert('npx.vote', [
    ...['a-1', 'a-2', 'a-3', 'b-1'].map((accession) => vote(accession, 1, '0000000007')),
    ...[vote('c-1', 1, '0000000008', 'S000000001'), vote('c-1', 2, '0000000008', 'S000000002')],
    vote('c-2', 1, '0000000008', 'S000000001'),
  ])
  const marks = async (query: Record<string, string>) =>
    (await rowsOf(npx.votes, { cusip: '037833100', ...query }))
      .map(({ accession, line, amended_by }) => `${accession} ${line} ${amended_by}`)
      .sort()
  const kept = ['a-2 1 ', 'a-3 1 ', 'b-1 1 ', 'c-1 2 ', 'c-2 1 ']
  const all = ['a-1 1 a-2', 'a-2 1 ', 'a-3 1 ', 'b-1 1 ', 'c-1 1 c-2', 'c-1 2 ', 'c-2 1 ']
  assert.deepEqual(await marks({}), all)
  assert.deepEqual(await marks({ amended: 'latest' }), kept)
  const reports = { 'a-1': ['a-2'], 'a-2': [], 'a-3': [], 'b-1': [], 'c-1': ['c-2'], 'c-2': [], 'd-1': [], 'd-2': [], 'd-3': [] } // biome-ignore format: a table
  assert.deepEqual(marked(await rowsOf(npx.search, {})), reports)
  const left = async (query = {}) =>
    (await rowsOf(npx.search, { ...query, amended: 'latest' })).map(({ accession }) => accession).sort()
  // One of the two series of c-1 is not restated.
  assert.deepEqual(await left(), ['a-2', 'a-3', 'b-1', 'c-1', 'c-2', 'd-1', 'd-2', 'd-3'])
  assert.deepEqual(marked(await exported('npx', 'report')), reports)
  await insert('npx.report', [filed('c-3', '2025-10-01', { cik: '0000000008', amendment_type: 'RESTATEMENT' })])
  await insert('npx.series', series('c-3', 'S000000002'))
  // Now both series of c-1 are restated, each by a different report.
  assert.deepEqual(await left(), ['a-2', 'a-3', 'b-1', 'c-2', 'c-3', 'd-1', 'd-2', 'd-3'])
  // Up to these days, one series of c-1 is not restated. Up to the earlier day, a-1 is not restated at all.
  assert.deepEqual(await left({ to: '2025-09-01' }), ['a-2', 'b-1', 'c-1', 'c-2', 'd-1', 'd-2', 'd-3'])
  assert.deepEqual(await left({ to: '2025-08-31' }), ['a-1', 'b-1', 'c-1', 'd-1', 'd-2'])
})

/** A filing of a family whose amendments repeat the whole report. */
const of =
  (more: Record<string, unknown>) =>
  (accession: string, filed_date: string, form: string, own: object = {}) => ({
    ...{ accession, filed_date, submission_type: form, is_amendment: form.endsWith('/A'), ...more, ...own },
  })

test('notices on Form D and offerings under Regulation A and on Form C name the filing that restates them, in the feed and in files', async () => {
  const notice = of({ cik: '0000000011', entity_name: 'D', name_key: 'd' })
  await insert('formd.offering', [
    notice('fd-1', '2026-01-02', 'D'),
    notice('fd-2', '2026-02-02', 'D/A', { previous_accession: 'fd-1' }),
    notice('fd-3', '2026-03-02', 'D/A', { previous_accession: 'fd-2' }),
    notice('fd-4', '2026-03-03', 'D'),
  ])
  const statement = of({ cik: '0000000012', entity_name: 'A', name_key: 'a', file_numbers: ['024-1'] })
  await insert('rega.submission', [
    statement('ra-1', '2026-01-02', '1-A', { file_numbers: [] }),
    statement('ra-2', '2026-02-02', '1-A/A'),
    statement('ra-3', '2026-03-02', '1-A POS'),
    statement('ra-4', '2026-04-02', '1-K', { reporting_period: '2025-12-31' }),
    statement('ra-5', '2026-05-02', '1-K/A', { reporting_period: '2025-12-31' }),
    statement('ra-6', '2026-05-03', '1-K/A', { reporting_period: '2024-12-31' }),
    // After a second offering, it is unknown which of the two original statements an amendment amends.
    statement('ra-7', '2026-06-02', '1-A', { file_numbers: [] }),
    statement('ra-8', '2026-07-02', '1-A/A', { file_numbers: ['024-2'] }),
  ])
  const offer = of({ cik: '0000000013', entity_name: 'C', name_key: 'c', file_number: '020-1' })
  await insert('crowdfunding.submission', [
    offer('cf-1', '2026-01-02', 'C', { file_number: null }),
    offer('cf-2', '2026-01-12', 'C/A'),
    offer('cf-3', '2026-02-02', 'C-U'),
    offer('cf-4', '2026-02-12', 'C', { file_number: null }),
    offer('cf-5', '2026-03-02', 'C/A'),
    offer('cf-6', '2026-03-12', 'C/A', { file_number: '020-2' }),
    offer('cf-7', '2026-04-02', 'C-AR', { period: '2025-12-31' }),
    offer('cf-8', '2026-05-02', 'C-AR/A', { period: '2025-12-31' }),
  ])
  const expected = {
    ...{ 'fd-1': ['fd-3', 'fd-2'], 'fd-2': ['fd-3'], 'fd-3': [], 'fd-4': [] },
    ...{ 'ra-1': ['ra-3', 'ra-2'], 'ra-2': ['ra-3'], 'ra-3': [], 'ra-4': ['ra-5'], 'ra-5': [], 'ra-6': [], 'ra-7': [], 'ra-8': [] },
    ...{ 'cf-1': ['cf-5', 'cf-2'], 'cf-2': ['cf-5'], 'cf-3': [], 'cf-4': [], 'cf-5': [], 'cf-6': [], 'cf-7': ['cf-8'], 'cf-8': [] },
  } // biome-ignore format: one line a form
  assert.deepEqual(marked(await rowsOf(feed.search, {})), Object.fromEntries(Object.entries(expected).sort()))
  assert.deepEqual(Object.keys(await listed(formd.search)), ['fd-1', 'fd-2', 'fd-3', 'fd-4'])
  const files = await Promise.all([
    exported('formd', 'offering'),
    exported('rega', 'submission'),
    exported('crowdfunding', 'submission'),
  ])
  assert.deepEqual(marked(files.flat()), Object.fromEntries(Object.entries(expected).sort()))
})

test('in every file, reports of portals, brokers, funds and managers name the filing that restates them; an amendment that adds holdings replaces no report', async () => {
  const portal = of({ cik: '0000000014', name: 'P', name_key: 'p' })
  await insert('cfportal.filing', [
    portal('p-1', '2020-01-02', 'CFPORTAL'),
    portal('p-2', '2021-01-02', 'CFPORTAL/A'),
    portal('p-3', '2022-01-02', 'CFPORTAL-W'),
    portal('p-4', '2023-01-02', 'CFPORTAL'),
    portal('p-5', '2024-01-02', 'CFPORTAL/A'),
  ])
  const portals = { 'p-1': ['p-2'], 'p-2': [], 'p-3': [], 'p-4': ['p-5'], 'p-5': [] }
  assert.deepEqual(marked(await exported('cfportal', 'filing')), portals)
  // A family, its table of reports, its form, and the column whose value distinguishes the reports.
  const families = [
    ['x17a5', 'report', 'X-17A-5', { cik: '0000000015' }, 'period_end'],
    ['ncen', 'report', 'N-CEN', { cik: '0000000016' }, 'period'],
    ['nmfp', 'report', 'N-MFP3', { fund: '0000000017-S000000017' }, 'period'],
    ['nport', 'report', 'NPORT-P', { fund: '0000000018-S000000018' }, 'period'],
    ['thirteenf', 'report', '13F-HR', { cik: '0000000019', amendment_type: 'restatement' }, 'period'],
  ] as const
  for (const [family, table, form, same, period] of families) {
    const filed = of({ ...same, [period]: '2025-12-31' })
    await insert(`${family}.${table}`, [
      filed('r-1', '2026-01-02', form, { amendment_type: null }),
      filed('r-2', '2026-02-02', `${form}/A`),
      filed('r-3', '2026-03-02', `${form}/A`),
      filed('r-4', '2026-03-02', form, { amendment_type: null, [period]: '2024-12-31' }),
      ...(family === 'thirteenf' ? [filed('r-5', '2026-04-02', `${form}/A`, { amendment_type: 'new_holdings' })] : []),
    ])
    const expected = {
      'r-1': ['r-3', 'r-2'],
      'r-2': ['r-3'],
      'r-3': [],
      'r-4': [],
      ...(family === 'thirteenf' && { 'r-5': [] }),
    }
    assert.deepEqual([family, marked(await exported(family, table))], [family, expected])
  }
})

test('a Schedule 13D or 13G in a list names all later amendments, like the chain in its detail', async () => {
  const random = randomFor('schedules that amend each other')
  const pick = <T>(of: readonly T[]) => of[Math.floor(random() * of.length)]!
  const filings: Linked[] = Array.from({ length: 60 }, (_, n) => {
    const is_amendment = random() < 0.7
    const number = is_amendment && random() < 0.3 ? 1 + Math.floor(random() * 4) : null
    const stated = is_amendment && n > 0 && random() < 0.2 ? `x-${10 + Math.floor(random() * n)}` : null
    return {
      ...{ accession: `x-${10 + n}`, filed_date: `2010-01-${10 + Math.floor(n / 3)}`, schedule: pick(['13D', '13G']) },
      ...{ is_amendment, amendment_number: number, previous_accession: stated, cusip: pick([null, 'A', 'A', 'B']) },
    }
  })
  await insert(
    'schedule13.report',
    filings.map((one) => ({ ...one, issuer_cik: '0000000001', cik: '0000000002', source: 'text' })),
  )
  // If an amendment names a filing, later amendments of that filing replace this amendment too.
  const direct = (one: Linked) => [
    ...amendmentsOf(one, filings),
    ...filings.filter(
      (other) =>
        other.is_amendment &&
        one.previous_accession !== null &&
        other.previous_accession === one.previous_accession &&
        `${other.filed_date} ${other.accession}` > `${one.filed_date} ${one.accession}`,
    ),
  ]
  const all = (one: Linked, found = new Set<Linked>()): Set<Linked> => {
    for (const each of direct(one)) if (!found.has(each)) all(each, found.add(each))
    return found
  }
  const expected = filings.map((one) => {
    const by = [...all(one)].filter(({ accession }) => accession !== one.accession)
    const key = (each: Linked) => `${each.filed_date} ${each.accession}`
    return [one.accession, by.sort((a, b) => (key(a) < key(b) ? 1 : -1)).map(({ accession }) => accession)]
  })
  assert.ok(expected.some(([, by]) => by!.length > 1))
  const rows = [0, 50].map((offset) => rowsOf(schedule13.search, { limit: '50', offset: String(offset) }))
  assert.deepEqual(marked((await Promise.all(rows)).flat()), Object.fromEntries(expected))
  assert.deepEqual(marked(await exported('schedule13', 'report')), Object.fromEntries(expected))
})
