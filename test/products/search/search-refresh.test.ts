/** The names in the search follow the data: a refresh after a change gives the same rows as a full rebuild. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import companies from '../../../src/datasets/companies/index.ts'
import ncen from '../../../src/datasets/ncen/index.ts'
import nport from '../../../src/datasets/nport/index.ts'
import ownership from '../../../src/datasets/ownership/index.ts'
import { load } from '../../../src/ingest/load.ts'
import product from '../../../src/products/search/index.ts'
import { AMOUNTS, stepOf } from '../../../src/products/search/queries-entities.ts'
import { search } from '../../../src/products/search/routes.ts'
import type { Transaction } from '../../../src/store/db.ts'
import { freshDatabase } from '../../support/database.ts'
import { randomFor } from '../../support/random.ts'
import { changing, remake } from '../../support/refreshed.ts'
import { type FundReport, filled, loadFunds, loadManagers, SLICES as OTHERS } from '../../support/securities-made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })
const SLICES = [ownership, ...OTHERS, product]

interface Page {
  rows: { kind: string; id: string; name: string; matched: string; detail: string }[]
}
const found = async (q: string, kind?: string) =>
  (await ask<Page>(sql, search, { q, ...(kind && { kind }) })).rows.map(
    ({ kind: of, id, matched }) => `${of} ${id} ${matched}`,
  )

const stored = async () => ({
  entities: [...(await sql`select * from search.entity order by id`)],
  names: [...(await sql`select * from search.name order by id, key`)],
  words: [...(await sql`select * from search.word order by word`)],
  codes: [...(await sql`select * from search.code order by code, id, what, source, part`)],
})

/** Asserts that the refreshed rows equal those of a full rebuild. */
async function isWhole() {
  const followed = await stored()
  await remake(sql, product)
  assert.deepEqual(await stored(), followed)
}

/** Loads Forms 4, each of one owner. */
async function loadOwners(
  ...forms: readonly (readonly [accession: string, filed: string, name: string, issuer: string])[]
) {
  const parsed = forms.map(([accession, filedDate, name, issuer_name]) => ({
    accession,
    filedDate,
    rows: [
      [
        'report',
        filled(ownership.tables.report!, { form: '4', source: 'xml', owner_ciks: ['0000000900'], issuer_name }),
      ],
      ['owner', filled(ownership.tables.owner!, { cik: '0000000900', name, position: 0, filed_date: filedDate })],
    ] as [string, Record<string, unknown>][],
  }))
  const keys = parsed.map(({ accession }) => accession)
  await changing(sql, ownership, { keys }, (tx) => load(tx, ownership, parsed), SLICES)
}

const [TRUST, FUND] = ['0000000071', 'S000000071']
const fundOf = (name: string, accession: string, value: number) => ({
  ...{ accession, fund: `${TRUST}-${FUND}`, filed: '2026-02-20', period: '2025-12-31' },
  lines: [{ cusip: '46625H100', name, title: 'COM', value, balance: 10, asset: 'EC' }],
})

/**
 * Loads a report and marks its securities as changed, since `loadFunds` does not know the slices that depend on
 * securities.
 */
async function loadFund(report: FundReport) {
  await loadFunds(sql, 'nport', report)
  await changing(sql, nport, { keys: [report.accession] }, async () => {}, SLICES)
}

test('an insider is found by the newest and all earlier names, with or without accents', async () => {
  await loadOwners(
    ['0000000900-24-000001', '2024-01-02', 'MÜLLER JOSÉ', 'Ärzte AG'],
    ['0000000900-25-000001', '2025-01-02', 'Müller-Brontë José', 'Ärzte AG'],
  )
  for (const q of ['müller bronte', 'JOSE MULLER BRONTË', 'Bronte']) {
    const rows = await found(q)
    assert.deepEqual(rows, ['insider 0000000900 name'], q)
  }
  assert.deepEqual(await found('muller jose'), ['insider 0000000900 former_name'])
  const [{ detail }] = (await ask<Page>(sql, search, { q: 'bronte' })).rows as [Page['rows'][number]]
  assert.equal(detail, 'owner · Ärzte AG')
  await isWhole()
})

