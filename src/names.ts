/**
 * Names: everything that has one is found by the same rules. `storedName` says what is stored of a name, `searchNames` is
 * the ranked search over a table of names, `meets` is the condition for lists that have an order of their own, and the
 * dictionary of words says what a mistyped word may stand for. A table that has names declares them as a `Named`.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export { addWords, removeWords } from './names/dictionary.ts'
export { filterOf, meets, type NameFilter, wordsFilter } from './names/filter.ts'
export {
  bandOf,
  bandSql,
  dictionaryColumns,
  dictionaryIndexes,
  type Named,
  nameColumns,
  nameIndexes,
  placeColumn,
} from './names/named.ts'
export type { NameKind } from './names/score.ts'
export { searchNames } from './names/search.ts'
export { storedName, wordsOfNames } from './names/stored.ts'
export { type NameRow, storeNames } from './names/table.ts'

/** The files that decide what is stored of a name. */
const STORED_BY = ['read/fold', 'names/near', 'names/spelling', 'names/stored', 'names/words']

/** Digest of those files. Stored names that carry another digest are made again. */
export async function namesVersion(): Promise<string> {
  const files = await Promise.all(STORED_BY.map((name) => readFile(new URL(`${name}.ts`, import.meta.url), 'utf8')))
  return createHash('sha256').update(files.join('\n')).digest('hex')
}

/** What a name filter of a list means, for its description. */
export const NAME_MEANING =
  'All words typed are met by one name, in any order: as they are or in another spelling ("&" and "and", "mgmt", "J.P." and "jp", legal forms), the last one unfinished, two as one ("black rock") or one as two at the beginning ("jpmorgan"); or the name holds the text. Without case and accents. Mistyped words match nothing.'
