/**
 * Makes the lexemes that are used to find a document and its passages, in the text format of `tsvector`. The database
 * only stores and indexes these texts. Only this file makes lexemes; products/textsearch builds its queries with
 * functions of this file. The columns are `documents.document.search` and `documents.passage.search`, `tsvector not
 * null`, each with `using gin (search) with (fastupdate = off)`; `documents.document` has an index `(filed_date desc,
 * accession desc, sequence)`.
 */
import type { Passage } from './passages.ts'
import { type Word, wordsOf, wordsOfMarkdown } from './words.ts'

/** The facts about a document in addition to its text. */
export interface Described {
  /** The name by which the document's passages are found: `documentName`. */
  name: string
  /** The exact values by which documents are filtered: `filterLexeme`. */
  corpus: string
  form: string
  filedDate: string
  /** The CIKs of all filers, since a document of several filers is a document of each of them. */
  ciks: readonly string[]
  crd?: string | null
  /**
   * The names of company and document. The words of the title count as words of the first passage, after the words of
   * the passage itself.
   */
  titles: readonly string[]
  /**
   * The headings, which are part of the text too. Words of headings count more for the subject of a document than other
   * words.
   */
  headings: readonly string[]
}

export interface Lexemes {
  /**
   * The text of the document's tsvector: its words and pairs of words, each with a level, and the filters of the
   * document.
   */
  document: string
  /** The text of each passage's tsvector: its words with their positions, and the name of the document. */
  passages: string[]
}

/**
 * Number of levels. A level states how much a document is about a word: from 0, if the document only contains the word,
 * up to 4. A document has a lexeme for its level and for each lower level. So a query needs only one lexeme for each
 * word, whatever minimum level it requests. If the document had only the lexeme of its own level, finding two common
 * words would take 4.6 ms instead of 1.6 ms.
 */
export const LEVELS = 5

export const documentName = (accession: string, sequence: number) => `${accession}/${sequence}`

export type FilterKind = 'name' | 'corpus' | 'form' | 'cik' | 'crd' | 'day' | 'month' | 'year' | 'sample'

/**
 * Number of nested samples. Half of all documents are in sample 1, half of the documents of sample 1 are in sample 2,
 * and so on. The choice is uniform, and does not depend on the days and forms of documents.
 */
export const SAMPLES = 24

/** The lexeme of a filter. No word contains `#` or `:`, so a word and a filter are never mistaken for each other. */
export const filterLexeme = (kind: FilterKind, value: string) => `#${kind}:${value}`
/** The lexeme of documents whose relevance to the word is at least this level. */
export const wordLexeme = (word: string, level: number) => `${word}~${level}`
export const pairLexeme = (word: string, next: string, level: number) => keyLexeme(pairKey(word, next), level)
const keyLexeme = (pair: number, level: number) => `^${signsOf(pair)}${level}`
export const prefixLexeme = (beginning: string) => `${beginning}*`
/** Marks a document that has more pairs of words than fit into one vector. */
export const PAIRS_LEFT_OUT = '#pairs:left-out'

/** Lengths of the prefixes that are stored for each word, in letters. No prefixes are stored for numbers. */
export const PREFIXES = [3, 5] as const

/**
 * Whether two words are stored as a pair. Two adjacent words are not stored as a pair if one is an amount: tables are
 * full of amounts, and an amount is rare enough by itself.
 */
export const isPair = (word: string, next: string) =>
  word !== '' && next !== '' && !isAmount(word) && !isAmount(next) && !(isNumber(word) && isNumber(next))

/** Nearly all words begin with a letter, so in most cases the first character decides. */
const isNumber = (word: string) => word.charCodeAt(0) <= DIGIT_MAX && /^[\d.]+$/.test(word)
const DIGIT_MAX = 57
const isAmount = (word: string) => word.length > 4 && isNumber(word)

/**
 * Hashes two words to a key of 22 bits, which gives 4 million keys. The language has more pairs of words than that, so
 * several pairs share a key; but half of the pairs occur in only one document. A document of 20,000 pairs may have both
 * words, but not next to each other. One in 200 such documents is found by mistake, because another of its pairs has
 * the same key. So the caller checks the passages.
 */
const pairKey = (word: string, next: string): number =>
  mixed(hashed(next, hashed(' ', hashed(word)))) >>> (32 - PAIR_BITS)

function signsOf(pair: number): string {
  let key = ''
  for (let shift = 0; shift < PAIR_BITS; shift += 6) key += SIGNS[(pair >>> shift) & 63]
  return key
}

const PAIR_BITS = 22

const hashOf = (text: string): number => mixed(hashed(text))

/** FNV-1a. @param before the hash of the preceding text */
function hashed(text: string, before = 0x811c9dc5): number {
  let hash = before
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}

