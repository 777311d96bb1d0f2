/**
 * Detects that another process has brought the database to a newer version. After that, writing by the old rules would
 * be wrong: a command ends, and a server reports the newer version at `/readyz`.
 */
import { readdirSync } from 'node:fs'
import { UserError } from '../declare/errors.ts'
import type { Sql, Transaction } from './db.ts'
import { versionText } from './version.ts'

/**
 * The last migration of this code, read when the process begins: a new version may be installed into the same folder
 * later.
 */
const LAST = readdirSync(new URL('migrations/', import.meta.url))
  .sort()
  .at(-1)!

/** The error that ends a run at any step, since every later step would fail for the same reason. */
export class Overtaken extends UserError {}

/** The reason why this process must be restarted; null if its version is not older than the database's version. */
export async function whyOvertaken(sql: Sql | Transaction): Promise<string | null> {
  const [newer] = await sql<{ version: string | null; migration: string }[]>`
    select max(name) as migration, (select value from core.meta where name = 'version') as version
    from core.migration where name > ${LAST} having count(*) > 0`
  return newer
    ? `another process brought the database to ${versionText(newer)} while this process ran: start it again with that version`
    : null
}

/** @throws Overtaken */
export async function assertNotOvertaken(sql: Sql | Transaction): Promise<void> {
  const why = await whyOvertaken(sql)
  if (why !== null) throw new Overtaken(`${why}; what was committed stays`)
}

/** The error if another process has rebuilt the tables, in the shape of its own version, since this run began. */
export const overtakenTables = (slug: string): Overtaken =>
  new Overtaken(
    `another process has rebuilt the tables of ${slug} in another version since this run began: start this command ` +
      'again with the version that you want to keep; what was committed stays',
  )
