/** What a file of a series may have at most (declare/series.ts), and how many of its records may be refused. */
import type { CsvSeries, Most, XmlSeries } from '../../declare/series.ts'
import type { Notes } from '../notes.ts'

/** As many refused records are believed to be bad ones. From there on more than half of all are another file by its name. */
const REFUSED_MIN = 100_000

/** What the file may have: of a period the days in its name say how many months it covers. */
export function mostOf({ kind, most, file, days }: XmlSeries | CsvSeries, name: string): Most {
  const match = kind === 'period' ? file.exec(name) : null
  if (!match) return most
  const { from, to } = days(match)
  const [first, last] = [from, to].map((day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7))) as [
    number,
    number,
  ]
  const months = Math.max(1, last - first + 1)
  return { bytes: most.bytes * months, records: most.records * months }
}

/**
 * Returns what is to be called before each record or line of the file is read, with its place. Nothing else sees refused ones,
 * so it looks at the signal too.
 *
 * A refused record costs 20 µs (its reason has a stack): 2 MB of a zip can hold 26 million, and took eight minutes.
 */
export function counted(
  { records }: Most,
  found: Notes,
  signal: AbortSignal | undefined,
): (place: () => string) => void {
  const before = found.refused
  let count = 0
  return (place) => {
    signal?.throwIfAborted()
    if (++count > records) throw new Error(`${place()} is more than the ${records} that such a file may have`)
    const refused = found.refused - before
    if (refused > REFUSED_MIN && refused * 2 > count) {
      const { place: at, reason } = found.refusals[0]!
      throw new Error(`${refused} of the first ${count - 1} records are refused, such as ${at}: ${reason}`)
    }
  }
}
