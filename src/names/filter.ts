/**
 * The condition that a name meets what was typed, for lists that have an order of their own. One name must meet every
 * word typed, in any order: as it is or in another spelling, the last one unfinished, two written as one or one as two, a
 * nickname spelled out. A legal form at the end does not count. A name that holds the text just as it was typed meets it
 * too.
 *
 * Mistyped words are not corrected here. A list that says what matches must not show something else while nothing matches
 * and drop it as soon as something does. The ranked search finds what is meant.
 */

import { containing, likeLiteral } from '../read/fold.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { countsOf } from './dictionary.ts'
import { bandsOf, type Named } from './named.ts'
import { beginningOf, type Counts, type Known, oneOf, plainQuery, rarestQuery, wholeQuery } from './query.ts'
import { filterReadings, plainReading, type Reading, requiredOf, type TypedWord } from './typed.ts'

/** SQL condition on the columns of a name: its stored words, and the name folded. */
export function meets(sql: Sql, typed: string, { words, folded }: { words: Fragment; folded: Fragment }): Fragment {
  const query = wordsFilter(typed)
  const holds = sql`${folded} like ${containing(typed)}`
  return query === null ? holds : sql`(${holds} or ${words} @@ ${query}::tsquery)`
}

/** The condition on a table of names, in a form that the table's indexes can answer. */
export interface NameFilter {
  /** SQL condition on rows `n` of the table: they meet the words. Null for text without letters and digits. */
  words: ((sql: Sql) => Fragment) | null
  /** SQL condition on folded names, of this table or another: they hold the text. */
  holds: (sql: Sql, folded: Fragment) => Fragment
  /** So many names of the table, or more, meet the words, as its dictionary knows without a look at them; 0 where it does not. */
  least: number
}

/**
 * The condition for a table of names, with what its dictionary says about the words. The dictionary must have every word of
 * the table's names: where few of its words begin as an open one does, only names with one of these are found. What adds
 * names adds their words in the same transaction (`addWords`), and what takes names out takes out no word that another has.
 *
 * @param typed folded
 */
export async function filterOf(sql: Sql, named: Named, typed: string): Promise<NameFilter> {
  const plain = plainReading(typed)
  const pieces = piecesOf(typed)
  const readings = plain.length > 0 ? filterReadings(plain) : []
  const { counts, beginnings } = await countsOf(sql, named, readings.flat(), pieces)
  const isKnown = ({ text, spelled, isOpen }: TypedWord) => isOpen || counts.has(text) || counts.has(spelled)
  const known = readings.filter((reading, at) => at === 0 || reading.every(isKnown))
  const part = narrowest(typed, pieces, counts)
  return {
    words: known.length === 0 ? null : (own) => inSomeBand(own, named, known, { counts, beginnings }),
    holds: (own, folded) =>
      part === null
        ? own`${folded} like ${`%${likeLiteral(typed)}%`}`
        : own`${folded} like ${`%${part}%`} and (${folded} || '') like ${`%${likeLiteral(typed)}%`}`,
    least: Math.max(0, ...known.map((reading) => leastOf(reading, counts))),
  }
}

/** A reading of one word is met by every name that has the word. */
function leastOf(reading: Reading, counts: Counts): number {
  const [word, ...others] = requiredOf(reading)
  return others.length > 0 ? 0 : Math.max(counts.get(word!.text) ?? 0, counts.get(word!.spelled) ?? 0)
}

/** A piece of fewer letters has too few trigrams for a look-up, alone or with another. */
const ALONE_MIN = 4
const TOGETHER_MIN = 3
const PIECES_MAX = 12
/** A piece that at most this many names have is quicker to look up than the whole text. */
const RARE_MAX = 300
/** Letters taken at each side of a gap. Two leave ten times the candidates; four read more trigrams than they save. */
const GAP_SIDE = 3

/** Pieces of folded text by which it can be looked up, longest first. */
function piecesOf(text: string): string[] {
  const pieces = text.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece.length >= TOGETHER_MIN)
  return [...new Set(pieces)].sort((a, b) => b.length - a.length).slice(0, PIECES_MAX)
}

/**
 * A part of the text that is quicker to look up by its trigrams than all of it. That is its rarest piece (0.6 instead of
 * 5 ms at 675,000 names), else the letters at both sides of a gap between two pieces, where the two least common meet
 * (names made of common words alone: 5 to 10 instead of 13 to 27 ms). Null where the text has neither. The part has only
 * letters, digits and a blank, so nothing needs escaping for LIKE.
 */
function narrowest(text: string, pieces: readonly string[], counts: Counts): string | null {
  if (pieces.length < 2) return null
  // The last piece may be the beginning of a word that very many names have: "family advis".
  const namesOf = (piece: string) => (counts.get(piece) ?? 0) + (counts.get(beginningOf({ spelled: piece })) ?? 0)
  const alone = pieces.filter((piece) => piece.length >= ALONE_MIN).sort((a, b) => namesOf(a) - namesOf(b))[0]
  if (alone !== undefined && namesOf(alone) <= RARE_MAX) return alone
  const parts = text.split(' ')
  const gaps = parts.slice(1).flatMap((after, i) => {
    const before = parts[i]!
    // Next to itself a piece has no trigrams that it does not have alone.
    if (!pieces.includes(before) || !pieces.includes(after) || before === after) return []
    return [{ text: `${before.slice(-GAP_SIDE)} ${after.slice(0, GAP_SIDE)}`, names: namesOf(before) * namesOf(after) }]
  })
  return gaps.sort((a, b) => a.names - b.names)[0]?.text ?? null
}

/**
 * SQL condition on rows `n` of a table of names: one of the readings is met, whatever their band. They are looked up by
 * the rarest words of each reading, and tested for all.
 */
function inSomeBand(sql: Sql, named: Named, readings: readonly Reading[], known: Pick<Known, 'counts' | 'beginnings'>) {
  const indexed = anyOf(readings, (reading) => rarestQuery(reading, known))
  const bands = bandsOf(named).map(
    (band, at) =>
      sql`${at > 0 ? sql`or` : sql``} (n.band = ${sql.unsafe(String(band))} and n.words @@ ${indexed}::tsquery)`,
  )
  // A single word leaves nothing more to test.
  if (readings.every((reading) => requiredOf(reading).length === 1)) return sql`(${bands})`
  // "|| ''" keeps the test from the index.
  return sql`((${bands}) and (n.words || '') @@ ${anyOf(readings, plainQuery)}::tsquery)`
}

/** Text of the tsquery that the words of a name meet; null for text without letters and digits. */
export function wordsFilter(typed: string): string | null {
  const plain = plainReading(typed)
  return plain.length === 0 ? null : anyOf(filterReadings(plain), plainQuery)
}

/** Finds names that begin with one of the readings, or meet its own query. */
const anyOf = (readings: readonly Reading[], queryOf: (reading: Reading) => string) =>
  oneOf([wholeQuery(readings, { exact: false }), ...readings.map(queryOf)])
