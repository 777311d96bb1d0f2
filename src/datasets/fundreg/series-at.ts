/** Assigns positions in a prospectus to one of several series, by the headings that name the series. */

interface Named {
  series_id: string | null
  name: string | null
}

interface Mark {
  start: number
  series_id: string
}

/** Maximum distance between names that form a list, on a cover or in the table of contents. */
const LIST = 400
const LINE_MAX = 200
/** Words next to the name in the heading of a summary. */
const ADDITIONS = [
  /^(?:(?:fund |portfolio )?summar(?:y|ies)(?: section| prospectus| of| information| about)*|prospectus|about(?: the)?) /,
  / summary(?: section| prospectus| information)?$/,
  / (?:fund|portfolio) summary(?: section| prospectus| information)?$/,
]

/**
 * @param series the series in the header
 * @returns a function that returns the series at an offset. The function always returns null unless each series has its
 *   own heading. If a series had no known heading, its text would get the series of the previous heading
 */
export function seriesAt(markdown: string, series: readonly Named[]): (offset: number) => string | null {
  const marks = marksOf(markdown, idsByName(series))
  const headed = new Set(marks.map(({ series_id }) => series_id))
  if (series.length < 2 || series.some(({ series_id }) => series_id === null || !headed.has(series_id)))
    return () => null
  return (offset) => {
    let [low, high] = [0, marks.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (marks[middle]!.start <= offset) low = middle + 1
      else high = middle
    }
    return low > 0 ? marks[low - 1]!.series_id : null
  }
}

/** Maps names to series. A name that two series share identifies neither series. */
function idsByName(series: readonly Named[]): Map<string, string> {
  const ids = new Map<string, string>()
  const twice = new Set<string>()
  for (const { series_id, name } of series) {
    const words = wordsOf(name ?? '')
    if (words === '' || series_id === null) continue
    if (ids.has(words)) twice.add(words)
    ids.set(words, series_id)
  }
  for (const words of twice) ids.delete(words)
  return ids
}

function marksOf(markdown: string, ids: ReadonlyMap<string, string>): Mark[] {
  const found: Mark[] = []
  for (let at = 0; at < markdown.length && ids.size > 0; ) {
    const stop = markdown.indexOf('\n', at)
    const end = stop < 0 ? markdown.length : stop
    if (end > at && end - at <= LINE_MAX && markdown[at] !== '|') {
      const words = wordsOf(markdown.slice(at, end))
      const series_id =
        ids.get(words) ??
        ADDITIONS.map((addition) => ids.get(words.replace(addition, ''))).find((id) => id !== undefined)
      if (series_id !== undefined) found.push({ start: at, series_id })
    }
    at = end + 1
  }
  const isNear = (mark: Mark, other: Mark | undefined) =>
    other !== undefined && other.series_id !== mark.series_id && Math.abs(other.start - mark.start) <= LIST
  return found.filter((mark, i) => !isNear(mark, found[i - 1]) && !isNear(mark, found[i + 1]))
}

/** Removes case, accents, marks, and text in brackets such as a ticker. */
const wordsOf = (text: string): string =>
  text
    .replace(/\([^()]{0,100}\)|[®™℠]/g, ' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}&]+/gu, ' ')
    .trim()
