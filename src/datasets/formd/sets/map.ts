/**
 * The map of the SEC's data sets of Form D (since 2008 Q1). `notice.tsv` next to this file says which element of the
 * form each column becomes. This file has the code for what a map cannot express.
 *
 * The columns are those that the SEC's readme of the sets describes, with SCHEMAVERSION and TESTORLIVE, which the sets
 * have too. The sets have every value of the form that is stored in rows.
 */
import { readFileSync } from 'node:fs'
import type { CsvRow } from '../../../read/csv.ts'
import type { Made } from '../../../read/made.ts'
import { once, SetMap } from '../../../read/set-map.ts'

const FILE = new URL('notice.tsv', import.meta.url)
export const ROOT = 'edgarSubmission'

/**
 * For each member, the lists of the form whose values are in several columns: the path of a list's elements, and the
 * columns.
 */
export const LISTS = {
  ISSUERS: {
    'issuerPreviousNameList/previousName': [1, 2, 3].map((n) => `ISSUER_PREVIOUSNAME_${n}`),
    'edgarPreviousNameList/previousName': [1, 2, 3].map((n) => `EDGAR_PREVIOUSNAME_${n}`),
  },
  RELATEDPERSONS: { 'relatedPersonRelationshipList/relationship': [1, 2, 3].map((n) => `RELATIONSHIP_${n}`) },
} as const

/** The boxes of the year of incorporation. */
const TIMESPANS = ['withinFiveYears', 'overFiveYears', 'yetToBeFormed']
const ALL_STATES = 'All States'

/**
 * The branches of the form that the map fills, and the columns that each member must have. The map is read when it is
 * first needed.
 */
export const plan = once(() => {
  const map = new SetMap([['formd/sets/notice.tsv', readFileSync(FILE, 'utf8')]])
  return {
    branches: map.branches(ROOT, {
      ISSUERS(made, row) {
        addAll(made, row, LISTS.ISSUERS)
        const read = (text: string) => TIMESPANS.find((box) => box.toLowerCase() === text.toLowerCase()) ?? null
        const box = row.value('YEAROFINC_TIMESPAN_CHOICE', read, `is not one of ${TIMESPANS.join(', ')}`)
        if (box !== null) made.put(`yearOfInc/${box}`, 'true')
      },
      RELATEDPERSONS: (made, row) => addAll(made, row, LISTS.RELATEDPERSONS),
      RECIPIENTS(made, row) {
        const states = row.text('STATES_OR_VALUE_LIST')
        if (states === ALL_STATES) made.put('statesOfSolicitationList/value', states)
        else made.fillLists(row, { 'statesOfSolicitationList/state': 'STATES_OR_VALUE_LIST' })
      },
    }),
    members: map.members(),
  }
})

function addAll(made: Made, row: CsvRow, lists: Readonly<Record<string, readonly string[]>>): void {
  for (const [path, columns] of Object.entries(lists)) {
    for (const column of columns) made.add(path, row.text(column))
  }
}
