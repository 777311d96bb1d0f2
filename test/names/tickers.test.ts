/**
 * Tickers find their own company and class in any spelling. Another class is only returned with a mark that the class
 * is unknown.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import companies from '../../src/datasets/companies/index.ts'
import { search as companySearch } from '../../src/datasets/companies/routes.ts'
import ownership from '../../src/datasets/ownership/index.ts'
import { load } from '../../src/ingest/load.ts'
import everything from '../../src/products/search/index.ts'
import { search as anything } from '../../src/products/search/routes.ts'
import { search } from '../../src/products/securities/routes.ts'
import type { Transaction } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { changing, remake } from '../support/refreshed.ts'
import { filled, loadFunds, SLICES as OTHERS } from '../support/securities-made.ts'
import { ask } from '../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })
const SLICES = [ownership, ...OTHERS]

const [JPM, JPM_C, ATT, ATT_C, TUTOR] = ['46625H100', '48128B648', '00206R102', '00206R409', '901109108']
const [BRK_A, BRK_B, FOX_A, FOX_B] = ['084670108', '084670702', '35137L105', '35137L204']

type Listed = readonly [cik: string, ticker: string, name: string, gone?: string]

async function loadLists(...rows: readonly Listed[]) {
  const day = '2026-01-05'
  const keys = rows.map(([cik, ticker]) => `${cik} ${ticker}`)
  const change = async (tx: Transaction) => {
    await tx`
      insert into bulk.edition ${tx({ series: 'TICKERS', name: 't', from_day: day, to_day: day, state: 'done', files: [] })}`
    for (const [cik, ticker, name, gone] of rows) {
      const id = `${cik} ${ticker}`
      await tx`
        insert into bulk.record ${tx({ series: 'TICKERS', key: id, digest: Buffer.alloc(8), edition: 't', first_day: '2020-01-02', changed_day: day, gone_day: gone ?? null })}`
      await tx`insert into companies.listed_ticker ${tx({ id, source: 'company_tickers', cik, ticker, name })}`
    }
  }
  await changing(sql, companies, { series: 'TICKERS', keys, day }, change, SLICES)
}

/** Forms 4, each with its issuer, date and ticker field. */
async function loadForms(
  ...forms: readonly (readonly [accession: string, cik: string, filed: string, ticker: string])[]
) {
  const parsed = forms.map(([accession, cik, filed, ticker]) => ({
    accession,
    filedDate: filed,
    rows: [
      [
        'report',
        filled(ownership.tables.report!, {
          ...{ submission_type: '4', form: '4', is_amendment: false, source: 'xml', owner_ciks: [], owners: 0 },
          ...{ issuer_cik: cik, issuer_name: 'MADE CORP', ticker },
        }),
      ] as [string, Record<string, unknown>],
    ],
  }))
  const keys = parsed.map(({ accession }) => accession)
  await changing(sql, ownership, { keys }, (tx) => load(tx, ownership, parsed), SLICES)
}

interface Securities {
  rows: { cusip: string; found_by: string }[]
}
const securities = async (q: string) =>
  (await ask<Securities>(sql, search, { q })).rows.map(({ cusip, found_by }) => `${cusip} ${found_by}`)

interface Companies {
  rows: { cik: string; found_by: string; found_ticker: { ticker: string; source: string; last_seen: string } | null }[]
}
const found = async (q: string) => {
  const [first] = (await ask<Companies>(sql, companySearch, { q })).rows
  return first && [Number(first.cik), first.found_by, first.found_ticker?.source, first.found_ticker?.last_seen]
}

