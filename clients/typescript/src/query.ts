import { OpenFilingsError } from './errors.ts'

/** Values of a query before they are encoded. */
export type QueryValues = Readonly<Record<string, unknown>>

/**
 * Returns `?a=1&b=x&b=y`, or an empty text. Undefined values are left out. A value of an array that contains a comma or a
 * quote is quoted, as the service asks for, and an object becomes JSON.
 */
export function queryText(values: QueryValues): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const each of value) parameters.append(name, quoted(String(each)))
    else parameters.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

const quoted = (value: string): string => (/[",]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

/**
 * Fills the placeholders of a path in their order: `/filing/{accession}`.
 *
 * @throws OpenFilingsError `invalid_option` for a value that is not one part of a path: addresses drop `.` and `..`,
 *   and cannot have half a character
 */
export function pathText(template: string, values: readonly (string | number)[]): string {
  let at = 0
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[at++] ?? '')
    if (/^\.{0,2}$/.test(value) || /\p{Cs}/u.test(value)) {
      throw new OpenFilingsError(`${name}: "${value}" is not a valid identifier`, { code: 'invalid_option' })
    }
    return encodeURIComponent(value)
  })
}
