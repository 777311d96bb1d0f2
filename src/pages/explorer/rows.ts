/**
 * A table of rows. Columns without a value in any row are left out, and a name stands for the number that it goes with.
 */
import type { z } from 'zod'
import { type Html, html, verbatim } from '../html.ts'
import { type Linker, namedBy } from './linker.ts'
import { isNothing, type Member, membersOf } from './shape.ts'
import { isNumber, shown } from './value.ts'

type Row = Readonly<Record<string, unknown>>

export interface RowsOptions {
  /** The subject of the table, for screen readers. */
  caption: string
  links: Linker
  /** Members that the page shows elsewhere. */
  without?: readonly string[]
}

/** The members of which at least one row has a value, in their declared order. */
function columnsOf(rows: readonly Row[], type: z.ZodType | null, without: readonly string[]): Member[] {
  const all = Object.assign({}, ...rows) as Row
  return membersOf(type, all).filter(({ name }) => !without.includes(name) && rows.some((row) => !isNothing(row[name])))
}

export function tableOf(rows: readonly Row[], type: z.ZodType | null, options: RowsOptions): Html {
  const { caption, links, without = [] } = options
  const all = columnsOf(rows, type, without)
  const pairs = namedBy(all)
  const isSpare = ({ name }: Member) =>
    [...pairs].some(
      ([by, { id }]) => id.name === name && rows.every((row) => !isNothing(row[by]) || isNothing(row[name])),
    )
  // The thing that the page itself is about needs no column.
  const isSubject = ({ name }: Member) => {
    const pair = pairs.get(name)
    return (
      pair !== undefined &&
      rows.every(
        (row) => typeof row[pair.id.name] === 'string' && links.isHere(pair.entity, row[pair.id.name] as string),
      )
    )
  }
  const columns = all.filter(
    (column, n) => !isSpare(column) && !isSubject(column) && !isRepeated(column, all.slice(0, n), rows),
  )
  const isRight = ({ name, type: own }: Member) => rows.every((row) => isNothing(row[name]) || isNumber(row[name], own))
  const right = new Set(columns.filter(isRight).map(({ name }) => name))
  const number = ({ name }: Member) => right.has(name) && verbatim(' class="number"')
  const head = columns.map(
    (column) =>
      html`<th scope="col"${number(column)}${column.meaning && html` title="${column.meaning}"`}>${column.label}</th>`,
  )
  const cell = (row: Row, column: Member) => {
    const pair = pairs.get(column.name)
    const value = shown(column.name, row[column.name], column.type, links)
    const id = pair && row[pair.id.name]
    const page = pair && typeof id === 'string' && !isNothing(row[column.name]) ? links.about(pair.entity, id) : null
    return html`<td${number(column)}>${page === null ? value : html`<a href="${page}" title="${`${pair!.id.label} ${String(id)}`}">${value}</a>`}</td>`
  }
  const line = (row: Row) => html`<tr>${columns.map((column) => cell(row, column))}</tr>\n`
  return html`<div class="wide" tabindex="0" role="region" aria-label="${caption}"><table class="rows"><caption class="unseen">${caption}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${rows.map(line)}</tbody></table></div>`
}

/** Whether an earlier column has the same text in every row, as `id` and `crd` have. */
const isRepeated = ({ name }: Member, before: readonly Member[], rows: readonly Row[]): boolean =>
  rows.length > 1 &&
  before.some((other) => rows.every((row) => typeof row[name] === 'string' && row[name] === row[other.name]))
