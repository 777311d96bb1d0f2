/** One Form N-CEN as it arrives: its parts one after the other, each fund and each exchange-traded fund by itself. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { each } from '../../read/xml.ts'
import { Reading } from './reading.ts'
import type { ROLES } from './sources.ts'

/**
 * The parts of the form, each read by itself: a trust of 400 exchange-traded funds with their authorised participants is too
 * large to be held whole.
 */
const PARTS = [
  ...['schemaVersion', 'headerData', 'generalInfo', 'registrantInfo', 'managementInvestmentQuestion'],
  ...['closedEndManagementInvestment', 'exchangeTradedFund', 'unitInvestmentTrust', 'attachmentsTab', 'signature'],
  'documents',
]

/**
 * Rows of one N-CEN or N-CEN/A.
 *
 * @throws Error when the document is no N-CEN, or lacks what every N-CEN has: its header and its registrant
 */
export async function* parse({ documents, tell }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  const reading = new Reading('xml')
  const outside = new Set<string>()
  for await (const part of each(documents.form, PARTS, { outside })) {
    yield* reading.read(part)
    tell({ problems: part.problems(), unread: part.unread() })
  }
  tell({ unread: outside })
  yield* reading.end()
}
