/** Does the work of `doctor`: checks everything, and reports what it finds. */

import { readSettings } from '../config.ts'
import { messageOf } from '../declare/errors.ts'
import { type Run, refuseMore } from './command.ts'
import { checkArchive } from './doctor/archive.ts'
import { type Check, lineOf } from './doctor/check.ts'
import { checkDatabase } from './doctor/database.ts'
import { checkHosts } from './doctor/hosts.ts'
import { atSharedPace } from './doctor/pace.ts'
import { checkDataFolder, checkSettings } from './doctor/settings.ts'
import { checkValkey } from './doctor/valkey.ts'
import type { OPTIONS } from './doctor.ts'
import { printJson, printLine } from './print.ts'

export const run: Run<typeof OPTIONS> = async ({ values, positionals }, _config, environment) => {
  refuseMore('doctor', positionals)
  const checks: Check[] = []
  const note = (...found: Check[]) => {
    checks.push(...found)
    if (!values.json) for (const check of found) printLine(lineOf(check))
  }
  const settings = readSettings(environment)
  const { config } = settings
  note(...checkSettings(settings, environment))
  note(...(await whole('data folder', () => checkDataFolder(config))))
  note(...(await whole('archive', () => checkArchive(config))))
  note(...(await whole('database', () => checkDatabase(config))))
  note(...(await whole('Valkey', () => checkValkey(config))))
  note(...(await whole('hosts', () => atSharedPace(config, (shared) => checkHosts(config, shared)))))
  if (values.json) printJson(checks, 2)
  return checks.some(({ state }) => state === 'FAIL') ? 1 : 0
}

/** Runs a check. If the check throws an error, returns a finding with the error, so that the other checks continue. */
const whole = (name: string, look: () => Promise<Check[]>): Promise<Check[]> =>
  look().catch((error) => [{ name, state: 'FAIL', found: messageOf(error) }])
