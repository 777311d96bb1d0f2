/**
 * Writes rows as Parquet, in groups of rows that fit in memory. The metadata of the file has the meaning of each
 * column. No digit is lost: dates are DATE, bigint INT64, decimals DECIMAL(38, 12), lists of text LIST. A decimal
 * column becomes text if one of its values has more digits. JSON is text too, since a reader would round its numbers.
 */
import { zstdCompressSync } from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { type Columns, columnType, meaningOf } from '../declare/table.ts'
import { eachCell, NULL, unescaped } from './copy-text.ts'
import type { Offer } from './offer.ts'
import type { Reading } from './select.ts'

/**
 * Rows of a group. A reader of one column reads the column of a whole group; 100,000 rows of 16 columns take 100 MB
 * here.
 */
const GROUP_ROWS = 100_000
/** Maximum number of characters of COPY's text in a group, so that rows of long texts get smaller groups. */
const GROUP_SIZE = 32_000_000

const PRECISION = 38
/** Digits after the decimal point: funds state percentages of net assets with twelve. */
const SCALE = 12

/** SQL condition: the decimal fits. */
export const fitsDecimal = (column: string): string =>
  `scale(trim_scale(${column})) <= ${SCALE} and abs(${column}) < 1e${PRECISION - SCALE}`

export const isDecimal = (type: Columns[string]): boolean => columnType(type)!.postgres === 'numeric'

/**
 * The types of the columns.
 *
 * @param wide names of columns with decimals that do not fit
 */
export const asParquet =
  (wide: ReadonlySet<string>): Reading =>
  (value, type, name) => {
    const { kind } = columnType(type)!
    if (kind === 'list') return `to_json(${value})`
    if (kind === 'date') return `${value} - date '1970-01-01'`
    if (isDecimal(type) && !wide.has(name)) return `trunc(${value} * 1e${SCALE})`
    return value
  }

interface Column {
  name: string
  schema: SchemaElement[]
  parse: (cell: string) => unknown
  /** Whether the smallest and largest value of each group are stored. They serve searches by days and numbers. */
  statistics: boolean
}

function columnOf(name: string, type: Columns[string], isWide: boolean): Column {
  const { kind, postgres, nullable } = columnType(type)!
  const own = { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' } as const
  const text = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const
  const plain = (schema: Omit<SchemaElement, 'name'>, parse: Column['parse'], statistics = true): Column => ({
    name,
    schema: [{ ...own, ...schema }],
    parse,
    statistics,
  })
  if (kind === 'list') {
    const list: SchemaElement[] = [
      { ...own, converted_type: 'LIST', num_children: 1 },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      { name: 'element', repetition_type: 'OPTIONAL', ...text },
    ]
    return { name, schema: list, parse: (cell) => JSON.parse(unescaped(cell)), statistics: false }
  }
  if (kind === 'date') return plain({ type: 'INT32', converted_type: 'DATE' }, Number)
  if (kind === 'boolean') return plain({ type: 'BOOLEAN' }, (cell) => cell === 't')
  if (postgres === 'integer') return plain({ type: 'INT32' }, Number)
  if (postgres === 'double precision') return plain({ type: 'DOUBLE' }, Number)
  if (postgres === 'bigint') return plain({ type: 'INT64' }, BigInt)
  if (isDecimal(type) && !isWide) {
    const decimal = { converted_type: 'DECIMAL', precision: PRECISION, scale: SCALE } as const
    return plain({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...decimal }, BigInt)
  }
  return plain(text, unescaped, false)
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
  // Loaded only here: the 51 modules of this package took 30 ms at the start of every command.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const columns = Object.entries(offer.columns).map(([name, type]) => columnOf(name, type, wide.has(name)))
  const bytes = new ByteWriter()
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(({ schema }) => schema)],
    codec: 'ZSTD',
    compressors: { ZSTD: (page) => zstdCompressSync(page) },
    kvMetadata: metadataOf(offer),
    createdBy: 'openfilings',
  })
  let values: unknown[][] = columns.map(() => [])
  let size = 0
  const writeGroup = () => {
    const rowGroupSize = values[0]!.length
    if (rowGroupSize === 0) return
    const columnData = columns.map(({ name, statistics }, place) => ({ name, statistics, data: values[place]! }))
    file.write({ columnData, rowGroupSize })
    values = columns.map(() => [])
    size = 0
  }
  const written = () => {
    const made = bytes.getBytes()
    bytes.index = 0
    return made
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
      return written()
    },
    end() {
      writeGroup()
      file.finish()
      return written()
    },
  }
}

/** The sentences of the declarations, as metadata of the file. */
function metadataOf({ id, meaning, columns }: Offer): { key: string; value: string }[] {
  const columnMeanings = Object.entries(columns).map(([name, type]) => {
    const { unit, entity } = columnType(type)!
    return [name, { meaning: meaningOf(type), ...(unit && { unit }), ...(entity && { names: entity }) }]
  })
  return [
    { key: 'openfilings.table', value: id },
    { key: 'openfilings.says', value: meaning },
    { key: 'openfilings.columns', value: JSON.stringify(Object.fromEntries(columnMeanings)) },
  ]
}
