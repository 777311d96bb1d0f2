/** Recognizes puts and calls that a text table names in a title or in the heading of a section, and not in a column. */
import type { Holding } from '../types.ts'

/** Accepts `PUT OPTIONS` and `Calls:`, alone on a line. */
const SECTION = /^[ \t]{0,80}(put|call)s?(?:[ \t]{1,9}options?)?[ \t]{0,9}:?[ \t]{0,80}$/i
/** Accepts `PUT`, `COM CALL`, `CALL OPTION` and `OPTION - PUT`; `CALLABLE` and `PUTNAM` are other words. */
const TITLE =
  /^(?:(?:com(?:mon)?(?: stk| stock)?|options?|opt)\s?[-/]?\s?)?\(?(put|call)s?\)?(?:\s?[-/]?\s?(?:options?|opt))?\.?$/i

/** Tests for the heading of a section of puts or calls. */
export const isOptions = (line: string): boolean => SECTION.test(line)

/** Returns the kind of option that a title or the heading of a section names. */
export function optionOf(text: string | null): 'Put' | 'Call' | null {
  const word = (TITLE.exec(text?.trim() ?? '') ?? SECTION.exec(text ?? ''))?.[1]
  return word === undefined ? null : word.toLowerCase() === 'put' ? 'Put' : 'Call'
}

/** Excludes nearly all titles in one quick test. */
const MAY_NAME = /put|call/i

/** Marks lines as options if their titles say so. Without this mark, the lines would count as shares. */
export function withOptions(lines: Holding[]): Holding[] {
  for (const line of lines) {
    if (line.putCall === null && line.title !== null && MAY_NAME.test(line.title)) line.putCall = optionOf(line.title)
  }
  return lines
}
