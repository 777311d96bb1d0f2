/** Parsing of command arguments: unknown ones are refused by name. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { UserError } from '../core/errors.ts'

/** Options and positionals of a command. */
export function argumentsOf<const T extends ParseArgsOptionsConfig>(args: string[], options: T) {
  return parseArgs({ args, options, allowPositionals: true, strict: true })
}

/** A day given as an option. */
export function dayOption(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) {
    throw new UserError(`--${name} ${JSON.stringify(text)} is not a day, YYYY-MM-DD`)
  }
  return text
}

/** A whole number from 1 given as an option. */
export function countOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UserError(`--${name} ${JSON.stringify(text)} is not a whole number from 1`)
  return Number(text)
}
