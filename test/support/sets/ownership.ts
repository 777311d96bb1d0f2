/** Writes Forms 3, 4 and 5 as lines of the SEC's data sets, for tests. */
import { plan } from '../../../src/datasets/ownership/sets/map.ts'
import type { Element } from '../../../src/read/xml.ts'
import { flat, setAmount, setDay, Written, write } from './written.ts'

const BOXES = [
  ['isDirector', 'Director'],
  ['isOfficer', 'Officer'],
  ['isTenPercentOwner', 'TenPercentOwner'],
  ['isOther', 'Other'],
] as const

const AMOUNTS = [
  ...['TRANS_SHARES', 'TRANS_PRICEPERSHARE', 'TRANS_TOTAL_VALUE', 'SHRS_OWND_FOLWNG_TRANS', 'VALU_OWND_FOLWNG_TRANS'],
  ...['CONV_EXERCISE_PRICE', 'UNDLYNG_SEC_SHARES', 'UNDLYNG_SEC_VALUE'],
]

/**
 * The lines of one document, with rounded amounts. The lines of each member except the first are in the reverse order
 * of the form, as in half of the real filings.
 */
export function linesOf(document: Element, accession: string, filed: string): Written {
  const written = new Written()
  write(
    written,
    document,
    plan().branches,
    { ACCESSION_NUMBER: accession },
    {
      SUBMISSION: (_, line) => Object.assign(line, { FILING_DATE: setDay(filed) }),
      REPORTINGOWNER(of, line) {
        const words = BOXES.filter(([box]) => of.flag(`reportingOwnerRelationship/${box}`)).map(([, word]) => word)
        if (words.length > 0) line.RPTOWNER_RELATIONSHIP = words.join(',')
      },
      FOOTNOTES(of, line) {
        const text = of.text()
        if (text !== null) line.FOOTNOTE_TXT = flat(text)
      },
    },
  )
  for (const [member, lines] of written.members) {
    for (const line of lines)
      for (const column of AMOUNTS) if (line[column] !== undefined) line[column] = setAmount(line[column])
    written.members.set(member, lines.toReversed())
  }
  return written
}
