/** Identifiers and tickers of a CUSIP, their sources, and the decision if the sources disagree. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import companies from '../../../src/datasets/companies/index.ts'
import schedule13 from '../../../src/datasets/schedule13/index.ts'
import { load } from '../../../src/ingest/load.ts'
import type { CompanySecurities, SecurityIdentifiers } from '../../../src/products/identifiers/answers.ts'
import identifiers from '../../../src/products/identifiers/index.ts'
import { company, security } from '../../../src/products/identifiers/routes.ts'
import { freshDatabase } from '../../support/database.ts'
import { changing, remake } from '../../support/refreshed.ts'
import { filled, loadFunds, loadManagers, remove, SLICES } from '../../support/securities-made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })

const APPLE = { cusip: '037833100', isin: 'US0378331005', name: 'Apple Inc', lei: 'HWUPKR0MPOU8FGXBT394' }

interface Cover {
  accession: string
  filed: string
  cik: string
  issuer: string
  cusip: string
}

const loadCovers = (...covers: Cover[]) =>
  changing(
    sql,
    schedule13,
    { keys: covers.map(({ accession }) => accession) },
    (tx) =>
      load(
        tx,
        schedule13,
        covers.map(({ accession, filed, cik, issuer, cusip }) => ({
          accession,
          filedDate: filed,
          rows: [
            [
              'report',
              filled(schedule13.tables.report!, {
                ...{
                  submission_type: 'SCHEDULE 13G',
                  source: 'xml',
                  schedule: '13G',
                  issuer_cik: cik,
                  issuer_name: issuer,
                  cusip,
                },
              }),
            ],
            ['security', { position: 0, cusip, cusip_flag: null }],
          ],
        })),
      ),
    SLICES,
  )

const LISTS = { TICKERS: 'company_tickers', TICKERS_EXCHANGE: 'company_tickers_exchange' }

/** Loads tickers like one edition of each of the two lists. */
async function loadTickers(day: string, rows: readonly (readonly [cik: string, ticker: string, name: string])[]) {
  const keys = rows.flatMap(([cik, ticker]) => Object.values(LISTS).map((source) => `${source} ${cik} ${ticker}`))
  await changing(
    sql,
    companies,
    { series: 'TICKERS', keys, day },
    async (tx) => {
      for (const [series, source] of Object.entries(LISTS)) {
        await tx`
          insert into bulk.edition ${tx({ series, name: `t${day}`, from_day: day, to_day: day, state: 'done', files: [] })}
          on conflict do nothing`
        for (const [cik, ticker, name] of rows) {
          const id = `${source} ${cik} ${ticker}`
          const record = {
            series,
            key: id,
            digest: Buffer.alloc(8),
            edition: `t${day}`,
            first_day: day,
            changed_day: day,
          }
          await tx`insert into bulk.record ${tx(record)} on conflict do nothing`
          await tx`insert into companies.listed_ticker ${tx({ id, source, cik, ticker, name })}`
        }
      }
    },
    SLICES,
  )
}

const of = (cusip: string) => ask<SecurityIdentifiers>(sql, security, { cusip })
const rowsOf = async (cusip: string) =>
  (await of(cusip)).rows.map(({ kind, value, source, confidence }) => [kind, value, source, Number(confidence)])