test('an insider whose newest form is deleted gets the previous name, and is deleted with the last form', async () => {
  const drop = (accession: string) =>
    changing(
      sql,
      ownership,
      { keys: [accession] },
      async (tx: Transaction) => {
        await tx`delete from ownership.owner where accession = ${accession}`
      },
      SLICES,
    )
  await drop('0000000900-25-000001')
  assert.deepEqual(await found('muller jose'), ['insider 0000000900 name'])
  assert.deepEqual(await found('bronte'), [])
  await drop('0000000900-24-000001')
  assert.deepEqual(await found('muller jose'), [])
  assert.deepEqual((await stored()).words, [])
  // A name without an owner is also absent after all rows were made at once.
  await loadOwners(['0000000900-26-000001', '2026-01-02', 'KEPT ANNA', 'Made Corp'])
  await sql`delete from ownership.owner`
  await remake(sql, product)
  assert.deepEqual(await found('kept anna'), [])
})

test('a fund and a security are found by the names in their newest reports, and unchanged rows are not written again', async () => {
  await loadFund(fundOf('FORMER HOLDINGS INC', '0000000071-26-000001', 900))
  assert.deepEqual(await found('former holdings'), ['security 46625H100 name'])
  assert.deepEqual(await found(FUND), [`fund ${FUND} series`])
  assert.deepEqual(await found('fund', 'fund'), [`fund ${FUND} name`])
  assert.deepEqual(await found('fund', 'security'), [])
  const rowOf = async () => (await sql`select ctid::text, xmin::text from search.name where id = ${`fund ${FUND}`}`)[0]
  const before = await rowOf()
  await loadFund(fundOf('LATER HOLDINGS INC', '0000000071-26-000002', 901))
  assert.deepEqual(await found('later holdings'), ['security 46625H100 name'])
  assert.deepEqual(await found('former'), [])
  assert.deepEqual(await rowOf(), before)
  await isWhole()
})

test('a fund is found by its ticker and share class, and a fund that lost the ticker is ranked after the fund that has it now', async () => {
  await changing(
    sql,
    companies,
    { series: 'TICKERS_FUND', keys: ['0000000071 MADEX', '0000000072 MADEX'], day: '2026-01-05' },
    async (tx) => {
      await tx`insert into bulk.edition ${tx({ series: 'TICKERS_FUND', name: 't', from_day: '2026-01-05', to_day: '2026-01-05', state: 'done', files: [] })}`
      for (const [cik, series_id, class_id, gone] of [
        [TRUST, FUND, 'C000000071', null],
        ['0000000072', 'S000000072', 'C000000072', '2025-01-05'],
      ] as const) {
        const id = `${cik} MADEX`
        await tx`insert into bulk.record ${tx({ series: 'TICKERS_FUND', key: id, digest: Buffer.alloc(8), edition: 't', first_day: '2020-01-02', changed_day: '2026-01-05', gone_day: gone })}`
        await tx`insert into companies.listed_ticker ${tx({ id, source: 'company_tickers_mf', cik, ticker: 'MADEX', series_id, class_id })}`
      }
    },
    SLICES,
  )
  const fundsOf = async (q: string) => (await found(q)).filter((row) => row.startsWith('fund'))
  assert.deepEqual(await fundsOf('$madex'), [`fund ${FUND} ticker`, 'fund S000000072 former_ticker'])
  // A report names the ticker that the fund had; EDGAR's list shows that the ticker is gone.
  const of = { cik: '0000000072', period: '2023-12-31' }
  const listing = { accession: '0000000072-24-000001', filedDate: '2024-03-01' }
  const fund = '0000000072-S000000072'
  const rows = [
    ['report', filled(ncen.tables.report!, { ...of, submission_type: 'N-CEN' })],
    ['fund', filled(ncen.tables.fund!, { n: 1, fund, cik: of.cik, series_id: 'S000000072', fund_name: 'Former' })],
    ['listing', filled(ncen.tables.listing!, { fund, ticker: 'MADEX', n: 1 })],
  ] as [string, Record<string, unknown>][]
  await changing(sql, ncen, { keys: [listing.accession] }, (tx) => load(tx, ncen, [{ ...listing, rows }]), [
    ncen,
    ...SLICES,
  ])
  assert.deepEqual(await fundsOf('$madex'), [`fund ${FUND} ticker`, 'fund S000000072 former_ticker'])
  assert.deepEqual(await found('c000000071'), [`fund ${FUND} class`])
  assert.deepEqual(await found('C000000072'), ['fund S000000072 class'])
  await isWhole()
})

