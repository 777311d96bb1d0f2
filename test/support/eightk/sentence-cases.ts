/** Cases of `test/datasets/eightk/eightk-sentences`: a text as filers write it, and the facts that a person reads. */
export interface SentenceCase {
  /** The filer of a case about officers, or the item of a case about facts. */
  of: string
  /** Filing date; null if it does not matter. */
  filed: string | null
  text: string
  rows: string[]
}

/**
 * A case is a line `FILER: text` or `FILER filed DAY: text`, followed by one indented line per event: name, title,
 * event, its day, effective day. Alternatively a case is a line `ITEM: text`, followed by lines with the name and value
 * of each fact. A line that begins with `left out` has the name of a value that is not read, and the reason. `\\n`
 * separates the lines of a text.
 */
export function casesIn(whole: string): SentenceCase[] {
  const cases: SentenceCase[] = []
  for (const line of whole.split('\n').filter((one) => one !== '')) {
    const [, of = '', filed = null, text = ''] = CASE.exec(line) ?? []
    if (line.startsWith('  ')) cases.at(-1)!.rows.push(line.trim())
    else cases.push({ of, filed, text: text.replaceAll('\\n', '\n'), rows: [] })
  }
  return cases
}
const CASE = /^([A-Z ]+|[\d.]+)(?: filed (\d{4}-\d\d-\d\d))?: (.*)$/