test('a cover of Schedule 13G links CUSIP and CIK; if the CIK belongs to another company, the link is stored but not believed', async () => {
  await loadTickers('2026-01-01', [
    ['0000936395', 'CIEN', 'CIENA CORP'],
    ['0000019617', 'JPM', 'JPMORGAN CHASE & CO'],
  ])
  const cover = { filed: '2026-01-21', issuer: 'Ciena Corporation', cusip: '171779309' }
  await loadCovers(
    { ...cover, accession: '0000000000-26-000001', cik: '0000936395' },
    // Here the filer wrongly states its own CIK as that of the issuer.
    { ...cover, accession: '0000000000-26-000002', cik: '0000019617', filed: '2026-02-21' },
  )
  assert.deepEqual(await rowsOf('171779309'), [
    ['cik', '0000936395', 'schedule13', 0.95],
    ['cik', '0000019617', 'schedule13', 0.4],
  ])
  const { believed, rows } = await of('171779309')
  assert.deepEqual(
    [believed.cik, believed.company_name, believed.source, believed.accession],
    ['0000936395', 'CIENA CORP', 'schedule13', '0000000000-26-000001'],
  )
  assert.deepEqual([rows[0]!.first_seen, rows[0]!.last_seen, rows[0]!.reports], ['2026-01-21', '2026-01-21', 1])
  // The company's only ticker belongs to its only security.
  assert.equal(believed.ticker, 'CIEN')
})

test('facts that funds report about a security keep the days of the reports; together with EDGAR’s list of tickers these facts give the CIK', async () => {
  const report = (n: number, period: string, ticker: string) => ({
    accession: `0000000000-26-00001${n}`,
    fund: '0000000007-S000000001',
    filed: period,
    period,
    lines: [{ ...APPLE, ticker, value: 100 }],
  })
  await loadFunds(sql, 'nport', report(1, '2025-09-30', 'AAPLX'), report(2, '2025-12-31', 'AAPL'))
  assert.equal((await of('037833100')).believed.cik, null)
  // The list comes later, and finds the security by its ticker.
  await loadTickers('2026-01-02', [['0000320193', 'AAPL', 'Apple Inc.']])
  const { believed, rows } = await of('037833100')
  assert.deepEqual(
    [believed.cik, believed.ticker, believed.isin, believed.lei, believed.company_name, believed.source],
    ['0000320193', 'AAPL', APPLE.isin, APPLE.lei, 'Apple Inc.', 'tickers'],
  )
  const tickers = rows.filter(({ kind }) => kind === 'ticker')
  assert.deepEqual(
    tickers.map(({ value, first_seen, last_seen }) => [value, first_seen, last_seen]),
    [
      ['AAPL', '2025-12-31', '2025-12-31'],
      ['AAPLX', '2025-09-30', '2025-09-30'],
    ],
  )
})

test('a ticker that meanwhile belongs to another company links to no company', async () => {
  await loadTickers('2026-01-03', [['0000000333', 'META', 'Metabolic Specimen Corp']])
  await loadFunds(sql, 'nport', {
    ...{ accession: '0000000000-26-000021', fund: '0000000007-S000000002', filed: '2025-12-31', period: '2025-12-31' },
    lines: [{ cusip: '30303M102', name: 'Facebook Inc', ticker: 'META', value: 5 }],
  })
  const { believed, rows } = await of('30303M102')
  assert.equal(believed.cik, null)
  assert.deepEqual(
    rows.map(({ kind, value }) => [kind, value]),
    [['ticker', 'META']],
  )
})

test('another security of an issuer gets the issuer’s CIK, and a security that only 13F reports is found by its name', async () => {
  await loadManagers(sql, {
    ...{ accession: '0000000000-26-000031', cik: '0000000008', filed: '2026-02-10', period: '2025-12-31' },
    lines: [
      // A note of Apple, and the share of JPMorgan.
      ['037833DX5', 10, { issuer: 'APPLE INC' }],
      ['46625H100', 20, { issuer: 'JPMORGAN CHASE & CO' }],
      ['594918104', 30, { issuer: 'SPECIMEN WITHOUT A TICKER' }],
    ],
  })
  assert.deepEqual(await rowsOf('037833DX5'), [
    ['cik', '0000320193', 'issuer_number', 0.8],
    ['cik', '0000320193', 'name', 0.6],
  ])
  assert.deepEqual(await rowsOf('46625H100'), [['cik', '0000019617', 'name', 0.6]])
  assert.deepEqual(await rowsOf('594918104'), [])
  const { rows } = await ask<CompanySecurities>(sql, company, { cik: '320193' })
  assert.deepEqual(
    rows.map(({ cusip }) => cusip),
    ['037833100', '037833DX5'],
  )
})

