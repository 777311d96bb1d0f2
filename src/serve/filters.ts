/**
 * The filter tree: `{"and": […]}`, `{"or": […]}`, `{"not": node}` over conditions `{"field", "op", "value"}`. Parsing
 * checks every part against the fields that a list offers, so that no cast in Postgres can fail. SQL is made from the
 * fields' own expressions, and values are always parameters. A condition is true or false and never null: a row without
 * a value meets `ne` and `not_in`, and also `not` over a comparison such as `eq`.
 */
import { apiError } from '../declare/api-errors.ts'
import type { Kind } from '../declare/table.ts'
import { notKnown } from '../misspelt.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { type FilterType, VALUES, type Value } from './filter-values.ts'

export type { FilterType } from './filter-values.ts'

/** Maximum length of the text of a tree, in characters. */
const TEXT_MAX = 8192
const DEPTH_MAX = 8
const NODES_MAX = 100
const LIST_MAX = 100

/** A field that a tree may name. */
export interface FilterField {
  kind: Exclude<Kind, 'json'>
  /** Postgres type of the expression. The type of the field decides which values can be compared with the field. */
  type: FilterType
  meaning: string
  /** Returns the SQL of the value that is compared: a value of the row or, with `within`, one of the field's values. */
  expression: (sql: Sql) => Fragment
  /**
   * For a field that has several values per row: wraps the comparison of one value, for example in
   * `exists (select … where ${test})`.
   */
  within?: (sql: Sql, test: Fragment) => Fragment
  /** Whether `expression` and `stored` give folded text, so that the comparison does not have to ignore case. */
  folded?: true
  /**
   * Converts a text value to its stored form: pads a CIK, folds a name. Returns null if no stored value can equal the
   * value.
   */
  stored?: (value: string) => string | null
  /** Converts a whole value to its stored form, for operators that do not compare with a part of a value: pads a CIK. */
  whole?: (value: string) => string
  /**
   * For a field that is a name: the whole condition, which is true if the typed text matches one of the row's names.
   */
  named?: (sql: Sql, typed: string) => Fragment
  /**
   * All values that rows can have, if they are known: any other value is refused instead of answered with an empty
   * list.
   */
  known?: readonly string[] | undefined
  /** Set only if the field accepts fewer operators than other fields of the same kind. */
  operators?: readonly Operator[]
}

export type FilterFields = Readonly<Record<string, FilterField>>

export type Operator = keyof typeof OPERATORS
interface OperatorEntry {
  kinds: readonly Kind[]
  /** The shape of `value`: one value, two values, an array, or a boolean. */
  takes: 'one' | 'two' | 'many' | 'flag'
  meaning: string
  /** The comparison. Absent if the operator is only the negation of another operator. */
  test?: (sql: Sql, x: Fragment, values: readonly Value[], field: FilterField) => Fragment
  contraryOf?: 'eq' | 'in'
}

const ordered: readonly Kind[] = ['number', 'date']
const scalar: readonly Kind[] = ['text', ...ordered]

/** Every operator, in the order in which they are documented. */
export const OPERATORS = {
  eq: {
    kinds: [...scalar, 'boolean'],
    takes: 'one',
    meaning: 'equal',
    test: (sql, x, [v]) => sql`${x} = ${v!}`,
  },
  ne: { kinds: [...scalar, 'boolean'], takes: 'one', meaning: 'not equal, or without a value', contraryOf: 'eq' },
  in: {
    kinds: scalar,
    takes: 'many',
    meaning: 'one of an array',
    test: (sql, x, values, { type }) => sql`${x} = any(${values as string[]}::${sql.unsafe(type)}[])`,
  },
  not_in: { kinds: scalar, takes: 'many', meaning: 'none of an array, or without a value', contraryOf: 'in' },
  gt: { kinds: ordered, takes: 'one', meaning: 'greater or later', test: (sql, x, [v]) => sql`${x} > ${v!}` },
  gte: { kinds: ordered, takes: 'one', meaning: 'at least', test: (sql, x, [v]) => sql`${x} >= ${v!}` },
  lt: { kinds: ordered, takes: 'one', meaning: 'less or earlier', test: (sql, x, [v]) => sql`${x} < ${v!}` },
  lte: { kinds: ordered, takes: 'one', meaning: 'at most', test: (sql, x, [v]) => sql`${x} <= ${v!}` },
  between: {
    kinds: ordered,
    takes: 'two',
    meaning: 'within two bounds, both included',
    test: (sql, x, [low, high]) => sql`${x} between ${low!} and ${high!}`,
  },
  contains: {
    kinds: ['text', 'list'],
    takes: 'one',
    meaning: 'text: contains the letters, in any case; list: contains the value',
    test: (sql, x, [v], field) =>
      field.kind === 'list'
        ? sql`${x} @> array[${v!}]::text[]`
        : sql`${x} ${like(sql, field)} ${`%${likeLiteral(v as string)}%`}`,
  },
  starts_with: {
    kinds: ['text'],
    takes: 'one',
    meaning: 'begins with the letters, in capitals or not',
    test: (sql, x, [v], field) => sql`${x} ${like(sql, field)} ${`${likeLiteral(v as string)}%`}`,
  },
  named: {
    kinds: ['text'],
    takes: 'one',
    meaning: 'matches the words of a name, as the parameter q does',
    test: (sql, _, [v], field) => field.named!(sql, v as string),
  },
  overlaps: {
    kinds: ['list'],
    takes: 'many',
    meaning: 'contains at least one value of an array',
    test: (sql, x, values) => sql`${x} && ${values as string[]}::text[]`,
  },
  is_null: {
    kinds: [...scalar, 'boolean', 'list'],
    takes: 'flag',
    meaning: 'true: the row has no value, or the list is empty; false: the row has a value',
    test: (sql, x, [wanted], { kind }) => {
      // For a filing without values, most columns of lists have an empty list and not null.
      const none = kind === 'list' ? sql`coalesce(cardinality(${x}), 0) = 0` : sql`${x} is null`
      return wanted ? none : sql`not (${none})`
    },
  },
} as const satisfies Record<string, OperatorEntry>

