import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Resolves when the condition holds. Fails with a description of the condition, after a timeout that only a hang
 * reaches.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 120_000): Promise<void> {
  const start = Date.now()
  while (!(await holds())) {
    const waited = Date.now() - start
    assert.ok(waited < ms, `not within ${ms} ms: ${what}`)
    // A long wait checks less often, since a check often requests a page or sends a statement; such a wait may last up
    // to a tenth longer than needed.
    await sleep(Math.min(Math.max(10, waited / 10), 250))
  }
}
