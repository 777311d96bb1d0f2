/** The files of one archive, filled line by line in the order of the filings. */
import { COLUMNS, QUOTED_HEADER } from './columns.ts'
import { bytesOf, type Encoding } from './encoding.ts'
import type { Line, Value } from './firm.ts'

export interface SheetOptions {
  encoding: Encoding
  /** Other names for the columns of a file, for tests of files with wrong columns. */
  header?: ((member: string, columns: readonly string[]) => readonly string[]) | undefined
}

const CHUNK = 65_536

/**
 * Formats values as published: text is quoted without doubling inner quotes, numbers are not quoted, and a missing
 * answer is empty.
 */
function cell(value: Value): string {
  if (value === null || value === undefined || value === '') return ''
  return typeof value === 'number' ? String(value) : `"${value}"`
}

function first(layers: readonly Line[], column: string): Value {
  for (const layer of layers) {
    const value = layer[column]
    if (value !== undefined) return value
  }
  return undefined
}

class Sheet {
  readonly columns: readonly string[]
  readonly chunks: Buffer[] = []
  lines = 0
  readonly #encoding: Encoding
  #text: string

  constructor(columns: readonly string[], header: string, encoding: Encoding) {
    this.columns = columns
    this.#encoding = encoding
    this.#text = header
  }

  add(layers: readonly Line[]): void {
    const { columns } = this
    let text = ''
    for (let at = 0; at < columns.length; at++) {
      const value = cell(first(layers, columns[at]!))
      text += at === 0 ? value : `,${value}`
    }
    this.#text += `${text}\n`
    this.lines++
    if (this.#text.length > CHUNK) this.flush()
  }

  flush(): void {
    this.chunks.push(bytesOf(this.#text, this.#encoding))
    this.#text = ''
  }
}

export class Sheets {
  readonly #sheets = new Map<string, Sheet>()

  constructor(
    columns: Readonly<Record<string, readonly string[]>>,
    members: readonly string[],
    { encoding, header }: SheetOptions,
  ) {
    for (const member of members) {
      const known = columns[member] ?? columns[member.replace(/^(?:IA|ERA)_/, '')]
      if (!known) throw new Error(`no columns are known of ${member}`)
      const names = header?.(member, known) ?? known
      const quoted = QUOTED_HEADER.test(member)
      const shown = names.map((name) => (quoted || name.includes(',') ? `"${name}"` : name))
      this.#sheets.set(member, new Sheet(known, `${shown.join()}\n`, encoding))
    }
  }

  /** Adds a line. The value of a column comes from the first layer that has the column. */
  add(member: string, ...layers: readonly Line[]): void {
    const sheet = this.#sheets.get(member)
    if (!sheet) throw new Error(`there is no file ${member}`)
    sheet.add(layers)
  }

  /** Lines after the header, by file. */
  lines(): Record<string, number> {
    return Object.fromEntries([...this.#sheets].map(([member, { lines }]) => [member, lines]))
  }

  *files(): Generator<[member: string, chunks: readonly Buffer[]]> {
    for (const [member, sheet] of this.#sheets) {
      sheet.flush()
      yield [member, sheet.chunks]
    }
  }
}

/** Every file of a month: files that exist for both kinds of adviser, and files of only one kind. */
export const MEMBERS: readonly string[] = Object.keys(COLUMNS).flatMap((name) =>
  /^(?:IA_|ERA_|ADV_Filing_Types)/.test(name) ? [name] : [`IA_${name}`, `ERA_${name}`],
)
