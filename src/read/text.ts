/** Prepares text for the database. */

/** Removes what PostgreSQL cannot store: NUL, and half of a character that was cut in two. */
export function storable(text: string): string {
  if (!text.includes('\0') && text.isWellFormed()) return text
  return text.replaceAll('\0', '').toWellFormed()
}

/** Returns the beginning of a text, to show in a problem. */
export function excerpt(text: string, lengthMax = 200): string {
  return storable(text.length > lengthMax ? text.slice(0, lengthMax) : text)
}
