/**
 * The command line as a function: finds the command and its arguments, and runs the command. Prints help and the
 * version. Prints the error of a command that fails.
 */
import { COMMANDS, doctor } from './commands/all.ts'
import type { Command } from './commands/command.ts'
import { helpOf, overview } from './commands/help.ts'
import { complain, printLine } from './commands/print.ts'
import { type Environment, oneLine, readSettings } from './config.ts'
import { BucketError, messageOf, UserError } from './declare/errors.ts'
import { inOneLine } from './declare/visible.ts'
import { didYouMean } from './misspelt.ts'

const HELP = ['help', '--help', '-h']
const VERSION = ['version', '--version', '-V']

/**
 * Runs a command to its end. An error becomes a line on standard error.
 *
 * @param args as typed after the name of the program
 * @returns the exit status
 */
export async function main(args: readonly string[], environment: Environment): Promise<number> {
  try {
    return await called(args, environment)
  } catch (error) {
    complain(await lastWords(error, environment))
    return 1
  }
}

async function called([name, ...args]: readonly string[], environment: Environment): Promise<number> {
  if (name === undefined || (HELP.includes(name) && args.length === 0)) return print(overview(COMMANDS))
  if (VERSION.includes(name)) return print(await version())
  if (HELP.includes(name)) return print(await helpOf(commandOf(args[0]!)))
  const command = commandOf(name)
  if (args.includes('--help') || args.includes('-h')) return print(await helpOf(command))
  if (args.includes('--version')) return print(await version())
  const { config, problems, doubts } = readSettings(environment)
  if (command !== doctor) {
    if (problems.length > 0) throw new UserError(oneLine(problems))
    for (const doubt of doubts) complain(doubt)
  }
  // The module is loaded only here: most environments name no proxy, and most commands send no request to other hosts.
  const isProxied = Object.entries(environment).some(([name, value]) => value && /^https?_proxy$/i.test(name))
  if (isProxied) (await import('./fetch/proxy.ts')).useProxies(environment)
  return command.run(args, config, environment)
}

function commandOf(name: string): Command {
  const found = COMMANDS.find((command) => command.name === name)
  if (found) return found
  const names = COMMANDS.map((command) => command.name)
  const meant = didYouMean(name, names)
  throw new UserError(
    `unknown command ${JSON.stringify(name)}${meant ? `${meant} Available` : '; available'}: ${names.join(', ')}`,
  )
}

/**
 * Returns one line for a user's mistake, a refusal by EDGAR or an unreachable database. Any other error is a fault of
 * this program, and is returned with its stack.
 */
async function lastWords(error: unknown, environment: Environment): Promise<string> {
  // Messages of libraries may have several lines.
  const words = () => inOneLine(messageOf(error))
  if (error instanceof UserError || error instanceof BucketError) return words()
  // Loaded only here: most commands never request anything from EDGAR.
  const [{ EdgarError }, { endingOf }, { diskOf }] = await Promise.all([
    import('./fetch/answer.ts'),
    import('./ingest/failures.ts'),
    import('./database.ts'),
  ])
  if (error instanceof EdgarError) return words()
  return endingOf(error, diskOf(readSettings(environment).config)) ?? (error as Error).stack ?? messageOf(error)
}

async function version(): Promise<string> {
  const { packageVersion } = await import('./package.ts')
  return packageVersion()
}

function print(text: string): number {
  printLine(text)
  return 0
}
