import { foldedKey } from '../read/fold.ts'
import { wordsOfNames } from './stored.ts'

/** What a list finds several names by, as its tables store it: each folded, one below the other, and their words. */
export const foundBy = (names: readonly string[]) =>
  names.length === 0 ? { key: null, words: null } : { key: names.map(foldedKey).join('\n'), words: wordsOfNames(names) }
