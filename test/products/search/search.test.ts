/** One search over everything that has a name or a number, tested on the sample. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { ADVISERS } from '../../../src/datasets/adv/named.ts'
import { COMPANIES } from '../../../src/datasets/companies/named.ts'
import { KINDS } from '../../../src/products/search/kinds.ts'
import { tablesOf } from '../../../src/products/search/named.ts'
import { figiCodes } from '../../../src/products/search/queries-entities.ts'
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
  unknown?: { kind: string; id: string; note: string }
}

const page = (q: string, more = '') => served.json<Page>(`/search?q=${encodeURIComponent(q)}${more}`)
const rowsOf = async (q: string, more = '') => (await page(q, more)).rows
/** Returns kind, id and matched field of the first row or rows. */
const brief = ({ kind, id, matched }: Row) => `${kind} ${id} ${matched}`
const first = async (q: string, more = '') => {
  const [row] = await rowsOf(q, more)
  return row && brief(row)
}

/** For each kind of thing, a query that selects a name from the table of this kind in the sample. */
const NAMES: Readonly<Record<(typeof KINDS)[number], string>> = {
  filing: 'select accession as key, accession as name from edgar.filing order by accession limit 3',
  form: 'select form_type as key, form_type as name from edgar.coverage where filings > 0 order by 1',
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
  // A text that can only be a number of one kind is searched only as this number.
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

test('a file number or an LEI of a filing leads to its company, fund or portal and to the newest filing that states it', async () => {
  const queries: readonly (readonly [q: string, ...expected: string[]])[] = [
    ['811-02652', 'company 0000036405', 'filing'],
    ['811-2652', 'company 0000036405', 'filing'],
    ['811-01716', 'company 0000081443', 'filing'],
    ['file no. 001-36743', 'company 0000320193', 'filing'],
    ['020-33631', 'company 0002009839', 'filing'],
    ['007-00035', 'filing 0001669191-25-000007'],
    ['333-290253', 'company 0002085091', 'filing'],
    ['024-12096', 'filing'],
    ['HJ2RZRUQEVF2A5SPRB21', 'fund S000002848', 'filing'],
    ['549300G6KNDK44WUN559', 'company 0000036405', 'filing'],
    ['805-9000000005', 'adviser'],
  ]
  for (const [q, ...expected] of queries) {
    const rows = await rowsOf(q)
    for (const each of expected)
      assert.ok(
        rows.some((row) => `${brief(row)} `.startsWith(`${each} `)),
        `${q} → ${each}: ${rows.map(brief)}`,
      )
    for (const { url } of rows) assert.equal((await served.get(url.replace(/^\/v1/, ''))).status, 200, url)
  }
  const [offered] = await sql<{ number: string; accession: string }[]>`
    select file_numbers[1] as number, accession from offerings.offering where cardinality(file_numbers) = 1 limit 1`
  assert.ok((await rowsOf(offered!.number)).map(brief).includes(`filing ${offered!.accession} file_number`))
})

test('every file number of a view of numbers is found by the search', async () => {
  const numbers = await sql<{ code: string }[]>`
    select distinct code from search.code where what in ('file_number', 'lei') and source <> 'advisers' order by code`
  assert.ok(numbers.length > 60)
  for (const { code } of numbers) {
    const [, kind, number] = /^(\d{1,3}[A-Z]?)-(\d+)/.exec(code) ?? []
    const written =
      number === undefined ? code : code.replace(/^\w+-\d+/, `${kind!.padStart(3, '0')}-${number.padStart(5, '0')}`)
    const ids = typedIds(written)
    assert.ok(ids.lei === code || ids.files.includes(code) || ids.isMistyped, code)
  }
})

test('a FIGI of a line of Form 13F leads to its security', async () => {
  const q = 'BBG000B9XRY4'
  assert.equal(typedIds(q.toLowerCase()).figi, q)
  const world = await sql.begin(async (tx) => {
    await tx`insert into thirteenf.security (security, cusip, issuer_name, title_of_class, figi)
      values (1, '037833100', 'APPLE INC', 'COM', ${q})`
    const made = await tx`${figiCodes(tx)}`
    await tx`delete from thirteenf.security where security = 1`
    return made
  })
  assert.deepEqual([...world], [{ code: q, id: 'security 037833100', what: 'figi' }])
  await sql`insert into search.code (code, id, what, source, part) values (${q}, 'security 037833100', 'figi', 'securities', 0)`
  assert.deepEqual((await rowsOf(q)).map(brief), ['security 037833100 figi'])
  await sql`delete from search.code where code = ${q}`
})

test('a number that no loaded data has finds nothing, and the answer says what to do', async () => {
  for (const [q, kind, words] of [
    ['BBG000000000', 'figi', /no loaded data has the FIGI BBG000000000.*13F/],
    ['021-123456', 'file_number', /21-123456.*Form D are stored without their file number/],
    ['333-999999', 'file_number', /ingest offerings/],
    ['811-99999', 'file_number', /ingest ncen/],
    ['801-999999', 'file_number', /ingest adv/],
    ['805-1111111111', 'file_number', /ingest adv/],
    ['8-77777', 'file_number', /ingest x17a5/],
    ['028-77777', 'file_number', /ingest thirteenf/],
    ['001-77777', 'file_number', /Forms 144 and 25/],
    ['084-01234', 'file_number', /search for the name/],
    ['5493001KJTIIGC8Y1R12', 'lei', /LEI/],
    ['5493001KJTIIGC8Y1R13', 'lei', /not a valid LEI/],
    ['US0378331006', 'isin', /not a valid ISIN/],
    ['CUSIP 037833999', 'cusip', /CUSIP 037833999/],
    ['0000000000-00-000000', 'accession', /ingest --from/],
    ['S000000000', 'series', /ingest ncen/],
    ['CIK 9999999999', 'cik', /ingest --cik/],
    ['CRD 999999', 'crd', /ingest adv/],
  ] as const) {
    const { rows, unknown } = await page(q)
    assert.deepEqual(rows, [], q)
    assert.equal(unknown?.kind, kind, q)
    assert.match(unknown!.note, words, q)
  }
  // A text that may be a name has no such note, nor has a number that is found.
  for (const q of ['apple', '7-11', '1-800', 'series 7', '320193']) assert.equal((await page(q)).unknown, undefined, q)
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

test('the name of a form finds its filings, and together with the name of a filer the filings of this filer', async () => {
  for (const q of ['8-K', '8k', '8 K', 'Form 8-K', '8-K filings']) {
    const [row] = await rowsOf(q)
    assert.deepEqual([row!.kind, row!.id, row!.name, row!.matched], ['form', '8-K', 'Form 8-K', 'form'], q)
    assert.equal(row!.url, '/v1/filings?form=8-K')
  }
  assert.deepEqual((await rowsOf('13F', '&kind=form')).map(({ id }) => id).sort(), ['13F-HR', '13F-HR/A', '13F-NT'])
  const apart = await sql<{ cik: string; name: string; form: string }[]>`
    select distinct on (f.form_type) r.cik, f.company_name as name, f.form_type as form
    from edgar.filing f join edgar.filer r using (accession)
    where f.filer_count = 1 and f.form_type ~ '[A-Z].*[0-9]|[0-9].*[A-Z]' order by f.form_type, f.accession`
  assert.ok(apart.length > 20)
  for (const { cik, name, form } of apart) {
    const row = (await rowsOf(`${name} ${form}`, '&kind=form')).find(({ id }) => id === form)
    const query = new URLSearchParams({ cik, form })
    assert.match(String(row?.matched), /name$/)
    assert.equal(row!.url, `/v1/filings?${query}`, `${name} ${form}`)
    const { rows } = await served.json<{ rows: { form_type: string }[] }>(row!.url.replace(/^\/v1/, ''))
    assert.ok(rows.length > 0 && rows.every(({ form_type }) => form_type === form))
  }
})

test('a form does not displace a name or a number that is typed exactly', async () => {
  assert.deepEqual((await rowsOf('apple 8-K')).map(brief), [
    'form 8-K name',
    'company 0000320193 name',
    'security 037833100 name',
  ])
  assert.equal(await first('AAPL 8-K'), 'form 8-K ticker')
  const numbers = (await rowsOf('144')).map(({ kind }) => kind)
  assert.deepEqual([numbers.at(-1), numbers.indexOf('form')], ['form', numbers.length - 1])
  // No filing of the form 99-Z is loaded, so the text is only a name.
  assert.deepEqual(await rowsOf('apple 99-Z'), [])
  assert.deepEqual(await rowsOf('nobody at all 8-K'), [])
  // A word of a name stays a word of the name, even if it is also a form.
  await sql`insert into edgar.coverage (form_type, filings) values ('BANC-CORP', 1)`
  const named = await rowsOf('associated banc-corp')
  await sql`delete from edgar.coverage where form_type = 'BANC-CORP'`
  assert.deepEqual([...new Set(named.map(({ kind }) => kind))].includes('form'), false)
  assert.match(named[0]!.name, /^ASSOCIATED BANC-CORP$/i)
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
  assert.equal(new Set(rows.map(({ kind, id }) => `${kind} ${id}`)).size, rows.length, 'each thing occurs once')
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
