/** Two parameters, the same for every list, that choose the members of its rows. */
import { z } from 'zod'
import { notKnown } from '../misspelt.ts'
import { list } from './list.ts'

/**
 * The parameters of a list. The schema checks the names but does not enumerate them, because the schema of the answer
 * already lists the members of its rows.
 */
export function fieldsOf(row: z.ZodObject) {
  const names = Object.keys(row.shape)
  const name = z
    .string()
    .refine((text) => names.includes(text), { error: ({ input }) => notKnown(String(input), 'field', names) })
  return {
    fields: list(
      name,
      'The fields to return, always in their usual order; without this parameter, all fields',
    ).optional(),
    omit: list(name, 'Fields to leave out of rows').optional(),
  }
}

interface Choice {
  fields?: readonly string[]
  omit?: readonly string[]
}

/** The fields that a request chooses, in the order of the row; null if the request wants all fields. */
export function chosenOf(row: z.ZodObject, { fields, omit }: Choice): readonly string[] | null {
  if (!fields && !omit) return null
  return Object.keys(row.shape).filter((name) => (fields?.includes(name) ?? true) && !omit?.includes(name))
}

/** A row with only these fields. A field that the row does not have stays absent. */
export const only = (row: Readonly<Record<string, unknown>>, chosen: readonly string[]) =>
  Object.fromEntries(chosen.filter((name) => Object.hasOwn(row, name)).map((name) => [name, row[name]]))

/**
 * A row with its members in the declared order, which is also the order of columns in a file. Most rows are in this
 * order already, and are returned as they are.
 */
export function inOrder(row: Readonly<Record<string, unknown>>, names: readonly string[]) {
  let at = 0
  for (const name of Object.keys(row)) {
    while (at < names.length && names[at] !== name) at++
    if (at === names.length) return { ...only(row, names), ...row }
  }
  return row
}
