/**
 * Reads maps of quarterly data sets: files of tab-separated lines. A line states which element of the form a column of
 * a member becomes. An analyst can compare such a file with the publisher's description of the sets.
 */
import type { Branch, Plan } from './made.ts'

const CELLS = ['member', 'column', 'kind', 'becomes', 'word', 'note', 'within'] as const

/**
 * The kinds of lines; the kind of a line states what happens to its column. src/ingest/sets/README.md describes them.
 */
const KINDS = [
  ...(['line', 'into', 'choice', 'text', 'day', 'list', 'box', 'later text', 'later box'] as const),
  ...(['key', 'number', 'aside', 'code', 'unasked'] as const),
]
type Kind = (typeof KINDS)[number]

/** Kinds of lines that name no element, since their columns fill no element. */
const WITHOUT_ELEMENT: readonly Kind[] = ['key', 'number', 'aside', 'code', 'unasked']
const WITH_WORD: readonly Kind[] = ['choice', 'box', 'later box']

interface MapLine {
  member: string
  column: string
  kind: Kind
  becomes: string
  word: string
  within: string
}

/**
 * Columns that contain Y if a box is ticked. For each: the path of the box in the form, and the word that the form uses
 * for a ticked box.
 */
export type Boxes = Readonly<Record<string, readonly [path: string, word: string]>>

/** The part of a map for one member within one element of the form. */
export interface MappedMember {
  texts: Plan
  days: Plan
  boxes: Boxes
  /** Boxes that later versions of the form added: older sets may lack their columns. */
  later: Boxes
  /** Columns that the form does not ask for in lines of this member. */
  unasked: readonly string[]
}

/** Code for columns of a member that a map cannot express. */
export type More = Readonly<Record<string, NonNullable<Branch['more']>>>

/** The map of a data set. A map is built once, and each of its methods returns new objects. */
export class SetMap {
  readonly #lines: readonly MapLine[]

  /**
   * @param files the name of each file, as errors show it, and its text
   * @throws Error that states the file, the number of the first wrong line and the fault
   */
  constructor(files: Iterable<readonly [name: string, text: string]>) {
    const seen = new Map<string, string>()
    this.#lines = [...files].flatMap(([name, text]) => linesOf(name, text, seen))
  }

  /** Returns the part of the map that says what the columns of a member become inside the element `within`. */
  member(within: string, member: string): MappedMember {
    const of = (...kinds: Kind[]) => this.#of(within, member).filter(({ kind }) => kinds.includes(kind))
    const plan = (...kinds: Kind[]): Plan =>
      Object.fromEntries(of(...kinds).map(({ becomes, column }) => [becomes, column]))
    const boxes = (kind: Kind): Boxes =>
      Object.fromEntries(of(kind).map(({ column, becomes, word }) => [column, [becomes, word] as const]))
    return {
      texts: plan('text', 'later text'),
      days: plan('day'),
      boxes: boxes('box'),
      later: boxes('later box'),
      unasked: of('unasked').map(({ column }) => column),
    }
  }

