/** One search over everything that has a name or a number, tested on the sample. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ADVISERS } from '../../../src/datasets/adv/named.ts'
import { COMPANIES } from '../../../src/datasets/companies/named.ts'
import { KINDS } from '../../../src/products/search/kinds.ts'
import { tablesOf } from '../../../src/products/search/named.ts'
import { typedIds } from '../../../src/products/search/read-typed.ts'
import { serveSample } from '../../support/served.ts'

const served = await serveSample({ after })
const { sql } = served

interface Row {
  kind: string
  id: string
  name: string
  matched: string
  detail: string | null
  url: string
}
interface Page {
  rows: Row[]
  total?: number
  next_cursor: string | null
}

const page = (q: string, more = '') => served.json<Page>(`/search?q=${encodeURIComponent(q)}${more}`)
const rowsOf = async (q: string, more = '') => (await page(q, more)).rows
/** Returns kind, id and matched field of the first row or rows. */
const brief = ({ kind, id, matched }: Row) => `${kind} ${id} ${matched}`
const first = async (q: string, more = '') => {
  const [row] = await rowsOf(q, more)
  return row && brief(row)
}

/** Queries that select a name of each kind in the sample from its own table. */
const NAMES: Readonly<Record<(typeof KINDS)[number], string>> = {
  filing: 'select accession as key, accession as name from edgar.filing order by accession limit 3',
  company: `select s.cik as key, n.name from edgar.filer_search s join edgar.filer_name n using (name_id)
    where s.kind = 'now' and not exists (select from search.entity e where e.key = s.cik) order by s.cik limit 12`,
  adviser: 'select crd as key, firm_name as name from adv.adviser where firm_name is not null order by crd limit 12',
  fund: "select key, name from search.entity where kind = 'fund' order by key limit 40",
  money_market_fund: "select key, name from search.entity where kind = 'money_market_fund' order by key",
  private_company: 'select company_name as key, company_name as name from securities.alias order by 1 limit 12',
  security:
    'select sec_id as key, issuer_name as name from securities.security where cusip is not null order by 1 limit 12',
  manager: 'select cik as key, name from pub.thirteenf_named order by cik',
  broker: 'select cik as key, name from pub.x17a5_broker order by cik',
  portal: 'select cik as key, name from pub.cfportal_portal order by cik',
  insider:
    'select distinct on (cik) cik as key, name from ownership.owner where cik is not null order by cik, filed_date desc, accession desc',
  representative:
    "select indvl_pk as key, concat_ws(' ', first_nm, mid_nm, last_nm, suf_nm) as name from reps.person order by 1 limit 12",
}

for (const kind of KINDS) {
  test(`every ${kind} of the sample is found by its name among things of its kind, and the link to its page works`, async () => {
    const things = await sql.unsafe<{ key: string; name: string }[]>(NAMES[kind])
    assert.ok(things.length > 0)
    for (const { key, name } of things) {
      const rows = await rowsOf(name.slice(0, 200), `&kind=${kind}&limit=50`)
      const found = rows.find((row) => row.id === key || row.name === key)
      assert.ok(found, `${name}: ${rows.map(({ id }) => id)}`)
      for (const row of rows) assert.equal(row.kind, kind)
      assert.equal((await served.get(found.url.replace(/^\/v1/, ''))).status, 200, found.url)
    }
  })
}

