/**
 * Writes rows of COPY as Parquet, in groups of rows that fit in memory. A decimal column becomes text if one of its
 * values has more digits than fit. The metadata of the file has the meaning of each column.
 */
import { type Columns, columnType } from '../declare/table.ts'
import { eachCell, NULL, unescaped } from './copy-text.ts'
import type { Offer } from './offer.ts'
import { groupedFile, meaningsOf, PRECISION, SCALE, type Stored, storedAs } from './parquet-file.ts'
import type { Reading } from './select.ts'

/**
 * Maximum number of rows of a group. A program that reads a column reads the values of a whole group at once. A group
 * of 100,000 rows with 16 columns takes 100 MB of memory here.
 */
const GROUP_ROWS = 100_000
/** Maximum number of characters of COPY's text in a group, so that rows of long texts get smaller groups. */
const GROUP_SIZE = 32_000_000

/** Returns the SQL condition that a decimal fits into Parquet's type. */
export const fitsDecimal = (column: string): string =>
  `scale(trim_scale(${column})) <= ${SCALE} and abs(${column}) < 1e${PRECISION - SCALE}`

export const isDecimal = (type: Columns[string]): boolean => storedAs(type) === 'decimal'

/**
 * Makes the SQL that reads each column in the form that the Parquet file needs.
 *
 * @param wide names of columns with decimals that do not fit
 */
export const asParquet =
  (wide: ReadonlySet<string>): Reading =>
  (value, type, name) => {
    const stored = storedAs(type)
    if (stored === 'list') return `to_json(${value})`
    if (stored === 'date') return `${value} - date '1970-01-01'`
    if (stored === 'decimal' && !wide.has(name)) return `trunc(${value} * 1e${SCALE})`
    return value
  }

/** The functions that read cells. Moments need no function, since no table has a column of moments. */
const PARSERS: Readonly<Record<Exclude<Stored, 'moment'>, (cell: string) => unknown>> = {
  list: (cell) => JSON.parse(unescaped(cell)),
  date: Number,
  boolean: (cell) => cell === 't',
  integer: Number,
  double: Number,
  bigint: BigInt,
  decimal: BigInt,
  text: unescaped,
}

/** Makes a Parquet file from whole rows in COPY's text format, piece by piece. */
export interface ParquetFile {
  /** @returns bytes of the file, valid until the next call; null if the rows are kept for now */
  take(rows: Buffer): Uint8Array | null
  /** @returns the last bytes */
  end(): Uint8Array
}

/** @param wide as in `asParquet` */
export async function parquetFile(offer: Offer, wide: ReadonlySet<string>): Promise<ParquetFile> {
  const columns = Object.entries(offer.columns).map(([name, type]) => {
    const stored = wide.has(name) ? 'text' : (storedAs(type) as keyof typeof PARSERS)
    return { name, stored, nullable: columnType(type)!.nullable, parse: PARSERS[stored] }
  })
  const file = await groupedFile(columns, [
    { key: 'openfilings.table', value: offer.id },
    { key: 'openfilings.says', value: offer.meaning },
    meaningsOf(offer.columns),
  ])
  let values: unknown[][] = columns.map(() => [])
  let size = 0
  const writeGroup = () => {
    file.add(values)
    values = columns.map(() => [])
    size = 0
  }
  return {
    take(rows) {
      const text = rows.toString()
      size += text.length
      eachCell(text, columns.length, (place, cell) => {
        values[place]!.push(cell === NULL ? null : columns[place]!.parse(cell))
      })
      if (values[0]!.length < GROUP_ROWS && size < GROUP_SIZE) return null
      writeGroup()
      return file.taken()
    },
    end() {
      writeGroup()
      file.end()
      return file.taken()
    },
  }
}
