/** Streams one Form N-CEN part by part; each fund and each exchange-traded fund is a part. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Filing } from '../../declare/documents.ts'
import { each } from '../../read/xml.ts'
import { Reading } from './reading.ts'

interface Documents {
  form: AsyncIterable<Uint8Array>
}

/**
 * The parts of the form. Each is read by itself, because a trust of 400 exchange-traded funds with their authorised
 * participants is too large for memory.
 */
const PARTS = [
  ...['schemaVersion', 'headerData', 'generalInfo', 'registrantInfo', 'managementInvestmentQuestion'],
  ...['closedEndManagementInvestment', 'exchangeTradedFund', 'unitInvestmentTrust', 'attachmentsTab', 'signature'],
  'documents',
]

/**
 * Yields the rows of one N-CEN or N-CEN/A.
 *
 * @throws Error if the document is not an N-CEN, or lacks its header or its registrant, which every N-CEN has
 */
export async function* parse({ documents, tell }: Filing<Documents>): AsyncGenerator<ParsedRow> {
  const reading = new Reading('xml')
  const outside = new Set<string>()
  for await (const part of each(documents.form, PARTS, { outside })) {
    yield* reading.read(part)
    tell({ problems: part.problems(), unread: part.unread() })
  }
  tell({ unread: outside })
  yield* reading.end()
}