test('each id finds its own thing first, with and without leading zeros, hyphens, blanks and labels', async () => {
  const [filing] = await sql<{ accession: string }[]>`select accession from edgar.filing order by accession limit 1`
  const [classed] = await sql<{ code: string; id: string }[]>`
    select code, id from search.code where what = 'class' order by code limit 1`
  const queries: readonly (readonly [expected: string, ...spellings: string[]])[] = [
    ['company 0000320193 cik', '320193', '0000320193', 'CIK 320193', 'cik:0000320193', 'cik#320193'],
    ['adviser 361 crd', '361', 'CRD 361', 'crd#361', 'iard 0361'],
    ['adviser 361 file_number', '801-16048', '801 16048', '80116048', 'SEC file no. 801-16048'],
    ['representative 990000003 crd', '990000003', 'CRD 990000003'],
    ['fund S000002848 series', 'S000002848', 's000002848', '0000036405-S000002848'],
    ['security 037833100 cusip', '037833100', '037833 10 0', 'CUSIP 037833100'],
    ['security 037833100 isin', 'US0378331005', 'US 037833 100 5', 'isin: us0378331005'],
    [`filing ${filing!.accession} accession`, filing!.accession, filing!.accession.replaceAll('-', '')],
    [`${classed!.id} class`, classed!.code, classed!.code.toLowerCase()],
    [
      'private_company company~spacex company_id',
      'company~spacex',
      'COMPANY~spacex',
      'company~SpaceX',
      'company~space-x',
      'company~spaceexplorationtechnologies-inc',
    ],
    ['broker 9000000017 file_number', '008-99917', '8-99917'],
    ['company 0001067983 file_number', '028-04545', '28-4545', 'file number 28-04545'],
  ]
  for (const [expected, ...spellings] of queries)
    for (const q of spellings) {
      const rows = await rowsOf(q)
      assert.equal(rows[0] && brief(rows[0]), expected, q)
    }
  // A text that can only be a certain number is read in no other way.
  for (const [q, expected] of [
    ['80116048', 'adviser 361 file_number'],
    ['CUSIP 037833100', 'security 037833100 cusip'],
  ] as const)
    assert.deepEqual([...new Set((await rowsOf(q)).map(brief))], [expected], q)
  for (const q of ['series 7', 'class 12', 'no 1', 'number 10']) assert.equal(typedIds(q).isCertain, false, q)
  assert.deepEqual((await rowsOf('HWUPKR0MPOU8FGXBT394')).map(brief), [
    'company 0000320193 lei',
    'security 037833100 lei',
  ])
  const [adviser] = await sql<{ lei: string; crd: string }[]>`
    select lei, crd from adv.adviser where lei is not null order by crd limit 1`
  assert.ok((await rowsOf(adviser!.lei)).map(brief).includes(`adviser ${adviser!.crd} lei`))
  for (const q of [
    'CIK 9999999999',
    '0000000000-00-000000',
    'S000000000',
    'C000000000',
    '801-999999',
    '037833999',
    'company~nobody',
    'company~...',
  ])
    assert.deepEqual(await rowsOf(q), [], q)
})

test('every spelling of a ticker finds its company and class, but no other class', async () => {
  for (const q of ['AAPL', 'aapl', '$AAPL', 'NASDAQ:AAPL', 'AAPL US', '(NASDAQ: AAPL)'])
    assert.deepEqual((await rowsOf(q)).map(brief), ['company 0000320193 ticker', 'security 037833100 ticker'], q)
  for (const q of ['BRK.B', 'BRK-B', 'BRKB', 'BRK/B', 'brk b', '$BRK.B', 'NYSE:BRK.B'])
    assert.deepEqual((await rowsOf(q)).map(brief), ['company 0001067983 ticker', 'security 084670702 ticker'], q)
  // No holding of the sample says which of the two classes has which of the two tickers.
  for (const q of ['GOOG', 'GOOGL']) assert.deepEqual((await rowsOf(q)).map(brief), ['company 0001652044 ticker'], q)
  assert.equal(await first('VFIAX'), 'fund S000002839 ticker')
})

test('a company is ranked before its securities, and is found by its former name', async () => {
  assert.deepEqual((await rowsOf('apple')).map(brief).slice(0, 2), [
    'company 0000320193 name',
    'security 037833100 name',
  ])
  assert.equal(await first('facebook'), 'company 0001326801 former_name')
  assert.equal(await first('apple computer'), 'company 0000320193 former_name')
  // A mistyped word is corrected only if nothing matches as typed.
  assert.equal(await first('berkshier hathaway'), 'company 0001067983 name')
})

test('a series that only the list of tickers contains is named by its number, not by the name of its registrant', async () => {
  const rows = await served.sql<{ name: string; detail: string }[]>`
    select name, detail from search.entity e where kind = 'fund' and key ~ '^S'
      and not exists (select from pub.nport_fund f where f.series_id = key)
      and not exists (select from pub.ncen_fund f where f.series_id = key)
      and not exists (select from pub.fundreg_launch f where f.fund = key)`
  assert.ok(rows.length > 0)
  for (const { name, detail } of rows) {
    assert.match(name, /^S\d{9}( \(.+\))?$/)
    assert.match(detail, /no source here has its name/)
  }
})

