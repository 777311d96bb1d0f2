/** Facts about the members of an answer, from the shape that its route declares. */
import { z } from 'zod'
import { columnType, type Entity, meaningOf, type Unit } from '../../declare/table.ts'
import { forReaders, wordsFor } from './words.ts'

export interface Member {
  name: string
  label: string
  /** The description, for readers. */
  meaning: string | null
  type: z.ZodType | null
}

/** The type without `optional`, `null` and `default`; null if no type is declared. */
export function plain(type: z.ZodType | null): z.ZodType | null {
  for (let inner = type; ; ) {
    if (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault)
      inner = inner.unwrap() as z.ZodType
    else if (inner instanceof z.ZodLazy) inner = inner.unwrap() as z.ZodType
    else return inner
  }
}

/**
 * Declared members by the shape that declares them. Making their labels each time took a sixth of the time to write a
 * company's page.
 */
const DECLARED = new WeakMap<z.ZodObject, ReadonlyMap<string, Member>>()

/**
 * Undeclared members by name. Their number is limited, since some names come from filings. Making the labels of the
 * same raw items each time took a fifth of the time to write an adviser's page.
 */
const UNDECLARED = new Map<string, Member>()
const UNDECLARED_MAX = 5_000

/** The members of an object, in the order of `typesOf`. */
export function membersOf(type: z.ZodType | null, values: Readonly<Record<string, unknown>>): readonly Member[] {
  const of = plain(type)
  const declared = of instanceof z.ZodObject ? declaredOf(of) : undefined
  const names = Object.keys(values)
  if (declared && names.every((name) => declared.has(name))) return [...declared.values()]
  return typesOf(type, values).map(
    (each) => declared?.get(each.name) ?? (each.type ? memberOf(each) : undeclared(each.name)),
  )
}

function undeclared(name: string): Member {
  const known = UNDECLARED.get(name)
  if (known) return known
  const member = memberOf({ name, type: null })
  if (UNDECLARED.size >= UNDECLARED_MAX) UNDECLARED.clear()
  UNDECLARED.set(name, member)
  return member
}

function declaredOf(of: z.ZodObject): ReadonlyMap<string, Member> {
  const known = DECLARED.get(of)
  if (known) return known
  const shape = Object.entries(of.shape as Record<string, z.ZodType>)
  const declared = new Map(shape.map(([name, type]) => [name, memberOf({ name, type })]))
  DECLARED.set(of, declared)
  return declared
}

const readable = (meaning: string | null) => meaning && forReaders(meaning)

const memberOf = ({ name, type }: Pick<Member, 'name' | 'type'>): Member => ({
  name,
  label: wordsFor(name, type ?? undefined),
  meaning: readable(notesOf(type).meaning),
  type,
})

/**
 * The names and types of the members of an object, in their declared order; undeclared members of the object follow.
 *
 * @param values the object that is shown; for a union of shapes, only these values show which members it has
 */
export function typesOf(
  type: z.ZodType | null,
  values: Readonly<Record<string, unknown>>,
): Pick<Member, 'name' | 'type'>[] {
  const of = plain(type)
  const shape = of instanceof z.ZodObject ? (of.shape as Record<string, z.ZodType>) : {}
  const names = [...new Set([...Object.keys(shape), ...Object.keys(values)])]
  const all = of instanceof z.ZodRecord ? (of.valueType as z.ZodType) : null
  return names.map((name) => ({ name, type: shape[name] ?? all }))
}

/** The type of the elements of an array. */
export function elementOf(type: z.ZodType | null): z.ZodType | null {
  const of = plain(type)
  return of instanceof z.ZodArray ? (of.element as z.ZodType) : null
}

/** The type itself, and the types within it without optional and null. */
function* layersOf(type: z.ZodType | null): Generator<z.ZodType> {
  for (let inner = type; inner; ) {
    yield inner
    const next = inner instanceof z.ZodOptional || inner instanceof z.ZodNullable ? inner.unwrap() : null
    inner = next as z.ZodType | null
  }
}

/** The metadata that a declaration adds to a type, with the names of JSON Schema. */
interface Meta {
  'x-entity'?: Entity
  'x-unit'?: Unit
  'x-filing'?: string
  contentMediaType?: string
}

const metaOf = (type: z.ZodType): Meta => (z.globalRegistry.get(type) as Meta | undefined) ?? {}

interface Notes {
  /** The unit of a number. */
  unit: Unit | undefined
  /** The kind of thing that an id names. */
  entity: Entity | undefined
  /** The member of the same row with the name of that thing; null if none is declared. */
  named: string | null
  meaning: string | null
  isMarkdown: boolean
  /**
   * The path to the member that names the filing which the evidence quotes. Null if the type of the evidence declares
   * no such path.
   */
  filingPath: string | null
}

/** Notes by type, since each cell of a table needs the notes of its column. */
const NOTES = new WeakMap<z.ZodType, Notes>()

/** Facts that the declaration of a type states about its values. */
export function notesOf(type: z.ZodType | null): Notes {
  const known = type && NOTES.get(type)
  if (known) return known
  const notes = notesIn(type)
  if (type) NOTES.set(type, notes)
  return notes
}

function notesIn(type: z.ZodType | null): Notes {
  const layers = [...layersOf(type)].map((layer) => {
    const [column, meta] = [columnType(layer), metaOf(layer)]
    const entity = column?.entity ?? meta['x-entity']
    return { meta, unit: column?.unit ?? meta['x-unit'], entity, named: column?.named ?? null }
  })
  const noted = layers.find(({ unit, entity }) => unit || entity)
  const quoting = layers.find(({ meta }) => meta['x-filing'] !== undefined)
  return {
    unit: noted?.unit,
    entity: noted?.entity,
    named: noted?.named ?? null,
    meaning: (type && meaningOf(type)) ?? null,
    isMarkdown: layers.some(({ meta }) => meta.contentMediaType === 'text/markdown'),
    filingPath: quoting?.meta['x-filing'] ?? null,
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at a path of members: `filing.yields`. */
export const memberAt = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, name) => (isObject(inner) ? inner[name] : undefined), value)

/** Whether an array holds objects, so that it is shown as a table. */
export const isRows = (value: unknown): value is readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isObject)

/** Whether a value is empty: null, an empty text, list or object, or an object that has only empty values. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.values(value).every(isNothing)
}