/** Loads names like the JSON file of a company. */
async function loadProfile(day: string, cik: string, name: string, ...before: readonly string[]) {
  await changing(
    sql,
    companies,
    { series: 'SUBMISSIONS', keys: [cik], day },
    async (tx) => {
      const edition = { series: 'SUBMISSIONS', name: `s${day}`, from_day: day, to_day: day, state: 'done', files: [] }
      await tx`insert into bulk.edition ${tx(edition)} on conflict do nothing`
      const record = {
        series: 'SUBMISSIONS',
        key: cik,
        digest: Buffer.alloc(8),
        edition: `s${day}`,
        first_day: day,
        changed_day: day,
      }
      await tx`insert into bulk.record ${tx(record)} on conflict (series, key) do nothing`
      await tx`delete from companies.company where cik = ${cik}`
      await tx`insert into companies.company ${tx(filled(companies.tables.company!, { cik, name }) as { cik: string })}`
      for (const [n, each] of before.entries())
        await tx`insert into companies.former_name ${tx(filled(companies.tables.former_name!, { cik, name: each, n: n + 1 }) as { cik: string })} on conflict do nothing`
    },
    SLICES,
  )
}

test('a renamed company keeps the CIK from a cover under its old name, and an unrelated company does not get it', async () => {
  const cover = { filed: '2025-02-01', issuer: 'Squarish Inc', cusip: '852234103' }
  await loadProfile('2025-03-01', '0000000701', 'SQUARISH, INC.')
  await loadProfile('2025-03-01', '0000000702', 'Stranger Corp.')
  await loadCovers(
    { ...cover, accession: '0000000000-25-000701', cik: '0000000701' },
    { ...cover, accession: '0000000000-25-000702', cik: '0000000702' },
  )
  const before = await rowsOf(cover.cusip)
  assert.deepEqual(before, [
    ['cik', '0000000701', 'schedule13', 0.95],
    ['cik', '0000000702', 'schedule13', 0.4],
  ])
  await loadProfile('2026-03-01', '0000000701', 'Blockish, Inc.', 'SQUARISH, INC.')
  assert.deepEqual(await rowsOf(cover.cusip), before)
  const { believed } = await of(cover.cusip)
  assert.deepEqual([believed.cik, believed.company_name], ['0000000701', 'Blockish, Inc.'])
})

test('a CUSIP that passed to another company names both companies with their dates; the newer one counts, or neither if the dates are equal', async () => {
  await loadProfile('2026-04-01', '0000000711', 'Target Specimen Corp')
  await loadProfile('2026-04-01', '0000000712', 'Acquirer Specimen Inc')
  const cusip = '87612E106'
  await loadCovers(
    {
      accession: '0000000000-25-000711',
      filed: '2025-05-01',
      cik: '0000000711',
      issuer: 'Target Specimen Corp',
      cusip,
    },
    { accession: '0000000000-26-000712', filed: '2026-05-01', cik: '0000000712', issuer: 'Acquirer Specimen', cusip },
  )
  const { believed, rows } = await of(cusip)
  assert.deepEqual(
    rows.map(({ value, first_seen, last_seen, confidence }) => [value, first_seen, last_seen, Number(confidence)]),
    [
      ['0000000712', '2026-05-01', '2026-05-01', 0.95],
      ['0000000711', '2025-05-01', '2025-05-01', 0.95],
    ],
  )
  assert.deepEqual([believed.cik, Number(believed.confidence)], ['0000000712', 0.95])
  const again = { filed: '2026-05-01', cik: '0000000711', issuer: 'Target Specimen Corp', cusip }
  await loadCovers({ ...again, accession: '0000000000-26-000711' })
  // One more cover of the same day states the first CIK, which is then stated more often.
  assert.equal((await of(cusip)).believed.cik, '0000000711')
  await loadCovers({ ...again, accession: '0000000000-26-000713', cik: '0000000712', issuer: 'Acquirer Specimen' })
  const equal = await of(cusip)
  assert.deepEqual([equal.believed.cik, equal.believed.company_name, equal.rows.length], [null, null, 2])
})

