/** Measures reading current reports (8-K) from the archive into rows, and the list of events at two sizes. */
import { officersOf } from '../src/datasets/eightk/officers.ts'
import { inMarkdown } from '../src/datasets/eightk/sections.ts'
import { markdownOfHtml } from '../src/read/html.ts'
import type { Sql } from '../src/store/db.ts'
import { fromArchive, type Submission } from './archived.ts'
import { grow } from './growth.ts'
import { seconds } from './measure.ts'
import { Random } from './random.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'

const FILINGS = 2_000

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  return [await reading(part(FILINGS, share)), ...(await listing(scope, share))]
}

/** A paragraph in the style of filers' tools; the main document of a real report has 30 to 60 KB, most of it styles. */
const set = (text: string, style = '') =>
  `<p style="margin-top:0pt;margin-bottom:0pt;text-align:justify;${style}"><span style="font-family:'Times New Roman',Times,serif;font-size:10pt;color:#000000;line-height:120%">${text}</span></p>\n`

const COVER = [
  ...['UNITED STATES', 'SECURITIES AND EXCHANGE COMMISSION', 'FORM 8-K', 'CURRENT REPORT'],
  ...Array.from({ length: 40 }, (_, n) => `Line ${n} of the cover: name, address, file number and boxes to check.`),
  'Pre-commencement communications pursuant to Rule 13e-4(c) under the Exchange Act (17 CFR 240.13e-4(c))',
]

const MORE =
  'The description of the agreement is a summary, and the agreement is filed with the next quarterly report. '

export function reports(count: number): Submission[] {
  const random = new Random(8)
  const given = ['Ada', 'Grace', 'Alan', 'Mary', 'John']
  return Array.from({ length: count }, (_, n) => {
    const cik = String(9_000_000_000 + (n % 2_000))
    const name = `${given[random.below(5)]} ${'ABCDEFG'[random.below(7)]}. Sample`
    const day = `March ${1 + random.below(28)}, 2024`
    const paragraphs = [
      ...COVER.map((line) => set(line)),
      set('Item 5.02 Departure of Directors or Certain Officers', 'font-weight:bold'),
      set(
        `On ${day}, the Board of Directors appointed ${name}, age 50, as Chief Financial Officer, effective ${day}. ${name} will receive a base salary of $400,000.`,
      ),
      ...Array.from({ length: 20 }, () => set(MORE.repeat(3))),
      set('Item 8.01 Other Events', 'font-weight:bold'),
      ...Array.from({ length: 10 }, () => set(MORE.repeat(2))),
      set('Item 9.01 Financial Statements and Exhibits', 'font-weight:bold'),
      set('(d) Exhibits. 99.1 Press release.'),
      set('SIGNATURES', 'font-weight:bold'),
    ]
    return {
      accession: `${cik}-24-${String(n).padStart(6, '0')}`,
      form: '8-K',
      cik,
      name: `Generated Company ${n % 2_000}`,
      filedDate: `2024-0${1 + (n % 3)}-${String(1 + (n % 28)).padStart(2, '0')}`,
      filename: 'report.htm',
      content: `<html><body>\n${paragraphs.join('')}</body></html>`,
    }
  })
}

async function reading(count: number): Promise<Row> {
  const filings = reports(count)
  const ours = await fromArchive('eightk', filings)
  const texts = filings.map(({ content }) => markdownOfHtml(content))
  let officers = 0
  const alone = await seconds(() => {
    for (const markdown of texts) {
      for (const { markdown: text, item, textStart, stop } of inMarkdown(markdown, 1)) {
        if (item === '5.02') officers += officersOf(text, { start: textStart, end: stop }).officers.length
      }
    }
  })
  if (officers !== 2 * count) throw new Error(`${officers} events were read of ${count} reports`)
  return {
    section: 'eightk',
    what: `8-Ks of ${Math.round(filings[0]!.content.length / 1_000)} KB, archived bytes to rows in the database`,
    ours,
    peer: count / alone,
    unit: 'filings/s',
    note: 'one worker, from text that was made before; compared with items and officers from the same text, without archive and database',
  }
}