  /** Returns the branches within an element or below the lines of a member, in the order of the map. */
  branches(within: string, more: More = {}): Branch[] {
    const members = new Set(this.#lines.filter((line) => line.within === within).map(({ member }) => member))
    return [...members].flatMap((member) => {
      const own = this.#of(within, member)
      const of = (...kinds: Kind[]) => own.filter(({ kind }) => kinds.includes(kind))
      const [place] = of('line', 'into')
      const choices = of('choice')
      if (!place && choices.length === 0) return []
      const { texts, days } = this.member(within, member)
      const below = this.branches(member, more)
      const [number] = of('number')
      const lists = of('list')
      return {
        member,
        at: place
          ? place.becomes
          : {
              column: choices[0]!.column,
              paths: Object.fromEntries(choices.map(({ word, becomes }) => [word, becomes])),
            },
        texts,
        days,
        ignored: of('key', 'aside').map(({ column }) => column),
        ...(lists.length > 0 && { lists: Object.fromEntries(lists.map(({ becomes, column }) => [becomes, column])) }),
        ...(place?.kind === 'into' && { once: true as const }),
        ...(more[member] && { more: more[member] }),
        ...(number && { by: number.column }),
        ...(below.length > 0 && { branches: below }),
      }
    })
  }

  /**
   * Returns the members with the columns that every set must have. These are all columns that are read, so that a
   * renamed column is noticed. If a map names a member followed by a blank and further words, the name means only a
   * part of the member's lines.
   */
  members(): Record<string, readonly string[]> {
    const isNeeded = ({ column, kind }: MapLine) => column !== '' && kind !== 'aside' && !kind.startsWith('later')
    const byMember = Map.groupBy(this.#lines, ({ member }) => member.split(' ')[0]!)
    return Object.fromEntries(
      [...byMember].map(([member, lines]) => [
        member,
        [...new Set(lines.filter(isNeeded).map(({ column }) => column))],
      ]),
    )
  }

  /** Returns the members whose lines have the column as their key. */
  keyedBy(key: string): string[] {
    const keyed = this.#lines.filter(({ kind, column }) => kind === 'key' && column === key)
    return [...new Set(keyed.map(({ member }) => member.split(' ')[0]!))]
  }

  #of(within: string, member: string): MapLine[] {
    return this.#lines.filter((line) => line.within === within && line.member === member)
  }
}

/** Returns a function that makes its value at the first call, and returns the same value later. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Branches: one for each fault that a line may have. */
function linesOf(file: string, text: string, seen: Map<string, string>): MapLine[] {
  const [head, ...rest] = text.replace(/\n$/, '').split('\n')
  const refuse = (line: number, what: string): never => {
    throw new Error(`${file}, line ${line}: ${what}`)
  }
  if (head !== CELLS.join('\t')) refuse(1, `the columns must be ${CELLS.join(', ')}`)
  return rest.map((raw, index) => {
    const number = index + 2
    const cells = raw.split('\t')
    if (cells.length !== CELLS.length) refuse(number, `has ${cells.length} cells instead of ${CELLS.length}`)
    if (cells.some((cell) => cell !== cell.trim())) refuse(number, 'has a blank at the end of a cell')
    const [member, column, kind, becomes, word, , within] = cells as [string, string, Kind, ...string[]]
    const line = { member, column, kind, becomes: becomes!, word: word!, within: within! }
    if (!KINDS.includes(line.kind)) refuse(number, `"${kind}" is not one of ${KINDS.join(', ')}`)
    const isPlace = line.kind === 'line' || line.kind === 'into'
    if (line.member === '' || line.within === '') refuse(number, 'needs a member, and the element that has it')
    if (isPlace !== (line.column === '')) refuse(number, isPlace ? 'a place has no column' : 'needs a column')
    if (WITHOUT_ELEMENT.includes(line.kind) && line.becomes !== '') refuse(number, `${kind} has no element`)
    if (!WITHOUT_ELEMENT.includes(line.kind) && line.kind !== 'into' && line.becomes === '')
      refuse(number, `${kind} needs an element`)
    if (WITH_WORD.includes(line.kind) !== (line.word !== ''))
      refuse(number, line.word === '' ? `${kind} needs a word` : `${kind} has no word`)
    for (const statement of statementsOf(line)) {
      const before = seen.get(statement)
      if (before !== undefined) refuse(number, `states the same as ${before}`)
      seen.set(statement, `${file}, line ${number}`)
    }
    return line
  })
}

/**
 * Returns the statements of a line that no other line may repeat. They are where a member is placed, how a column is
 * used, and which source an element has.
 */
function statementsOf({ within, member, column, kind, becomes, word }: MapLine): string[] {
  const stating = (...what: string[]) => [within, member, ...what].join('\t')
  if (kind === 'line' || kind === 'into') return [stating('place')]
  if (kind === 'choice') return [stating(column, word)]
  // The column with the number may also be an element of the form, so another line of the map may use this column.
  if (kind === 'number') return [stating('number')]
  const own = stating('column', column)
  const isSource = kind === 'text' || kind === 'later text' || kind === 'day' || kind === 'list'
  return isSource ? [own, stating('element', becomes)] : [own]
}
