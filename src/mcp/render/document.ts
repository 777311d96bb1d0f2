/** Turns an answer into lines of text: first facts, then tables. */
import type { z } from 'zod'
import { z as zod } from 'zod'
import { elementOf, isObject, isRows, notesOf, plain, typesOf } from '../../pages/explorer/shape.ts'
import type { Line } from './budget.ts'
import { BRIEF, cell, isEmpty, isPlace, type Limits, WHOLE } from './cell.ts'
import { inLine, inLines } from './plain.ts'
import { headOf, tableOf } from './table.ts'

/**
 * Members of an answer that are not shown as data: the frame (frame.ts) shows them, or they only lead to the next page.
 */
const FRAME = ['did_you_mean', 'not_loaded', 'next_cursor']
/**
 * Number of rows that are shown of a table within another answer; with the argument `include`, the answer has all rows.
 */
const INNER_ROWS = 5
/** Maximum length of a fact, which is one line. */
const FACT_MAX = 1_000

export interface Shown {
  answer: unknown
  /** Declared type of the answer. */
  type: z.ZodType | null
  /** The member with the rows of a list, which is shown in full. */
  rows: string | null
  /** Members of the answer that are shown in full; if null, all members are shown, and long members are shortened. */
  include: readonly string[] | null
}

/** All lines of an answer. */
export function linesOf({ answer, type, rows, include }: Shown): Line[] {
  const limits = include === null ? BRIEF : WHOLE
  if (Array.isArray(answer)) return arrayLines('rows', answer, type, { isWhole: true, limits })
  if (!isObject(answer)) return [{ text: cell(answer, factOf(limits)) }]
  const chosen = Object.fromEntries(
    Object.entries(answer).filter(([name]) => !FRAME.includes(name) && (include?.includes(name) ?? true)),
  )
  return objectLines('', chosen, type, { isWhole: (name) => include !== null || name === rows, limits })
}

/** Limits of a fact: its text may be longer than the text of a cell. */
const factOf = ({ max, listed }: Limits): Limits => ({ max: Math.max(max, FACT_MAX), listed })

interface Size {
  isWhole: (name: string) => boolean
  limits: Limits
}

function objectLines(
  path: string,
  value: Readonly<Record<string, unknown>>,
  type: z.ZodType | null,
  { isWhole, limits }: Size,
): Line[] {
  const members = typesOf(type, value).filter(({ name }) => name in value)
  const facts: Line[] = []
  const parts: Line[] = []
  const empty: string[] = []
  for (const { name, type: of } of members) {
    const inner = value[name]
    const at = path === '' ? name : `${path}.${name}`
    if (isEmpty(inner)) empty.push(inLine(name))
    else if (isRows(inner)) parts.push(...arrayLines(at, inner, of, { isWhole: isWhole(name), limits }))
    else if (isObject(inner) && !isPlace(inner))
      parts.push(...innerLines(at, inner, of, { isWhole: isWhole(name), limits }))
    else if (typeof inner === 'string' && (inner.includes('\n') || (isWhole(name) && inner.length > FACT_MAX))) {
      parts.push(
        { text: `## ${inLine(at)}` },
        ...inLines(inner)
          .split('\n')
          .map((text) => ({ text: `> ${text}` })),
      )
    } else facts.push({ text: `${headOf(name, of)}: ${cell(inner, factOf(limits))}` })
  }
  const title = path === '' || facts.length === 0 ? [] : [{ text: `## ${inLine(path)}` }]
  const nothing = empty.length > 0 ? [{ text: `(no value: ${empty.join(', ')})` }] : []
  return [...title, ...facts, ...nothing, ...parts]
}

/**
 * Shows an object within an answer as facts. If all members of the object have the same shape, as in `links`, shows a
 * table instead.
 */
function innerLines(
  at: string,
  value: Readonly<Record<string, unknown>>,
  type: z.ZodType | null,
  { isWhole, limits }: { isWhole: boolean; limits: Limits },
): Line[] {
  const entries = Object.entries(value)
  if (plain(type) instanceof zod.ZodRecord && entries.every(([, each]) => isObject(each))) {
    const rows = entries.map(([name, each]) => ({ name, ...(each as object) }))
    return arrayLines(at, rows, null, { isWhole: true, limits })
  }
  return objectLines(at, value, type, { isWhole: () => isWhole, limits })
}

function arrayLines(
  at: string,
  values: readonly unknown[],
  type: z.ZodType | null,
  { isWhole, limits }: { isWhole: boolean; limits: Limits },
): Line[] {
  if (!isRows(values)) {
    return values.length === 0
      ? [{ text: `${inLine(at)}: none` }]
      : [{ text: `${inLine(at)}: ${cell(values, factOf(limits))}` }]
  }
  const shown = isWhole ? values : values.slice(0, INNER_ROWS)
  const member = at.split('.')[0]!
  const more = shown.length < values.length ? `, the first ${shown.length}; include=["${member}"] shows all` : ''
  const { unit } = notesOf(elementOf(type))
  return [
    { text: `## ${inLine(at)} (${values.length} rows${more})${unit ? ` [${unit}]` : ''}` },
    ...tableOf(shown, type, limits),
  ]
}
