/** Measures reading texts of Schedules 13D and 13G from the archive into rows, and their list at two sizes. */
import { readFileSync } from 'node:fs'
import { readText } from '../src/datasets/schedule13/filing-text.ts'
import { markdownOfText } from '../src/read/plain.ts'
import type { Sql } from '../src/store/db.ts'
import { fromArchive, type Submission } from './archived.ts'
import { grow } from './growth.ts'
import { seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'

const FILINGS = 4_000
/** Pages of persons in a filing: real ones have 2.6 on average. */
const PERSONS = 3

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [...(await reading(part(FILINGS, share))), ...(await listing(scope, share))]
}

const FIXTURE = new URL('../src/datasets/schedule13/fixtures/0000215457-19-006739/schedule13g.txt', import.meta.url)

/** The fixture with three persons, followed by prose up to a real document's length: 14,000 characters. */
export function texts(count: number): Submission[] {
  const text = readFileSync(FIXTURE, 'utf8')
  const at = text.indexOf('CUSIP No.')
  const [cover, page] = [text.slice(0, at), text.slice(at)]
  const prose = 'The shares were acquired in the ordinary course of business and not to change or influence control.\n'
  return Array.from({ length: count }, (_, n) => {
    const cik = String(9_000_000_000 + (n % 2_000))
    const pages = Array.from({ length: PERSONS }, (_, i) =>
      page.replace('BlackRock, Inc.', `Generated Person ${n + i}`),
    )
    return {
      accession: `${cik}-24-${String(n).padStart(6, '0')}`,
      form: 'SC 13G',
      cik,
      name: `Generated Issuer ${n % 2_000}`,
      filedDate: `2024-0${1 + (n % 3)}-${String(1 + (n % 28)).padStart(2, '0')}`,
      filename: 'schedule13g.txt',
      content: `${cover}${pages.join('\n')}\nItem 1.\n${prose.repeat(90)}`,
    }
  })
}

async function reading(count: number): Promise<Row[]> {
  const filings = texts(count)
  const ours = await fromArchive('schedule13', filings)
  const made = filings.map(({ content }) => markdownOfText(content).text)
  let facts = 0
  const alone = await seconds(() => {
    for (const markdown of made) {
      facts += readText({ form: 'SC 13G', filedDate: '2024-02-01', filers: [], markdown, sequence: 1 }).facts.length
    }
  })
  if (facts < count * PERSONS * 10) throw new Error(`${facts} facts were read of ${count} filings`)
  const row = (what: string, rate: number, note: string): Row => ({
    section: 'schedules',
    what,
    ours: rate,
    peer: null,
    unit: 'filings/s',
    note,
  })
  return [
    row(
      'texts of 14,000 characters and three persons, archived bytes to rows in the database',
      ours,
      'one worker; 30 facts and more a filing, each with its evidence',
    ),
    row('from Markdown that was made before, to facts', count / alone, 'without archive and database'),
  ]
}

const KINDS = {
  'newest of all': 'up to a random day; target 1.3',
  'of an issuer': 'target 1.3',
  'of a filer': 'target 1.3',
  'of an owner with a large share': 'of 40% and more, one in a hundred; target 1.3',
}

const listing = (scope: Scope, share: number): Promise<Row[]> =>
  grow(scope, { section: 'schedules', of: 'schedules', kinds: KINDS, requests: 900, fill, addresses }, share)

/** An issuer has a hundred schedules, as a real one has in twenty years, and a filer has fifty. */
async function fill(sql: Sql, filings: number): Promise<void> {
  const accession = `concat(lpad((9990000 + n / 1000000)::text, 10, '0'), '-24-', lpad((n % 1000000)::text, 6, '0'))`
  const day = `date '1994-01-01' + (n::bigint * 7919 % 11000)::int`
  const issuer = `lpad((n % ${Math.ceil(filings / 100)})::text, 10, '0')`
  const filer = `lpad((n % ${Math.ceil(filings / 50)})::text, 10, '0')`
  await sql.unsafe(`
    insert into schedule13.report (accession, filed_date, submission_type, source, schedule, is_amendment, cik, issuer_cik, issuer_name, name_key, rules, person_count, shares, percent, is_malformed, repairs, left_out)
    select ${accession}, ${day}, 'SC 13G', 'text', '13G', false, ${filer}, ${issuer}, 'Generated', 'generated', '{}', 1, 1000, case when n % 100 = 0 then 40 else 5 + n % 5 end, false, '{}', '{}' from generate_series(1, ${filings}) n;
    insert into schedule13.filer (accession, cik, filed_date) select ${accession}, ${filer}, ${day} from generate_series(1, ${filings}) n;
    insert into schedule13.person (accession, position, name, source_of_funds, types)
    select ${accession}, 0, 'Generated', '{}', '{IA}' from generate_series(1, ${filings}) n`)
  await sql`vacuum (analyze) schedule13.report, schedule13.filer, schedule13.person`
}

async function addresses(_sql: Sql, count: number): Promise<Record<keyof typeof KINDS, string[]>> {
  const random = new Random(13)
  const many = (query: () => Record<string, string>) =>
    Array.from({ length: count }, () => `/v1/schedule13/filings?${new URLSearchParams(query())}`)
  const day = () => `${2004 + random.below(19)}-0${1 + random.below(9)}-1${random.below(10)}`
  return {
    'newest of all': many(() => ({ to: day() })),
    'of an issuer': many(() => ({ issuer_cik: String(random.below(500)) })),
    'of a filer': many(() => ({ cik: String(random.below(1_000)), to: day() })),
    'of an owner with a large share': many(() => ({ min_percent: '40', to: day() })),
  }
}
