/**
 * Rebuilds the XML elements of a form from the lines of a data set, whose columns have the values of the form's
 * elements. So the form's parser reads both XML and data sets, and a filing has the same rows from either source.
 */
import type { CsvRow } from './csv.ts'
import { day, namedDay } from './values.ts'
import { AttributeName, Layout, Shape } from './xml/shapes.ts'
import { Attributes, Node, pathOf } from './xml/tree.ts'
import { Element, type Problem } from './xml.ts'

/** Columns by the path of the element that they fill: `a/b`, or `a/@b` for an attribute. */
export type Plan = Readonly<Record<string, string>>

/** Describes how the lines of a member become elements below the element of their parent line. */
export interface Branch {
  member: string
  /**
   * Path of the element. The value of a column may decide which of several elements a line becomes. Then `paths` maps
   * each value of `column`, in capitals, to the path of an element.
   */
  at: string | { column: string; paths: Readonly<Record<string, string>> }
  texts?: Plan
  /** Columns with days in the form 31-MAR-2026. */
  days?: Plan
  /** Columns with several words between commas: `F1, F2`. Each word becomes a separate element. */
  lists?: Plan
  /** Columns that are not part of the form: surrogate keys, and facts that EDGAR adds. */
  ignored?: readonly string[]
  /** Whether the line adds values to the existing element instead of making a new element. */
  once?: true
  /** Handles what a plan cannot express. */
  more?: (made: Made, row: CsvRow, lines: Lines) => void
  /** The column through which lines of branches refer to this line. */
  by?: string
  branches?: readonly Branch[]
}

/**
 * An element under construction. The element stays absent until something is put into it. It is itself the node that the
 * parser reads: with a second object and a map for the construction of each node, it took a fifth more time.
 */
export class Made extends Node {
  #last: Made | null = null
  /**
   * A linked list of the children that are made only once, because they are on the paths to other elements. `#ones` is
   * the newest of them, and `#otherOnes` of a child is the one that was made before it. The list is short, since each
   * name occurs in it once.
   */
  #ones: Made | null = null
  #otherOnes: Made | null = null
  #texts: string[] | null = null

  private constructor(shape: Shape) {
    super(shape, null)
  }

  /** @param name name of the root. It must come from a parser's own code, since it is cached forever */
  static root(name: string): Made {
    let shape = roots.get(name)
    if (!shape) {
      shape = shapeOf(new Shape(null, '', '', ''), name)
      roots.set(name, shape)
    }
    return new Made(shape)
  }

  /**
   * Appends a new element at that path, after others of the same name. Elements on the way to the new element are made
   * only once.
   */
  child(path: string): Made {
    const { steps } = pathOf(path)
    return this.#within(steps, steps.length - 1).#append(steps.at(-1)!)
  }

  /** Returns the one element at that path, and makes it if it is absent. */
  within(path: string): Made {
    const { steps } = pathOf(path)
    return this.#within(steps, steps.length)
  }

  /** Puts a text at a path; null puts nothing. */
  put(path: string, text: string | null): this {
    if (text === null) return this
    const { steps, attribute } = pathOf(path)
    const made = this.#within(steps, steps.length)
    if (attribute === null) made.text = text
    else made.#attribute(attribute, text)
    return this
  }

  /**
   * Appends a new element with this text at the path, or a new element with this text in an attribute: `a/b`, `a/b/@c`.
   * Null appends nothing, since an empty element would mean that the form has such an element.
   */
  add(path: string, text: string | null): void {
    if (text === null) return
    const { steps, attribute } = pathOf(path)
    const made = this.#within(steps, steps.length - 1).#append(steps.at(-1)!)
    if (attribute === null) made.text = text
    else made.#attribute(attribute, text)
  }

  /** Puts a text into the element itself; null puts nothing. */
  setText(text: string | null): void {
    if (text !== null) this.text = text
  }

