/**
 * Finds running headers, footers and page numbers: lines at the same place on many pages, which differ only in their
 * numbers.
 */
import { type Row, textOf } from './rows.ts'

/** Number of rows from the top and from the bottom of a page that can be furniture. */
const EDGE = 4
/** Height of the zones at the top and the bottom, as a share of the page's height. */
const ZONE = 0.15
/** Rows within this many points are at the same place. */
const PLACE = 6
const NUMBER = /^(?:[-–—|\s]*)(?:page\s*)?(?:\d{1,4}|[ivxl]{1,6})(?:\s*(?:of|\/)\s*\d{1,4})?(?:[-–—|\s.]*)$/i

/** Returns the rows of each page without furniture. */
export function withoutFurniture(pages: readonly { rows: readonly Row[]; height: number }[]): Row[][] {
  const places = new Map<string, { y: number; page: number }[]>()
  const edges = pages.map(({ rows, height }) => edgesOf(rows, height))
  edges.forEach((rows, page) => {
    for (const row of rows) {
      const key = keyOf(row)
      const known = places.get(key)
      if (known) known.push({ y: row.y, page })
      else places.set(key, [{ y: row.y, page }])
    }
  })
  return pages.map(({ rows }, page) => {
    const inPages = pages.length
    const isFurniture = (row: Row) => {
      if (!edges[page]!.has(row)) return false
      const near = places.get(keyOf(row))!.filter(({ y }) => Math.abs(y - row.y) < PLACE)
      const often = new Set(near.map((place) => place.page)).size
      if (NUMBER.test(textOf(row))) return often >= 2 || isOwnNumber(row, page)
      // A line that repeats is kept on the first page if it is at the top, since it may be the title of the document.
      if (page === 0 && row.y < ZONE * pages[0]!.height) return false
      return (often >= 3 && often >= Math.min(0.2 * inPages, 8)) || (inPages === 2 && often === 2)
    }
    return rows.filter((row) => !isFurniture(row))
  })
}

/** Whether a row is the number of its page. A document of two pages may have a page number only on the second. */
const isOwnNumber = (row: Row, page: number) => Number(/\d+/.exec(textOf(row))?.[0]) === page + 1

function edgesOf(rows: readonly Row[], height: number): Set<Row> {
  const sorted = rows.toSorted((a, b) => a.y - b.y)
  const top = sorted.slice(0, EDGE).filter(({ y }) => y < ZONE * height)
  const bottom = sorted.slice(-EDGE).filter(({ y }) => y > (1 - ZONE) * height)
  return new Set([...top, ...bottom])
}

const keyOf = (row: Row) =>
  textOf(row)
    .toLowerCase()
    .replace(/\d+/g, '#')
    .replace(/\b[ivxl]+\b/g, '#')
    .replace(/\s+/g, ' ')
