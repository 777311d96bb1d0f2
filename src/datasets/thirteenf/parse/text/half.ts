/**
 * Joins tables that were too wide for a page and were cut in two. The upper half has the columns from issuer to amount.
 * The lower half repeats the issuers in the same order, with other managers and voting authority
 * (0000950150-03-000957). The halves are joined only if every row fits: equal numbers of rows, the same names, and
 * votes that add up to the shares.
 */
import type { Findings, Holding } from '../types.ts'
import { note } from '../values.ts'
import { columnOf } from './columns.ts'
import { isRule, managersIn } from './line.ts'
import { digitsOf, isAmount } from './number.ts'
import type { Word } from './words.ts'

/** The part of a table below one line of the column tags `<S>` and `<C>`. */
export interface Half {
  columns: readonly number[]
  /** Number of holdings that were read before this part. */
  from: number
  rows: (readonly Word[])[]
}

/** The `path` of problems with the managers and votes of a text table. */
export const MANAGERS_AND_VOTES = 'text table, managers and votes'

export const NO_VOTES = { sole: null, shared: null, none: null }

type Votes = Record<'sole' | 'shared' | 'none', string | null>

interface Line {
  security: { issuer: readonly string[] }
  amount: Word
  tail: Votes & Pick<Holding, 'managers' | 'discretion'>
}

/**
 * Completes lines of upper halves from the lower halves. Records a problem with the reason if a half cannot be joined.
 */
export function joinHalves(halves: readonly Half[], lines: readonly Line[], found: Findings): void {
  const linesOf = (at: number) => lines.slice(halves[at]!.from, halves[at + 1]?.from ?? lines.length)
  const below = halves.map((half, at) => (linesOf(at).length === 0 ? rowsOf(half) : []))
  const lastBelow = below.findLastIndex((rows) => rows.length > 0)
  for (const at of halves.keys()) {
    const own = linesOf(at)
    if (at >= lastBelow || own.length === 0 || own.some(({ tail }) => hasVotes(tail))) continue
    const rows = below[at + 1]!
    const reason = rows.length === 0 ? 'stand further below' : differenceOf(rows, own)
    if (reason !== null) note(found, MANAGERS_AND_VOTES, `${rows.length} rows below ${own.length} lines`, reason)
    else
      for (const [n, { managers, discretion, votes }] of rows.entries()) {
        const { tail } = own[n]!
        Object.assign(tail, votes, {
          managers: tail.managers ?? managersIn(managers),
          discretion: tail.discretion ?? discretion,
        })
      }
  }
}

const hasVotes = ({ sole, shared, none }: Votes): boolean => (sole ?? shared ?? none) !== null

/** Returns why the rows do not match the lines, or null if they do. */
function differenceOf(rows: readonly Row[], lines: readonly Line[]): string | null {
  if (rows.length !== lines.length) return 'are not as many as the lines above'
  for (const [at, { name, votes }] of rows.entries()) {
    const { security, amount } = lines[at]!
    const isSame = security === lines[at - 1]?.security
    if (name === '' ? !isSame : plain(name) !== plain(security.issuer.join(' '))) {
      return `row ${at + 1} is of ${name || 'no name'} and not ${security.issuer.join(' ')}`
    }
    const sum = Object.values(votes).reduce((all, vote) => all + BigInt(vote ?? 0), 0n)
    if (sum !== BigInt(digitsOf(amount.text))) return `row ${at + 1} has votes that do not add up to its shares`
  }
  return null
}

const plain = (name: string): string => name.toUpperCase().replace(/[^A-Z0-9]/g, '')

interface Row {
  /** Empty if the row has no name of its own and belongs to the name above. */
  name: string
  managers: Word[]
  discretion: Holding['discretion']
  votes: Votes
}

const NOTHING = () => ({ name: '', managers: [] as Word[], discretion: null as Row['discretion'] })

/** Splits a lower half into rows: a row ends with the line of its votes, unless its managers continue below. */
function rowsOf({ columns, rows: lines }: Half): Row[] {
  const shape = SHAPES.get(columns.length)
  if (shape === undefined) return []
  const rows: Row[] = []
  let begun = NOTHING()
  const isVotes = (word: Word) => /^(sole|shared|none)$/.test(shape[columnOf(word, columns)]!)
  for (const all of lines) {
    const line = all.filter((word) => !isRule(word) || isVotes(word))
    const votes: Votes = { ...NO_VOTES }
    const managers: Word[] = []
    const name: string[] = []
    const dashes: (keyof Votes)[] = []
    for (const word of line) {
      const what = shape[columnOf(word, columns)]!
      if (what === 'name') name.push(word.text)
      else if (what === 'managers') managers.push(word)
      else if (what === 'SOLE' || what === 'DFND' || what === 'OTR') begun.discretion = what
      else if (isAmount(word.text)) votes[what] = digitsOf(word.text)
      else if (/^-+$/.test(word.text)) dashes.push(what)
    }
    const above = rows.at(-1)
    if (managers.length + dashes.length === line.length && above?.managers.at(-1)?.text.endsWith(',')) {
      above.managers.push(...managers)
      continue
    }
    for (const part of name) begun.name += begun.name === '' ? part : ` ${part}`
    begun.managers.push(...managers)
    // Dashes mean no votes if other votes stand next to them; alone they are a rule.
    if (!hasVotes(votes)) continue
    for (const what of dashes) votes[what] ??= '0'
    rows.push({ ...begun, votes })
    begun = NOTHING()
  }
  return rows
}

type Column = 'name' | 'managers' | NonNullable<Holding['discretion']> | keyof Votes

/** Contents of the columns of a lower half, by the number of its columns. */
const SHAPES: ReadonlyMap<number, readonly Column[]> = new Map(
  (
    [
      ['name', 'sole', 'shared', 'none'],
      ['name', 'managers', 'sole', 'shared', 'none'],
      ['name', 'SOLE', 'DFND', 'OTR', 'managers', 'sole', 'shared', 'none'],
    ] as const
  ).map((shape) => [shape.length, shape]),
)
