/** Writes Forms C as lines of the SEC's data sets, for tests. */
import { DAYS, plan } from '../../../src/datasets/crowdfunding/sets/map.ts'
import type { Element } from '../../../src/read/xml.ts'
import { type Line, Written, write } from './written.ts'

const iso = (text: string) => text.replace(/^(\d\d)-(\d\d)-(\d{4})$/, '$3-$1-$2')

const withDay = (member: keyof typeof DAYS) => (_: Element, line: Line) => {
  const [column] = DAYS[member]
  if (line[column] !== undefined) line[column] = iso(line[column])
}

/** The lines of one document. */
export function linesOf(document: Element, accession: string, filed: string): Written {
  const written = new Written()
  write(
    written,
    document,
    plan().branches,
    { ACCESSION_NUMBER: accession },
    {
      FORM_C_SUBMISSION(of, line) {
        withDay('FORM_C_SUBMISSION')(of, line)
        // A set has the file number of every offering, even if the document lacks it.
        const FILE_NUMBER = of.texts('filerInfo/filer/fileNumber')[0] ?? '020-88888'
        Object.assign(line, { FILING_DATE: filed.replaceAll('-', ''), FILE_NUMBER })
      },
      FORM_C_ISSUER_INFORMATION: withDay('FORM_C_ISSUER_INFORMATION'),
      FORM_C_DISCLOSURE: withDay('FORM_C_DISCLOSURE'),
      FORM_C_SIGNATURE: withDay('FORM_C_SIGNATURE'),
      FORM_C_ISSUER_JURISDICTIONS(of, line) {
        const state = of.text()
        if (state !== null) line.STATEORPROVINCE = state
      },
    },
  )
  return written
}
