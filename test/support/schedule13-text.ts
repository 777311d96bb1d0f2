/**
 * Texts of Schedules 13D and 13G as the reader receives them, with the values of their columns as a person typed them.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { TextFiling } from '../../src/datasets/schedule13/filing-text.ts'
import { textOf } from '../../src/read/encoding.ts'
import { markdownOfHtml } from '../../src/read/html.ts'
import { markdownOfText } from '../../src/read/plain.ts'
import { HeaderReader } from '../../src/read/sgml/header.ts'
import { sniff } from '../../src/read/sniff.ts'
import { storable } from '../../src/read/text.ts'

/** Returns the text of a submission, as the reader receives it. */
export function filedText(folder: string, file: string, form: string): TextFiling {
  // Privacy-enhanced mail puts `- ` before each line that begins with a dash; the archive removes this `- ` too.
  const filed = readFileSync(path.join(folder, file), 'latin1')
  const whole = filed.startsWith('-----BEGIN PRIVACY') ? filed.replace(/^- /gm, '') : filed
  const begin = whole.indexOf('<TEXT>')
  const bytes = Buffer.from(whole.slice(begin + 6, whole.indexOf('</TEXT>')), 'latin1')
  const text = storable(textOf(bytes))
  const reader = new HeaderReader()
  for (const line of whole.slice(0, begin).split('\n')) reader.line(line)
  const header = reader.finish()
  const { text: markdown } = sniff(bytes) === 'html' ? markdownOfHtml(text) : markdownOfText(text)
  return { form, filedDate: header.filedDate!, filers: header.filers, markdown, sequence: 1 }
}

/** Columns of a report whose values were typed by hand. */
export const COVER = ['issuer_name', 'title_of_class', 'cusip', 'event_date', 'amendment_number', 'rules']
/** Columns of a reporting person whose values were typed by hand. */
export const PERSON = [
  ...['name', 'member_of_group', 'source_of_funds', 'legal_proceedings', 'citizenship', 'sole_voting', 'shared_voting'],
  ...['sole_dispositive', 'shared_dispositive', 'shares', 'excludes_shares', 'percent', 'types'],
]
/** Returns the filled columns, without empty lists. */
export const stated = (row: Readonly<Record<string, unknown>>, columns: readonly string[]) =>
  Object.fromEntries(
    columns.flatMap((column) => {
      const value = row[column]
      return value === null || value === undefined || (Array.isArray(value) && value.length === 0)
        ? []
        : [[column, value]]
    }),
  )