const operators: Readonly<Record<Operator, OperatorEntry>> = OPERATORS

/** Returns the operators that a field accepts, for the parser and for the documentation. */
export function operatorsOf(field: FilterField): Operator[] {
  const names = field.operators ?? (Object.keys(operators) as Operator[])
  return names.filter((name) => operators[name].kinds.includes(field.kind) && (name !== 'named' || field.named))
}

/** A condition on one field, checked. */
export interface Leaf {
  field: string
  op: Operator
  values: readonly Value[]
}
/** A checked tree. */
export type Condition = { and: readonly Condition[] } | { or: readonly Condition[] } | { not: Condition } | Leaf

/**
 * Reads and checks a tree.
 *
 * @param text JSON as the client sent it
 * @param elsewhere makes the message for a name that is not a field of this list but is a field of another list
 * @throws HttpError 400 that names the bad node by its path, for example `filters.and[1].op: "like" is not an operator
 *   of form_type; use one of eq, …`
 */
export function parseFilters(
  text: string,
  fields: FilterFields,
  elsewhere: (name: string) => string | undefined = () => undefined,
): Condition {
  if (text.length > TEXT_MAX) throw wrong('filters', `longer than ${TEXT_MAX} characters`)
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch {
    throw wrong('filters', 'not JSON')
  }
  let nodes = 0
  const node = (value: unknown, path: string, depth: number): Condition => {
    if (depth > DEPTH_MAX) throw wrong(path, `nested more than ${DEPTH_MAX} deep`)
    if (++nodes > NODES_MAX) throw wrong(path, `more than ${NODES_MAX} nodes`)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw wrong(path, `${shown(value)} is not an object with "and", "or", "not" or "field"`)
    }
    const members = new Map(Object.entries(value))
    const only = (...names: string[]) => {
      for (const name of members.keys()) {
        if (!names.includes(name)) throw wrong(path, `${shown(name)} cannot be combined with ${shown(names[0])}`)
      }
    }
    for (const joint of ['and', 'or'] as const) {
      if (!members.has(joint)) continue
      only(joint)
      const parts = members.get(joint)
      if (!Array.isArray(parts) || parts.length === 0) {
        throw wrong(`${path}.${joint}`, `${shown(parts)} is not an array of at least one node`)
      }
      const checked = parts.map((part, i) => node(part, `${path}.${joint}[${i}]`, depth + 1))
      return joint === 'and' ? { and: checked } : { or: checked }
    }
    if (members.has('not')) {
      only('not')
      return { not: node(members.get('not'), `${path}.not`, depth + 1) }
    }
    if (!members.has('field')) throw wrong(path, `has none of "and", "or", "not" and "field"`)
    only('field', 'op', 'value')
    return leaf(members, path, fields, elsewhere)
  }
  return node(tree, 'filters', 1)
}

function leaf(
  members: ReadonlyMap<string, unknown>,
  path: string,
  fields: FilterFields,
  elsewhere: (name: string) => string | undefined,
): Leaf {
  const name = members.get('field')
  const field = typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) {
    const known = `is not a field; use one of ${Object.keys(fields).join(', ')}`
    throw wrong(`${path}.field`, `${shown(name)} ${(typeof name === 'string' && elsewhere(name)) || known}`)
  }
  const op = operatorsOf(field).find((known) => known === members.get('op'))
  if (!op) {
    const known = operatorsOf(field).join(', ')
    throw wrong(`${path}.op`, `${shown(members.get('op'))} is not an operator of ${name}; use one of ${known}`)
  }
  const values = valuesOf(members.get('value'), op, field, `${path}.value`)
  if (!PART_OF_VALUE.includes(op) || field.kind === 'list') assertKnown(values, name as string, field, `${path}.value`)
  return { field: name as string, op, values }
}

