/**
 * The declaration of a command: its arguments and options, declared once for parsing and for `--help`. `keys.ts`
 * declares the command `keys`. `keys-work.ts` does its work and is loaded when the command runs. Loading the work of
 * all commands would take five times as long as printing a help text.
 */
import type { ParseArgsOptionsConfig } from 'node:util'
import { type Config, type Environment, SETTINGS } from '../config.ts'
import { messageOf, UserError } from '../declare/errors.ts'
import { didYouMean } from '../misspelt.ts'

interface Option {
  type: 'string' | 'boolean'
  /** Whether the option may be given several times. */
  multiple?: true
  /** The placeholder of its value in `--help`: `DATE`. */
  value?: string
  help: string
}

type Options = Record<string, Option>
/** The parsed values of declared options. */
export type Values<O extends Options> = {
  [K in keyof O]?: O[K]['type'] extends 'boolean' ? boolean : O[K]['multiple'] extends true ? string[] : string
}

/** Rows of a help text: words, each with its meaning. */
export type Words = readonly (readonly [word: string, meaning: string])[]

/**
 * Does the work of a command. The verb, if the command has verbs, is passed separately from the positionals.
 *
 * @param environment the variables from which the settings were read: doctor reports the source of each setting
 * @returns the exit status
 */
export type Run<O extends Options, V extends string = never> = (
  given: { verb: V; values: Values<O>; positionals: string[] },
  config: Config,
  environment: Environment,
) => Promise<number>

interface Declared<O extends Options, V extends string = never> {
  name: string
  /** One line, for the list of commands. */
  summary: string
  /** Ways to call it. */
  usage: readonly string[]
  /** Describes the command in a few lines. */
  about: string
  /** Its verbs, each with its meaning. A verb is the first word of a call. */
  verbs?: Readonly<Record<V, string>>
  /** A valid call with a verb, shown to users who give no verb. */
  such?: string
  /** Words that can replace a placeholder in `usage`, each with its meaning. Verbs need not be listed. */
  words?: () => Promise<Words>
  options: O
  /** Calls that work exactly as written, each with its effect. */
  examples: readonly (readonly [line: string, does: string])[]
  /** Exit statuses other than 0 (all was done) and 1. */
  statuses?: readonly (readonly [status: string, meaning: string])[]
  /** The meaning of status 1. */
  failure: string
  /** The module with its work: `() => import('./keys-work.ts')`. */
  work: () => Promise<{ run: Run<O, V> }>
}

export interface Command extends Omit<Declared<Options>, 'work' | 'verbs' | 'such'> {
  run(args: string[], config: Config, environment?: Environment): Promise<number>
}

/** Declares a command. */
export function command<const O extends Options, const V extends string = never>({
  verbs,
  such = '',
  ...declared
}: Declared<O, V>): Command {
  return {
    ...(verbs ? { words: async () => Object.entries<string>(verbs) } : {}),
    ...declared,
    async run(args, config, environment = {}) {
      const { values, positionals } = parsed(declared, args)
      const verb = verbs ? verbOf(declared.name, verbs, positionals.shift(), such) : (undefined as never)
      const { run } = await declared.work()
      return run({ verb, values, positionals }, config, environment)
    },
  }
}

/** Options of every command that reports its progress. */
export const VOICE_OPTIONS = {
  json: {
    type: 'boolean',
    help: 'prints one JSON object a line on standard output, for programs (docs/operating/loading.md)',
  },
  quiet: { type: 'boolean', help: 'prints only what went wrong, on standard error; for cron' },
} as const

/** @throws UserError for an option that is unknown, lacks its value, or has a value although it takes none */
function parsed<O extends Options>({ name, options }: { name: string; options: O }, args: string[]) {
  // `node:util` is not imported, because an `import` would read everything that the module exports, which takes 3 ms at
  // each start.
  const { parseArgs } = process.getBuiltinModule('node:util')
  try {
    const { values, positionals } = parseArgs({
      args,
      options: options as unknown as ParseArgsOptionsConfig,
      allowPositionals: true,
      strict: true,
    })
    return { values: values as Values<O>, positionals }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const unknown = /^Unknown option '-{1,2}([^'=]+)/.exec(messageOf(error))?.[1]
    if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && unknown) throw new UserError(unknownOption(name, options, unknown))
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    throw new UserError(`${messageOf(error)}; see "openfilings ${name} --help"`)
  }
}

function unknownOption(name: string, options: Options, unknown: string): string {
  const setting = unknown.toUpperCase().replaceAll('-', '_')
  if (Object.hasOwn(SETTINGS, setting)) {
    return `--${unknown} is not an option, but there is the setting ${setting}: run ${setting}=… openfilings ${name}`
  }
  const meant = didYouMean(
    `--${unknown}`,
    Object.keys(options).map((option) => `--${option}`),
  )
  return `${name} has no option --${unknown}${meant || `; see "openfilings ${name} --help"`}`
}

/** Refuses arguments to a command that takes none, or more arguments than it takes. */
export function refuseMore(name: string, more: readonly string[]): void {
  if (more.length > 0) throw new UserError(`${name} does not take ${more.join(', ')}; see "openfilings ${name} --help"`)
}

/** @throws UserError if the verb is missing or unknown */
function verbOf<V extends string>(
  name: string,
  verbs: Readonly<Record<V, string>>,
  given: string | undefined,
  such: string,
): V {
  const all = Object.keys(verbs)
  if (given === undefined) {
    throw new UserError(`${name} needs ${all.join(', ').replace(/, (?=\w+$)/, ' or ')}, as in "openfilings ${such}"`)
  }
  if (all.includes(given)) return given as V
  const meant = didYouMean(given, all)
  throw new UserError(`${name}: unknown command ${JSON.stringify(given)}${meant || `; use ${all.join(', ')}`}`)
}

/** Rows as lines with tabs between their values, below the names of the columns. A missing value is a dash. */
export function tabbed<K extends string>(names: readonly K[], rows: readonly Readonly<Record<K, unknown>>[]): string {
  const cell = (value: unknown) => (Array.isArray(value) ? value.join(',') : String(value ?? '-')).replace(/\s/g, ' ')
  const lines = rows.map((row) => names.map((name) => cell(row[name])))
  return [names, ...lines].map((line) => `${line.join('\t')}\n`).join('')
}

/** Checks a day that was given as an option. */
export function dayOption(name: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  if (Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text) {
    throw new UserError(`--${name} ${JSON.stringify(text)} is not a day of the form YYYY-MM-DD`)
  }
  return text
}

/** Checks a whole number from 1 that was given as an option. */
export function countOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UserError(`--${name} ${JSON.stringify(text)} is not a whole number from 1 to 999999999`)
  return Number(text)
}

/** Checks the number of an event that was given as an option. */
export function eventOption(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text))
    throw new UserError(`--${name} ${JSON.stringify(text)} is not the number of an event, which has up to 15 digits`)
  return Number(text)
}

/** Checks a setting that was given as an option. */
export function settingOption<K extends keyof typeof SETTINGS>(
  name: K,
  text: string | undefined,
): Config[K] | undefined {
  if (text === undefined) return undefined
  try {
    return SETTINGS[name].parse(text) as Config[K]
  } catch (error) {
    throw new UserError(`--${name.toLowerCase().replaceAll('_', '-')} ${messageOf(error)}`)
  }
}
