/** Items 2.01 and 5.01: acquisitions of the filer itself, by another firm or by a merger into the filer. */

import { organizationsIn } from '../../../read/prose/organizations.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { dayBefore } from './days.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { preparedFrom, type Section } from './prepared.ts'
import { isDenied, isHistory, isReported, isSupposed } from './subject.ts'

/** Matches the acquisition of the whole filer. The acquirer's name is right before the verb. */
const ACQUIRES =
  /\s(?:completed|consummated|closed)\s(?:the|its|their)\s(?:(?:previously\s)?(?:announced|disclosed|planned|pending)\s)?(?:acquisition|purchase)\sof\s(?:all\s(?:of\s)?the\s(?:issued\sand\s)?outstanding\s(?:[a-z]{1,10}\s){0,3}(?:stock|shares)\sof\s)?the\sCompany(?=[\s,.;]|$)|\sacquired\s(?:all\s(?:of\s)?the\s(?:issued\sand\s)?outstanding\s(?:[a-z]{1,10}\s){0,3}(?:stock|shares)\sof\s)?the\sCompany(?=[\s,.;]|$)/g
/** Matches "the Company was acquired by Alpha, Inc.", "the Company became a wholly owned subsidiary of Parent" */
const BECOMES =
  /\bthe\sCompany(?:,[^,;]{1,60},)?\s(?:was\sacquired\sby|(?:became|is\snow)\s(?:an?|the)\s(?:(?:direct|indirect),?\s(?:and\s)?)?wholly[- ]owned(?:,?\s(?:direct|indirect))?\ssubsidiary\sof)\s/g
/**
 * Matches "Merger Sub merged with and into the Company, with the Company surviving as a wholly owned subsidiary of
 * Parent"
 */
const MERGED =
  /\bmerged\swith\sand\sinto\sthe\sCompany\b[^;]{0,40}?\bthe\sCompany\s(?:being\sthe\ssurviving\s[a-z]{1,20}[^;]{0,40}?|surviving|continuing)[^;]{0,160}?\bas\s(?:an?|the)\s(?:(?:direct|indirect),?\s(?:and\s)?)?wholly[- ]owned(?:,?\s(?:direct|indirect))?\ssubsidiary\sof\s/g
/** Words before a verb of an act that has not been done. */
const NOT_DONE =
  /\b(?:not|never|will|would|may(?!\s\d)|might|could|shall|should|agreed|if|until|unless|upon|when|once|before|prior to|had)\b[^,;]{0,80}$/i
/**
 * Words of changes in which a filer gets a new parent, but nobody acquires the filer: a new holding company, a move to
 * another state, or the merger of a blank check company.
 */
const OWN_STEP =
  /\b(?:holding company (?:reorganization|structure|merger)|reincorporat\w+|redomest\w+|redomicil\w+|251\(g\)|12g-3|successor issuer|blank check|special purpose acquisition|trust account|business combination)\b/i

/**
 * Reads the acquisition of the filer. The first sentence that reports the acquisition counts, since later sentences
 * repeat it.
 */
export function targets(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const out = collector()
  const section = preparedFrom(sentences, filer)
  if (filer === null || section.sentences.some(({ said }) => OWN_STEP.test(said))) return out.read
  section.sentences.some((_, i) => put(section, i, filer, out))
  return out.read
}

function put({ sentences, shortNames }: Section, i: number, filer: string, out: Collector): boolean {
  const { said, sentence } = sentences[i]!
  const found = acquisitionIn(said, shortNames)
  if (found === null) return false
  out.put('acquired', filer, sentence)
  out.putDay('completion_date', dayBefore(said, found.verb), sentence)
  out.put('deal_party', found.acquirer, sentence)
  return true
}

function acquisitionIn(said: string, shortNames: ReadonlyMap<string, string>) {
  for (const pattern of [ACQUIRES, BECOMES, MERGED]) {
    for (const { index, 0: words } of said.matchAll(pattern)) {
      const verb = pattern === ACQUIRES ? index + 1 : index
      const isDone =
        !NOT_DONE.test(said.slice(Math.max(0, verb - 300), verb)) &&
        !isDenied(said, verb) &&
        !isSupposed(said, verb) &&
        !isReported(said, verb) &&
        !isHistory(said, index + words.length)
      const acquirer =
        pattern === ACQUIRES
          ? nameBefore(said.slice(0, index), shortNames)
          : nameAt(said.slice(index + words.length), shortNames)
      if (isDone && acquirer !== null) return { verb, acquirer }
    }
  }
  return null
}

/** Returns the firm with whose name the words end; null if the words end otherwise, or with the filer. */
function nameBefore(words: string, shortNames: ReadonlyMap<string, string>): string | null {
  const last = organizationsIn(words).at(-1)
  if (last && last.end >= words.replace(/[.,]$/, '').length) return last.name
  const short = [...shortNames].find(([name]) => words.endsWith(` ${name}`) || words === name)
  return short?.[1] ?? null
}

/** Returns the firm with whose name the words begin; null if the words begin otherwise. */
function nameAt(words: string, shortNames: ReadonlyMap<string, string>): string | null {
  const short = [...shortNames].find(
    ([name]) => words.startsWith(name) && !/^[\p{L}\d]/u.test(words.slice(name.length)),
  )
  if (short) return short[1]
  const [first] = organizationsIn(words.slice(0, 160))
  return first?.start === 0 ? first.name : null
}