test('a company’s only loaded security gets no ticker that may belong to another class, and none of several gets a former ticker', async () => {
  const day = '2026-01-02'
  /** Loads a company with tickers; one in parentheses is gone. */
  const company = (cik: string, name: string, ...tickers: readonly string[]) =>
    changing(
      sql,
      companies,
      { series: 'TICKERS', keys: [cik, ...tickers.map((ticker) => `${cik} ${ticker}`)], day },
      async (tx) => {
        const edition = { series: 'TICKERS', name: 't', from_day: day, to_day: day, state: 'done', files: [] }
        await tx`insert into bulk.edition ${tx(edition)} on conflict do nothing`
        await tx`insert into companies.company ${tx(filled(companies.tables.company!, { cik, name }))}`
        for (const written of tickers) {
          const ticker = written.replace(/[()]/g, '')
          const id = `${cik} ${ticker}`
          const gone_day = written === ticker ? null : day
          await tx`insert into bulk.record ${tx({ series: 'TICKERS', key: id, digest: Buffer.alloc(8), edition: 't', first_day: '2020-01-02', changed_day: day, gone_day })}`
          await tx`insert into companies.listed_ticker ${tx({ id, source: 'company_tickers', cik, ticker, name })}`
        }
      },
      SLICES,
    )
  await company('0000000091', 'Twoclass Corp', 'TWCA', 'TWCB')
  await company('0000000092', 'Renamed Corp', '(OLDR)')
  await loadManagers(sql, {
    ...{ accession: '0000000001-26-000009', cik: '0000000001', filed: '2026-02-14', period: '2025-12-31' },
    lines: [
      ['90000A109', 900, { issuer: 'TWOCLASS CORP', title: 'COM' }],
      ['90000B107', 800, { issuer: 'RENAMED CORP', title: 'CL A' }],
      ['90000B206', 700, { issuer: 'RENAMED CORP', title: 'CL B' }],
    ],
  })
  const ciks = await sql`select sec_id, cik from pub.securities_security where sec_id like '90000%' order by sec_id`
  assert.deepEqual(
    ciks.map(({ cik }) => cik),
    ['0000000091', '0000000092', '0000000092'],
  )
  await remake(sql, product)
  assert.deepEqual(await found('90000A109'), ['security 90000A109 cusip'])
  assert.deepEqual(await found('TWCB'), ['company 0000000091 ticker'])
  assert.deepEqual(await found('OLDR'), ['company 0000000092 former_ticker'])
})

test('the weight of an amount is the nearest half power of ten, in millions', async () => {
  const around = AMOUNTS.flatMap((amount) => {
    // A double has no cents from 9e13 on.
    const cent = Math.max(0.01, amount / 1e14)
    return [amount - cent, amount + cent, amount / 2, amount * 1.1, ...(amount < 9e13 ? [amount] : [])]
  })
  const amounts = [...around, 0, -5, 1, 999_999.99, 1e6, 1e20].map((amount) => amount.toFixed(2))
  const rows = await sql<{ amount: string | null; looked_up: number; computed: number }[]>`
    select amount, ${stepOf(sql, sql`amount`)} as looked_up,
      greatest(1, least(1e9, power(10::numeric, round(2 * log(greatest(1, coalesce(amount, 0) / 1e6))) / 2)))::int as computed
    from (select unnest(${amounts}::numeric[]) as amount union all select null) a`
  assert.equal(rows.length, amounts.length + 1)
  for (const { amount, looked_up, computed } of rows) assert.equal(looked_up, computed, `weight of ${amount}`)
  assert.equal(new Set(rows.map(({ looked_up }) => looked_up)).size, AMOUNTS.length + 1)
})

test('a refresh leaves no names in the pending lists of the indexes', async () => {
  await loadOwners(['0000000007-24-000001', '2024-05-01', 'Pending Owner', 'Issuer'])
  assert.deepEqual(await found('pending owner'), ['insider 0000000900 name'])
  const [left] = await sql<[{ indexes: number; pages: number }]>`
    select count(*)::int as indexes, sum(gin_clean_pending_list(indexrelid))::int as pages
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
    where indrelid = 'search.name'::regclass and amname = 'gin'`
  assert.equal(left.pages, 0)
  assert.ok(left.indexes > 1)
})

test('a name that is too long for an index is found by its first words, and stops no refresh of all names', async () => {
  const random = randomFor('long words')
  const word = () => Array.from({ length: 180 }, () => String.fromCharCode(97 + random() * 26)).join('')
  const long = `ZANZIBAR ${Array.from({ length: 38 }, word).join(' ')}`
  await loadOwners(['0000000900-25-000009', '2025-03-02', long, 'Ärzte AG'])
  await isWhole()
  assert.deepEqual(await found('zanzibar', 'insider'), ['insider 0000000900 name'])
})
