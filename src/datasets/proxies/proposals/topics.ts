/**
 * Finds the topic of a proposal. It finds only topics on which a meeting votes no more than once. So a topic identifies
 * its proposal.
 */

const TOPICS: Readonly<Record<string, RegExp>> = {
  election: /\belect(?:ion|ing)?\b|\bnominees\b/i,
  auditor: /\bratif(?:y|ication|ying)\b|\baccounting firm\b|\bindependent (?:certified )?(?:public )?(?:accountants?|auditors?)\b/i,
  frequency: /\bfrequency\b/i,
  pay: /\bsay[- ]on[- ]pay\b|\b(?:executive compensation|compensation of (?:our|its|the)[^.;]{0,40}(?:executive|officers))\b/i,
  merger: /\bmerger\b/i,
  adjournment: /\badjourn(?:ment)?\b/i,
  split: /\breverse (?:stock |share )?split\b/i,
} // biome-ignore format: one line each

/**
 * Matches holders' proposals. Holders may propose anything that a board may propose, so the topic does not distinguish
 * their proposals from the board's.
 */
const OF_HOLDERS = /\b(?:share|stock)(?:holder|owner)s?['’]?s?\s{1,3}proposals?\b/i

/** Returns the only topic of the words; null for none, for several, and for holders' proposals. */
export function topicOf(text: string): string | null {
  if (OF_HOLDERS.test(text)) return null
  const found = Object.keys(TOPICS).filter((topic) => TOPICS[topic]!.test(text))
  // A proposal on the frequency of the vote on pay also has words about pay.
  if (found.includes('frequency'))
    return found.every((topic) => topic === 'frequency' || topic === 'pay') ? 'frequency' : null
  return found.length === 1 ? found[0]! : null
}
