/** Finds the words of a sentence which say that the filer entered into an agreement. */
import { isDenied, isHistory, isReported, OTHER_FIRM } from './subject.ts'

export const ENTERED =
  /\b(?:entered into|executed and delivered|executed|signed|amended(?: and restated)?(?=\s(?:the|its|that certain|an?)\s))\b/g
/** Words before a verb which show that the agreement is not new, or was not made. */
const NOT_MADE =
  /\b(?:not|never|neither|nor|no|if|unless|may|might|would|could|should|until|proposed|previously|(?<!\b(?:announced|reported)(?: that)?(?: it| they| the Company| we) )had|before|prior to|since|after|intends?|expects?|plans?|anticipates?|when|once|which (?:was|were)|that (?:was|were)|who|to be|having|existing|as)(?:\s[a-z]{1,12}){0,2}\s$/
/** Words after which the verb is only a participle: "the credit agreement entered into on March 31". */
const PARTICIPLE =
  /\b(?:agreements?|indentures?|leases?|contracts?|facilit(?:y|ies)|amendments?|notes?|plans?|letters?|those|transactions?|arrangements?)(?:,?\sdated\s(?:as of\s)?[a-z]{3,9}\.?\s\d{1,2},?\s\d{4})?,?\s$/i
const PASSIVE = /\b(?:was|were|has been|have been)\s$/
const FILER =
  /\b(?:[Tt]he (?:Company|Registrant|Corporation|Partnership|Trust|Fund|Bank|Issuer|Borrowers?|Parent|REIT|Operating Partnership|Depositor|Sponsor)|Registrant|[Ww]e|it|parties)\b(?![’']s (?!(?:[\w-]{1,20}\s){0,3}(?:subsidiar|Operating Partnership)))|\bsubsidiar(?:y|ies)\b/i

/** A statement that the filer entered into an agreement. */
export interface Statement {
  verb: number
  /** End of the verb. */
  after: number
  /** Start of the next verb, or the end of the sentence. */
  to: number
  isPassive: boolean
}

/** Returns the statements of a prepared sentence that report a new agreement of the filer. */
export function statementsIn(said: string): Statement[] {
  const verbs = [...said.matchAll(ENTERED)].map(({ index, 0: words }) => ({ verb: index, after: index + words.length }))
  return verbs.flatMap(({ verb, after }, i) => {
    const before = said.slice(verbs[i - 1]?.after ?? 0, verb)
    const near = before.slice(-400)
    const isPassive = PASSIVE.test(near)
    if (
      NOT_MADE.test(near) ||
      isDenied(said, verb) ||
      isReported(said, verb) ||
      isHistory(said, after) ||
      (!isPassive && PARTICIPLE.test(near))
    )
      return []
    if (!isPassive && !FILER.test((i > 0 ? said.slice(0, verb) : near).replace(OTHER_FIRM, ','))) return []
    return [{ verb, after, to: verbs[i + 1]?.verb ?? said.length, isPassive }]
  })
}
