import { foldedKey } from '../read/fold.ts'
import { wordsOfNames } from './stored.ts'

/**
 * Returns the columns in which a list's table stores several names for the search: the folded names, one per line, and
 * their words.
 */
export const foundBy = (names: readonly string[]) =>
  names.length === 0 ? { key: null, words: null } : { key: names.map(foldedKey).join('\n'), words: wordsOfNames(names) }
