/**
 * Reads whether an expense example is about an investor who redeems the shares, or one who keeps them. A contract of an
 * insurer is surrendered instead (Forms N-4 and N-6, Item 4).
 */

/** either: the words give the same amounts for both. annuitized: the contract pays an annuity, which is neither. */
export type Redemption = 'redeemed' | 'held' | 'either' | 'annuitized'

const NOT_REDEEMED =
  /\b(?:not|no|without)\b(?: [\w()]{1,12}){0,4} ?\(?(?:redeem(?:ed|ing)?|redemptions?|sold|sell|repurchased?|surrender(?:ed)?)\b|\b(?:held|hold|holding|keep|kept|retain(?:ed)?)\b/i
const REDEEMED = /\b(?:redeem(?:ed|ing)?|redemptions?|sold|sell|repurchased?|surrender(?:ed|ing)?(?!ed|ing| charge))\b/i
const ANNUITIZED = /\bannuiti[sz](?:e[ds]?|ing|ation)\b/i
const BOTH =
  /\b(?:whether or not|whether you do or do not|with or without|either|regardless)\b|\b(?:redeem(?:ed)?|sold|sell)\b.{0,20}\bor\b.{0,20}\b(?:not|held|hold|keep|kept)\b|\bsurrender(?:ed)?\b.{0,60}\bor\b.{0,20}\b(?:not|held|hold|keep|kept)\b|\b(?:held|hold|not)\b.{0,20}\bor\b.{0,20}\b(?:redeem(?:ed)?|sold|sell)\b/i

/** Maximum length of a heading or a cell with such words. */
const LABEL_MAX = 200

/** Returns what the words of a cell or a heading say about redemption. */
export function redemptionOf(label: string): Redemption | null {
  if (label.length > LABEL_MAX) return null
  if (BOTH.test(label)) return 'either'
  if (NOT_REDEEMED.test(label)) return 'held'
  if (REDEEMED.test(label)) return 'redeemed'
  return ANNUITIZED.test(label) ? 'annuitized' : null
}

/** Matches the first word of a phrase about redemption that follows the name of a class: "Class C, if you sold". */
const PHRASE =
  /[\s,:;–—-]{0,3}\b(?:if|assuming|with|without|when|whether|no|sold|held|shares? (?:sold|held|redeemed|not)|redemption|redeemed|redeeming|not|either|you would pay)\b.*$/i

/** Returns a label without the words about redemption: "(if not redeemed) C" → "C". */
export function withoutRedemption(label: string): string {
  if (redemptionOf(label) === null) return label
  const bare = label
    .replace(/\([^()]{0,100}\)/g, (group) => (redemptionOf(group) === null ? group : ' '))
    .replace(/\s+/g, ' ')
    .trim()
  return redemptionOf(bare) === null ? bare : bare.replace(PHRASE, '').trim()
}

/** Matches sentences that give the same amounts for both cases: "hold or redeem all of your shares". */
const EITHER =
  /\bwhether or not\b|\bwhether you do or do not\b|\b(?:hold|held|keep)\b[^.]{0,30}\bor\b[^.]{0,40}\b(?:redeem|sell|sold|surrender)|\b(?:redeem|sell|sold|surrender)\b[^.]{0,80}\bor\b[^.]{0,30}\b(?:hold|held|keep|not redeem|not sell|not surrender)\b|\bnot redeem\b[^.]{0,80}\b(?:same|identical)\b/i
const SELLS =
  /\b(?:then|you|and|indicated,?|below,?|assuming) (?:fully )?(?:redeem|sell|redeemed|sold|surrender|surrendered)\b(?! or| charge)|\bredemption (?:of all|at the end)\b|\brepurchased (?:in full )?at the end\b/i
const KEEPS =
  /\b(?:not|never) (?:redeem|sell|redeemed|sold|surrender|surrendered)\b|\b(?:continued? to|and then|then) hold\b/i

/** Returns what the paragraph above the amounts says about redemption. */
export function redemptionIn(narrative: string): Redemption | null {
  if (EITHER.test(narrative)) return 'either'
  if (SELLS.test(narrative)) return 'redeemed'
  return KEEPS.test(narrative) ? 'held' : null
}

/** The values of `is_redeemed` for a stated amount: two if the amount holds for both cases, else one. */
export const casesOf = (redemption: Redemption | null): (boolean | null)[] =>
  redemption === 'either' ? [true, false] : [redemption === null ? null : redemption === 'redeemed']
