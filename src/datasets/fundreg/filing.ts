/** Reads one filing about a fund: its series, its fees, its expense examples, its prose and its advisers. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { FiledDocument, Filing } from '../../declare/documents.ts'
import { textOf } from '../../read/encoding.ts'
import type { Markdown } from '../../read/made-markdown.ts'
import type { Problem } from '../../read/xml.ts'
import { advisersOf } from './advisers.ts'
import { casesOf } from './examples/redemption.ts'
import { examplesOf } from './examples/written.ts'
import type { Example } from './examples.ts'
import { feesIn } from './fees/table.ts'
import type { Fee } from './fees.ts'
import { KIND_OF } from './forms.ts'
import type { Block } from './narrative.ts'
import type { Tagged } from './prospectus.ts'
import { seriesAt } from './series-at.ts'
import { LEFT_OUT } from './tables-words.ts'

/** Since 2021, the risk/return tags are in the prospectus itself. Before 2021, the tags are in separate files. */
const TAGGED_SINCE = '2021-01-01'
const TAGGED_MAX = 48 * 2 ** 20

type Registration = Filing<{ texts: readonly FiledDocument[] }>

/** Yields the facts of the filing, and then the filing's own row. */
export async function* parse(filing: Registration): AsyncGenerator<ParsedRow> {
  const { header } = filing
  const series = header.series.map((each, i) => ({
    n: i + 1,
    filed_date: filing.header.filedDate,
    status: each.status,
    owner_cik: each.ownerCik,
    owner_name: header.filers.find(({ cik }) => cik !== null && cik === each.ownerCik)?.name ?? null,
    series_id: each.seriesId,
    name: each.name,
    classes: each.classes.map(({ id, name, ticker }) => ({ class_id: id, name, ticker })),
  }))
  for (const row of series) yield ['series', row]
  const reading = await read(filing, series)
  for (const row of reading.rows) yield row
  yield [
    'filing',
    {
      form: header.form,
      kind: KIND_OF[header.form]!,
      cik: header.cik,
      trust_name: header.name,
      file_numbers: [
        ...new Set(header.filers.flatMap(({ act, fileNumber }) => (act === '33' && fileNumber ? [fileNumber] : []))),
      ],
      effective_date: header.effectiveDate,
      series_count: series.length,
      new_series_count: series.filter(({ status }) => status === 'new').length,
      has_fees: reading.hasFees,
      left_out: reading.leftOut,
    },
  ]
}

interface Named {
  series_id: string | null
  name: string | null
  classes: { class_id: string | null; name: string | null }[]
}

interface Reading {
  rows: ParsedRow[]
  hasFees: boolean
  leftOut: (typeof LEFT_OUT)[number][]
}

async function read(filing: Registration, series: readonly Named[]): Promise<Reading> {
  const [main] = filing.documents.texts
  const tell = (path: string, reason: string) =>
    filing.tell({ problems: [{ path, value: filing.header.form, reason }] })
  if (!main) {
    tell('documents', 'no document has text')
    return { rows: [], hasFees: false, leftOut: [] }
  }
  const { entry } = main
  const made = await main.text()
  if (made.format === null) {
    tell(entry.filename ?? `document ${entry.seq}`, made.reason)
    return { rows: [], hasFees: false, leftOut: [] }
  }
  const { markdown } = made
  const isTagged =
    filing.header.filedDate >= TAGGED_SINCE && entry.size <= TAGGED_MAX && entry.mediaType.startsWith('text/html')
  // Loads the readers on demand. A run that ingests only other forms then saves the 14 MB of memory that the readers
  // need.
  const { readTags, writtenBlocks } = await import('./prospectus.ts')
  const tagged = isTagged ? readTags(textOf(Buffer.concat(await Array.fromAsync(main.bytes()))), filing.tell) : NOTHING
  const [only] = series
  const idAt = series.length === 1 ? () => only!.series_id : seriesAt(markdown.text, series)
  const fromText = tagged.fees.length > 0 ? NO_FEES : writtenFees(markdown.text, series, idAt)
  const fees = tagged.fees.length > 0 ? tagged.fees : fromText.fees
  const written = tagged.examples.length > 0 ? NO_EXAMPLES : writtenExamples(markdown.text, series, idAt)
  const examples = tagged.examples.length > 0 ? tagged.examples : written.examples
  const problems = [...fromText.problems, ...written.problems]
  filing.tell({ problems })
  const blocks = tagged.blocks.length > 0 ? tagged.blocks : writtenBlocks(markdown, idAt)
  const leftOut = LEFT_OUT.filter((name) => (name === 'fee' ? fromText : written).problems.length > 0)
  const rows = [...rowsOf({ fees, examples, blocks, markdown, sequence: entry.seq })]
  return { rows, hasFees: fees.length > 0, leftOut }
}

