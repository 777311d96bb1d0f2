/** Prospectuses into rows, and the list of initial offerings at two sizes. */
import { readOffering } from '../src/datasets/offerings/filing.ts'
import { search } from '../src/datasets/offerings/queries.ts'
import type { EveryPart } from '../src/declare/documents.ts'
import { readText } from '../src/read/document-text.ts'
import type { DocumentEntry } from '../src/read/sgml/document.ts'
import { readHeader } from '../src/read/sgml/header.ts'
import type { Sql } from '../src/store/db.ts'
import { withDatabase } from './database.ts'
import { annualReport } from './filing-html.ts'
import { median, quantile, seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'

/** Of a real S-1: from 0.3 to 4 MB, with the median here. */
const BYTES = 1_700_000
const PROSPECTUSES = 20
const OFFERINGS = [500_000, 5_000_000]
const PAGES = 200
const PAGE = 50

export async function rows(_scope: Scope, share = 1): Promise<Row[]> {
  return [...(await reading()), ...(await listing(share))]
}

const COVER = `<p>FORM S-1</p><p><b>SUBJECT TO COMPLETION, DATED TODAY</b></p><h2>4,000,000 Shares</h2>
<p>This is our initial public offering. We expect the initial public offering price to be between $9.00 and $11.00 per share.
We have applied to list our stock on the Nasdaq Global Market under the symbol “GNRT.”</p>
<p>Any representation to the contrary is a criminal offense.</p><p><b>Goldman Sachs &amp; Co. LLC Morgan Stanley</b></p>
<h2>TABLE OF CONTENTS</h2>`

/** From the bytes of the document to the last row; the archive and the database are other sections. */
async function reading(): Promise<Row[]> {
  const [head = '', ...rest] = [...annualReport(new Random(5), BYTES)]
  const bytes = Buffer.from([head.replace(/<body[^>]*>/, (tag) => tag + COVER), ...rest].join(''))
  const whole: number[] = []
  const covers: number[] = []
  for (let i = 0; i < PROSPECTUSES; i++) {
    let text: Awaited<ReturnType<typeof readText>> | undefined
    const made = await seconds(async () => {
      text = await readText(entryOf(bytes), pieces(bytes))
    })
    const read = await seconds(() => rowsOf(bytes, () => Promise.resolve(text!)))
    whole.push(made + read)
    covers.push(read)
  }
  return [
    row('prospectuses of 1.7 MB, bytes to rows', 1 / median(whole), 'prospectuses/s', 'one process; nearly all of it makes the text, which is kept for all who read it'), // biome-ignore format: one line
    row('of text that was made before', 1 / median(covers), 'prospectuses/s', 'the cover alone'),
  ]
}

async function rowsOf(bytes: Buffer, text: EveryPart['documents'][number]['text']): Promise<void> {
  const filing: EveryPart = {
    accession: '9990000000-24-000001',
    family: 'offerings',
    form: 'S-1',
    filedDate: '2024-01-02',
    cik: '9990000000',
    name: 'Generated Inc',
    period: null,
    tell: () => {},
    header: readHeader(''),
    documents: [{ entry: entryOf(bytes), text, bytes: () => pieces(bytes) }],
  }
  const found = await Array.fromAsync(readOffering(filing))
  if (found.length < 8) throw new Error(`${found.length} rows were read of a cover that states seven facts`)
}

const entryOf = ({ length }: Buffer): DocumentEntry => ({
  ...{ seq: 1, type: 'S-1', filename: 's1.htm', description: null, wrapper: null, encoding: 'text' },
  ...{ mediaType: 'text/html', start: 0, end: length, size: length, escaped: false },
})

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function listing(share: number): Promise<Row[]> {
  const found: Row[] = []
  for (const size of OFFERINGS) {
    const offerings = Math.round(size * share)
    const times = await withDatabase(async ({ sql }) => {
      await fill(sql, offerings)
      return walked(sql, offerings)
    })
    const what = `/ipos by cursor, ${offerings.toLocaleString('en-US')} offerings`
    found.push(
      row(`${what}, p50`, quantile(times, 0.5) * 1000, 'ms', 'the query, 200 pages of 50, one after the other'),
    )
    found.push(row(`${what}, p99`, quantile(times, 0.99) * 1000, 'ms', 'the same'))
  }
  return found
}

/** Offerings of as many companies, over thirty years; one in three is of a company that was public. */
async function fill(sql: Sql, offerings: number): Promise<void> {
  await sql`
    insert into offerings.offering (accession, cik, form, filed_date, company_name, name_key, name_words, file_numbers, is_spac,
      stage, stage_date, tickers, exchanges, listed_basis)
    select concat('9990', lpad(n::text, 6, '0'), '-', lpad((n % 30)::text, 2, '0'), '-', lpad((n / 1000000)::text, 6, '0')),
      lpad(n::text, 10, '0'), 'S-1', date '1994-01-01' + n % 11000, concat('Generated ', n), concat('generated ', n),
      ''::tsvector, '{}', n % 10 = 0, 'filed', date '1994-01-01' + n % 11000, '{}', '{}',
      case when n % 3 = 0 then 'reports' end
    from generate_series(1, ${offerings}::int) n`
  await sql`vacuum (analyze) offerings.offering`
}

/** Seconds of single pages. */
async function walked(sql: Sql, offerings: number): Promise<number[]> {
  const input = { sort: 'date', dir: 'desc', limit: PAGE, offset: 0, paginate: 'cursor' } as const
  const times: number[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES; page++) {
    times.push(await seconds(async () => { cursor = (await search(sql, { ...input, cursor })).next_cursor! })) // biome-ignore format: one line
    if (cursor === undefined || cursor === null) break
  }
  if (times.length * PAGE < Math.min(PAGES * PAGE, offerings / 3)) throw new Error('the walk ended early')
  return times
}

const row = (what: string, ours: number, unit: string, note: string): Row => ({
  section: 'offerings',
  what,
  ours,
  peer: null,
  unit,
  note,
})
