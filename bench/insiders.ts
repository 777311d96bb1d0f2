/** Measures reading Forms 4 from the archive into rows, and the list of insiders' transactions at two sizes. */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as rowsOf } from '../src/datasets/ownership/parse.ts'
import { parse } from '../src/read/xml.ts'
import type { Sql } from '../src/store/db.ts'
import { filingOf } from '../test/support/filing-made.ts'
import { fromArchive, type Submission } from './archived.ts'
import { grow } from './growth.ts'
import { seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'

const FILINGS = 4_000

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [await reading(part(FILINGS, share)), ...(await listing(scope, share))]
}

const fixtures = path.join(import.meta.dirname, '../src/datasets/ownership/fixtures')

/** Forms 4 and 4/A of the fixtures, under other issuers and owners. */
export function forms(count: number): Submission[] {
  const documents = globSync('*/*.xml', { cwd: fixtures })
    .sort()
    .map((file) => readFileSync(path.join(fixtures, file), 'utf8'))
  return Array.from({ length: count }, (_, n) => {
    const form = documents[n % documents.length]!
    const cik = String(9_000_000_000 + (n % 2_000))
    const owner = String(9_100_000_000 + (n % 7_000))
    return {
      accession: `${cik}-24-${String(n).padStart(6, '0')}`,
      form: /<documentType>(.*?)</.exec(form)![1]!,
      cik,
      name: `Generated Issuer ${n % 2_000}`,
      filedDate: `2024-0${1 + (n % 3)}-${String(1 + (n % 28)).padStart(2, '0')}`,
      filename: 'form4.xml',
      content: form.replace(/(?<=<issuerCik>)\d+/, cik).replace(/(?<=<rptOwnerCik>)\d+/, owner),
    }
  })
}

async function reading(count: number): Promise<Row> {
  const filings = forms(count)
  const ours = await fromArchive('ownership', filings)
  let made = 0
  const alone = await seconds(() => {
    for (const { content, form, filedDate, cik } of filings) {
      for (const _ of rowsOf(filingOf(parse(content), { form, filedDate, cik, period: filedDate }))) made++
    }
  })
  if (made < count * 4) throw new Error(`${made} rows were read of ${count} filings`)
  return {
    section: 'insiders',
    what: 'Forms 4, archived bytes to rows in the database',
    ours,
    peer: count / alone,
    unit: 'filings/s',
    note: 'one worker; their documents to rows without archive and database',
  }
}

const KINDS = {
  'newest of all': 'up to a random day; target 1.3',
  'of a company': 'target 1.3',
  'of a person': 'target 1.3',
  'of a code': 'purchases since a random day; target 1.3',
}

const listing = (scope: Scope, share: number): Promise<Row[]> =>
  grow(scope, { section: 'insiders', of: 'transactions', kinds: KINDS, requests: 900, fill, addresses }, share)

/**
 * A filing has two lines and one owner; a company has a thousand lines, as a real one has in ten years, and a person
 * has fifty.
 */
async function fill(sql: Sql, lines: number): Promise<void> {
  const filings = Math.ceil(lines / 2)
  const accession = `concat(lpad((9990000 + n / 1000000)::text, 10, '0'), '-24-', lpad((n % 1000000)::text, 6, '0'))`
  const day = `date '2004-01-01' + (n::bigint * 7919 % 7300)::int`
  const issuer = `lpad((n % ${Math.ceil(filings / 500)})::text, 10, '0')`
  const owner = `lpad((n % ${Math.ceil(filings / 25)})::text, 10, '0')`
  await sql.unsafe(`
    insert into ownership.report (accession, filed_date, submission_type, form, is_amendment, source, cik, issuer_cik, issuer_name, owner_name, owner_ciks, owner_count)
    select ${accession}, ${day}, '4', '4', false, 'xml', ${issuer}, ${issuer}, 'Generated', 'Generated', array[${owner}], 1 from generate_series(1, ${filings}) n;
    insert into ownership.owner (accession, filed_date, position, cik, name, is_director, is_officer, is_ten_percent_owner, is_other)
    select ${accession}, ${day}, 0, ${owner}, 'Generated', true, false, false, false from generate_series(1, ${filings}) n;
    insert into ownership.security (accession, filed_date, line, is_holding, issuer_cik, security_title, code, shares, price, acquired_disposed, footnote_refs, rounded_to_zero)
    select ${accession}, ${day}, line, false, ${issuer}, 'Common Stock', (array['S','A','M','F','P'])[1 + n % 5], 100 + n % 1000, 12.5, 'D', '[]', '{}'
    from generate_series(1, ${filings}) n, generate_series(1, 2) line`)
  await sql`vacuum (analyze) ownership.report, ownership.owner, ownership.security`
}

async function addresses(_sql: Sql, count: number): Promise<Record<keyof typeof KINDS, string[]>> {
  const random = new Random(13)
  const many = (query: () => Record<string, string>) =>
    Array.from({ length: count }, () => `/v1/ownership/transactions?${new URLSearchParams(query())}`)
  const day = () => `${2004 + random.below(19)}-0${1 + random.below(9)}-1${random.below(10)}`
  const cik = (below: number) => String(random.below(below))
  return {
    'newest of all': many(() => ({ to: day() })),
    'of a company': many(() => ({ cik: cik(500), to: day() })),
    'of a person': many(() => ({ person: cik(10_000) })),
    'of a code': many(() => ({ code: 'P', to: day() })),
  }
}
