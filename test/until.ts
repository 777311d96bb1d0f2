import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the condition holds; fails, naming what was waited for, when it does not in a time that only a hang reaches. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 120_000): Promise<void> {
  const start = Date.now()
  while (!(await holds())) {
    const waited = Date.now() - start
    assert.ok(waited < ms, `not within ${ms} ms: ${what}`)
    // What takes long is not made longer by looking: a look is often a page or a statement.
    await sleep(waited < 1_000 ? 10 : 50)
  }
}
