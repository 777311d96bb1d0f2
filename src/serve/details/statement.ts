/**
 * Builds the text of a statement only once, if it is the same for each request. Otherwise the driver would make a
 * promise for each fragment, and join the texts of the fragments, at each request.
 */
import type { Fragment, Sql } from '../../store/db.ts'

/** A statement that has `$1`, `$2` … for its values. */
export interface Written {
  text: string
  values: readonly unknown[]
}

/** The content of a fragment: texts, with a value after each text except the last. */
class Piece {
  readonly texts: readonly string[]
  readonly values: readonly unknown[]
  constructor(texts: readonly string[], values: readonly unknown[] = []) {
    this.texts = texts
    this.values = values
  }
}

/**
 * Returns the text and values of the statement that `make` composes. The `sql` passed to `make` supports only what
 * fragments need: templates, names and plain text.
 *
 * @throws Error if `make` uses anything else of the driver
 */
export function written(make: (sql: Sql) => Fragment): Written {
  const values: unknown[] = []
  function textOf(value: unknown): string {
    if (value instanceof Piece) {
      return value.texts.reduce((text, next, n) => text + textOf(value.values[n - 1]) + next)
    }
    if (Array.isArray(value) && value[0] instanceof Piece) return value.map(textOf).join(' ')
    return `$${values.push(value)}`
  }
  return { text: textOf(make(WRITER)), values }
}

function pieceOf(texts: string | readonly string[], ...values: readonly unknown[]): Piece {
  if (typeof texts !== 'string') return new Piece(texts, values)
  // Like the driver, takes a name with a dot as the name of a table in a schema.
  return new Piece([
    texts
      .replaceAll('"', '""')
      .split('.')
      .map((name) => `"${name}"`)
      .join('.'),
  ])
}

function unsafe(text: string, ...more: readonly unknown[]): Piece {
  if (more.length > 0) throw new Error('text passed to unsafe() has no parameters here: use a template for values')
  return new Piece([text])
}

// Replaces the driver only within `make`, because `make` never executes a statement.
const WRITER = Object.assign(pieceOf, { unsafe }) as unknown as Sql
