/** Excerpts of passages as escaped text. */
import { type Word, wordsOf } from '../../read/words.ts'
import type { Phrase } from './asked.ts'

/** Words of an excerpt: three lines on a page of usual width. */
const WORDS = 40
/** Words before the first that is marked, where there are more. */
const BEFORE = 8

/**
 * The part of a passage with the most of what was looked for, as HTML: the words found in `<mark>`, and everything else
 * escaped. Signs of Markdown at the beginning of lines and around words are left out, since they enclose other text.
 */
export function excerptOf(passage: string, phrases: readonly Phrase[]): string {
  const words = [...wordsOf(passage)]
  const marked = markedIn(words, phrases)
  const from = Math.max(0, densest(marked) - BEFORE)
  const to = Math.min(words.length, from + WORDS)
  if (to === 0) return ''
  let html = from > 0 ? '… ' : ''
  for (let at = from; at < to; at++) {
    const { start, end } = words[at]!
    const isOpen = marked[at] && !(at > from && marked[at - 1])
    const isShut = marked[at] && !(at + 1 < to && marked[at + 1])
    html += `${isOpen ? '<mark>' : ''}${escaped(passage.slice(start, end))}${isShut ? '</mark>' : ''}`
    // Between the words of a phrase its mark goes on.
    html += escaped(between(passage.slice(end, at + 1 < to ? words[at + 1]!.start : end)))
  }
  return to < words.length ? `${html} …` : html + escaped(between(passage.slice(words[to - 1]!.end)).trimEnd())
}

/** Which words are among those looked for. */
function markedIn(words: readonly Word[], phrases: readonly Phrase[]): boolean[] {
  const marked = words.map(() => false)
  for (const { keys, isPrefix } of phrases) {
    for (let at = 0; at + keys.length <= words.length; at++) {
      const isHere = keys.every((key, i) => {
        const found = words[at + i]!.key
        return isPrefix && i === keys.length - 1 ? found.startsWith(key) : found === key
      })
      if (isHere) marked.fill(true, at, at + keys.length)
    }
  }
  return marked
}

/** The first marked word of the stretch that has the most of them. */
function densest(marked: readonly boolean[]): number {
  let best = 0
  let most = 0
  for (const [at, is] of marked.entries()) {
    if (!is) continue
    const count = marked.slice(at, at + WORDS - BEFORE).filter(Boolean).length
    if (count > most) [best, most] = [at, count]
  }
  return best
}

/** What stands between two words, without Markdown of headings, lists, tables, emphasis and escapes. */
const between = (text: string) =>
  text
    .replace(/\n[\s>#|*:-]*/g, ' ')
    .replace(/\\(?=[^\w\s])/g, '')
    .replace(/[|*_#]+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ (?=[.,;:)])/g, '')

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign]!)
