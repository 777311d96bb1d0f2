import { foldedKey } from '../read/fold.ts'
import { wordsOfNames } from './stored.ts'

/** The searched form of several names in a list's table: each folded, one per line, and their words. */
export const foundBy = (names: readonly string[]) =>
  names.length === 0 ? { key: null, words: null } : { key: names.map(foldedKey).join('\n'), words: wordsOfNames(names) }
