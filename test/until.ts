import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the condition holds; fails, naming what was waited for, when it does not in time. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 30_000): Promise<void> {
  const end = Date.now() + ms
  while (!(await holds())) {
    assert.ok(Date.now() < end, `not within ${ms} ms: ${what}`)
    await sleep(10)
  }
}
