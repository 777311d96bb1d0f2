/** Reads COPY's text format: tabs separate cells, line feeds separate rows, and no cell contains either of them. */

/** COPY's sign for null. No text is written in this way, since COPY doubles the backslashes of a text. */
export const NULL = '\\N'

/**
 * @param text whole rows
 * @param width number of cells of each row
 * @param take is called with the position of each cell in its row, and its text as COPY wrote it
 */
export function eachCell(text: string, width: number, take: (place: number, cell: string) => void): void {
  const last = width - 1
  for (let at = 0; at < text.length; ) {
    for (let place = 0; place < width; place++) {
      const end = text.indexOf(place === last ? '\n' : '\t', at)
      take(place, text.slice(at, end))
      at = end + 1
    }
  }
}

const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Decodes the text of a cell. */
export const unescaped = (cell: string): string =>
  cell.includes('\\') ? cell.replace(/\\(.)/g, (_, char: string) => ESCAPED[char] ?? char) : cell
