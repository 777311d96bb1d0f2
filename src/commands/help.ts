/** Makes the text of `--help` from the declarations of the commands. */
import { settingsHelp } from '../config.ts'
import type { Command } from './command.ts'

/** The list of commands and settings. */
export function overview(commands: readonly Command[]): string {
  return [
    'OpenFilings: the public filings of the SEC as a REST API that you run yourself.',
    '',
    'Commands ("openfilings COMMAND --help" describes one):',
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'Options of every command:',
    ...columns([
      ['--help, -h', 'prints what the command does, and its arguments'],
      ['--version', 'prints the version of OpenFilings'],
    ]),
    '',
    'Settings (environment variables):',
    settingsHelp(),
  ].join('\n')
}

/** Everything about one command. */
export async function helpOf(command: Command): Promise<string> {
  const { usage, about, words, options, examples, statuses = [], failure } = command
  const part = (title: string, rows: readonly (readonly [string, string])[]) =>
    rows.length === 0 ? [] : ['', title, ...columns(rows)]
  const optionRows = Object.entries(options).map(
    ([name, { value, help }]) => [`--${name}${value ? ` ${value}` : ''}`, help] as const,
  )
  return [
    ...usage.map((line, n) => `${n === 0 ? 'usage:' : '      '} ${line}`),
    '',
    about,
    ...part('Words:', (await words?.()) ?? []),
    ...part('Options:', optionRows),
    ...part('Examples:', examples),
    ...part('Exit status:', [['0', 'all done'], ['1', failure], ...statuses]),
  ].join('\n')
}

/** Maximum width of the left column; a longer left side gets a line of its own. */
const LEFT_MAX = 28
const LINE_MAX = 120

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const short = rows.map(([left]) => left.length).filter((length) => length <= LEFT_MAX)
  const width = Math.max(0, ...short)
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, LINE_MAX - width - 4)
    const [first, ...more] = left.length <= width ? lines : ['', ...lines]
    return [`  ${left.padEnd(width)}  ${first}`.trimEnd(), ...more.map((line) => `  ${''.padEnd(width)}  ${line}`)]
  })
}

function wrapped(text: string, width: number): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines
}
