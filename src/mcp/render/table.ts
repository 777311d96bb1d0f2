/** Turns rows into a table, with tabs between cells and units in the names of columns. */
import type { z } from 'zod'
import { elementOf, isObject, notesOf, typesOf } from '../../pages/explorer/shape.ts'
import type { Line } from './budget.ts'
import { cell, isEmpty, isPlace, type Limits } from './cell.ts'
import { inLine } from './plain.ts'

type Row = Readonly<Record<string, unknown>>

interface Column {
  name: string
  head: string
}

/**
 * An object within a row is left out if it has more members than this and one of them is an object. It is shown
 * elsewhere.
 */
const INNER_MAX = 6
/** If a table has at least this many rows, a value that all rows share is shown only once. */
const SHARED_MIN = 3

/**
 * Returns the lines of a table. A value that all rows share is shown before the table. Columns without a value are
 * named after the table.
 *
 * @param type the declared type of the array; null if none is declared
 */
export function tableOf(rows: readonly Row[], type: z.ZodType | null, limits: Limits): Line[] {
  const row = elementOf(type)
  const all = Object.assign({}, ...rows.toReversed()) as Row
  const members = typesOf(row, all)
  const isLarge = (name: string) => rows.some((each) => isLargeObject(each[name]))
  const filled = members.filter(({ name }) => rows.some((each) => !isEmpty(each[name])))
  const empty = members.filter(({ name }) => rows.every((each) => isEmpty(each[name])))
  const shown = filled.filter(({ name }) => !isLarge(name))
  const large = filled.filter(({ name }) => isLarge(name))
  const shared = rows.length < SHARED_MIN ? [] : shown.filter(({ name }) => isShared(rows, name))
  const columns = shown
    .filter((member) => !shared.includes(member))
    .map(({ name, type: of }): Column => ({ name, head: headOf(name, of) }))
  const head = columns.map((column) => column.head).join('\t')
  const notes = [
    ...(shared.length > 0
      ? [
          `same in all rows: ${shared.map(({ name, type: of }) => `${headOf(name, of)} = ${cell(rows[0]![name], limits)}`).join(', ')}`,
        ]
      : []),
  ]
  return [
    ...notes.map((text) => ({ text })),
    ...(columns.length === 0
      ? []
      : rows.map((each) => ({ text: columns.map(({ name }) => cell(each[name], limits)).join('\t'), head }))),
    ...(empty.length > 0
      ? [{ text: `(no value in any row: ${empty.map(({ name }) => inLine(name)).join(', ')})` }]
      : []),
    ...(large.length > 0
      ? [{ text: `(left out here, shown in separate parts: ${large.map(({ name }) => inLine(name)).join(', ')})` }]
      : []),
  ]
}

const isLargeObject = (value: unknown) =>
  isObject(value) && !isPlace(value) && Object.keys(value).length > INNER_MAX && Object.values(value).some(isObject)

function isShared(rows: readonly Row[], name: string): boolean {
  const first = JSON.stringify(rows[0]![name])
  return rows.every((row) => JSON.stringify(row[name]) === first)
}

/** Returns `value [USD]`, or only the name if there is no unit. */
export function headOf(name: string, type: z.ZodType | null): string {
  const { unit } = notesOf(type)
  return unit === undefined || unit === 'count' ? inLine(name) : `${inLine(name)} [${unit}]`
}
