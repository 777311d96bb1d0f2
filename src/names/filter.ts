/**
 * The condition that a name matches the typed text, for lists that have their own order. One name must match every
 * typed word, in any order. A word matches as typed or in another spelling, and the last word may be unfinished. Two
 * words may be written as one, or one word as two. A typed nickname also matches the name that it stands for (`pimco`:
 * Pacific Investment Management). A legal form at the end does not count. A name that contains the text exactly as
 * typed matches too.
 *
 * Mistyped words are not corrected here. If they were, a list without a match would show other names, and these would
 * vanish once a matching name is loaded. The ranked search corrects mistyped words.
 */

import { containing, likeLiteral } from '../read/fold.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { countsOf } from './dictionary.ts'
import { bandsOf, type Named } from './named.ts'
import { beginningOf, type Counts, type Known, oneOf, plainQuery, rarestQuery, wholeQuery } from './query.ts'
import { filterReadings, plainReading, type Reading, requiredOf, type TypedWord } from './typed.ts'

/** SQL condition on two columns of a name: its stored words, and the folded name. */
export function meets(sql: Sql, typed: string, { words, folded }: { words: Fragment; folded: Fragment }): Fragment {
  const query = wordsFilter(typed)
  const holds = sql`${folded} like ${containing(typed)}`
  return query === null ? holds : sql`(${holds} or ${words} @@ ${query}::tsquery)`
}

/** The condition on a table of names, in a form that the table's indexes can answer. */
export interface NameFilter {
  /** SQL condition on rows `n` of the table: the name matches the words. Null for text without letters and digits. */
  words: ((sql: Sql) => Fragment) | null
  /** SQL condition on folded names, of this table or another table: the name contains the text. */
  holds: (sql: Sql, folded: Fragment) => Fragment
  /**
   * A lower bound of the number of names of the table that match the words. The dictionary gives this bound without
   * reading the names; 0 if the dictionary gives none.
   */
  least: number
}

/**
 * Returns the condition for a table of names, and uses what the table's dictionary knows about the typed words. The
 * dictionary must have every word of the table's names. The reason is that if only few words of the dictionary begin
 * with an unfinished word, only names with one of these few words are found. So code that adds names must add their
 * words in the same transaction (`addWords`). Code that removes names must keep each word that another name has.
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

/**
 * Returns a lower bound of the number of names that match the reading. If the reading has one word, every name with
 * this word matches. For a reading of several words no bound is known, so the result is 0.
 */
function leastOf(reading: Reading, counts: Counts): number {
  const [word, ...others] = requiredOf(reading)
  return others.length > 0 ? 0 : Math.max(counts.get(word!.text) ?? 0, counts.get(word!.spelled) ?? 0)
}

/**
 * Minimum number of letters that a piece needs to have enough trigrams for a look-up. The first number applies to a
 * piece that is looked up alone, the second to each of two pieces.
 */
const ALONE_MIN = 4
const TOGETHER_MIN = 3
const PIECES_MAX = 12
/** If at most this many names have a piece, looking up the piece is quicker than looking up the whole text. */
const RARE_MAX = 300
/**
 * Number of letters that are taken on each side of a gap, which is the blank between two pieces. With two letters, ten
 * times as many candidates are found. With four letters, reading more trigrams costs more than it saves.
 */
const GAP_SIDE = 3

/**
 * Returns the pieces of folded text that can be used to look the text up, longest first. A piece is a run of letters
 * and digits.
 */
function piecesOf(text: string): string[] {
  const pieces = text.split(/[^\p{L}\p{N}]+/u).filter((piece) => piece.length >= TOGETHER_MIN)
  return [...new Set(pieces)].sort((a, b) => b.length - a.length).slice(0, PIECES_MAX)
}

/**
 * Returns a part of the text that is quicker to look up by its trigrams than the whole text. This is the rarest piece
 * of the text, if few names have it (0.6 instead of 5 ms at 675,000 names). If all pieces are common, it is the letters
 * on both sides of the gap between the two rarest neighbouring words. Looking up these letters takes 5 to 10 ms instead
 * of 13 to 27 ms. Returns null if the text has neither. The part has only letters, digits and a blank, so no character
 * of it must be escaped for LIKE.
 */
function narrowest(text: string, pieces: readonly string[], counts: Counts): string | null {
  if (pieces.length < 2) return null
  // The last piece may be a prefix of a word that very many names have: "family advis".
  const namesOf = (piece: string) => (counts.get(piece) ?? 0) + (counts.get(beginningOf({ spelled: piece })) ?? 0)
  const alone = pieces.filter((piece) => piece.length >= ALONE_MIN).sort((a, b) => namesOf(a) - namesOf(b))[0]
  if (alone !== undefined && namesOf(alone) <= RARE_MAX) return alone
  const parts = text.split(' ')
  const gaps = parts.slice(1).flatMap((after, i) => {
    const before = parts[i]!
    // Two equal neighbours have no more trigrams than a single one of them.
    if (!pieces.includes(before) || !pieces.includes(after) || before === after) return []
    return [{ text: `${before.slice(-GAP_SIDE)} ${after.slice(0, GAP_SIDE)}`, names: namesOf(before) * namesOf(after) }]
  })
  return gaps.sort((a, b) => a.names - b.names)[0]?.text ?? null
}

/**
 * SQL condition on rows `n` of a table of names, in any band: the name matches one of the readings. Names are looked up
 * by the rarest words of each reading, and then tested for all its words.
 */
function inSomeBand(sql: Sql, named: Named, readings: readonly Reading[], known: Pick<Known, 'counts' | 'beginnings'>) {
  const indexed = anyOf(readings, (reading) => rarestQuery(reading, known))
  const bands = bandsOf(named).map(
    (band, at) =>
      sql`${at > 0 ? sql`or` : sql``} (n.band = ${sql.unsafe(String(band))} and n.words @@ ${indexed}::tsquery)`,
  )
  // If every reading has a single word, the index has already tested this word.
  if (readings.every((reading) => requiredOf(reading).length === 1)) return sql`(${bands})`
  // Because of `|| ''`, PostgreSQL does not use the index for this test.
  return sql`((${bands}) and (n.words || '') @@ ${anyOf(readings, plainQuery)}::tsquery)`
}

/** Returns the text of the tsquery for the words of a name; null for text without letters and digits. */
export function wordsFilter(typed: string): string | null {
  const plain = plainReading(typed)
  return plain.length === 0 ? null : anyOf(filterReadings(plain), plainQuery)
}

/** Returns the tsquery that finds names that begin with one of the readings or match the query of one of them. */
const anyOf = (readings: readonly Reading[], queryOf: (reading: Reading) => string) =>
  oneOf([wholeQuery(readings, { exact: false }), ...readings.map(queryOf)])
