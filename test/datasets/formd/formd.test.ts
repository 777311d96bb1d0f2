/** Chains of amendments in Form D's detail, tested on rows as the loader stores them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as queries from '../../../src/datasets/formd/queries.ts'
import { detail } from '../../../src/datasets/formd/routes.ts'
import { formdAmended } from '../../../src/datasets/formd/views.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadNotices, type Notice } from '../../support/formd-rows.ts'
import { serveSample } from '../../support/served.ts'

const { sql } = await freshDatabase({ after })

/** Loads the notices and returns the chain of one of them. */
async function chainOf(notices: readonly Notice[], accession: string) {
  await loadNotices(sql, notices)
  const found = await queries.detail(sql, { accession })
  return found!.filing.chain.map((member) => ({
    at: member.accession.slice(-1),
    link: member.link,
    effective: member.is_effective,
    offered: member.new_offered,
    sold: member.new_sold,
  }))
}

/** The number of the last filer. Each test takes a new filer, so no two tests share an accession. */
let filer = 0
function accessions(): (n: number) => string {
  const prefix = String(++filer).padStart(10, '0')
  return (n) => `${prefix}-24-00000${n}`
}

test('a chain separates new money from restated money and names the effective filing', async () => {
  const at = accessions()
  const notices: Notice[] = [
    { accession: at(1), filedDate: '2024-01-05', offered: '100', sold: '10' },
    { accession: at(2), filedDate: '2024-06-05', offered: '100', sold: '60', amends: at(1) },
    { accession: at(3), filedDate: '2025-01-05', offered: '150', sold: '90', amends: at(2) },
    { accession: at(4), filedDate: '2025-01-06', offered: '7', sold: '7' },
  ]
  const expected = [
    { at: '1', link: 'original', effective: false, offered: '100', sold: '10' },
    { at: '2', link: 'held', effective: false, offered: '0', sold: '50' },
    { at: '3', link: 'held', effective: true, offered: '50', sold: '30' },
  ]
  assert.deepEqual(await chainOf(notices, at(1)), expected)
  assert.deepEqual(await chainOf(notices, at(3)), expected)
})

test('amendments that all name the original are still ordered by date, and ties by accession', async () => {
  const at = accessions()
  const notices: Notice[] = [
    { accession: at(1), filedDate: '2024-01-05', offered: '100', sold: '10' },
    { accession: at(3), filedDate: '2024-06-05', offered: '100', sold: '40', amends: at(1) },
    { accession: at(2), filedDate: '2024-06-05', offered: '100', sold: '30', amends: at(1) },
  ]
  const chain = await chainOf(notices, at(2))
  assert.deepEqual(
    chain.map(({ at, sold, effective }) => [at, sold, effective]),
    [
      ['1', '10', false],
      ['2', '20', false],
      ['3', '10', true],
    ],
  )
})

test('an indefinite amount makes the difference unknown, not zero', async () => {
  const at = accessions()
  const notices: Notice[] = [
    { accession: at(1), filedDate: '2024-01-05', offered: null, sold: '10' },
    { accession: at(2), filedDate: '2024-06-05', offered: '100', sold: '25', amends: at(1) },
  ]
  const chain = await chainOf(notices, at(2))
  assert.deepEqual(
    chain.map(({ offered, sold }) => [offered, sold]),
    [
      [null, '10'],
      [null, '15'],
    ],
  )
})

test('an amendment whose original is missing or not named has a link that says so, and counts as no new money', async () => {
  const at = accessions()
  const notices: Notice[] = [
    { accession: at(1), filedDate: '2024-01-05', offered: '100', sold: '10', amends: '0000000009-18-000523' },
    { accession: at(2), filedDate: '2024-02-05', offered: '100', sold: '30', amends: at(1) },
  ]
  assert.deepEqual(await chainOf(notices, at(2)), [
    { at: '1', link: 'not_held', effective: false, offered: null, sold: null },
    { at: '2', link: 'held', effective: true, offered: '0', sold: '20' },
  ])
  const unnamed: Notice[] = [
    { accession: at(3), filedDate: '2024-01-05', offered: '100', sold: '10' },
    { accession: at(4), filedDate: '2024-02-05', offered: '100', sold: '30', form: 'D/A' },
  ]
  assert.deepEqual(await chainOf(unnamed, at(4)), [
    { at: '4', link: 'not_stated', effective: true, offered: null, sold: null },
  ])
})

test('a circle of references, and a filing that refers to itself, give a finite chain', async () => {
  const at = accessions()
  const notices: Notice[] = [
    { accession: at(1), filedDate: '2024-01-05', offered: '1', sold: '1', amends: at(3) },
    { accession: at(2), filedDate: '2024-01-06', offered: '2', sold: '2', amends: at(1) },
    { accession: at(3), filedDate: '2024-01-07', offered: '3', sold: '3', amends: at(2) },
    { accession: at(4), filedDate: '2024-01-08', offered: '4', sold: '4', amends: at(4) },
  ]
  const chain = await chainOf(notices, at(2))
  assert.deepEqual(
    chain.map(({ at, sold }) => [at, sold]),
    [
      ['1', null],
      ['2', '1'],
      ['3', '1'],
    ],
  )
  assert.equal((await chainOf(notices, at(4))).length, 1)
})

