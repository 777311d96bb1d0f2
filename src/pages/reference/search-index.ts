/** The index of the search: a small list, sent once, when the search is first used. */
import type { Field } from './fields.ts'
import type { Reference } from './model.ts'

/** Where a description says what a field is; the rest of it is on the page. */
const WORDS_MAX = 90

/** An operation with its parameters and fields, each with its description. */
export interface Indexed {
  id: string
  path: string
  summary: string
  group: string
  /** Name and description. */
  parameters: readonly (readonly [string, string])[]
  fields: readonly (readonly [string, string])[]
}

export function searchIndex({ groups }: Reference): Indexed[] {
  return groups.flatMap(({ title, operations }) =>
    operations.map(({ id, path, summary, parameters, contents }) => ({
      id,
      path,
      summary,
      group: title,
      parameters: parameters.map(({ name, description }) => [name, short(description)] as const),
      fields: contents.flatMap(({ fields }) => flat(fields, '')),
    })),
  )
}

function flat(fields: readonly Field[], path: string): (readonly [string, string])[] {
  return fields.flatMap((field) => [
    [path + field.name, short(field.description)] as const,
    ...flat(field.fields, `${path}${field.name}.`),
  ])
}

const short = (text: string) =>
  text.length <= WORDS_MAX ? text : `${text.slice(0, WORDS_MAX).replace(/\s+\S*$/, '')} …`
