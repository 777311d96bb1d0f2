/**
 * Detects that another process has brought the database to a newer version. Writing by the old rules would be wrong
 * there: a command ends, and a server says so at `/readyz`.
 */
import { readdirSync } from 'node:fs'
import { UserError } from '../declare/errors.ts'
import type { Sql, Transaction } from './db.ts'
import { versionText } from './version.ts'

/** The last migration of this code, as it was when the process began: a new version may be put into the same folder since. */
const LAST = readdirSync(new URL('migrations/', import.meta.url))
  .sort()
  .at(-1)!

/** Ends a run, whatever it is at: nothing else of it can go better. */
export class Overtaken extends UserError {}

/** Why this process should be started again; null while it is as new as the database. */
export async function whyOvertaken(sql: Sql | Transaction): Promise<string | null> {
  const [newer] = await sql<{ version: string | null; migration: string }[]>`
    select max(name) as migration, (select value from core.meta where name = 'version') as version
    from core.migration where name > ${LAST} having count(*) > 0`
  return newer
    ? `another process brought the database to ${versionText(newer)} while this one ran: start this one again with that version`
    : null
}

/** @throws Overtaken */
export async function assertNotOvertaken(sql: Sql | Transaction): Promise<void> {
  const why = await whyOvertaken(sql)
  if (why !== null) throw new Overtaken(`${why}; what was committed stays`)
}

/** Another process rebuilt the tables since this run began, in the shape of its own version. */
export const overtakenTables = (slug: string): Overtaken =>
  new Overtaken(
    `the tables of ${slug} are of another version since this run began, as another process rebuilt them: start this one ` +
      'again with the version that is to stay; what was committed stays',
  )
