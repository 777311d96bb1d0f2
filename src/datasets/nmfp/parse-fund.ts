/** Whose report a Form N-MFP is, in all its generations. */
import { wordsOfNames } from '../../names.ts'
import { fold } from '../../read/fold.ts'
import type { Element } from '../../read/xml.ts'
import { type Header, said, seriesId } from './parse-values.ts'

/** Whose report it is. A series identifier that cannot be read leaves the fund unknown: its registrant may have many. */
export function fundOf(of: Element, header: Header, path = 'cik') {
  const cik = of.cik(path) ?? header.cik
  const text = said(of, 'seriesId')
  const series = of.value('seriesId', seriesId, 'is no series identifier')
  const fund = cik === null || (text !== null && series === null) ? null : series === null ? cik : `${cik}-${series}`
  return { fund, cik, series_id: series }
}

/** Names as they are stored and found. */
export function named(fund: string | null, registrant: string | null) {
  const names = [fund, registrant].filter((name) => name !== null)
  return {
    registrant_name: registrant,
    fund_name: fund,
    name_key: names.length === 0 ? null : fold(names[0]!),
    name_words: names.length === 0 ? null : wordsOfNames(names),
  }
}