/** Mixes the bits of the hash, so that each bit depends on every character. */
function mixed(before: number): number {
  let hash = Math.imul(before ^ (before >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** One tsvector holds at most 1,048,575 bytes of lexemes. */
const BYTES_MAX = 1_000_000
/**
 * Number of these bytes that single words may use. Without this limit, a table of 100,000 different numbers would use
 * all of the bytes.
 */
const WORD_BYTES_MAX = 600_000

/** A word in the title counts as this many occurrences. */
const TITLE_WEIGHT = 4
/** A word in a heading counts as this many occurrences, in addition to its own occurrence in the text. */
const HEADING_WEIGHT = 2
/**
 * In a document of up to this many words, occurrences are counted without a division. In a longer document they are
 * divided by sqrt(length / this number).
 */
const USUAL_WORDS = 1000

/**
 * Makes the lexemes of a document and of its passages.
 *
 * @param text the Markdown
 * @param passages of the document, by `passagesOf`
 */
export function lexemesOf(described: Described, text: string, passages: readonly Passage[]): Lexemes {
  const counted: Counted = { words: new Map(), pairs: new Map() }
  const titles = described.titles.map((title) => [...wordsOf(title)])
  let count = 0
  const vectors = passages.map(({ start, end }, i) => {
    const found = [...wordsOfMarkdown(text.slice(start, end))]
    const shared = (passages[i + 1]?.start ?? text.length) - start
    const own = found.findLastIndex((word) => word.start < shared) + 1
    count += own
    tally(counted, found, own, 1)
    return passageVector(described.name, i === 0 ? [found, ...titles] : [found])
  })
  for (const heading of described.headings) {
    const found = [...wordsOf(heading)]
    tally(counted, found, found.length, HEADING_WEIGHT)
  }
  const norm = Math.sqrt(Math.max(1, count / USUAL_WORDS))
  const titled: Counted = { words: new Map(), pairs: new Map() }
  for (const title of titles) tally(titled, title, title.length, TITLE_WEIGHT)
  return { document: documentVector(described, counted, titled, norm), passages: vectors }
}

/** Number of occurrences of words by the key of the word, and of pairs by the key of the pair. */
interface Counted {
  words: Map<string, number>
  pairs: Map<number, number>
}

/** Counts the first `own` words and the pairs that begin with them. */
function tally({ words, pairs }: Counted, found: readonly Word[], own: number, weight: number): void {
  for (let i = 0; i < own; i++) {
    const { key } = found[i]!
    if (key === '') continue
    words.set(key, (words.get(key) ?? 0) + weight)
    const next = found[i + 1]?.key ?? ''
    if (!isPair(key, next)) continue
    const pair = pairKey(key, next)
    pairs.set(pair, (pairs.get(pair) ?? 0) + weight)
  }
}

/**
 * Numbers the words of the texts, from 1. One position stays empty between two texts, so that no phrase extends from
 * one text into the next.
 */
function passageVector(name: string, texts: readonly (readonly Word[])[]): string {
  const places = new Map<string, number[]>()
  let place = 0
  for (const words of texts) {
    for (const { key } of words) {
      place++
      if (key === '' || place > PLACE_MAX) continue
      const known = places.get(key)
      if (known) known.push(place)
      else places.set(key, [place])
    }
    place++
  }
  const parts = [quoted(filterLexeme('name', name))]
  for (const [key, at] of places) parts.push(`'${key}':${at.join()}`)
  return parts.join(' ')
}

/** The largest position that PostgreSQL stores. */
const PLACE_MAX = 16_383

function documentVector(described: Described, counted: Counted, titled: Counted, norm: number): string {
  const parts = filters(described).map(quoted)
  const beginnings = new Set<string>()
  let bytes = 0
  /** Adds a lexeme. Returns false if the vector would become larger than allowed. */
  const add = (lexeme: string, bytesMax: number): boolean => {
    const size = Buffer.byteLength(lexeme)
    if (bytes + size > bytesMax) return false
    bytes += size
    parts.push(`'${lexeme}'`)
    return true
  }
  /** Adds the lowest level first. If the space runs out, the document only seems to be less about the word. */
  const addLevels = (level: number, lexemeAt: (level: number) => string, bytesMax: number): boolean => {
    for (let each = 0; each <= level; each++) if (!add(lexemeAt(each), bytesMax)) return false
    return true
  }
  for (const [word, level] of levels(titled.words, counted.words, norm)) {
    if (!addLevels(level, (each) => wordLexeme(word, each), WORD_BYTES_MAX)) break
    if (isNumber(word)) continue
    for (const length of PREFIXES) if (word.length >= length) beginnings.add(word.slice(0, length))
  }
  for (const beginning of beginnings) if (!add(prefixLexeme(beginning), WORD_BYTES_MAX)) break
  for (const [pair, level] of levels(titled.pairs, counted.pairs, norm)) {
    if (addLevels(level, (each) => keyLexeme(pair, each), BYTES_MAX)) continue
    parts.push(quoted(PAIRS_LEFT_OUT))
    break
  }
  return parts.join(' ')
}

/** Yields the level of each word or pair; words and pairs of titles come first. */
function* levels<T>(titled: Map<T, number>, counted: Map<T, number>, norm: number): Generator<[T, level: number]> {
  for (const [key, count] of titled) yield [key, levelOf((counted.get(key) ?? 0) / norm + count)]
  for (const [key, count] of counted) if (!titled.has(key)) yield [key, levelOf(count / norm)]
}

/**
 * Returns the level for a number of occurrences, already weighted by length and titles. Each level requires twice as
 * many occurrences as the level below.
 */
const levelOf = (occurrences: number) => Math.min(LEVELS - 1, Math.floor(Math.log2(Math.max(1, occurrences))))

function filters({ name, corpus, form, filedDate, ciks, crd }: Described): string[] {
  return [
    filterLexeme('name', name),
    filterLexeme('corpus', corpus),
    filterLexeme('form', form),
    ...new Set(ciks.map((cik) => filterLexeme('cik', cik))),
    ...(crd ? [filterLexeme('crd', crd)] : []),
    filterLexeme('day', filedDate),
    filterLexeme('month', filedDate.slice(0, 7)),
    filterLexeme('year', filedDate.slice(0, 4)),
    ...samplesOf(name),
  ]
}

function samplesOf(name: string): string[] {
  const most = Math.min(SAMPLES, Math.clz32(hashOf(name)))
  return Array.from({ length: most }, (_, i) => filterLexeme('sample', String(i + 1)))
}

const quoted = (lexeme: string) => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
