/** Reads one Form 13F from its documents: cover and table in XML or, before 2013, both in one text. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Filing as Given } from '../../declare/documents.ts'
import type { Element } from '../../read/xml.ts'
import { parseCover } from './parse/cover.ts'
import { parseTable } from './parse/table.ts'
import { parseTextCover } from './parse/text/cover.ts'
import { plainText } from './parse/text/shape.ts'
import { parseText } from './parse/text.ts'
import { nothingFound } from './parse/values.ts'
import { type Filing, rowsOf } from './report.ts'

interface Documents {
  cover: Element | null
  table: AsyncIterable<Uint8Array> | null
  /** Text that has both the cover and the table; only before 2013. */
  old: string | null
}

/**
 * Yields the rows of one filing. A table without a cover is still a report, and so is a cover without a table.
 *
 * @throws Error if cover, table and text are all missing; if the cover belongs to another form; if a table with
 *   declared lines has no readable line
 */
export async function* parse({ documents, header: given, tell }: Given<Documents>): AsyncGenerator<ParsedRow> {
  const { cover, table, old } = documents
  const header = { submissionType: given.form, ...given }
  const found = nothingFound()
  const filing = (): Filing => {
    if (cover !== null || table !== null) {
      const holdings = table && parseTable(table, found)
      return { header, cover: cover && parseCover(cover), holdings, found, source: 'xml' }
    }
    if (old === null) throw new Error('has no cover, no information table and no text')
    const plain = plainText(old)
    const stated = parseTextCover(plain, given.form, found)
    const holdings = parseText(plain, found, { entries: stated.declaredEntries, value: stated.declaredValue })
    // Without a line that looks like a holding there is no table, as in 0001095811-01-001489.
    const hasTable = holdings.length > 0 || found.looked > 0 || holdsNumbers(plain)
    return { header, cover: stated, holdings, found, source: 'text', isTableRead: holdings.length > 0 || !hasTable }
  }
  yield* rowsOf(filing())
  tell(found)
}

/** Tests for a line with two amounts of three or more digits, as every holding has. Years do not count. */
const holdsNumbers = (text: string): boolean =>
  text
    .split('\n')
    .some((line) => (line.match(AMOUNTS) ?? []).filter((amount) => !/^(19|20)\d\d$/.test(amount)).length >= 2)

const AMOUNTS = /(?<![\d\-/.,])(?:\d{1,3}(?:[,.']\d{3})+|\d{3,})(?![\d\-/])/g
