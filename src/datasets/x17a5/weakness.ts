/**
 * Classifies sentences of a report about a material weakness. Nothing is guessed: a sentence that neither affirms nor
 * denies a weakness in clear words is only a mention.
 */

import { sentenceAt } from '../../read/prose/sentences.ts'

/**
 * Readings of a sentence: a weakness exists, no weakness exists, a weakness existed in an earlier year, or a mere
 * mention.
 */
export const READINGS = ['disclosed', 'denied', 'former', 'mentioned'] as const
export type Reading = (typeof READINGS)[number]

export interface WeaknessSentence {
  /** Offset in the text, in UTF-16 units; `end` is exclusive. */
  start: number
  end: number
  sentence: string
  reading: Reading
}

/**
 * "Material inadequacy" is the older term of Rule 17a-5. A PDF may divide a word at the end of a line: "material
 * weak-ness", "weak- ness".
 */
const TERM =
  /\bma(?:-\s{0,2})?te(?:-\s{0,2})?rial\s+(?:weak(?:-\s{0,2})?ness(?:-?es)?|in(?:-\s{0,2})?ad(?:-\s{0,2})?e(?:-\s{0,2})?qua(?:-\s{0,2})?c(?:y|ies))\b/gi
/** Hyphens within a divided word of the term. */
const DIVIDED =
  /(?<=\b(?:ma|mate|weak|in|inad|inade|inadequa))-\s{0,2}(?=(?:te|rial|ness|ade?-?|e-?|quac|equac|cy\b|cies\b))/gi
/** Maximum number of sentences of one text. The report with the most sentences has a dozen. */
const SENTENCES_MAX = 200

/** Returns the sentences in order, each once, even if it has the term several times. */
export function weaknessSentences(text: string): WeaknessSentence[] {
  const found: WeaknessSentence[] = []
  for (const { index } of text.matchAll(TERM)) {
    if (found.length > 0 && index < found.at(-1)!.end) continue
    const { start, end } = sentenceAt(text, index)
    const sentence = text.slice(start, end)
    found.push({ start, end, sentence, reading: readingOf(sentence) })
    if (found.length >= SENTENCES_MAX) break
  }
  return found
}

const WEAKNESS = 'material (?:weakness(?:es)?|inadequac(?:y|ies))\\b'
const words = (most: number) => `(?:[\\w’'-]+ ){0,${most}}?`
const of = (...patterns: string[]) => patterns.map((pattern) => new RegExp(pattern.replaceAll('~', WEAKNESS), 'i'))

/**
 * Tests whether patterns follow one another without certain characters between them. Searches for one pattern after the
 * other. The time of a single combined pattern would grow with the square or the cube of a sentence's length.
 */
function inOrder(sentence: string, [stops, ...patterns]: readonly RegExp[]): boolean {
  return sentence.split(stops!).some((clause) => {
    let rest = clause
    for (const pattern of patterns) {
      const found = pattern.exec(rest)
      if (found === null) return false
      rest = rest.slice(found.index + found[0].length)
    }
    return true
  })
}
const ordered = (stops: RegExp, ...patterns: string[]) => [stops, ...of(...patterns)]

/** Matches definitions, and descriptions of an auditor's task. Every report has these, with or without a weakness. */
const HYPOTHETICAL = of(
  // "A material weakness is a deficiency, or a combination of deficiencies …": not "a material weakness is described
  // below".
  `~[^.;]{0,80}? (?:is|are|means|is defined as) an? (?:control |significant )?(?:deficiency|combination|condition)`,
  `\\b(?:less|more) severe than an? ~`,
  `\\brisks? (?:that|of) ${words(3)}~`,
  `~ (?:may|might|could|would|will|should)\\b`,
  // An entry of the form's table of contents: "A report describing any material inadequacies found to exist …".
  `\\breport (?:describing|on|of) any ~`,
  `\\b(?:each|every) ~`,
)
const HYPOTHETICAL_ORDERS = [
  // "… might be material weaknesses", "… that could constitute a material weakness".
  ordered(
    /[.;]/,
    `\\b(?:might|may|could|would|can|should) ${words(3)}(?:be|have been|constitute|indicate|represent|exist|include|disclose|identify|reveal)\\b`,
    '~',
  ),
  ordered(/[.;]/, '\\b(?:whether|if|unless|until|in the event)\\b', '~'),
]

/**
 * Words after a "not" that negates something other than the weakness: "was not effective because of a material
 * weakness".
 */
const OF_CONTROLS =
  /\b(?:effective|because|due|result|resulted|adequate|adequately|properly|comply|compliance|maintain|maintained|operat\w+|design\w*|perform\w*|segregat\w*|prevent\w*|detect\w*|which|remediat\w+|correct\w+|yet)\b/i

