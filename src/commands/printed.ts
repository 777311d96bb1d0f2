/** Runs a verb that needs only the database, and prints the text that it returns. */
import type { Config } from '../config.ts'
import { openDatabase, readOnly } from '../database.ts'
import type { Sql } from '../store/db.ts'
import { print } from './print.ts'

/**
 * Opens the database, prints the text of the work, and closes the database.
 *
 * @param command command and verb, for messages; the verb `list` only reads, so it never migrates
 * @returns the exit status 0
 * @throws UserError if the database cannot be opened, or is of another version and the verb only reads
 */
export async function printed(
  config: Config,
  [command, verb]: readonly [command: string, verb: string],
  work: (sql: Sql) => Promise<string>,
): Promise<number> {
  const named = `${command} ${verb}`
  const database = await openDatabase(config, { only: verb === 'list' ? 'read' : 'write', command: named })
  try {
    print(await readOnly(database, named, () => work(database.sql)))
    return 0
  } finally {
    await database.close()
  }
}
