/** Locates postal codes of the United States. */
import { createRequire } from 'node:module'
import type Zipcodes from 'zipcodes'

interface Coordinates {
  lat: number
  lng: number
}

/** Post offices of the armed forces: the list gives the middle of an ocean, or nothing. */
const MILITARY = ['AA', 'AE', 'AP']

/** Loaded on first use: loading the package's list takes a quarter of a command's start. */
let zipcodes: typeof Zipcodes | undefined
const load = (): typeof Zipcodes => createRequire(import.meta.url)('zipcodes')

/** @param postalCode as filed: `10282`, `10282-1000`; anything else has no place */
export function placeOf(postalCode: string): Coordinates | null {
  const [, zip] = /^(\d{5})(?:[ -]?\d{4})?$/.exec(postalCode.trim()) ?? []
  if (zip === undefined) return null
  zipcodes ??= load()
  const found = zipcodes.lookup(zip)
  if (!found || found.longitude === 0 || MILITARY.includes(found.state)) return null
  return { lat: found.latitude, lng: found.longitude }
}
