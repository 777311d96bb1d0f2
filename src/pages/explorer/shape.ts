/** Facts about the members of an answer, from the shape that its route declares. */
import { z } from 'zod'
import { columnType, type Entity, meaningOf, type Unit } from '../../declare/table.ts'
import { wordsFor } from './words.ts'

export interface Member {
  name: string
  label: string
  meaning: string | null
  type: z.ZodType | null
}

/** The type without optional, null and default; null if no type is declared. */
export function plain(type: z.ZodType | null): z.ZodType | null {
  for (let inner = type; ; ) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
      inner = inner.unwrap() as z.ZodType
    else if (inner instanceof z.ZodLazy) inner = inner.unwrap() as z.ZodType
    else return inner
  }
}

/**
 * The members of an object, in their declared order; those that only the object has follow.
 *
 * @param values what is shown; a union of shapes is known by its values alone
 */
export function membersOf(type: z.ZodType | null, values: Readonly<Record<string, unknown>>): Member[] {
  const of = plain(type)
  const shape = of instanceof z.ZodObject ? (of.shape as Record<string, z.ZodType>) : {}
  const names = [...new Set([...Object.keys(shape), ...Object.keys(values)])]
  const all = of instanceof z.ZodRecord ? (of.valueType as z.ZodType) : null
  return names.map((name) => {
    const own = shape[name] ?? all
    return { name, label: wordsFor(name, own ?? undefined), meaning: (own && meaningOf(own)) ?? null, type: own }
  })
}

/** The type of the elements of an array. */
export function elementOf(type: z.ZodType | null): z.ZodType | null {
  const of = plain(type)
  return of instanceof z.ZodArray ? (of.element as z.ZodType) : null
}

/** The unit of a number, and the kind of thing that a number names. */
export function notesOf(type: z.ZodType | null): { unit: Unit | undefined; entity: Entity | undefined } {
  for (let inner = type; inner; ) {
    const column = columnType(inner)
    const meta = z.globalRegistry.get(inner) as { 'x-entity'?: Entity; 'x-unit'?: Unit } | undefined
    const unit = column?.unit ?? meta?.['x-unit']
    const entity = column?.entity ?? meta?.['x-entity']
    if (unit || entity) return { unit, entity }
    const next = inner instanceof z.ZodOptional || inner instanceof z.ZodNullable ? inner.unwrap() : null
    inner = next as z.ZodType | null
  }
  return { unit: undefined, entity: undefined }
}

/** Whether a text is Markdown, as its type says in the words of JSON Schema. */
export function isMarkdownText(type: z.ZodType | null): boolean {
  return [type, plain(type)].some((each) => {
    const meta = each && (z.globalRegistry.get(each) as { contentMediaType?: string } | undefined)
    return meta?.contentMediaType === 'text/markdown'
  })
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether an array holds objects, and so is a table. */
export const isRows = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Whether a value says nothing: null, an empty text, list or object, or an object of such. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isNothing)
}