const KINDS = {
  'newest officers': 'target 1.3',
  'newest results': 'target 1.3',
  'of an item': 'one of three items; target 1.3',
  'of an item, after some pages': 'by offset, up to 1,000; target 1.3',
}

const listing = (scope: Scope, share: number): Promise<Row[]> =>
  grow(scope, { section: 'eightk', of: 'filings', kinds: KINDS, requests: 900, fill, addresses }, share)

/**
 * A fifth of the reports are about officers, another fifth are about results, and every report has one of three further
 * items.
 */
async function fill(sql: Sql, filings: number): Promise<void> {
  const accession = `concat(lpad((9990000 + n / 1000000)::text, 10, '0'), '-24-', lpad((n % 1000000)::text, 6, '0'))`
  const day = `date '2004-09-01' + (n::bigint * 7919 % 7300)::int`
  const cik = `lpad((n % ${Math.ceil(filings / 100)})::text, 10, '0')`
  const from = `from generate_series(1, ${filings}) n`
  const item = (code: string, where: string) => `
    insert into eightk.item (accession, item, filed_date, title, source, excerpt)
    select ${accession}, ${code}, ${day}, 'Generated', 'both', repeat('What happened. ', 20) ${from} ${where};`
  await sql.unsafe(`
    insert into edgar.filing (accession, form_type, family, filed_date, cik, company_name, name_key, path)
    select ${accession}, '8-K', 'eightk', ${day}, ${cik}, 'Generated', 'generated', '' ${from};
    insert into eightk.filing (accession, filed_date, form, cik, items, header_items, text_items, items_differ, officers, facts, left_out_count, left_out)
    select ${accession}, ${day}, '8-K', ${cik}, '{}', '{}', '{}', false, case when n % 5 = 0 then 1 else 0 end, 0, 0, '{}' ${from};
    insert into eightk.filer (accession, filed_date, cik, company_name)
    select ${accession}, ${day}, ${cik}, 'Generated' ${from};
    insert into eightk.earnings (accession, filed_date, item, period, revenue)
    select ${accession}, ${day}, '2.02', 'quarter', 1000000 ${from} where n % 5 = 1;
    insert into eightk.officer (accession, n, name, event, sequence, start, stop, sentence)
    select ${accession}, 1, 'Ada Sample', 'appointed', 1, 0, 10, 'Ada Sample' ${from} where n % 5 = 0;
    ${item(`'5.02'`, 'where n % 5 = 0')}
    ${item(`'2.02'`, 'where n % 5 = 1')}
    ${item(`(array['1.01', '8.01', '7.01'])[1 + n % 3]`, '')}`)
  await sql`vacuum (analyze) edgar.filing, eightk.filing, eightk.filer, eightk.earnings, eightk.officer, eightk.item`
}

async function addresses(_sql: Sql, count: number): Promise<Record<keyof typeof KINDS, string[]>> {
  const random = new Random(13)
  const many = (query: (n: number) => Record<string, string | number>) =>
    Array.from({ length: count }, (_, n) => {
      const params = Object.entries(query(n)).map(([name, value]) => [name, String(value)])
      return `/v1/eightk/events?${new URLSearchParams(params)}`
    })
  const items = ['1.01', '8.01', '7.01']
  return {
    'newest officers': many((n) => ({ kind: 'officer', limit: 1 + (n % 50), offset: n })),
    'newest results': many((n) => ({ kind: 'earnings', limit: 1 + (n % 50), offset: n })),
    'of an item': many((n) => ({ kind: 'item', item: items[n % 3]!, limit: 1 + (n % 50), offset: n % 40 })),
    'of an item, after some pages': many(() => ({
      kind: 'item',
      item: items[random.below(3)]!,
      offset: random.below(1_000),
    })),
  }
}
