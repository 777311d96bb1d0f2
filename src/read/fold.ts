/**
 * A name as it is compared: accents stripped, lower case, white space single. Done here and stored, so that search does
 * not depend on the database server's locale.
 */
export function fold(name: string): string {
  // Nearly every EDGAR name is ASCII: skip the normalisation, which is five times the cost of the rest.
  const plain = isAscii(name)
    ? name
    : name
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .replace(/\s+/g, ' ')
  const lower = plain.toLowerCase()
  return (lower.includes('  ') ? lower.replace(/ +/g, ' ') : lower).trim()
}

/**
 * A folded name as it is stored in an index, which takes no text of more than 2,704 bytes: the first 500 letters. Forms allow
 * 150 for a name.
 */
export function foldedKey(name: string): string {
  const folded = fold(name)
  return folded.length > KEY_MAX ? folded.slice(0, KEY_MAX).toWellFormed().trimEnd() : folded
}

const KEY_MAX = 500

/** Whether a text has nothing but ASCII that can be printed. */
export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/** Comes after every letter: what begins with a text is between it and it with this. */
export const LAST = '\u{10ffff}'

/** Text for LIKE, in which nothing stands for anything else. */
export const likeLiteral = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Pattern for LIKE over folded names that hold this text, in any case and with or without accents. */
export const containing = (text: string) => `%${likeLiteral(fold(text))}%`
