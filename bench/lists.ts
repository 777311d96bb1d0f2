/**
 * Measures lists of filings that have no section of their own, each at two sizes: insiders, proposed sales, votes,
 * proxies, launches of funds.
 */
import type { Sql } from '../src/store/db.ts'
import { grow } from './growth.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import { openScope, type Scope } from './scope.ts'

const REQUESTS = 900

interface List {
  /** Heading in the table of results. */
  of: string
  path: string
  tables: readonly string[]
  /** Returns SQL that inserts the rows of filings 1 to `filings`, with the expressions that all lists share. */
  fill(made: Made, filings: number): string
  /** Parameters of a request of each kind. */
  kinds: Readonly<Record<string, (random: Random) => Record<string, string>>>
}

/** SQL expressions for the values of filing `n` that every list has. */
interface Made {
  accession: string
  day: string
  /** The company or the registrant. Each has a hundred filings, as a real one has in twenty years. */
  cik: string
  /** The person. Each has fifty filings. */
  person: string
}

const made = (filings: number): Made => ({
  accession: `concat(lpad((9990000 + n / 1000000)::text, 10, '0'), '-24-', lpad((n % 1000000)::text, 6, '0'))`,
  day: `date '1994-01-01' + (n::bigint * 7919 % 11000)::int`,
  cik: `lpad((n % ${Math.ceil(filings / 100)})::text, 10, '0')`,
  person: `lpad((n % ${Math.ceil(filings / 50)})::text, 10, '0')`,
})

const day = (random: Random) => `${2004 + random.below(19)}-0${1 + random.below(9)}-1${random.below(10)}`
const cik = (random: Random) => String(1 + random.below(4_999))
const offset = (random: Random) => String(random.below(200) * 50)

/** Requests for the newest filings up to a day, for those of a company, and for those of a person. */
const OF_INSIDERS: List['kinds'] = {
  newest: (random) => ({ to: day(random) }),
  'of a company': (random) => ({ cik: cik(random) }),
  'of a person': (random) => ({ person: cik(random), to: day(random) }),
}

