/**
 * Measures processor time, for tests that hostile input is read quickly: a busy machine delays a clock, but hardly
 * changes processor time. Hostile input takes 80 ms at most (measured), but seconds if a function looks at each
 * character again and again.
 */
import assert from 'node:assert/strict'

/** Fails if this process computes longer than any function that looks at each character a bounded number of times. */
export async function assertQuick(what: string, act: () => unknown, ms = 3_000): Promise<void> {
  const took = await effortOf(act)
  assert.ok(took < ms, `${what.slice(0, 60)}: ${Math.round(took)} ms of the processor`)
}

/** Milliseconds that this process computed during an action. */
export async function effortOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
