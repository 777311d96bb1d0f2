/** Writes Forms D as lines of the SEC's data sets, for tests. */
import { LISTS, plan } from '../../../src/datasets/formd/sets/map.ts'
import type { Element } from '../../../src/read/xml.ts'
import { flat, type Line, setDay, Written, write } from './written.ts'

const TIMESPANS = ['withinFiveYears', 'overFiveYears', 'yetToBeFormed']

/** Puts the values of lists into their columns. Some filings have these values in elements called `value`. */
function addLists(of: Element, line: Line, lists: Readonly<Record<string, readonly string[]>>): void {
  for (const [path, columns] of Object.entries(lists)) {
    for (const [at, text] of of.texts(path, path.replace(/[^/]+$/, 'value')).entries()) line[columns[at]!] = flat(text)
  }
}

/** The lines of one document. Numbered lines are in the reverse order of the form. */
export function linesOf(document: Element, accession: string, filed: string): Written {
  const written = new Written()
  write(
    written,
    document,
    plan().branches,
    { ACCESSIONNUMBER: accession },
    {
      FORMDSUBMISSION: (_, line) => Object.assign(line, { FILING_DATE: setDay(filed), TESTORLIVE: 'LIVE' }),
      ISSUERS(of, line) {
        addLists(of, line, LISTS.ISSUERS)
        const box = TIMESPANS.find((name) => of.flag(`yearOfInc/${name}`))
        if (box !== undefined) line.YEAROFINC_TIMESPAN_CHOICE = box
      },
      RELATEDPERSONS: (of, line) => addLists(of, line, LISTS.RELATEDPERSONS),
      RECIPIENTS(of, line) {
        const states = of.texts('statesOfSolicitationList/value', 'statesOfSolicitationList/state')
        if (states.length > 0) line.STATES_OR_VALUE_LIST = states.join(', ')
      },
    },
  )
  for (const member of ['ISSUERS', 'RECIPIENTS', 'RELATEDPERSONS', 'SIGNATURES']) {
    const lines = written.members.get(member)
    if (lines) written.members.set(member, lines.toReversed())
  }
  return written
}
