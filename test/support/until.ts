import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves when the condition holds. Fails, with a description of the condition, after a time that only a hang reaches.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 120_000): Promise<void> {
  const start = Date.now()
  while (!(await holds())) {
    const waited = Date.now() - start
    assert.ok(waited < ms, `not within ${ms} ms: ${what}`)
    // Long waits are checked less often: a check is often a page or a statement.
    await sleep(waited < 1_000 ? 10 : 50)
  }
}
