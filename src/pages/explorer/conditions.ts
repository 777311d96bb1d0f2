/**
 * The filter tree of a list as rows of a form: each row has a field, an operator and a value. A form cannot write a
 * tree, so it sends its rows as three parameters, and the page redirects to the address with the tree.
 */
import { z } from 'zod'
import { type Html, html, verbatim } from '../html.ts'
import { changed, queryIn } from './addresses.ts'
import { isObject } from './shape.ts'
import { wordsFor } from './words.ts'

/** Parameters of a row; a form repeats them for each row. */
const [FIELD, OP, VALUE] = ['where', 'op', 'value']
/** Number of empty rows that a form has for further conditions. */
const EMPTY_ROWS = 2

/** A field that a tree may name, as `/filings/families` lists it. */
export interface Field {
  name: string
  operators: readonly string[]
  description: string
}

const OPERATORS: Readonly<Record<string, string>> = {
  eq: 'is',
  ne: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  between: 'is between',
  contains: 'contains',
  starts_with: 'begins with',
  named: 'has the name',
  overlaps: 'has one of',
  is_null: 'is not stated',
}
/** Operators whose value is an array: in a form, commas separate its values. */
const MANY = ['in', 'not_in', 'between', 'overlaps']

const condition = z.strictObject({ field: z.string(), op: z.string(), value: z.unknown() })
type Condition = z.infer<typeof condition>
const tree = z.union([
  condition.transform((one) => [one]),
  z.strictObject({ and: z.array(condition) }).transform(({ and }) => and),
])

/** The conditions of a tree; null for a tree that rows cannot show, such as one with `or`. */
export function conditionsIn(text: string): readonly Condition[] | null {
  try {
    return tree.safeParse(JSON.parse(text)).data ?? null
  } catch {
    // The text is not JSON: the answer reports the error.
    return null
  }
}

/** The address with its form rows replaced by a tree; null if the address has no form rows. */
export function withTree(url: string): string | null {
  const query = queryIn(url)
  if (!query.has(FIELD) && !query.has(OP) && !query.has(VALUE)) return null
  const [fields, ops, values] = [FIELD, OP, VALUE].map((name) => query.getAll(name)) as [string[], string[], string[]]
  const rows = fields.flatMap((field, n) => {
    const [op = '', value = ''] = [ops[n], values[n]?.trim()]
    if (field === '' || op === '' || (value === '' && op !== 'is_null')) return []
    return [{ field, op, value: typed(op, value) }]
  })
  const without = [FIELD, OP, VALUE, 'filters', 'cursor', 'offset']
  return changed(url, rows.length === 0 ? {} : { filters: JSON.stringify({ and: rows }) }, without)
}

/** Converts a typed value to JSON for the filter tree. Numbers and days stay text, which every field takes. */
function typed(op: string, value: string): unknown {
  if (op === 'is_null') return !/^(no|false)$/i.test(value)
  if (MANY.includes(op)) return value.split(',').map((each) => each.trim())
  return /^(true|false)$/.test(value) ? value === 'true' : value
}

/** @returns null for a tree that rows cannot show */
export function conditionRows(url: string, fields: readonly Field[]): Html | null {
  const text = queryIn(url).get('filters')
  const conditions = text === null ? [] : conditionsIn(text)
  if (conditions === null) return null
  const words = new Set(fields.flatMap(({ operators }) => operators))
  const ops = Object.keys(OPERATORS).filter((op) => words.has(op))
  const rows = [...conditions, ...Array.from({ length: EMPTY_ROWS }, () => ({ field: '', op: 'eq', value: '' }))]
  const row = (
    { field, op, value }: Condition,
    n: number,
  ) => html`<div class="condition" role="group" aria-label="${`Condition ${n + 1}`}">
<select name="${FIELD}" aria-label="Field"><option value="">Choose a field</option>${optionsOf(fields, field)}</select>
<select name="${OP}" aria-label="Comparison">${ops.map((each) => html`<option value="${each}"${each === op && verbatim(' selected')}>${OPERATORS[each]}</option>`)}</select>
<input name="${VALUE}" aria-label="Value" value="${valueText(value)}" autocomplete="off">
</div>
`
  return html`<fieldset class="conditions"><legend>Conditions</legend>
<p class="help">All conditions must hold. Separate several values by commas.</p>
${rows.map(row)}</fieldset>`
}

function optionsOf(fields: readonly Field[], chosen: string): Html[] {
  const own = fields.some(({ name }) => name === chosen) || chosen === '' ? [] : [{ name: chosen, description: '' }]
  return [...own, ...fields].map(
    ({ name, description }) =>
      html`<option value="${name}"${name === chosen && verbatim(' selected')}${description !== '' && html` title="${description}"`}>${wordsFor(name)}</option>`,
  )
}

const valueText = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(String).join(', ')
    : value === true
      ? 'true'
      : value === false
        ? 'false'
        : String(value ?? '')

/** The fields that every family has, and the fields of the family that the address chooses. */
export function fieldsIn(families: unknown, url: string): readonly Field[] {
  const of = (object: unknown, name: string): unknown => (isObject(object) ? object[name] : undefined)
  const all = of(families, 'families')
  const slug = queryIn(url).get('family')
  const family = Array.isArray(all) ? all.find((each) => of(each, 'slug') === slug) : undefined
  return z
    .array(fieldShape)
    .parse([...listed(of(of(families, 'universal'), 'fields')), ...listed(of(of(family, 'feed_spec'), 'facets'))])
}

const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const fieldShape = z.object({ name: z.string(), operators: z.array(z.string()), description: z.string() })
