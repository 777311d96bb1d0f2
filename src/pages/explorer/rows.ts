/**
 * A table of rows. Columns without a value in any row are left out. An id is replaced by the name of the thing that it
 * identifies. Values that all rows share are stated once, and columns that do not fit are folded into a cell of each
 * row.
 */
import type { z } from 'zod'
import { type Html, html, verbatim } from '../html.ts'
import { codeWords, sourceWords } from './codes.ts'
import { arranged, type Columns } from './columns.ts'
import { type Linker, type Named, namedBy } from './linker.ts'
import { isNothing, type Member, membersOf, notesOf } from './shape.ts'
import type { Head } from './sorting.ts'
import { spread } from './spread.ts'
import { isNumber, shown } from './value.ts'

type Row = Readonly<Record<string, unknown>>

export interface RowsOptions {
  /** The subject of the table, for screen readers. */
  caption: string
  links: Linker
  /** Members that the page shows elsewhere. */
  without?: readonly string[]
  /** Members whose columns come right after the name. */
  first?: readonly string[]
  /** The columns that the reader chose; null for the usual columns. */
  chosen?: readonly string[] | null
  /** Returns the head of a column that sorts the list. */
  headOf?: (column: string) => Head | null
  /**
   * Returns the page about a row. The id of the row links to this page, and so does a name that has no page of its own.
   */
  pageOfRow?: (row: Row) => string | null
}

/** A table and its columns, for the form that chooses them. */
export interface Laid {
  table: Html
  /** Columns with a value in some row. */
  columns: readonly Member[]
  shown: ReadonlySet<string>
}

export const tableOf = (rows: readonly Row[], type: z.ZodType | null, options: RowsOptions): Html =>
  laidOut(rows, type, options).table

export function laidOut(given: readonly Row[], givenType: z.ZodType | null, options: RowsOptions): Laid {
  const { rows, type } = spread(given, givenType)
  const { caption, links, without = [], first = [], chosen = null, headOf } = options
  const declared = membersOf(type, Object.assign({}, ...rows) as Row)
  const pairs = namedBy(declared)
  const all = columnsOf(declared, rows, { pairs, links, without, first })
  const isKept = ({ name }: Member) =>
    pairs.has(name) || name === 'accession' || first.includes(name) || (isLogged(rows) && name === 'key')
  const laid = chosen === null ? arranged(all, rows, isKept) : chosenOf(declared, chosen)
  const { shown: columns, folded, common } = laid
  const isRight = ({ name, type: own }: Member) => rows.every((row) => isNothing(row[name]) || isNumber(row[name], own))
  const right = new Set(columns.filter(isRight).map(({ name }) => name))
  const isWordy = ({ name }: Member) => rows.some((row) => typeof row[name] === 'string' && row[name].length > WORDY)
  const wordy = new Set(columns.filter(isWordy).map(({ name }) => name))
  const number = ({ name }: Member) =>
    right.has(name) ? verbatim(' class="number"') : wordy.has(name) && verbatim(' class="wordy"')
  const contentIn = cellsOf(columns, pairs, options)
  const line = (row: Row) =>
    html`<tr>${columns.map((column) => html`<td${number(column)}>${contentIn(row, column)}</td>`)}${folded.length > 0 && html`<td>${moreOf(row, folded, contentIn)}</td>`}</tr>\n`
  const table = html`${commonOf(common, rows[0]!, contentIn)}<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table class="rows"><caption class="unseen">${caption}</caption>
<thead><tr>${columns.map((column) => columnHead(column, number(column), headOf?.(column.name) ?? null))}${folded.length > 0 && verbatim('<th scope="col"><span class="unseen">More</span></th>')}</tr></thead>
<tbody>
${rows.map(line)}</tbody></table></div>`
  return {
    table,
    columns: declared.filter(({ name }) => !without.includes(name)),
    shown: new Set([...columns, ...common].map(({ name }) => name)),
  }
}

/** The columns that the reader chose, in the order of the row; none of them is folded. */
const chosenOf = (declared: readonly Member[], chosen: readonly string[]): Columns => ({
  shown: declared.filter(({ name }) => chosen.includes(name)),
  folded: [],
  common: [],
})

function columnHead({ label, meaning }: Member, number: Html | false, head: Head | null): Html {
  const title = meaning && html` title="${meaning}"`
  if (head === null) return html`<th scope="col"${number}${title}>${label}</th>`
  const sorted = head.sorted && html` aria-sort="${head.sorted}"`
  return html`<th scope="col"${number}${title}${sorted}><a class="sort" href="${head.href}">${label}</a></th>`
}

/** Returns a function that makes a cell of a row: a value, linked to the thing that it names. */
function cellsOf(
  columns: readonly Member[],
  pairs: ReadonlyMap<string, Named>,
  { links, pageOfRow }: RowsOptions,
): (row: Row, column: Member) => Html {
  const isTitle = ({ name }: Member) => /(^|_)(name|title)$/.test(name) && !pairs.has(name)
  const title = pageOfRow && columns.find(isTitle)
  // A brochure without a name has only its id, so the id leads to its page too.
  const isOwnId = ({ name: own, type }: Member) => own === 'id' && notesOf(type).entity === undefined
  const name = columns.find((column) => pairs.has(column.name)) ?? columns.find((column) => column.name === 'key')
  return (row, column) => {
    const pair = pairs.get(column.name)
    const within = links.inRow(row)
    const value = shown(column.name, row[column.name], column.type, within)
    if (isNothing(row[column.name])) return column === name && 'key' in row ? loggedOf(row, within) : value
    if (pageOfRow && (column === title || isOwnId(column))) {
      const own = pageOfRow(row)
      return own === null ? value : html`<a href="${own}">${value}</a>`
    }
    const id = pair && row[pair.id.name]
    const page = pair && typeof id === 'string' ? within.about(pair.entity, id, pair.id.name) : null
    return page === null ? value : html`<a href="${page}" title="${`${pair!.id.label} ${String(id)}`}">${value}</a>`
  }
}