test('JPM-PC, T-PC and TPC are three securities, in every spelling, and none is answered with another class', async () => {
  await loadLists(
    ['0000019617', 'JPM', 'JPMORGAN CHASE & CO'],
    ['0000019617', 'JPM-PC', 'JPMORGAN CHASE & CO'],
    ['0000732717', 'T', 'AT&T INC.'],
    ['0000732717', 'T-PC', 'AT&T INC.'],
    ['0000077543', 'TPC', 'TUTOR PERINI CORP'],
    ['0001067983', 'BRK-A', 'BERKSHIRE HATHAWAY INC'],
    ['0001067983', 'BRK-B', 'BERKSHIRE HATHAWAY INC'],
    ['0001754301', 'FOXA', 'FOX CORP'],
    ['0001754301', 'FOX', 'FOX CORP'],
    ['0001326801', 'META', 'META PLATFORMS, INC.'],
    ['0001326801', 'FB', 'META PLATFORMS, INC.', '2022-06-09'],
  )
  const line = (cusip: string, name: string, title: string, ticker: string | null, value: number, asset = 'EC') =>
    ({ cusip, name, title, value, balance: 10, asset, ...(ticker === null ? {} : { ticker }) }) as const
  await loadFunds(sql, 'nport', {
    ...{ accession: '0000000051-26-000001', fund: '0000000051-S000000001', filed: '2026-02-20', period: '2025-12-31' },
    lines: [
      line(JPM, 'JPMORGAN CHASE & CO', 'COM', 'JPM', 900),
      line(ATT, 'AT&T INC', 'COM', 'T', 800),
      line(ATT_C, 'AT&T INC', 'PFD C', 'TpC', 10, 'EP'),
      line(TUTOR, 'TUTOR PERINI CORP', 'COM', 'TPC', 700),
      line(BRK_A, 'BERKSHIRE HATHAWAY INC', 'CL A', 'BRK/A', 600),
      line(BRK_B, 'BERKSHIRE HATHAWAY INC', 'CL B', 'BRKB', 500),
      line(FOX_A, 'FOX CORP', 'CL A COM', 'FOXA', 400),
      line(FOX_B, 'FOX CORP', 'CL B COM', null, 300),
      line('30303M102', 'META PLATFORMS INC', 'CL A', 'META', 200),
    ],
  })
  assert.deepEqual(await securities('JPM'), [`${JPM} ticker`])
  // Only the common share is held, and it is known as JPM.
  for (const q of ['JPM-PC', 'JPMpC', 'JPM.PR.C', 'NYSE:JPM-PC', 'JPM-PD']) assert.deepEqual(await securities(q), [], q)
  for (const q of ['T-PC', 'TpC', 'T.PR.C', '$T-PC']) assert.deepEqual(await securities(q), [`${ATT_C} ticker`], q)
  assert.deepEqual(await securities('TPC'), [`${TUTOR} ticker`])
  assert.equal((await securities('T'))[0], `${ATT} ticker`)
  for (const q of ['BRK-A', 'BRK.A US', 'brk/a']) assert.deepEqual(await securities(q), [`${BRK_A} ticker`], q)
  for (const q of ['BRK-B', 'BRKB', 'NYSE: BRK.B']) assert.deepEqual(await securities(q), [`${BRK_B} ticker`], q)
})

test('a class whose ticker no holding names is found by its company, and its row says that the class is unknown', async () => {
  assert.deepEqual(await securities('FOX'), [`${FOX_B} ticker_of_company`, `${FOX_A} name`])
  assert.deepEqual(await securities('NASDAQ:FOX'), [`${FOX_B} ticker_of_company`])
  const preferred = {
    ...{ accession: '0000000051-26-000002', fund: '0000000052-S000000002', filed: '2026-02-20', period: '2025-12-31' },
    lines: [
      { cusip: JPM_C, name: 'JPMORGAN CHASE & CO', title: 'DEP SHS PFD', value: 50, balance: 1, asset: 'EP' },
      { cusip: '46625HRL6', name: 'JPMORGAN CHASE & CO', title: 'NOTE', value: 60, balance: 1, asset: 'DBT' },
    ],
  }
  await loadFunds(sql, 'nport', preferred)
  for (const q of ['JPM-PC', 'JPM PRC', 'jpm^c'])
    assert.deepEqual(await securities(q), [`${JPM_C} ticker_of_company`], q)
  assert.equal((await securities('JPM'))[0], `${JPM} ticker`)
})

