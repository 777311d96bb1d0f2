/** Reads firms that serve the fund, and other funds that it names, in N-MFP1 and later. */
import { foldedKey } from '../../../read/fold.ts'
import { seriesAt } from '../../../read/fund.ts'
import { fileNumberKey } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import { textAt } from './values.ts'

interface Provider {
  role: string
  name: string | null
  number?: string | null
  cik?: string | null
  city?: string | null
  state?: string | null
}

/** Returns the rows of providers, with keys by which queries compare them. */
export const providerRows = (found: readonly Provider[]) =>
  found.map(({ role, name, number = null, cik = null, city = null, state = null }, at) => ({
    position: at + 1,
    role,
    name,
    name_key: name && foldedKey(name),
    file_number: number,
    number_key: fileNumberKey(number),
    cik,
    city,
    state,
  }))

/** Reads Items A.2 to A.6 of the series. */
export function providers(series: Element) {
  const advisers = (path: string, role: string): Provider[] =>
    series
      .filled(path)
      .map((each) => ({ role, name: textAt(each, 'adviserName'), number: textAt(each, 'adviserFileNumber') }))
  return providerRows([
    ...advisers('adviser', 'adviser'),
    ...advisers('subAdviser', 'subadviser'),
    ...series.filled('indpPubAccountant').map((each) => ({
      role: 'accountant',
      name: textAt(each, 'name'),
      city: textAt(each, 'city'),
      state: textAt(each, 'stateCountry'),
    })),
    ...series
      .filled('administrator')
      .map((each) => ({ role: 'administrator', name: textAt(each, 'administratorName') })),
    ...series.filled('transferAgent').map((each) => ({
      role: 'transfer_agent',
      name: textAt(each, 'name'),
      number: textAt(each, 'fileNumber'),
      cik: each.cik('cik'),
    })),
  ])
}

/** Reads the fund's successors and predecessors, and its master or feeders. */
export function relatedFunds(general: Element, series: Element) {
  const found: readonly (readonly [relation: string, elements: Element[]])[] = [
    ['successor', general.filled('successorFund')],
    ['acquired', general.filled('acquiredMergedFund')],
    ['master', series.filled('masterFeederFund')],
    ['feeder', series.filled('feederFund')],
  ]
  return found
    .flatMap(([relation, elements]) => elements.map((each) => ({ relation, each })))
    .map(({ relation, each }, at) => ({
      position: at + 1,
      relation,
      name: textAt(each, 'name'),
      cik: each.cik('cik'),
      file_number: textAt(each, 'fileNumber'),
      series_id: seriesAt(each, 'seriesId').id,
    }))
}
