/** Does the work of `status`. */
import { openDatabase } from '../database.ts'
import { type Run, refuseMore } from './command.ts'
import { printJson, printLine } from './print.ts'
import type { OPTIONS } from './status.ts'
import { reportOf } from './status-report.ts'
import { statusText } from './status-text.ts'

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, config) => {
  refuseMore('status', positionals)
  // Uses one connection: a second one would take 10 ms of processor time, and the queries are small.
  const database = await openDatabase(config, { max: 1, only: 'read', command: 'status' })
  try {
    const report = await reportOf(database, config)
    if (values.json) printJson(report, 2)
    else printLine(statusText(report, Date.now()))
    return 0
  } finally {
    await database.close()
  }
}