test('a former ticker finds its company and is marked as former', async () => {
  assert.deepEqual(await found('FB'), [1326801, 'former_ticker', 'company_tickers', '2022-06-09'])
  assert.deepEqual(await securities('$FB'), ['30303M102 former_ticker'])
  assert.deepEqual(await found('$META'), [1326801, 'ticker', 'company_tickers', '2026-01-05'])
  for (const q of ['NASDAQ:META', 'META US', 'META.US', 'meta', '(NASDAQ: META)'])
    assert.deepEqual((await found(q))?.slice(0, 2), [1326801, 'ticker'], q)
  for (const q of ['T-PC', 'TpC', 'T PRC']) assert.equal((await found(q))?.[0], 732717, q)
  assert.equal((await found('TPC'))?.[0], 77543)
})

test('the general search for a current or former ticker finds its company first and its own class second', async () => {
  await remake(sql, everything)
  interface Anything {
    rows: { kind: string; id: string; matched: string }[]
  }
  const all = async (q: string) =>
    (await ask<Anything>(sql, anything, { q })).rows.map(({ kind, id, matched }) => `${kind} ${id} ${matched}`)
  const [JPMORGAN, BERKSHIRE, META] = ['company 0000019617', 'company 0001067983', 'company 0001326801']
  for (const q of ['BRK.A', 'BRK-A', 'BRKA', 'BRK/A', 'brk a', '$BRK.A', 'NYSE:BRK.A'])
    assert.deepEqual((await all(q)).slice(0, 2), [`${BERKSHIRE} ticker`, `security ${BRK_A} ticker`], q)
  for (const q of ['BRK.B', 'BRK-B', 'BRKB', 'BRK/B', 'brk b', '$BRK.B', 'NYSE:BRK.B'])
    assert.deepEqual((await all(q)).slice(0, 2), [`${BERKSHIRE} ticker`, `security ${BRK_B} ticker`], q)
  assert.deepEqual(await all('JPM-PC'), [`${JPMORGAN} ticker`, `security ${JPM_C} ticker`])
  assert.deepEqual((await all('JPM')).slice(0, 2), [`${JPMORGAN} ticker`, `security ${JPM} ticker`])
  assert.deepEqual((await all('TPC')).slice(0, 2), ['company 0000077543 ticker', `security ${TUTOR} ticker`])
  assert.deepEqual(await all('T-PC'), ['company 0000732717 ticker', `security ${ATT_C} ticker`])
  for (const q of ['FB', '$FB', 'NASDAQ:FB'])
    assert.deepEqual((await all(q)).slice(0, 2), [`${META} former_ticker`, 'security 30303M102 former_ticker'], q)
  assert.deepEqual((await all('META')).slice(0, 2), [`${META} ticker`, 'security 30303M102 ticker'])
})

test('a ticker that only Forms 3, 4 and 5 name finds their issuer, until the forms are deleted', async () => {
  await loadForms(
    ['0000000061-26-000001', '0000000777', '2024-03-01', 'OLDX'],
    ['0000000061-26-000002', '0000000777', '2026-03-01', 'NYSE: NEWX, NEWX.B'],
  )
  assert.deepEqual(await found('newx'), [777, 'filed_ticker', 'insiders', '2026-03-01'])
  assert.deepEqual(await found('NEWX/B'), [777, 'filed_ticker', 'insiders', '2026-03-01'])
  assert.deepEqual(await found('OLDX'), [777, 'former_ticker', 'insiders', '2024-03-01'])
  const accession = '0000000061-26-000002'
  const drop = async (tx: Transaction) => {
    await tx`delete from ownership.report where accession = ${accession}`
  }
  await changing(sql, ownership, { keys: [accession] }, drop, SLICES)
  assert.deepEqual(await found('OLDX'), [777, 'filed_ticker', 'insiders', '2024-03-01'])
  assert.equal(await found('newx'), undefined)
})
