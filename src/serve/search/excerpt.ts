/**
 * Makes excerpts. An excerpt is the part of a passage that best shows why the passage was found. The found words are
 * marked.
 */
import { TARGET, type Word, wordsOfMarkdown } from '../../read/words.ts'
import { escaped } from '../escaped.ts'
import { type Leaf, type Phrase, type Tree, wanted } from './tree.ts'

/** Maximum number of characters of an excerpt, before marks and references are added. */
const LENGTH = 320
/** Maximum number of characters of an excerpt before the first marked word. */
const LEAD = 80

export interface Excerpt {
  /**
   * Text with references for the special characters of HTML, and with `<mark>` around words of the query. The text has
   * no other markup.
   */
  html: string
  /** Position in the passage, in UTF-16 units; `end` is exclusive. */
  start: number
  end: number
}

/**
 * Returns the excerpt of a passage. If the passage has no word of the query, because only its title matched, the
 * excerpt is the beginning of the passage.
 */
export function excerptOf(text: string, tree: Tree): Excerpt {
  const words = [...wordsOfMarkdown(text)]
  const marked = marksOf(words, wanted(tree))
  const first = densest(words, marked)
  const start = first === null ? 0 : startOf(text, words[first]!.start)
  const end = endOf(text, start)
  let html = ''
  let at = start
  for (const [i, word] of words.entries()) {
    if (!marked[i] || word.start < at || word.end > end) continue
    // Words of a phrase are marked together.
    const isJoined = i > 0 && marked[i - 1] === 2 && marked[i] === 2 && html.endsWith(CLOSED)
    if (isJoined) html = html.slice(0, -CLOSED.length)
    html += shown(at === start ? withoutSigns(text.slice(at, word.start)) : text.slice(at, word.start))
    html += `${isJoined ? '' : '<mark>'}${shown(text.slice(word.start, word.end))}${CLOSED}`
    at = word.end
  }
  const rest = text.slice(at, end)
  return { html: html + shown(at === start ? withoutSigns(rest) : rest), start, end }
}

const CLOSED = '</mark>'

/** Removes the signs of a heading, a list entry or a table row at the start of a passage. */
const withoutSigns = (text: string) => text.replace(/^(?:[#>|]+\s*|[-*:]\s+)+/, '')

/** Reduces Markdown to its text: removes the signs of links, tables, lists, headings and emphasis. */
const shown = (text: string) =>
  escaped(
    text
      .replace(TARGET, ']')
      .replace(/\n[\s>#|*:-]*/g, ' ')
      .replace(/\\(?=[^\w\s])/g, '')
      .replace(/(?<!\s)\s*\|[\s|]*/g, ' ')
      .replace(/\*+/g, '')
      .replace(/\s+/g, ' '),
  )

/** For each word: 0 if the word is not in the query, 1 if it is, 2 if it is within a phrase of the query. */
function marksOf(words: readonly Word[], leaves: readonly Leaf[]): Uint8Array {
  const marks = new Uint8Array(words.length)
  for (const leaf of leaves) {
    if (leaf.kind === 'beginning') {
      for (const [i, { key }] of words.entries()) if (key.startsWith(leaf.letters)) marks[i] ||= 1
    } else if (leaf.kind === 'phrase') markPhrase(words, leaf, marks)
    else for (const side of [leaf.one, leaf.other]) markPhrase(words, side, marks)
  }
  return marks
}

function markPhrase(words: readonly Word[], { words: wanted }: Phrase, marks: Uint8Array): void {
  for (let i = 0; i + wanted.length <= words.length; i++) {
    if (!wanted.every((word, n) => words[i + n]!.key === word)) continue
    if (wanted.length === 1) marks[i] ||= 1
    else marks.fill(2, i, i + wanted.length)
  }
}

/**
 * Finds the best first marked word: the word after which the most other marked words fit into an excerpt. Words of
 * phrases have a higher weight.
 */
function densest(words: readonly Word[], marks: Uint8Array): number | null {
  let best: number | null = null
  let most = 0
  let sum = 0
  let end = 0
  for (let i = 0; i < words.length; i++) {
    for (; end < words.length && words[end]!.end <= words[i]!.start + LENGTH - LEAD; end++) sum += marks[end]!
    if (marks[i] && sum > most) [best, most] = [i, sum]
    if (end > i) sum -= marks[i]!
    else end = i + 1
  }
  return best
}

/** The start of the excerpt: some words before the first marked word, and at the start of a word. */
function startOf(text: string, at: number): number {
  if (at <= LEAD) return 0
  const blank = text.slice(at - LEAD, at).search(/\s\S/)
  return blank < 0 ? at : at - LEAD + blank + 1
}

function endOf(text: string, start: number): number {
  if (text.length - start <= LENGTH) return text.length
  const part = text.slice(start, start + LENGTH)
  const blank = part.search(/\s+\S*$/)
  const end = start + (blank > LENGTH / 2 ? blank : LENGTH)
  const unit = text.charCodeAt(end)
  return unit >= 0xdc00 && unit < 0xe000 ? end - 1 : end
}
