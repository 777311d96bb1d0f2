/** Where a postal code of the United States is. */
import { createRequire } from 'node:module'
import type Zipcodes from 'zipcodes'

interface Place {
  lat: number
  lng: number
}

/** Post offices of the armed forces stand in the list with the middle of an ocean, or with nothing. */
const MILITARY = ['AA', 'AE', 'AP']

/** Loaded when a place is asked for first: its list takes a quarter of the time in which a command starts. */
let zipcodes: typeof Zipcodes | undefined
const load = (): typeof Zipcodes => createRequire(import.meta.url)('zipcodes')

/** @param postalCode as filed: `10282`, `10282-1000`; anything else has no place */
export function placeOf(postalCode: string): Place | null {
  const [, zip] = /^(\d{5})(?:[ -]?\d{4})?$/.exec(postalCode.trim()) ?? []
  if (zip === undefined) return null
  zipcodes ??= load()
  const found = zipcodes.lookup(zip)
  if (!found || found.longitude === 0 || MILITARY.includes(found.state)) return null
  return { lat: found.latitude, lng: found.longitude }
}
