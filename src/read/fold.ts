/**
 * Folds a name for comparison: without accents, in lower case, with single blanks. The result is stored, so that a
 * search does not depend on the database server's locale.
 */
export function fold(name: string): string {
  // Nearly every EDGAR name is ASCII and needs no normalisation, which takes five times as long as the rest of the
  // work.
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
 * Cuts a folded name to its first 500 letters, since an index accepts keys of at most 2,704 bytes. Forms allow names of
 * 150 letters.
 */
export function foldedKey(name: string): string {
  const folded = fold(name)
  return folded.length > KEY_MAX ? folded.slice(0, KEY_MAX).toWellFormed().trimEnd() : folded
}

const KEY_MAX = 500

/** Whether a text has only printable ASCII characters. */
export const isAscii = (text: string): boolean => /^[\x20-\x7e]*$/.test(text)

/**
 * A character that sorts after every letter. A range from a prefix to the prefix plus this character contains every
 * text that begins with the prefix.
 */
export const LAST = '\u{10ffff}'

/** Escapes a text for LIKE, so that no character of the text acts as a wildcard. */
export const likeLiteral = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/** Returns a LIKE pattern for folded names that contain this text, without regard to case and accents. */
export const containing = (text: string) => `%${likeLiteral(fold(text))}%`
