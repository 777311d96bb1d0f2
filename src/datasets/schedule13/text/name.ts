/** Reads the name in row 1 of a cover page, without the numbers next to it. */
import { nameOf } from '../../../names/words.ts'
import type { Span } from '../../../read/prose/sentences.ts'
import type { Page, Row } from './person-rows.ts'
import { oneLine, trimmed } from './plain-text.ts'

/** Matches tax numbers, with or without digits (some are masked), and their labels. */
const NUMBERS =
  /\bsocial\s{1,9}security(?:\s{1,9}(?:numbers?|nos?\b\.?|#))?[.:#]{0,3}|\b(?:(?:employer|taxpayer|federal|tax)\s{1,9}){1,3}(?:i\.?\s?d\.?|identification)?[\s.:]{0,9}(?:nos?|numbers?)\b[.:#]{0,3}|\bi\.\s?d\.\s{0,9}(?:#|\b(?:nos?|numbers?)\b)[.:#]{0,3}|\bid\s{1,9}(?:#|(?:nos?|numbers?)\b)[.:#]{0,3}|\b\d{2}\s?-\s?\d{7}\b|\b\d{3}-\d{2}-\d{4}\b|\b(?:(?:i\.?r\.?s\.?|s\.?s\.?|e\.?i\.?n\.?|(?:tax|federal)(?=[\s.:/]{1,9}(?:tax|employer|id\b|i\.\s?d|identification|e\.?i\.?n|nos?\b|numbers?|#))|tin|fein)[\s.:/]{1,9}){1,3}(?:i\.?\s?d\.?|identification|employer)?[\s.:]{0,9}(?:nos?|numbers?|id)?\b[.:#]{0,3}|\(?\bentities only\)?|\bt\.?i\.?n\b\.?[.:#]{0,3}|\bssn\b[.:#]{0,3}|\bcik\s{1,9}(?:nos?\b\.?|number)?[\s.:#]{0,9}\d{4,10}\b|\bemployer\s{1,9}(?:i\.?\s?d\.?|identification)(?:\s{1,9}(?:nos?\b\.?|numbers?))?[.:#]{0,3}|\[see [a-z0-9 ]{1,30}\]|,?\s\d{9}(?=\s*$)|\b\d{2}-\d{3}-\d{4}\b|\b[x#]{3}-[x#]{2}-[x#]{4}\b|\s-\s{1,3}-\s*$/gi
/**
 * Matches a number that an office gave to a person, with its label, at the end of a line: "Soc. Sec. No. 123-45-6789",
 * "LEI 5493…". A word that may be part of a name, such as Company, Federal or Charter, is a label only before "No." or
 * a similar word.
 */
const LABELLED =
  /[\s,;([–—-]{1,9}(?:(?:(?:soc(?:ial)?\.?\s{1,3}sec(?:urity)?\.?|s\.?s\.?|irs|i\.r\.s\.|(?:federal|tax(?:payer)?|employer)(?=[\s./]{1,3}(?:tax|employer|id\b|i\.\s?d|identification|e\.?i\.?n|nos?\b|numbers?|#))|identification|id|i\.d\.|e\.?i\.?n\.?|fein|tin|lei|crd|cik|sec|(?:file|passport|registration|charter|(?<=[,;([–—-]\s{0,3})company)(?=\s{1,3}(?:nos?\b|numbers?|#)))[\s./]{1,3}){1,5}(?:nos?\b\.?|numbers?|#|id|i\.d\.)?[\s.:#(–—-]{0,9}(?:[\dx#*][\da-z#*-]{4,24}|not\s\w{4,12}|none|n\/a|foreign)|[x#*]{3}-[x#*]{2}-[\dx#*]{4}|-\s{0,4}-\s?\d{4})\s?[\])]?\s*$/i
/**
 * Matches a remark that a person has no number: "(no I.R.S. number)". Also matches a remark that is cut off after
 * "(no", since its other words may be read as the label of the next row.
 */
const NO_NUMBER =
  /\s?[([](?:has\s)?no\s[^()[\]]{0,40}\b(?:i\.?r\.?s|s\.?s|e\.?i\.?n|tin|ssn|nos?|numbers?|id)\b[^()[\]]{0,20}[)\]]\s*$|\s?[([](?:has\s)?no\b[^()[\]]{0,20}$/i
const ROW_NUMBER = /^[\s:]*\(?1\s?[.)]{0,2}(?=\s)|(?<=\s)(?<!\b[Nn]o\.?\s)\(?2\s?[.)]{0,2}\s*$/g
/** Matches "No." before a number that was removed. In "Trust No. 2", "No." is part of the name. */
const NUMBER_LABEL = /[\s:,;(–-]{1,60}(?:nos?\.|no|number|id)[\s:,(–-]{0,60}$/i
const NAME_MAX = 150

/** Tests whether two names have the same words, in any order and with any legal forms. */
export const areSame = (one: string, other: string): boolean => key(one) === key(other)
const key = (name: string) =>
  nameOf(name)
    .core.map(({ text }) => text)
    .sort()
    .join(' ')

/** Returns the name with the position of its evidence; otherwise returns `blank` or `uncertain`. */
export function nameOfPerson(
  { rows }: Page,
  names: readonly string[],
): ({ value: string } & Span) | 'blank' | 'uncertain' {
  const parts = rows.filter(({ name }) => name === 'name' || name === 'irs')
  const lines = parts.flatMap(linesOf)
  if (lines.length === 0) return 'blank'
  const isKnown = (name: string) => names.some((each) => areSame(each, name))
  const first = lines[0]!
  const count = lines.length === 1 ? 1 : lengthOf(lines, isKnown)
  if (count === null) return 'uncertain'
  const value = withoutRemarks(
    oneLine(
      lines
        .slice(0, count)
        .map(({ name }) => name)
        .join(' '),
    ),
  )
  if (!isName(value)) return 'uncertain'
  return { value, start: rows[0]!.label, end: lines[count - 1]?.end ?? first.end }
}

interface NameLine extends Span {
  name: string
}

function linesOf({ value: span, text: given }: Row): NameLine[] {
  const found: NameLine[] = []
  let at = span.start
  for (const line of given.split('\n')) {
    const shown = line
      .replace(NO_NUMBER, (some) => ' '.repeat(some.length))
      .replace(LABELLED, (some) => ' '.repeat(some.length))
      .replace(NUMBERS, (some) => ' '.repeat(some.length))
      .replace(ROW_NUMBER, (some) => ' '.repeat(some.length))
    const own = !/[A-Za-z0-9][^A-Za-z0-9]*[A-Za-z0-9]/.test(shown)
      ? null
      : trimmed(shown, { start: 0, end: shown.length })
    if (own) {
      const name = shown
        .slice(own.start, own.end)
        .replace(/^[\s:/–-]+|[([]\s*[)\]]$|\(\d{1,2}\)$|\sn\/a$/gi, '')
        .replace(/(?<![\s:,([/#–-])[\s:,([/#–-]+$/, '')
        .replace(NUMBER_LABEL, '')
      found.push({ name, start: at + own.start, end: at + own.end })
    }
    at += line.length + 1
  }
  return found
}

/**
 * Returns the number of lines that form the name; null without evidence. Two lines form the name if it cannot end with
 * the first line, for example because the first line ends in "and" or the second line is "LLC". All lines form the name
 * if the header has a filer with the joined name, and none with the first line alone.
 */
function lengthOf(lines: readonly NameLine[], isKnown: (name: string) => boolean): number | null {
  const all = lines.map(({ name }) => name)
  const joined = all.join(' ')
  if (
    lines.length === 2 &&
    (/(?:,|&|\band|\bof)$/i.test(all[0]!) || /^(?:&|and\b|of\b|[a-z])/.test(all[1]!) || FORM.test(all[1]!))
  )
    return 2
  return joined.length <= NAME_MAX && isKnown(joined) && !isKnown(all[0]!) ? all.length : null
}

const FORM = /^(?:inc|l\.?p|l\.?l\.?c|ltd|limited|corp|corporation|company|co|n\.?v|s\.?a|plc|trust|fund)\.?,?$/i

/** Removes marks of footnotes, "no number" notes, and the kind of entity (`a limited partnership`) from a name. */
const withoutRemarks = (name: string): string => name.replace(REMARKS, '')
const REMARKS =
  /(?:\s?[([]\d{1,2}[)\]]){1,5}$|\s?\((?:not applicable|none|no (?:ein|ssn|tax|irs)[^()]{0,20})\)$|\s?[,(]\s?an?\s(?:[a-z]{2,15}\s){1,4}(?:limited partnership|limited liability company|corporation|partnership|company|trust)\)?$/i

/**
 * Matches a label, a number or an address next to the name that no pattern above removed. It is then unknown where the
 * name ends.
 */
const WITH_LABEL =
  /\b(?:cusip|ein|fein|ssn|date of birth|filed by)\b|^name\b|\b\d{2} \d{7}\b|\s(?:s\.?s\.?|fed\.?|13[dg])$|,\s\d{1,6}\s(?:[a-z]{1,15}\.?\s){1,3}(?:street|st|avenue|ave|road|rd|boulevard|blvd|drive|lane|suite)\b/i
const WITH_ZIP = /\b[A-Z]{2},? \d{5}(?:-\d{4})?$/

const isName = (name: string) =>
  name.length >= 2 &&
  name.length <= NAME_MAX &&
  /[A-Za-z]{2}/.test(name) &&
  !WITH_LABEL.test(name) &&
  !WITH_ZIP.test(name) &&
  !/\b(?:check|reporting persons?|see instructions|identification|above person|exhibit|attached|item|page)\b|\((?:i|a)\)|;|:\s|\bcompany (?:nos?\b\.?|numbers?|#)\s?\w{0,2}\d{5}/i.test(
    name,
  )
