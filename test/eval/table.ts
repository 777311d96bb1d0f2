/** Prints the scores of an evaluation as one table, and its misses as a list. */
import { SETS, type SetName } from './pile.ts'
import type { Recorded } from './recorded.ts'
import { type Counts, type Score, sumOf } from './score.ts'

export interface Scored {
  set: SetName
  reader: string
  name: string
  score: Score
}

const COLUMNS = [
  ['set', 11],
  ['reader', 16],
  ['fact', 30],
  ['when', 6],
  ['typed', 5],
  ['read', 5],
  ['right', 5],
  ['wrong', 5],
  ['missing', 7],
  ['recall', 7],
  ['precision', 9],
] as const
/** Number of columns of words, which come first. The other columns have numbers, aligned right. */
const WORDS = 4

type Row = readonly string[]

const line = (row: Row) =>
  COLUMNS.map(([, width], at) => (at < WORDS ? row[at]!.padEnd(width) : row[at]!.padStart(width)))
    .join(' ')
    .trimEnd()

/** Returns the lines of the table: for each set and reader each kind of fact, then each pile as a whole. */
export function tableOf(scored: readonly Scored[], recorded: readonly Recorded[]): string[] {
  const lines = [line(COLUMNS.map(([head]) => head)), line(COLUMNS.map(([, width]) => '-'.repeat(width)))]
  for (const set of SETS) {
    const piles = scored.filter((one) => one.set === set)
    const readers = [...new Set([...piles, ...recorded.filter((one) => one.set === set)].map(({ reader }) => reader))]
    for (const reader of readers) {
      const own = piles.filter((one) => one.reader === reader)
      const before = recorded.filter((one) => one.set === set && one.reader === reader)
      lines.push(...readerRows(own, before).map((row) => line([set, reader, ...row])))
    }
    if (piles.length > 0) {
      lines.push(line([set, 'all', '', 'now', ...numbersOf(sumOf(piles.flatMap(countsIn)))]))
    }
  }
  return lines
}

const countsIn = ({ score }: Scored) => [...score.kinds.values()]

/** Rows of one reader in one set. A pile without typed facts in this checkout has only its recorded figures. */
function readerRows(piles: readonly Scored[], before: readonly Recorded[]): Row[] {
  const kinds = new Set(piles.flatMap(({ score }) => [...score.kinds.keys()]))
  const byKind = [...kinds].map((kind) => [
    ...[kind, 'now'],
    ...numbersOf(sumOf(piles.flatMap(({ score }) => score.kinds.get(kind) ?? []))),
  ])
  const names = [...new Set([...piles, ...before].map(({ name }) => name))]
  const wholes = names.flatMap((name) => [
    ...piles.filter((one) => one.name === name).map((one) => [`= ${name}`, 'now', ...numbersOf(sumOf(countsIn(one)))]),
    ...before.filter((one) => one.name === name).map((one) => [`= ${name}`, one.when, ...numbersOf(one)]),
  ])
  return [...byKind, ...wholes]
}

function numbersOf({ typed, read, right, wrong }: Counts): Row {
  return [
    ...[typed, read, right, wrong, typed - right].map(String),
    ...[percent(right, typed), percent(read - wrong, read)],
  ]
}

const percent = (part: number, whole: number) => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)

/** Returns the wrong facts, which are worse, and then the missing ones. */
export function missesOf(scored: readonly Scored[]): string[] {
  const listed = (which: 'wrong' | 'missing') =>
    scored.flatMap(({ set, reader, score }) =>
      score[which].map(({ of, kind, value }) => `${which}: ${set}: ${reader}: ${of}: ${kind} ${value}`),
    )
  return [...listed('wrong'), ...listed('missing')]
}
