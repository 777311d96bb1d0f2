/** Values that stand in many places of Form Funding Portal. */
import type { Element } from '../../read/xml.ts'

/** Text; null for what filers write where nothing applies: None, N/A (`bookKeepingLocationDesc` of 0001808131-25-000002). */
export function said(element: Element | null, path: string): string | null {
  const text = element?.text(path) ?? null
  return text === null || /^(none|n\/a)$/i.test(text) ? null : text
}

export function street(address: Element | null) {
  return {
    street1: said(address, 'street1'),
    street2: said(address, 'street2'),
    city: said(address, 'city'),
    state: said(address, 'stateOrCountry'),
    zip: said(address, 'zipCode'),
  }
}

/** The same values under names that begin with `prefix`. */
export function prefixed<P extends string, V extends object>(prefix: P, values: V) {
  const named = Object.entries(values).map(([name, value]) => [prefix + name, value])
  return Object.fromEntries(named) as { [K in keyof V & string as `${P}${K}`]: V[K] }
}

/** CRD numbers compare as digits without leading zeros, as the adviser and broker files have them; 000000000 means none. */
export function crd(element: Element | null, path: string): string | null {
  const digits = said(element, path)
  if (element === null || digits === null) return null
  if (/^\d{1,9}$/.test(digits)) return digits.replace(/^0+/, '') || null
  element.one(path).problem(digits, 'is not a CRD number')
  return null
}