const NOTHING: Tagged = { fees: [], examples: [], blocks: [] }
const NO_FEES = { fees: [], problems: [] }
const NO_EXAMPLES = { examples: [], problems: [] }

/**
 * Assigns a class by the head of its column, if exactly one class of the series has that name. A column without a head
 * gets the only class of its series, if the table has only this column.
 */
function writtenFees(
  markdown: string,
  series: readonly Named[],
  idAt: (offset: number) => string | null,
): { fees: Fee[]; problems: Problem[] } {
  const { fees, unread } = feesIn(markdown)
  const widths = new Map<number, number>()
  for (const { table, column } of fees) widths.set(table, Math.max(widths.get(table) ?? 0, column))
  const byId = new Map(series.map((each) => [each.series_id, each]))
  const problems = unread.map(({ start, end }) => ({
    path: `fee table at ${start}`,
    value: markdown.slice(start, Math.min(end, start + SHOWN_MAX)),
    reason: 'has the items of a fee table, but no fee could be read',
  }))
  const assigned = fees.map(({ are_rows, ...fee }) => {
    const id = idAt(fee.start!)
    const named = id === null ? undefined : byId.get(id)
    const of = named && classOf(named, fee.class_name, widths.get(fee.table)!)
    // Rows may also name the portfolios that a contract offers. They are not classes of the contract, so their fees get
    // no series.
    return { ...fee, series_id: are_rows && of === null ? null : (named?.series_id ?? null), class_id: of ?? null }
  })
  return { fees: assigned, problems }
}

/** Maximum length of the part of a table that a problem shows. */
const SHOWN_MAX = 200

/** Assigns series and class to the examples of a text. An amount that holds for both cases becomes two rows. */
function writtenExamples(
  markdown: string,
  series: readonly Named[],
  idAt: (offset: number) => string | null,
): { examples: Example[]; problems: Problem[] } {
  const { lines, problems } = examplesOf(markdown)
  const names = Map.groupBy(lines, ({ table }) => table)
  const byId = new Map(series.map((each) => [each.series_id, each]))
  const examples = lines.flatMap(({ redemption, ...line }) => {
    const id = idAt(line.start)
    const named = id === null ? undefined : byId.get(id)
    const width = new Set(names.get(line.table)!.map(({ class_name }) => class_name)).size
    const class_id = (named && classOf(named, line.class_name, width)) ?? null
    // Lines may also name funds. Each such fund is a series of its own.
    const isFund = class_id === null && width > 1 && OF_FUND.test(line.class_name ?? '')
    const series_id = isFund ? null : (named?.series_id ?? null)
    return casesOf(redemption).map((is_redeemed) => ({ ...line, series_id, class_id, is_redeemed }))
  })
  return { examples, problems }
}

const OF_FUND = /\b(?:funds?|portfolio|etf|trust)\b/i

function classOf({ classes }: Named, head: string | null, width: number): string | null {
  if (head === null) return classes.length === 1 && width === 1 ? classes[0]!.class_id : null
  const meant = classes.filter(({ name }) => name !== null && bare(name) === bare(head))
  return meant.length === 1 ? meant[0]!.class_id : null
}

/** "Class A Shares", "Class A" and "A" are the same name. */
const bare = (name: string) => {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const own = words.filter((word) => word !== '' && !/^(?:class|shares?)$/.test(word))
  return (own.length > 0 ? own : words).join(' ').trim()
}

interface FeeDocument {
  fees: readonly Fee[]
  examples: readonly Example[]
  blocks: readonly Block[]
  markdown: Markdown
  sequence: number
}

function* rowsOf({ fees, examples, blocks, markdown: { text }, sequence }: FeeDocument): Generator<ParsedRow> {
  for (const [i, { start, end, table, column, ...fee }] of fees.entries()) {
    const sentence = start === null ? null : text.slice(start, end!)
    yield [
      'fee',
      {
        n: i + 1,
        table_number: table,
        column_number: column,
        ...fee,
        source: start === null ? 'xbrl' : 'text',
        sequence,
        start,
        stop: end,
        sentence,
      },
    ]
  }
  for (const [i, { start, end, table, ...example }] of examples.entries()) {
    const [source, sentence] = start === null ? ['xbrl', null] : ['text', text.slice(start, end!)]
    yield [
      'expense_example',
      { n: i + 1, table_number: table, ...example, source, sequence, start, stop: end, sentence },
    ]
  }
  for (const [i, { start, end, ...block }] of blocks.entries()) {
    yield ['block', { n: i + 1, ...block, source: start === null ? 'xbrl' : 'text', sequence, start, stop: end }]
  }
  for (const [i, { start, end, ...adviser }] of advisersOf(text).entries()) {
    yield ['adviser', { n: i + 1, ...adviser, sequence, start, stop: end, sentence: text.slice(start, end) }]
  }
}
