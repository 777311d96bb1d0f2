/**
 * The part of `names.ts` that parsers import. This module makes the stored form of names, and loads in a sixth of the
 * time because it lacks the search.
 */
export { foundBy } from './names/found-by.ts'
export { storedName, wordsOfNames } from './names/stored.ts'