/** What an entry of the log without a filing is about: one record, or too many records to name. */
function loggedOf(row: Row, links: Linker): Html {
  if (!isNothing(row.key)) return shown('key', row.key, null, links)
  return html`${sourceWords(String(row.source), links.familyOf)}, many changes at once`
}

/** Whether rows are entries of the log, each of which has a key or is about many things at once. */
const isLogged = (rows: readonly Row[]): boolean => rows.some((row) => 'key' in row && 'source' in row)

function moreOf(row: Row, folded: readonly Member[], contentIn: (row: Row, column: Member) => Html): Html | null {
  const stated = folded.filter(({ name }) => !isNothing(row[name]))
  if (stated.length === 0) return null
  const facts = stated.map((column) => html`<div><dt>${column.label}</dt><dd>${contentIn(row, column)}</dd></div>`)
  return html`<details class="more"><summary>More</summary><dl>${facts}</dl></details>`
}

/** States once the values that all rows share; flags that are false in all rows come last. */
function commonOf(common: readonly Member[], row: Row, contentIn: (row: Row, column: Member) => Html): Html | null {
  if (common.length === 0) return null
  const isNo = ({ name }: Member) => row[name] === false
  const [none, same] = [common.filter(isNo), common.filter((column) => !isNo(column))]
  const shared = same.map((column, n) => html`${n > 0 && ' · '}${column.label} <b>${contentIn(row, column)}</b>`)
  const denied = none.map(({ label }) => label).join(', ')
  return html`<p class="common">In all rows: ${shared}${same.length > 0 && none.length > 0 && ' · '}${none.length > 0 && html`<b>No</b> for ${denied}`}</p>`
}

/**
 * Returns the columns of a table that have a value in at least one row. Leaves out ids of things that are shown by
 * name, and columns that only repeat the subject of the page. Names come first, and numbers of filings and lines last.
 */
function columnsOf(
  declared: readonly Member[],
  rows: readonly Row[],
  {
    pairs,
    links,
    without,
    first,
  }: Required<Pick<RowsOptions, 'links' | 'without' | 'first'>> & {
    pairs: ReadonlyMap<string, Named>
  },
): Member[] {
  const idOf = (row: Row, { id }: Named) => row[id.name]
  const isSubject = ({ name }: Member) => {
    const pair = pairs.get(name)
    return (
      pair !== undefined &&
      rows.every((row) => typeof idOf(row, pair) === 'string' && links.isHere(pair.entity, idOf(row, pair) as string))
    )
  }
  const isStated = ({ name }: Member) => rows.some((row) => !isNothing(row[name]))
  // If no column names the subject of an entry of the log, the column of keys stays. It stays even if all entries are
  // about many things at once.
  const lacksName = isLogged(rows) && !declared.some((member) => pairs.has(member.name) && isStated(member))
  const stated = declared.filter(
    (member) => !without.includes(member.name) && (isStated(member) || (lacksName && member.name === 'key')),
  )
  const kept = stated.filter(
    (column, n) => !isRepeated(column, stated.slice(0, n), rows) && !isSaid(column, stated, rows),
  )
  // A CUSIP is shown next to the name, since people know securities by it.
  const isSpare = ({ name }: Member) =>
    [...pairs].some(
      ([by, { id, entity }]) =>
        id.name === name &&
        entity !== 'cusip' &&
        kept.some((other) => other.name === by) &&
        rows.every((row) => !isNothing(row[by]) || isNothing(row[name])),
    )
  // On a phone, only the first columns are visible, so the most important columns of the list come right after the
  // name.
  const place = ({ name }: Member) => {
    // If no column has a name, the key is the name of an entry of the log.
    if (pairs.has(name) || (name === 'key' && !kept.some((other) => pairs.has(other.name)))) return 0
    const n = first.indexOf(name)
    return n >= 0 ? 1 + n : (LAST.includes(name) ? 2 : 1) + first.length
  }
  return kept.filter((column) => !isSpare(column) && !isSubject(column)).sort((a, b) => place(a) - place(b))
}

/** Members that state the meaning of a code in the form's own words. Each value is the member with the code. */
const SAYS: Readonly<Record<string, string>> = { title: 'item', code_meaning: 'code' }

/** Whether the page has its own words for the code in every row, so that the form's words would only repeat them. */
function isSaid({ name }: Member, stated: readonly Member[], rows: readonly Row[]): boolean {
  const code = stated.find((other) => other.name === SAYS[name])
  if (code === undefined) return false
  const { meaning } = notesOf(code.type)
  return rows.every((row) => codeWords(code.name, String(row[code.name]), meaning) !== null)
}

/** A column with a text longer than this keeps a width in which a sentence can be read. */
const WORDY = 60

/**
 * Members whose columns come last: the number of a row within its filing, its table or the log; the number of its
 * filing; and positions on a map.
 */
const LAST = ['lat', 'lng', 'accession', 'key', 'line', 'n', 'sequence', 'position', 'event_number']

/** Whether an earlier column names the same things in every row, as `id` does for `crd`. */
function isRepeated({ name, type }: Member, before: readonly Member[], rows: readonly Row[]): boolean {
  const { entity } = notesOf(type)
  return (
    entity !== undefined &&
    before.some((other) => notesOf(other.type).entity === entity && rows.every((row) => row[name] === row[other.name]))
  )
}
