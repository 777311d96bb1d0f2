/** Item 3.01: selects the new notice among all notices that the item mentions. */
import type { Fact } from './fact.ts'

export interface Delisting {
  exchange: string | null
  rules: string[]
  reason: string | null
  notice_date: string | null
  deadline: string | null
}

/**
 * Selects the newest notice, since an item repeats earlier reports. The reason is in the sentence of the notice, or
 * else before that sentence ("still not in compliance with the Rule"). A deadline before the day of the notice does not
 * count.
 *
 * @param facts of the item, in the order of the text
 */
export function delistingOf(facts: readonly Fact[]): Delisting {
  const named = (name: Fact['name']) => facts.filter((fact) => fact.name === name)
  const row = { exchange: named('exchange')[0]?.value ?? null, rules: named('rule').map(({ value }) => value) }
  const notices = named('notice_date')
  const notice = notices.find(({ value }) => notices.every((other) => other.value <= value))
  const reasons = named('reason')
  const lastAt = (at: number) => notices.findLast(({ start }) => start <= at)
  // Compliance regained after an older notice does not concern the newest notice.
  const open = reasons.filter(
    ({ value, start }) => value !== 'compliance_regained' || (lastAt(start) ?? notice) === notice,
  )
  const regained = open.find(({ value }) => value === 'compliance_regained')
  if (regained) {
    const day = lastAt(regained.start)
    return { ...row, reason: regained.value, notice_date: day?.value ?? null, deadline: null }
  }
  const own = notice && open.find(({ start }) => start === notice.start)
  const before = notice && open.findLast(({ start }) => start < notice.start)
  const deadlines = named('deadline').filter(({ value }) => !notice || value > notice.value)
  const deadline = (notice && deadlines.find(({ start }) => start >= notice.start)) ?? deadlines[0]
  return {
    ...row,
    reason: (own ?? before ?? open[0])?.value ?? null,
    notice_date: notice?.value ?? null,
    deadline: deadline?.value ?? null,
  }
}
