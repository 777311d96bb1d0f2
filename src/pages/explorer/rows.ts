/**
 * A table of rows. Columns without a value in any row are left out, and a name stands for the number that it goes with.
 * What all rows have in common is said once, and what does not fit is folded into a cell of each row.
 */
import type { z } from 'zod'
import { type Html, html, verbatim } from '../html.ts'
import { arranged } from './columns.ts'
import { type Linker, type Named, namedBy } from './linker.ts'
import { isNothing, type Member, membersOf, notesOf } from './shape.ts'
import { isNumber, shown } from './value.ts'

type Row = Readonly<Record<string, unknown>>

export interface RowsOptions {
  /** The subject of the table, for screen readers. */
  caption: string
  links: Linker
  /** Members that the page shows elsewhere. */
  without?: readonly string[]
}

export function tableOf(rows: readonly Row[], type: z.ZodType | null, options: RowsOptions): Html {
  const { caption, links, without = [] } = options
  const declared = membersOf(type, Object.assign({}, ...rows) as Row)
  const pairs = namedBy(declared)
  const all = columnsOf(declared, rows, { pairs, links, without })
  const isKept = ({ name }: Member) => pairs.has(name) || name === 'accession'
  const { shown: columns, folded, common } = arranged(all, rows, isKept)
  const isRight = ({ name, type: own }: Member) => rows.every((row) => isNothing(row[name]) || isNumber(row[name], own))
  const right = new Set(columns.filter(isRight).map(({ name }) => name))
  const number = ({ name }: Member) => right.has(name) && verbatim(' class="number"')
  const head = columns.map(
    (column) =>
      html`<th scope="col"${number(column)}${column.meaning && html` title="${column.meaning}"`}>${column.label}</th>`,
  )
  const contentIn = (row: Row, column: Member) => {
    const pair = pairs.get(column.name)
    const within = typeof row.accession === 'string' ? links.within(row.accession) : links
    const value = shown(column.name, row[column.name], column.type, within)
    const id = pair && row[pair.id.name]
    const page =
      pair && typeof id === 'string' && !isNothing(row[column.name]) ? links.about(pair.entity, id, pair.id.name) : null
    return page === null ? value : html`<a href="${page}" title="${`${pair!.id.label} ${String(id)}`}">${value}</a>`
  }
  const line = (row: Row) =>
    html`<tr>${columns.map((column) => html`<td${number(column)}>${contentIn(row, column)}</td>`)}${folded.length > 0 && html`<td>${moreOf(row)}</td>`}</tr>\n`
  const moreOf = (row: Row) => {
    const stated = folded.filter(({ name }) => !isNothing(row[name]))
    if (stated.length === 0) return null
    const facts = stated.map((column) => html`<div><dt>${column.label}</dt><dd>${contentIn(row, column)}</dd></div>`)
    return html`<details class="more"><summary>More</summary><dl>${facts}</dl></details>`
  }
  return html`${commonOf(common, rows[0]!, contentIn)}<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table class="rows"><caption class="unseen">${caption}</caption>
<thead><tr>${head}${folded.length > 0 && verbatim('<th scope="col"><span class="unseen">More</span></th>')}</tr></thead>
<tbody>
${rows.map(line)}</tbody></table></div>`
}

/** Says once what all rows have in common; what none of them is comes last. */
function commonOf(common: readonly Member[], row: Row, contentIn: (row: Row, column: Member) => Html): Html | null {
  if (common.length === 0) return null
  const isNo = ({ name }: Member) => row[name] === false
  const [none, same] = [common.filter(isNo), common.filter((column) => !isNo(column))]
  const said = same.map((column, n) => html`${n > 0 && ' · '}${column.label} <b>${contentIn(row, column)}</b>`)
  const denied = none.map(({ label }) => label).join(', ')
  return html`<p class="common">In all rows: ${said}${same.length > 0 && none.length > 0 && ' · '}${none.length > 0 && html`<b>No</b> for ${denied}`}</p>`
}

/**
 * Returns the columns of a table that have a value in some row. Leaves out numbers of things that are shown by name,
 * and columns that only repeat the subject of the page. Names come first, and numbers of filings and lines last.
 */
function columnsOf(
  declared: readonly Member[],
  rows: readonly Row[],
  { pairs, links, without }: { pairs: ReadonlyMap<string, Named>; links: Linker; without: readonly string[] },
): Member[] {
  const idOf = (row: Row, { id }: Named) => row[id.name]
  const isSubject = ({ name }: Member) => {
    const pair = pairs.get(name)
    return (
      pair !== undefined &&
      rows.every((row) => typeof idOf(row, pair) === 'string' && links.isHere(pair.entity, idOf(row, pair) as string))
    )
  }
  const stated = declared.filter(({ name }) => !without.includes(name) && rows.some((row) => !isNothing(row[name])))
  const kept = stated.filter((column, n) => !isRepeated(column, stated.slice(0, n), rows))
  // A CUSIP is shown next to the name, since people know securities by it.
  const isSpare = ({ name }: Member) =>
    [...pairs].some(
      ([by, { id, entity }]) =>
        id.name === name &&
        entity !== 'cusip' &&
        kept.some((other) => other.name === by) &&
        rows.every((row) => !isNothing(row[by]) || isNothing(row[name])),
    )
  const place = ({ name }: Member) => (pairs.has(name) ? 0 : LAST.includes(name) ? 2 : 1)
  return kept.filter((column) => !isSpare(column) && !isSubject(column)).sort((a, b) => place(a) - place(b))
}

/** Members that number a row within its filing or table, or name its filing. */
const LAST = ['accession', 'line', 'n', 'sequence', 'position']

/** Whether a column before it names the same things in every row: `id` and `crd`. */
function isRepeated({ name, type }: Member, before: readonly Member[], rows: readonly Row[]): boolean {
  const { entity } = notesOf(type)
  return (
    entity !== undefined &&
    before.some((other) => notesOf(other.type).entity === entity && rows.every((row) => row[name] === row[other.name]))
  )
}
