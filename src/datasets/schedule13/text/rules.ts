/** Reads the boxes of Schedule 13G for the rule of the filing: 13d-1(b), (c) or (d). */
import { coverFact, type FactOrGap, leftOut } from './facts.ts'
import { GAP, trimmed } from './plain-text.ts'
import { isBlank, isChecked } from './values.ts'

const HEAD = new RegExp('check the appropriate box to designate the rule'.replaceAll(' ', GAP), 'i')
/** Also accepts `13d-l(b)` and `13d-i(b)`, which real filings have. */
const RULE = /\brule\s{1,9}13d\s?[-–]\s?[1li]\s?\(\s?([bcd])\s?\)/gi
/** Maximum distance of a box from the heading. The boxes are in the three lines below the heading. */
const BELOW = 1_500

/** Returns the rules whose boxes are checked. Either each box precedes its rule, or each box follows its rule. */
export function rulesOf(cover: string): FactOrGap[] {
  const head = HEAD.exec(cover)
  if (!head) return []
  const all = [...cover.matchAll(RULE)].filter(({ index }) => index > head.index && index < head.index + BELOW)
  const rules = all.slice(0, 3).map(({ index, 0: whole, 1: letter }) => ({
    letter: letter!.toLowerCase(),
    start: index,
    end: index + whole.length,
  }))
  const last = rules.at(-1)
  if (!last || !/^b?c?d?$/.test(rules.map(({ letter }) => letter).join(''))) return [leftOut('rule', head[0])]
  const colon = cover.lastIndexOf(':', rules[0]!.start)
  const first = Math.max(colon + 1, head.index + head[0].length)
  const stop = endOfLine(cover, last.end)
  const edges = [first, ...rules.map(({ end }) => end)]
  const between = edges.map((start, at) => cover.slice(start, rules[at]?.start ?? stop))
  const isBefore = !isBlank(between[0]!)
  const boxes = (isBefore ? between.slice(0, -1) : between.slice(1)).map((box) =>
    isChecked(box.replace(/\(\s?\d\s?\)/g, ' ')),
  )
  if (boxes.includes(null)) return [leftOut('rule', cover.slice(first, stop))]
  return rules.flatMap(({ letter, start, end }, at) => {
    if (!boxes[at]) return []
    const whole = isBefore ? { start: edges[at]!, end } : { start, end: rules[at + 1]?.start ?? stop }
    return [coverFact('rule', `Rule 13d-1(${letter})`, trimmed(cover, whole)!)]
  })
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}
