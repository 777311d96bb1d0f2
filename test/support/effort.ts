/**
 * Measures processor time, for tests that hostile input is read quickly: on a busy machine elapsed time grows, but
 * processor time hardly changes. Hostile input takes at most 80 ms (measured); it would take seconds if a function read
 * each character again and again.
 */
import assert from 'node:assert/strict'

/** Fails if an action uses more processor time than reading each character a bounded number of times would need. */
export async function assertQuick(what: string, act: () => unknown, ms = 3_000): Promise<void> {
  const took = await effortOf(act)
  assert.ok(took < ms, `${what.slice(0, 60)}: ${Math.round(took)} ms of the processor`)
}

/** Returns the milliseconds of processor time that this process used during an action. */
export async function effortOf(act: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await act()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
