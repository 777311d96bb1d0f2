/** Funds can be found by each of their identifiers: ticker, series, class, CIK, and the id that answers give. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveSample } from '../support/served.ts'

const served = await serveSample({ after })
const { sql } = served

interface Fund {
  fund: string
  cik: string
  series_id: string | null
}
const funds = async (path: string, q: string) =>
  (await served.json<{ rows: Fund[] }>(`${path}?q=${encodeURIComponent(q)}`)).rows.map(({ fund }) => fund)

/** Adds an entry of EDGAR's lists, which gives a ticker for a class of the fund. */
const list = async (fund: Fund, ticker: string, class_id: string) => {
  const id = `${fund.cik} ${ticker}`
  await sql`insert into companies.listed_ticker ${sql({ id, source: 'company_tickers_mf', cik: fund.cik, ticker, series_id: fund.series_id, class_id })}`
  await sql`
    insert into bulk.record (series, key, digest, edition, first_day, changed_day)
    select 'TICKERS_FUND', ${id}, digest, edition, first_day, changed_day from bulk.record where series = 'TICKERS_FUND' limit 1`
}

test('funds that report holdings and money market funds are found by series, id, class, CIK and ticker', async () => {
  for (const [at, [path, table]] of (
    [
      ['/funds', 'nport.fund'],
      ['/nmfp/funds', 'nmfp.fund_now'],
    ] as const
  ).entries()) {
    const [fund] = await sql<Fund[]>`
      select fund, cik, series_id from ${sql(table)} where series_id is not null order by fund limit 1`
    const [ticker, classId] = [`QZ${'AB'[at]}TX`, `C00099900${at}`]
    await list(fund!, ticker, classId)
    for (const q of [
      fund!.series_id!,
      fund!.series_id!.toLowerCase(),
      fund!.fund,
      ticker,
      ticker.toLowerCase(),
      `$${ticker}`,
      classId,
    ])
      assert.deepEqual(await funds(path, q), [fund!.fund], `${path} ${q}`)
    for (const q of [fund!.cik, `CIK ${Number(fund!.cik)}`, String(Number(fund!.cik))])
      assert.ok((await funds(path, q)).includes(fund!.fund), `${path} ${q}`)
    const { rows: trusts } = await served.json<{ rows: Fund[] }>(`/companies?q=${fund!.series_id}`)
    assert.equal(trusts[0]!.cik, fund!.cik)
    // A number that is not the number of a fund is never answered with another fund.
    assert.deepEqual(await funds(path, 'S999999999'), [])
  }
  const [held] = await sql<
    Fund[]
  >`select fund, cik, series_id from nport.fund where series_id is not null order by fund limit 1`
  assert.equal((await served.get(`/funds/${held!.fund}/holdings`)).status, 200)
})

test('a ticker that is stated only in the N-CEN or registration of a fund finds it; a word in lower case is first taken as a name', async () => {
  const [fund] = await sql<Fund[]>`
    select f.fund, f.cik, f.series_id from nport.fund f join ncen.fund n using (fund) order by f.fund limit 1`
  const [known] = await sql<[{ ticker: string }?]>`
    select ticker from ncen.share_class c join nport.fund f using (fund) where ticker is not null order by ticker limit 1`
  if (fund && known) assert.equal((await funds('/funds', known.ticker)).length, 1)
  const [launch] = await sql<[{ accession: string; series_id: string }]>`
    select accession, series_id from fundreg.launch where series_id is not null order by accession limit 1`
  await sql`update fundreg.launch set tickers = '{QZLTX}' where accession = ${launch.accession} and series_id = ${launch.series_id}`
  for (const q of ['QZLTX', 'qzltx', launch.series_id]) {
    const { rows } = await served.json<{ rows: { accession: string }[] }>(`/fund-launches?q=${q}`)
    assert.ok(
      rows.some(({ accession }) => accession === launch.accession),
      q,
    )
  }
  const named = await funds('/funds', 'fund')
  await list(
    (await sql<Fund[]>`select fund, cik, series_id from nport.fund where series_id is not null limit 1`)[0]!,
    'FUND',
    'C000999009',
  )
  assert.deepEqual(await funds('/funds', 'fund'), named)
  assert.equal((await funds('/funds', 'FUND')).length, 1)
})

test('the error for a prospectus of an unknown offering says that the prospectus was read', async () => {
  const [row] = await sql<[{ accession: string }?]>`
    select accession from offerings.filing f
    where not exists (select from offerings.member m where m.accession = f.accession) limit 1`
  const accession = row?.accession ?? '0009999999-26-000001'
  if (!row) {
    const [any] = await sql<[{ accession: string }]>`select accession from offerings.filing limit 1`
    await sql`delete from offerings.member where accession = ${any.accession}`
    await sql`update offerings.filing set accession = ${accession} where accession = ${any.accession}`
  }
  const answer = await served.get(`/ipos/by-accession/${accession}`)
  assert.equal(answer.status, 404)
  assert.match(((await answer.json()) as { error: string }).error, /was read, but its offering is unknown/)
})

test('lines in answers of /filing have the names of their securities', async () => {
  const [line] = await sql<[{ accession: string; issuer_name: string }]>`
    select h.accession, s.issuer_name from nport.holding h join nport.security s using (security)
    join edgar.filing f on f.accession = h.accession
    where s.issuer_name is not null order by h.accession, h.n limit 1`
  const { family_data } = await served.json<{ family_data: { holding: { issuer_name: string }[] } }>(
    `/filing/${line.accession}`,
  )
  assert.equal(family_data.holding[0]!.issuer_name, line.issuer_name)
})
