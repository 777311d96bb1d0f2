/** The declaration of a table with names: where the names are stored, and the weight of each of their owners. */
import { count, integer, nameWords, text, texts } from '../declare/table.ts'

/** The kinds of names that an owner has, the best first. */
export const KINDS = ['now', 'other', 'former'] as const
export type NameKind = (typeof KINDS)[number]

/**
 * A table of names, which has the columns of `nameColumns` or of edgar.filer_search, and a dictionary of their words.
 * Names are searched band by band, the most important first.
 */
export interface Named {
  /** Schema and name of the table. */
  table: string
  /** Schema and name of the dictionary. */
  dictionary: string
  /** Column with the key of the name's owner. */
  key: string
  /** Column with a number: if two names match equally well, the name with the larger number comes first. */
  importance: string
  /** Two exponents of ten: importance below 10^`from` counts as 10^`from`, and importance above 10^`to` as 10^`to`. */
  decades: readonly [from: number, to: number]
  /**
   * Minimum importance of each band from band 1 on; lower importance is in band 0. Each value is three to ten times the
   * previous value, so that no band has many more names than all bands above it together.
   */
  bands: readonly number[]
  /** True if the words of a place are stored with a name. */
  hasPlaces: boolean
  /** An entry of `words` that a name must have to be searched; if absent, all names of the table are searched. */
  among?: string
}

/** Returns the bonus that importance adds to the match quality: a tenth for each factor of ten. */
export function weightOf({ decades: [from, to] }: Named, importance: number): number {
  if (importance <= 0) return 0
  return Math.min(Math.max(Math.log10(importance), from), to) / 10 - from / 10
}

/** Returns all bands, the most important first. */
export const bandsOf = ({ bands }: Named): number[] => [...bands.keys()].map((at) => bands.length - at).concat(0)

export const bandOf = ({ bands }: Named, importance: number): number =>
  bands.filter((least) => importance >= least).length

/** Returns SQL text that computes the band of the importance in a column. */
export const bandSql = ({ bands }: Named, column: string) =>
  `width_bucket(coalesce(${column}, 0)::numeric, array[${bands.join(', ')}]::numeric[])`

/**
 * Columns of a table of names, in addition to the owner's key and its importance. `place` is for names that have
 * places.
 */
export const nameColumns = {
  key: text('Parts of the name by which a match is scored: its words, the words of its legal form, its initials'),
  words: nameWords('Words by which a search finds the name'),
  kind: text('now: the current name. other: another name in use. former: a former name'),
  band: integer('Importance of the owner of the name, as a band: 0 is the lowest'),
}
export const placeColumn = { place: text('Words of the owner’s place, normalized for comparison') }

/**
 * One index for each band. `fastupdate` is off, since otherwise every search would also have to read the list of
 * pending entries. It may be on for names that `storeMarkedNames` writes, since that function empties the list.
 */
export const nameIndexes = ({ bands }: Pick<Named, 'bands'>, fastupdate: 'on' | 'off' = 'off'): string[] =>
  [0, ...bands.map((_, at) => at + 1)].map(
    (band) => `using gin (words) with (fastupdate = ${fastupdate}) where band = ${band}`,
  )

/** Columns of a dictionary, with `word` as its key, and its indexes. */
export const dictionaryColumns = {
  word: text('Word of a name, normalized for comparison; a word of a place begins with @'),
  names: count('Number of names that have the word'),
  near: texts('Keys that the word has in common with mistyped forms of it; null if the word is too short').nullable(),
}
/** `fastupdate` may be on for the dictionary of names that `storeMarkedNames` writes, as for `nameIndexes`. */
export const dictionaryIndexes = (fastupdate: 'on' | 'off' = 'off'): string[] => [
  `using gin (near) with (fastupdate = ${fastupdate})`,
]