test('a filer has one row, with its most specific kind, and with the requested kind if kind is given', async () => {
  const [both] = await sql<{ key: string; name: string }[]>`
    select e.key, e.name from search.entity e join pub.companies_ticker t on t.cik = e.key
    where e.kind = 'manager' order by e.key limit 1`
  assert.ok(both)
  const rows = (await rowsOf(both.name)).filter(({ id }) => id === both.key)
  assert.deepEqual(
    rows.map(({ kind }) => kind),
    ['company'],
  )
  assert.equal((await rowsOf(both.name, '&kind=manager'))[0]?.id, both.key)
  const [person] = await sql<{ key: string; name: string }[]>`
    select key, name from search.entity e where kind = 'insider' and not exists (
      select from search.entity o where o.key = e.key and o.id <> e.id)
    and exists (select from edgar.filer_search f where f.cik = e.key) order by key limit 1`
  assert.equal(await first(person!.key), `insider ${person!.key} cik`)
  assert.deepEqual(await rowsOf(person!.key, '&kind=company'), [])
})

test('a kind is accepted in either case; any other word is refused with the list of kinds', async () => {
  assert.equal(await first('vanguard', '&kind=FUND'), await first('vanguard', '&kind=fund'))
  const refused = await served.get('/search?q=apple&kind=funds')
  assert.equal(refused.status, 400)
  assert.match(((await refused.json()) as { error: string }).error, /"funds" is not a known kind.*fund/)
})

test('each page continues after the previous one, and all pages together equal a single large page', async () => {
  const whole = await page('specimen', '&limit=50&count=exact')
  assert.ok(whole.rows.length > 5)
  assert.equal(whole.total, whole.rows.length)
  assert.equal(whole.next_cursor, null)
  const rows: Row[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const part: Page = await page('specimen', `&limit=4${cursor && `&cursor=${cursor}`}`)
    rows.push(...part.rows)
    cursor = part.next_cursor
  }
  assert.deepEqual(rows, whole.rows)
  assert.equal(new Set(rows.map(({ kind, id }) => `${kind} ${id}`)).size, rows.length, 'each once')
})

test('no text breaks the search: punctuation, invisible characters, and words of any length', async () => {
  assert.equal((await served.get(`/search?q=${'a'.repeat(20_000)}`)).status, 414)
  assert.equal((await served.get(`/search?q=${'a'.repeat(2_000)}`)).status, 400)
  assert.equal((await served.get('/search?q=')).status, 400)
  assert.equal((await served.get('/search')).status, 400)
  for (const q of ['%', '%%%', '___', '\\', "'", '"', '...', '$', ':', '-', '( )', '\u200b\u200f', '\u0001', '& | !'])
    assert.deepEqual(await rowsOf(q), [], JSON.stringify(q))
  for (const q of ['a'.repeat(200), 'ab '.repeat(66).trim(), "'=fund'", '=fund', ':*', '<->', '1'.repeat(200)])
    assert.ok(Array.isArray(await rowsOf(q)), q)
  // Marks of right-to-left text, joiners, and letters with accents or of full width.
  for (const q of ['\u202eapple\u202c', 'ap\u00adple', '\u2066apple\u2069', 'Äpplé', 'ａｐｐｌｅ', ' APPLE '])
    assert.equal(await first(q), 'company 0000320193 name', JSON.stringify(q))
  // The wildcards of LIKE have no effect: a `%` only separates words.
  assert.deepEqual(await rowsOf('ap%e'), await rowsOf('ap e'))
})

test('names that other slices publish are searched by the importance bands that these slices store', () => {
  for (const [kind, stored] of [
    ['company', COMPANIES],
    ['adviser', ADVISERS],
  ] as const) {
    const { table: _, dictionary: __, ...own } = stored
    const [{ named }] = tablesOf(kind) as [ReturnType<typeof tablesOf>[number]]
    const { table: ___, dictionary: ____, ...read } = named
    assert.deepEqual(read, own, kind)
  }
})
