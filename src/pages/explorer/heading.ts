/**
 * Makes the heading of a page: the name of what it shows. If the name is missing, the heading is the kind of thing with
 * its id.
 */
import { isObject } from './shape.ts'

/** Members that name a thing, the most telling first. */
const NAMES = [
  'name',
  'firm_name',
  'full_name',
  'entity_name',
  'company',
  'company_name',
  'issuer_name',
  'issuer',
  'filer_name',
  'manager_name',
  'broker_name',
  'person_name',
  'fund_name',
  'registrant_name',
  'title',
]

/**
 * The name of the thing that an answer is about: from the answer itself, or from the first object in it that has a
 * name.
 */
export function nameIn(answer: Readonly<Record<string, unknown>>): string | null {
  const found = ownName(answer)
  if (found !== null) return found
  for (const [member, value] of Object.entries(answer)) {
    if (!isObject(value) || member === 'links') continue
    const own = ownName(value)
    if (own !== null) return own
  }
  return null
}

/** The form of the filing that an answer, or an object in it, is about. */
export function formIn(answer: Readonly<Record<string, unknown>>): string | null {
  for (const each of [answer, ...Object.values(answer).filter(isObject)]) {
    const form = each.form_type ?? each.submission_type ?? each.form
    if (typeof form === 'string') return form
  }
  return null
}

/** The name that an object states: as one member, as the first of several names, or as the parts of a person's name. */
function ownName(values: Readonly<Record<string, unknown>>): string | null {
  const found = NAMES.map((name) => values[name]).find((value) => typeof value === 'string' && value !== '')
  if (found !== undefined) return String(found)
  if (Array.isArray(values.names) && typeof values.names[0] === 'string') return values.names[0]
  const parts = [values.first_nm, values.mid_nm, values.last_nm, values.suf_nm]
  return typeof values.last_nm === 'string' ? parts.filter((part) => part !== null && part !== '').join(' ') : null
}

/** The kind of thing that an id in an address identifies, by parameter. */
const KINDS: Readonly<Record<string, string>> = {
  crd: 'adviser',
  cik: 'filer',
  accession: 'filing',
  indvlPk: 'person',
  cusip: 'security',
  series: 'fund',
}

/** `adviser 106482`: the ids in the path, in words. */
export const numbered = (path: Readonly<Record<string, string>>): string =>
  Object.entries(path)
    .map(([name, value]) => (KINDS[name] ? `${KINDS[name]} ${value}` : value))
    .join(', ')