test('`other_filings` has the other filings of the primary issuer, newest first', async () => {
  const at = accessions()
  await loadNotices(sql, [
    { accession: at(1), filedDate: '2024-01-05', cik: '0000000007' },
    { accession: at(2), filedDate: '2025-01-05', cik: '0000000007' },
    { accession: at(3), filedDate: '2024-05-05', cik: '0000000007' },
    { accession: at(4), filedDate: '2024-06-05', cik: '0000000008' },
  ])
  const found = await queries.detail(sql, { accession: at(1) })
  assert.deepEqual(
    found!.other_filings.map(({ accession }) => accession),
    [at(2), at(3)],
  )
  assert.equal(found!.company.cik, '0000000007')
})

test('the detail and the view list the same amendments of a filing, in chains of any shape and length', async () => {
  const [at, other] = [accessions(), accessions()]
  const notices: Notice[] = [
    { accession: at(1), filedDate: '2024-01-05' },
    { accession: at(2), filedDate: '2024-06-05', amends: at(1) },
    { accession: at(3), filedDate: '2024-06-05', amends: at(1) },
    { accession: at(4), filedDate: '2024-08-05', amends: at(2) },
    { accession: at(5), filedDate: '2024-09-05', amends: at(5) },
    // The same issuer's other offering, and amendments of an offering that is not stored.
    { accession: other(1), filedDate: '2024-02-05' },
    { accession: other(2), filedDate: '2024-03-05', amends: other(1) },
    { accession: other(3), filedDate: '2024-03-06', amends: '0000000009-18-000524' },
    { accession: other(4), filedDate: '2024-03-07', amends: '0000000009-18-000524' },
  ].map((notice) => ({ ...notice, cik: '0000000010' }))
  // The chain is too long to be known completely.
  const long = Array.from({ length: 101 }, (_, n) => `0000000011-24-${String(n).padStart(6, '0')}`)
  const chained = long.map((accession, n) => ({
    accession,
    filedDate: '2023-01-05',
    cik: '0000000011',
    ...(n > 0 && { amends: long[n >> 1]! }),
  }))
  await loadNotices(sql, [...notices, ...chained])
  const rows = await sql<{ accession: string; amended_by: string[] }[]>`
    select accession, amended_by from ${sql(formdAmended.id)} where accession = any(${notices.map((one) => one.accession)})`
  const inView = new Map(rows.map((row) => [row.accession, row.amended_by]))
  for (const { accession } of notices) {
    const { filing, other_filings } = (await queries.detail(sql, { accession }))!
    for (const one of [filing, ...filing.chain, ...other_filings]) {
      assert.deepEqual(one.amended_by, inView.get(one.accession) ?? [], `${one.accession} beside ${accession}`)
    }
  }
  const first = (await queries.detail(sql, { accession: at(1) }))!
  assert.deepEqual(first.filing.amended_by, [at(4), at(3), at(2)])
  assert.deepEqual(first.other_filings.find(({ accession }) => accession === other(1))!.amended_by, [other(2)])
  const { filing } = (await queries.detail(sql, { accession: long[0]! }))!
  assert.deepEqual(filing.amended_by, long.slice(1).toReversed())
  assert.deepEqual(filing.chain[60]!.amended_by, long.slice(61).toReversed())
})

test('one SQL statement reads a notice, however many filings are in its chain', async () => {
  const at = accessions()
  const notices = [1, 2, 3].map((n) => ({ accession: at(n), filedDate: `2024-0${n}-05`, cik: '0000000012' }))
  await loadNotices(sql, [notices[0]!, ...notices.slice(1).map((one) => ({ ...one, amends: at(1) }))])
  const sent: string[] = []
  Object.assign(sql.options, { debug: (_: number, text: string) => sent.push(text) })
  const found = await queries.detail(sql, { accession: at(1) })
  Object.assign(sql.options, { debug: undefined })
  assert.deepEqual([found!.other_filings.length, sent.length], [2, 1])
})

test('an accession is found with and without dashes; an unknown one is null', async () => {
  const at = accessions()
  await loadNotices(sql, [{ accession: at(1), filedDate: '2024-01-05' }])
  const ask = (accession: string) => detail.run(detail.input.parse({ accession }), testContext(sql))
  assert.deepEqual(await ask(at(1).replaceAll('-', '')), await ask(at(1)))
  assert.notEqual(await ask(at(1)), null)
  assert.equal(await ask(at(9)), null)
  assert.equal(detail.input.safeParse({ accession: 'not-an-accession' }).success, false)
})

test('loading a filing twice gives the same rows as loading it once', async () => {
  const at = accessions()
  const notice = { accession: at(1), filedDate: '2024-01-05' }
  await loadNotices(sql, [notice])
  const once = await queries.detail(sql, { accession: at(1) })
  await loadNotices(sql, [notice])
  assert.deepEqual(await queries.detail(sql, { accession: at(1) }), once)
})

test('new money of a chain with two amendments adds up to the amounts sold and offered in its documents', async (t) => {
  const served = await serveSample(t)
  type Chain = { filing: { chain: { total_sold: string; new_sold: string; new_offered: string }[] } }
  const { filing } = await served.json<Chain>('/formd/filings/by-accession/9000000001-09-000003')
  const sum = (key: 'total_sold' | 'new_sold' | 'new_offered') =>
    filing.chain.reduce((all, member) => all + Number(member[key]), 0)
  // Read from the three documents by a person: sold 4,000,000, then 11,500,000 in all, then 18,250,000 in all; offered
  // 20, 20, 25 million.
  assert.equal(sum('new_sold'), 4_000_000 + 7_500_000 + 6_750_000)
  assert.equal(sum('new_sold'), 18_250_000)
  assert.equal(sum('new_offered'), 25_000_000)
  assert.equal(sum('total_sold'), 33_750_000, 'what naive summing would give')
})
