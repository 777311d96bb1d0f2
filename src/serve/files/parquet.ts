/**
 * Writes a list as Parquet, in groups of rows. The types of columns come from the declarations, as in an exported
 * table. Values that have no column type, such as lists of objects, are JSON as text. The metadata at the end of the
 * file has the number of rows.
 */
import { z } from 'zod'
import { apiError } from '../../declare/api-errors.ts'
import { columnType } from '../../declare/table.ts'
import {
  type GroupedFile,
  groupedFile,
  meaningsOf,
  PRECISION,
  SCALE,
  type Stored,
  storedAs,
} from '../../export/parquet-file.ts'
import type { Column } from './columns.ts'
import type { Row, Writer } from './writer.ts'

/**
 * Number of rows of a group: two pages. The rows are kept in memory until the group is written. No other request is
 * answered while a group is written.
 */
const GROUP_ROWS = 4_000
/** Maximum number of characters of texts in a group, so that a page with long texts is written immediately. */
const GROUP_SIZE = 4_000_000

/**
 * Columns, by list, that had a decimal with too many digits. The type of a column is chosen with its first group. If a
 * later group has a decimal that does not fit, the file breaks off. In the next file of the list, the column is text.
 */
export class WideColumns {
  readonly #names = new Set<string>()

  has(list: string, column: string): boolean {
    return this.#names.has(`${list}.${column}`)
  }

  add(list: string, column: string): void {
    this.#names.add(`${list}.${column}`)
  }
}

/** Returns the type that a value has if it is neither null nor absent. */
function bare(type: z.ZodType): z.ZodType {
  if (columnType(type)) return type
  return type instanceof z.ZodNullable || type instanceof z.ZodOptional ? bare(type.unwrap() as z.ZodType) : type
}

const isText = (type: z.ZodType): boolean =>
  bare(type) instanceof z.ZodString || bare(type) instanceof z.ZodEnum || storedAs(bare(type)) === 'text'

/** How the values of a member of a row are stored; null for JSON. */
export function storedIn(given: z.ZodType): Stored | null {
  const type = bare(given)
  const declared = columnType(type)
  if (declared) return declared.kind === 'json' ? null : storedAs(type)!
  if (type instanceof z.ZodISODateTime) return 'moment'
  if (type instanceof z.ZodISODate) return 'date'
  if (type instanceof z.ZodNumberFormat) return type.format === 'safeint' ? 'bigint' : 'double'
  if (type instanceof z.ZodNumber) return 'double'
  if (type instanceof z.ZodBoolean) return 'boolean'
  if (type instanceof z.ZodArray) return isText(type.element as z.ZodType) ? 'list' : null
  // Zod has a separate class for text in a format, such as a URL.
  return isText(type) || type instanceof z.ZodStringFormat ? 'text' : null
}

const DAY_MS = 86_400_000

const READERS: Readonly<Record<Exclude<Stored, 'decimal'>, (value: never) => unknown>> = {
  list: (value: readonly string[]) => value,
  date: (value: string) => Date.parse(value) / DAY_MS,
  moment: (value: string) => BigInt(Date.parse(value)),
  boolean: (value: boolean) => value,
  integer: (value: number) => value,
  double: (value: number) => value,
  bigint: (value: string | number) => BigInt(value),
  text: (value: string) => value,
}

const DECIMAL = /^(-?)(\d*)(?:\.(\d*))?$/

/** The decimal times 10 to the power of `SCALE`; null if it has more digits than fit. */
export function scaled(decimal: string): bigint | null {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(decimal)!
  if (whole.replace(/^0+/, '').length > PRECISION - SCALE || /[1-9]/.test(fraction.slice(SCALE))) return null
  return BigInt(`${sign}${whole}${fraction.slice(0, SCALE).padEnd(SCALE, '0')}`)
}

interface Held {
  name: string
  of: Column['of']
  /** How the values are stored; null if they are stored as JSON. */
  stored: Stored | null
  values: unknown[]
}

/** Rows that are kept until a group of them is written. */
class HeldRows {
  readonly #list: string
  readonly #columns: readonly Column[]
  readonly #wide: WideColumns
  readonly #held: Held[]
  /** Number of characters of the texts in the rows. */
  #size = 0
  #file: GroupedFile | undefined

  constructor(list: string, columns: readonly Column[], wide: WideColumns) {
    this.#list = list
    this.#columns = columns
    this.#wide = wide
    this.#held = columns.map(({ name, of, type }) => ({ name, of, stored: storedIn(type), values: [] }))
  }

  get isFull(): boolean {
    return this.#held[0]!.values.length >= GROUP_ROWS || this.#size >= GROUP_SIZE
  }

  keep(row: Row): void {
    for (const { of, stored, values } of this.#held) {
      const value = keptAs(stored, of(row) ?? null)
      values.push(value)
      if (typeof value === 'string') this.#size += value.length
    }
  }

  /** @returns the file, with the kept rows as its last group */
  async written(): Promise<GroupedFile> {
    this.#file ??= await this.#begun()
    this.#file.add(this.#held.map((column) => this.#asStored(column)))
    for (const column of this.#held) column.values = []
    this.#size = 0
    return this.#file
  }

  /** Begins the file. Chooses the types of its decimal columns by the values of the first group. */
  #begun(): Promise<GroupedFile> {
    for (const column of this.#held) {
      if (column.stored !== 'decimal') continue
      const isWide = column.values.some((value) => value !== null && scaled(value as string) === null)
      if (isWide) this.#wide.add(this.#list, column.name)
      if (this.#wide.has(this.#list, column.name)) column.stored = 'text'
    }
    const schema = this.#held.map(({ name, stored }) => ({ name, stored: stored ?? 'text', nullable: true }))
    const meanings = meaningsOf(Object.fromEntries(this.#columns.map(({ name, type }) => [name, type])))
    return groupedFile(schema, [{ key: 'openfilings.list', value: this.#list }, meanings])
  }

  #asStored({ name, stored, values }: Held): unknown[] {
    if (stored !== 'decimal') return values
    return values.map((value) => {
      if (value === null) return null
      const found = scaled(value as string)
      if (found !== null) return found
      this.#wide.add(this.#list, name)
      throw apiError('decimal_too_long', { column: name })
    })
  }
}

/** Decimals are kept as text until their group is written. */
function keptAs(stored: Stored | null, value: unknown): unknown {
  if (value === null || stored === 'decimal') return value
  return stored === null ? JSON.stringify(value) : READERS[stored](value as never)
}

/** @param list name of the list, under which its wide columns are kept */
export function parquetWriter(list: string, columns: readonly Column[], wide: WideColumns): Writer {
  const held = new HeldRows(list, columns, wide)
  return {
    type: 'application/vnd.apache.parquet',
    isPacked: true,
    head: '',
    async page(rows) {
      for (const row of rows) held.keep(row)
      // The bytes are copied, since the next group overwrites them, and they may still wait to be sent.
      return held.isFull ? (await held.written()).taken().slice() : ''
    },
    async end(rows, missing) {
      const file = await held.written()
      file.end([
        ...(missing.length > 0 ? [{ key: 'openfilings.not_loaded', value: JSON.stringify(missing) }] : []),
        // This entry is the last one, so that a client finds it at the end of the file.
        { key: 'openfilings.rows', value: String(rows) },
      ])
      return file.taken()
    },
  }
}
