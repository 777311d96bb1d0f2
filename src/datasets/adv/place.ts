/** Locates postal codes of the United States. */
import { createRequire } from 'node:module'
import type Zipcodes from 'zipcodes'

interface Coordinates {
  lat: number
  lng: number
}

/**
 * State codes of the post offices of the armed forces. The list of the package `zipcodes` places these offices in the
 * middle of an ocean, or gives no place for them.
 */
const MILITARY = ['AA', 'AE', 'AP']

/** Loads the package's list on first use, since loading takes a quarter of the start-up time of a command. */
let zipcodes: typeof Zipcodes | undefined
const load = (): typeof Zipcodes => createRequire(import.meta.url)('zipcodes')

/** @param postalCode as filed: `10282`, `10282-1000`; a code of any other form, or an unknown code, gives null */
export function placeOf(postalCode: string): Coordinates | null {
  const [, zip] = /^(\d{5})(?:[ -]?\d{4})?$/.exec(postalCode.trim()) ?? []
  if (zip === undefined) return null
  zipcodes ??= load()
  const found = zipcodes.lookup(zip)
  if (!found || found.longitude === 0 || MILITARY.includes(found.state)) return null
  return { lat: found.latitude, lng: found.longitude }
}
