/** Reads exported files back with other code than the code that wrote them. */
import { readFile } from 'node:fs/promises'
import { zstdDecompressSync } from 'node:zlib'
import { parquetMetadataAsync, parquetReadObjects, type SchemaElement } from 'hyparquet'

/** Parses CSV into cells, row by row; a cell is null if there is nothing between two commas, which differs from "". */
export function csvCells(text: string): (string | null)[][] {
  const rows: (string | null)[][] = []
  let row: (string | null)[] = []
  for (let at = 0; at < text.length; at++) {
    let cell: string | null = null
    if (text[at] === '"') {
      cell = ''
      for (at++; text[at] !== '"' || text[at + 1] === '"'; at++) {
        if (text[at] === '"') at++
        cell += text[at]
      }
      at++
    } else {
      const from = at
      while (text[at] !== ',' && text[at] !== '\n') at++
      cell = from === at ? null : text.slice(from, at)
    }
    row.push(cell)
    if (text[at] === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}

interface ParquetRows {
  rows: Record<string, unknown>[]
  types: Map<string, string>
  entries: Map<string, string>
  groups: number
}

/**
 * Reads the rows of a Parquet file and the types of its columns; decimals are returned as strings with all their
 * digits.
 */
export async function parquetRows(file: string): Promise<ParquetRows> {
  return parquetRowsOf(await readFile(file))
}

/** Like `parquetRows`, but reads the bytes of a file, and also returns the texts of its metadata. */
export async function parquetRowsOf(bytes: Uint8Array): Promise<ParquetRows> {
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
  const metadata = await parquetMetadataAsync({
    byteLength: buffer.byteLength,
    slice: (from, to) => buffer.slice(from, to),
  })
  const types = new Map(metadata.schema.slice(1).map((element) => [element.name, typeOf(element)]))
  const scales = new Map(
    metadata.schema.flatMap(({ name, converted_type, scale }) =>
      converted_type === 'DECIMAL' ? [[name, scale!] as const] : [],
    ),
  )
  // The reader would turn decimals into numbers, which hold only 15 digits.
  for (const element of metadata.schema) if (element.converted_type === 'DECIMAL') delete element.converted_type
  const rows = await parquetReadObjects({
    file: buffer,
    metadata,
    utf8: false,
    compressors: { ZSTD: (page) => zstdDecompressSync(page) },
  })
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (value instanceof Date) row[name] = asWritten(value, types.get(name)!)
      else if (value instanceof Uint8Array) row[name] = decimalOf(value, scales.get(name)!)
      else if (typeof value === 'bigint') row[name] = String(value)
      else row[name] = value ?? null
    }
  }
  const entries = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value ?? '']))
  return { rows, types, entries, groups: metadata.row_groups.length }
}

const asWritten = (value: Date, type: string) =>
  type === 'DATE' ? value.toISOString().slice(0, 10) : value.toISOString().replace('Z', '+00:00')

const typeOf = ({ type, converted_type }: SchemaElement) => converted_type ?? type ?? ''

function decimalOf(bytes: Uint8Array, scale: number): string {
  const unscaled = BigInt.asIntN(
    128,
    bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n),
  )
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return `${unscaled < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction && `.${fraction}`}`
}
