/**
 * Joins the parts of a number that has a blank after a comma, `100, 000`, where columns or votes show that they are one
 * number.
 */

/** Matches such a number after a blank or `$`, but not in a list: `4, 14, 400`. */
const PARTED = /(?<=\s|\$)(?<!,\s)\d{1,3}(?:, ?\d{3}){1,4}(?!\S)/g
const WHOLE = /(?<![^\s$])\d{1,3}(?:,\d{3}){1,4}(?!\S)/g

const hasGap = (text: string): boolean => text.includes(', ')
const joined = (text: string): string => text.replaceAll(', ', ',')

/**
 * Joins a number if it begins or ends in the same column as a number without a blank in another row, or if its row has
 * the same number without a blank, because amounts are repeated as votes. Lists of managers, `101, 102`, stay apart.
 */
export function withoutGaps(table: string): string {
  if (table.search(PARTED) < 0) return table
  const lines = table.split('\n')
  const [starts, ends] = [new Set<number>(), new Set<number>()]
  for (const line of lines) {
    for (const { 0: number, index } of line.matchAll(WHOLE)) {
      starts.add(index)
      ends.add(index + number.length)
    }
  }
  return lines
    .map((line) =>
      line.replace(PARTED, (number, at: number) => {
        const isRight = ends.has(at + number.length)
        const isOne = hasGap(number) && (isRight || starts.has(at) || repeats(line, joined(number)))
        if (!isOne) return number
        return isRight ? joined(number).padStart(number.length) : joined(number).padEnd(number.length)
      }),
    )
    .join('\n')
}

const repeats = (line: string, number: string): boolean => line.match(WHOLE)?.some((whole) => whole === number) ?? false

/** Joins such numbers wherever they stand, to test whether a line that was not read may be a holding. */
export const withoutAnyGaps = (line: string): string => line.replace(PARTED, joined)

/** Tests whether the last word begins a number that a blank divides: `8,` before `967`. */
export const isCutOff = (text: string | undefined): boolean => /^\$?\d{1,3}(?:,\d{3}){0,3},$/.test(text ?? '')

const CELL = /^\$? ?\d{1,3}(?:, ?\d{3}){1,4}$/
const NUMBER_CELL = /^\$? ?\d[\d,.'’ ]*$/
/** The columns of value and amount. */
const NUMBERS = 2

/** Joins the value and the amount of a row of cells: each cell is one number. Later cells may be lists of managers. */
export function withoutGapsInCells(cells: string[]): string[] {
  if (!cells.some((cell) => CELL.test(cell) && hasGap(cell))) return cells
  let left = NUMBERS
  let isAfterCusip = false
  return cells.map((cell) => {
    if (/\d/.test(cell) && /^[0-9A-Z]{6}[ -]?[0-9A-Z]{2}[ -]?\d$/i.test(cell)) isAfterCusip = true
    else if (isAfterCusip && /[a-z]/i.test(cell)) left = 0
    else if (isAfterCusip && NUMBER_CELL.test(cell) && left-- > 0 && CELL.test(cell)) return joined(cell)
    return cell
  })
}
