/**
 * Words of a text as the search knows them: the same rules for documents, for what is typed, and for what is marked in an
 * excerpt. Made here and not by the database, so that they depend on no locale, dictionary or extension of a server.
 */

export interface Word {
  /** As it is compared: without case and accents, in the singular. */
  key: string
  /** Place of the word in the text, in UTF-16 units; `end` is exclusive. */
  start: number
  end: number
}

/** What is longer is no word but data that stands in a text. It keeps its place among the words and is not found. */
export const WORD_MAX = 40

/**
 * A number with its thousands and decimals, or letters and digits with apostrophes inside. What else stands between words
 * parts them: AT&T is two words, 10-K too, and typed so they are a phrase.
 */
const WORD =
  /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\p{N}])|\d+\.\d+(?![\p{L}\p{N}.])|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*(?:['’][\p{L}\p{N}][\p{L}\p{N}\p{M}]*)*/gu

/** The words of a text, in order. */
export function* wordsOf(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    const end = match.index + match[0].length
    yield { key: keyOf(match[0]), start: match.index, end }
  }
}

/** The words of a document's Markdown: those that a reader sees, without the targets of its links. */
export const wordsOfMarkdown = (text: string): Generator<Word> => wordsOf(withoutTargets(text))

/** Blanks for the targets of links, so that words stay where they are. */
function withoutTargets(text: string): string {
  if (!text.includes('](')) return text
  return text.replace(TARGET, (target) => ' '.repeat(target.length))
}

/** Target of a link, with the bracket before it. */
export const TARGET = /\]\([^()\s]{0,1000}\)/g

/** A word as it is compared; empty for what is too long to be one. */
function keyOf(written: string): string {
  if (written.length > WORD_MAX) return ''
  const first = written.charCodeAt(0)
  if (first >= 48 && first <= 57 && written.includes(',')) return written.replaceAll(',', '')
  const plain = /^[\x20-\x7e]*$/.test(written) ? written : written.normalize('NFKD').replace(/\p{M}+/gu, '')
  const folded = plain.toLowerCase().replaceAll('ß', 'ss').replaceAll('’', "'")
  return singular(folded.includes("'") ? folded.replace(/'s$|'$/, '').replaceAll("'", '') : folded)
}

/**
 * The singular of an English noun in -s, as far as it can be told by letters. No other ending is taken off: a stemmer
 * makes one word of "general" and "generate", of "organ" and "organization". Words of three letters (GAS, CVS) and those in
 * -ss, -us and -is stay.
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
