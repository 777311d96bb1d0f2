/** Measures reading prospectuses into rows, and the list of initial offerings at two sizes. */
import { parse } from '../src/datasets/offerings/filing.ts'
import { search } from '../src/datasets/offerings/queries.ts'
import type { FiledDocument } from '../src/declare/documents.ts'
import { readText } from '../src/read/document-text.ts'
import type { DocumentEntry } from '../src/read/sgml/document.ts'
import type { Sql } from '../src/store/db.ts'
import { headerWith } from '../test/support/filing-made.ts'
import type { Submission } from './archived.ts'
import { annualReport } from './filing-html.ts'
import { grow } from './growth.ts'
import { median, seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'

/** Median size of a real S-1; real sizes are 0.3 to 4 MB. */
const BYTES = 1_700_000
const PROSPECTUSES = 20

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [...(await reading(share)), ...(await listing(scope, share))]
}

const COVER = `<p>FORM S-1</p><p><b>SUBJECT TO COMPLETION, DATED TODAY</b></p><h2>4,000,000 Shares</h2>
<p>This is our initial public offering. We expect the initial public offering price to be between $9.00 and $11.00 per share.
We have applied to list our stock on the Nasdaq Global Market under the symbol “GNRT.”</p>
<p>Any representation to the contrary is a criminal offense.</p><p><b>Goldman Sachs &amp; Co. LLC Morgan Stanley</b></p>
<h2>TABLE OF CONTENTS</h2>`

export function prospectus(share: number): Buffer {
  const [head = '', ...rest] = [...annualReport(new Random(5), part(BYTES, share))]
  return Buffer.from([head.replace(/<body[^>]*>/, (tag) => tag + COVER), ...rest].join(''))
}

/** Submissions with a prospectus each. */
export const prospectuses = (count: number): Submission[] =>
  Array.from({ length: count }, (_, n) => ({
    accession: `9999000000-24-${String(n).padStart(6, '0')}`,
    ...{ form: 'S-1', cik: String(9_000_000_000 + n), name: `Generated Issuer ${n}`, filedDate: '2024-02-01' },
    filename: 's1.htm',
    content: prospectus(1).toString(),
  }))

export const textOf = (bytes: Buffer) => readText(entryOf(bytes), pieces(bytes))

/** Measures from the bytes of the document to the last row; other sections cover the archive and the database. */
async function reading(share: number): Promise<Row[]> {
  const bytes = prospectus(share)
  const whole: number[] = []
  const covers: number[] = []
  for (let i = 0; i < part(PROSPECTUSES, share); i++) {
    let text: Awaited<ReturnType<typeof readText>> | undefined
    const made = await seconds(async () => {
      text = await textOf(bytes)
    })
    const read = await seconds(() => rowsOf(bytes, () => Promise.resolve(text!)))
    whole.push(made + read)
    covers.push(read)
  }
  const each = (what: string, ours: number, peer: number | null, note: string): Row => {
    return { section: 'offerings', what, ours, peer, unit: 'prospectuses/s', note }
  }
  const [all, cover] = [median(whole), median(covers)]
  return [
    each(
      `prospectuses of ${(part(BYTES, share) / 1e6).toPrecision(2)} MB, bytes to rows`,
      1 / all,
      1 / (all - cover),
      'one process; making the text alone; the text is then kept for every reader',
    ),
    each('from text that was made before', 1 / cover, null, 'the cover alone'),
  ]
}

export async function rowsOf(bytes: Buffer, text: FiledDocument['text']): Promise<void> {
  const header = headerWith({ form: 'S-1', cik: '9990000000', name: 'Generated Inc' })
  const documents = { texts: [{ entry: entryOf(bytes), text, bytes: () => pieces(bytes) }] }
  const found = await Array.fromAsync(parse({ documents, header, tell: () => {} }))
  if (found.length < 8) throw new Error(`${found.length} rows were read from a cover that states seven facts`)
}

const entryOf = ({ length }: Buffer): DocumentEntry => ({
  ...{ seq: 1, type: 'S-1', filename: 's1.htm', description: null, wrapper: null, encoding: 'text' },
  ...{ mediaType: 'text/html', start: 0, end: length, size: length, escaped: false },
})

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

const KINDS = {
  'by cursor': 'pages of 50, the newest first; target 1.3',
  'of a stage': 'up to the largest offset; target 1.3',
  'blank check companies': 'one in ten offerings; target 1.3',
}

const listing = (scope: Scope, share: number): Promise<Row[]> =>
  grow(scope, { section: 'offerings', of: 'offerings', kinds: KINDS, requests: 900, fill, addresses }, share)

/**
 * Inserts offerings of as many companies, over thirty years; one in three companies was public, and half of the covers
 * state an initial offering.
 */
async function fill(sql: Sql, offerings: number): Promise<void> {
  await sql`
    insert into offerings.offering (accession, cik, form, filed_date, company_name, name_key, name_words, registrant_count, file_numbers, is_spac,
      stage, stage_date, tickers, exchanges, listed_basis, says_initial, seeks_listing)
    select concat('9990', lpad(n::text, 6, '0'), '-', lpad((n % 30)::text, 2, '0'), '-', lpad((n / 1000000)::text, 6, '0')),
      lpad(n::text, 10, '0'), 'S-1', date '1994-01-01' + n % 11000, concat('Generated ', n), concat('generated ', n),
      ''::tsvector, 1, '{}', n % 10 = 0, 'filed', date '1994-01-01' + n % 11000, '{}', '{}',
      case when n % 3 = 0 then 'reports' end, n % 2 = 0, n % 4 < 2
    from generate_series(1, ${offerings}::int) n`
  await sql`vacuum (analyze) offerings.offering`
}

async function addresses(sql: Sql, count: number): Promise<Record<keyof typeof KINDS, string[]>> {
  const cursors: string[] = []
  for (let cursor: string | undefined; cursors.length < count; ) {
    const input = { sort: 'date', dir: 'desc', limit: 50, offset: 0, paginate: 'cursor', cursor } as const
    // After the last page, begins again with the first.
    cursor = (await search(sql, input)).next_cursor ?? undefined
    if (cursor !== undefined) cursors.push(cursor)
  }
  const random = new Random(13)
  const many = (query: () => Record<string, string>) =>
    Array.from({ length: count }, () => `/v1/ipos?${new URLSearchParams(query())}`)
  const offset = () => String(random.below(200) * 50)
  return {
    'by cursor': cursors.map((cursor) => `/v1/ipos?${new URLSearchParams({ paginate: 'cursor', cursor })}`),
    'of a stage': many(() => ({ stage: 'filed', offset: offset() })),
    'blank check companies': many(() => ({ spac: 'only', offset: offset() })),
  }
}
