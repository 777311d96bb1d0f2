/** Splits a sentence that lists several agreements, each with its own parties, into one sentence for each agreement. */
import type { Sentence } from '../../../read/prose/sentences.ts'
import { titlesAfter } from './titles.ts'

export interface Part extends Sentence {
  /**
   * Whether the sentence is a part of a list. If it is, the sentences after it may be about any agreement of the list.
   */
  isPart?: boolean
}

/** Maximum length of a list, and maximum number of its agreements. Real lists have up to six agreements. */
const LIST_MAX = 4_000
const PARTS_MAX = 12
/** Matches the beginning of a further agreement: ", (ii) a", "; and a", " and a". */
const NEXT =
  /(?:^|[,;:]\s?(?:and\s)?|\sand\s|\s)\(?(?:[ivx]{1,4}|[a-h]|\d)\)\s(?=(?:an?|the|that certain|its|our)\s)|[,;]?\sand\s(?=(?:an?|the)\s)/g
/** Words between the title of an agreement and the names of its parties. */
const OWN =
  /^(?:\s?\([^()]{0,160}\))?,?\s(?:(?:dated|made|entered into|executed|effective)\b[^;()]{0,60}?(?:\s\([^()]{0,160}\),?)?\s)?(?:with|by and (?:among|between)|among|between|in favor of)\s/
/** Words after which an agreement is only mentioned, and is not a further agreement of the list. */
const MENTIONED =
  /\b(?:which|that(?! certain)|pursuant|under|replac\w*|refinanc\w*|terminat\w*|supersed\w*|relat\w*|connection|provid\w*|amend(?:s|ed|ing)|guarante\w*|secur(?:es|ed|ing)|respect|to (?:purchase|sell|acquire|issue|offer))\b/
/** Matches "(as amended, the “Agreement”)" */
const BRACKETS = /\([^()]{0,200}\)/g
const TITLE_NEAR = 60

interface Begin {
  /** Start of the words that join this agreement to the agreement before it, such as "; and". */
  at: number
  from: number
}

/**
 * Returns the positions at which further agreements with parties of their own begin, between two positions of a text.
 */
export function furtherIn(text: string, from: number, to: number): Begin[] {
  const begins: Begin[] = []
  let last = from
  for (const { index, 0: words } of text.slice(from, Math.min(to, from + LIST_MAX)).matchAll(NEXT)) {
    const begin = { at: from + index, from: from + index + words.length }
    const end =
      begin.at < last || MENTIONED.test(text.slice(last, begin.at).replace(BRACKETS, ''))
        ? null
        : titlesEnd(text, begin.from)
    if (end === null) continue
    begins.push(begin)
    last = end
  }
  return begins
}

/** Returns the end of the titles at a position if the parties of these titles follow directly; null for other words. */
function titlesEnd(text: string, from: number): number | null {
  const titles = titlesAfter(text, from)
  const [first, last] = [titles[0], titles.at(-1)]
  if (!first || !last || first.start - from > TITLE_NEAR) return null
  return OWN.test(text.slice(last.end, last.end + 420)) ? last.end : null
}

/**
 * Returns a sentence for each agreement of a list. Each sentence begins with the words before the list. The evidence of
 * such a sentence ends where the words about its agreement end.
 */
export function partsOf(sentence: Sentence, verb: RegExp): Part[] {
  const text = sentence.text.replace(/\s/g, ' ')
  const act = new RegExp(verb.source).exec(text)
  if (!act) return [sentence]
  const after = act.index + act[0].length
  const mark = /^:?\s\(?(?:i|a|1)\)\s/.exec(text.slice(after, after + 6))
  const first = after + (mark?.[0].length ?? 0)
  const end = titlesEnd(text, first)
  if (end === null) return [sentence]
  const begins = [{ at: after, from: first }, ...furtherIn(text, end, text.length)].slice(0, PARTS_MAX)
  if (begins.length === 1) return [sentence]
  const lead = text.slice(0, after)
  return begins.map((begin, i) => {
    const stop = begins[i + 1]?.at ?? text.length
    return {
      ...{ text: `${lead} ${text.slice(begin.from, stop)}`, isPart: true, isFirst: sentence.isFirst && i === 0 },
      ...{ start: sentence.start, end: Math.min(sentence.start + stop, sentence.end) },
    }
  })
}
