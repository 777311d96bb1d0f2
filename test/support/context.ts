/** The context of a route's `run`, for tests that call a route without a server. */
import type { Context } from '../../src/declare/route.ts'
import { SCOPES } from '../../src/declare/scopes.ts'
import type { Sql } from '../../src/store/db.ts'
import { emptyArchive } from './empty-archive.ts'

/** A day after all data of the sample. */
const NOW = new Date('2026-11-21T12:00:00Z')

const KEY: Context['key'] = {
  keyId: 'testcontext',
  uid: 'test',
  scopes: SCOPES,
  limits: { search: 10, general: 60 },
  selfServe: false,
}

/**
 * Every member is real. Only the catalog has to be passed, and only if the route reads it: importing the registry takes
 * 1.4 s of processor time in each test file. A route that reads a missing catalog fails with a message that says what
 * to do.
 *
 * @param more members that this test adds or replaces
 */
export function testContext(sql: Sql, more: Partial<Omit<Context, 'sql'>> = {}): Context {
  const usual: Context = {
    sql,
    now: NOW,
    key: KEY,
    submissions: emptyArchive(sql),
    headers: {},
    get catalog(): never {
      throw new Error('the route reads the catalog: give it to testContext, as { catalog: registry }')
    },
  }
  // Spreading would read the catalog.
  return Object.defineProperties(usual, Object.getOwnPropertyDescriptors(more))
}
