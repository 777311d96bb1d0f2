/** One Form 13F out of its documents: cover and table in XML, or, before 2013, both in one text. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { parseCover } from './parse-cover.ts'
import { parseTable } from './parse-table.ts'
import { parseText } from './parse-text.ts'
import { parseTextCover } from './parse-textcover.ts'
import { plainText } from './parse-textshape.ts'
import { nothingFound } from './parse-values.ts'
import { type Filing, rowsOf } from './report.ts'
import type { ROLES } from './sources.ts'

/**
 * Rows of one filing. A table without its cover is a report all the same, and so is a cover without its table.
 *
 * @throws Error when there is neither cover, table nor text, the cover is one of another form, or no line was read of a
 *   table of which the summary declares some
 */
export async function* parse({ documents, form, tell, ...rest }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  const { cover, table, old } = documents
  const header = { submissionType: form, ...rest }
  const found = nothingFound()
  const filing = (): Filing => {
    if (cover !== null || table !== null) {
      const holdings = table && parseTable(table, found)
      return { header, cover: cover && parseCover(cover), holdings, found, source: 'xml' }
    }
    if (old === null) throw new Error('has no cover, no information table and no text')
    const plain = plainText(old)
    const said = parseTextCover(plain, form, found)
    const holdings = parseText(plain, found, { entries: said.declaredEntries, value: said.declaredValue })
    // Without any line like a holding it has no table, as 0001095811-01-001489.
    const hasTable = holdings.length > 0 || found.looked > 0 || holdsNumbers(plain)
    return { header, cover: said, holdings, found, source: 'text', isTableRead: holdings.length > 0 || !hasTable }
  }
  yield* rowsOf(filing())
  tell(found)
}

/** Whether a line has two amounts of three digits and more, as holdings do, of whatever shape they are; years are none. */
const holdsNumbers = (text: string): boolean =>
  text
    .split('\n')
    .some((line) => (line.match(AMOUNTS) ?? []).filter((amount) => !/^(19|20)\d\d$/.test(amount)).length >= 2)

const AMOUNTS = /(?<![\d\-/.,])(?:\d{1,3}(?:[,.']\d{3})+|\d{3,})(?![\d\-/])/g
