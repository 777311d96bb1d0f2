/** The forms by which companies offer securities to the public, and the effect of each on an offering. */
import type { KINDS } from './tables-words.ts'

export type Kind = (typeof KINDS)[number]

const REGISTRATIONS = ['S-1', 'F-1', 'S-11', 'F-10', 'SB-1', 'SB-2', 'S-18']

export const KIND_OF: Readonly<Record<string, Kind>> = {
  ...Object.fromEntries(REGISTRATIONS.map((form) => [form, 'registration' as const])),
  ...Object.fromEntries(REGISTRATIONS.map((form) => [`${form}/A`, 'amendment' as const])),
  // By Rule 462(b), a filing with one of these forms enlarges an effective offering, under a file number of its own.
  ...Object.fromEntries(
    ['S-1MEF', 'F-1MEF', 'S-11MEF', 'SB-1MEF', 'SB-2MEF', 'F-10MEF'].map((form) => [form, 'more' as const]),
  ),
  '424B1': 'prospectus',
  '424B3': 'prospectus',
  '424B4': 'prospectus',
  EFFECT: 'effectiveness',
  RW: 'withdrawal',
  'RW WD': 'reinstatement',
  '8-A12B': 'listing',
  '8-A12B/A': 'listing',
  '8A12BEF': 'listing',
  // Before 2006-08-01 Nasdaq was not an exchange, and securities traded there were registered under Section 12(g), so
  // this form can also announce a listing.
  '8-A12G': 'listing',
  '8-A12G/A': 'listing',
  '10-12B': 'class',
  '10-12B/A': 'class',
}

/** Forms that belong to the family only for lists of filings: they do not change the stage of an offering. */
export const LISTED = [
  ...['S-2', 'S-2/A', 'S-2MEF', 'S-20', 'S-20/A', 'F-2', 'F-2/A', 'F-2D', 'F-2DPOS', 'F-2MEF', 'F-10EF', 'F-10POS'],
  ...['DRS', 'DRS/A', 'DRSLTR', 'S-1 POS'],
]