const DENIED = of(
  // "Material weakness: None."
  `~ ?(?::|[-–—]) ?(?:none|nil)(?: (?:noted|found|identified|reported))?\\.?\\s*$`,
  `\\b(?:found|noted|identified|discovered|observed|saw) nothing\\b[^.;]{0,80}~`,
  `\\bno ${words(3)}~`,
  `\\b(?:free (?:of|from)|absence of|without|neither|nor) ${words(4)}~`,
)
const DENIED_ORDERS = [
  // "no deficiencies in internal control that we consider to be material weaknesses"
  ordered(
    /[,;:]/,
    '\\bno (?:deficienc\\w+|matters?|conditions?|control)\\b',
    '\\b(?:consider\\w*|deem\\w*|believe\\w*|constitut\\w*|be|is|are|was|were)\\b',
    '~',
  ),
  ordered(/[;:]/, "\\b(?:not|never|neither|n’t|n't)\\b", '\\bany\\b', '~'),
  ordered(/[;:]/, '\\bnone of ', '~'),
]
const NOT_NEAR = new RegExp(`\\b(?:not|never|n’t|n't) (${words(5)})${WEAKNESS}`, 'i')

const VERB =
  '(?:identif(?:y|ies|ied)|noted|f(?:ind|ound)|discovered|observed|disclose[sd]?|reported|has|have|had|exhibited|experienced|reveal(?:s|ed)|uncovered|acknowledged?|describe[sd]?)'

const DISCLOSED = of(
  `\\b${VERB} (?:(?:that )?there (?:is|was|were|are) )?${words(4)}~`,
  `\\b(?:there (?:is|was|were|are|existed|exists)) ${words(4)}~`,
  `\\b(?:because of|due to|as a result of|result(?:ed|ing) (?:in|from)|owing to|by reason of|attributable to) ${words(4)}~`,
  `\\b(?:constitut(?:e|es|ed|ing)|represent(?:s|ed|ing)?|consider(?:s|ed)?(?: to be)?|deem(?:s|ed)?(?: to be)?|determined(?: to be)?|concluded(?: to be)?|was|were|is|are|as) (?:an? |the )?${words(1)}~`,
  `\\bfollowing ${words(4)}~`,
  `\\b(?:the|this|these|that|such) ${words(1)}~ (?:in [^.;]{0,80} )?(?:described|discussed|identified|noted|referred|existed|relates?d?|was|were|is|are|arose|resulted|occurred)\\b`,
  `\\ban? ~ (?:in [^.;]{0,120} )?(?:existed|exists|was (?:identified|noted|found|present|discovered)|has been|had been|occurred|arose)\\b`,
  `\\b~ (?:in [^.;]{0,120} )?(?:existed|were (?:identified|noted|found|present|discovered))\\b`,
)

/** Words between "no" and the term by which the sentence denies an opinion and not a weakness. */
const OF_OPINION = /\b(?:opinion|assurance|conclusion|whether)\b/i

const FORMER =
  /\b(?:previously (?:reported|identified|disclosed)|prior[- ](?:fiscal )?(?:year|period)|(?:preceding|previous|last) (?:fiscal )?(?:year|period)|the year before)\b/i
const OVER = /\b(?:remediated|corrected|resolved|no longer exists?)\b/i

function readingOf(given: string): Reading {
  const sentence = given.replace(/\s+/g, ' ').replace(DIVIDED, '')
  if (FORMER.test(sentence) && OVER.test(sentence) && !NOT_OVER.test(sentence)) return 'former'
  const has = (pattern: RegExp) => pattern.test(sentence)
  const hasOrder = (order: readonly RegExp[]) => inOrder(sentence, order)
  const near = NOT_NEAR.exec(sentence)
  const isDenied = DENIED.some((pattern) => {
    const denied = pattern.exec(sentence)
    return denied !== null && !OF_OPINION.test(denied[0])
  })
  const isNear = near !== null && !OF_CONTROLS.test(near[1]!)
  if (isNear || NOTHING_CAME.test(sentence) || isDenied || DENIED_ORDERS.some(hasOrder)) {
    const excepted = EXCEPTION.exec(sentence)
    return excepted ? readingOfException(sentence.slice(excepted.index + excepted[0].length)) : 'denied'
  }
  if (HYPOTHETICAL.some(has) || HYPOTHETICAL_ORDERS.some(hasOrder)) return 'mentioned'
  return DISCLOSED.some((pattern) => pattern.test(sentence)) ? 'disclosed' : 'mentioned'
}

/**
 * Matches an exception after the term. "No material weaknesses other than the one in Note 5" does not deny the weakness
 * in Note 5.
 */
const EXCEPTION = new RegExp(
  `${WEAKNESS}.{0,200}?(?:\\b(?:except|excepting|other than|apart from|aside from|with the exception of)\\b)`,
  'i',
)
/** The exception discloses a weakness only if it names one. Otherwise it is unknown what the exception is about. */
const readingOfException = (rest: string): Reading =>
  new RegExp(`^.{0,20}\\b(?:an?|the|one|following|certain)\\b.{0,20}${WEAKNESS}`, 'i').test(rest)
    ? 'disclosed'
    : 'mentioned'

/** Negative assurance: "Nothing came to our attention to indicate that there was a material weakness". */
const NOTHING_CAME =
  /\b(?:nothing|no (?:facts?|matters?|information|conditions?|items?|instances?)) (?:has |have |had )?(?:came|come|was brought|were brought) to (?:our|my|its|their|the \w+['’]s) (?:attention|notice)\b/i

const NOT_OVER = /\bnot (?:yet )?(?:been )?(?:fully )?(?:remediated|corrected|resolved)\b/i
