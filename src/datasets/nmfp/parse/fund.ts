/** Identifies the fund of a Form N-MFP, in all its generations. */

import { foldedKey } from '../../../read/fold.ts'
import { fundKey, seriesAt } from '../../../read/fund.ts'
import type { Element } from '../../../read/xml.ts'
import { wordsOfNames } from '../../../stored-names.ts'
import type { Header } from './values.ts'

/** Identifies the fund that the report is about. */
export function fundOf(of: Element, header: Header, path = 'cik') {
  const cik = of.cik(path) ?? header.cik
  const series = seriesAt(of, 'seriesId')
  return { fund: fundKey(cik, series), cik, series_id: series.id }
}

/** Returns names in their stored form, with their search keys. */
export function named(fund: string | null, registrant: string | null) {
  const names = [fund, registrant].filter((name) => name !== null)
  return {
    registrant_name: registrant,
    fund_name: fund,
    name_key: names.length === 0 ? null : foldedKey(names[0]!),
    name_words: names.length === 0 ? null : wordsOfNames(names),
  }
}