  /** Puts the values of a line's columns at their paths. */
  fill(row: CsvRow, texts: Plan, days: Plan = NOTHING): this {
    for (const path in texts) this.put(path, row.text(texts[path]!))
    for (const path in days) this.put(path, isoDay(row.text(days[path]!)))
    return this
  }

  /** Puts each word of a column into a new element at its path, or into an attribute of a new element. */
  fillLists(row: CsvRow, lists: Plan): void {
    for (const path in lists) {
      const words = row.text(lists[path]!)?.split(',') ?? []
      for (const word of words.map((each) => each.trim()).filter((each) => each !== '')) this.add(path, word)
    }
  }

  element(): Element {
    return new Element(this)
  }

  #within(steps: readonly string[], count: number): Made {
    let made: Made = this
    for (let at = 0; at < count; at++) made = made.#one(steps[at]!)
    return made
  }

  #one(name: string): Made {
    for (let one = this.#ones; one !== null; one = one.#otherOnes) if (one.shape.name === name) return one
    const made = this.#append(name)
    made.#otherOnes = this.#ones
    this.#ones = made
    return made
  }

  #append(name: string): Made {
    const made = new Made(shapeOf(this.shape, name))
    if (this.#last) this.#last.next = made
    else this.first = made
    this.#last = made
    return made
  }

  #attribute(name: string, text: string): void {
    let known = this.shape.attributes.get(name)
    if (!known) {
      known = new AttributeName(name, '', name)
      this.shape.attributes.set(name, known)
    }
    if (!this.#texts) {
      this.#texts = []
      const attributes = new Attributes(new Layout([]), this.#texts)
      ;(this as { attributes: Attributes }).attributes = attributes
    }
    ;(this.attributes!.layout.names as AttributeName[]).push(known)
    this.#texts.push(text)
  }
}

/** The lines of a filing by member, and the lines of a member by the value of a column. */
export class Lines {
  readonly #lines: ReadonlyMap<string, readonly CsvRow[]>
  readonly #by = new Map<string, Map<string | null, CsvRow[]>>()
  /**
   * Lines that branches have put into elements. The function `more` of a branch also adds the lines that it has used.
   */
  readonly placed = new Set<CsvRow>()
  constructor(lines: ReadonlyMap<string, readonly CsvRow[]>) {
    this.#lines = lines
  }

  of(member: string): readonly CsvRow[] {
    return this.#lines.get(member) ?? NO_LINES
  }

  /** The line of a member that has one line for each filing. */
  one(member: string): CsvRow {
    return this.of(member)[0]!
  }

  where(member: string, column: string, value: string | null): readonly CsvRow[] {
    const name = `${member}/${column}`
    let by = this.#by.get(name)
    if (!by) {
      by = Map.groupBy(this.of(member), (row) => row.text(column))
      this.#by.set(name, by)
    }
    return by.get(value) ?? NO_LINES
  }
}

/**
 * Keeps all lines of a filing in memory, including the lines of the member that has the records. It is meant for forms
 * that have few records in a filing.
 *
 * @param member the member of records
 */
export async function heldLines(
  lines: ReadonlyMap<string, readonly CsvRow[]>,
  records: Iterable<{ row: CsvRow }> | AsyncIterable<{ row: CsvRow }> | null,
  member: string,
): Promise<Map<string, readonly CsvRow[]>> {
  const held: CsvRow[] = []
  for await (const { row } of records ?? []) held.push(row)
  return new Map(lines).set(member, held)
}

/** Sorts lines by a key. The key of each line is read only once, so that an unreadable key is reported only once. */
export const sortedBy = <K extends string | number>(rows: readonly CsvRow[], keyOf: (row: CsvRow) => K): CsvRow[] =>
  rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row)

/**
 * Sorts the lines of members in place, by a number that states their order in the form. A line without this number
 * stays before the others.
 *
 * @param numbers the column with the number, by member
 */
