/** Where a postal code of the United States is. */
import zipcodes from 'zipcodes'

interface Place {
  lat: number
  lng: number
}

/** Post offices of the armed forces stand in the list with the middle of an ocean, or with nothing. */
const MILITARY = ['AA', 'AE', 'AP']

/** @param postalCode as filed: `10282`, `10282-1000`; anything else has no place */
export function placeOf(postalCode: string): Place | null {
  const [, zip] = /^(\d{5})(?:[ -]?\d{4})?$/.exec(postalCode.trim()) ?? []
  const found = zip === undefined ? undefined : zipcodes.lookup(zip)
  if (!found || found.longitude === 0 || MILITARY.includes(found.state)) return null
  return { lat: found.latitude, lng: found.longitude }
}
