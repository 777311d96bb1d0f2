/**
 * Splits a text into words for the full-text search. The rules are the same for documents, for queries, and for the
 * marked words of an excerpt. The words are made here and not by the database, so that they depend on no locale,
 * dictionary or extension of a server.
 */

export interface Word {
  /** The form in which words are compared: without case and accents, in the singular. */
  key: string
  /** Position of the word in the text, in UTF-16 units; `end` is exclusive. */
  start: number
  end: number
}

/**
 * Maximum length of a word that a search can find. A longer word is data within the text: it only takes a position
 * among the words.
 */
export const WORD_MAX = 40

/**
 * Matches a number with its thousands and decimals, or letters and digits with apostrophes inside. Any other character
 * separates words: AT&T is two words, and so is 10-K. A query for one of these is a query for a phrase.
 */
const WORD =
  /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\p{N}])|\d+\.\d+(?![\p{L}\p{N}.])|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu

/** Yields the words of a text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    const end = match.index + match[0].length
    yield { key: keyOf(match[0]), start: match.index, end }
  }
}

/** Yields the words of a document's Markdown that a reader sees, without the words in link targets. */
export const wordsOfMarkdown = (text: string): Generator<Word> => wordsOf(withoutTargets(text))

/** Replaces link targets by blanks, so that words keep their positions. */
function withoutTargets(text: string): string {
  if (!text.includes('](')) return text
  return text.replace(TARGET, (target) => ' '.repeat(target.length))
}

/** Matches the target of a link, with the bracket before it. */
export const TARGET = /\]\([^()\s]{0,1000}\)/g

/** Returns a word in the form for comparison; empty if it is too long to be a word. */
function keyOf(written: string): string {
  if (written.length > WORD_MAX) return ''
  const first = written.charCodeAt(0)
  if (first >= 48 && first <= 57 && written.includes(',')) return written.replaceAll(',', '')
  const plain = /^[\x20-\x7e]*$/.test(written) ? written : written.normalize('NFKD').replace(/\p{M}+/gu, '')
  const folded = plain.toLowerCase().replaceAll('ß', 'ss').replaceAll('’', "'")
  return singular(folded.includes("'") ? folded.replace(/'s$|'$/, '').replaceAll("'", '') : folded)
}

/**
 * Returns the singular of an English noun that ends in -s, as far as this can be decided from its letters. No other
 * ending is removed: a stemmer treats "general" and "generate" as one word, and also "organ" and "organization". Words
 * of three letters (GAS, CVS) and words that end in -ss, -us or -is stay unchanged.
 */
export function singular(word: string): string {
  const n = word.length
  if (n < 4 || !word.endsWith('s') || !/^[a-z]+$/.test(word)) return word
  const before = word[n - 2]!
  if (before === 's' || before === 'u' || before === 'i') return word
  if (before !== 'e') return word.slice(0, n - 1)
  if (n > 4 && word.endsWith('ies')) return `${word.slice(0, n - 3)}y`
  if (/(?:ss|sh|ch|x|zz)es$/.test(word)) return word.slice(0, n - 2)
  return word.slice(0, n - 1)
}