export function sortNumbered(
  lines: Map<string, readonly CsvRow[]>,
  numbers: Readonly<Record<string, string>>,
): Map<string, readonly CsvRow[]> {
  for (const member in numbers) {
    const sorted = sortedBy(lines.get(member) ?? NO_LINES, (row) => row.integer(numbers[member]!) ?? -1)
    lines.set(member, sorted)
  }
  return lines
}

/** Makes the element with this name and adds the elements of the branches, as `grow` does. */
export function grown(name: string, branches: readonly Branch[], lines: Lines): Made {
  const made = Made.root(name)
  grow(made, branches, lines)
  return made
}

/**
 * Makes the elements of the branches below this element. A line that belongs to none of the elements is recorded as a
 * problem. If a line has no value that the branch reads, it makes no element. An empty element would mean that the form
 * has such an element.
 */
export function grow(
  made: Made,
  branches: readonly Branch[],
  lines: Lines,
  key?: readonly [column: string, value: string | null],
): void {
  for (const branch of branches) {
    const { member, at, texts = NOTHING, days, lists, ignored = [], once, more, by, branches: own } = branch
    for (const row of key ? lines.where(member, ...key) : lines.of(member)) {
      row.ignore(...ignored)
      const path = typeof at === 'string' ? at : placeOf(row, at)
      if (path === null) continue
      lines.placed.add(row)
      if (isBlank(branch, row)) continue
      const one = path === '' ? made : once ? made.within(path) : made.child(path)
      one.fill(row, texts, days)
      if (lists) one.fillLists(row, lists)
      more?.(one, row, lines)
      if (own) grow(one, own, lines, by === undefined ? undefined : [by, row.text(by)])
    }
  }
}

/**
 * Whether a line has no value for its element. Never true for a branch that adds to an existing element (`once`). Also
 * never true if the element gets a meaning from code (`more`), from the column that decides on its path, or from
 * further lines (`by`, `branches`).
 */
function isBlank({ at, texts = NOTHING, days = NOTHING, lists = NOTHING, ...branch }: Branch, row: CsvRow) {
  const { once, more, by, branches } = branch
  if (typeof at !== 'string' || once || more || by !== undefined || branches) return false
  const columns = [texts, days, lists].flatMap((plan) => Object.values(plan))
  return columns.map((column) => row.text(column)).every((text) => text === null)
}

function placeOf(row: CsvRow, { column, paths }: Exclude<Branch['at'], string>): string | null {
  const word = row.text(column)
  const path = paths[word?.toUpperCase() ?? '']
  if (path === undefined) row.problem(column, word ?? '', `is not one of ${Object.keys(paths).join(', ')}`)
  return path ?? null
}

const NO_LINES: readonly CsvRow[] = []
const NOTHING: Plan = {}
const roots = new Map<string, Shape>()

function shapeOf(parent: Shape, name: string): Shape {
  let shape = parent.children.get(name)
  if (!shape) {
    shape = new Shape(parent, name, '', name)
    parent.children.set(name, shape)
  }
  return shape
}

/** Rewrites `31-MAR-2026` as forms write it. Any other text stays unchanged, and the parser refuses it. */
export function isoDay(text: string | null): string | null {
  const [, day, month, year] = /^(\d\d)-([A-Z]{3})-(\d{4})$/i.exec(text ?? '') ?? []
  return day === undefined ? text : (namedDay(year, month, day) ?? text)
}

/** Reads a day like 31-MAR-2026 or 2026-03-31 in a column; an invalid day is a problem of the line. */
export const namedDayOf = (row: CsvRow, column: string): string | null =>
  row.value(column, (text) => day(isoDay(text)!, 'iso'), 'not a day written as DD-MON-YYYY or YYYY-MM-DD')

/**
 * Yields the problems of an element that was made from a line of a data set. In the paths of these problems, the line
 * replaces the root.
 */
export function* problemsOf(element: Element, row: CsvRow): Generator<Problem> {
  for (const problem of element.problems()) {
    yield { ...problem, path: problem.path.replace(/^\/[^/]*/, `${row.file}:${row.number}`) }
  }
}
