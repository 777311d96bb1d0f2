/**
 * Searches companies, advisers, filings and other things by name, with the same rules for all of them. `storedName`
 * gives the stored form of a name. `searchNames` is the ranked search over a table of names. `meets` is the condition
 * for lists that have their own order. The dictionary of words finds the words that a mistyped word may stand for. A
 * table with names declares them as a `Named`.
 */
import { createHash } from 'node:crypto'
import { digestOfCode } from './store/code.ts'

export { areAlike } from './names/alike.ts'
export { addWords, removeWords } from './names/dictionary.ts'
export { filterOf, meets, type NameFilter, wordsFilter } from './names/filter.ts'
export { foundBy } from './names/found-by.ts'
export { type MarkedName, storeMarkedNames } from './names/marked.ts'
export {
  bandOf,
  bandSql,
  dictionaryColumns,
  dictionaryIndexes,
  type Named,
  type NameKind,
  nameColumns,
  nameIndexes,
  placeColumn,
} from './names/named.ts'
export { type Scored, scoredNames, searchNames } from './names/search.ts'
export { WHOLE_MIN } from './names/signals.ts'
export { storedName, wordsOfNames, wordsOfNamesWithWords } from './names/stored.ts'
export { type NameRow, storeNames } from './names/table.ts'
export { coreOf } from './names/words.ts'

/** Modules that make stored names and their words, and the keys that find mistyped words. */
const STORED_BY = ['names/stored.ts', 'names/near.ts'].map((file) => new URL(file, import.meta.url))

/**
 * Digest of the rules by which names are stored. If it differs from the digest with which the names were stored, the
 * names are stored again.
 */
export const namesVersion = (): string =>
  createHash('sha256').update(STORED_BY.map(digestOfCode).join('\n')).digest('hex')

/** The description of a name filter of a list. */
const MEETS =
  'Finds names that have all typed words, in any order. Other spellings match too ("&" and "and", "mgmt", "J.P." and "jp", legal forms). The last word may be incomplete. Two typed words may match one word of a name ("black rock"), and the first typed word may match two words of a name ("jpmorgan"). Names that contain the typed text are found too. Case and accents do not matter.'
export const NAME_MEANING = `${MEETS} Mistyped words are not corrected.`

/**
 * The description of the name filter of a list that uses the ranked search if nothing matches. The answer of the list
 * states whether the ranked search was used.
 */
export const NAME_OR_NEAR_MEANING = `${MEETS} If nothing matches, mistyped words are corrected.`
