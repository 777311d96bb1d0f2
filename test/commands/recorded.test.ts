/** Recorded runs: what is kept of an error that coincides with a stop. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '../../src/app.ts'
import { summedUp } from '../../src/commands/progress/recorded.ts'
import type { Reporter } from '../../src/commands/progress/reporter.ts'
import { QUIET } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'

const ERRORS: Record<string, { errorOf: (reason: Error) => Error; error: string | undefined }> = {
  'an error of its own is recorded and printed': {
    errorOf: () => new Error('the disk is full'),
    error: 'the disk is full',
  },
  'an error that the stop caused is not': {
    errorOf: (reason) => new Error('the request was aborted', { cause: reason }),
    error: undefined,
  },
}
for (const [what, { errorOf, error }] of Object.entries(ERRORS)) {
  test(`if a run fails while it is stopped, ${what}`, async (t) => {
    const { sql } = await freshDatabase(t)
    const stop = new AbortController()
    const texts: string[] = []
    const reporter: Reporter = { ...QUIET, summary: (_, text) => void texts.push(text) }
    // A run uses no other member of an app.
    const app = { sql, clients: [] } as unknown as App
    const outcome = await summedUp({ command: 'ingest', what: 'all', app, reporter, signal: stop.signal }, async () => {
      const reason = new Error('stopped by SIGINT')
      stop.abort(reason)
      throw errorOf(reason)
    })
    assert.equal(outcome, 'stopped')
    const [run] = await sql<{ outcome: string; summary: { error?: string } }[]>`select outcome, summary from core.run`
    assert.deepEqual([run?.outcome, run?.summary.error], ['stopped', error])
    assert.equal(/^ {2}error +the disk is full$/m.test(texts.join()), error !== undefined)
  })
}
