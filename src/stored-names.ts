/** The door of `names.ts` for parsers: what is stored of a name, without what searches it, which takes six times as long to load. */
export { foundBy } from './names/found-by.ts'
export { storedName, wordsOfNames } from './names/stored.ts'