/** Operators that compare with a part of a value. For a list, `contains` compares with whole items. */
const PART_OF_VALUE: readonly Operator[] = ['contains', 'starts_with', 'named']

function assertKnown(values: readonly Value[], name: string, { known }: FilterField, path: string): void {
  const unknown = known && values.find((value) => typeof value === 'string' && !known.includes(value))
  if (unknown !== undefined) throw wrong(path, notKnown(unknown as string, name, known!))
}

/** All conditions of a tree, at any depth. */
export function leavesOf(condition: Condition): Leaf[] {
  if ('field' in condition) return [condition]
  return ('not' in condition ? [condition.not] : 'and' in condition ? condition.and : condition.or).flatMap(leavesOf)
}

function valuesOf(value: unknown, op: Operator, field: FilterField, path: string): Value[] {
  const { takes } = operators[op]
  if (takes === 'flag') {
    if (typeof value !== 'boolean') throw wrong(path, `${shown(value)} is not true or false`)
    return [value]
  }
  const isWhole = field.kind === 'list' || !PART_OF_VALUE.includes(op)
  if (takes === 'one') return [one(value, field, path, isWhole)]
  if (!Array.isArray(value)) throw wrong(path, `${shown(value)} is not an array, but ${op} requires one`)
  if (takes === 'two' && value.length !== 2) throw wrong(path, `${op} takes two values`)
  if (value.length === 0 || value.length > LIST_MAX) {
    throw wrong(path, `${value.length} values; ${op} takes 1 to ${LIST_MAX}`)
  }
  return value.map((element, i) => one(element, field, `${path}[${i}]`, isWhole))
}

function one(value: unknown, field: FilterField, path: string, isWhole: boolean): Value {
  const { wanted, read } = VALUES[field.type]
  const found = read(value)
  const convert = field.stored ?? (isWhole ? field.whole : undefined)
  const stored = typeof found === 'string' && convert ? convert(found) : found
  if (stored === null || stored === '') throw wrong(path, `${shown(value)} is not ${wanted}`)
  return stored
}

const wrong = (place: string, reason: string) => apiError('invalid_filters', { place, reason })

/** Shortens a value for an error message. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  // A cut within a character would leave half of it, which strict readers of JSON refuse.
  return text.length > 60 ? `${text.slice(0, 57).toWellFormed()}…` : text
}

/** Escapes text for LIKE, so that its wildcards match only themselves. */
const likeLiteral = (text: string) => text.replace(/[\\%_]/g, '\\$&')
const like = (sql: Sql, { folded }: FilterField) => (folded ? sql`like` : sql`ilike`)

/** SQL of a checked tree, in parentheses where needed. */
export function filterSql(sql: Sql, condition: Condition, fields: FilterFields): Fragment {
  if ('not' in condition) return sql`(${filterSql(sql, condition.not, fields)}) is not true`
  if ('and' in condition || 'or' in condition) {
    const [parts, joint] = 'and' in condition ? [condition.and, sql` and `] : [condition.or, sql` or `]
    return sql`(${parts.map((part, i) => sql`${i > 0 ? joint : sql``}${filterSql(sql, part, fields)}`)})`
  }
  return leafSql(sql, condition, fields[condition.field]!)
}

function leafSql(sql: Sql, { op, values }: Leaf, field: FilterField): Fragment {
  const entry = operators[op]
  if (op === 'named') return entry.test!(sql, sql``, values, field)
  const within = field.within ?? ((_: Sql, test: Fragment) => test)
  if (entry.contraryOf) {
    const contrary = operators[entry.contraryOf].test!
    return sql`(${within(sql, contrary(sql, field.expression(sql), values, field))}) is not true`
  }
  if (op === 'is_null' && field.within)
    return sql`${field.within(sql, sql`true`)} is ${values[0] ? sql`false` : sql`true`}`
  return within(sql, entry.test!(sql, field.expression(sql), values, field))
}

/** The conditions that `and` joins at the top of the tree. A row matches the tree only if it meets all of them. */
export function conjuncts(condition: Condition): readonly Condition[] {
  return 'and' in condition ? condition.and.flatMap(conjuncts) : [condition]
}

/** Names of the fields that the tree uses. */
export function fieldsIn(condition: Condition): Set<string> {
  return new Set(leavesOf(condition).map(({ field }) => field))
}
