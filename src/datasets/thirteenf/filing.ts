/** One Form 13F out of its documents: cover and table in XML, or, before 2013, both in one text. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { parseCover } from './parse-cover.ts'
import { parseTable } from './parse-table.ts'
import { parseText } from './parse-text.ts'
import { parseTextCover } from './parse-textcover.ts'
import { nothingFound } from './parse-values.ts'
import { type Filing, rowsOf } from './report.ts'
import type { ROLES } from './sources.ts'

/**
 * Rows of one filing. A table without its cover is a report all the same, and so is a cover without its table.
 *
 * @throws Error when there is neither cover, table nor text, or the cover is one of another form
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
    return { header, cover: parseTextCover(old, form, found), holdings: parseText(old, found), found, source: 'text' }
  }
  yield* rowsOf(filing())
  tell(found)
}