const LISTS: readonly List[] = [
  {
    of: 'Forms 3, 4 and 5',
    path: '/v1/ownership/filings',
    tables: ['ownership.report', 'ownership.owner'],
    fill: ({ accession, day, cik, person }, filings) => `
      insert into ownership.report (accession, filed_date, submission_type, form, is_amendment, source, cik, issuer_cik, issuer_name, owner_name, owner_ciks, owner_count)
      select ${accession}, ${day}, (array['3','4','4','4/A'])[1 + n % 4], '4', n % 4 = 3, 'xml', ${cik}, ${cik}, 'Generated', 'Generated', array[${person}], 1 from generate_series(1, ${filings}) n;
      insert into ownership.owner (accession, filed_date, position, cik, name, is_director, is_officer, is_ten_percent_owner, is_other)
      select ${accession}, ${day}, 0, ${person}, 'Generated', true, false, false, false from generate_series(1, ${filings}) n`,
    kinds: OF_INSIDERS,
  },
  {
    of: 'Forms 144',
    path: '/v1/form144/filings',
    tables: ['form144.notice', 'form144.sale'],
    fill: ({ accession, day, cik, person }, filings) => `
      insert into form144.notice (accession, filed_date, submission_type, is_amendment, source, seller_cik, seller_name, relationships, issuer_cik, issuer_name)
      select ${accession}, ${day}, '144', false, 'xml', ${person}, 'Generated', '{Officer}', ${cik}, 'Generated' from generate_series(1, ${filings}) n;
      insert into form144.sale (accession, position, security_class, units, market_value)
      select ${accession}, 0, 'Common', 1000, 25000 from generate_series(1, ${filings}) n`,
    kinds: OF_INSIDERS,
  },
  {
    of: 'reports of votes',
    path: '/v1/npx/filings',
    tables: ['npx.report'],
    fill: ({ accession, day, cik }, filings) => `
      insert into npx.report (accession, filed_date, submission_type, is_amendment, source, cik, person_name, report_type, vote_count)
      select ${accession}, ${day}, 'N-PX', false, 'xml', ${cik}, 'Generated', (array['FUND VOTING REPORT','INSTITUTIONAL MANAGER VOTING REPORT'])[1 + n % 2], n % 900 from generate_series(1, ${filings}) n`,
    kinds: {
      newest: (random) => ({ to: day(random) }),
      'of a person': (random) => ({ cik: cik(random) }),
    },
  },
  {
    of: 'votes',
    path: '/v1/npx/votes',
    tables: ['npx.vote'],
    // A security has a thousand votes.
    fill: ({ accession, day, person }, filings) => `
      insert into npx.vote (accession, line, cik, issuer_name, cusip, meeting_date, listed_day, description, categories, votes, how, managers)
      select ${accession}, 1, ${person}, 'Generated', lpad((n % ${Math.ceil(filings / 1_000)})::text, 9, '0'), ${day}, ${day}, 'Elect Generated', '{}', '[]', '{FOR}', '{}' from generate_series(1, ${filings}) n`,
    kinds: {
      'of a security': (random) => ({ cusip: String(1 + random.below(499)).padStart(9, '0'), to: day(random) }),
      'of a person': (random) => ({ cik: cik(random), to: day(random) }),
    },
  },
  {
    of: 'proxies',
    path: '/v1/proxies',
    tables: ['proxies.statement', 'proxies.company'],
    fill: ({ accession, day, cik }, filings) => `
      insert into proxies.statement (accession, filed_date, form, category, is_preliminary, is_amendment, cik, company_name, company_count, name_key, name_words, left_out)
      select ${accession}, ${day}, 'DEF 14A', (array['definitive','additional','merger','contested'])[1 + n % 4], false, false, ${cik}, concat('Generated ', n), 1, concat('generated ', n), '', '{}' from generate_series(1, ${filings}) n;
      insert into proxies.company (accession, filed_date, cik, company_name)
      select ${accession}, ${day}, ${cik}, concat('Generated ', n) from generate_series(1, ${filings}) n`,
    kinds: {
      newest: (random) => ({ offset: offset(random) }),
      'of a category': (random) => ({ category: 'definitive', offset: offset(random) }),
      'of a company': (random) => ({ cik: cik(random) }),
    },
  },
  {
    of: 'launches',
    path: '/v1/fund-launches',
    tables: ['fundreg.launch'],
    fill: ({ accession, day, cik }, filings) => `
      insert into fundreg.launch (accession, fund, cik, form, filed_date, series_id, series_name, name_key, name_words, class_count, tickers, bucket, stage, stage_date)
      select ${accession}, concat('S', lpad(n::text, 9, '0')), ${cik}, '485APOS', ${day}, concat('S', lpad(n::text, 9, '0')), concat('Generated ', n), concat('generated ', n), '', 1, '{}', 'ETF/OEF', 'filed', ${day} + n % 90 from generate_series(1, ${filings}) n`,
    kinds: {
      newest: (random) => ({ offset: offset(random) }),
      'by day of stage': (random) => ({ sort: 'stage_date', offset: offset(random) }),
    },
  },
]

export async function rows(_scope: Scope, share: number): Promise<Row[]> {
  const found: Row[] = []
  // Makes the lists one after the other, and drops each before the next: together they would take 20 GB.
  for (const list of LISTS) {
    const scope = openScope()
    try {
      found.push(...(await listing(scope, list, share)))
    } finally {
      await scope.close()
    }
  }
  return found
}

function listing(scope: Scope, { of, path, tables, fill, kinds }: List, share: number): Promise<Row[]> {
  const names = Object.keys(kinds)
  return grow(
    scope,
    {
      section: 'lists',
      of,
      kinds: Object.fromEntries(names.map((kind) => [kind, 'target 1.3'])),
      requests: REQUESTS,
      async fill(sql: Sql, filings) {
        await sql.unsafe(fill(made(filings), filings))
        await sql`vacuum (analyze) ${sql.unsafe(tables.join(', '))}`
      },
      async addresses(_sql, count) {
        const random = new Random(13)
        const many = (kind: string) =>
          Array.from({ length: count }, () => `${path}?${new URLSearchParams(kinds[kind]!(random))}`)
        return Object.fromEntries(names.map((kind) => [kind, many(kind)]))
      },
    },
    share,
  )
}
