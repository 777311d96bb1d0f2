/** The command line: which command, with which arguments. Each command's work is in `commands/`. */
import { generate } from './commands/generate.ts'
import { help } from './commands/help.ts'
import { ingest } from './commands/ingest.ts'
import { keys } from './commands/keys.ts'
import { rebuildDatasets } from './commands/rebuild.ts'
import { serve } from './commands/serve.ts'
import { status } from './commands/status.ts'
import { environment, readConfig } from './config.ts'
import { EdgarError } from './core/edgar/client.ts'
import { messageOf, UserError } from './core/errors.ts'
import { endingOf } from './core/failures.ts'

const COMMANDS = { serve, ingest, status, rebuild: rebuildDatasets, keys, generate }

async function main([name = 'help', ...args]: string[]): Promise<number> {
  if (['help', '--help', '-h'].includes(name)) return help(args[0])
  if (!Object.hasOwn(COMMANDS, name)) {
    throw new UserError(`${JSON.stringify(name)} is no command; use one of ${Object.keys(COMMANDS).join(', ')}`)
  }
  if (args.includes('--help') || args.includes('-h')) return help(name)
  return COMMANDS[name as keyof typeof COMMANDS](args, readConfig(environment))
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  // A user's mistake, EDGAR's refusal or a database that is gone is one line; anything else is ours, and its stack is wanted.
  const expected =
    error instanceof UserError ||
    error instanceof EdgarError ||
    (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
  process.stderr.write(
    `openfilings: ${expected ? messageOf(error) : (endingOf(error) ?? (error as Error).stack ?? messageOf(error))}\n`,
  )
  process.exitCode = 1
}

// Everything is closed by now. A connection that a library still holds must not keep a finished command from ending.
setTimeout(() => process.exit(), 5000).unref()