test('an ISIN of another security, and an ISIN or LEI with wrong check digits, are stored but not believed; two spellings of a ticker are one', async () => {
  const cusip = '88160R101'
  const line = { cusip, name: 'Specimen Motors Inc', value: 5 }
  const report = (n: number, ...lines: object[]) => ({
    ...{
      accession: `0000000000-26-00072${n}`,
      fund: `0000000007-S00000010${n}`,
      filed: '2026-01-31',
      period: '2025-12-31',
    },
    lines: lines.map((more) => ({ ...line, ...more })),
  })
  await loadFunds(
    sql,
    'nport',
    report(1, { isin: 'US0378331005', lei: '54930043XZGB27CTOV40', ticker: 'SPM/A' }),
    report(2, { isin: 'US0378331005', lei: '54930043XZGB27CTOV49', ticker: 'SPM.A' }),
    report(3, { isin: 'US88160R1015', lei: '54930043XZGB27CTOV40' }, { isin: 'US88160R1014' }),
  )
  const statedOf = async (kind: string) =>
    (await rowsOf(cusip)).filter(([each]) => each === kind).map(([, value, , confidence]) => [value, confidence])
  assert.deepEqual(await statedOf('isin'), [
    ['US88160R1014', 0.95],
    ['US0378331005', 0.4],
    ['US88160R1015', 0.4],
  ])
  assert.deepEqual(await statedOf('lei'), [
    ['54930043XZGB27CTOV49', 0.9],
    ['54930043XZGB27CTOV40', 0.4],
  ])
  const { believed } = await of(cusip)
  assert.deepEqual([believed.isin, believed.lei, believed.ticker], ['US88160R1014', '54930043XZGB27CTOV49', 'SPM.A'])
})

test('a list of tickers loaded after the filings identifies issuers that were unknown before', async () => {
  await loadTickers('2026-03-01', [['0000099999', 'SPCM', 'Specimen Without A Ticker']])
  assert.deepEqual(await rowsOf('594918104'), [['cik', '0000099999', 'name', 0.6]])
})

const all = async () => [
  [...(await sql`select * from identifiers.identifier order by cusip, kind, value, source`)],
  [...(await sql`select * from identifiers.best order by cusip`)],
]

test('a partial refresh gives the same rows as a full one, also after a filing was deleted', async () => {
  const made = await all()
  assert.ok(made[0]!.length >= 10)
  await remake(sql, identifiers)
  assert.deepEqual(await all(), made)
  await remove(sql, 'nport', '0000000000-26-000012')
  await remake(sql, identifiers)
  const tickers = (await of('037833100')).rows.filter(({ kind }) => kind === 'ticker')
  assert.deepEqual(
    tickers.map(({ value }) => value),
    ['AAPLX'],
  )
})

test('an unknown CUSIP is 404 with the data that is not loaded; an invalid one is 400', async () => {
  await assert.rejects(of('000000001'), /404|not|no /)
  await assert.rejects(
    ask(sql, security, { cusip: '0378331' }),
    /must be a CUSIP of nine letters and digits, .*\/v1\/search/,
  )
  await assert.rejects(ask(sql, security, { cusip: 'name~' }), /must be a CUSIP of nine letters and digits/)
})

test('an id of a security without a CUSIP, as lists give it, is 404 with the reason', async () => {
  for (const cusip of ['name~YW50aHJvcGljIHBiYw', 'isin~XS1028952403', 'company~spacex'])
    await assert.rejects(ask(sql, security, { cusip }), { status: 404, message: /this security has no CUSIP/ })
})
