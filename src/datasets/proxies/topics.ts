/** What a proposal is about, where that is a thing that a meeting is asked once. */

const TOPICS: Readonly<Record<string, RegExp>> = {
  election: /\belect(?:ion|ing)?\b|\bnominees\b/i,
  auditor: /\bratif(?:y|ication|ying)\b|\baccounting firm\b|\bindependent (?:certified )?(?:public )?(?:accountants?|auditors?)\b/i,
  frequency: /\bfrequency\b/i,
  pay: /\bsay[- ]on[- ]pay\b|\b(?:executive compensation|compensation of (?:our|its|the)[^.;]{0,40}(?:executive|officers))\b/i,
  merger: /\bmerger\b/i,
  adjournment: /\badjourn(?:ment)?\b/i,
  split: /\breverse (?:stock |share )?split\b/i,
} // biome-ignore format: one line each

/** A holder may propose anything that a board may; only who proposes it tells the two apart. */
const OF_HOLDERS = /\b(?:share|stock)(?:holder|owner)s?['’]?s?\s{1,3}proposals?\b/i

/** The one thing that words are about; null for none, for more than one, and for what a holder proposes. */
export function topicOf(text: string): string | null {
  if (OF_HOLDERS.test(text)) return null
  const found = Object.keys(TOPICS).filter((topic) => TOPICS[topic]!.test(text))
  // How often there is a vote on pay is about pay by its words.
  if (found.includes('frequency')) return found.every((topic) => topic === 'frequency' || topic === 'pay') ? 'frequency' : null // biome-ignore format: one line
  return found.length === 1 ? found[0]! : null
}
