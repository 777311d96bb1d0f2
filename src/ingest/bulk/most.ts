/** Limits of a file of a series (declare/series.ts), and of its refused records. */
import type { CsvSeries, Most, XmlSeries } from '../../declare/series.ts'
import type { Notes } from '../notes.ts'

/**
 * Up to this number, refused records do not affect the rest of their file. If more records are refused, and they are
 * more than half of all records, the whole file is refused.
 */
const REFUSED_MIN = 100_000

/** The limits of a file. For a series of kind `period`, the days in the file's name state how many months it covers. */
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
 * Returns a function that must be called with the place of each record or line before the record or line is read. The
 * function also checks the signal, since no other code runs for a refused record.
 *
 * The number of refused records must be limited too. A refused record costs 20 µs, since its reason is an error with a
 * stack trace. Without this limit, a zip of 2 MB with 26 million such records took eight minutes.
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
    if (++count > records) throw new Error(`${place()}: such a file may have at most ${records} records`)
    const refused = found.refused - before
    if (refused > REFUSED_MIN && refused * 2 > count) {
      const { place: at, reason } = found.refusals[0]!
      throw new Error(`${refused} of the first ${count - 1} records are refused, such as ${at}: ${reason}`)
    }
  }
}
