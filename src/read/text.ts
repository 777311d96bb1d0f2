/** Text on its way into the database. */

/** Removes what PostgreSQL cannot hold: NUL, and half of a character that was cut in two. */
export function storable(text: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text
  return text.replaceAll('\0', '').toWellFormed()
}

/** The beginning of a text, for a problem about it. */
export function excerpt(text: string, lengthMax = 200): string {
  return storable(text.length > lengthMax ? text.slice(0, lengthMax) : text)
}
