/**
 * Reads the notices of an item: agreements and terminations, deals, exit costs, sales of securities, acquisitions of
 * the filer, amendments and repurchases.
 */
import { DOTTED_FORM } from '../../read/legal-forms.ts'
import { OPENERS } from '../../read/prose/openers.ts'
import { type Sentence, type Span, sentencesOf } from '../../read/prose/sentences.ts'
import { dividendsLeftOut } from './facts/dividends.ts'
import { agreements } from './notices/agreements.ts'
import { amendments } from './notices/amendments.ts'
import { deals } from './notices/deals.ts'
import { exits } from './notices/exits.ts'
import type { NoticeRead, NoticeReader } from './notices/notice.ts'
import { repurchases } from './notices/repurchases.ts'
import { sales } from './notices/sales.ts'
import { targets } from './notices/targets.ts'
import { terminations } from './notices/terminations.ts'

/** Readers by item number, also for the items before 2004-08-23 that became these items. */
const READERS: Readonly<Record<string, NoticeReader>> = {
  '1.01': agreements,
  '1.02': terminations,
  '2.01': deals,
  '2.05': exits,
  '3.02': sales,
  '5.01': targets,
  '5.03': amendments,
  '7.01': repurchases,
  '8.01': repurchases,
  '2': deals,
  '5': repurchases,
  '8': amendments,
}

/** Items whose dividends `facts.ts` reads. */
const DIVIDENDS: ReadonlySet<string> = new Set(['7.01', '8.01', '5'])

/**
 * @param section text of the item after its heading
 * @param filer name in the header; null if unknown
 * @returns facts in the order of the text, and the values that were left out, each with its reason. Equal facts with
 *   the same evidence occur once
 */
export function noticesOf(item: string, markdown: string, section: Span, filer: string | null): NoticeRead {
  const read = READERS[item]
  if (!read) return { facts: [], leftOut: [] }
  const { sentences } = sentencesOf(markdown, section)
  const { facts, leftOut } = read(sentences.flatMap(parted), filer)
  // Equal values of two sentences may be about two acts, but an amended document is listed only once.
  const keys = facts.map(({ name, value, start, end }) =>
    JSON.stringify(name === 'amended' ? [name, value] : [name, value, start, end]),
  )
  const dividends = DIVIDENDS.has(item) ? sentences.flatMap(dividendsLeftOut) : []
  return { facts: facts.filter((_, at) => keys.indexOf(keys[at]!) === at), leftOut: [...leftOut, ...dividends] }
}

/**
 * Matches the blanks between the full stop of a legal form and the next sentence. `sentencesOf` does not split there,
 * since it takes this full stop for a part of an abbreviation.
 */
const AFTER_FORM = new RegExp(
  String.raw`(?<=\b${DOTTED_FORM}\.)\s{1,4}(?=(?:The|This|These|That|Those|Such|In|On|As|At|A|An|All|Both|Pursuant|Under|Upon|For|Following|After|Prior|With|Subject|We|It|Its|Our|Each|Any|No|There|If|When|${OPENERS.join('|')})[\s,])`,
  'g',
)

/** Splits a text after the name of a firm if a sentence ends with that name. */
function parted(sentence: Sentence): Sentence[] {
  const parts: Sentence[] = []
  let from = 0
  for (const { index, 0: blanks } of sentence.text.matchAll(AFTER_FORM)) {
    const end = sentence.start + index
    if (end >= sentence.end) break
    parts.push({
      ...sentence,
      ...{ text: sentence.text.slice(from, index), start: sentence.start + from, end },
      isFirst: sentence.isFirst && from === 0,
    })
    from = index + blanks.length
  }
  const rest = { text: sentence.text.slice(from), start: sentence.start + from, end: sentence.end }
  return [...parts, { ...rest, isFirst: sentence.isFirst && from === 0 }]
}
