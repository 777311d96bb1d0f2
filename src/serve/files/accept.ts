/** Reads the header Accept (RFC 9110, 12.5.1). */

/** One parsed part of the header. */
interface Wish {
  /** `text/csv`, a whole kind (`text/*`), or `*` for both parts, which means anything. */
  range: string
  /** 0 for a range that is not wanted, up to 1 for a range that is wanted most. */
  q: number
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
/** Also matches a weight without its zero: Java's HttpURLConnection sends `*; q=.2` for any type. */
const WEIGHT = /^(0?\.\d{1,3}|0\.?|1(\.0{0,3})?)$/

/**
 * Returns the offer that the client wants most. For each offer, the weight of the most exact range is used. If several
 * offers have equal weight, an offer that the header names precedes an offer that only matches a range. Otherwise the
 * first of them is taken.
 *
 * @param accept the header; if it is absent or empty, any offer is accepted
 * @param offers media types by name, in order of preference
 * @returns null if no offer is accepted
 */
export function preferred<K extends string>(accept: string | undefined, offers: Readonly<Record<K, string>>): K | null {
  const names = Object.keys(offers) as K[]
  if (accept === undefined || accept.trim() === '') return names[0]!
  const wishes = wishesOf(accept)
  let best: { name: K; q: number; range: number } | null = null
  for (const name of names) {
    const [kind] = offers[name].split('/')
    // The ranges of the offer, the most exact range first. If the header gives a range twice, the last one is used.
    const found = [offers[name], `${kind}/*`, '*/*'].map((one) => wishes.findLast(({ range }) => range === one))
    const range = found.findIndex((wish) => wish !== undefined)
    const q = found[range]?.q ?? 0
    if (q > (best?.q ?? 0) || (best && q === best.q && range < best.range)) best = { name, q, range }
  }
  return best?.name ?? null
}

/** Whether the header names this media type itself, rather than only a range that includes it. */
export const names = (accept: string, type: string): boolean =>
  wishesOf(accept).some(({ range, q }) => range === type && q > 0)

/** The valid parts of the header. Parameters other than the weight are ignored. */
function wishesOf(accept: string): Wish[] {
  return partsOf(accept, ',').flatMap((part) => {
    const [given = '', ...parameters] = partsOf(part.toLowerCase(), ';').map((text) => text.trim())
    const range = given === '*' ? '*/*' : given
    const [kind = '', own = '', ...rest] = range.split('/')
    if (!TOKEN.test(kind) || !TOKEN.test(own) || rest.length > 0) return []
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2)
    if (weight !== undefined && !WEIGHT.test(weight)) return []
    return [{ range, q: Number(weight ?? 1) }]
  })
}

/** Splits text at separators, except separators within quoted text. */
function partsOf(text: string, separator: string): string[] {
  if (!text.includes('"')) return text.split(separator)
  const parts: string[] = []
  let from = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (isQuoted && char === '\\') at++
    else if (char === '"') isQuoted = !isQuoted
    else if (char === separator && !isQuoted) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}
