/**
 * Parquet files: how each kind of value is stored, and a file that is written group by group. This module is used for
 * exports of tables, and for lists that are sent as files. No digit is lost: dates are DATE, bigint INT64, decimals
 * DECIMAL(38, 12), lists of text LIST. JSON is text, since a reader would round its numbers.
 */
import { zstdCompressSync } from 'node:zlib'
import type { SchemaElement } from 'hyparquet'
import { type Columns, columnType, meaningOf } from '../declare/table.ts'

export const PRECISION = 38
/** Digits after the decimal point: funds state percentages of net assets with twelve digits. */
export const SCALE = 12

/** How the values of a column are stored, and in which form the file takes a value: */
export type Stored =
  /** an array of texts */
  | 'list'
  /** days since 1970-01-01 */
  | 'date'
  /** milliseconds since 1970-01-01, a bigint */
  | 'moment'
  | 'boolean'
  /** an integer of 32 bits */
  | 'integer'
  | 'double'
  /** a bigint of 64 bits */
  | 'bigint'
  /** a bigint: the value times 10 to the power of `SCALE` */
  | 'decimal'
  | 'text'

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const

const ELEMENTS: Readonly<Record<Exclude<Stored, 'list'>, Omit<SchemaElement, 'name'>>> = {
  date: { type: 'INT32', converted_type: 'DATE' },
  moment: { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' },
  boolean: { type: 'BOOLEAN' },
  integer: { type: 'INT32' },
  double: { type: 'DOUBLE' },
  bigint: { type: 'INT64' },
  decimal: {
    ...{ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 },
    ...{ converted_type: 'DECIMAL', precision: PRECISION, scale: SCALE },
  },
  text: TEXT,
}

const BY_POSTGRES: Readonly<Record<string, Stored>> = {
  integer: 'integer',
  bigint: 'bigint',
  numeric: 'decimal',
  'double precision': 'double',
}

/** Returns how a declared column is stored; undefined if no column can have this type. */
export function storedAs(type: Columns[string]): Stored | undefined {
  const found = columnType(type)
  if (found === undefined) return undefined
  const { kind, postgres } = found
  return kind === 'list' || kind === 'date' || kind === 'boolean' ? kind : (BY_POSTGRES[postgres] ?? 'text')
}

export interface StoredColumn {
  name: string
  stored: Stored
  nullable: boolean
}

function elementsOf({ name, stored, nullable }: StoredColumn): SchemaElement[] {
  const own = { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' } as const
  if (stored !== 'list') return [{ ...own, ...ELEMENTS[stored] }]
  return [
    { ...own, converted_type: 'LIST', num_children: 1 },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    { name: 'element', repetition_type: 'OPTIONAL', ...TEXT },
  ]
}

interface Entry {
  key: string
  value: string
}

export interface GroupedFile {
  /** Writes a group of rows: the values of each column. */
  add(values: readonly unknown[][]): void
  /** @returns what was written since the last call, valid until the next call */
  taken(): Uint8Array
  /** Writes the end of the file. @param more entries that are added to the metadata */
  end(more?: readonly Entry[]): void
}

export async function groupedFile(
  columns: readonly StoredColumn[],
  metadata: readonly Entry[] = [],
): Promise<GroupedFile> {
  // Loaded only here: the 51 modules of this package took 30 ms at the start of every command.
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const bytes = new ByteWriter()
  const file = new ParquetWriter({
    writer: bytes,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
    codec: 'ZSTD',
    compressors: { ZSTD: (page) => zstdCompressSync(page) },
    createdBy: 'openfilings',
  })
  return {
    add(values) {
      const rowGroupSize = values[0]?.length ?? 0
      if (rowGroupSize === 0) return
      const columnData = columns.map(({ name, stored }, place) => ({
        name,
        // The statistics are the smallest and the largest value of a group. A search by days or numbers uses them to
        // skip groups.
        statistics: stored !== 'list' && stored !== 'text',
        data: values[place]!,
      }))
      file.write({ columnData, rowGroupSize })
    },
    taken() {
      const made = bytes.getBytes()
      bytes.index = 0
      return made
    },
    end(more = []) {
      file.kvMetadata = [...metadata, ...more]
      file.finish()
    },
  }
}

/** Returns the declared meanings of the columns, as one entry of the metadata. */
export function meaningsOf(columns: Columns): Entry {
  const meanings = Object.entries(columns).map(([name, type]) => {
    const { unit, entity } = columnType(type) ?? {}
    return [name, { meaning: meaningOf(type), ...(unit && { unit }), ...(entity && { names: entity }) }]
  })
  return { key: 'openfilings.columns', value: JSON.stringify(Object.fromEntries(meanings)) }
}
