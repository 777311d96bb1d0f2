/**
 * If each row of a table has its filing as an object, copies the members of that object into the row. So the form, day
 * and filer of the filing are columns of the table.
 */
import { z } from 'zod'
import { isObject, plain } from './shape.ts'

type Row = Readonly<Record<string, unknown>>

interface Spread {
  /** The member with the filing. */
  member: string
  /** The row with the members of the filing, without the filing's `url`: the accession links to the page. */
  type: z.ZodObject
}

/**
 * Results by the shape of a row. They are remembered, since labels are remembered by the object that is the shape: a
 * new object would have no labels yet.
 */
const KNOWN = new WeakMap<z.ZodObject, Spread | 'none'>()

/**
 * Returns the rows with the members of their filings. Rows that have no filing as an object, or that have an accession
 * of their own, stay unchanged.
 */
export function spread(rows: readonly Row[], type: z.ZodType | null): { rows: readonly Row[]; type: z.ZodType | null } {
  const shape = plain(type)
  const found = shape instanceof z.ZodObject ? spreadOf(shape) : null
  if (found === null) return { rows, type }
  return { rows: rows.map((row) => laidIn(row, found)), type: found.type }
}

function spreadOf(shape: z.ZodObject): Spread | null {
  const known = KNOWN.get(shape) ?? spreadIn(shape) ?? 'none'
  KNOWN.set(shape, known)
  return known === 'none' ? null : known
}

function spreadIn(shape: z.ZodObject): Spread | null {
  if ('accession' in shape.shape) return null
  const entries = Object.entries(shape.shape as Record<string, z.ZodType>)
  for (const [member, own] of entries) {
    const filing = plain(own)
    if (!(filing instanceof z.ZodObject) || !('accession' in filing.shape) || !('form_type' in filing.shape)) continue
    const { url, ...members } = filing.shape as Record<string, z.ZodType>
    const others = Object.fromEntries(entries.filter(([name]) => name !== member))
    return { member, type: z.object({ ...members, ...others }) }
  }
  return null
}

function laidIn(row: Row, { member, type }: Spread): Row {
  const filing = row[member]
  const values: Row = isObject(filing) ? { ...filing, ...row } : row
  // A member that repeats the accession of the filing is left empty, since the column `accession` has it already.
  const isSaid = (name: string) => isObject(filing) && name in row && row[name] === filing.accession
  return Object.fromEntries(Object.keys(type.shape).map((name) => [name, isSaid(name) ? null : (values[name] ?? null)]))
}
