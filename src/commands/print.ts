/**
 * The output of commands: nothing else writes to the standard streams, so that no outside value reaches a terminal
 * unescaped.
 */
import { visible, visibleJson } from '../declare/visible.ts'

/** Text for people, with its line ends. */
export const print = (text: string): void => void process.stdout.write(visible(text))

/** A line for people. */
export const printLine = (line: string): void => print(`${line}\n`)

/** A line about what is wrong or out of the ordinary. */
export const complain = (line: string): void => void process.stderr.write(`openfilings: ${visible(line)}\n`)

/** A value for programs, on one line unless it is indented. */
export const printJson = (value: unknown, indent?: number): void =>
  void process.stdout.write(`${visibleJson(JSON.stringify(value, null, indent))}\n`)

/** The line at the bottom of a terminal, which replaces the previous line. */
export const footer = (line: string): void => void process.stderr.write(`\r\x1b[K${visible(line)}`)
