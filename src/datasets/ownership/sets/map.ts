/**
 * The map of the SEC's data sets of Forms 3, 4 and 5 (since 2006 Q1). `report.tsv` next to this file says which element
 * of the form each column becomes. This file has the code for what a map cannot express.
 *
 * The columns are those of a real set (2024 Q3). One column of footnotes has two names: EQUITY_SWAP_INVOLVED_FN in the
 * SEC's description of the sets, and EQUITY_SWAP_TRANS_CD_FN in the set and in the SEC's readme.
 */
import { readFileSync } from 'node:fs'
import type { CsvRow } from '../../../read/csv.ts'
import type { Made } from '../../../read/made.ts'
import { once, SetMap } from '../../../read/set-map.ts'

const FILE = new URL('report.tsv', import.meta.url)
export const ROOT = 'ownershipDocument'

/** The words of RPTOWNER_RELATIONSHIP, each with its box in the form. */
const RELATIONSHIPS = [
  ['TenPercentOwner', 'isTenPercentOwner'],
  ['Director', 'isDirector'],
  ['Officer', 'isOfficer'],
  ['Other', 'isOther'],
] as const

/** The branches of the form, and the columns that each member must have. The map is read when a set is first needed. */
export const plan = once(() => {
  const map = new SetMap([['ownership/sets/report.tsv', readFileSync(FILE, 'utf8')]])
  return {
    branches: map.branches(ROOT, {
      REPORTINGOWNER: tickRelationships,
      FOOTNOTES: (made, row) => made.setText(row.text('FOOTNOTE_TXT')),
    }),
    members: map.members(),
  }
})

/** Ticks the boxes of the words. Some lines have no commas between them: `TenPercentOwnerOther`. */
function tickRelationships(made: Made, row: CsvRow): void {
  const column = 'RPTOWNER_RELATIONSHIP'
  const text = row.text(column)
  let rest = (text ?? '').toLowerCase()
  for (const [word, box] of RELATIONSHIPS) {
    const without = rest.replace(word.toLowerCase(), '')
    if (without !== rest) made.put(`reportingOwnerRelationship/${box}`, '1')
    rest = without
  }
  if (text !== null && /[^\s,]/.test(rest)) {
    const words = RELATIONSHIPS.map(([word]) => word).join(', ')
    row.problem(column, text, `is not a list of ${words}`)
  }
}
