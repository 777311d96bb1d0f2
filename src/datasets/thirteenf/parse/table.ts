/** Streams the holdings of an information table in XML (since 2013). Only a piece of the table is in memory. */
import { cusipFlag } from '../../../read/securityid.ts'
import { type Element, each, XmlError } from '../../../read/xml.ts'
import type { Findings, Holding } from './types.ts'
import { AMOUNT_DIGITS, DISCRETION, managers, note, putCall, whole } from './values.ts'

/**
 * Reads an information table as it arrives. An unreadable value becomes null, with a problem that names the line. A
 * broken or truncated table ends at the fault, which `found.cutOff` reports. Compares local names of elements, so any
 * prefix or namespace is accepted.
 */
export async function* parseTable(stream: AsyncIterable<Uint8Array>, found: Findings): AsyncGenerator<Holding> {
  try {
    for await (const record of each(stream, 'infoTable')) {
      found.looked++
      const holding = lineOf(record, found)
      if (holding === null) continue
      found.read++
      yield holding
    }
  } catch (error) {
    // Any other error is a failure of the source; a retry may read the same table whole.
    if (!(error instanceof XmlError)) throw error
    found.cutOff = error.message
    note(found, `/informationTable/infoTable[${found.looked + 1}]`, null, error.message)
  }
}

/** Reads one record. Returns null if an element that may occur once occurs twice. */
function lineOf(record: Element, found: Findings): Holding | null {
  const at = (path: string) => `/informationTable/infoTable[${found.looked}]/${path}`
  const tell = (path: string, value: string | null, reason: string) => note(found, at(path), value, reason)
  try {
    const holding = read(record, tell)
    // Records the path of each element that was not read. Such an element is new in the form, and its path is recorded
    // once for all lines that have it.
    for (const path of record.unread()) found.unread.add(path)
    return holding
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    tell('', null, error.message)
    return null
  }
}

type Tell = (path: string, value: string | null, reason: string) => void

function read(record: Element, tell: Tell): Holding {
  const cusip = record.text('cusip')
  return {
    issuer: record.text('nameOfIssuer'),
    title: record.text('titleOfClass'),
    cusip,
    cusipFlag: cusipFlag(cusip),
    figi: record.text('figi'),
    value: number(record, 'value', tell, true),
    amount: number(record, 'shrsOrPrnAmt/sshPrnamt', tell, true, AMOUNT_DIGITS),
    kind: kindOf(record, tell),
    putCall: optionOf(record, tell),
    discretion: discretionOf(record, tell),
    managers: managers(record.text('otherManager')),
    sole: number(record, 'votingAuthority/Sole', tell),
    shared: number(record, 'votingAuthority/Shared', tell),
    none: number(record, 'votingAuthority/None', tell),
  }
}

function number(record: Element, path: string, tell: Tell, isNeeded = false, digitsMax?: number): string | null {
  const text = record.text(path)
  if (text === null) {
    if (isNeeded) tell(path, null, 'is missing')
    return null
  }
  const found = whole(text, digitsMax)
  if ('digits' in found) return found.digits
  tell(path, text, found.reason)
  return null
}

function kindOf(record: Element, tell: Tell): 'SH' | 'PRN' | null {
  const text = record.text('shrsOrPrnAmt/sshPrnamtType')
  if (text === 'SH' || text === 'PRN') return text
  const word = text?.toUpperCase()
  if (word === 'SH' || word === 'PRN') return word
  tell('shrsOrPrnAmt/sshPrnamtType', text, 'neither SH nor PRN')
  return null
}

function optionOf(record: Element, tell: Tell): string | null {
  const text = record.text('putCall')
  if (text === null) return null
  const option = putCall(text)
  if (option !== 'Put' && option !== 'Call') tell('putCall', text, 'neither Put nor Call')
  return option
}

function discretionOf(record: Element, tell: Tell): Holding['discretion'] {
  const text = record.text('investmentDiscretion')
  const known = text === null ? undefined : DISCRETION.get(text.toUpperCase())
  if (known === undefined) tell('investmentDiscretion', text, 'not one of SOLE, DFND, OTR')
  return known ?? null
}
